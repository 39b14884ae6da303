"""The lazy counterparts of NumPy's functions, which take the arguments that NumPy's do.

    counterparts()[np.std](a, ddof=1)    ->    da.std(a, correction=1)

One that is given what it does not know raises a `TypeError`: then the function is NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, cast

import numpy as np

from diablo.array.lazy_array import Array, node_of, operands


def lazy_of(value: Any) -> Array:
    """Return the lazy array of a value."""
    return Array(node_of(value))


def _spread(name: str, x: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, correction=ddof, keepdims=keepdims)


def _on_axis(name: str, x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, keepdims=keepdims)


def _summed(
    name: str, x: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False
) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, dtype=dtype, keepdims=keepdims)


def _scanned(name: str, x: Any, axis: Any = None, dtype: Any = None) -> Any:
    lazy = lazy_of(x)
    if axis is None:
        lazy, axis = _namespace().reshape(lazy, (-1,)), 0
    return getattr(_namespace(), name)(lazy, axis=axis, dtype=dtype)


def _sorted(name: str, x: Any, axis: Any = -1, *, descending: bool = False) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, descending=descending)


def _joined(name: str, arrays: Any, axis: Any = 0) -> Any:
    return getattr(_namespace(), name)(arrays, axis=axis)


def _products(x: Any, y: Any) -> Any:
    if np.ndim(x) <= 2 and np.ndim(y) <= 2 and np.ndim(x) and np.ndim(y):
        return _namespace().matmul(x, y)
    raise TypeError("a product of other arrays than vectors and matrices is NumPy's")


def _along(name: str, default: Any, x: Any, argument: Any, axis: Any = "default") -> Any:
    given = default if isinstance(axis, str) else axis
    return getattr(_namespace(), name)(x, argument, axis=given)


def _taken(x: Any, indices: Any, axis: Any = None) -> Any:
    lazy = lazy_of(x)
    return _namespace().take(_ravelled(lazy) if axis is None else lazy, indices, axis=axis or 0)


def _where(*arguments: Any) -> Any:
    da = _namespace()
    return da.where(*arguments) if len(arguments) == 3 else da.nonzero(*arguments)


def _reshaped(x: Any, *shape: Any) -> Any:
    is_one = len(shape) == 1 and isinstance(shape[0], tuple | list)
    return _namespace().reshape(x, cast("Any", shape[0]) if is_one else shape)


def _ravelled(x: Any) -> Any:
    lazy = lazy_of(x)
    return _namespace().reshape(lazy, (lazy.size,))


def _namespace() -> Any:
    import diablo.array as da

    return da


_ON_AXIS = ("max", "min", "all", "any", "mean", "argmax", "argmin", "count_nonzero")
_WITHOUT_NANS = ("nanmax", "nanmin", "nanmean", "nanargmax", "nanargmin", "median", "nanmedian")
_NAN_SCANS = ("nancumsum", "nancumprod")
_PARTS = ("quantile", "percentile", "nanquantile", "nanpercentile")
_SAME = [
    "expand_dims",
    "squeeze",
    "flip",
    "moveaxis",
    "matrix_transpose",
    "broadcast_to",
    "broadcast_arrays",
    "tensordot",
    "einsum",
    "unstack",
    "permute_dims",
    "tril",
    "triu",
    "zeros_like",
    "ones_like",
    "empty_like",
    "full_like",
    "linspace",
    "vecdot",
    "meshgrid",
    "clip",
    "real",
    "imag",
    "nonzero",
    "diff",
    "concat",
    "isdtype",
    "result_type",
    "can_cast",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "searchsorted",
    "tile",
    "eye",
    "cumulative_sum",
    "cumulative_prod",
    "gradient",
]


_LINALG = (
    *("inv", "det", "solve", "svd", "svdvals", "qr", "cholesky", "eigh", "eigvalsh", "slogdet"),
    *("pinv", "matrix_rank", "matrix_power", "matrix_norm", "vector_norm", "cross"),
)


def _at_least(rank: int, *arrays: Any) -> Any:
    """Return arrays with so many dimensions, new ones where NumPy has them."""
    found: list[Array] = []
    for array in arrays:
        lazy = lazy_of(array)
        index: Any = {0: (None,) * rank, 1: (None,) * (rank - 1) + (slice(None),)}.get(lazy.ndim)
        if rank == 3 and lazy.ndim in (1, 2):
            index = (None, ..., None) if lazy.ndim == 1 else (..., None)
        found.append(lazy if lazy.ndim >= rank else lazy[index])
    return found[0] if len(found) == 1 else tuple(found)


def _joined_after(rank: int, axis: int, arrays: Any) -> Any:
    several = [_at_least(rank, array) for array in arrays]
    return _namespace().concat(several, axis=0 if several[0].ndim == 1 and axis == 1 else axis)


def _columns(arrays: Any) -> Any:
    several = [a[:, None] if a.ndim == 1 else a for a in map(lazy_of, arrays)]
    return _namespace().concat(several, axis=1)


def _swapped(x: Any, one: int, other: int) -> Any:
    lazy = lazy_of(x)
    order = [*range(lazy.ndim)]
    order[one], order[other] = order[other], order[one]
    return _namespace().permute_dims(lazy, tuple(order))


def _rolled_axis(x: Any, axis: int, start: int = 0) -> Any:
    lazy = lazy_of(x)
    source = axis % lazy.ndim
    start = start + lazy.ndim if start < 0 else start
    return _namespace().moveaxis(lazy, source, start - 1 if source < start else start)


def _turned(x: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    da, lazy = _namespace(), lazy_of(x)
    first, second = axes
    if k % 2:
        lazy = da.flip(lazy, axis=second) if k % 4 == 1 else da.flip(lazy, axis=first)
        return _swapped(lazy, first, second)
    return da.flip(lazy, axis=(first, second)) if k % 4 == 2 else lazy


def _backwards(axis: int, x: Any) -> Any:
    return _namespace().flip(lazy_of(x), axis=axis)


def _of_diagonal(x: Any, k: int = 0) -> Any:
    lazy = lazy_of(x)
    if lazy.ndim == 2:
        return _namespace().linalg.diagonal(lazy, offset=k)
    (extent,) = lazy.shape
    size = extent + abs(k)
    row = _namespace().pad(lazy, ((max(k, 0), max(-k, 0)),))
    return _namespace().where(_namespace().eye(size, k=k) != 0, row, _zero(lazy))


def _zero(lazy: Array) -> Array:
    return _namespace().zeros((), dtype=lazy.dtype)


def _diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    moved = _namespace().moveaxis(lazy_of(x), (axis1, axis2), (-2, -1))
    return _namespace().linalg.diagonal(moved, offset=offset)


def _trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return _namespace().sum(_diagonal(x, offset, axis1, axis2), axis=-1)


def _padded(x: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    if callable(mode) or isinstance(pad_width, dict):
        raise TypeError("a function of its own for what is around an array is NumPy's to call")
    return _namespace().pad(x, pad_width, mode, **options)


_ARRANGED: dict[str, Callable[..., Any]] = {
    "atleast_1d": partial(_at_least, 1),
    "atleast_2d": partial(_at_least, 2),
    "atleast_3d": partial(_at_least, 3),
    "hstack": partial(_joined_after, 1, 1),
    "vstack": partial(_joined_after, 2, 0),
    "dstack": partial(_joined_after, 3, 2),
    "column_stack": _columns,
    "swapaxes": _swapped,
    "rollaxis": _rolled_axis,
    "rot90": _turned,
    "fliplr": partial(_backwards, 1),
    "flipud": partial(_backwards, 0),
    "diag": _of_diagonal,
    "diagonal": _diagonal,
    "pad": _padded,
}


def _rounded(x: Any, decimals: int = 0) -> Any:
    da, lazy = _namespace(), lazy_of(x)
    if not decimals:
        return da.round(lazy)
    if lazy.dtype.kind != "f":
        raise TypeError("integers and complex numbers with decimals are rounded by NumPy")
    power = float(np.float64(10) ** abs(decimals))
    # The same operations as NumPy's.
    return da.round(lazy * power) / power if decimals > 0 else da.round(lazy / power) * power


def _copied(x: Any) -> Array:
    return _namespace().asarray(lazy_of(x), copy=True)


def _flattened(x: Any) -> Array:
    return _copied(_ravelled(x))


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    lazy = lazy_of(x)
    if ord is None and axis is None:
        return _namespace().linalg.vector_norm(lazy, keepdims=keepdims)
    if isinstance(axis, int) or (axis is None and lazy.ndim == 1):
        order = 2 if ord is None else ord
        return _namespace().linalg.vector_norm(lazy, axis=axis, ord=order, keepdims=keepdims)
    raise TypeError("norms of matrices are NumPy's")


def _numbers(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    found = _namespace().nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
    return found if copy else x.become(found)


def _part(
    name: str, x: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False
) -> Any:
    return getattr(_namespace(), name)(x, q, axis=axis, method=method, keepdims=keepdims)


def _is_close(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    da = _namespace()
    x, y = operands(a, b)
    one, other = Array(x), Array(y)
    if "c" in (one.dtype.kind, other.dtype.kind):
        raise TypeError("complex numbers are compared by NumPy")
    near = da.abs(one - other) <= atol + rtol * da.abs(other)
    result = (near & da.isfinite(other)) | (one == other)
    return result | (da.isnan(one) & da.isnan(other)) if equal_nan else result


def _outer(a: Any, b: Any) -> Any:
    return _namespace().linalg.outer(_ravelled(a), _ravelled(b))


def _inner(a: Any, b: Any) -> Any:
    if not np.ndim(a) or not np.ndim(b):
        raise TypeError("a product with a number is NumPy's")
    return _namespace().tensordot(a, b, axes=((-1,), (-1,)))


def _range(x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    da = _namespace()
    return da.max(x, axis=axis, keepdims=keepdims) - da.min(x, axis=axis, keepdims=keepdims)


@lru_cache
def counterparts() -> dict[Any, Callable[..., Any]]:
    """Return NumPy's functions and those that compute them lazily."""
    da = _namespace()
    found: dict[Any, Callable[..., Any]] = {getattr(np, name): getattr(da, name) for name in _SAME}
    found |= {getattr(np, name): partial(_on_axis, name) for name in _ON_AXIS}
    found |= {np.sum: partial(_summed, "sum"), np.prod: partial(_summed, "prod")}
    found |= {np.std: partial(_spread, "std"), np.var: partial(_spread, "var")}
    found |= {np.cumsum: partial(_scanned, "cumulative_sum")}
    found |= {np.cumprod: partial(_scanned, "cumulative_prod")}
    found |= {np.sort: partial(_sorted, "sort"), np.argsort: partial(_sorted, "argsort")}
    found |= {np.concatenate: partial(_joined, "concat"), np.stack: partial(_joined, "stack")}
    found |= {np.transpose: da.transpose, np.dot: _products, np.where: _where}
    found |= {np.reshape: _reshaped, np.ravel: _ravelled, np.copy: _copied}
    linalg: Any = np.linalg
    found |= {getattr(linalg, n): getattr(da.linalg, n) for n in _LINALG if hasattr(linalg, n)}
    found |= {getattr(np.fft, name): getattr(da.fft, name) for name in da.fft.__all__}
    found |= {getattr(np, name): function for name, function in _ARRANGED.items()}
    found |= {np.roll: partial(_along, "roll", None), np.repeat: partial(_along, "repeat", None)}
    found |= {np.split: partial(_along, "split", 0), np.take: _taken}
    found |= {np.take_along_axis: partial(_along, "take_along_axis", -1)}
    found |= {np.round: _rounded, np.linalg.norm: _norm, np.trace: _trace}
    found |= {getattr(np, name): partial(_on_axis, name) for name in _WITHOUT_NANS}
    found |= {np.nansum: partial(_summed, "nansum"), np.nanprod: partial(_summed, "nanprod")}
    found |= {np.nanstd: partial(_spread, "nanstd"), np.nanvar: partial(_spread, "nanvar")}
    found |= {getattr(np, name): partial(_scanned, name) for name in _NAN_SCANS}
    found |= {getattr(np, name): partial(_part, name) for name in _PARTS}
    found |= {np.nan_to_num: _numbers}
    found |= {np.isclose: _is_close, np.outer: _outer, np.inner: _inner, np.ptp: _range}
    found |= {np.ndim: _rank, np.shape: _shape, np.size: _size}
    return found


def _rank(x: Any) -> int:
    return x.ndim


def _shape(x: Any) -> tuple[int, ...]:
    return x.shape


def _size(x: Any, axis: Any = None) -> int:
    return x.size if axis is None else x.shape[axis]


# ---- methods -------------------------------------------------------------------------


@lru_cache
def methods() -> dict[str, Callable[..., Any]]:
    """Return the methods of NumPy's arrays that are computed lazily."""
    da = _namespace()
    known: dict[str, Callable[..., Any]] = {
        name: function
        for name in dir(np.ndarray)
        if (function := counterparts().get(getattr(np, name, None))) is not None
    }
    known |= {"copy": _copied, "flatten": _flattened, "transpose": _transposed}
    return known | {"astype": da.astype, "conj": da.conj, "conjugate": da.conj}


def _transposed(x: Any, *axes: Any) -> Any:
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list)):
        return _namespace().transpose(x, axes[0])
    return _namespace().transpose(x, axes or None)
