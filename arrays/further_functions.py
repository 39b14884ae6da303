"""Functions of NumPy's and pydata's that the standard does not have, on lazy arrays.

    diagonalize([1, 2])    ->    [[1, 0], [0, 2]]

What they are on sparse arrays is in `sparse_namespace.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.array import linalg
from diablo.array.creation_functions import eye, zeros
from diablo.array.driver_operations import called
from diablo.array.elementwise_functions import equal, multiply, where
from diablo.array.lazy_array import Array, matrix_product, node_of
from diablo.array.manipulation_functions import (
    axes_of,
    axis_of,
    expand_dims,
    moveaxis,
    reshape,
    stack,
)
from diablo.array.set_functions import nonzero


def argwhere(x: Any, /) -> Array:
    """Return the index of each element that is not 0, a row for each, in C order."""
    array = Array(node_of(x))
    if not array.ndim:
        return zeros((int(bool(array)), 0), dtype=np.int64)
    return stack(nonzero(array), axis=-1)


def diagonal(x: Any, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return the elements along the diagonal of two axes, with one axis for these, the last."""
    return linalg.diagonal(moveaxis(x, (axis1, axis2), (-2, -1)), offset=offset)


def diagonalize(x: Any, /, axis: int = 0) -> Array:
    """Return an array with one more axis, the last, that has `x` on the diagonal with `axis`."""
    array = Array(node_of(x))
    along = axis_of(axis, array.ndim)
    extent = array.shape[along]
    others = [1 if k != along else extent for k in range(array.ndim)]
    ones = reshape(eye(extent, dtype=np.bool_), (*others, extent))
    return where(ones, expand_dims(array, axis=-1), zeros((), dtype=array.dtype))


def dot(x1: Any, x2: Any, /) -> Array:
    """Return the sums of products along the last axis of one array and the last but one of another.

    That of a vector is its only one; a single number multiplies all elements.
    """
    one, other = Array(node_of(x1)), Array(node_of(x2))
    if not one.ndim or not other.ndim:
        return multiply(one, other)
    if other.ndim <= 2 and one.ndim <= 2:
        return Array(matrix_product(one.node, other.node))
    return linalg.tensordot(one, other, axes=((-1,), (max(other.ndim - 2, 0),)))


def gradient(f: Any, /, *spacings: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Return the derivatives along axes by differences, as `numpy.gradient`: one, or a tuple.

    Parameters
    ----------
    spacings
        how far elements are apart: a number for all axes, or for each of them a number or the
        places of the elements
    axis
        the axes, all if none is given
    edge_order
        the order of the differences at the ends, 1 or 2
    """
    node = node_of(f)
    axes = axes_of(axis, node.ndim)
    if len(spacings) not in (0, 1, len(axes)):
        raise TypeError(f"{len(spacings)} distances are given for {len(axes)} axes")
    given = spacings if len(spacings) == len(axes) else (spacings or (1.0,)) * len(axes)
    numpy: Any = np
    dtype = numpy.gradient(np.zeros(edge_order + 1, node.dtype), edge_order=edge_order).dtype
    found: list[Array] = []
    for along, spacing in zip(axes, given, strict=True):
        if node.shape[along] <= edge_order:
            raise ValueError(f"axis {along} has {node.shape[along]} elements, which are too few")
        options = {"axis": along, "edge_order": edge_order}
        operands = (node, node_of(spacing))
        found.append(Array(called(numpy.gradient, operands, node.shape, dtype, options)))
    return found[0] if len(found) == 1 else tuple(found)


def isneginf(x: Any, /) -> Array:
    """Return which elements are the negative infinity."""
    return equal(x, -np.inf)


def isposinf(x: Any, /) -> Array:
    """Return which elements are the positive infinity."""
    return equal(x, np.inf)


def kron(x1: Any, x2: Any, /) -> Array:
    """Return the Kronecker product: a copy of `x2` for each element of `x1`, multiplied by it."""
    one, other = Array(node_of(x1)), Array(node_of(x2))
    rank = max(one.ndim, other.ndim)
    shapes = [(1,) * (rank - array.ndim) + array.shape for array in (one, other)]
    pairs = list(zip(*shapes, strict=True))
    left = reshape(one, tuple([e for m, _ in pairs for e in (m, 1)]))
    right = reshape(other, tuple([e for _, n in pairs for e in (1, n)]))
    return reshape(multiply(left, right), tuple([m * n for m, n in pairs]))


def nanreduce(
    x: Any, method: Any, identity: Any = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """Return elements combined along axes by a function of NumPy's, with a number for each NaN.

    That number is the function's identity, if none is given.

    Raises
    ------
    ValueError
        If the function has no identity, and none is given.
    """
    if not isinstance(method, np.ufunc):
        raise TypeError(f"elements are combined by a function of NumPy's, and not by {method!r}")
    number = method.identity if identity is None else identity
    if number is None:
        raise ValueError(f"{method.__name__} has no identity: give one, or use nanmax or nanmin")
    array = Array(node_of(x)) if not hasattr(x, "fill_value") else x
    if np.dtype(array.dtype).kind in "fc":
        array = np.where(np.isnan(array), np.asarray(number, array.dtype), array)
    return method.reduce(array, axis=axis, keepdims=keepdims)


def outer(x1: Any, x2: Any, /) -> Array:
    """Return the product of each element of one array and each of another, as a matrix."""
    one, other = [Array(node_of(x)) for x in (x1, x2)]
    return linalg.outer(reshape(one, (-1,)), reshape(other, (-1,)))
