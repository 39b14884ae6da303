"""Let BLAS add products of matrices to arrays as it makes them.

Works at the spark level.

```mlir
%p = func.call @kernel_0(%n, %m, %l, %A, %B)    // the product of %A and %B
%c = func.call @kernel_1(%n, %m, %R, %p)        // %R - %p
  ==>
%c = func.call @kernel_0_1(%n, %m, %l, %A, %B, %R)
```

where the second kernel adds multiples of two matrices, of which one is a product that nothing else
reads, and all of it. Their kernel holds both ops; what runs it copies `%R`, or takes its memory
where `%R` dies, and has `gemm` add the product to that, so that it is never in memory by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation
from xdsl.passes import ModulePass

from diablo.dialects.locations import remark
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.tensor_block import MapOp
from diablo.passes.analyses.loops.added_products import (
    added_product,
    coefficients,
    is_matrix_product,
)
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.merge_kernel_calls import MergedCalls, postpone_uses


def _only_op(kernel: func.FuncOp | None) -> Operation | None:
    """The only op of a kernel, but for constants, whose result it returns."""
    if kernel is None:
        return None
    ops = [op for op in kernel.body.block.ops if not isinstance(op, ConstantOps)]
    if len(ops) != 2 or list(ops[1].operands) != list(ops[0].results):
        return None
    return ops[0]


def _accumulate(call: func.CallOp) -> None:
    """Merge a call that adds a product with the one that makes it."""
    kernel = kernel_called(call)
    op = _only_op(kernel)
    if kernel is None or not isinstance(op, MapOp) or coefficients(op) is None:
        return
    for number in (1, 0):
        added = op.inputs[number]
        if not isinstance(added, BlockArgument):
            continue
        array = call.arguments[added.index]
        maker = array.owner
        if not isinstance(maker, func.CallOp) or maker.parent is not call.parent:
            continue
        product, made = kernel_called(maker), _only_op(kernel_called(maker))
        if product is None or made is None or not is_matrix_product(made):
            continue
        if not array.has_one_use():
            remark(call, "a product is added to an array by itself: it is used elsewhere")
            continue
        merged = MergedCalls([maker, call], [product, kernel], strips=False)
        if not any(added_product(inner) for inner in merged.block.ops):
            remark(call, "a product is added to an array by itself: it may be of other extents")
            continue
        if postpone_uses([maker, call]):
            remark(call, "BLAS adds a product to an array as it makes it")
            merged.replace()
            return


def _accumulate_in(block: Block) -> None:
    for op in list(block.ops):
        if isinstance(op, func.CallOp):
            _accumulate(op)


@dataclass(frozen=True)
class AccumulateProductsPass(ModulePass):
    """Let BLAS add products of matrices to arrays as it makes them."""

    name = "accumulate-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge calls in every block."""
        for inner in list(op.walk()):
            for region in inner.regions:
                for block in region.blocks:
                    _accumulate_in(block)
