"""Analysis: which reductions are contractions, and which of these products that libraries compute.

reduce add parallel(d0, d1) reduced(d2) ins(%A[d0, d2], %B[d2, d1]) { a * b }    a BLAS product
reduce min parallel(d0, d1) reduced(d2) ins(%A[d0, d2], %B[d2, d1]) { a + b }    a contraction
reduce add parallel(d0) reduced(d1) ins(%A[d0, d1], %x[d0]) { a * x }            neither
"""

from __future__ import annotations

from diablo.dialects.access_maps import linear_indices, picked_dimensions
from diablo.dialects.number_ops import Product
from diablo.dialects.scalar_types import is_inexact
from diablo.dialects.tensor_block import ReduceOp, YieldOp
from diablo.monoid_table import monoid_named


def is_contraction(op: ReduceOp) -> bool:
    """Whether two inputs are joined on the reduced dimensions, and span all others between them."""
    parallel, rank = op.parallel.value.data, len(op.extents)
    if len(op.inputs) != 2 or parallel == rank:
        return False
    left, right = (
        {d for index in linear_indices(map.data) for d in index.dimensions} for map in op.maps
    )
    return left & right >= {*range(parallel, rank)} and left | right >= {*range(parallel)}


def is_product(op: ReduceOp) -> bool:
    """Whether a contraction just multiplies its two elements and the products are added."""
    if not monoid_named(op.monoid.data).is_sum or not is_contraction(op):
        return False
    block = op.body.block
    end = block.last_op
    assert isinstance(end, YieldOp)
    product = end.values[0].owner
    elements = list(block.args[len(op.extents) :])
    return isinstance(product, Product) and (list(product.operands) in (elements, elements[::-1]))


def is_blas_product(op: ReduceOp) -> bool:
    """Whether BLAS does `op`: floats, and no dimension of the result is read by both inputs."""
    if not is_product(op) or not is_inexact(op.body.block.args[-1].type):
        return False
    left, right = (picked_dimensions(map.data) for map in op.maps)
    if left is None or right is None:
        return False  # One is read beside the point.
    return not {*left} & {*right} & {*range(op.parallel.value.data)}
