"""NumPy's functions of sparse arrays: `np.sum(s)`, `np.concatenate([s, t])`, `np.where(c, s, 0)`.

Those that `FUNCTIONS` does not have are refused: a sparse array is not made dense unasked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from diablo.array.axis_parts import NEW, Slice
from diablo.array.expression_graph import leaf
from diablo.array.lazy_array import Array
from diablo.array.manipulation_functions import axes_of, listed, listed_axes
from diablo.array.moved_patterns import joined_patterns
from diablo.array.sparse_array import FUNCTIONS, SparseArray, apply, sparse
from diablo.array.sparse_entries import Entries, is_sparse, same, taken
from diablo.array.sparse_expressions import deferred


def _method(name: str, x: Any, *args: Any, **options: Any) -> Any:
    given = {k: v for k, v in options.items() if v is not None and v is not np._NoValue}  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    return getattr(sparse(x), name)(*args, **given)


def concatenate(arrays: Sequence[Any], axis: int | None = 0) -> SparseArray:
    """Return arrays one behind the other along an axis; with None, of their elements in C order.

    Raises
    ------
    ValueError
        If the other extents or the fill values differ.
    """
    given = [sparse(array) for array in listed(arrays)]
    if not given:
        raise ValueError("there is no array to concatenate")
    if axis is None:
        given, axis = [array.flatten() for array in given], 0
    first = given[0]
    (along,) = axes_of(axis, first.ndim)
    dtype = np.result_type(*[array.dtype for array in given])
    for array in given:
        if array.ndim != first.ndim or any(
            extent != other
            for k, (extent, other) in enumerate(zip(array.shape, first.shape, strict=True))
            if k != along
        ):
            raise ValueError(
                f"arrays of shapes {first.shape} and {array.shape} cannot be concatenated along "
                f"axis {along}"
            )
        if not same(np.asarray(array.fill_value, dtype), np.asarray(first.fill_value, dtype)):
            raise ValueError(
                f"arrays whose fill values are {first.fill_value} and {array.fill_value} have none "
                "together: use `to_dense`"
            )
    extent = sum([array.shape[along] for array in given])
    shape = (*first.shape[:along], extent, *first.shape[along + 1 :])

    def together(*parts: Entries) -> Entries:
        pattern, at = joined_patterns([entries.pattern for entries in parts], along)
        values = [Array(entries.values).to_numpy() for entries in parts]
        joined = leaf(np.concatenate(values, dtype=dtype))
        return Entries(pattern, taken(joined, at), first.fill_value)

    return SparseArray(
        deferred(shape, dtype, first.fill_value, together, *[array.content for array in given])
    )


def stack(arrays: Sequence[Any], axis: int = 0) -> SparseArray:
    """Return arrays of one shape beside each other along a new axis."""
    given = [sparse(array) for array in listed(arrays)]
    if not given:
        raise ValueError("there is no array to stack")
    if len({array.shape for array in given}) > 1:
        raise ValueError("arrays of different shapes cannot be stacked")
    (along,) = axes_of(axis, given[0].ndim + 1)
    return concatenate([expanded(array, along) for array in given], along)


def where(condition: Any, *choices: Any) -> Any:
    """Return the elements of one array where a condition holds, and those of another elsewhere.

    Without these two it is where the condition holds, an index along each axis.
    """
    if not choices:
        return sparse(condition).nonzero()
    if len(choices) != 2:
        raise ValueError("`where` is given two arrays to choose from, or none")
    return apply("where", condition, *choices)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Return sums of products along pairs of axes of two arrays, of which one may be dense."""
    one, other = [x if is_sparse_array(x) else np.asarray(x) for x in map(_ours, (a, b))]
    if np.ndim(axes) == 0:
        if not 0 <= axes <= min(one.ndim, other.ndim):
            raise ValueError(f"{axes} axes of arrays of {one.ndim} and {other.ndim} dimensions")
        left = list(range(one.ndim - int(axes), one.ndim))
        right = list(range(int(axes)))
    else:
        left, right = [list(np.atleast_1d(np.asarray(each))) for each in axes]
        left, right = list(axes_of(left, one.ndim)), list(axes_of(right, other.ndim))
    if [one.shape[k] for k in left] != [other.shape[k] for k in right]:
        raise ValueError(f"axes of arrays of shapes {one.shape} and {other.shape} do not match")
    rest = [k for k in range(one.ndim) if k not in left]
    others = [k for k in range(other.ndim) if k not in right]
    shape = [one.shape[k] for k in rest] + [other.shape[k] for k in others]
    inner = int(np.prod([one.shape[k] for k in left], dtype=np.int64))
    rows = int(np.prod([one.shape[k] for k in rest], dtype=np.int64))
    columns = int(np.prod([other.shape[k] for k in others], dtype=np.int64))
    first = one.transpose([*rest, *left]).reshape(rows, inner)
    second = other.transpose([*right, *others]).reshape(inner, columns)
    found = first @ second
    return found.reshape(*shape) if isinstance(found, SparseArray) else found.reshape(shape)


