"""Folds of sparse arrays that pass over NaN, as `nan_functions.py` has them for dense ones.

nanmean([nan 2 0 0] else 0)    ->    2/3
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from diablo.array.manipulation_functions import axes_of
from diablo.array.sparse_array import SparseArray, apply
from diablo.array.sparse_folds import variance_of


def _replaced(x: SparseArray, value: Any) -> SparseArray:
    """Return an array with a number instead of each NaN."""
    if x.dtype.kind not in "fc":
        return x
    return apply("where", apply("isnan", x), np.asarray(value, x.dtype), x)


def _nansum(x: SparseArray, /, axis: Any = None, dtype: Any = None, **options: Any) -> SparseArray:
    return _replaced(x, 0).sum(axis=axis, dtype=dtype, **options)


def _nanprod(x: SparseArray, /, axis: Any = None, dtype: Any = None, **options: Any) -> SparseArray:
    return _replaced(x, 1).prod(axis=axis, dtype=dtype, **options)


def _nanmax(x: SparseArray, /, axis: Any = None, **options: Any) -> SparseArray:
    return x.reduce(np.fmax, axis=axis, **options)


def _nanmin(x: SparseArray, /, axis: Any = None, **options: Any) -> SparseArray:
    return x.reduce(np.fmin, axis=axis, **options)


def _nanmean(x: SparseArray, /, axis: Any = None, dtype: Any = None, **options: Any) -> SparseArray:
    given = x if dtype is None else x.astype(dtype)
    if given.dtype.kind not in "fc":
        return given.mean(axis=axis, **options)
    counts = apply("logical_not", apply("isnan", given)).sum(axis=axis, **options)
    means = apply("divide", _nansum(given, axis=axis, **options), counts)
    return means.astype(given.dtype)


def _nanvar(
    x: SparseArray, /, axis: Any = None, *, correction: float = 0, keepdims: bool = False
) -> SparseArray:
    if x.dtype.kind not in "fc":
        return x.var(axis, ddof=correction, keepdims=keepdims)
    axes = axes_of(axis, x.ndim)
    found = variance_of(x.content, axes, correction, keepdims=keepdims, passes_nan=True)
    return SparseArray(found)


def _nanstd(
    x: SparseArray, /, axis: Any = None, *, correction: float = 0, **options: Any
) -> SparseArray:
    return apply("sqrt", _nanvar(x, axis, correction=correction, **options))


NAN_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "nanmax": _nanmax,
    "nanmean": _nanmean,
    "nanmin": _nanmin,
    "nanprod": _nanprod,
    "nanstd": _nanstd,
    "nansum": _nansum,
    "nanvar": _nanvar,
}
"""What functions of the namespace `diablo.array` are on sparse arrays."""
