"""Analysis: which contractions are products, that libraries compute."""

from __future__ import annotations

from xdsl.dialects import arith

from diablo.dialects.tensor_block import ContractOp, YieldOp


def is_product(op: ContractOp) -> bool:
    """Whether the body just multiplies its two elements and the products are added."""
    if op.monoid.data != "add":
        return False
    block = op.body.block
    end = block.last_op
    assert isinstance(end, YieldOp)
    product = end.values[0].owner
    elements = list(block.args[len(op.extents) :])
    return isinstance(product, arith.MulfOp | arith.MuliOp) and (
        list(product.operands) in (elements, elements[::-1])
    )
