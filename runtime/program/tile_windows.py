"""Tiles together with the borders of their neighbours: what each tile of a space reads.

    W = window(V, ((1,),), (-1,), (1,), (n,), (n,), block_size, partitions, np.float64)

gives each tile of a space of `n` points one dense tile with the elements of V from one before
its first to one after its last: a halo of its neighbours' elements. Each tile of V is
cut into the strips that others read; no whole tile travels to a neighbour. Along axes that wrap
around, the last tile is the first one's neighbour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Coordinates, Tile, split, tile_box, tile_count
from diablo.runtime.column_types import Code, storage
from diablo.runtime.device.device_arrays import on_host, put_together
from diablo.runtime.program.data import tiles
from diablo.runtime.program.tile_functions import Record, crop
from diablo.runtime.program.tile_placement import by_grid

Box = tuple[Coordinates, Coordinates]
"""Where a part of an array begins and ends, per axis."""
Strip = tuple[Coordinates, Any]
"""Where a strip begins in the array, and its elements."""


class Reach:
    """What the tiles of a space read of an array.

    At the point p of the space, axis `a` of the array is read from `lows[a]` to `highs[a]`,
    each plus the sum of `factors[a][d] * p[d]`, and wraps around at `periods[a]` unless that is
    None. A place along such an axis may be any number of turns away from the element's index.
    """

    def __init__(
        self,
        factors: Sequence[Sequence[int]],
        lows: Sequence[int],
        highs: Sequence[int],
        dims: Sequence[int],
        over: Sequence[int],
        block_size: int | None,
        periods: Sequence[int | None] | None = None,
    ):
        self.periods = tuple(periods or [None] * len(dims))
        self.factors = tuple([tuple(row) for row in factors])
        self.lows = tuple(lows)
        self.highs = tuple(highs)
        self.dims = tuple(dims)
        self.over = tuple(over)
        self.block_size = block_size

    def axis(self, a: int, origins: Sequence[int], extents: Sequence[int]) -> tuple[int, int]:
        """Return from where to before where a tile of the space reads along an axis."""
        low, high = self.lows[a], self.highs[a]
        for factor, origin, extent in zip(self.factors[a], origins, extents, strict=True):
            ends = (factor * origin, factor * (origin + extent - 1))
            low += min(ends)
            high += max(ends)
        period = self.periods[a]
        if period is not None:
            return (0, period) if high + 1 - low >= period else (low, high + 1)
        begin = min(max(0, low), self.dims[a])
        return begin, max(begin, min(high + 1, self.dims[a]))

    def box(self, key: Coordinates) -> Box:
        """Return what the tile at `key` reads."""
        origins, extents = tile_box(key, self.over, self.block_size)
        if not all(extents):
            return (0,) * len(self.dims), (0,) * len(self.dims)
        ranges = [self.axis(a, origins, extents) for a in range(len(self.dims))]
        return tuple([begin for begin, _ in ranges]), tuple([end for _, end in ranges])

    def readers(self, coords: Coordinates) -> Iterator[Coordinates]:
        """The tiles of the space that read something of the array's tile at `coords`."""
        origins, sizes = tile_box(coords, self.dims, self.block_size)
        counts = [tile_count(extent, self.block_size) for extent in self.over]
        # Choices of coordinates by the dimensions that they are for, one axis after the other.
        chosen: list[dict[int, int]] = [{}]
        for a, row in enumerate(self.factors):
            own = [d for d, factor in enumerate(row) if factor]
            reading = [
                dict(zip(own, place, strict=True))
                for place in product(*[range(counts[d]) for d in own])
                if self._meets(a, own, place, origins[a], origins[a] + sizes[a])
            ]
            chosen = [
                {**one, **other}
                for one in chosen
                for other in reading
                if all(one.get(d, c) == c for d, c in other.items())
            ]
        for choice in chosen:
            yield from product(
                *[[choice[d]] if d in choice else range(count) for d, count in enumerate(counts)]
            )

    def _meets(
        self, a: int, own: Sequence[int], place: Sequence[int], first: int, end: int
    ) -> bool:
        key = [0] * len(self.over)
        for d, coordinate in zip(own, place, strict=True):
            key[d] = coordinate
        origins, extents = tile_box(key, self.over, self.block_size)
        if not all(extents):
            return False
        return any(self.meetings(a, self.axis(a, origins, extents), first, end))

    def meetings(
        self, a: int, read: tuple[int, int], first: int, end: int
    ) -> Iterator[tuple[int, int, int]]:
        """Return where what is `read` along an axis meets elements from `first` to before `end`.

        Yields from where to before where, in terms of what is read, and the index of the
        element that is there.
        """
        period = self.periods[a]
        turns = range(1)
        if period is not None:
            end = min(end, period)
            turns = range(read[0] // period, (read[1] - 1) // period + 1)
        for turn in turns:
            away = turn * (period or 0)
            low, high = max(read[0], first + away), min(read[1], end + away)
            if low < high:
                yield low, high, low - away


class strips:
    """For `flatMap`: sends what is read of a tile to those that read it."""

    def __init__(self, reach: Reach):
        self.reach = reach

    def __call__(self, record: Record) -> list[tuple[Coordinates, Strip]]:
        """The strips of one tile, by reader."""
        coords, tile = record
        reach = self.reach
        origins, sizes = tile_box(coords, reach.dims, reach.block_size)
        found: list[tuple[Coordinates, Strip]] = []
        for key in reach.readers(coords):
            read = zip(*reach.box(key), strict=True)
            places = [
                list(reach.meetings(a, axis, o, o + size))
                for a, (axis, o, size) in enumerate(zip(read, origins, sizes, strict=True))
            ]
            for place in product(*places):
                inside = [index - o for (_, _, index), o in zip(place, origins, strict=True)]
                extents = [high - low for low, high, _ in place]
                first = tuple([low for low, _, _ in place])
                found.append((key, (first, crop(tile, inside, extents))))
        return found


class joined:
    """For `map` after `groupByKey`: puts the strips of each reader together."""

    def __init__(self, reach: Reach, dtype: Code):
        self.reach = reach
        self.dtype = storage(dtype)

    def __call__(self, record: tuple[Coordinates, Iterable[Strip | None]]) -> Record:
        """The window of a reader."""
        key, found = record
        begins, ends = self.reach.box(key)
        shape = tuple([end - begin for begin, end in zip(begins, ends, strict=True)])
        parts: list[tuple[tuple[slice, ...], Any]] = []
        for places, part in [strip for strip in found if strip is not None]:
            part = dense(part)
            if part.shape == shape:
                return key, part
            where = zip(places, begins, part.shape, strict=True)
            parts.append((tuple([slice(p - b, p - b + n) for p, b, n in where]), part))
        window = put_together(shape, self.dtype, parts)
        if window is not None:
            return key, window
        window = np.zeros(shape, self.dtype)
        for box, part in parts:
            window[box] = on_host(part)
        return key, window


class parts:
    """For `flatMap`: cuts whole arrays into tiles."""

    def __init__(self, block_size: int | None):
        self.block_size = block_size

    def __call__(self, array: Tile) -> list[Record]:
        """The records of an array's tiles."""
        return split(array, self.block_size)


def dense(tile: Tile) -> Any:
    """A tile as an array."""
    return tile.toarray() if isinstance(tile, SparseTile) else tile


class only:
    """For `map`, where arrays have one tile: cuts the window out of it."""

    def __init__(self, reach: Reach):
        self.reach = reach
        self.key = (0,) * len(reach.over)
        self.box = reach.box(self.key)

    def __call__(self, record: Record) -> Record:
        """The one window."""
        key = self.key
        tile, reach = record[1], self.reach
        begins, ends = self.box
        if ends == reach.dims and not any(begins):
            return key, dense(tile)
        for a, (begin, end, period) in enumerate(zip(begins, ends, reach.periods, strict=True)):
            if period is not None and begin < end and not 0 <= begin < end <= period:
                tile = np.take(dense(tile), np.arange(begin, end) % period, a)
                begins = (*begins[:a], 0, *begins[a + 1 :])
                ends = (*ends[:a], end - begin, *ends[a + 1 :])
        extents = [end - begin for begin, end in zip(begins, ends, strict=True)]
        return key, dense(crop(tile, begins, extents))


def window(
    rdd: Any,
    factors: Sequence[Sequence[int]],
    lows: Sequence[int],
    highs: Sequence[int],
    dims: Sequence[int],
    over: Sequence[int],
    block_size: int | None,
    partitions: int,
    dtype: Code,
    periods: Sequence[int | None] | None = None,
) -> Any:
    """Return what each tile of a space of extents `over` reads of an array, as one dense tile.

    `Reach` says what is read; `dims` are the array's dimensions.
    """
    if block_size is None:
        return rdd.map(_only(factors, lows, highs, dims, over, periods))
    reach = Reach(factors, lows, highs, dims, over, block_size, periods)
    # A reader of nothing has a window too: an empty one.
    readers = tiles(rdd.ctx, over, block_size)
    place = by_grid(over, block_size, partitions)
    groups = rdd.flatMap(strips(reach)).union(readers).groupByKey(*place)
    return groups.map(joined(reach, dtype), preservesPartitioning=True)


@lru_cache(maxsize=256)
def _only(
    factors: Sequence[Sequence[int]],
    lows: Sequence[int],
    highs: Sequence[int],
    dims: Sequence[int],
    over: Sequence[int],
    periods: Sequence[int | None] | None,
) -> only:
    """`only` for what is read, found out once for all iterations of a loop."""
    return only(Reach(factors, lows, highs, dims, over, None, periods))
