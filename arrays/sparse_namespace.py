"""The standard's functions on sparse arrays: `da.sum(s)`, `da.concat([s, t])`, `da.flip(s)`.

    choosing(da.sum, "sum")    a function that takes dense and sparse arrays

Functions of the namespace that `NAMESPACE` does not have are refused: a sparse array is not made
dense unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, cast

import numpy as np

from diablo.array.data_types import result_type as dense_result_type
from diablo.array.manipulation_functions import axes_of, axis_of
from diablo.array.sparse_array import FUNCTIONS, SparseArray, apply, sparse
from diablo.array.sparse_einsum import diagonal, einsum
from diablo.array.sparse_entries import Entries
from diablo.array.sparse_functions import (
    concatenate,
    count_nonzero,
    expanded,
    moved_axis,
    stack,
    tensordot,
    where,
)
from diablo.array.sparse_pattern import coordinates_of
from diablo.array.sparse_selection import is_integer, moved


def _method(name: str, x: Any, *args: Any, **options: Any) -> Any:
    return getattr(sparse(x), name)(*args, **options)


def _spread(
    name: str, x: Any, /, *, axis: Any = None, correction: float = 0.0, **options: Any
) -> SparseArray:
    return getattr(sparse(x), name)(axis, ddof=correction, **options)


def _matrix_transpose(x: Any, /) -> SparseArray:
    if x.ndim < 2:
        raise ValueError("a vector has no matrix to transpose")
    return x.swapaxes(-1, -2)


def _flip(x: SparseArray, /, axis: Any = None) -> SparseArray:
    axes = axes_of(axis, x.ndim)
    return x[tuple([slice(None, None, -1 if k in axes else 1) for k in range(x.ndim)])]


def _roll(x: SparseArray, /, shift: Any, axis: Any = None) -> SparseArray:
    if axis is None:
        return _roll(x.flatten(), int(np.sum(shift)), axis=0).reshape(x.shape)
    axes = axes_of(axis, x.ndim)
    shifts = np.broadcast_to(shift, len(axes)).tolist()
    shape, by = x.shape, dict(zip(axes, shifts, strict=True))

    def rolled(entries: Entries) -> Entries:
        rows = coordinates_of(entries.pattern)
        for k, distance in by.items():
            rows[k] = (rows[k] + distance) % max(shape[k], 1)
        return moved(entries, np.ones(rows.shape[1], np.bool_), shape, rows)

    return x.moved(shape, rolled)


def _take(x: SparseArray, indices: Any, /, axis: int | None = None) -> SparseArray:
    if axis is None and x.ndim != 1:
        raise TypeError("an axis has to be given where there are several")
    along = axis_of(axis or 0, x.ndim)
    return x[(*[slice(None)] * along, indices)]


def _unstack(x: SparseArray, /, axis: int = 0) -> tuple[SparseArray, ...]:
    along = axis_of(axis, x.ndim)
    before = [slice(None)] * along
    return tuple([x[(*before, k)] for k in range(x.shape[along])])


def _split(x: SparseArray, sections: Any, /, axis: int = 0) -> list[SparseArray]:
    along = axis_of(axis, x.ndim)
    extent = x.shape[along]
    if is_integer(sections):
        if sections < 1 or extent % sections:
            raise ValueError(f"{extent} elements are not cut in {sections} equal parts")
        ends = [extent // sections * k for k in range(1, sections)]
    else:
        ends = [int(end) for end in sections]
    before = [slice(None)] * along
    bounds = zip([0, *ends], [*ends, extent], strict=True)
    return [x[(*before, slice(first, last))] for first, last in bounds]


def _triangle(x: SparseArray, /, k: int = 0, *, is_lower: bool) -> SparseArray:
    if x.ndim < 2:
        raise ValueError("a triangle is one of a matrix")
    if x.fill_value != 0:
        raise ValueError(f"a triangle of an array that is mostly {x.fill_value} is dense")
    shape = x.shape

    def within(entries: Entries) -> Entries:
        rows = coordinates_of(entries.pattern)
        above = rows[-1] - rows[-2]
        return moved(entries, above <= k if is_lower else above >= k, shape, rows)

    return x.moved(shape, within)


def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    if np.dtype(x1.dtype).kind == "c":
        x1 = apply("conjugate", x1) if isinstance(x1, SparseArray) else np.conj(x1)
    products = apply("multiply", x1, x2)
    sums = products.sum(axis=axis)
    return sums if sums.dtype == products.dtype else sums.astype(products.dtype)


def _pow(x1: Any, x2: Any, /) -> SparseArray:
    return apply("power", x1, x2)


def _outer(x1: Any, x2: Any, /) -> Any:
    return einsum("i,j->ij", x1, x2)


def _diagonal(x: SparseArray, /, offset: int = 0) -> SparseArray:
    begin = x[..., max(-offset, 0) :, max(offset, 0) :]
    return diagonal(begin, begin.ndim - 2, begin.ndim - 1)


def _trace(x: SparseArray, /, offset: int = 0, dtype: Any = None) -> SparseArray:
    return _diagonal(x, offset=offset).sum(axis=-1, dtype=dtype)


def _broadcast_arrays(*arrays: Any) -> list[SparseArray]:
    given = [sparse(array) for array in arrays]
    shape = np.broadcast_shapes(*[array.shape for array in given])
    return [array.broadcast_to(shape) for array in given]


def _without_nans(name: str, value: float, x: SparseArray, /, *args: Any, **options: Any) -> Any:
    if x.dtype.kind in "fc":
        x = apply("where", apply("isnan", x), np.asarray(value, x.dtype), x)
    return getattr(x, name)(*args, **options)


def _zeros_like(value: float, x: SparseArray, /, *, dtype: Any = None, device: Any = None) -> Any:
    kind = x.dtype if dtype is None else np.dtype(dtype)
    none = (np.zeros((x.ndim, 0), np.int64), np.zeros(0, kind))
    return sparse(none, shape=x.shape, fill_value=np.asarray(value, kind)[()])


def _astype(x: SparseArray, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    if x.dtype.kind == "c" and np.dtype(dtype).kind not in "cb":
        raise TypeError(f"complex numbers are no elements of {np.dtype(dtype)}; use real or imag")
    return x.astype(dtype)


def _matmul(x1: Any, x2: Any, /) -> Any:
    return x1 @ x2


def _permute_dims(x: SparseArray, /, axes: Any) -> SparseArray:
    return x.transpose(axes)


def _reshape(x: SparseArray, /, shape: Any, *, copy: bool | None = None) -> SparseArray:
    return x.reshape(shape)


def _result_type(*arrays: Any) -> Any:
    return dense_result_type(*[x.dtype if isinstance(x, SparseArray) else x for x in arrays])


_METHODS = ("sum", "prod", "max", "min", "any", "all", "mean", "argmax", "argmin", "nonzero")

NAMESPACE: dict[str, Callable[..., Any]] = {
    **{name: partial(_method, name) for name in _METHODS},
    "std": partial(_spread, "std"),
    "var": partial(_spread, "var"),
    "astype": _astype,
    "broadcast_arrays": _broadcast_arrays,
    "broadcast_to": partial(_method, "broadcast_to"),
    "clip": partial(_method, "clip"),
    "concat": concatenate,
    "count_nonzero": count_nonzero,
    "einsum": einsum,
    "expand_dims": expanded,
    "flip": _flip,
    "matmul": _matmul,
    "matrix_transpose": _matrix_transpose,
    "moveaxis": moved_axis,
    "nanprod": partial(_without_nans, "prod", 1),
    "nansum": partial(_without_nans, "sum", 0),
    "ones_like": partial(_zeros_like, 1),
    "permute_dims": _permute_dims,
    "pow": _pow,
    "reshape": _reshape,
    "result_type": _result_type,
    "roll": _roll,
    "split": _split,
    "squeeze": partial(_method, "squeeze"),
    "stack": stack,
    "take": _take,
    "tensordot": tensordot,
    "tril": partial(_triangle, is_lower=True),
    "triu": partial(_triangle, is_lower=False),
    "unstack": _unstack,
    "vecdot": _vecdot,
    "where": where,
    "zeros_like": partial(_zeros_like, 0),
}
"""What functions of the namespace `diablo.array` are on sparse arrays."""

LINALG: dict[str, Callable[..., Any]] = {
    "diagonal": _diagonal,
    "matmul": _matmul,
    "matrix_transpose": _matrix_transpose,
    "outer": _outer,
    "tensordot": tensordot,
    "trace": _trace,
    "vecdot": _vecdot,
}
"""The same of `diablo.array.linalg`."""


FUNCTIONS.update(
    {
        **{
            getattr(np, name): NAMESPACE[name]
            for name in ("einsum", "flip", "roll", "take", "tril", "triu", "split", "nansum")
        },
        np.broadcast_arrays: _broadcast_arrays,
        np.diagonal: _diagonal,
        np.matrix_transpose: _matrix_transpose,
        np.nanprod: NAMESPACE["nanprod"],
        np.ones_like: NAMESPACE["ones_like"],
        np.outer: _outer,
        np.trace: _trace,
        np.unstack: _unstack,
        np.zeros_like: NAMESPACE["zeros_like"],
    }
)


def choosing(dense: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of arrays that is another one where some of them are sparse."""

    @wraps(dense)
    def function(*args: Any, **options: Any) -> Any:
        return other(*args, **options) if any(map(_has_sparse, args)) else dense(*args, **options)

    return function


def _has_sparse(x: Any) -> bool:
    if isinstance(x, list | tuple):
        return any(isinstance(item, SparseArray) for item in cast("Sequence[Any]", x))
    return isinstance(x, SparseArray)
