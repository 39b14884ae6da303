"""Functions that make arrays: of what is there already, and of numbers.

Arrays of one number take no room: they are that number, read wherever it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np

from diablo.array.data_types import check_device
from diablo.array.driver_operations import called
from diablo.array.elementwise_operations import ELEMENTWISE, converted, elementwise
from diablo.array.expression_graph import Node, leaf, scalar
from diablo.array.generated_operations import position
from diablo.array.given_arrays import array_of, of_spark
from diablo.array.lazy_array import Array, copied, known, node_of
from diablo.array.manipulation_functions import extents_of, integer
from diablo.array.view_operations import broadcasted, indexed
from diablo.runtime.results.result_types import is_large_with_spark


def asarray(
    obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None
) -> Array:
    """Return the lazy array of what NumPy takes, other libraries have, or a program gave.

    The elements are not copied, unless `copy` says so: who writes to them changes what is computed
    later.
    """
    check_device(device)
    wanted = None if dtype is None else np.dtype(dtype)
    if wanted is not None and wanted.kind not in "biufc":
        raise TypeError(f"an array is of numbers or truth values, and not of {wanted}")
    if isinstance(obj, Array):
        node = known(obj.node)
        if wanted is not None and node.dtype != wanted and copy is False:
            raise ValueError("another element type needs a copy")
        if not copy and wanted in (None, node.dtype):
            return obj  # As NumPy does: who assigns to the one assigns to the other.
        changes = wanted not in (None, node.dtype)
        return Array(converted(node, wanted) if changes else copied(node))
    obj = of_spark(obj)
    if is_large_with_spark(obj) and not copy and wanted in (None, obj.dtype):
        return Array(leaf(obj))  # Spark has it, and it stays there.
    is_there = hasattr(obj, "__array_interface__") or hasattr(obj, "__dlpack__")
    if copy is False and not is_there:
        raise ValueError(f"a {type(obj).__name__} has no elements that can be used where they are")
    if isinstance(obj, int) and not isinstance(obj, bool) and wanted is None:
        fits = -(2**63) <= obj < 2**63
        array: Any = np.asarray(obj, np.int64) if fits else array_of(np.asarray(obj))
    elif wanted is not None and not is_there:
        given: Any = obj if isinstance(obj, int) else array_of(obj)
        array = np.asarray(given, wanted)
    else:
        array = array_of(obj)
    if copy:
        array = array.copy()
    if wanted is not None and array.dtype != wanted:
        if copy is False:
            raise ValueError("another element type needs a copy")
        return Array(converted(leaf(array), wanted))
    return Array(leaf(array))


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """Return the lazy array of what speaks DLPack."""
    check_device(device)
    if isinstance(x, Array):
        return Array(copied(x.node) if copy else x.node)
    array: Any = np.from_dlpack(x, copy=copy)
    return Array(leaf(array))


def _filled(shape: Any, value: Any, dtype: Any) -> Array:
    extents = extents_of(shape)
    if any(extent < 0 for extent in extents):
        raise ValueError(f"extents are not negative, and {extents} are given")
    number = np.asarray(value)
    if number.dtype.kind not in "biufc":
        raise TypeError(f"an array of numbers or truth values is wanted, not of {number.dtype}")
    return Array(broadcasted(leaf(np.asarray(value, dtype)), extents))


def _default(value: Any) -> Any:
    match value:
        case bool():
            return np.bool_
        case int():
            return np.int64
        case float():
            return np.float64
        case complex():
            return np.complex128
        case _:
            return None


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of one number."""
    check_device(device)
    if isinstance(fill_value, Array):
        node = known(fill_value.node)
        return Array(
            broadcasted(
                node if dtype is None else converted(node, np.dtype(dtype)), extents_of(shape)
            )
        )
    return _filled(shape, fill_value, _default(fill_value) if dtype is None else dtype)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of zeros."""
    check_device(device)
    return _filled(shape, 0, np.float64 if dtype is None else dtype)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of ones."""
    check_device(device)
    return _filled(shape, 1, np.float64 if dtype is None else dtype)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of which nothing is said: its elements are zeros."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of one number with the shape and type of another array."""
    node = node_of(x)
    return full(node.shape, fill_value, dtype=node.dtype if dtype is None else dtype, device=device)


def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return zeros with the shape and type of another array."""
    node = node_of(x)
    return zeros(node.shape, dtype=node.dtype if dtype is None else dtype, device=device)


def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return ones with the shape and type of another array."""
    node = node_of(x)
    return ones(node.shape, dtype=node.dtype if dtype is None else dtype, device=device)


def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of which nothing is said, with the shape and type of another array."""
    return zeros_like(x, dtype=dtype, device=device)


def _arange(*, start: Any, stop: Any, step: Any, dtype: Any) -> Any:
    numbers: Any = np.arange
    return numbers(start, stop, step, dtype)


def _ramp(start: Any, step: Any, length: int, dtype: Any) -> Node:
    """Return numbers at equal distances, of which programs compute those that they need."""
    node = converted(position(length), dtype)
    if step != 1:
        node = elementwise(ELEMENTWISE["multiply"], node, leaf(np.asarray(step, dtype)))
    if start != 0:
        node = elementwise(ELEMENTWISE["add"], node, leaf(np.asarray(start, dtype)))
    return node


def arange(
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return the numbers from `start` to `stop`, exclusive."""
    check_device(device)
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        is_whole = all(isinstance(value, int | np.integer) for value in (start, stop, step))
        dtype = np.int64 if is_whole else np.float64
    wanted: Any = np.dtype(dtype)
    length = max(0, ceil((stop - start) / step))
    if wanted.kind in "iuf" and wanted.itemsize >= 4 and length and _fits(start, stop, wanted):
        if wanted.kind != "f":
            return Array(_ramp(int(start), int(step), length, wanted))
        first, second = wanted.type(start), wanted.type(start + step)
        return Array(_ramp(first, second - first, length, wanted))
    given = {"start": start, "stop": stop, "step": step, "dtype": wanted}
    return Array(called(_arange, (), (length,), wanted, given))


