"""Tiles of another size, without passing the driver.

    recut(blocks, ((0, 3, 5), (0, 4)), 2, 2, np.float64)   # 3 + 2 rows of 4: tiles of 2 by 2
    recut(blocks, ((0, 3, 5), (0, 4)), 2, 2, np.float64, axis=0)       # strips of 2 rows

Workers cut the blocks that they have along the edges of the tiles, and the pieces of a tile meet
where the grid of the array deals it out to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Coordinates, Tile, tile_box, tile_count
from diablo.runtime.program.shuffle import cogroup
from diablo.runtime.program.tile_functions import crop
from diablo.runtime.program.tile_placement import by_grid

Starts = tuple[tuple[int, ...], ...]
"""Where the blocks of an array begin along each dimension, and where the last one ends."""


def starts_of(shape: Sequence[int], edge: int) -> Starts:
    """Return where tiles of one edge begin."""
    return tuple([(*[edge * k for k in range(tile_count(n, edge))], n) for n in shape])


def recut(
    rdd: Any,
    starts: Starts,
    edge: int,
    dense_rank: int,
    dtype: DTypeLike,
    axis: int | None = None,
) -> Any:
    """Return the tiles with another edge of an array, whose blocks begin where `starts` says.

    With an axis the array is cut along that alone, and the key is the place there.
    """
    shape = tuple([start[-1] for start in starts])
    cut = shape if axis is None else shape[axis : axis + 1]
    place = by_grid(cut, edge, max(1, int(rdd.ctx.defaultParallelism)))
    grid = _Edges(shape, edge, axis)
    pieces = cogroup(place, rdd.flatMap(_Cut(starts, grid)))
    return pieces.map(_Assemble(grid, dense_rank, dtype), preservesPartitioning=True)


class _Edges:
    """Where the new tiles of an array begin and end."""

    def __init__(self, shape: Coordinates, edge: int, axis: int | None):
        self.shape = shape
        self.edge = edge
        self.axis = axis

    def tile_at(self, dimension: int, index: int) -> int:
        """Return which tile has an index; a block without elements has the nearest one."""
        if self.axis is not None and dimension != self.axis:
            return 0
        return max(0, min(index, self.shape[dimension] - 1)) // self.edge

    def key(self, coordinates: Coordinates) -> Coordinates:
        """Return the key of a tile."""
        return coordinates if self.axis is None else (coordinates[self.axis],)

    def box(self, key: Coordinates) -> tuple[Coordinates, Coordinates]:
        """Return where a tile begins, and its extents."""
        if self.axis is None:
            return tile_box(key, self.shape, self.edge)
        (origin,), (extent,) = tile_box(key, (self.shape[self.axis],), self.edge)
        origins, extents = [0 for _ in self.shape], list(self.shape)
        origins[self.axis], extents[self.axis] = origin, extent
        return tuple(origins), tuple(extents)


_Piece = tuple[Coordinates, Tile]
"""A part of a tile, with the place of its first element there."""


class _Cut:
    """For `flatMap`: the pieces of a block, each with the coordinates of the tile that it is in."""

    def __init__(self, starts: Starts, edges: _Edges):
        self.starts = starts
        self.edges = edges

    def __call__(self, block: tuple[Coordinates, Tile]) -> Iterator[tuple[Coordinates, _Piece]]:
        place, tile = block
        begins = [start[k] for start, k in zip(self.starts, place, strict=True)]
        ends = [begin + extent for begin, extent in zip(begins, tile.shape, strict=True)]
        reached = [
            range(self.edges.tile_at(d, begin), self.edges.tile_at(d, end - 1) + 1)
            for d, (begin, end) in enumerate(zip(begins, ends, strict=True))
        ]
        for coordinates in product(*reached):
            key = self.edges.key(coordinates)
            origins, extents = self.edges.box(key)
            box = [
                (max(begin, origin), min(end, origin + extent))
                for begin, end, origin, extent in zip(begins, ends, origins, extents, strict=True)
            ]
            part = crop(
                tile,
                [low - begin for (low, _), begin in zip(box, begins, strict=True)],
                [high - low for low, high in box],
            )
            within = [low - origin for (low, _), origin in zip(box, origins, strict=True)]
            yield key, (tuple(within), part)


class _Assemble:
    """For `map` after `cogroup`: the tile that pieces make up."""

    def __init__(self, edges: _Edges, dense_rank: int, dtype: DTypeLike):
        self.edges = edges
        self.dense_rank = dense_rank
        self.dtype = dtype

    def __call__(self, group: tuple[Coordinates, tuple[list[_Piece]]]) -> tuple[Coordinates, Tile]:
        key, (pieces,) = group
        _, extents = self.edges.box(key)
        return key, (
            self._dense(pieces, extents)
            if self.dense_rank == len(extents)
            else self._sparse(pieces, extents)
        )

    def _dense(self, pieces: list[_Piece], extents: Coordinates) -> Tile:
        tile = np.empty(extents, self.dtype)
        for place, part in pieces:
            box = [slice(low, low + n) for low, n in zip(place, part.shape, strict=True)]
            tile[tuple(box)] = part
        return tile

    def _sparse(self, pieces: list[_Piece], extents: Coordinates) -> Tile:
        columns: list[list[NDArray[Any]]] = [[] for _ in extents]
        values: list[NDArray[Any]] = []
        for place, part in pieces:
            assert isinstance(part, SparseTile)
            values.append(part.values)
            for column, low, found in zip(columns, place, part.coordinates(), strict=True):
                column.append(found + low)
        return SparseTile.from_coordinates(
            [np.concatenate(column) for column in columns],
            np.concatenate(values),
            extents,
            self.dense_rank,
        )
