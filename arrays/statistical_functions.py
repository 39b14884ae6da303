"""The standard's folds along axes, scans, and what is computed of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from diablo.array.concatenation import concatenated
from diablo.array.driver_operations import called
from diablo.array.elementwise_operations import ELEMENTWISE, converted, elementwise, real_type
from diablo.array.expression_graph import Node, leaf
from diablo.array.fold_operations import folded, scanned
from diablo.array.lazy_array import Array, node_of
from diablo.array.manipulation_functions import axes_of, axis_of, reshaped
from diablo.array.view_operations import broadcasted
from diablo.monoid_table import monoid_named

DType = np.dtype[Any]

_NUMPY: Any = np


def _total_type(dtype: DType) -> DType:
    """Return in which type sums of elements are: integers in one as wide as there is."""
    if dtype.kind in "bi" and dtype.itemsize < 8:
        return np.dtype(np.int64)
    if dtype.kind == "u" and dtype.itemsize < 8:
        return np.dtype(np.uint64)
    return dtype


def _fold(monoid: str, x: Any, axis: Any, keepdims: bool, dtype: Any) -> Array:
    node = node_of(x)
    wanted: Any = np.dtype(dtype) if dtype is not None else _total_type(node.dtype)
    return Array(folded(monoid, node, axes_of(axis, node.ndim), keepdims=keepdims, dtype=wanted))


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the sum along axes."""
    return _fold("add", x, axis, keepdims, dtype)


def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the product along axes."""
    return _fold("mul", x, axis, keepdims, dtype)


def _extremum(monoid: str, x: Any, axis: Any, keepdims: bool) -> Array:
    node = node_of(x)
    axes = axes_of(axis, node.ndim)
    if not _count(node, axes):
        raise ValueError(f"nothing has no {monoid}: an axis of extent 0 is folded")
    return Array(folded(monoid, node, axes, keepdims=keepdims))


def max(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the greatest element along axes; NaN if there is one."""
    return _extremum("max", x, axis, keepdims)


