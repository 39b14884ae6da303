"""Columns that hold an array in every row: building them from lists, reading in them.

    build_arrays(Lists([(0, 5), (2, 7)], [(1, 9)]), [3], 1, "i8")   ->   [5, 0, 7], [0, 9, 0]
    extract(([5, 0, 7], [0, 9, 0]), ([2, 1],), "i8")                ->   7, 9

Such a column is of objects, each a NumPy array or a `SparseTile`. Many rows may hold the
same array, which is then looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import RunError
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import OBJECT, Code
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Monoid
from diablo.runtime.rows.columns import AnyColumn, Column, concat_columns, empty_column
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.tile_rows import from_rows, lookup, to_rows

Array = NDArray[Any]


def build_arrays(
    lists: Lists,
    extents: Sequence[Any],
    dense_rank: int,
    dtype: Code,
    *,
    monoid: Monoid | None = None,
    dest: Any = None,
) -> Column:
    """An array for every row, from its list of (index…, element), as `from_rows` makes one.

    `extents` has a column, or a scalar, for each dimension; `dest` holds the old arrays.
    """
    count, rank = len(lists), len(extents)
    shapes = np.stack([np.broadcast_to(np.asarray(e, np.int64), count) for e in extents], axis=1)
    if shapes.size and int(shapes.min()) < 0:
        raise RunError(f"an array cannot have {int(shapes.min())} elements in a dimension")
    result = np.empty(count, OBJECT)
    if dest is not None or dense_rank < rank:
        for row, (batch, shape) in enumerate(zip(lists, shapes.tolist(), strict=True)):
            old = None if dest is None else dest[row]
            result[row] = from_rows(batch, shape, dense_rank, dtype, monoid=monoid, dest=old)
        return result
    # All arrays one after the other are one vector, in which each row's array has its part.
    sizes = shapes.prod(axis=1)
    starts = np.cumsum(sizes) - sizes
    *index, values = lists.values
    entries = int(lists.lengths.sum())
    reserve(3 * 8 * entries, "to make {} arrays of {} entries", count, entries)
    row = np.repeat(np.arange(count), lists.lengths)
    flat = np.zeros(len(row), np.int64)
    inside = np.ones(len(row), np.bool_)
    for column, extent in zip(index, shapes.T, strict=True):
        extent = extent.take(row)
        inside &= (column >= 0) & (column < extent)
        flat = flat * extent + column
    flat += starts.take(row)
    if not inside.all():
        flat, values = flat[inside], values[inside]
    whole = from_rows((flat, values), (int(sizes.sum()),), 1, dtype, monoid=monoid)
    assert isinstance(whole, np.ndarray)
    ends = (starts + sizes).tolist()
    for row, (start, end, shape) in enumerate(
        zip(starts.tolist(), ends, shapes.tolist(), strict=True)
    ):
        result[row] = whole[start:end].reshape(shape)
    return result


def extents(arrays: Column, axis: int) -> Column:
    """The extent of every row's array in a dimension."""
    return np.fromiter((array.shape[axis] for array in arrays), np.int64, len(arrays))


def array_entries(arrays: Column, rank: int, dtype: Code) -> Lists:
    """The stored entries (index…, element) of every row's array, all elements if it is dense."""
    distinct, which = _distinct(arrays)
    if not distinct:
        return Lists([*[np.zeros(0, np.int64)] * rank, empty_column(dtype)], np.zeros(1, np.int64))
    batches = [to_rows(array) for array in distinct]
    lengths = np.fromiter((len(batch[0]) for batch in batches), np.int64, len(batches))
    columns = [concat_columns(parts) for parts in zip(*batches, strict=True)]
    entries = Lists.of_lengths(columns, lengths)
    return entries if len(distinct) == len(arrays) else entries.take(which)


