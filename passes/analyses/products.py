"""Analysis: which contractions are products, that libraries compute."""

from __future__ import annotations

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.number_ops import Product
from diablo.dialects.scalar_types import is_inexact
from diablo.dialects.tensor_block import ContractOp, YieldOp
from diablo.monoid_table import monoid_named


def is_product(op: ContractOp) -> bool:
    """Whether the body just multiplies its two elements and the products are added."""
    if not monoid_named(op.monoid.data).is_sum:
        return False
    block = op.body.block
    end = block.last_op
    assert isinstance(end, YieldOp)
    product = end.values[0].owner
    elements = list(block.args[len(op.extents) :])
    return isinstance(product, Product) and (list(product.operands) in (elements, elements[::-1]))


def is_blas_product(op: ContractOp) -> bool:
    """Whether BLAS does `op`: floats, and no dimension of the result is read by both inputs."""
    if not is_product(op) or not is_inexact(op.body.block.args[-1].type):
        return False
    kept = set(range(op.parallel.value.data))
    left, right = (set(picked_dimensions(map.data) or []) for map in op.maps)
    return not (left & right & kept) and len(kept) < len(op.extents)
