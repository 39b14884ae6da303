"""Analysis: which reductions are contractions, and which of these products that libraries compute.

reduce add parallel(d0, d1) reduced(d2) ins(%A[d0, d2], %B[d2, d1]) { a * b }    a BLAS product
reduce min parallel(d0, d1) reduced(d2) ins(%A[d0, d2], %B[d2, d1]) { a + b }    a contraction
reduce add parallel(d0) reduced(d1) ins(%A[d0, d1], %x[d0]) { a * x }            neither
reduce add parallel(d0, d1) reduced(d2) ins(%A[d0, d2], %B[d2, d1], %M[d0, d1])
  { select(m != 0, a * b, 0) }                                                   a masked product
"""

from __future__ import annotations

from xdsl.dialects import arith, complex
from xdsl.ir import SSAValue

from diablo.dialects.access_maps import linear_indices, picked_dimensions
from diablo.dialects.encodings import is_sparse
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.number_ops import Product
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_inexact, scalar_of
from diablo.dialects.tensor_block import ReduceOp, YieldOp
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.loops.iterations import Iterated, iteration_of
from diablo.passes.analyses.values.scalar_folding import fold


def is_contraction(over: Iterated) -> bool:
    """Whether two inputs are joined on the reduced dimensions, and span all others between them."""
    op = iteration_of(over)
    parallel, rank = op.parallel, len(op.extents)
    if op.kind != "fold" or len(op.inputs) != 2 or parallel == rank:
        return False
    left, right = (
        {d for index in linear_indices(map.data) for d in index.dimensions}
        for map in op.indexing_maps
    )
    return left & right >= {*range(parallel, rank)} and left | right >= {*range(parallel)}


def is_product(over: Iterated) -> bool:
    """Return whether a contraction just multiplies its two elements and the products are added."""
    op = iteration_of(over)
    if not is_contraction(op) or not monoid_named(op.monoid).is_sum:
        return False
    product, elements = op.values[0].owner, list(op.elements)
    return isinstance(product, Product) and (list(product.operands) in (elements, elements[::-1]))


def is_blas_product(over: Iterated) -> bool:
    """Whether BLAS does it: floats, and no dimension of the result is read by both inputs."""
    op = iteration_of(over)
    if not is_product(op) or not is_inexact(op.elements[-1].type):
        return False
    left, right = (picked_dimensions(map.data) for map in op.indexing_maps)
    if left is None or right is None:
        return False  # One is read beside the point.
    return not {*left} & {*right} & {*range(op.parallel)}


def is_dot_product(over: Iterated) -> bool:
    """Whether the elements of two dense arrays at equal places are multiplied and added to one."""
    op = iteration_of(over)
    if op.parallel or not is_product(op) or any(is_sparse(value.type) for value in op.inputs):
        return False
    here = [*range(len(op.extents))]
    return all(picked_dimensions(map.data) == here for map in op.indexing_maps)


def is_masked_product(op: ReduceOp) -> bool:
    """Whether two sparse matrices are multiplied where a third one, of the result's shape, stores.

    That is the last input, and other terms are zero (passes/mask_products.py).
    """
    if not monoid_named(op.monoid.data).is_sum or len(op.inputs) != 3 or op.offsets:
        return False
    places = [picked_dimensions(map.data) for map in op.indexing_maps]
    matrices = places == [[0, 2], [2, 1], [0, 1]] and op.parallel.value.data == 2
    if not matrices or not all(is_sparse(value.type) for value in (*op.inputs, op.result)):
        return False
    number = scalar_of(op.body.block.args[len(op.extents)].type)
    if number is None or not number.in_scipy:
        return False
    left, right, mask = op.body.block.args[len(op.extents) :]
    end = op.body.block.last_op
    assert isinstance(end, YieldOp)
    chosen = end.values[0].owner
    if not isinstance(chosen, arith.SelectOp) or not _is_zero(chosen.rhs):
        return False
    product = chosen.lhs.owner
    multiplies = isinstance(product, Product) and list(product.operands) == [left, right]
    return multiplies and _tests(chosen.cond, mask)


def _tests(condition: SSAValue, element: SSAValue) -> bool:
    """Return whether a condition holds where `element`, a number or a Boolean, is not zero."""
    if condition is element:
        return True
    test = condition.owner
    if isinstance(test, arith.CmpiOp | arith.CmpfOp):
        unequal = predicate_of(test) in ("ne", "une")
    elif isinstance(test, complex.NotEqualOp):
        unequal = True
    else:
        return False
    return unequal and test.operands[0] is element and _is_zero(test.operands[1])


def _is_zero(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOps) and fold(value.owner, ()) == 0
