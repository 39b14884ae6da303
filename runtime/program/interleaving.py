"""Arrays of which one dimension is made of two of another's.

    B = interleave(A, (2,), (2 * n,), block_size, partitions)

takes the element (i, a) of A, which has n x 2, to 2 * i + a. In memory nothing moves where A is
one tile; of several tiles each is cut where those of B begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from diablo.runtime.arrays.tiles import Array, Coordinates, tile_box
from diablo.runtime.program.tile_functions import Record
from diablo.runtime.program.tile_placement import by_grid

Piece = tuple[tuple[Array, ...], Array]
"""Where in a tile the elements of a block go, along each dimension, and the block."""


class _Shape:
    """What the two arrays look like."""

    def __init__(self, factors: Sequence[int], dims: Sequence[int], block_size: int | None):
        self.factors = tuple(factors)
        self.dims = tuple(dims)
        self.block_size = block_size
        self.wide = tuple(
            [
                extent
                for factor, whole in zip(factors, dims, strict=True)
                for extent in ((whole,) if factor == 1 else (whole // factor, factor))
            ]
        )

    def indices(self, coords: Coordinates) -> list[Array]:
        """Along each dimension of the result, the indices of the elements of one tile."""
        origins, extents = tile_box(coords, self.wide, self.block_size)
        own = [np.arange(o, o + e) for o, e in zip(origins, extents, strict=True)]
        found: list[Array] = []
        for factor in self.factors:
            outer = own.pop(0)
            if factor > 1:
                outer = (outer[:, None] * factor + own.pop(0)).ravel()
            found.append(outer)
        return found


class pieces:
    """For `flatMap`: cuts a tile where those of the result begin."""

    def __init__(self, shape: _Shape):
        self.shape = shape

    def __call__(self, record: Record) -> list[tuple[Coordinates, Piece]]:
        """The pieces by the tiles that they go to."""
        coords, tile = record
        shape = self.shape
        indices = shape.indices(coords)
        block = tile.reshape([len(own) for own in indices])
        size = shape.block_size
        if size is None:
            return [((0,) * len(indices), (tuple(indices), block))]
        homes = [own // size for own in indices]
        found: list[tuple[Coordinates, Piece]] = []
        for key in product(*[np.unique(home).tolist() for home in homes]):
            chosen = [np.flatnonzero(home == k) for home, k in zip(homes, key, strict=True)]
            places = tuple(
                [own[c] - k * size for own, c, k in zip(indices, chosen, key, strict=True)]
            )
            found.append((key, (places, block[np.ix_(*chosen)])))
        return found


class put_together:
    """For `map` after `groupByKey`: makes each tile of its pieces."""

    def __init__(self, shape: _Shape):
        self.shape = shape

    def __call__(self, record: tuple[Coordinates, Iterable[Piece]]) -> Record:
        """One tile; its pieces cover it."""
        key, found = record
        parts = list(found)
        _, extents = tile_box(key, self.shape.dims, self.shape.block_size)
        tile = np.empty(extents, parts[0][1].dtype)
        for places, block in parts:
            tile[np.ix_(*places)] = block
        return key, tile


def interleave(
    rdd: Any,
    factors: Sequence[int],
    dims: Sequence[int],
    block_size: int | None,
    partitions: int,
) -> Any:
    """The array whose dimensions are one or, with a factor above 1, two of those of `rdd`.

    `dims` are the dimensions of the result, multiples of the factors.
    """
    shape = _Shape(factors, dims, block_size)
    if block_size is None:
        return rdd.map(_reshaped(shape.dims))
    place = by_grid(dims, block_size, partitions)
    groups = rdd.flatMap(pieces(shape)).groupByKey(*place)
    # An array without elements has no pieces, so not all places of the grid may have a tile.
    return groups.map(put_together(shape))


def joined_axes(array: Array, widths: Sequence[int]) -> Array:
    """An array of the driver with `widths[a]` of its axes as axis a."""
    return array.reshape(joined_shape(array.shape, widths))


def joined_shape(shape: Sequence[int], widths: Sequence[int]) -> list[int]:
    """The extents where `widths[a]` of the axes are axis a."""
    joined, start = list[int](), 0
    for width in widths:
        joined.append(prod(shape[start : start + width]))
        start += width
    return joined


class _reshaped:
    """For `map`, where arrays have one tile."""

    def __init__(self, dims: Coordinates):
        self.dims = dims

    def __call__(self, record: Record) -> Record:
        return (0,) * len(self.dims), record[1].reshape(self.dims)
