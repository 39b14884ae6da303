"""Between tiles and rows: reading a tile at computed indices, listing and building tiles.

    to_rows([[7, 8]])                                 ->  (0, 0, 7), (0, 1, 8)
    from_rows((0, 7), (2, 9), extents (4,), rank 1)   ->  [7, 0, 9, 0]
    lookup((2,), (5,), tile [7, 0, 9, 0], column 0)   ->  (2, 9)

`origins` is where the tile lies in its array: row indices are those of the whole array.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.monoid_table import monoid_named
from diablo.runtime.arrays import cleared, memory
from diablo.runtime.arrays.patterns.boxes import flat_positions
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import restrict
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import Code, converted, stored_positions, zeros, zeros_like
from diablo.runtime.kernels.bucket_sums import add_at, sums
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Column, Monoid, UserMonoid, combine_values, ufunc
from diablo.runtime.ordering import ascending_order, distinct_of
from diablo.runtime.rows.batches import Batch, length, take
from diablo.runtime.rows.grouping import group_reduce
from diablo.runtime.rows.sorted_rows import tile_of_rows
from diablo.runtime.rows.string_column import Strings, plain_column

Tile = NDArray[Any] | SparseTile


def to_rows(tile: Tile, origins: Sequence[int] = (), to: Sequence[int] | None = None) -> Batch:
    """The stored entries of a tile as rows (index…, element); all elements if it is dense.

    `to` says which of these columns are wanted, and in which order, if not all are.
    """
    if to is not None and all(column == tile.ndim for column in to):
        values = tile.values if isinstance(tile, SparseTile) else tile.reshape(-1)
        return (_as_column(values),) * len(to)
    if isinstance(tile, SparseTile):
        reserve(tile.nnz * 8 * tile.ndim, "the indices of {} elements", tile.nnz)
        columns = list(tile.coordinates())
        values = tile.values
    else:
        columns: list[Column] = []
        reserve(tile.size * 8 * tile.ndim, "the indices of {} elements", tile.size)
        for axis, extent in enumerate(tile.shape):
            index: Column = memory.numbers(extent)
            if axis + 1 < tile.ndim:
                index = np.repeat(index, prod(tile.shape[axis + 1 :]))
            columns.append(np.tile(index, prod(tile.shape[:axis])) if axis else index)
        values = tile.reshape(-1)
    for axis, origin in enumerate(origins):
        if origin:
            columns[axis] = columns[axis] + origin
    rows = (*columns, _as_column(values))
    return rows if to is None else tuple([rows[column] for column in to])


def _as_column(values: Column) -> Any:
    """The elements of a tile; strings without an object for each, if they are worth that."""
    if not values.dtype.hasobject or not len(values) or not isinstance(values[0], str):
        return values
    made = Strings.of(values.tolist())
    return values if made is None else made


def lookup(
    batch: Batch,
    tile: Tile,
    columns: Sequence[int],
    *,
    stored: bool = False,
    probe: bool = False,
    origins: Sequence[int] = (),
    dtype: Code = None,
) -> Batch:
    """Return each row with the element of `tile` at the index in `columns` after its columns.

    Rows whose index lies outside the tile are dropped. Where a sparse tile stores nothing a
    row gets its implicit value, or is dropped if `stored` is set. With `probe` no row is
    dropped: outside it gets the implicit value, and a last column says whether it is inside.
    `dtype` is the code of the elements, needed only where these are arrays.
    """
    if probe:
        return _probed(batch, tile, columns, origins, dtype)
    batch, flat = _inside(batch, columns, tile.shape, origins)
    reserve(len(flat) * tile.dtype.itemsize, "{} elements of an array", len(flat))
    if not isinstance(tile, SparseTile):
        return (*batch, tile.reshape(-1).take(flat))
    found = tile.pattern.find_positions(flat)
    if stored:
        hits = np.flatnonzero(found >= 0)
        return (*take(batch, hits), tile.elements.take(found.take(hits)))
    return (*batch, _elements_at(tile, found, dtype))


def _elements_at(tile: SparseTile, entries: Column, dtype: Code = None) -> Column:
    """The elements of some entries, the implicit value where the entry is -1."""
    missing = np.flatnonzero(entries < 0)
    if len(missing) == len(entries):
        return _implicit(tile, len(entries), dtype)
    values = tile.elements.take(entries)
    if len(missing):
        values[missing] = _implicit(tile, len(missing), dtype)
    return values


def _implicit(tile: Tile, count: int, dtype: Code) -> Column:
    """`count` implicit values of a tile's type."""
    if dtype is not None:
        return zeros(count, dtype)
    return zeros_like(tile.elements if isinstance(tile, SparseTile) else tile, count)


