"""Where the tiles lie that Spark was given: in slices of all coordinates, in row-major order.

    A = in_slices(sc.parallelize(tiles, 2), (2, 2), 2)     # (0, 0), (0, 1) and (1, 0), (1, 1)
    A.map(…, preservesPartitioning=True).partitioner       # Slices(counts=(2, 2), partitions=2)
    tiles_inside(A, (500, 1000), 500)                      # (0, 0), (0, 1), no longer in slices

Two arrays of one grid lie alike. PySpark hands the partitioner on as it does with those that it
knows itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from diablo.runtime.arrays.tiles import Coordinates, tile_count
from diablo.runtime.program.tile_functions import inside


@dataclass(frozen=True)
class Slices:
    """The partitioner of an RDD with a tile for each of some coordinates, in their order."""

    counts: Coordinates
    """How many tiles there are along each dimension."""
    partitions: int

    def __call__(self, key: Coordinates) -> int:
        """The number of the partition that has a tile."""
        place = 0
        for coordinate, count in zip(key, self.counts, strict=True):
            place = place * count + coordinate
        return ((place + 1) * self.partitions - 1) // prod(self.counts)


def in_slices(rdd: Any, counts: Sequence[int], partitions: int) -> Any:
    """Note where the tiles of a new RDD lie; returns it."""
    if hasattr(rdd, "_jrdd"):
        rdd.partitioner = Slices(tuple(counts), partitions)
    return rdd


def tiles_inside(rdd: Any, dims: Sequence[int], block_size: int | None) -> Any:
    """The tiles of an array that begin inside the given dimensions."""
    slices = getattr(rdd, "partitioner", None)
    if not isinstance(slices, Slices):
        return rdd.filter(inside(dims, block_size))
    counts = tuple([tile_count(extent, block_size) for extent in dims])
    if all(have <= wanted for have, wanted in zip(slices.counts, counts, strict=False)):
        return rdd
    found = rdd.filter(inside(dims, block_size))
    found.partitioner = None
    return found
