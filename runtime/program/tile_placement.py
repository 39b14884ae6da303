"""Where tiles lie: the tiles of a grid are dealt out evenly, in row-major order.

    A = in_slices(sc.parallelize(tiles, 2), (2, 2), 2)     # (0, 0), (0, 1) and (1, 0), (1, 1)
    B = moved.reduceByKey(combine("add"), *by_grid((n, m), block_size, partitions))
    grid_of(A) == grid_of(B)                               # Grid(counts=(2, 2), partitions=2)
    tiles_inside(A, (500, 1000), 500)                      # (0, 0), (0, 1), no longer all of a grid

So the tiles of all arrays of one grid lie alike, whether Spark was given them or has shuffled them,
and no partition has two tiles more than another. Spark's hash of a tuple would put 64 tiles in 24
of 64 partitions.

PySpark hands the partitioner on as it does with those that it knows itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from diablo.runtime.arrays.tiles import Coordinates, tile_count
from diablo.runtime.program.tile_functions import inside


@dataclass(frozen=True)
class Grid:
    """Which partition has a tile: each has neighbours in the order of rows, and equally many."""

    counts: Coordinates
    """How many tiles there are along each dimension."""
    partitions: int

    def __call__(self, key: Coordinates) -> int:
        """Return the number of the partition that has a tile."""
        place = 0
        for coordinate, count in zip(key, self.counts, strict=True):
            place = place * count + coordinate
        return ((place + 1) * self.partitions - 1) // prod(self.counts)


Placement = tuple[int, Grid]
"""How many partitions there are, and which of them has a tile, as PySpark's methods take it."""


@dataclass(frozen=True)
class InSlices:
    """The partitioner of an RDD whose tiles Spark was given in their order.

    They lie as the grid says, which Spark itself does not know.
    """

    grid: Grid


_grids: dict[tuple[Coordinates, int], Grid] = {}
"""Each grid once and for good: Spark tells partitioners apart by the identity of functions."""


def by_grid(dims: Sequence[int], block_size: int | None, partitions: int) -> Placement:
    """Return where tiles of an array of these dimensions lie, in so many partitions at most."""
    counts = tuple([tile_count(extent, block_size) for extent in dims])
    return placement(counts, partitions)


def by_bucket(buckets: int) -> Placement:
    """Return where what is hashed to so many buckets lies: each of these is a partition."""
    return placement((buckets,), buckets)


def placement(counts: Coordinates, partitions: int) -> Placement:
    """Return where so many tiles along each dimension lie, in so many partitions at most."""
    count = min(prod(counts), partitions)
    found = _grids.get((counts, count))
    if found is None:
        found = _grids.setdefault((counts, count), Grid(counts, count))
    return count, found


def in_slices(rdd: Any, counts: Sequence[int], partitions: int) -> Any:
    """Return a new RDD with a note of where its tiles lie, in the order of rows."""
    if hasattr(rdd, "_jrdd"):
        rdd.partitioner = InSlices(placement(tuple(counts), partitions)[1])
    return rdd


def grid_of(rdd: Any) -> Grid | None:
    """Return the grid by which the records of an RDD lie, if they do."""
    partitioner = rdd.partitioner
    if isinstance(partitioner, InSlices):
        return partitioner.grid
    found = getattr(partitioner, "partitionFunc", None)
    return found if isinstance(found, Grid) else None


def tiles_inside(rdd: Any, dims: Sequence[int], block_size: int | None) -> Any:
    """Return the tiles of an array that begin inside the given dimensions."""
    if not hasattr(rdd, "_jrdd"):
        return rdd.filter(inside(dims, block_size))
    counts = [tile_count(extent, block_size) for extent in dims]
    whole = grid_of(rdd)
    if whole is not None and all(
        have <= wanted for have, wanted in zip(whole.counts, counts, strict=False)
    ):
        return rdd
    found = rdd.filter(inside(dims, block_size))
    found.partitioner = None
    return found