def _probed(
    batch: Batch, tile: Tile, columns: Sequence[int], origins: Sequence[int], dtype: Code
) -> Batch:
    count = length(batch)
    key: Batch = tuple([batch[c] for c in columns])
    (*_, row, values) = lookup(
        (*key, np.arange(count)), tile, range(len(key)), origins=origins, dtype=dtype
    )
    if len(row) == count:
        return (*batch, values, np.ones(count, np.bool_))
    result = _implicit(tile, count, dtype)
    result[row] = values
    found = np.zeros(count, np.bool_)
    found[row] = True
    return (*batch, result, found)


def from_rows(
    batch: Batch,
    extents: Sequence[int],
    dense_rank: int,
    dtype: Code,
    *,
    monoid: Monoid | None = None,
    dest: Tile | None = None,
    within: SparseTile | None = None,
    origins: Sequence[int] = (),
    places: int = 0,
) -> Tile:
    """A tile from rows (index…, element): the first columns are the indices.

    Rows outside the extents are dropped. Rows with equal indices are combined with `monoid`;
    without one the last is kept, after sorting by `places` columns behind the indices. With
    `dest` the result is that tile (which may be larger than the extents: the excess is ignored),
    updated: its element is combined with the rows of its index, or replaced without a monoid.
    Otherwise an index without rows holds the implicit value of the type. A sparse tile that
    stores elements where `within` does shares its pattern.
    """
    extents, rank = tuple(extents), len(extents)
    plain = dest is None and within is None and not places
    record = monoid_named(monoid if isinstance(monoid, str) else None)
    if record.is_sum and dense_rank == rank == 1 and not places and not any(origins):
        # What adds up the values looks at each index anyway.
        values = converted(plain_column(batch[1]), dtype)
        if values.dtype.kind not in "bO" and len(values):
            index = batch[0].astype(np.int64, copy=False)
            if dest is None:
                return sums(index, values, extents[0])
            table = _cut_dense(dest, extents, values.dtype)
            add_at(table, index, values)
            return table
    batch, indices = _indices_inside(batch, range(rank), extents, origins)
    if dense_rank < rank and plain and not isinstance(monoid, UserMonoid):
        column = converted(plain_column(batch[rank]), dtype)
        made = tile_of_rows(indices, column, extents, dense_rank, monoid)
        if made is not None:
            return made
    flat = flat_positions(indices, extents, length(batch))
    del indices
    values = converted(plain_column(batch[rank + places]), dtype)
    order = ascending_order(batch[rank : rank + places])
    if order is not None:
        reserve(len(flat) * (8 + values.itemsize), "{} rows in another order", len(flat))
        flat, values = flat.take(order), values.take(order)
    if dense_rank < rank:
        if dest is not None:
            dest = _cut_sparse(dest, extents, dense_rank, values.dtype)
        columns = [flat, values]
        del batch, flat, values
        return _sparse_from_rows(columns, extents, dense_rank, monoid, dest, within)
    if dest is None:
        if record.is_sum and values.dtype.kind not in "bO" and len(flat):
            return sums(flat, values, prod(extents)).reshape(extents)
        result = cleared.zeros(extents, dtype)
    else:
        result = _cut_dense(dest, extents, values.dtype)
    elements = result.reshape(-1)
    if monoid is None:
        elements[flat] = values
    elif isinstance(monoid, UserMonoid) or values.dtype.kind in "bO":
        flat, values = group_reduce((flat, values), 1, [monoid])
        if dest is not None:
            values = combine_values(monoid, elements.take(flat), values)
        elements[flat] = values
    elif dest is not None or record.neutral_zero:
        ufunc(monoid).at(elements, flat, values)
    else:
        flat, values = group_reduce((flat, values), 1, [monoid])
        elements[flat] = values
    return result


