"""Cutting arrays into tiles and putting them together again.

A tiled array is a list of (coordinates, tile). Tiles are C-order NumPy arrays or
`SparseTile`s; the last one of a dimension is smaller where the block size does not divide
the extent. With block size 2

    [[1, 2, 3],        ((0, 0), [[1, 2],     ((0, 1), [[3],
     [4, 5, 6]]   ->             [4, 5]])              [6]])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.patterns.boxes import flat_positions
from diablo.runtime.arrays.patterns.selection import leading_part
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import Code, storage, zeros
from diablo.runtime.memory_limit import reserve
from diablo.runtime.ordering import stable_order

__all__ = [
    "SparseTile",
    "Tile",
    "assemble",
    "split",
    "tile_box",
    "tile_coordinates",
    "tile_count",
]

Array = NDArray[Any]
Tile = Array | SparseTile
Coordinates = tuple[int, ...]


def tile_count(extent: int, block_size: int | None) -> int:
    """Return how many tiles a dimension has: at least one, so that empty arrays have a tile too.

    Without a block size the whole dimension is one tile.
    """
    if block_size is None:
        return 1
    return max(1, -(-extent // block_size))


def tile_box(
    coords: Sequence[int], dims: Sequence[int], block_size: int | None
) -> tuple[Coordinates, Coordinates]:
    """The origin and the extents, in each dimension, of the tile at `coords`.

    Of dimensions that have no coordinate it has the whole. No tile has an extent below zero.
    """
    if block_size is None:
        return (0,) * len(dims), tuple([max(0, d) for d in dims])
    rest = [max(0, d) for d in dims[len(coords) :]]
    origins = tuple([c * block_size for c in coords])
    extents = [min(block_size, max(0, d - o)) for o, d in zip(origins, dims, strict=False)]
    return (*origins, *[0 for _ in rest]), (*extents, *rest)


def tile_coordinates(dims: Sequence[int], block_size: int | None) -> Iterator[Coordinates]:
    """The coordinates of all tiles of an array, in row-major order."""
    return product(*[range(tile_count(d, block_size)) for d in dims])


def split(array: Tile, block_size: int | None) -> list[tuple[Coordinates, Tile]]:
    """All tiles of an array, in row-major order; an array of one tile is its own tile.

    Tiles share memory with the array where they are contiguous in it.
    """
    dims = array.shape
    counts = [tile_count(d, block_size) for d in dims]
    if prod(counts) == 1 or block_size is None:
        if isinstance(array, np.ndarray):
            array = np.ascontiguousarray(array).reshape(dims)
        return [((0,) * len(dims), array)]
    if isinstance(array, SparseTile):
        if array.dense_rank > 0 and prod(counts[1:]) == 1:
            return _split_leading(array, block_size)
        return _split_sparse(array, block_size)
    tiles: list[tuple[Coordinates, Tile]] = []
    for coords in tile_coordinates(dims, block_size):
        origins, extents = tile_box(coords, dims, block_size)
        box = tuple([slice(o, o + e) for o, e in zip(origins, extents, strict=True)])
        tiles.append((coords, np.ascontiguousarray(array[box])))
    return tiles


def _split_leading(tile: SparseTile, block_size: int) -> list[tuple[Coordinates, Tile]]:
    """Tiles of whole rows: slices of the entries."""
    rest = (0,) * (len(tile.shape) - 1)
    tiles: list[tuple[Coordinates, Tile]] = []
    for number in range(tile_count(tile.shape[0], block_size)):
        (origin, *_), extents = tile_box((number, *rest), tile.shape, block_size)
        selection = leading_part(tile.pattern, origin, origin + extents[0])
        elements = tile.elements[selection.entries]
        part = SparseTile(extents, tile.dense_rank, selection.pattern, elements)
        tiles.append(((number, *rest), part))
    return tiles


def _split_sparse(tile: SparseTile, block_size: int) -> list[tuple[Coordinates, Tile]]:
    """Entries sorted by tile: the sort is stable, so each tile's entries stay in order."""
    dims = tile.shape
    counts = [tile_count(d, block_size) for d in dims]
    coordinates = tile.coordinates()
    numbers = flat_positions([c // block_size for c in coordinates], counts, tile.nnz)
    size = 8 * len(dims) + tile.dtype.itemsize
    reserve(tile.nnz * size, "the blocks of {} entries", tile.nnz)
    order = stable_order(numbers)
    ends = np.cumsum(np.bincount(numbers, minlength=prod(counts)))
    coordinates = [c.take(order) for c in coordinates]
    values = tile.values.take(order)
    tiles: list[tuple[Coordinates, Tile]] = []
    start = 0
    for coords, end in zip(tile_coordinates(dims, block_size), ends.tolist(), strict=True):
        origins, extents = tile_box(coords, dims, block_size)
        local = [c[start:end] - o for c, o in zip(coordinates, origins, strict=True)]
        flat = flat_positions(local, extents, end - start)
        part = SparseTile.from_positions(flat, values[start:end], extents, tile.dense_rank)
        if tile.pattern.layout is not None:
            part = part.with_layout(tile.pattern.layout)
        tiles.append((coords, part))
        start = end
    return tiles


def assemble(
    tiles: Iterable[tuple[Coordinates, Tile]],
    dims: Sequence[int],
    block_size: int | None,
    dense_rank: int,
    dtype: Code,
) -> Tile:
    """The array that `tiles` make up; a tile that is not there holds implicit values.

    An array with sparse dimensions (`dense_rank` below its rank) comes back as a
    `SparseTile`. An array of one tile is that tile itself.
    """
    dims = tuple(dims)
    tiles = list(tiles)
    if dense_rank < len(dims):
        return _assemble_sparse(tiles, dims, block_size, dense_rank, storage(dtype))
    if len(tiles) == 1 and tiles[0][1].shape == dims:
        tile = tiles[0][1]
        if isinstance(tile, SparseTile):
            tile = tile.toarray()
        return tile.astype(storage(dtype), copy=False)
    whole = len(tiles) == prod(tile_count(d, block_size) for d in dims)
    expect_array(dims, dtype)
    result = np.empty(dims, storage(dtype)) if whole else zeros(dims, dtype)
    for coords, tile in tiles:
        origins, extents = tile_box(coords, dims, block_size)
        box = tuple([slice(o, o + e) for o, e in zip(origins, extents, strict=True)])
        result[box] = tile.toarray() if isinstance(tile, SparseTile) else tile
    return result


def expect_array(dims: Sequence[int], dtype: Code) -> None:
    """Check that there is memory for a dense array."""
    size = prod(dims) * storage(dtype).itemsize
    reserve(size, "an array of {}", " x ".join(map(str, dims)))


def _assemble_sparse(
    tiles: list[tuple[Coordinates, Tile]],
    dims: Coordinates,
    block_size: int | None,
    dense_rank: int,
    dtype: np.dtype[Any],
) -> SparseTile:
    if not tiles:
        return SparseTile.empty(dims, dense_rank, dtype)
    columns: list[list[Array]] = [[] for _ in dims]
    values: list[Array] = []
    for coords, tile in tiles:
        if not isinstance(tile, SparseTile):
            tile = SparseTile.from_dense(tile, dense_rank)
        if len(tiles) == 1 and tile.shape == dims:
            return tile.with_dense_rank(dense_rank).astype(dtype)
        origins, _ = tile_box(coords, dims, block_size)
        for column, index, origin in zip(columns, tile.coordinates(), origins, strict=True):
            column.append(index + origin)
        values.append(tile.values)
    entries = sum(map(len, values))
    size = (len(dims) + 1) * 8 + dtype.itemsize
    reserve(entries * size, "a sparse array of {} entries", entries)
    return SparseTile.from_coordinates(
        [np.concatenate(column) for column in columns],
        np.concatenate(values).astype(dtype, copy=False),
        dims,
        dense_rank,
    )
