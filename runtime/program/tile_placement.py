"""Where tiles lie: the tiles of a grid are dealt out evenly, to each partition a box of them.

    A = in_slices(sc, tiles, (2, 2), 2)                    # (0, 0), (0, 1) and (1, 0), (1, 1)
    B = moved.reduceByKey(combine("add"), *by_grid((n, m), block_size, partitions))
    grid_of(A) == grid_of(B)                               # Grid(counts=(2, 2), partitions=2)
    tiles_inside(A, (500, 1000), 500)                      # (0, 0), (0, 1), no longer all of a grid

So the tiles of all arrays of one grid lie alike, whether Spark was given them or has shuffled them,
and no partition has two tiles more than another. Spark's hash of a tuple would put 64 tiles in 24
of 64 partitions. A box that is as long as wide has the fewest rows and columns of tiles: 16 of 256
tiles, 4 by 4, need 4 rows of the one factor of a product and 4 columns of the other, where a row of
16 would need 1 and 16.

PySpark hands the partitioner on as it does with those that it knows itself.

Where tiles travel as bytes, a partition of more than `MOST_IN_TASK` of them is not sent with its
task: many tasks are sent a few tiles each, and a shuffle brings them to their place.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

from diablo.costs import MOST_IN_TASK, MOST_TO_SHUFFLE
from diablo.runtime.arrays.tiles import Coordinates, tile_count
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.given_records import given
from diablo.runtime.engines.job_names import name_stage
from diablo.runtime.engines.partitioning import partitioned
from diablo.runtime.program.tile_functions import inside


@dataclass(frozen=True)
class Grid:
    """Which partition has a tile: each has neighbours, and equally many.

    All dimensions but the last are cut into bands. Tiles are dealt out band by band, in each along
    the last dimension, so that those of a partition are about a box.
    """

    counts: Coordinates
    """How many tiles there are along each dimension."""
    partitions: int

    @cached_property
    def bands(self) -> Coordinates:
        """Into how many bands each dimension is cut but the last."""
        return tuple(map(min, factored(self.partitions, self.counts)[:-1], self.counts[:-1]))

    def __call__(self, key: Coordinates) -> int:
        """Return the number of the partition that has a tile."""
        *leading, last = key or (0,)
        ahead = 0
        row, rows = 0, 1
        for dimension, (coordinate, bands) in enumerate(zip(leading, self.bands, strict=True)):
            count = self.counts[dimension]
            band = _share(coordinate, count, bands)
            start, stop = band * count // bands, (band + 1) * count // bands
            ahead += rows * start * prod(self.counts[dimension + 1 :])
            row = row * (stop - start) + coordinate - start
            rows *= stop - start
        return _share(ahead + last * rows + row, prod(self.counts), self.partitions)


def _share(place: int, count: int, parts: int) -> int:
    """Return which of so many parts, equal up to one, has a place of so many.

    Part p begins at p * count // parts.
    """
    return ((place + 1) * parts - 1) // count


def factored(number: int, counts: Sequence[int]) -> Coordinates:
    """Return a factor of a number for each dimension, such that they divide it into cubes.

    As MPI_Dims_create does: prime factors from the greatest on, each where most tiles are left.

    >>> factored(64, (25, 25)), factored(12, (9, 3)), factored(7, (4, 4))
    ((8, 8), (6, 2), (7, 1))
    """
    factors = [1] * len(counts)
    for prime in reversed(_prime_factors(number)) if counts else ():
        left = [count / factor for count, factor in zip(counts, factors, strict=True)]
        factors[left.index(max(left))] *= prime
    return tuple(factors)


def _prime_factors(number: int) -> list[int]:
    """Return the prime factors of a number, ascending."""
    found: list[int] = []
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            found.append(divisor)
            number //= divisor
        else:
            divisor += 1
    return [*found, number] if number > 1 else found


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
    name_stage()  # What is brought there ends one.
    count = min(prod(counts), partitions)
    found = _grids.get((counts, count))
    if found is None:
        found = _grids.setdefault((counts, count), Grid(counts, count))
    return count, found


def in_slices(sc: Any, records: Sequence[Any], counts: Sequence[int], partitions: int) -> Any:
    """Return an RDD of all tiles of a grid, with a note of where they lie."""
    count, grid = placement(tuple(counts), partitions)
    if count == 1 and not hasattr(sc, "_jvm"):
        return sc.parallelize(records, count)
    places = [grid(key) for key, _ in records]
    # A partition has its tiles in the order of rows, as what a shuffle has grouped.
    ordered = [records[k] for k in sorted(range(len(records)), key=places.__getitem__)]
    places.sort()
    if not hasattr(sc, "_jvm"):
        return sc.parallelize(ordered, count)
    ends = [bisect(places, number) for number in range(-1, count)]
    size = 0
    if are_sent_in_tasks(sc):
        sizes = [data_size(record) for record in ordered]
        if any(sum(sizes[start:stop]) > MOST_IN_TASK for start, stop in pairwise(ends)):
            return _dealt_by_workers(sc, ordered, sizes, (count, grid))
        size = sum(sizes)
    if sc._batchSize == 1:
        rdd = given(sc, ordered, count, size)
    else:  # Spark would deal out batches of tiles.
        parts = [ordered[start:stop] for start, stop in pairwise(ends)]
        rdd = given(sc, parts, count, size, lambda rdd: rdd.flatMap(_each))
    rdd.partitioner = InSlices(grid)
    return rdd


def _dealt_by_workers(
    sc: Any, records: Sequence[Any], sizes: Sequence[int], place: Placement
) -> Any:
    """Return an RDD of tiles, of which a task is sent few; a shuffle brings them to their place.

    Spark sends a task all of its partition in one message, which it bounds, and which the heap of
    the executor has to hold; what a task writes for a partition of the shuffle it has there at once
    as well, and several times. So each is sent far less than it may be, `MOST_TO_SHUFFLE`.
    """
    pieces: list[list[Any]] = []
    room = 0
    for record, size in zip(records, sizes, strict=True):
        if size > room or not pieces:
            pieces.append([])
            room = MOST_TO_SHUFFLE
        pieces[-1].append(record)
        room -= size
    return partitioned(sc.parallelize(pieces, len(pieces)).flatMap(_each), *place)


def are_sent_in_tasks(sc: Any) -> bool:
    """Return whether the records that Spark is given travel with its tasks, and are in no files."""
    return hasattr(sc, "_jvm") and not getattr(sc._unbatched_serializer, "in_files", False)


def _each(tiles: Any) -> Any:
    return tiles


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
