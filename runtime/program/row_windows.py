"""Rows with what functions give of the others of their group, over all batches.

    W = window_rows(rows, (0,), ((1, True),), (("number",), ("shift", 2, 1)))

Rows are numbered, those of a group are sent to one partition, and what was found is sent back to
where the rows come from, in whose order they are put again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from diablo.runtime.program.row_functions import (
    NUMBERS_PER_PARTITION,
    hash_rows,
    number_rows,
    parts_of_rows,
)
from diablo.runtime.rows.batches import Batch, all_rows, length, project
from diablo.runtime.rows.sorting import Keys, sort
from diablo.runtime.rows.windowing import Function, window

Part = tuple[int, tuple[int, Batch]]
"""Where rows go, then which partition they come from."""


def window_rows(rdd: Any, keys: Sequence[int], by: Keys, functions: Sequence[Function]) -> Any:
    """The rows with what functions give behind their columns."""
    count = rdd.getNumPartitions()
    if count == 1:
        return rdd.mapPartitions(_Window(keys, by, functions))
    to = 1 if not keys else count
    sent = rdd.mapPartitionsWithIndex(number_rows).mapPartitionsWithIndex(_ToGroups(keys, to))
    found = sent.partitionBy(to, int).mapPartitionsWithIndex(_Found(keys, by, functions))
    return found.partitionBy(count, int).mapPartitions(_Restored())


class _Window:
    """For `mapPartitions`: the rows of a partition, which has all groups whole."""

    def __init__(self, keys: Sequence[int], by: Keys, functions: Sequence[Function]):
        self.keys, self.by, self.functions = keys, by, functions

    def __call__(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        rows = all_rows(batches)
        if rows is not None:
            yield window(rows, self.keys, self.by, self.functions)


class _ToGroups:
    """For `mapPartitionsWithIndex`: the rows of each partition of groups."""

    def __init__(self, keys: Sequence[int], count: int):
        self.hash = hash_rows(keys, count)

    def __call__(self, partition: int, batches: Iterable[Batch]) -> Iterator[Part]:
        rows = all_rows(batches)
        if rows is not None:
            for (bucket,), part in self.hash(rows):
                yield bucket, (partition, part)


class _Found:
    """For `mapPartitionsWithIndex`: what was found, for the partitions that the rows come from."""

    def __init__(self, keys: Sequence[int], by: Keys, functions: Sequence[Function]):
        self.keys, self.by, self.functions = keys, by, functions

    def __call__(self, partition: int, records: Iterable[Part]) -> Iterator[Part]:
        rows = _in_order(records)
        if rows is None or not length(rows):
            return
        width = len(rows)
        found = window(rows, self.keys, self.by, self.functions)
        # Their numbers come last, so that the others are where they belong.
        found = project(found, [*range(width - 1), *range(width, len(found)), width - 1])
        sources = found[-1] // NUMBERS_PER_PARTITION
        for source, part in parts_of_rows(found, sources, int(sources.max()) + 1):
            yield source, (partition, part)


class _Restored:
    """For `mapPartitions`: the rows in the order that they had."""

    def __call__(self, records: Iterable[Part]) -> Iterator[Batch]:
        rows = _in_order(records)
        if rows is not None:
            width = len(rows) - 1
            yield sort(rows, [(width, False)], to=range(width))


def _in_order(records: Iterable[Part]) -> Batch | None:
    """The rows that partitions have sent, in the order of these."""
    parts = sorted((part for _, part in records), key=_source)
    return all_rows([rows for _, rows in parts])


def _source(part: tuple[int, Batch]) -> int:
    return part[0]
