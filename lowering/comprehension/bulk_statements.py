"""The body of one bulk update: the loops and tests around a statement as qualifiers.

Reads ops of a `diablo.for` nest, leaves them as they are, and writes a comprehension's
body with clones of just what the statement needs. See `convert_diablo_to_comprehension`
for an example.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.dialects.locations import located


@dataclass(frozen=True)
class Guard:
    """One branch of the `scf.if` `op` around a statement: `condition` holds, or does not."""

    condition: SSAValue
    negated: bool
    op: Operation


Qualifier = Operation | Guard
"""A loop (a generator), a branch (a guard), or an op that computes a value (a let)."""


def _reads(op: Operation) -> set[SSAValue]:
    """The operands of `op` and of all ops in its regions."""
    return {operand for inner in op.walk() for operand in inner.operands}


def _needed(scope: Sequence[Qualifier], values: Sequence[SSAValue]) -> list[Qualifier]:
    """The qualifiers that bear on `values`: all loops and guards, and the lets these use."""
    live = set(values)
    needed: list[Qualifier] = []
    for qualifier in reversed(scope):
        match qualifier:
            case Guard():
                live.add(qualifier.condition)
            case diablo.ForOp() | diablo.ForeachOp():
                live.update(qualifier.operands)
            case _:
                if live.isdisjoint(qualifier.results):
                    continue
                live |= _reads(qualifier)
        needed.append(qualifier)
    needed.reverse()
    return needed


def _generator(
    loop: diablo.ForOp | diablo.ForeachOp, values: dict[SSAValue, SSAValue]
) -> Operation:
    """The generator of a loop; afterwards `values` maps the loop's variables."""
    if isinstance(loop, diablo.ForOp):
        step = 1 if loop.step is None else loop.step.value.data
        lower, upper = (values.get(v, v) for v in (loop.lower, loop.upper))
        generator: Operation = comprehension.RangeOp(lower, upper, step)
    else:
        generator = comprehension.EachOp(values.get(loop.collection, loop.collection))
    for arg, result in zip(loop.body.block.args, generator.results, strict=True):
        result.name_hint = arg.name_hint
        values[arg] = result
    return located(generator, loop)


def _guard(guard: Guard, values: dict[SSAValue, SSAValue]) -> list[Operation]:
    condition = values.get(guard.condition, guard.condition)
    ops: list[Operation] = []
    if guard.negated:
        true = arith.ConstantOp(IntegerAttr(1, i1))
        negation = arith.XOrIOp(condition, true.result)
        ops += [true, negation]
        condition = negation.result
    ops.append(comprehension.GuardOp(condition))
    return [located(op, guard.op) for op in ops]


def comprehension_body(
    scope: Sequence[Qualifier],
    keys: Sequence[SSAValue],
    values: Sequence[SSAValue],
    like: Operation,
) -> Region:
    """A comprehension's body that yields `keys` and `values` for every iteration of `scope`."""
    body = Block()
    mapped: dict[SSAValue, SSAValue] = {}
    for qualifier in _needed(scope, [*keys, *values]):
        match qualifier:
            case Guard():
                body.add_ops(_guard(qualifier, mapped))
            case diablo.ForOp() | diablo.ForeachOp():
                body.add_op(_generator(qualifier, mapped))
            case _:
                body.add_op(qualifier.clone(mapped))
    body.add_op(
        located(
            comprehension.YieldOp(
                [mapped.get(v, v) for v in keys], [mapped.get(v, v) for v in values]
            ),
            like,
        )
    )
    return Region(body)
