"""The body of one bulk update: the loops and tests around a statement as qualifiers.

Reads ops of a `diablo.for` nest, leaves them as they are, and writes a comprehension's
body with clones of just what the statement needs. See `convert_diablo_to_comprehension`
for an example.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.dialects.locations import located
from diablo.dialects.range_steps import step_of


@dataclass(frozen=True)
class Guard:
    """What runs only where `condition` holds, or does not: one branch of the `scf.if` `op`.

    With `protects` it is what uses this value: the result of a read, which may find nothing.
    """

    condition: SSAValue
    negated: bool
    op: Operation
    protects: SSAValue | None = None


Qualifier = Operation | Guard
"""A loop (a generator), a branch (a guard), or an op that computes a value (a let)."""

Loop = diablo.ForOp | diablo.ForeachOp

Row = tuple[Sequence[SSAValue], Sequence[SSAValue]]
"""The keys and the values that a comprehension yields."""

Finish = Callable[[Block, Sequence[SSAValue], Sequence[SSAValue]], Row]
"""Appends ops to the body of a comprehension, and says what to yield."""


def reads(op: Operation) -> set[SSAValue]:
    """The operands of `op` and of all ops in its regions."""
    return {operand for inner in op.walk() for operand in inner.operands}


def needed(scope: Sequence[Qualifier], values: Sequence[SSAValue]) -> list[Qualifier]:
    """The qualifiers that bear on `values`: all loops and tests, and the lets these use."""
    live = set(values)
    found: list[Qualifier] = []
    for qualifier in reversed(scope):
        match qualifier:
            case Guard():
                if qualifier.protects is not None and qualifier.protects not in live:
                    continue
                live.add(qualifier.condition)
            case diablo.ForOp() | diablo.ForeachOp():
                live.update(qualifier.operands)
            case _:
                if live.isdisjoint(qualifier.results):
                    continue
                live |= reads(qualifier)
        found.append(qualifier)
    found.reverse()
    return found


def _generator(loop: Loop, body: Block, values: dict[SSAValue, SSAValue]) -> None:
    """Append the generator of a loop; afterwards `values` maps the loop's variables."""
    if isinstance(loop, diablo.ForOp) and loop.by is not None:
        lower, upper, step = (values.get(v, v) for v in (loop.lower, loop.upper, loop.by))
        elements: Sequence[SSAValue] = [_stepped(loop, body, lower, upper, step)]
    elif isinstance(loop, diablo.ForOp):
        step = step_of(loop)
        lower, upper = (values.get(v, v) for v in (loop.lower, loop.upper))
        generator = located(comprehension.RangeOp(lower, upper, step), loop)
        body.add_op(generator)
        elements = generator.results
    else:
        collection = values.get(loop.collection, loop.collection)
        each = located(comprehension.EachOp(collection, sorted=loop.sorted is not None), loop)
        body.add_op(each)
        elements = each.results
    for arg, result in zip(loop.body.block.args, elements, strict=True):
        result.name_hint = arg.name_hint
        values[arg] = result


def _stepped(
    loop: diablo.ForOp, body: Block, lower: SSAValue, upper: SSAValue, step: SSAValue
) -> SSAValue:
    """The index of a loop whose step is computed: its numbers are counted from 0.

    lower + t * step, for t from 0 to (upper - lower) / step, or to -1 if that has the wrong sign
    """

    def add(op: Operation) -> SSAValue:
        body.add_op(located(op, loop))
        return op.results[0]

    zero = add(arith.ConstantOp(IntegerAttr(0, IndexType())))
    none = add(arith.ConstantOp(IntegerAttr(-1, IndexType())))
    distance = add(arith.SubiOp(upper, lower))
    away = add(arith.CmpiOp(add(arith.MuliOp(distance, step)), zero, "slt"))
    last = add(arith.SelectOp(away, none, add(arith.DivSIOp(distance, step))))
    count = add(comprehension.RangeOp(zero, last))
    return add(arith.AddiOp(lower, add(arith.MuliOp(count, step))))


def guard_ops(guard: Guard, values: dict[SSAValue, SSAValue]) -> tuple[list[Operation], SSAValue]:
    """The ops that compute whether a guard lets something through, and the result."""
    condition = values.get(guard.condition, guard.condition)
    if not guard.negated:
        return [], condition
    true = arith.ConstantOp(IntegerAttr(1, i1))
    negation = arith.XOrIOp(condition, true.result)
    return [located(true, guard.op), located(negation, guard.op)], negation.result


def comprehension_body(
    scope: Sequence[Qualifier],
    keys: Sequence[SSAValue],
    values: Sequence[SSAValue],
    like: Operation,
    finish: Finish | None = None,
) -> Region:
    """A comprehension's body that yields `keys` and `values` for every iteration of `scope`.

    With `finish` it yields what that makes of them.
    """
    body = Block()
    mapped: dict[SSAValue, SSAValue] = {}
    for qualifier in needed(scope, [*keys, *values]):
        match qualifier:
            case Guard():
                ops, condition = guard_ops(qualifier, mapped)
                body.add_ops(ops)
                body.add_op(located(comprehension.GuardOp(condition), qualifier.op))
            case diablo.ForOp() | diablo.ForeachOp():
                _generator(qualifier, body, mapped)
            case _:
                body.add_op(qualifier.clone(mapped))
    row: Row = [mapped.get(v, v) for v in keys], [mapped.get(v, v) for v in values]
    if finish is not None:
        row = finish(body, *row)
    body.add_op(located(comprehension.YieldOp(*row), like))
    return Region(body)
