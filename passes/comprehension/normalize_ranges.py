"""Rules of `comprehension-normalize` about ranges: those that go down one by one go up.

    %i = comprehension.range %hi to %lo step -1      =>      %i = comprehension.range %lo to %hi

where the order makes no difference: every index writes elements of its own, or all are combined
by a monoid that has no order.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.locations import located, named
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.range_steps import step_of


def turn_ranges(block: Block) -> bool:
    """Let ranges go up whose order makes no difference."""
    changed = False
    for op in list(block.ops):
        if isinstance(op, comprehension.RangeOp) and step_of(op) == -1 and _has_no_order(op, block):
            new = located(comprehension.RangeOp(op.upper, op.lower), op)
            named(new.index, op.index)
            op.index.replace_all_uses_with(new.index)
            block.insert_op_before(new, op)
            block.erase_op(op)
            changed = True
    return changed


def _has_no_order(range: comprehension.RangeOp, block: Block) -> bool:
    """Return whether the rows of a range may come in any order."""
    root, end = block.parent_op(), block.last_op
    if any(isinstance(op, comprehension.GroupByOp) for op in block.ops):
        return False
    if isinstance(root, comprehension.AggregateOp):
        return not is_user_defined(root.monoid.data)
    if not isinstance(root, comprehension.BuildOp | comprehension.MergeOp):
        return False
    assert isinstance(end, comprehension.YieldOp)
    return any(_is_index(key, range.index) for key in end.keys)


def _is_index(key: SSAValue, index: SSAValue) -> bool:
    while isinstance(key.owner, arith.IndexCastOp):
        key = key.owner.input
    return key is index
