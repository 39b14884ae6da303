"""Move what does not vary out of comprehensions.

Works at the comprehension level.

```mlir
comprehension.build (%n) : !vector {          %last = arith.subi %n, %one : index
  %last = arith.subi %n, %one : index    ==>  comprehension.build (%n) : !vector {
  %i = comprehension.range %zero to %last       %i = comprehension.range %zero to %last
  …                                             …
}                                             }
```

Only pure ops without regions move, and none that can trap: a comprehension without rows
evaluates nothing. Constants stay where they are used, except for the bounds of ranges.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension
from diablo.passes.analyses.speculation import Root, can_trap, is_pure


def _is_invariant(op: Operation, block: Block) -> bool:
    """Whether `op` can be computed once, before the comprehension with the body `block`."""
    if op.regions or isinstance(op, arith.ConstantOp) or not is_pure(op) or can_trap(op):
        return False
    return all(
        not _inside(operand.owner, block) or isinstance(operand.owner, arith.ConstantOp)
        for operand in op.operands
    )


def _inside(owner: Operation | Block, block: Block) -> bool:
    parent = owner if isinstance(owner, Block) else owner.parent
    return parent is block


def _hoist(root: Root) -> None:
    block = root.body.block
    for op in list(block.ops):
        if not _is_invariant(op, block):
            continue
        _hoist_constants(op, root, block)
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(root))
    for op in block.ops:
        if isinstance(op, comprehension.RangeOp):
            _hoist_constants(op, root, block)


def _hoist_constants(op: Operation, root: Root, block: Block) -> None:
    """Give `op` its own copies, before the comprehension, of the constants that it uses."""
    for position, operand in enumerate(op.operands):
        if isinstance(operand.owner, arith.ConstantOp) and _inside(operand.owner, block):
            constant = operand.owner.clone()
            constant.location = operand.owner.location
            Rewriter.insert_op(constant, InsertPoint.before(root))
            op.operands[position] = constant.result


@dataclass(frozen=True)
class HoistInvariantsPass(ModulePass):
    """Move what does not vary out of comprehensions."""

    name = "hoist-invariants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist from the innermost comprehensions outwards."""
        for root in reversed([o for o in op.walk() if isinstance(o, Root)]):
            _hoist(root)
