"""Strips of arrays: all that lies along one axis, cut into parts, and what is made of these.

    X = persisted(strips(sc, X, 0, block_size))             # whole rows, under (0,), (1,), …
    parts = X.map(on_tiles(kernel, (n, m), block_size, w))  # two results for each strip
    P, total = gather_strips(parts, 0, ("add", (m,)))       # rows of P, and parts of m sums

The strips of an array lie as the tiles of a vector do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from diablo.costs import ELEMENT_BYTES, MOST_COMBINED_BYTES
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Coordinates, Tile, tile_box, tile_count
from diablo.runtime.column_types import Code, storage
from diablo.runtime.engines.job_names import name_job
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.monoid_ufuncs import Monoid
from diablo.runtime.program.combining import Accumulator
from diablo.runtime.program.recut_tiles import recut, starts_of
from diablo.runtime.program.tile_placement import InSlices, grid_of, in_slices, placement
from diablo.runtime.results.result_types import DistributedArray

Way = int | tuple[Monoid, Sequence[int]]
"""How parts become one: the axis along which they stand side by side, or what combines them to a
result, and the extents of that."""


def strips(sc: Any, array: Tile | DistributedArray, axis: int, block_size: int | None) -> Any:
    """Return the strips along an axis of a dense array, which may be with Spark in tiles."""
    if isinstance(array, DistributedArray):
        tiles = array.tiles_on(sc, array.block_size)
        if tiles is not None and _can_stay(array, block_size):
            dtype = storage(array.code)
            return _strips_of(tiles, axis, array.shape, array.block_size, block_size, dtype)
        array = array.collect()
    whole = array.toarray() if isinstance(array, SparseTile) else np.asarray(array)
    extent = whole.shape[axis]
    count = tile_count(extent, block_size)
    records: list[tuple[Coordinates, Tile]] = []
    for number in range(count):
        (origin,), (length,) = tile_box((number,), (extent,), block_size)
        part = whole[(slice(None),) * axis + (slice(origin, origin + length),)]
        records.append(((number,), np.ascontiguousarray(part)))
    return in_slices(sc, records, (count,), int(sc.defaultParallelism))


def _can_stay(array: DistributedArray, block_size: int | None) -> bool:
    """Return whether workers can cut the tiles of an array anew."""
    if array.dense_rank < array.ndim:
        return False
    whole = array.block_size is None or block_size is None
    return array.block_size == block_size if whole else array.dtype.kind in "biufc"


def tiles_to_strips(
    rdd: Any, axis: int, dims: Sequence[int], block_size: int | None, dtype: Code
) -> Any:
    """Return the strips along an axis of an array that lies in tiles."""
    return _strips_of(rdd, axis, dims, block_size, block_size, storage(dtype))


def _strips_of(
    tiles: Any,
    axis: int,
    dims: Sequence[int],
    edge: int | None,
    block_size: int | None,
    dtype: DTypeLike,
) -> Any:
    counts = tuple([tile_count(extent, edge) for extent in dims])
    if block_size is None or (edge == block_size and max(counts) == max(1, counts[axis])):
        others = [count for other, count in enumerate(counts) if other != axis]
        if all(count == 1 for count in others):
            return _renamed(tiles, axis, counts)
    assert edge is not None
    assert block_size is not None
    return recut(tiles, starts_of(dims, edge), block_size, len(dims), dtype, axis)


def _renamed(tiles: Any, axis: int, counts: Coordinates) -> Any:
    """Return tiles that are strips as such: they stay where they are."""
    strips = tiles.map(_Renamed(axis))
    if not isinstance(tiles.ctx, LocalContext):
        found = grid_of(tiles)
        if found is not None and found.counts == counts:
            _, grid = placement((counts[axis],), found.partitions)
            strips.partitioner = InSlices(grid)
    return strips


class _Renamed:
    """For `map`: a tile under its place along one axis."""

    def __init__(self, axis: int):
        self.axis = axis

    def __call__(self, record: tuple[Coordinates, Tile]) -> tuple[Coordinates, Tile]:
        key, tile = record
        return (key[self.axis],), tile


def gather_strips(rdd: Any, *ways: Way) -> Any:
    """Return what is made of strips on the driver: a whole for each value of the records.

    Workers combine what they have of a result. The driver combines the rest, if that is not too
    much: else they combine it among themselves before.
    """
    name_job(rdd.ctx)
    together = _Together(ways)
    parts = rdd.mapPartitions(together)
    if isinstance(rdd.ctx, LocalContext) or _is_small(rdd.getNumPartitions(), ways):
        return together.wholes(parts.collect())
    return together.wholes([parts.treeReduce(together.combine)])


def _is_small(partitions: int, ways: Sequence[Way]) -> bool:
    """Return whether the driver may hold a part of each partition."""
    elements = sum(prod(way[1]) for way in ways if not isinstance(way, int))
    return partitions * elements * ELEMENT_BYTES <= MOST_COMBINED_BYTES


_Parts = tuple[list[tuple[Coordinates, list[Any]]], list[Any]]
"""What stands side by side, by strips, and what is combined already."""


class _Together:
    """For `mapPartitions`: what a partition has of each result."""

    def __init__(self, ways: Sequence[Way]):
        self.ways = tuple(ways)

    def __call__(self, records: Iterable[tuple[Coordinates, Any]]) -> Iterator[_Parts]:
        beside: list[tuple[Coordinates, list[Any]]] = []
        totals = self._totals()
        for key, value in records:
            values = value if len(self.ways) > 1 else (value,)
            beside.append((key, self._beside(values)))
            self._add(totals, self._combined(values))
        if beside:
            yield beside, [total.value for total in totals]

    def combine(self, one: _Parts, other: _Parts) -> _Parts:
        """Return what two partitions have."""
        totals = self._totals()
        for _, combined in (one, other):
            self._add(totals, combined)
        return [*one[0], *other[0]], [total.value for total in totals]

    def wholes(self, found: Sequence[_Parts]) -> Any:
        """Return the results, of what the partitions have."""
        totals = self._totals()
        for _, combined in found:
            self._add(totals, combined)
        strips = sorted([strip for beside, _ in found for strip in beside], key=itemgetter(0))
        combined, place = iter(totals), 0
        results: list[Any] = []
        for way in self.ways:
            if isinstance(way, int):
                results.append(_joined([values[place] for _, values in strips], way))
                place += 1
            else:
                results.append(_dense(next(combined).value))
        return tuple(results) if len(results) > 1 else results[0]

    def _totals(self) -> list[Accumulator]:
        return [Accumulator(way[0]) for way in self.ways if not isinstance(way, int)]

    def _beside(self, values: Sequence[Any]) -> list[Any]:
        return [v for v, way in zip(values, self.ways, strict=True) if isinstance(way, int)]

    def _combined(self, values: Sequence[Any]) -> list[Any]:
        return [v for v, way in zip(values, self.ways, strict=True) if not isinstance(way, int)]

    @staticmethod
    def _add(totals: Sequence[Accumulator], values: Sequence[Any]) -> None:
        for total, value in zip(totals, values, strict=True):
            total.add(value)


def _joined(parts: Sequence[Any], axis: int) -> Any:
    dense = [_dense(part) for part in parts]
    return dense[0] if len(dense) == 1 else np.concatenate(dense, axis)


def _dense(value: Any) -> Any:
    """Return what a kernel gave, which may be sparse if the arrays are that it was given whole."""
    return value.toarray() if isinstance(value, SparseTile) else value
