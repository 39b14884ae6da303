"""Analysis: sums of products over windows, which become products of matrices.

reduce add parallel(d0, d1, d2, d3) reduced(d4, d5, d6)
  ins(%X[d0, d4, d2 + d5 - 1, d3 + d6 - 1], %W[d1, d4, d5, d6]) { x * w }

is a convolution of images `d0` with channels `d4`, where `d1` numbers the channels of the result.
What lies in a window of `%X`, copied for each place of the result (`d0`, `d2`, `d3`), is a matrix;
`%W` is the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import Float32Type, Float64Type, NoneAttr
from xdsl.ir import SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices, picked_dimensions
from diablo.dialects.encodings import as_array
from diablo.dialects.number_ops import Product
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.loops.body_domains import Bound, folded_domain
from diablo.passes.analyses.loops.iterations import Iterated, Iteration, iteration_of


@dataclass(frozen=True)
class Limit:
    """The index along an axis is at least a value and a number (`lower`), or below them."""

    axis: int
    lower: bool
    value: SSAValue | None
    shift: int


@dataclass(frozen=True)
class WindowProduct:
    """Which of the inputs of an op are the data and the weights, and where they are read."""

    data: int
    weights: int
    axes: Sequence[LinearIndex]
    dimensions: Sequence[int]
    limits: Sequence[Limit]


def window_product(over: Iterated) -> WindowProduct | None:
    """Return how an op is a product of windows with weights, if it is one.

    The weights have each dimension that is summed over, and dimensions of the result that follow
    each other, which the data have not; these have all others, and windows.
    """
    op = iteration_of(over)
    rank, parallel = len(op.extents), op.parallel
    if op.kind != "fold" or op.offsets or op.symbols or len(op.inputs) != 2 or parallel == rank:
        return None
    if not monoid_named(op.monoid).is_sum or not _are_dense_floats(op):
        return None
    for weights in (1, 0):
        dimensions = picked_dimensions(op.indexing_maps[weights].data)
        if dimensions is None or len(set(dimensions)) != len(dimensions):
            continue
        own = sorted(d for d in dimensions if d < parallel)
        if len(dimensions) - len(own) != rank - parallel or not own:
            continue
        axes = linear_indices(op.indexing_maps[1 - weights].data)
        if not _has_windows(axes, parallel):
            continue
        used = {d for axis in axes for d in axis.dimensions}
        others = [d for d in range(parallel) if d not in own]
        if used != {*others, *range(parallel, rank)} or not others:
            continue
        if own != list(range(own[0], own[0] + len(own))):
            continue
        limits = _limits(op, axes)
        if limits is not None:
            return WindowProduct(1 - weights, weights, axes, dimensions, limits)
    return None


def _are_dense_floats(op: Iteration) -> bool:
    types = [as_array(value.type) for value in (*op.inputs, op.result)]
    if any(type is None or not isinstance(type.encoding, NoneAttr) for type in types):
        return False
    elements = {type.get_element_type() for type in types if type is not None}
    return len(elements) == 1 and isinstance(elements.pop(), Float32Type | Float64Type)


def _has_windows(axes: Sequence[LinearIndex], parallel: int) -> bool:
    """Return whether data are read at sums of dimensions of the result and of those summed over."""
    sides = [{d < parallel for d in axis.dimensions} for axis in axes]
    return {True, False} in sides and all(axis.period is None for axis in axes)


def _limits(op: Iteration, axes: Sequence[LinearIndex]) -> Sequence[Limit] | None:
    """The limits within which alone the body multiplies two elements, None if it does otherwise."""
    domain = folded_domain(op)
    product = domain.value.owner
    elements = list(op.elements)
    if not isinstance(product, Product) or domain.holes:
        return None
    if list(product.operands) not in (elements, elements[::-1]):
        return None
    limits: list[Limit] = []
    for bound in domain.bounds:
        limit = _limit(bound, axes)
        if limit is None:
            return None
        limits.append(limit)
    return limits


def _limit(bound: Bound, axes: Sequence[LinearIndex]) -> Limit | None:
    for number, axis in enumerate(axes):
        if axis.inside == bound.form:
            return Limit(number, bound.lower, bound.value, bound.shift + axis.outside.constant)
    return None
