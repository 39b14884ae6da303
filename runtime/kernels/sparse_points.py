"""Where sparse tiles store elements: what a kernel computes there, and nowhere else.

    points = sparse_points.union((n, m), (s, (0, 1)), (t, (1, 0)))     # S and T transposed
    points.tile(points.read(s, (0, 1)) - points.read(t, (1, 0)), 1)    # S - T.t, dense rows

A dense array that changes at them alone is copied, or changed itself if it may be:

    points = sparse_points.union((n, m), (r, (0, 1), (-1, -1)))        # R[d0 - 1, d1 - 1]
    points.update(t, points.at(t, (points.index(0) - 1, points.index(1))))

The points are those of a pattern, in the order of its entries. Time and memory are those of the
stored elements. Tiles that share a pattern are not even compared: their vectors of values are
read as they are, and the result has their pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.cleared import zeros
from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import translate
from diablo.runtime.arrays.patterns.set_operations import union as union_of
from diablo.runtime.arrays.patterns.variants import transposed
from diablo.runtime.arrays.sparse_tile import SparseTile

Array = NDArray[Any]
Access = tuple[tuple[int, ...], tuple[int, ...]]
"""The dimensions that the axes of a tile run over, and where each begins."""
Operand = tuple[int, Access]


class Points:
    """The points of a pattern over a space.

    `entries` has for tiles that are known to be read at which of their entries each point is:
    -1 where they store nothing; None if all are, in the same order.
    """

    def __init__(self, pattern: Pattern, entries: dict[Operand, Array | None] | None = None):
        self.pattern = pattern
        self._entries = {} if entries is None else entries
        self._indices: tuple[Array, ...] | None = None

    def __len__(self) -> int:
        return self.pattern.count

    def index(self, dimension: int) -> Array:
        """The index of each point in a dimension."""
        if self._indices is None:
            self._indices = self.pattern.coordinates()
        return self._indices[dimension]

    def read(
        self,
        tile: SparseTile | Array,
        dimensions: Sequence[int],
        starts: Sequence[int] | None = None,
    ) -> Array:
        """The element of each point in a tile whose axes run over `dimensions`, from `starts`.

        The points have to be inside of a dense tile.
        """
        if not isinstance(tile, SparseTile):
            return tile[tuple(self.index(d) for d in dimensions)]
        access = _access(dimensions, starts)
        key = (id(tile), access)
        if key not in self._entries:
            self._entries[key] = self._find(tile, access)
        entries = self._entries[key]
        return tile.elements if entries is None else _elements(tile, entries)

    def _find(self, tile: SparseTile, access: Access) -> Array | None:
        """Return where a tile that has not been brought in stores the points."""
        dimensions, starts = access
        in_order = dimensions == tuple(range(self.pattern.ndim)) and not any(starts)
        same_order = tile.pattern.order == self.pattern.order
        if in_order and same_order and self.pattern.same_set(tile.pattern):
            return None
        if in_order and (entries := self.pattern.entries_in(tile.pattern)) is not None:
            return entries
        return tile.pattern.lookup(
            [self.index(d) + s for d, s in zip(dimensions, starts, strict=True)]
        )

    def at(self, tile: SparseTile | Array, places: Sequence[Array | int]) -> Array:
        """The element of each point at computed places, zero where these are outside."""
        columns = [np.broadcast_to(place, len(self)) for place in places]
        if isinstance(tile, SparseTile):
            return _elements(tile, tile.pattern.lookup(columns))
        inside: Any = True
        for column, size in zip(columns, tile.shape, strict=True):
            inside = inside & (column >= 0) & (column < size)
        if np.all(inside):
            return tile[tuple(columns)]
        result = np.zeros(len(self), tile.dtype)
        result[inside] = tile[tuple(column[inside] for column in columns)]
        return result

    def update(self, tile: Array, values: Array) -> Array:
        """The part of a dense tile that the space is, with these values at the points.

        It is in the tile's memory if `memory.into` offers that.
        """
        if tile.shape != self.pattern.shape:
            tile = tile[tuple(slice(extent) for extent in self.pattern.shape)]
        result = memory.copied(tile)
        result[self._places()] = values
        return result

    def fill(self, values: Array, dtype: DTypeLike) -> Array:
        """A dense tile over the space with these values at the points, zero elsewhere."""
        result = zeros(self.pattern.shape, dtype)
        result[self._places()] = values
        return result

    def _places(self) -> tuple[Array, ...]:
        return tuple(self.index(d) for d in range(self.pattern.ndim))

    def tile(self, values: Array, dense_rank: int) -> SparseTile:
        """A tile over the whole space that stores these values of the points.

        It shares the points' pattern if no value is zero.
        """
        return SparseTile.on_pattern(self.pattern, values, dense_rank)


def _elements(tile: SparseTile, entries: Array) -> Array:
    """The elements of these entries of a tile, zero for -1."""
    return entries >= 0 if tile.dtype == np.bool_ else gathered(tile.elements, entries)


def _access(dimensions: Sequence[int], starts: Sequence[int] | None) -> Access:
    return tuple(dimensions), tuple(starts or [0] * len(dimensions))


def union(
    extents: Sequence[int],
    *tiles: tuple[SparseTile, Sequence[int]] | tuple[SparseTile, Sequence[int], Sequence[int]],
) -> Points:
    """The points at which one of the tiles stores an element.

    The axes of each tile run over the dimensions beside it, which are all there are, from 0 or
    from where the third part says; what it stores beyond the extents is left out.
    """
    pattern: Pattern | None = None
    entries: dict[Operand, Array | None] = {}
    for tile, dimensions, *starts in tiles:
        access = _access(dimensions, starts[0] if starts else None)
        turned: list[int] = np.argsort(dimensions).tolist()
        more = transposed(tile.pattern, turned)
        more, kept = translate(more, [-access[1][axis] for axis in turned], extents)
        right: Array | None = None
        if pattern is None:
            pattern = more
        else:
            joined = union_of(pattern, more)
            pattern, right = joined.pattern, joined.right
            entries = {key: _through(part, joined.left) for key, part in entries.items()}
        if not isinstance(kept, slice):
            right = _through(kept, right)
        elif more.count < tile.nnz:
            first = int(kept.start)
            right = _through(np.arange(first, first + more.count), right)
        entries[id(tile), access] = right
    assert pattern is not None
    return Points(pattern, entries)


def _through(entries: Array | None, places: Array | None) -> Array | None:
    """The entries at some places, -1 where there is none; None stands for all in order."""
    if places is None:
        return entries
    if entries is None:
        return places
    if not len(entries):
        return np.full(len(places), -1, np.int64)
    return np.where(places < 0, -1, entries.take(places))
