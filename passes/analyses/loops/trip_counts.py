"""Analysis: about how often do the loops around a place execute it?

```mlir
%k_1, %P_1 = scf.while (%k_2 = %zero, %P_2 = %P) : … {
  %more = arith.cmpi slt, %k_2, %ten : i64          // 10 times: %k begins at 0 and gets 1 more
  scf.condition(%more) %k_2, %P_2 : …
} do { … }
```

A loop that counts by a constant from one constant to another has a known number of iterations,
or at most that many if its condition has other parts. Of any other loop it is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import symbol_of

GUESS = 10
"""The iterations of a loop of which nothing is known."""


def loops_around(place: Operation | Block | None) -> list[scf.WhileOp]:
    """The loops whose iterations execute `place` again, the innermost first."""
    loops: list[scf.WhileOp] = []
    while place is not None:
        if isinstance(place, scf.WhileOp):
            loops.append(place)
        place = place.parent_op()
    return loops


def executions(loops: Sequence[scf.WhileOp]) -> int:
    """About how often nested loops execute what is in the innermost one."""
    return prod(max(1, trip_count(loop)) for loop in loops)


def trip_count(loop: scf.WhileOp) -> int:
    """The iterations of a loop: counted, or guessed."""
    condition = loop.before_region.block.last_op
    assert isinstance(condition, scf.ConditionOp)
    counts = [_count(loop, test) for test in _tests(condition.condition)]
    return min((count for count in counts if count is not None), default=GUESS)


def _tests(condition: SSAValue) -> Iterator[arith.CmpiOp]:
    """The comparisons that must all hold."""
    match condition.owner:
        case arith.CmpiOp() as test:
            yield test
        case arith.AndIOp() as both:
            yield from _tests(both.lhs)
            yield from _tests(both.rhs)
        case scf.IfOp() as choice if _is_false_else(choice, condition):
            yield from _tests(choice.cond)
        case _:
            pass


def _is_false_else(choice: scf.IfOp, result: SSAValue) -> bool:
    """Whether a result of an `scf.if` is false where its condition is, as that of `&&` is."""
    end = choice.false_region.block.last_op if choice.false_region.blocks else None
    assert isinstance(result, OpResult)
    return isinstance(end, scf.YieldOp) and _constant(end.operands[result.index]) == 0


def _count(loop: scf.WhileOp, test: arith.CmpiOp) -> int | None:
    """Return how often `k < last` or `k <= last` holds for a counter, if all is constant."""
    order, counter, last = symbol_of(test), test.lhs, _constant(test.rhs)
    if order not in ("<", "<=") or last is None or not isinstance(counter, BlockArgument):
        return None
    if counter.block is not loop.before_region.block:
        return None
    first, step = _constant(loop.arguments[counter.index]), _step(loop, counter)
    if first is None or step is None or step <= 0:
        return None
    return max(0, -(-(last + (order == "<=") - first) // step))


def _step(loop: scf.WhileOp, counter: BlockArgument) -> int | None:
    """Return what an iteration adds to a counter."""
    condition, body = loop.before_region.block.last_op, loop.after_region.block
    end = body.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert isinstance(end, scf.YieldOp)
    new = end.operands[counter.index].owner
    if not isinstance(new, arith.AddiOp):
        return None
    for old, step in ((new.lhs, new.rhs), (new.rhs, new.lhs)):
        if isinstance(old, BlockArgument) and old.block is body:
            return _constant(step) if condition.args[old.index] is counter else None
    return None


def _constant(value: SSAValue) -> int | None:
    if isinstance(value, OpResult) and isinstance(value.op, ConstantOps):
        attribute = value.op.value
        return attribute.value.data if isinstance(attribute, IntegerAttr) else None
    if isinstance(value, OpResult) and isinstance(value.op, arith.IndexCastOp):
        return _constant(value.op.input)
    return None
