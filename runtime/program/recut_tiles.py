"""Tiles of another size, without passing the driver.

    recut(blocks, ((0, 3, 5), (0, 4)), 2, 2, np.float64)   # 3 + 2 rows of 4: tiles of 2 by 2

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


def recut(rdd: Any, starts: Starts, edge: int, dense_rank: int, dtype: DTypeLike) -> Any:
    """Return the tiles with another edge of an array, whose blocks begin where `starts` says."""
    shape = tuple([start[-1] for start in starts])
    place = by_grid(shape, edge, max(1, int(rdd.ctx.defaultParallelism)))
    pieces = cogroup(place, rdd.flatMap(_Cut(starts, edge)))
    assemble = _Assemble(shape, edge, dense_rank, dtype)
    return pieces.map(assemble, preservesPartitioning=True)


_Piece = tuple[Coordinates, Tile]
"""A part of a tile, with the place of its first element there."""


class _Cut:
    """For `flatMap`: the pieces of a block, each with the coordinates of the tile that it is in."""

    def __init__(self, starts: Starts, edge: int):
        self.starts = starts
        self.shape = tuple([start[-1] for start in starts])
        self.edge = edge

    def __call__(self, block: tuple[Coordinates, Tile]) -> Iterator[tuple[Coordinates, _Piece]]:
        key, tile = block
        begins = [start[k] for start, k in zip(self.starts, key, strict=True)]
        ends = [begin + extent for begin, extent in zip(begins, tile.shape, strict=True)]
        reached = [
            range(self._tile_at(begin, extent), self._tile_at(end - 1, extent) + 1)
            for begin, end, extent in zip(begins, ends, self.shape, strict=True)
        ]
        for coordinates in product(*reached):
            origins, extents = tile_box(coordinates, self.shape, self.edge)
            box = [
                (max(begin, origin), min(end, origin + extent))
                for begin, end, origin, extent in zip(begins, ends, origins, extents, strict=True)
            ]
            part = crop(
                tile,
                [low - begin for (low, _), begin in zip(box, begins, strict=True)],
                [high - low for low, high in box],
            )
            place = [low - origin for (low, _), origin in zip(box, origins, strict=True)]
            yield coordinates, (tuple(place), part)

    def _tile_at(self, index: int, extent: int) -> int:
        """Return which tile has an index; a block without elements has the nearest one."""
        return max(0, min(index, extent - 1)) // self.edge


class _Assemble:
    """For `map` after `cogroup`: the tile that pieces make up."""

    def __init__(self, shape: Coordinates, edge: int, dense_rank: int, dtype: DTypeLike):
        self.shape = shape
        self.edge = edge
        self.dense_rank = dense_rank
        self.dtype = dtype

    def __call__(self, group: tuple[Coordinates, tuple[list[_Piece]]]) -> tuple[Coordinates, Tile]:
        key, (pieces,) = group
        _, extents = tile_box(key, self.shape, self.edge)
        return key, (
            self._dense(pieces, extents)
            if self.dense_rank == len(self.shape)
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
