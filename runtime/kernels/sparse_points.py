"""Where sparse tiles store elements: what a kernel computes there, and nowhere else.

    points = sparse_points.union((n, m), (s, (0, 1)), (t, (1, 0)))     # S and T transposed
    points.tile(points.read(s, (0, 1)) - points.read(t, (1, 0)), 1)    # S - T.t, dense rows

The points are in row-major order, each once. Time and memory are those of the stored elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.ordering import is_ascending
from diablo.runtime.arrays.sparse_tile import SparseTile, flat_positions

Array = NDArray[Any]


class Points:
    """Some points of a space of the given extents, by their ascending row-major positions."""

    def __init__(self, extents: Sequence[int], positions: Array):
        self.extents = tuple(extents)
        self.positions = positions
        self._indices: tuple[Array, ...] | None = None

    def __len__(self) -> int:
        return len(self.positions)

    def index(self, dimension: int) -> Array:
        """The index of each point in a dimension."""
        if self._indices is None:
            self._indices = np.unravel_index(self.positions, self.extents)
        return self._indices[dimension]

    def read(self, tile: SparseTile | Array, dimensions: Sequence[int]) -> Array:
        """The element of each point in a tile whose axes run over `dimensions`."""
        if not isinstance(tile, SparseTile):
            return tile[tuple(self.index(d) for d in dimensions)]
        extents = [self.extents[d] for d in dimensions]
        stored, values = _entries(tile, range(len(extents)), extents)
        if tuple(dimensions) == tuple(range(len(self.extents))):
            wanted = self.positions
        else:
            wanted = flat_positions([self.index(d) for d in dimensions], extents, len(self))
        if len(stored) == len(wanted) and np.array_equal(stored, wanted):
            return values
        result = np.zeros(len(wanted), values.dtype)
        if len(stored):
            place = np.searchsorted(stored, wanted)
            place[place == len(stored)] = 0
            found = stored[place] == wanted
            result[found] = values[place[found]]
        return result

    def tile(self, values: Array, dense_rank: int) -> SparseTile:
        """A tile over the whole space that stores these values of the points."""
        return SparseTile.from_positions(self.positions, values, self.extents, dense_rank)


def union(extents: Sequence[int], *tiles: tuple[SparseTile, Sequence[int]]) -> Points:
    """The points at which one of the tiles stores an element.

    The axes of each tile run over the dimensions beside it, which are all there are; what it
    stores beyond the extents is left out.
    """
    positions: Array | None = None
    for tile, dimensions in tiles:
        more, _ = _entries(tile, np.argsort(dimensions), extents)
        if not is_ascending(more, strictly=True):
            more = np.sort(more)
        if positions is None or not len(positions):
            positions = more
        elif len(more) and not np.array_equal(positions, more):
            positions = _merged(positions, more)
    assert positions is not None
    return Points(extents, positions)


def _merged(one: Array, other: Array) -> Array:
    """The numbers of two ascending arrays, each once, in ascending order."""
    # Two runs in order: what the stable sort of NumPy is fastest at.
    both = np.sort(np.concatenate([one, other]), kind="stable")
    return both[np.concatenate([[True], both[1:] != both[:-1]])]


def _entries(
    tile: SparseTile, axes: Sequence[int] | Array, extents: Sequence[int]
) -> tuple[Array, Array]:
    """The positions of a tile's entries within `extents`, to which its `axes` belong."""
    in_order = list(axes) == list(range(tile.ndim))
    if in_order and tile.shape[1:] == tuple(extents[1:]):
        positions, values = tile.positions(), tile.values
        if tile.shape[:1] != tuple(extents[:1]):
            count = int(np.searchsorted(positions, prod(extents)))
            positions, values = positions[:count], values[:count]
        return positions, values
    found = tile.coordinates()
    coordinates = [found[axis] for axis in axes]
    values = tile.values
    inside = np.ones(len(values), np.bool_)
    for index, extent in zip(coordinates, extents, strict=True):
        inside &= index < extent
    if not inside.all():
        coordinates, values = [index[inside] for index in coordinates], values[inside]
    return flat_positions(coordinates, extents, len(values)), values
