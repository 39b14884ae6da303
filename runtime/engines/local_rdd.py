"""PySpark's RDD operations on lists in this process.

Operations keep PySpark's names and meaning but are eager: an RDD is its partitions, and an
operation runs its function on each of them, on the threads of its context. Callers get one too
(`to_rdd`), so it also has operations that no emitted program uses.

    LocalRDD(sc, [[1, 2], [3]]).map(lambda v: v + 1).collect()      ->  [2, 3, 4]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce as fold_left
from itertools import chain, pairwise
from typing import Any, Protocol

Partition = list[Any]


class Context(Protocol):
    """What runs the operations of an RDD."""

    defaultParallelism: int

    def run(
        self, function: Callable[[Any], Partition], partitions: Sequence[Any]
    ) -> list[Partition]:
        """`function` of each partition, in order."""
        ...


def slices(records: Partition, count: int) -> list[Partition]:
    """Up to `count` runs of neighbours of nearly equal length, one at least."""
    count = min(count, len(records))
    if count < 2:
        return [records]
    bounds = [len(records) * i // count for i in range(count + 1)]
    return [records[a:b] for a, b in pairwise(bounds)]


def zipped(sides: Sequence[Sequence[Partition]]) -> list[Partition] | None:
    """Every key with its values, one of each side, if all sides have the same keys in one order.

    So have arrays that are cut alike: their tiles stay where they are, and nothing is looked up.
    """
    if any(len(side) != len(sides[0]) for side in sides):
        return None
    partitions: list[Partition] = []
    for records in zip(*sides, strict=True):
        keys = [key for key, _ in records[0]]
        if any([key for key, _ in other] != keys for other in records[1:]):
            return None
        values = zip(*[[[value] for _, value in other] for other in records], strict=True)
        partitions.append(list(zip(keys, values, strict=True)))
    return partitions if has_each_key_once(partitions) else None


def has_each_key_once(partitions: Sequence[Partition]) -> bool:
    """Return whether no two records have the same key."""
    count = sum(map(len, partitions))
    return count < 2 or count == len({key for records in partitions for key, _ in records})


class LocalRDD:
    """A list of records in partitions, with PySpark's operations.

    Records with a key are pairs (key, value). After an operation that brings equal keys
    together, keys are in the order of their first appearance.
    """

    __slots__ = ("context", "partitions")

    def __init__(self, context: Context, partitions: list[Partition]):
        self.context = context
        self.partitions = partitions

    @property
    def ctx(self) -> Context:
        """The context, under PySpark's other name for it."""
        return self.context

    # -- Every record or partition by itself ----------------------------------------------

    def _each(self, function: Callable[[Partition], Partition]) -> LocalRDD:
        partitions = self.partitions
        if len(partitions) == 1:
            return LocalRDD(self.context, [function(partitions[0])])
        return LocalRDD(self.context, self.context.run(function, partitions))

    def map(self, f: Callable[[Any], Any], preservesPartitioning: bool = False) -> LocalRDD:
        """`f` of every record."""
        return self._each(lambda records: [f(r) for r in records])

    def flatMap(
        self, f: Callable[[Any], Iterable[Any]], preservesPartitioning: bool = False
    ) -> LocalRDD:
        """All records that `f` of every record yields."""
        return self._each(lambda records: [x for r in records for x in f(r)])

    def mapPartitions(
        self, f: Callable[[Any], Iterable[Any]], preservesPartitioning: bool = False
    ) -> LocalRDD:
        """Return what `f` of the iterator over each partition yields."""
        return self._each(lambda records: list(f(iter(records))))

    def mapPartitionsWithIndex(
        self, f: Callable[[int, Any], Iterable[Any]], preservesPartitioning: bool = False
    ) -> LocalRDD:
        """Return what `f` of the number and the iterator of each partition yields."""
        numbered = list(enumerate(self.partitions))
        return LocalRDD(
            self.context, self.context.run(lambda p: list(f(p[0], iter(p[1]))), numbered)
        )

    def filter(self, f: Callable[[Any], Any]) -> LocalRDD:
        """The records for which `f` is true."""
        return self._each(lambda records: [r for r in records if f(r)])

    def keyBy(self, f: Callable[[Any], Any]) -> LocalRDD:
        """Every record as (`f` of it, record)."""
        return self._each(lambda records: [(f(r), r) for r in records])

    def mapValues(self, f: Callable[[Any], Any]) -> LocalRDD:
        """`f` of every value; the keys stay."""
        return self._each(lambda records: [(k, f(v)) for k, v in records])

    def flatMapValues(self, f: Callable[[Any], Iterable[Any]]) -> LocalRDD:
        """Every key with each of what `f` of its value yields."""
        return self._each(lambda records: [(k, x) for k, v in records for x in f(v)])

    def keys(self) -> LocalRDD:
        """The keys."""
        return self._each(lambda records: [k for k, _ in records])

    def values(self) -> LocalRDD:
        """The values."""
        return self._each(lambda records: [v for _, v in records])

    # -- Equal keys together --------------------------------------------------------------

    def _regrouped(self, records: Partition, count: int | None) -> LocalRDD:
        return LocalRDD(self.context, slices(records, count or self.context.defaultParallelism))

    def groupWith(self, other: LocalRDD, *others: LocalRDD) -> LocalRDD:
        """Every key with a tuple of lists: its values in this RDD and in each of the others."""
        return self._cogroup((self, other, *others), None)

    def cogroup(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        """Every key with the list of its values in this RDD and in `other`."""
        return self._cogroup((self, other), numPartitions)

    def _cogroup(self, rdds: tuple[LocalRDD, ...], count: int | None) -> LocalRDD:
        side_by_side = zipped([rdd.partitions for rdd in rdds])
        if side_by_side is not None:
            return LocalRDD(self.context, side_by_side)
        groups: dict[Any, tuple[list[Any], ...]] = {}
        width = len(rdds)
        for side, rdd in enumerate(rdds):
            for records in rdd.partitions:
                for key, value in records:
                    group = groups.get(key)
                    if group is None:
                        group = groups[key] = tuple([[] for _ in range(width)])
                    group[side].append(value)
        return self._regrouped(list(groups.items()), count)

    def groupByKey(
        self, numPartitions: int | None = None, partitionFunc: Callable[[Any], int] = hash
    ) -> LocalRDD:
        """Every key with the list of its values; tiles of one process lie nowhere."""
        return self._regrouped(list(self._grouped().items()), numPartitions)

    def _grouped(self) -> dict[Any, list[Any]]:
        groups: dict[Any, list[Any]] = {}
        for records in self.partitions:
            for key, value in records:
                groups.setdefault(key, []).append(value)
        return groups

    def reduceByKey(
        self,
        func: Callable[[Any, Any], Any],
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = hash,
    ) -> LocalRDD:
        """Every key with its values folded by `func`, in the order in which they stand."""
        if has_each_key_once(self.partitions):
            return self
        groups = self._regrouped(list(self._grouped().items()), numPartitions)
        return groups.mapValues(lambda values: fold_left(func, values))

    def join(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        """(key, (value, value of `other`)) for every pair of records with equal keys."""
        right = other._grouped()
        joined = [
            (key, (value, match))
            for records in self.partitions
            for key, value in records
            for match in right.get(key, ())
        ]
        return self._regrouped(joined, numPartitions)

    def partitionBy(
        self, numPartitions: int | None, partitionFunc: Callable[[Any], int] = hash
    ) -> LocalRDD:
        """The records with equal keys in one partition, chosen by `partitionFunc`."""
        count = numPartitions or self.context.defaultParallelism
        partitions: list[Partition] = [[] for _ in range(count)]
        for records in self.partitions:
            for record in records:
                partitions[partitionFunc(record[0]) % count].append(record)
        return LocalRDD(self.context, partitions)

    # -- Partitions -----------------------------------------------------------------------

    def union(self, other: LocalRDD) -> LocalRDD:
        """The records of this RDD, then those of `other`."""
        return LocalRDD(self.context, self.partitions + other.partitions)

    def coalesce(self, numPartitions: int, shuffle: bool = False) -> LocalRDD:
        """The same records in at most `numPartitions` partitions."""
        if len(self.partitions) <= numPartitions:
            return self
        return LocalRDD(self.context, slices(self.collect(), numPartitions))

    def getNumPartitions(self) -> int:
        """The number of partitions."""
        return len(self.partitions)

    def glom(self) -> LocalRDD:
        """Every partition as one list."""
        return self._each(lambda records: [records])

    # -- Eager already: nothing to keep ---------------------------------------------------

    def persist(self, storageLevel: Any = None) -> LocalRDD:
        """This RDD, which is kept anyway."""
        return self

    cache = persist

    def unpersist(self, blocking: bool = False) -> LocalRDD:
        """This RDD; its memory goes with its last reference."""
        return self

    def localCheckpoint(self) -> None:
        """Nothing to cut: there is no lineage."""

    checkpoint = localCheckpoint

    # -- Results --------------------------------------------------------------------------

    def collect(self) -> list[Any]:
        """All records."""
        if len(self.partitions) == 1:
            return list(self.partitions[0])
        return list(chain.from_iterable(self.partitions))

    def collectAsMap(self) -> dict[Any, Any]:
        """The pairs (key, value) as a dictionary."""
        return dict(chain.from_iterable(self.partitions))

    def count(self) -> int:
        """The number of records."""
        return sum(map(len, self.partitions))

    def first(self) -> Any:
        """The first record."""
        for record in chain.from_iterable(self.partitions):
            return record
        raise ValueError("RDD is empty")

    def take(self, num: int) -> list[Any]:
        """The first `num` records."""
        return self.collect()[:num]

    def foreach(self, f: Callable[[Any], None]) -> None:
        """Calls `f` on every record."""
        self.map(f)

    def fold(self, zeroValue: Any, op: Callable[[Any, Any], Any]) -> Any:
        """The records of each partition folded from `zeroValue`, then those results."""
        folded = self.context.run(lambda p: fold_left(op, p, zeroValue), self.partitions)
        return fold_left(op, folded, zeroValue)

    def reduce(self, f: Callable[[Any, Any], Any]) -> Any:
        """The records folded with `f`."""
        filled = [p for p in self.partitions if p]
        if not filled:
            raise ValueError("Can not reduce() empty RDD")
        return fold_left(f, self.context.run(lambda p: fold_left(f, p), filled))

    def aggregate(
        self,
        zeroValue: Any,
        seqOp: Callable[[Any, Any], Any],
        combOp: Callable[[Any, Any], Any],
    ) -> Any:
        """The records of each partition folded with `seqOp`, then those results with `combOp`."""
        folded = self.context.run(lambda p: fold_left(seqOp, p, zeroValue), self.partitions)
        return fold_left(combOp, folded, zeroValue)
