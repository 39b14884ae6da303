"""Where sparse tiles store elements: what a kernel computes there, and nowhere else.

    points = sparse_points.union((n, m), (s, (0, 1)), (t, (1, 0)))     # S and T transposed
    points.tile(points.read(s, (0, 1)) - points.read(t, (1, 0)), 1)    # S - T.t, dense rows

The points are those of a pattern, in the order of its entries. Time and memory are those of the
stored elements. Tiles that share a pattern are not even compared: their vectors of values are
read as they are, and the result has their pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import translate
from diablo.runtime.arrays.patterns.set_operations import union as union_of
from diablo.runtime.arrays.patterns.variants import transposed
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import zeros_like

Array = NDArray[Any]
Operand = tuple[int, tuple[int, ...]]


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

    def read(self, tile: SparseTile | Array, dimensions: Sequence[int]) -> Array:
        """The element of each point in a tile whose axes run over `dimensions`."""
        if not isinstance(tile, SparseTile):
            return tile[tuple(self.index(d) for d in dimensions)]
        key = (id(tile), tuple(dimensions))
        if key not in self._entries:
            self._entries[key] = self._find(tile, key[1])
        entries = self._entries[key]
        if entries is None:
            return tile.elements
        found = entries >= 0
        if tile.dtype == np.bool_:
            return found
        if found.all():
            return tile.elements.take(entries)
        result = zeros_like(tile.elements, len(entries))
        result[found] = tile.elements.take(entries[found])
        return result

    def _find(self, tile: SparseTile, dimensions: tuple[int, ...]) -> Array | None:
        """Where a tile that has not been brought in stores the points."""
        in_order = dimensions == tuple(range(self.pattern.ndim))
        same_order = tile.pattern.order == self.pattern.order
        if in_order and same_order and self.pattern.same_set(tile.pattern):
            return None
        return tile.pattern.lookup([self.index(d) for d in dimensions])

    def tile(self, values: Array, dense_rank: int) -> SparseTile:
        """A tile over the whole space that stores these values of the points.

        It shares the points' pattern if no value is zero.
        """
        return SparseTile.on_pattern(self.pattern, values, dense_rank)


def union(extents: Sequence[int], *tiles: tuple[SparseTile, Sequence[int]]) -> Points:
    """The points at which one of the tiles stores an element.

    The axes of each tile run over the dimensions beside it, which are all there are; what it
    stores beyond the extents is left out.
    """
    pattern: Pattern | None = None
    entries: dict[Operand, Array | None] = {}
    for tile, dimensions in tiles:
        more = transposed(tile.pattern, np.argsort(dimensions).tolist())
        more, kept = translate(more, [0] * len(extents), extents)
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
        entries[id(tile), tuple(dimensions)] = right
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
