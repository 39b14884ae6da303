"""Rows of indices and a value as the tiles of a sparse array, without passing the driver.

    array_of_entries(rows, (4, 6), "A", None)    # rows (i, j, value): a sparse 4 x 6 matrix

Workers deal the entries of their rows out to tiles, and those of a tile meet where the grid of the
array has it. As with SciPy, entries with equal indices are added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError, RunError, quantity
from diablo.runtime.arrays.patterns.boxes import INT64_MAX, too_large
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Array, Coordinates, tile_box, tile_coordinates
from diablo.runtime.engines.keeping import Kept, persisted
from diablo.runtime.engines.spark_errors import as_run_errors
from diablo.runtime.program.data import choose_block_size
from diablo.runtime.program.shuffle import cogroup
from diablo.runtime.program.tile_placement import by_grid
from diablo.runtime.results.result_types import DistributedArray, Rows
from diablo.runtime.rows.batches import Batch, length
from diablo.runtime.value_kinds import ScalarKind, TupleKind, element_code


def extents_of(shape: object) -> Coordinates:
    """Return the extents that a caller gives as a shape.

    Raises
    ------
    InputError
        They are no integers from 0 on, or larger than indices.
    """
    try:
        extents = tuple(cast("Iterable[object]", shape))
    except TypeError:
        extents = (None,)
    if not all(
        isinstance(extent, int | np.integer) and not isinstance(extent, bool) and extent >= 0
        for extent in extents
    ):
        raise InputError(
            f"the shape is {shape!r}, and must have an integer for each dimension, from 0 on"
        )
    found = tuple(map(int, cast("Iterable[int]", extents)))
    if max(found, default=0) > INT64_MAX:
        raise InputError(too_large(found))
    return found


def array_of_entries(
    rows: Rows, extents: Coordinates, name: str, block_size: int | None, kept: Kept
) -> DistributedArray:
    """Return the sparse array of which rows that Spark has are the entries; it is `kept` there.

    Parameters
    ----------
    rows
        An integer for each dimension, and a number or a Boolean.
    extents
        Those of `extents_of`.

    Raises
    ------
    InputError
        The rows are no such rows, or blocks have more elements than positions count.
    RunError
        An index lies outside.
    """
    kinds = rows.row.items if isinstance(rows.row, TupleKind) else (rows.row,)
    *indices, value = [kind.type if isinstance(kind, ScalarKind) else None for kind in kinds]
    is_value = value is not None and not value.is_text and value.domain != "character"
    if not is_value or not all(index is not None and index.is_integer for index in indices):
        raise InputError(
            f"{name}: an entry is integers, then a number or a Boolean, not {rows.row}"
        )
    if len(indices) != len(extents):
        raise InputError(
            f"{name}: an entry has {quantity(len(indices), 'index', 'indices')}, "
            f"and the shape {quantity(len(extents), 'dimension')}"
        )
    context = rows.records.rdd().ctx
    edge = choose_block_size(context, block_size, sparse=[extents])
    assert edge is not None
    if prod([min(edge, extent) for extent in extents]) > INT64_MAX:
        raise InputError(too_large(extents))
    place = by_grid(extents, edge, max(1, int(context.defaultParallelism)))
    code = element_code(kinds[-1])
    dense_rank = len(extents) - 1
    entries = rows.records.rdd().flatMap(_Deal(extents, edge, name))
    # Tiles without an entry are tiles as well.
    all_tiles = [(key, None) for key in tile_coordinates(extents, edge)]
    pieces = cogroup(place, entries, context.parallelize(all_tiles))
    tiles = persisted(pieces.map(_Assemble(extents, edge, dense_rank, np.dtype(code))))
    with as_run_errors():
        tiles.count()
    made = DistributedArray(tiles, extents, dense_rank, code, edge)
    made.records.stay(kept)
    return made


class _Deal:
    """For `flatMap`: the entries of a batch by the tiles that they are in."""

    def __init__(self, shape: Coordinates, edge: int, name: str):
        self.shape = shape
        self.edge = edge
        self.name = name

    def __call__(self, batch: Batch) -> Iterator[tuple[Coordinates, Batch]]:
        if not length(batch):
            return
        *indices, values = [np.asarray(column) for column in batch]
        for d, (index, extent) in enumerate(zip(indices, self.shape, strict=True)):
            outside = np.flatnonzero((index < 0) | (index >= extent))
            if len(outside):
                raise RunError(
                    f"{self.name}: the index {index[outside[0]]} lies outside dimension {d}, which"
                    f" has {extent} elements"
                )
        tiles = np.stack([index // self.edge for index in indices], 1)
        keys, of = np.unique(tiles, axis=0, return_inverse=True)
        order = np.argsort(of.reshape(-1), kind="stable")
        ends = np.searchsorted(of.reshape(-1)[order], np.arange(len(keys)), "right")
        for key, part in zip(keys.tolist(), np.split(order, ends[:-1]), strict=True):
            within = [index[part] - k * self.edge for index, k in zip(indices, key, strict=True)]
            yield tuple(key), (*within, values[part])


class _Assemble:
    """For `map` after `cogroup`: the tile that entries make up."""

    def __init__(self, shape: Coordinates, edge: int, dense_rank: int, dtype: np.dtype[Any]):
        self.shape = shape
        self.edge = edge
        self.dense_rank = dense_rank
        self.dtype = dtype

    def __call__(
        self, group: tuple[Coordinates, tuple[list[Batch], list[None]]]
    ) -> tuple[Coordinates, SparseTile]:
        key, (batches, _) = group
        _, extents = tile_box(key, self.shape, self.edge)
        if not batches:
            return key, SparseTile.empty(extents, self.dense_rank, self.dtype)
        *indices, values = [_joined(columns) for columns in zip(*batches, strict=True)]
        combine = np.logical_or if self.dtype == np.bool_ else np.add
        return key, SparseTile.from_coordinates(indices, values, extents, self.dense_rank, combine)


def _joined(columns: Sequence[Array]) -> Array:
    return np.concatenate(columns)
