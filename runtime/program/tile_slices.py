"""Slices of arrays in emitted programs.

row = slice_of(A, (k, None))
row = A.flatMap(slices((k, None), (n, m), block_size))
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.runtime.arrays.slices import Index, slice_of
from diablo.runtime.arrays.tiles import Coordinates, Tile
from diablo.runtime.program.tile_functions import Record

__all__ = ["slice_of", "slices"]


class slices:
    """For `flatMap`: the tiles of a slice of an array with the dimensions `dims`.

    Only the tiles that hold the index are looked at. Where none does, as it lies outside of the
    array, the first ones give the tiles of a slice without elements.
    """

    def __init__(self, index: Index, dims: Sequence[int], block_size: int | None):
        inside = all(i is None or 0 <= i < n for i, n in zip(index, dims, strict=True))
        self.coordinates: list[int | None] = []
        self.local: list[int | None] = []
        for i in index:
            if i is None or inside:
                tile, local = (None, None) if i is None else divmod(i, block_size or i + 1)
            else:
                tile, local = 0, -1
            self.coordinates.append(tile)
            self.local.append(local)

    def __call__(self, record: Record) -> list[tuple[Coordinates, Tile]]:
        """Return what a tile has of the slice."""
        coords, tile = record
        if any(c is not None and c != own for c, own in zip(self.coordinates, coords, strict=True)):
            return []
        key = tuple([own for c, own in zip(self.coordinates, coords, strict=True) if c is None])
        return [(key, slice_of(tile, self.local))]
