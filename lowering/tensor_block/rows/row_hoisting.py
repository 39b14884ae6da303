"""Move what does not depend on the rows of a comprehension out of it.

Reads and writes the `comprehension` level. A nested comprehension, and an op on whole
collections, is evaluated once if nothing in it differs from row to row:

    collect {                               %m = aggregate max { each %L … }
      %x = each %L                    ==>   collect {
      %m = aggregate max { each %L … }        %x = each %L
      yield %x, %m }                          yield %x, %m }

What can trap stays where a guard or an empty generator may protect it.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.number_constants import ConstantOps
from diablo.lowering.tensor_block.rows.row_values import (
    inner_ops,
    is_collection,
    operands_of,
)
from diablo.passes.analyses.values.comprehension_structure import Qualifier, Root
from diablo.passes.analyses.values.speculation import can_trap, is_pure

_CONSTANTS = ConstantOps | comprehension.StringOp


def _is_worth_moving(op: Operation) -> bool:
    """Return whether `op` is about whole collections; scalars are cheap where they are."""
    if isinstance(op, Root):
        return True
    return is_pure(op) and any(is_collection(v.type) for v in (*op.operands, *op.results))


def _is_protected(op: Operation, root: Root) -> bool:
    """Return whether `op` may not be reached: it stands in a branch or after a qualifier."""
    block = root.body.block
    if op.parent is not block:
        return True
    return any(isinstance(o, Qualifier) and o.is_before_in_block(op) for o in block.ops)


def _collect(op: Operation, root: Root, moving: list[Operation]) -> bool:
    """Append `op` and what it needs inside `root` to `moving`; false if that has to stay."""
    if op in moving:
        return True
    if isinstance(op, Qualifier) or op.has_trait(IsTerminator) or not is_pure(op):
        return False
    if can_trap(op) and _is_protected(op, root):
        return False
    for operand in operands_of(op):
        if not is_made_inside(operand, root):
            continue
        if isinstance(operand.owner, Block) or not _collect(operand.owner, root, moving):
            return False
    moving.append(op)
    return True


def _move(op: Operation, root: Root) -> Operation:
    """Move `op` before `root`; a constant is copied, since bodies are better off with theirs."""
    if not isinstance(op, _CONSTANTS):
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(root))
        return op
    copy = op.clone()
    Rewriter.insert_op(copy, InsertPoint.before(root))
    return copy


def _is_dead(op: Operation) -> bool:
    return is_pure(op) and all(result.first_use is None for result in op.results)


def _hoist_from(root: Root) -> list[Operation]:
    """Move what does not vary to before `root`; what was moved."""
    moved: list[Operation] = []
    for qualified in list(root.body.block.ops):
        for op in list(inner_ops(qualified)):
            if not root.is_ancestor(op) or not _is_worth_moving(op):
                continue
            moving: list[Operation] = []
            if not _collect(op, root, moving):
                continue
            copies: dict[SSAValue, SSAValue] = {}
            for needed in moving:
                place = _move(needed, root)
                for inner in place.walk():
                    inner.operands = [copies.get(v, v) for v in inner.operands]
                if place is not needed:
                    copies.update(zip(needed.results, place.results, strict=True))
                moved.append(place)
    return moved


def nested_roots(root: Root) -> list[Root]:
    """The comprehensions in the body of `root`, inner ones first."""
    return [op for op in root.walk(region_first=True) if isinstance(op, Root) and op is not root]


def hoist_comprehensions(root: Root) -> list[Operation]:
    """Move what does not vary out of `root` and out of what is nested in it.

    Returns what stands before `root` now.
    """
    for op in reversed(list(root.walk())):
        if op is not root and op.parent is not None and isinstance(op, Root) and _is_dead(op):
            op.parent.erase_op(op)
    for nested in nested_roots(root):
        _hoist_from(nested)
    return _hoist_from(root)