def min(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the least element along axes; NaN if there is one."""
    return _extremum("min", x, axis, keepdims)


def all(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return whether all elements along axes are true."""
    node = node_of(x)
    truth = np.dtype(np.bool_)
    return Array(folded("and", node, axes_of(axis, node.ndim), keepdims=keepdims, dtype=truth))


def any(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return whether some element along axes is true."""
    node = node_of(x)
    truth = np.dtype(np.bool_)
    return Array(folded("or", node, axes_of(axis, node.ndim), keepdims=keepdims, dtype=truth))


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return how many elements along axes are not zero."""
    node = converted(node_of(x), np.dtype(np.bool_))
    count = np.dtype(np.int64)
    return Array(folded("add", node, axes_of(axis, node.ndim), keepdims=keepdims, dtype=count))


def _count(node: Node, axes: tuple[int, ...]) -> int:
    count = 1
    for axis in axes:
        count *= node.shape[axis]
    return count


def _floats(node: Node) -> DType:
    return node.dtype if node.dtype.kind in "fc" else np.dtype(np.float64)


def _quotient(node: Node, number: float) -> Node:
    return elementwise(ELEMENTWISE["divide"], node, leaf(np.asarray(number, real_type(node.dtype))))


def mean_of(node: Node, axes: tuple[int, ...], *, keepdims: bool) -> Node:
    """Return the mean along axes."""
    total = folded("add", node, axes, keepdims=keepdims, dtype=_floats(node))
    return _quotient(total, _count(node, axes))


def mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the mean along axes."""
    node = node_of(x)
    return Array(mean_of(node, axes_of(axis, node.ndim), keepdims=keepdims))


def variance_of(x: Any, axis: Any, correction: float, *, keepdims: bool) -> Node:
    """Return the variance along axes."""
    node = node_of(x)
    axes = axes_of(axis, node.ndim)
    middle = mean_of(node, axes, keepdims=True)
    difference = elementwise(ELEMENTWISE["subtract"], converted(node, _floats(node)), middle)
    if difference.dtype.kind == "c":
        difference = elementwise(ELEMENTWISE["absolute"], difference)
    squares = elementwise(ELEMENTWISE["square"], difference)
    total = folded("add", squares, axes, keepdims=keepdims)
    left = _count(node, axes) - correction
    return _quotient(total, left if left > 0 else 0.0)


def var(x: Any, /, *, axis: Any = None, correction: Any = 0.0, keepdims: bool = False) -> Array:
    """Return the variance along axes."""
    return Array(variance_of(x, axis, correction, keepdims=keepdims))


def std(x: Any, /, *, axis: Any = None, correction: Any = 0.0, keepdims: bool = False) -> Array:
    """Return the standard deviation along axes."""
    variance = variance_of(x, axis, correction, keepdims=keepdims)
    return Array(elementwise(ELEMENTWISE["sqrt"], variance))


def _cumulative(monoid: str, x: Any, axis: int | None, dtype: Any, include_initial: bool) -> Array:
    node = node_of(x)
    if axis is None:
        if node.ndim > 1:
            raise ValueError("an axis is wanted, as the array has several")
        axis = 0
        node = reshaped(node, (-1,)) if node.size else node
    place = axis_of(axis, node.ndim)
    wanted: Any = np.dtype(dtype) if dtype is not None else _total_type(node.dtype)
    found = scanned(monoid, node, place, wanted)
    if include_initial:
        shape = (*node.shape[:place], 1, *node.shape[place + 1 :])
        initial = leaf(np.asarray(monoid_named(monoid).identity, wanted))
        found = concatenated([broadcasted(initial, shape), found], place, wanted)
    return Array(found)


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Return the sums of all beginnings along an axis."""
    return _cumulative("add", x, axis, dtype, include_initial)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Return the products of all beginnings along an axis."""
    return _cumulative("mul", x, axis, dtype, include_initial)


# ---- where and in which order ------------------------------------------------------


def _argmax(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _NUMPY.argmax(x, axis, keepdims=keepdims)


def _argmin(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _NUMPY.argmin(x, axis, keepdims=keepdims)


def placed(function: Callable[..., Any], x: Any, axis: Any, keepdims: bool) -> Array:
    """Return the places along an axis that a function of NumPy's finds."""
    node = node_of(x)
    axes = axes_of(None, node.ndim) if axis is None else (axis_of(axis, node.ndim),)
    if not _count(node, axes):
        raise ValueError("nothing has no greatest or least element: an axis is of extent 0")
    if keepdims:
        shape = [1 if k in axes else extent for k, extent in enumerate(node.shape)]
    else:
        shape = [extent for k, extent in enumerate(node.shape) if k not in axes]
    options = {"axis": None if axis is None else axes[0], "keepdims": keepdims}
    return Array(called(function, (node,), tuple(shape), np.dtype(np.int64), options))


def argmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return where the greatest element along an axis is."""
    return placed(_argmax, x, axis, keepdims)


def argmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return where the least element along an axis is."""
    return placed(_argmin, x, axis, keepdims)


def _sorted(x: Any, *, axis: int, descending: bool) -> Any:
    found = np.sort(x, axis, kind=None if _equal_is_same(x) else "stable")
    return np.flip(found, axis) if descending else found


def _equal_is_same(x: Any) -> bool:
    """Return whether nobody can tell equal numbers apart, so that any sort is a stable one.

    NumPy's stable one is several times slower for more than 16 bits. Zeros of both signs are equal.
    """
    if x.dtype.kind not in "iuf" or x.dtype.itemsize <= 2:
        return False
    return x.dtype.kind != "f" or not np.any(np.signbit(x) & (x == 0))


def _sorted_places(x: Any, *, axis: int, descending: bool) -> Any:
    if not descending:
        return np.argsort(x, axis, kind="stable")
    # Equal elements stay in their order: the last of them comes first backwards.
    found = np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    return x.shape[axis] - 1 - found


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return the elements in order along an axis."""
    node = node_of(x)
    options = {"axis": axis_of(axis, node.ndim), "descending": descending}
    return Array(called(_sorted, (node,), node.shape, node.dtype, options))


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return where the elements in order along an axis are."""
    node = node_of(x)
    options = {"axis": axis_of(axis, node.ndim), "descending": descending}
    return Array(called(_sorted_places, (node,), node.shape, np.dtype(np.int64), options))


def _searched(x1: Any, x2: Any, *sorter: Any, side: Any) -> Any:
    return _NUMPY.searchsorted(x1, x2, side, *sorter)


def searchsorted(x1: Any, x2: Any, /, *, side: Any = "left", sorter: Any = None) -> Array:
    """Return where elements belong among others that are in order."""
    one, other = node_of(x1), node_of(x2)
    nodes = [one, other] if sorter is None else [one, other, node_of(sorter)]
    return Array(called(_searched, nodes, other.shape, np.dtype(np.int64), {"side": side}))