def _sparse_from_rows(
    columns: list[Column],
    extents: tuple[int, ...],
    dense_rank: int,
    monoid: Monoid | None,
    dest: SparseTile | None,
    within: SparseTile | None,
) -> SparseTile:
    """The tile of (position, element) columns, which are taken out of the list."""
    if monoid is not None:
        columns = list(group_reduce((columns.pop(0), columns.pop()), 1, [monoid]))
    if dest is not None:
        flat, values = columns
        entries = dest.pattern.find_positions(flat)
        if monoid is not None:
            # An index that `dest` does not store holds zero, and combines with that.
            old = _elements_at(dest, entries)
            values = combine_values(monoid, old, values).astype(dest.dtype, copy=False)
        if (entries >= 0).all():
            # Only what is stored is written: the pattern stays, but for what becomes zero.
            elements = dest.elements.copy()
            elements[entries] = values
            return _on_pattern_of(within, dest.with_elements(elements))
        columns = [
            np.concatenate((dest.positions(), flat)),
            np.concatenate((dest.values, values)),
        ]
        del flat, values
    flat, values = distinct_of(columns)
    if within is not None and _alike(within, extents, dense_rank):
        shared = _over(within.pattern, flat, values, dense_rank)
        if shared is not None:
            return shared
    return SparseTile.from_positions(flat, values, extents, dense_rank)


def _alike(tile: SparseTile, extents: tuple[int, ...], dense_rank: int) -> bool:
    return tile.shape == extents and tile.dense_rank == dense_rank


def _on_pattern_of(within: SparseTile | None, tile: SparseTile) -> SparseTile:
    """A tile, over the pattern of another if that is the same set in the same order."""
    if within is None or not _alike(within, tile.shape, tile.dense_rank):
        return tile
    pattern = within.pattern
    if pattern.order != tile.pattern.order or not pattern.same_set(tile.pattern):
        return tile
    return SparseTile(tile.shape, tile.dense_rank, pattern, tile.elements)


def _over(pattern: Pattern, flat: Column, values: Column, dense_rank: int) -> SparseTile | None:
    """The tile of values at ascending row-major positions, if these are all of a pattern's.

    None as well if one of the values is zero, which is not stored.
    """
    if len(flat) != pattern.count or stored_positions(values) is not None:
        return None
    if not np.array_equal(flat, pattern.positions()):
        return None
    entries = pattern.entries(tuple(range(pattern.ndim)))
    elements = values
    if entries is not None:
        elements = np.empty_like(values)
        elements[entries] = values
    return SparseTile(pattern.shape, dense_rank, pattern, elements)


def _cut_dense(tile: Tile, extents: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """A C-order array of the leading `extents` of a tile that may be written to."""
    array = tile.toarray() if isinstance(tile, SparseTile) else tile
    if array.shape == tuple(extents) and array.dtype == dtype:
        return memory.copied(array)
    return np.array(array[tuple([slice(e) for e in extents])], dtype, order="C")


def _cut_sparse(
    tile: Tile, extents: tuple[int, ...], dense_rank: int, dtype: np.dtype[Any]
) -> SparseTile:
    if not isinstance(tile, SparseTile):
        return SparseTile.from_dense(_cut_dense(tile, extents, dtype), dense_rank)
    if tile.shape != extents:
        part, entries = restrict(tile.pattern, [0] * len(extents), extents)
        tile = SparseTile(extents, tile.dense_rank, part, tile.elements[entries])
    return tile.with_dense_rank(dense_rank).astype(dtype)


def _inside(
    batch: Batch, columns: Sequence[int], extents: Sequence[int], origins: Sequence[int]
) -> tuple[Batch, Column]:
    """The rows whose index lies inside a tile, and its row-major position there."""
    batch, indices = _indices_inside(batch, columns, extents, origins)
    return batch, flat_positions(indices, extents, length(batch))


def _indices_inside(
    batch: Batch, columns: Sequence[int], extents: Sequence[int], origins: Sequence[int]
) -> tuple[Batch, list[Column]]:
    """The rows whose index lies inside a tile, and its int64 columns there."""
    count = length(batch)
    if len(columns) > 1 or any(origins):
        reserve(8 * count, "the positions of {} rows in an array", count)
    indices: list[Column] = []
    outside = False
    for axis, (column, extent) in enumerate(zip(columns, extents, strict=True)):
        index = batch[column].astype(np.int64, copy=False)
        if origins and origins[axis]:
            index = index - origins[axis]
        indices.append(index)
        # Seen as unsigned, a negative index is too large as well.
        outside = outside or (len(index) > 0 and int(index.view(np.uint64).max()) >= extent)
    if outside:
        inside = [i.view(np.uint64) < e for i, e in zip(indices, extents, strict=True)]
        positions = np.flatnonzero(np.logical_and.reduce(inside))
        batch = take(batch, positions)
        indices = [index.take(positions) for index in indices]
    return batch, indices
