"""Functions of NumPy's that are made of others on sparse arrays, and norms.

np.hstack([s, t])       concat([s, t], axis=1)
np.linalg.norm(s)       sqrt((abs(s)**2).sum())
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from diablo.array.manipulation_functions import listed
from diablo.array.sparse_array import FUNCTIONS, SparseArray, apply, sparse
from diablo.array.sparse_functions import concatenate, count_nonzero, tensordot

_INFINITY = float("inf")


def _at_least(rank: int, x: Any) -> SparseArray:
    array = sparse(x)
    return array[(None,) * (rank - array.ndim)] if array.ndim < rank else array


def _joined(rank: int, axis: int, arrays: Sequence[Any], **options: Any) -> SparseArray:
    given = [_at_least(rank, array) for array in listed(arrays)]
    return concatenate(given, min(axis, given[0].ndim - 1), **options)


def _append(x: Any, values: Any, axis: int | None = None) -> SparseArray:
    return concatenate([x, values], axis)


def _flipped(axis: int, x: SparseArray) -> SparseArray:
    return FUNCTIONS[np.flip](x, axis)


def _flatnonzero(x: SparseArray) -> Any:
    return x.flatten().nonzero()[0]


def _inner(a: Any, b: Any) -> Any:
    return a * b if not np.ndim(a) or not np.ndim(b) else tensordot(a, b, axes=((-1,), (-1,)))


def _range(x: SparseArray, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
    greatest, least = [getattr(x, m)(axis=axis, keepdims=keepdims) for m in ("max", "min")]
    return apply("subtract", greatest, least)


def _is_close(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    near = np.abs(a - b) <= atol + rtol * np.abs(b)
    found = np.logical_or(np.logical_and(near, np.isfinite(b)), np.equal(a, b))
    both = np.logical_and(np.isnan(a), np.isnan(b)) if equal_nan else False
    return np.logical_or(found, both)


def _all_close(a: Any, b: Any, **options: Any) -> bool:
    return bool(np.all(_is_close(a, b, **options)))


def _array_equal(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and bool(np.all(np.equal(a, b)))


def _diag(x: SparseArray, k: int = 0) -> Any:
    if x.ndim == 2:
        return FUNCTIONS[np.diagonal](x, k)
    if x.fill_value != 0:
        raise ValueError(f"a diagonal of an array that is mostly {x.fill_value} is beside zeros")
    size = x.shape[0] + abs(k)
    (places,) = x.coords
    return sparse(((places + max(-k, 0), places + max(k, 0)), x.data), shape=(size, size))


def vector_norm(
    x: SparseArray, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2
) -> SparseArray:
    """Return the norms of vectors that lie along axes, all of them if none is given."""
    sizes = abs(x if x.dtype.kind in "fc" else x.astype(np.float64))
    if ord in (_INFINITY, -_INFINITY):
        return (sizes.max if ord > 0 else sizes.min)(axis=axis, keepdims=keepdims)
    if ord == 0:
        return count_nonzero(x, axis, keepdims=keepdims).astype(sizes.dtype)
    if ord == 1:
        return sizes.sum(axis=axis, keepdims=keepdims)
    powers = apply("square", sizes) if ord == 2 else apply("power", sizes, ord)
    sums = powers.sum(axis=axis, keepdims=keepdims)
    return apply("sqrt", sums) if ord == 2 else apply("power", sums, 1 / ord)


def matrix_norm(x: SparseArray, /, *, keepdims: bool = False, ord: Any = "fro") -> SparseArray:
    """Return norms of matrices: by Frobenius, or the greatest or least sum of a row or column.

    Raises
    ------
    TypeError
        If singular values are asked for.
    """
    if ord in (None, "fro"):
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord not in (1, -1, _INFINITY, -_INFINITY):
        raise TypeError(f"no norm {ord!r} of a sparse matrix is computed: use `to_dense`")
    lines = abs(x).sum(axis=-2 if abs(ord) == 1 else -1, keepdims=True)
    found = (lines.max if ord > 0 else lines.min)(axis=(-2, -1), keepdims=True)
    return found if keepdims else found.squeeze((-2, -1))


def _norm(x: SparseArray, ord: Any = None, axis: Any = None, keepdims: bool = False) -> SparseArray:
    if axis is None and ord is not None and x.ndim == 2:
        return matrix_norm(x, keepdims=keepdims, ord=ord)
    if axis is not None and np.size(axis) == 2:
        if ord not in (None, "fro"):
            raise TypeError(f"no norm {ord!r} along two axes is computed: use `to_dense`")
        return vector_norm(x, axis=axis, keepdims=keepdims)
    return vector_norm(x, axis=axis, keepdims=keepdims, ord=2 if ord is None else ord)


NORMS: dict[str, Callable[..., Any]] = {"matrix_norm": matrix_norm, "vector_norm": vector_norm}
"""What functions of `diablo.array.linalg` are on sparse arrays."""

FUNCTIONS.update(
    {
        np.allclose: _all_close,
        np.append: _append,
        np.array_equal: _array_equal,
        np.atleast_1d: partial(_at_least, 1),
        np.atleast_2d: partial(_at_least, 2),
        np.diag: _diag,
        np.flatnonzero: _flatnonzero,
        np.fliplr: partial(_flipped, 1),
        np.flipud: partial(_flipped, 0),
        np.hstack: partial(_joined, 1, 1),
        np.inner: _inner,
        np.isclose: _is_close,
        np.linalg.norm: _norm,
        np.ptp: _range,
        np.vstack: partial(_joined, 2, 0),
    }
)
