"""Bringing records with equal keys together, with as few passes through Python as it takes.

    place = by_grid((n, m), block_size, partitions)
    C = cogroup(place, A.flatMap(rekey(…)), B.flatMap(rekey(…))).map(on_groups(…))
    D = zip_tiles(place, C, E).map(on_groups(…))

PySpark's own `cogroup` unites its inputs first and partitions the union, which pickles every tile
once more. Here each input is partitioned where it is made, and an input that already has the
partitioning stays where it is. What `rekey` has copied to many keys goes to a partition once, with
its keys there; PySpark would write it again in each of the batches that it cuts records into.

Tiles of arrays of one grid lie alike (`tile_placement.py`). Where Spark was given some of them it
does not know that, so arrays with one tile for each key are zipped, and what makes such a tile runs
in the task that reads it: nothing is shuffled, and each tile is brought to Python once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from importlib import import_module
from itertools import tee
from typing import Any

from diablo.costs import FEW_SENT_BYTES, MOST_SENT_BYTES
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.partitioning import partitioned
from diablo.runtime.program.loop import broadcast
from diablo.runtime.program.row_functions import hash_rows
from diablo.runtime.program.tile_functions import whole_value
from diablo.runtime.program.tile_placement import Grid, InSlices, Placement, by_bucket, grid_of
from diablo.runtime.results.result_types import Rows
from diablo.runtime.rows.batches import Batch

Groups = tuple[list[Any], ...]


class _once_to_each_partition:
    """For `mapPartitions`: a value for each partition that its keys are in, not for each key.

        (0, 0): A, (0, 1): A, (0, 2): A   =>   (0, 0): [2, A, (0, 1)], (0, 2): [2, A]

    where a partition has the first two keys, and 2 is the number of the input. Values that are one
    object follow one another.
    """

    def __init__(self, number: int, grid: Grid):
        self.number = number
        self.grid = grid

    def __call__(self, records: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, list[Any]]]:
        last: Any = None
        keys: dict[int, list[Any]] = {}
        for key, value in records:
            if keys and value is not last:
                yield from self._sent(last, keys)
                keys = {}
            last = value
            keys.setdefault(self.grid(key), []).append(key)
        yield from self._sent(last, keys)

    def _sent(self, value: Any, keys: dict[int, list[Any]]) -> Iterator[tuple[Any, list[Any]]]:
        for first, *others in keys.values():
            yield first, [self.number, value, *others]


class _collect_groups:
    """For `mapPartitions`: every key with one list per input."""

    def __init__(self, count: int):
        self.count = count

    def __call__(self, records: Iterable[Any]) -> Iterator[tuple[Any, Groups]]:
        groups: dict[Any, Groups] = {}
        for first, (number, value, *others) in records:
            for key in (first, *others):
                if key not in groups:
                    groups[key] = tuple([list[Any]() for _ in range(self.count)])
                groups[key][int(number)].append(value)
        for key in sorted(groups):
            # A group's tiles are let go as soon as its kernel is done with them.
            yield key, groups.pop(key)


def cogroup(place: Placement | int, *rdds: Any) -> Any:
    """Return every key with a tuple of lists: its values in each of the RDDs.

    The keys are places of a grid, or the numbers of so many buckets.
    """
    if isinstance(rdds[0].ctx, LocalContext):
        first, *others = rdds
        return first.groupWith(*others) if others else first.groupByKey().mapValues(_alone)
    if isinstance(place, int):
        place = by_bucket(place)
    moved = [_sent_to(place, rdd, number) for number, rdd in enumerate(rdds)]
    united = reduce(lambda a, b: a.union(b), moved)
    return united.mapPartitions(_collect_groups(len(rdds)), preservesPartitioning=True)


def zip_tiles(place: Placement, *rdds: Any) -> Any:
    """Return every key with a tuple of lists: its tile in each of the RDDs, which have one each.

    Nothing is shuffled but what turns out to lie otherwise than the others.
    """
    lies = [] if isinstance(rdds[0].ctx, LocalContext) else [grid_of(rdd) for rdd in rdds]
    alike = bool(lies) and all(found is place[1] for found in lies)
    # What Spark knows of where all of them lie is worth more than a pass less.
    if alike and any(isinstance(rdd.partitioner, InSlices) for rdd in rdds):
        return _side_by_side(rdds)
    return cogroup(place, *rdds)


Side = tuple[Any, Sequence[int], Batch | Rows | None]
"""One side of a join: its rows, the columns of the key, and all rows as the program was given
them, if it was."""


def join_groups(partitions: int, left: Side, right: Side, sent: Sequence[int] = (0, 1)) -> Any:
    """The groups of two sides that a join is done with.

    Either rows of one key meet, as by `hash_rows`, or, if that moves less, every batch of one side
    meets the whole of the other, which is one of `sent`.
    """
    sides = (left, right)
    sc = left[0].ctx
    whole = None if isinstance(sc, LocalContext) else _sent_whole(partitions, sides, sent)
    if whole is None:
        hashed = [rdd.flatMap(hash_rows(columns, partitions)) for rdd, columns, _ in sides]
        return cogroup(partitions, *hashed)
    rdd, _, _ = sides[1 - whole]
    return rdd.map(_beside(broadcast(sc, sides[whole][2]), whole))


def _sent_whole(partitions: int, sides: Sequence[Side], sent: Sequence[int]) -> int | None:
    """Return which side is to go whole to the batches of the other, if any."""
    sizes = [data_size(rows) if isinstance(rows, tuple) else None for _, _, rows in sides]
    found = [(size, side) for side in sent if (size := sizes[side]) is not None]
    if not found or min(found)[0] > MOST_SENT_BYTES:
        return None
    size, side = min(found)
    other = sizes[1 - side]
    moves_less = size <= FEW_SENT_BYTES if other is None else size * partitions <= size + other
    return side if moves_less else None


class _beside:
    """For `map`: a batch of one side as a group, with the whole of the other."""

    def __init__(self, whole: Any, side: int):
        self.whole = whole
        self.side = side

    def __call__(self, rows: Batch) -> tuple[Any, Groups]:
        whole = whole_value(self.whole)
        return (), (([whole], [rows]) if self.side == 0 else ([rows], [whole]))


def _side_by_side(rdds: tuple[Any, ...]) -> Any:
    """The groups of RDDs that lie alike; what makes their tiles is done where they are read."""
    sources: list[Any] = []
    steps: list[_Step | None] = []
    for rdd in rdds:
        source, step = _source(rdd)
        sources.append(source)
        steps.append(step)
    zipped = reduce(lambda a, b: a.zip(b), sources)
    zipped.partitioner = next(
        rdd.partitioner for rdd in rdds if isinstance(rdd.partitioner, InSlices)
    )
    return zipped.mapPartitionsWithIndex(_zip_groups(steps), preservesPartitioning=True)


_Step = Callable[[int, Iterable[Any]], Iterable[Any]]


def _source(rdd: Any) -> tuple[Any, _Step | None]:
    """Return what an RDD is made of that Spark has, and what Python makes of that, if anything.

    What is read of a shuffle is no tile for each key.
    """
    if not isinstance(rdd.partitioner, InSlices):
        return rdd._reserialize(rdd.ctx.serializer), None
    if not hasattr(rdd, "func") or not rdd._is_pipelinable():
        return rdd, None
    spark: Any = import_module("pyspark")
    return spark.RDD(rdd._prev_jrdd, rdd.ctx, rdd._prev_jrdd_deserializer), rdd.func


class _zip_groups:
    """For `mapPartitionsWithIndex`: every key with one list per input."""

    def __init__(self, steps: list[_Step | None]):
        self.steps = steps

    def __call__(self, split: int, records: Iterable[Any]) -> Iterator[tuple[Any, Groups]]:
        count = len(self.steps)
        copies = tee(records, count)
        inputs = [_inputs(copy, k, count) for k, copy in enumerate(copies)]
        made = [
            tiles if step is None else step(split, tiles)
            for step, tiles in zip(self.steps, inputs, strict=True)
        ]
        waiting: dict[Any, Groups] = {}
        for found in zip(*made, strict=True):
            key = found[0][0]
            if all(other == key for other, _ in found):
                yield key, tuple([[value] for _, value in found])
                continue
            # A shuffle has brought the tiles of some of them in another order.
            for number, (key, value) in enumerate(found):
                group = waiting.setdefault(key, tuple([list[Any]() for _ in range(count)]))
                group[number].append(value)
                if all(group):
                    yield key, waiting.pop(key)
        assert not waiting, "tiles do not lie alike"


def _inputs(records: Iterable[Any], number: int, count: int) -> Iterator[Any]:
    """The records of one input, of pairs of pairs: ((a, b), c)."""
    for record in records:
        found = record
        for _ in range(count - 1 - max(number, 1)):
            found = found[0]
        yield found[min(number, 1)]


def _alone(values: Any) -> tuple[Any]:
    return (values,)


def _sent_to(place: Placement, rdd: Any, number: int) -> Any:
    """The records of an input where their keys belong, written as a shuffle writes them."""
    once = _once_to_each_partition(number, place[1])
    marked = rdd.mapPartitions(once, preservesPartitioning=True)
    moved = partitioned(marked, *place)
    return moved if moved is not marked else marked._reserialize(_shuffle_serializer(rdd.ctx))


def _shuffle_serializer(sc: Any) -> Any:
    from pyspark.serializers import BatchedSerializer

    return BatchedSerializer(sc._unbatched_serializer)
