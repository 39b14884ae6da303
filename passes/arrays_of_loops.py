"""The arrays that loops of the driver write to: which they are given, and copies of their own.

    scf.while (%X1 = %V) … {                     %own = bufferization.alloc_tensor() copy(%V)
      %X2 = func.call @kernel_0(%X1, …)     =>   scf.while (%X1 = %own) … {
      scf.yield %X2 }                              %X2 = func.call @kernel_0(%X1, …)
                                                   scf.yield %X2 }

What a loop writes to in place must be its alone; one copy before it makes it so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from xdsl.dialects import bufferization, func, scf, tensor
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.locations import located
from diablo.passes.analyses.plans.ownership import Ownership

Written = Callable[[func.CallOp], SSAValue | None]
"""The operand of a call that its result is, but for what the call writes."""


Given = tuple[scf.WhileOp, int]
"""A loop and the number of an array that it is given."""


def given_to_loops(value: SSAValue, op: Operation, written: Written) -> Given | None:
    """Return the outermost loop around `op` that carries `value` from outside, and its number."""
    found: Given | None = None
    seen: set[SSAValue] = set()
    current: SSAValue | None = value
    while current is not None and current not in seen:
        seen.add(current)
        if isinstance(current, BlockArgument):
            loop = current.block.parent_op()
            if isinstance(loop, scf.WhileOp) and current.block is loop.before_region.block:
                found = (loop, current.index) if loop.is_ancestor(op) else found
        current = _origin(current, written)
    return found


def copy_what_others_see(
    given: Iterable[Given], ownership: Ownership
) -> Iterator[tuple[Given, SSAValue]]:
    """Let loops have copies of the arrays that are not theirs alone; yield each copy."""
    for loop, number in given:
        array = loop.arguments[number]
        # One array that a loop carries twice is its alone, but is to be two.
        if list(loop.arguments).count(array) > 1 or not ownership.dies_at(array, loop):
            yield (loop, number), _copy_before(loop, number)


def _copy_before(loop: scf.WhileOp, number: int) -> SSAValue:
    value = loop.arguments[number]
    copy = located(bufferization.AllocTensorOp(value.type, copy=value), loop)
    copy.results[0].name_hint = value.name_hint
    Rewriter.insert_op(copy, InsertPoint.before(loop))
    loop.operands[number] = copy.results[0]
    return copy.results[0]


def _origin(value: SSAValue, written: Written) -> SSAValue | None:
    """Return the array that `value` was before it was written to, one step before."""
    owner = value.owner
    if isinstance(owner, Block):
        loop = owner.parent_op()
        if not isinstance(loop, scf.WhileOp) or not isinstance(value, BlockArgument):
            return None
        return (
            _passed(loop, value.index)
            if owner is loop.after_region.block
            else loop.arguments[value.index]
        )
    match owner:
        case scf.WhileOp() if isinstance(value, OpResult):
            return _passed(owner, value.index)
        case scf.IfOp() if isinstance(value, OpResult):
            end = owner.true_region.block.last_op
            return None if end is None else end.operands[value.index]
        case tensor.InsertOp():
            return owner.dest
        case func.CallOp():
            return written(owner)
        case _:
            return None


def _passed(loop: scf.WhileOp, number: int) -> SSAValue:
    condition = loop.before_region.block.last_op
    assert isinstance(condition, scf.ConditionOp)
    return condition.args[number]
