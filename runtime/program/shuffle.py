"""Bringing records with equal keys together, with as few passes through Python as it takes.

    C = cogroup(partitions, A.flatMap(rekey(…)), B.flatMap(rekey(…))).map(on_groups(…))

PySpark's own `cogroup` unites its inputs first and partitions the union, which pickles every
tile once more. Here each input is partitioned where it is made, and an input that already
has the partitioning stays where it is: elementwise operations on such arrays do not shuffle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

from diablo.runtime.engines.local import LocalContext

Groups = tuple[list[Any], ...]


class _tag:
    """Marks a value with the number of its input."""

    def __init__(self, number: int):
        self.number = number

    def __call__(self, value: Any) -> tuple[int, Any]:
        return self.number, value


class _collect_groups:
    """For `mapPartitions`: every key with one list per input."""

    def __init__(self, count: int):
        self.count = count

    def __call__(self, records: Iterable[Any]) -> Iterator[tuple[Any, Groups]]:
        groups: dict[Any, Groups] = {}
        for key, (number, value) in records:
            if key not in groups:
                groups[key] = tuple([list[Any]() for _ in range(self.count)])
            groups[key][int(number)].append(value)
        while groups:
            # A group's tiles are let go as soon as its kernel is done with them.
            yield groups.popitem()


def cogroup(partitions: int, *rdds: Any) -> Any:
    """Every key with a tuple of lists: its values in each of the RDDs."""
    if isinstance(rdds[0].ctx, LocalContext):
        first, *others = rdds
        return first.groupWith(*others) if others else first.groupByKey().mapValues(_alone)
    tagged = [
        _partitioned(rdd.mapValues(_tag(number)), partitions) for number, rdd in enumerate(rdds)
    ]
    united = reduce(lambda a, b: a.union(b), tagged)
    return united.mapPartitions(_collect_groups(len(rdds)), preservesPartitioning=True)


def _alone(values: Any) -> tuple[Any]:
    return (values,)


def _partitioned(rdd: Any, partitions: int) -> Any:
    """The records of an RDD where their keys belong, written as a shuffle writes them."""
    moved = rdd.partitionBy(partitions)
    return moved if moved is not rdd else rdd._reserialize(_shuffle_serializer(rdd.ctx))


def _shuffle_serializer(sc: Any) -> Any:
    from pyspark.serializers import BatchedSerializer

    return BatchedSerializer(sc._unbatched_serializer)
