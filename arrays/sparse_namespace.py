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

from diablo.array.axis_parts import Part, Places, Repeated, Rolled, Shifted, Slice, Tiled
from diablo.array.data_types import result_type as dense_result_type
from diablo.array.expression_graph import leaf
from diablo.array.kronecker_products import kronecker_product
from diablo.array.lazy_array import Array, node_of
from diablo.array.manipulation_functions import (
    axes_of,
    axis_of,
    cuts_of,
    integer,
    integers,
    listed_axes,
    times_of,
    widths_of,
)
from diablo.array.set_functions import UniqueCountsResult
from diablo.array.sparse_array import FUNCTIONS, SparseArray, apply, as_sparse_operand, sparse
from diablo.array.sparse_counterparts import NORMS
from diablo.array.sparse_einsum import diagonal, einsum
from diablo.array.sparse_entries import Entries, same
from diablo.array.sparse_expressions import deferred
from diablo.array.sparse_functions import (
    concatenate,
    count_nonzero,
    expanded,
    moved_axis,
    stack,
    tensordot,
    where,
)
from diablo.array.sparse_nan_functions import NAN_FUNCTIONS
from diablo.array.sparse_order import distinct, sorted_entries
from diablo.array.sparse_pattern import coordinates_of
from diablo.array.sparse_selection import columns_of, moved, part_of


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
    distances = integers(shift, "the distances by which elements are rolled")
    if axis is None:
        return _roll(x.flatten(), int(distances.sum()), axis=0).reshape(x.shape)
    axes = [axis_of(each, x.ndim) for each in listed_axes(axis)]
    if distances.ndim > 1 or distances.size not in (1, len(axes)):
        raise ValueError(f"{distances.size} distances are given for {len(axes)} axes")
    shifts, given = np.broadcast_arrays(distances, axes)
    by = [0] * x.ndim
    for k, distance in zip(given.tolist(), shifts.tolist(), strict=True):
        by[k] += distance
    return x.taken(list(map(Rolled, by, x.shape)))


def _take(x: SparseArray, indices: Any, /, axis: int | None = None) -> SparseArray:
    if axis is None:
        return x.flatten()[indices]
    return x[(*[slice(None)] * axis_of(axis, x.ndim), indices)]


def _repeat(x: SparseArray, repeats: Any, /, *, axis: int | None = None) -> SparseArray:
    if axis is None:
        return _repeat(x.flatten(), repeats, axis=0)
    along = axis_of(axis, x.ndim)
    times = np.asarray(repeats)
    if not times.size:
        times = times.astype(np.int64)
    if times.ndim > 1 or times.dtype.kind not in "iu" or (times < 0).any():
        raise ValueError("an axis is repeated a number of times, or each place of it is")
    extent = x.shape[along]
    if times.size not in (1, extent):
        raise ValueError(f"{times.size} numbers of copies for an extent of {extent}")
    parts = [Slice(range(e)) for e in x.shape]
    if times.size == 1:
        made: Part = Repeated(int(times.reshape(())), extent)
    else:
        made = Places(np.repeat(np.arange(extent), times), extent)
    return x.taken([*parts[:along], made, *parts[along + 1 :]])


def _tile(x: SparseArray, repetitions: Any, /) -> SparseArray:
    times = times_of(repetitions)
    wide = x[(*[None] * (len(times) - x.ndim), ...)] if len(times) > x.ndim else x
    times = (*[1] * (wide.ndim - len(times)), *times)
    return wide.taken(list(map(Tiled, times, wide.shape)))


def _pad(x: SparseArray, widths: Any, /, *, fill_value: Any = 0) -> SparseArray:
    if not same(_number(fill_value, x.dtype), x.fill_value):
        raise ValueError(
            f"an array that is mostly {x.fill_value} with {fill_value} around it is dense: "
            "use `to_dense`, or pad with its fill value"
        )
    pairs = zip(widths_of(widths, x.ndim), x.shape, strict=True)
    return x.taken([Shifted(before, extent, after) for (before, after), extent in pairs])


def _number(value: Any, dtype: Any) -> Any:
    """Return a single number in the type of elements; a `TypeError` if it is none."""
    found = np.asarray(Array(node_of(value)).to_numpy(), dtype)
    if found.ndim:
        raise TypeError(f"a fill value is one number, and not an array of shape {found.shape}")
    return found[()]


def _numpy_pad(
    x: SparseArray, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0
) -> SparseArray:
    if mode != "constant":
        raise TypeError(f"sparse arrays are padded with their fill value, and not {mode!r}")
    return _pad(x, pad_width, fill_value=constant_values)


