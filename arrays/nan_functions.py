"""Folds that pass over NaN, and numbers instead of it, by NumPy's names for them.

    nanmean(a, axis=0)    ->    sum(where(isnan(a), 0, a), axis=0) / count(~isnan(a), axis=0)

What is computed of numbers that are never NaN is the function without `nan` in its name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import ELEMENTWISE, converted, elementwise, real_type
from diablo.array.expression_graph import Node, leaf
from diablo.array.fold_operations import folded
from diablo.array.lazy_array import Array, node_of
from diablo.array.manipulation_functions import axes_of
from diablo.array.statistical_functions import (
    all,
    argmax,
    argmin,
    cumulative_prod,
    cumulative_sum,
    max,
    mean,
    min,
    placed,
    prod,
    sum,
    var,
)

_NUMPY: Any = np


def _is_nan(node: Node) -> Node:
    return elementwise(ELEMENTWISE["isnan"], node)


def _number(value: float, node: Node) -> Node:
    return leaf(np.asarray(value, node.dtype))


def _without(node: Node, value: float) -> Node:
    """Return the elements, and a number instead of NaN."""
    return elementwise(ELEMENTWISE["where"], _is_nan(node), _number(value, node), node)


def _has_nan(node: Node) -> bool:
    return node.dtype.kind in "fc"


def _as_type(x: Any, dtype: Any) -> Node:
    """Return the elements as those of a type that is wanted, if there is one."""
    node = node_of(x)
    return node if dtype is None else converted(node, np.dtype(dtype))


def nansum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the sum along axes of what is not NaN, 0 of nothing else."""
    node = node_of(x)
    given = Array(_without(node, 0.0)) if _has_nan(node) else Array(node)
    return sum(given, axis=axis, dtype=dtype, keepdims=keepdims)


def nanprod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the product along axes of what is not NaN, 1 of nothing else."""
    node = node_of(x)
    given = Array(_without(node, 1.0)) if _has_nan(node) else Array(node)
    return prod(given, axis=axis, dtype=dtype, keepdims=keepdims)


def nancumsum(x: Any, /, *, axis: int | None = None, dtype: Any = None) -> Array:
    """Return the sums of all beginnings along an axis, which NaN adds nothing to."""
    node = node_of(x)
    given = Array(_without(node, 0.0)) if _has_nan(node) else Array(node)
    return cumulative_sum(given, axis=axis, dtype=dtype)


def nancumprod(x: Any, /, *, axis: int | None = None, dtype: Any = None) -> Array:
    """Return the products of all beginnings along an axis, which NaN leaves as they are."""
    node = node_of(x)
    given = Array(_without(node, 1.0)) if _has_nan(node) else Array(node)
    return cumulative_prod(given, axis=axis, dtype=dtype)


def _extremum(
    function: Callable[..., Array], neutral: float, x: Any, axis: Any, keepdims: bool
) -> Array:
    node = node_of(x)
    if node.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    if not _has_nan(node):
        return function(Array(node), axis=axis, keepdims=keepdims)
    found = function(Array(_without(node, neutral)), axis=axis, keepdims=keepdims)
    nothing = all(Array(_is_nan(node)), axis=axis, keepdims=keepdims)
    nan = _number(np.nan, node)
    return Array(elementwise(ELEMENTWISE["where"], nothing.node, nan, found.node))


def nanmax(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the greatest element along axes that is not NaN; NaN if all are."""
    return _extremum(max, -np.inf, x, axis, keepdims)


