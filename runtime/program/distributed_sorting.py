"""Rows of all batches in one order, which goes on from each partition to the next.

    S = sort_rows(rows, ((1, True),), limit=10, to=(0,))

Of a few first rows each partition sends its own first ones. Otherwise the partitions get ranges of
the keys: a sample of the rows says where these are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from diablo.runtime.engines.job_names import name_job
from diablo.runtime.rows.batches import Batch, all_rows, length, project, take
from diablo.runtime.rows.sorting import PLACE, Keys, sort, sorted_positions
from diablo.runtime.rows.tuples import compact

_SAMPLED = 40
"""How many rows of a partition are looked at for each range."""

Part = tuple[int, tuple[int, Batch]]
"""The range, then which partition the rows come from."""


def sort_rows(
    rdd: Any, by: Keys, *, limit: int | None = None, to: Sequence[int] | None = None
) -> Any:
    """The rows in order, the first `limit` of them, with the columns `to`.

    One of these may be `PLACE`.
    """
    count = rdd.getNumPartitions()
    if count == 1:
        return rdd.mapPartitions(_Sort(by, limit, to))
    if to is not None and PLACE in to:
        name_job(rdd.ctx)
        sizes = rdd.mapPartitions(_sizes).collect()
        firsts = [0, *accumulate(sizes)]
        rdd = rdd.mapPartitionsWithIndex(_Placed(firsts))
        by = [(column + 1, down) for column, down in by]
        to = [column + 1 for column in to]  # The place is the first column.
    if limit is not None:
        first = rdd.mapPartitions(_Sort(by, limit)).mapPartitionsWithIndex(_to_one)
        return first.partitionBy(1, int).mapPartitions(_Merge(by, limit, to))
    name_job(rdd.ctx)
    sample = [
        row for rows in rdd.mapPartitions(_Sample(by, _SAMPLED * count)).collect() for row in rows
    ]
    if not sample:
        return rdd.mapPartitions(_Sort(by, None, to))
    parts = rdd.mapPartitionsWithIndex(_Split(by, _bounds(sample, by, count)))
    return parts.partitionBy(count, int).mapPartitions(_Merge(by, None, to))


def _key_columns(by: Keys) -> tuple[list[int], Keys]:
    """The columns that are compared, and the keys in a batch of these alone."""
    columns = list(dict.fromkeys(column for column, _ in by))
    return columns, [(columns.index(column), down) for column, down in by]


def _bounds(sample: Sequence[Batch], by: Keys, count: int) -> Batch:
    """The keys at which the ranges are cut."""
    keys = all_rows(sample)
    assert keys is not None
    _, own = _key_columns(by)
    keys = sort(keys, own)
    places = np.array([length(keys) * n // count for n in range(1, count)], np.int64)
    return take(keys, places)


class _Sort:
    """For `mapPartitions`: the rows of a partition in order."""

    def __init__(self, by: Keys, limit: int | None, to: Sequence[int] | None = None):
        self.by, self.limit, self.to = by, limit, to

    def __call__(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        rows = all_rows(batches)
        if rows is not None:
            yield sort(rows, self.by, self.limit, self.to)


def _sizes(batches: Iterable[Batch]) -> Iterator[int]:
    """For `mapPartitions`: how many rows there are."""
    yield sum(map(length, batches))


class _Placed:
    """For `mapPartitionsWithIndex`: the rows behind their places."""

    def __init__(self, firsts: Sequence[int]):
        self.firsts = firsts

    def __call__(self, partition: int, batches: Iterable[Batch]) -> Iterator[Batch]:
        first = self.firsts[partition]
        for rows in batches:
            yield (np.arange(first, first + length(rows)), *rows)
            first += length(rows)


def _to_one(partition: int, batches: Iterable[Batch]) -> Iterator[Part]:
    """For `mapPartitionsWithIndex`: the rows, to be sent to one partition."""
    for rows in batches:
        yield 0, (partition, rows)


class _Sample:
    """For `mapPartitions`: the keys of some rows."""

    def __init__(self, by: Keys, size: int):
        self.by, self.size = by, size

    def __call__(self, batches: Iterable[Batch]) -> Iterator[list[Batch]]:
        columns, _ = _key_columns(self.by)
        for rows in batches:
            count = length(rows)
            if count:
                # Rows that are evenly apart may all be of one kind.
                chosen = np.random.default_rng(count).integers(0, count, min(self.size, count))
                yield [tuple(map(compact, take(project(rows, columns), chosen)))]


class _Split:
    """For `mapPartitionsWithIndex`: the rows of each range."""

    def __init__(self, by: Keys, bounds: Batch):
        self.by, self.bounds = by, bounds

    def __call__(self, partition: int, batches: Iterable[Batch]) -> Iterator[Part]:
        columns, own = _key_columns(self.by)
        rows = all_rows(batches)
        if rows is None or not length(rows):
            return
        count = length(rows)
        keys = all_rows([project(rows, columns), self.bounds])
        assert keys is not None
        order = sorted_positions(keys, own)
        if order is None:
            order = np.arange(length(keys))
        cuts = np.flatnonzero(order >= count)
        starts = [0, *(cuts + 1).tolist()]
        ends = [*cuts.tolist(), len(order)]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if end > start:
                yield number, (partition, tuple(map(compact, take(rows, order[start:end]))))


class _Merge:
    """For `mapPartitions`: what the partitions have sent in order."""

    def __init__(self, by: Keys, limit: int | None, to: Sequence[int] | None):
        self.by, self.limit, self.to = by, limit, to

    def __call__(self, records: Iterable[Part]) -> Iterator[Batch]:
        parts = sorted((part for _, part in records), key=_partition)
        rows = all_rows([rows for _, rows in parts])
        if rows is not None:
            yield sort(rows, self.by, self.limit, self.to)


def _partition(part: tuple[int, Batch]) -> int:
    return part[0]
