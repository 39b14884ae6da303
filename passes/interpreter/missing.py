"""Values that an iteration or a row does not have.

A value is *missing* where a read lies outside an array or an op fails. A failure counts only if
something needs the value: until then it is set aside, and whoever runs a program may be told of
those that nothing needed, since a compiled program may compute such values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation, SSAValue

from diablo.diagnostics import RunError
from diablo.passes.interpreter.interpreted_elements import Environment, OutOfRange, Variable

if TYPE_CHECKING:
    from diablo.passes.interpreter.interpreter import Interpreter


@dataclass(frozen=True)
class Missing:
    """A value that is not there: read out of range, or the op failed."""

    error: RunError | None = None


def missing(bound: Any) -> Missing | None:
    """Return what says that a value, or what a variable of the iteration holds, is missing."""
    if isinstance(bound, Variable):
        bound = bound.value
    return bound if isinstance(bound, Missing) else None


def is_available(env: Environment, values: Sequence[SSAValue]) -> bool:
    """Whether an iteration has all of `values`; if none is absent, raises the error of one."""
    found = [bound for value in values if isinstance(bound := env.get(value), Missing)]
    if found and found[0].error is not None and all(bound.error for bound in found):
        raise found[0].error
    return not found


def run_or_miss(interp: Interpreter, op: Operation, env: Environment) -> Missing | None:
    """Run `op` if what it needs is there.

    Else, and where it fails, its results are missing; returns why, or None if they are there.
    """
    found = _run(interp, op, env)
    if found is not None:
        env.update(dict.fromkeys(op.results, found))
    return found


def _run(interp: Interpreter, op: Operation, env: Environment) -> Missing | None:
    if op.regions:
        needed = [operand for inner in op.walk() for operand in inner.operands]
    else:
        needed = op.operands
    found = [found for v in needed if (found := missing(env.get(v))) is not None]
    if found:
        # What is absent is so whether or not the rest fails.
        return next((m for m in found if m.error is None), found[0])
    try:
        interp.run(op, env)
    except OutOfRange:
        return Missing()
    except RunError as error:
        interp.set_aside.append(error)
        return Missing(error)
    return None