def is_sparse_array(x: Any) -> bool:
    """Return whether something is a sparse array of ours."""
    return isinstance(x, SparseArray)


def _ours(x: Any) -> Any:
    return sparse(x) if is_sparse(x) else x


def expanded(x: Any, axis: Any = 0) -> SparseArray:
    """Return an array with a new axis, or several."""
    array = sparse(x)
    given = listed_axes(axis)
    count = len(given)
    new = axes_of(given, array.ndim + count)
    own = iter(array.shape)
    parts = [NEW if k in new else Slice(range(next(own))) for k in range(array.ndim + count)]
    return array.taken(parts)


def moved_axis(x: Any, source: Any, destination: Any) -> SparseArray:
    """Return an array axes of which are at other places."""
    array = sparse(x)
    given, wanted = axes_of(source, array.ndim), axes_of(destination, array.ndim)
    if len(given) != len(wanted):
        raise ValueError(f"{len(given)} axes cannot be moved to {len(wanted)} places")
    order = [k for k in range(array.ndim) if k not in given]
    for axis, place in sorted(zip(given, wanted, strict=True), key=lambda pair: pair[1]):
        order.insert(place, axis)
    return array.transpose(order)


_METHODS = {
    "sum": "sum",
    "prod": "prod",
    "max": "max",
    "min": "min",
    "amax": "max",
    "amin": "min",
    "any": "any",
    "all": "all",
    "mean": "mean",
    "std": "std",
    "var": "var",
    "argmax": "argmax",
    "argmin": "argmin",
    "transpose": "transpose",
    "swapaxes": "swapaxes",
    "reshape": "reshape",
    "ravel": "flatten",
    "squeeze": "squeeze",
    "broadcast_to": "broadcast_to",
    "clip": "clip",
    "round": "round",
    "nonzero": "nonzero",
}


def _attribute(name: str, x: Any) -> Any:
    return getattr(sparse(x), name)


def count_nonzero(x: Any, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
    """Return how many elements along axes are not 0."""
    return sparse(x).astype(np.bool_).sum(axis=axis, keepdims=keepdims)


def _count(x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    found = count_nonzero(x, axis, keepdims=keepdims)
    return found if found.ndim else int(found)


def _result_type(*arrays: Any) -> Any:
    return np.result_type(*[getattr(array, "dtype", array) for array in arrays])


FUNCTIONS.update(
    {
        **{getattr(np, name): partial(_method, method) for name, method in _METHODS.items()},
        np.shape: partial(_attribute, "shape"),
        np.ndim: partial(_attribute, "ndim"),
        np.size: partial(_attribute, "size"),
        np.concatenate: concatenate,
        np.stack: stack,
        np.where: where,
        np.tensordot: tensordot,
        np.expand_dims: expanded,
        np.moveaxis: moved_axis,
        np.real: partial(_attribute, "real"),
        np.imag: partial(_attribute, "imag"),
        np.count_nonzero: _count,
        np.result_type: _result_type,
    }
)
