"""Warn where a bulk loop differs from the same loop run one iteration after the other.

Works at the diablo level; changes nothing.

```mlir
diablo.for %i = %one to %last {                  // for i = 1, n-1 do V[i] = V[i-1] + 1.0;
  %before = diablo.load %V[%i - 1]               // warning: this reads V[i-1], written by an
  …                                              //          earlier iteration (line 3)
  diablo.store %next, %V[%i]
}
```

A `for` executes its statements one after the other, each over all iterations. A statement
therefore reads what statements before it wrote in *all* iterations, and nothing of what it and
those behind it write. Run sequentially, it would read what *earlier* iterations wrote. The pass
compares the two by the classical dependence tests on affine subscripts `i + c` (Allen and
Kennedy, Optimizing Compilers for Modern Architectures, chapters 2 and 3); a subscript of
another form may be anything. Accumulation with a monoid into an element is no dependence on
itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from diablo.diagnostics import Diagnostic, report
from diablo.dialects import diablo
from diablo.dialects.locations import span_of
from diablo.passes.analyses.affine_values import affine_form
from diablo.passes.analyses.loop_accesses import (
    Access,
    Loop,
    Write,
    accesses,
    distances,
    may_be,
    variables,
    varies,
)

_BULK = "a `for` runs each statement over all iterations before the next one; `while` is sequential"


def _line(op: Operation) -> str:
    span = span_of(op)
    return "" if span is None else f" (line {span.line})"


def _warn(access: Access, other: Access, message: str, note: str) -> None:
    notes = (Diagnostic("note", note, span_of(other.op)),)
    report(Diagnostic("warning", message, span_of(access.op), _BULK, notes))


def _check_read(read: Access, write: Access) -> bool:
    """Warn if `read` sees another value than in a sequential run."""
    apart = distances(write, read)
    if apart is None:
        return False
    if read.position < write.position:
        sign, when, seen = -1, "an earlier", "the value from before the statement"
    else:
        sign, when, seen = 1, "a later", "the value it leaves"
    if not may_be(apart, sign):
        return False
    message = (
        f"this reads {read.name}, written by {when} iteration{_line(write.op)}: it sees {seen}"
    )
    _warn(read, write, message, f"{write.name} is written here")
    return True


def _check_writes(first: Access, second: Access) -> None:
    """Warn if what stays in an element is not what a sequential run leaves."""
    if not isinstance(first.op, diablo.StoreOp) and not isinstance(second.op, diablo.StoreOp):
        return
    apart = distances(first, second)
    if apart is not None and may_be(apart, 1):
        message = (
            f"this writes {second.name}, written by a later iteration as well"
            f"{_line(first.op)}: what is written here comes last"
        )
        _warn(second, first, message, f"{first.name} is written here")


def _check_store(write: Access) -> None:
    """Warn if an element is assigned in several iterations."""
    if not isinstance(write.op, diablo.StoreOp) or not write.keys:
        return
    bases = [affine_form(index)[0] for index in write.keys]
    around = [v for loop in write.loops for v in variables(loop)]
    indices = [v.index for v in around]
    if any(base not in indices and varies(base, write.loops) for base in bases):
        return  # a computed subscript: it may be different in each iteration
    missing = [v for v in around if v.index is None or v.index not in bases]
    if missing:
        names = ", ".join((v.index and v.index.name_hint) or "row" for v in missing)
        message = f"{write.name} is written for every {names}, and only one of the values stays"
        report(Diagnostic("warning", message, span_of(write.op)))


def check_nest(nest: Loop) -> None:
    """Report the dependences of one outermost loop."""
    found = list(accesses(nest))
    writes = [access for access in found if isinstance(access.op, Write)]
    for read in found:
        if not isinstance(read.op, Write):
            any(_check_read(read, write) for write in writes if write.overlaps(read))
    for number, second in enumerate(writes):
        _check_store(second)
        for first in writes[:number]:
            if first.overlaps(second):
                _check_writes(first, second)


@dataclass(frozen=True)
class CheckParallelPass(ModulePass):
    """Warn where a bulk loop differs from a sequential one."""

    name = "check-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every outermost `for`."""
        for nest in [o for o in op.walk() if isinstance(o, Loop)]:
            parent = nest.parent_op()
            while parent is not None and not isinstance(parent, Loop):
                parent = parent.parent_op()
            if parent is None:
                check_nest(nest)