def _diff(
    x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
) -> SparseArray:
    n = integer(n, "how often differences are taken")
    if n < 0:
        raise ValueError("differences are taken so many times, and not less than none")
    if not n:
        return x
    around = [part for part in (prepend, x, append) if part is not None]
    found = concatenate(around, axis) if len(around) > 1 else x
    before = [slice(None)] * axis_of(axis, found.ndim)
    name = "not_equal" if found.dtype.kind == "b" else "subtract"
    for _ in range(n):
        found = apply(name, found[(*before, slice(1, None))], found[(*before, slice(None, -1))])
    return found


def _sort(
    x: SparseArray, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> SparseArray:
    if x.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    along = axis_of(axis, x.ndim)
    return x.moved(x.shape, partial(sorted_entries, axis=along, is_descending=descending))


def _unique_counts(x: SparseArray, /) -> UniqueCountsResult:
    values, counts = distinct(x.entries)
    return UniqueCountsResult(Array(node_of(values)), Array(node_of(counts)))


def _unique_values(x: SparseArray, /) -> Array:
    return _unique_counts(x).values


def _numpy_unique(x: SparseArray, return_counts: bool = False) -> Any:
    values, counts = distinct(x.entries)
    is_nan = np.flatnonzero(values != values)
    if len(is_nan) > 1:  # For this function they are one value.
        values, counts = values[: is_nan[0] + 1], np.append(counts[: is_nan[0]], len(is_nan))
    return (values, counts) if return_counts else values


def _argwhere(x: SparseArray, /) -> Any:
    return np.stack(x.nonzero(), axis=-1) if x.ndim else np.zeros((int(bool(x)), 0), np.int64)


def _isneginf(x: SparseArray, /) -> SparseArray:
    return apply("equal", -np.inf, x)


def _isposinf(x: SparseArray, /) -> SparseArray:
    return apply("equal", np.inf, x)


def _kron(x1: Any, x2: Any, /) -> SparseArray:
    one, other = sparse(x1), sparse(x2)
    rank = max(one.ndim, other.ndim)
    first, second = [(1,) * (rank - x.ndim) + x.shape for x in (one, other)]
    pairs = list(zip(first, second, strict=True))
    if 0 < rank <= 2 and one.fill_value == 0 and other.fill_value == 0:
        # Of Python's integers, since their products may be more than 64 bits hold.
        shape = [int(m) * int(n) for m, n in pairs]
        matrices = [x.reshape((*(1,) * (2 - x.ndim), *x.shape)) for x in (one, other)]
        dtype = dense_result_type(one.dtype, other.dtype)
        content = [x.content for x in matrices]
        of_matrices = [1] * (2 - rank) + shape
        found = SparseArray(
            deferred(of_matrices, dtype, dtype.type(0), kronecker_product, *content)
        )
        return found.reshape(shape)
    products = einsum("i,j->ij", one.flatten(), other.flatten()).reshape((*first, *second))
    beside = [axis for k in range(rank) for axis in (k, rank + k)]
    return products.transpose(beside).reshape([m * n for m, n in pairs])


def _diagonalize(x: SparseArray, /, axis: int = 0) -> SparseArray:
    along = axis_of(axis, x.ndim)
    if x.fill_value != 0:
        raise ValueError(f"a diagonal of an array that is mostly {x.fill_value} is beside zeros")
    shape = (*x.shape, x.shape[along])

    def beside(entries: Entries) -> Entries:
        rows = coordinates_of(entries.pattern)
        return moved(entries, np.ones(rows.shape[1], np.bool_), shape, [*rows, rows[along]])

    return x.moved(shape, beside)


def _interp(x: SparseArray, xp: Any, fp: Any, **options: Any) -> SparseArray:
    numpy: Any = np

    def values_of(values: Any) -> Any:
        return numpy.interp(values, np.asarray(xp), np.asarray(fp), **options)

    def computed(entries: Entries) -> Entries:
        values = values_of(Array(entries.values).to_numpy())
        return Entries(entries.pattern, leaf(values), fill)

    fill = values_of(x.fill_value)
    return SparseArray(deferred(x.shape, fill.dtype, fill, computed, x.content))


def _unstack(x: SparseArray, /, axis: int = 0) -> tuple[SparseArray, ...]:
    along = axis_of(axis, x.ndim)
    before = [slice(None)] * along
    return tuple([x[(*before, k)] for k in range(x.shape[along])])


def _split(x: SparseArray, sections: Any, /, axis: int = 0) -> list[SparseArray]:
    along = axis_of(axis, x.ndim)
    extent = x.shape[along]
    ends = cuts_of(sections, extent)
    before = [slice(None)] * along
    bounds = zip([0, *ends], [*ends, extent], strict=True)
    return [x[(*before, slice(first, last))] for first, last in bounds]


def _triangle(x: SparseArray, /, k: int = 0, *, is_lower: bool) -> SparseArray:
    if x.ndim < 2:
        raise ValueError("a triangle is one of a matrix")
    if x.fill_value != 0:
        raise ValueError(f"a triangle of an array that is mostly {x.fill_value} is dense")
    shape, k = x.shape, integer(k, "the number of a diagonal")

    def within(entries: Entries) -> Entries:
        *_, row, column = columns_of(entries.pattern)
        above = column - row
        return part_of(entries, above <= k if is_lower else above >= k)

    return x.moved(shape, within)


def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    if np.dtype(x1.dtype).kind == "c":
        x1 = apply("conjugate", x1) if isinstance(x1, SparseArray) else np.conj(x1)
    products = apply("multiply", x1, x2)
    sums = products.sum(axis=axis)
    return sums if sums.dtype == products.dtype else sums.astype(products.dtype)


def _pow(x1: Any, x2: Any, /) -> SparseArray:
    return apply("power", x1, x2)


def _dot(x1: Any, x2: Any, /) -> Any:
    return sparse(x1).dot(x2) if isinstance(x1, SparseArray) else _dot_of_dense(x1, x2)


def _dot_of_dense(x1: Any, x2: SparseArray) -> Any:
    if not np.ndim(x1) or not x2.ndim:
        return x1 * x2
    if np.ndim(x1) <= 2 and x2.ndim <= 2:
        return x1 @ x2
    return tensordot(x1, x2, axes=((-1,), (max(x2.ndim - 2, 0),)))


def _outer(x1: Any, x2: Any, /) -> Any:
    one, other = [sparse(as_sparse_operand(x)).reshape(-1) for x in (x1, x2)]
    return apply("multiply", one[:, None], other[None, :])


def _diagonal(x: SparseArray, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> SparseArray:
    first, second = axes_of((axis1, axis2), x.ndim)
    return diagonal(x, first, second, integer(offset, "an offset"))


def _trace(
    x: SparseArray, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None
) -> SparseArray:
    return _diagonal(x, offset, axis1, axis2).sum(axis=-1, dtype=dtype)


def _of_matrices(function: Callable[..., Any], x: Any, /, **options: Any) -> Any:
    return function(x, axis1=-2, axis2=-1, **options)


def _broadcast_arrays(*arrays: Any) -> list[SparseArray]:
    given = [sparse(array) for array in arrays]
    shape = np.broadcast_shapes(*[array.shape for array in given])
    return [array.broadcast_to(shape) for array in given]


def _full_like(
    x: SparseArray, /, fill_value: Any, *, dtype: Any = None, device: Any = None
) -> SparseArray:
    return _zeros_like(fill_value, x, dtype=dtype)


def _can_cast(from_: Any, to: Any, /) -> bool:
    return bool(np.can_cast(getattr(from_, "dtype", from_), np.dtype(to)))


def _zeros_like(value: Any, x: SparseArray, /, *, dtype: Any = None, device: Any = None) -> Any:
    kind = x.dtype if dtype is None else np.dtype(dtype)
    none = (np.zeros((x.ndim, 0), np.int64), np.zeros(0, kind))
    return sparse(none, shape=x.shape, fill_value=_number(value, kind))


def _astype(x: SparseArray, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return x.astype(dtype)


def _matmul(x1: Any, x2: Any, /) -> Any:
    return x1 @ x2


def _permute_dims(x: SparseArray, /, axes: Any = None) -> SparseArray:
    return x.T if axes is None else x.transpose(axes)


def _reshape(x: SparseArray, /, shape: Any, *, copy: bool | None = None) -> SparseArray:
    return x.reshape(shape)


def _result_type(*arrays: Any) -> Any:
    return dense_result_type(*[x.dtype if isinstance(x, SparseArray) else x for x in arrays])


_METHODS = ("sum", "prod", "max", "min", "any", "all", "mean", "argmax", "argmin", "nonzero")

NAMESPACE: dict[str, Callable[..., Any]] = {
    **{name: partial(_method, name) for name in _METHODS},
    **NAN_FUNCTIONS,
    "std": partial(_spread, "std"),
    "var": partial(_spread, "var"),
    "argwhere": _argwhere,
    "astype": _astype,
    "broadcast_arrays": _broadcast_arrays,
    "broadcast_to": partial(_method, "broadcast_to"),
    "can_cast": _can_cast,
    "clip": partial(_method, "clip"),
    "concat": concatenate,
    "count_nonzero": count_nonzero,
    "diagonal": _diagonal,
    "diagonalize": _diagonalize,
    "diff": _diff,
    "dot": _dot,
    "einsum": einsum,
    "empty_like": partial(_zeros_like, 0),
    "expand_dims": expanded,
    "flip": _flip,
    "full_like": _full_like,
    "isneginf": _isneginf,
    "isposinf": _isposinf,
    "kron": _kron,
    "matmul": _matmul,
    "matrix_transpose": _matrix_transpose,
    "moveaxis": moved_axis,
    "ones_like": partial(_zeros_like, 1),
    "outer": _outer,
    "pad": _pad,
    "permute_dims": _permute_dims,
    "pow": _pow,
    "repeat": _repeat,
    "reshape": _reshape,
    "result_type": _result_type,
    "roll": _roll,
    "round": partial(_method, "round"),
    "sort": _sort,
    "split": _split,
    "squeeze": partial(_method, "squeeze"),
    "stack": stack,
    "take": _take,
    "tensordot": tensordot,
    "tile": _tile,
    "transpose": _permute_dims,
    "tril": partial(_triangle, is_lower=True),
    "triu": partial(_triangle, is_lower=False),
    "unique_counts": _unique_counts,
    "unique_values": _unique_values,
    "unstack": _unstack,
    "vecdot": _vecdot,
    "where": where,
    "zeros_like": partial(_zeros_like, 0),
}
"""What functions of the namespace `diablo.array` are on sparse arrays."""

LINALG: dict[str, Callable[..., Any]] = {
    "diagonal": partial(_of_matrices, _diagonal),
    "matmul": _matmul,
    "matrix_transpose": _matrix_transpose,
    **NORMS,
    "outer": _outer,
    "tensordot": tensordot,
    "trace": partial(_of_matrices, _trace),
    "vecdot": _vecdot,
}
"""The same of `diablo.array.linalg`."""


def _spread_as_numpy(
    name: str, x: Any, axis: Any = None, *, ddof: float = 0, **options: Any
) -> Any:
    return NAN_FUNCTIONS[name](x, axis, correction=ddof, **options)


def _diff_as_numpy(x: Any, n: int = 1, axis: int = -1, **options: Any) -> SparseArray:
    return _diff(x, n=n, axis=axis, **options)


def _repeat_as_numpy(x: Any, repeats: Any, axis: int | None = None) -> SparseArray:
    return _repeat(x, repeats, axis=axis)


def _sort_as_numpy(x: Any, axis: int | None = -1, **options: Any) -> SparseArray:
    return _sort(x.flatten(), axis=0) if axis is None else _sort(x, axis=axis)


_AS_HERE = (
    *("argwhere", "broadcast_arrays", "diagonal", "dot", "einsum", "empty_like", "flip"),
    *("full_like", "isneginf", "isposinf", "kron", "matrix_transpose", "nanmax", "nanmean"),
    *("nanmin", "nanprod", "nansum", "ones_like", "outer", "roll", "split", "take", "tile"),
    *("tril", "triu", "unique_counts", "unique_values", "unstack", "vecdot", "zeros_like"),
)
"""Functions of NumPy's that take the same arguments."""

FUNCTIONS.update(
    {
        **{getattr(np, name): NAMESPACE[name] for name in _AS_HERE},
        np.diff: _diff_as_numpy,
        np.interp: _interp,
        np.nanstd: partial(_spread_as_numpy, "nanstd"),
        np.nanvar: partial(_spread_as_numpy, "nanvar"),
        np.pad: _numpy_pad,
        np.repeat: _repeat_as_numpy,
        np.sort: _sort_as_numpy,
        np.trace: _trace,
        np.unique: _numpy_unique,
    }
)


for _name, _function in (*NAMESPACE.items(), *LINALG.items()):
    if not isinstance(_function, partial):
        # By this name Python says that arguments are missing, or too many.
        _function.__qualname__ = _name


def choosing(
    dense: Callable[..., Any], other: Callable[..., Any], module: str
) -> Callable[..., Any]:
    """Return a function of arrays that is another one where some of them are sparse.

    It is found by its name in a module, also by who unpickles it.
    """

    @wraps(dense)
    def function(*args: Any, **options: Any) -> Any:
        return other(*args, **options) if any(map(_has_sparse, args)) else dense(*args, **options)

    function.__module__ = module
    return function


def _has_sparse(x: Any) -> bool:
    if isinstance(x, list | tuple):
        return any(isinstance(item, SparseArray) for item in cast("Sequence[Any]", x))
    return isinstance(x, SparseArray)