def _fits(start: Any, stop: Any, dtype: Any) -> bool:
    """Return whether numbers between two, and their distances, are some of a type."""
    if dtype.kind == "f":
        return True
    is_whole = all(isinstance(value, int | np.integer) for value in (start, stop))
    limit = 1 << (8 * dtype.itemsize - 2)
    return (
        is_whole
        and (0 if dtype.kind == "u" else -limit) <= min(start, stop)
        and max(start, stop) < limit
    )


def _linspace(*, start: Any, stop: Any, num: int, endpoint: bool, dtype: Any) -> Any:
    numbers: Any = np.linspace
    return numbers(start, stop, num, endpoint=endpoint, dtype=dtype)


def linspace(
    start: Any,
    stop: Any,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Array:
    """Return numbers at equal distances."""
    check_device(device)
    if dtype is None:
        is_complex = isinstance(start, complex) or isinstance(stop, complex)
        dtype = np.complex128 if is_complex else np.float64
    wanted: Any = np.dtype(dtype)
    given = {"start": start, "stop": stop, "num": num, "endpoint": endpoint, "dtype": wanted}
    return Array(called(_linspace, (), (num,), wanted, given))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return a matrix with ones on a diagonal."""
    check_device(device)
    columns = n_rows if n_cols is None else n_cols
    wanted: Any = np.dtype(np.float64 if dtype is None else dtype)
    ahead = _columns_ahead(n_rows, columns)
    k = max(-n_rows, min(k, columns))  # Beyond the corners there is nothing.
    is_one = elementwise(ELEMENTWISE["equal"], ahead, scalar(k, ahead.dtype))
    return Array(converted(is_one, wanted))


def _columns_ahead(rows: int, columns: int) -> Node:
    """Return how far each element of a matrix is to the right of the first diagonal."""
    row = indexed(position(rows), (slice(None), None))
    return elementwise(ELEMENTWISE["subtract"], position(columns), row)


def from_function(
    function: Callable[..., Any], shape: Any, *, dtype: Any = None, device: Any = None
) -> Array:
    """Return the array of what a function makes of the places of its elements.

    Parameters
    ----------
    function
        Called once, with the index along each axis as a lazy array of integers of the shape
        wanted. What it computes of them becomes part of the program.
    shape
        An extent for each axis.
    dtype
        The type of the elements; that of what the function gives if there is none.

    Raises
    ------
    ValueError
        If what the function gives cannot be broadcast to the shape.
    """
    check_device(device)
    extents = extents_of(shape)
    places = [
        Array(broadcasted(_along(position(extent), axis, len(extents)), extents))
        for axis, extent in enumerate(extents)
    ]
    node = node_of(function(*places))
    return Array(broadcasted(node if dtype is None else converted(node, np.dtype(dtype)), extents))


def meshgrid(*arrays: Any, indexing: Any = "xy") -> list[Array]:
    """Return the coordinates of all points of a grid: views of those along each axis."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing is 'xy' or 'ij', and not {indexing!r}")
    nodes = [node_of(array) for array in arrays]
    if any(node.ndim > 1 for node in nodes):
        raise ValueError("the coordinates along an axis have one dimension")
    axes = list(range(len(nodes)))
    if indexing == "xy":
        axes[:2] = axes[:2][::-1]
    extents = [0] * len(nodes)
    for axis, node in zip(axes, nodes, strict=True):
        extents[axis] = node.size
    return [
        Array(broadcasted(_along(node, axis, len(nodes)), tuple(extents)))
        for axis, node in zip(axes, nodes, strict=True)
    ]


def _along(node: Node, axis: int, rank: int) -> Node:
    """Return a vector along an axis of so many."""
    index: Any = [None] * rank
    if node.ndim:
        index[axis] = slice(None)
    return indexed(node, tuple(index))


def _triangle(x: Any, predicate: str, k: int) -> Array:
    """Return matrices with zeros where how far an element is ahead does not pass a test."""
    node = _matrices(x)
    rows, columns = node.shape[-2:]
    ahead = _columns_ahead(rows, columns)
    k = max(-rows, min(k, columns))
    is_kept = elementwise(ELEMENTWISE[predicate], ahead, scalar(k, ahead.dtype))
    zero = leaf(np.zeros((), node.dtype))
    return Array(elementwise(ELEMENTWISE["where"], is_kept, node, zero))


def tril(x: Any, /, *, k: int = 0) -> Array:
    """Return the matrices with zeros above a diagonal."""
    return _triangle(x, "less_equal", integer(k, "the number of a diagonal"))


def triu(x: Any, /, *, k: int = 0) -> Array:
    """Return the matrices with zeros below a diagonal."""
    return _triangle(x, "greater_equal", integer(k, "the number of a diagonal"))


def _matrices(x: Any) -> Node:
    node = node_of(x)
    if node.ndim < 2:
        raise ValueError("a matrix has two dimensions")
    return node