def nanmin(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the least element along axes that is not NaN; NaN if all are."""
    return _extremum(min, np.inf, x, axis, keepdims)


def _counted(node: Node, axes: tuple[int, ...], *, keepdims: bool) -> Node:
    """Return how many elements along axes are not NaN, as a float of their precision."""
    there = elementwise(ELEMENTWISE["logical_not"], _is_nan(node))
    count = folded("add", there, axes, keepdims=keepdims, dtype=np.dtype(np.int64))
    return converted(count, real_type(node.dtype))


def _mean_of(node: Node, axes: tuple[int, ...], *, keepdims: bool) -> Node:
    total = folded("add", _without(node, 0.0), axes, keepdims=keepdims)
    count = _counted(node, axes, keepdims=keepdims)
    return elementwise(ELEMENTWISE["divide"], total, count)


def nanmean(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the mean along axes of what is not NaN; NaN of nothing else."""
    node = _as_type(x, dtype)
    if not _has_nan(node):
        return mean(Array(node), axis=axis, keepdims=keepdims)
    return Array(_mean_of(node, axes_of(axis, node.ndim), keepdims=keepdims))


def nanvar(
    x: Any,
    /,
    *,
    axis: Any = None,
    correction: Any = 0.0,
    keepdims: bool = False,
    dtype: Any = None,
    ddof: Any = None,
) -> Array:
    """Return the variance along axes of what is not NaN; NaN of `correction` elements or fewer.

    `ddof` is NumPy's name for `correction`.
    """
    node = _as_type(x, dtype)
    correction = correction if ddof is None else ddof
    if not _has_nan(node):
        return var(Array(node), axis=axis, correction=correction, keepdims=keepdims)
    axes = axes_of(axis, node.ndim)
    apart = elementwise(ELEMENTWISE["subtract"], node, _mean_of(node, axes, keepdims=True))
    if apart.dtype.kind == "c":
        apart = elementwise(ELEMENTWISE["absolute"], apart)
    squares = elementwise(ELEMENTWISE["square"], apart)
    # Where an element is NaN, and nowhere else: infinities leave no variance.
    zero = _number(0.0, squares)
    squares = elementwise(ELEMENTWISE["where"], _is_nan(node), zero, squares)
    total = folded("add", squares, axes, keepdims=keepdims)
    count = _counted(node, axes, keepdims=keepdims)
    left = elementwise(ELEMENTWISE["subtract"], count, _number(correction, count))
    some = elementwise(ELEMENTWISE["greater"], left, _number(0.0, left))
    found = elementwise(ELEMENTWISE["divide"], total, left)
    return Array(elementwise(ELEMENTWISE["where"], some, found, _number(np.nan, found)))


def nanstd(
    x: Any,
    /,
    *,
    axis: Any = None,
    correction: Any = 0.0,
    keepdims: bool = False,
    dtype: Any = None,
    ddof: Any = None,
) -> Array:
    """Return the standard deviation along axes of what is not NaN."""
    variance = nanvar(
        x, axis=axis, correction=correction, keepdims=keepdims, dtype=dtype, ddof=ddof
    )
    return Array(elementwise(ELEMENTWISE["sqrt"], variance.node))


def _nanargmax(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _NUMPY.nanargmax(x, axis, keepdims=keepdims)


def _nanargmin(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _NUMPY.nanargmin(x, axis, keepdims=keepdims)


def nanargmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return where the greatest element along an axis is that is not NaN.

    That all are NaN is a `ValueError` once it is computed.
    """
    node = node_of(x)
    if not _has_nan(node):
        return argmax(Array(node), axis=axis, keepdims=keepdims)
    return placed(_nanargmax, Array(node), axis, keepdims)


def nanargmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return where the least element along an axis is that is not NaN, as `nanargmax`."""
    node = node_of(x)
    if not _has_nan(node):
        return argmin(Array(node), axis=axis, keepdims=keepdims)
    return placed(_nanargmin, Array(node), axis, keepdims)


def nan_to_num(
    x: Any, /, *, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Array:
    """Return the elements, and numbers instead of NaN and infinities.

    Without `posinf` and `neginf` these are the greatest and the least number of the type.
    """
    node = node_of(x)
    if node.dtype.kind == "c":
        raise TypeError("nan_to_num() takes the parts of complex numbers, real() and imag()")
    if not _has_nan(node):
        return Array(node)
    bounds = np.finfo(node.dtype)
    found = _without(node, nan)
    for infinity, given, bound in ((np.inf, posinf, bounds.max), (-np.inf, neginf, bounds.min)):
        is_infinite = elementwise(ELEMENTWISE["equal"], node, _number(infinity, node))
        number = _number(float(bound) if given is None else given, node)
        found = elementwise(ELEMENTWISE["where"], is_infinite, number, found)
    return Array(found)