def extract(arrays: Column, indices: Sequence[Any], dtype: Code, at: str = "") -> AnyColumn:
    """Return in every row, the element of its array at the index that `indices` have there.

    An index is a column, or a scalar for all rows; `dtype` is the type of the elements.

    Raises
    ------
    RunError
        If an index lies outside of its array; `at` is the place of the read.
    """
    values, found = probe(arrays, indices, dtype)
    _require_inside(found, indices, at, lambda row: arrays[row])
    return values


def probe(arrays: Column, indices: Sequence[Any], dtype: Code) -> tuple[AnyColumn, Column]:
    """Return as `extract`, with the implicit value outside, and whether each index lies inside."""
    if len(arrays) == 0:
        return empty_column(dtype), np.zeros(0, np.bool_)
    columns = [np.broadcast_to(np.asarray(i, np.int64), len(arrays)) for i in indices]
    distinct, which = _distinct(arrays)
    shapes = np.array([array.shape for array in distinct], np.int64)
    reserve(3 * 8 * len(arrays), "to read in the arrays of {} rows", len(arrays))
    found = np.ones(len(arrays), np.bool_)
    flat = np.zeros(len(arrays), np.int64)
    for column, extent in zip(columns, shapes.T, strict=True):
        extent = extent.take(which)
        found &= (column >= 0) & (column < extent)
        flat = flat * extent + column
    sizes = shapes.prod(axis=1)
    starts = np.cumsum(sizes) - sizes
    flat += starts.take(which)
    whole = _one_after_the_other(distinct, starts, int(sizes.sum()))
    *_, values, _ = lookup((np.where(found, flat, -1),), whole, (0,), probe=True, dtype=dtype)
    return values, found


def extract_one(array: Any, indices: Sequence[Any], dtype: Code, at: str = "") -> AnyColumn:
    """`extract` where all rows read in one and the same array."""
    values, found = probe_one(array, indices, dtype)
    _require_inside(found, indices, at, lambda _: array)
    return values


def probe_one(array: Any, indices: Sequence[Any], dtype: Code) -> tuple[AnyColumn, Column]:
    """`probe` where all rows read in one and the same array."""
    shape = np.broadcast_shapes(*[np.shape(index) for index in indices])
    columns = tuple([np.broadcast_to(index, shape).reshape(-1) for index in indices])
    *_, values, found = lookup(columns, array, range(len(columns)), probe=True, dtype=dtype)
    return values.reshape(shape), found.reshape(shape)


def _require_inside(
    found: Column, indices: Sequence[Any], at: str, array_of: Callable[[int], Any]
) -> None:
    if found.all():
        return
    row = int(np.flatnonzero(~found)[0])
    index = [int(np.broadcast_to(i, found.shape).reshape(-1)[row]) for i in indices]
    where = " x ".join(map(str, array_of(row).shape))
    place = f"{at}: " if at else ""
    raise RunError(f"{place}the index {index} lies outside the dimensions {where}")


def _distinct(arrays: Column) -> tuple[list[Any], Column]:
    """The different arrays of a column, and which of them each row holds."""
    keys = list(map(id, arrays))
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    which = np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))
    if len(numbers) == len(arrays):
        return list(arrays), which
    first = np.zeros(len(numbers), np.int64)
    first[which[::-1]] = np.arange(len(keys))[::-1]
    return list(arrays.take(first)), which


def _one_after_the_other(arrays: Sequence[Any], starts: Column, size: int) -> Array | SparseTile:
    """The elements of all arrays as one vector, sparse if one of them is."""
    if not any(isinstance(array, SparseTile) for array in arrays):
        return np.concatenate([array.reshape(-1) for array in arrays])
    tiles = [
        array if isinstance(array, SparseTile) else SparseTile.from_dense(array, 0)
        for array in arrays
    ]
    positions = [
        tile.positions() + start for tile, start in zip(tiles, starts.tolist(), strict=True)
    ]
    values = np.concatenate([tile.values for tile in tiles])
    return SparseTile.from_positions(np.concatenate(positions), values, (size,), 0)
