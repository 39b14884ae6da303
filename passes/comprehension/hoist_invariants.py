"""Move what does not vary out of comprehensions.

Works at the comprehension level.

```mlir
comprehension.build (%n) : !vector {          %last = arith.subi %n, %one : index
  %last = arith.subi %n, %one : index    ==>  comprehension.build (%n) : !vector {
  %i = comprehension.range %zero to %last       %i = comprehension.range %zero to %last
  …                                             …
}                                             }
```

Only pure ops move, nested comprehensions among them. One that can fail moves only if it stands
in front of all generators and guards, where it is evaluated in any case: a comprehension
without rows evaluates nothing behind them. Constants stay where they are used, except for the
bounds of ranges. With `elements`, elements of arrays by which a comprehension indexes others are
read before it (`hoist_elements.py`). How many rows a bag has is counted before a loop of the driver
that does not change the bag, and what the condition of such a loop folds is folded before it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.locations import remark
from diablo.dialects.number_constants import ConstantOps
from diablo.passes.analyses.values.comprehension_structure import Qualifier, Root, roots_in
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.speculation import can_trap, is_pure
from diablo.passes.comprehension.hoist_elements import hoist_elements


def _is_invariant(op: Operation, block: Block) -> bool:
    """Whether `op` has the same results in all rows of the comprehension with the body `block`."""
    if isinstance(op, ConstantOps) or not is_pure(op):
        return False
    return all(
        block_of(value) is not block or isinstance(value.owner, ConstantOps)
        for value in used_values(op)
    )


def _hoist(root: Root) -> None:
    block = root.body.block
    certain = True
    for op in list(block.ops):
        certain = certain and not isinstance(op, Qualifier)
        if not _is_invariant(op, block):
            continue
        if not certain and can_trap(op):
            if isinstance(op, Root):
                remark(op, "this does not vary with the rows around it, but it can fail")
            continue
        if isinstance(op, Root):
            remark(op, "this does not vary with the rows around it and is computed once")
        _move_before(root, op)
    for op in block.ops:
        if isinstance(op, comprehension.RangeOp):
            _hoist_constants(op, root, block)


def hoist_bounds(root: Root) -> None:
    """Compute what bounds the ranges in `root` before it, where that does not vary."""
    block = root.body.block
    ranges = [op for op in block.walk() if isinstance(op, comprehension.RangeOp)]
    bounds = {v.owner for range in ranges for v in range.operands if isinstance(v.owner, Operation)}
    for op in reversed(list(block.ops)):
        if op in bounds:
            bounds |= {v.owner for v in used_values(op) if isinstance(v.owner, Operation)}
    for op in list(block.ops):
        if op in bounds and _is_invariant(op, block) and not can_trap(op):
            _move_before(root, op)


def hoist_constants(op: Operation, root: Root) -> None:
    """Give an op in `root`, and all in it, constants of their own before `root`."""
    for inner in op.walk():
        _hoist_constants(inner, root, root.body.block)


def _move_before(root: Operation, op: Operation) -> None:
    """Move an op in the body of `root`, with the constants that it uses."""
    block = op.parent
    assert block is not None
    for inner in op.walk():
        _hoist_constants(inner, root, block)
    op.detach()
    Rewriter.insert_op(op, InsertPoint.before(root))


def _hoist_constants(op: Operation, root: Operation, block: Block) -> None:
    """Give `op` its own copies, before the comprehension or loop, of the constants that it uses."""
    for position, operand in enumerate(op.operands):
        if isinstance(operand.owner, ConstantOps) and block_of(operand) is block:
            constant = operand.owner.clone()
            constant.location = operand.owner.location
            Rewriter.insert_op(constant, InsertPoint.before(root))
            op.operands[position] = constant.result


def _hoist_folds(loop: scf.WhileOp) -> None:
    """Compute before a loop of the driver what it counts, or its condition folds, of what it keeps.

    The condition is evaluated in any case, so that a fold in it may fail.
    """
    for region in loop.regions:
        certain = region is loop.before_region
        for op in list(region.block.ops):
            invariant = isinstance(op, comprehension.LengthOp | comprehension.AggregateOp) and all(
                isinstance(value.owner, ConstantOps) or block_of(value) is not region.block
                for value in used_values(op)
            )
            if invariant and (certain or _is_count(op)):
                _move_before(loop, op)
            elif not is_pure(op) or can_trap(op):
                certain = False


def _is_count(op: Operation) -> bool:
    """Return whether an op counts the rows of bags or arrays."""
    if isinstance(op, comprehension.LengthOp):
        return True
    *others, end = op.regions[0].block.ops
    return isinstance(end.operands[0].owner, ConstantOps) and all(
        isinstance(other, comprehension.EachOp | ConstantOps) for other in others
    )


@dataclass(frozen=True)
class HoistInvariantsPass(ModulePass):
    """Move what does not vary out of comprehensions."""

    name = "hoist-invariants"
    elements: bool = False
    """Whether to read elements of arrays, which are this process's."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist from the innermost comprehensions and loops outwards."""
        for root in roots_in(op):
            _hoist(root)
            if self.elements:
                hoist_elements(root)
        for loop in op.walk(region_first=True):
            if isinstance(loop, scf.WhileOp):
                _hoist_folds(loop)
