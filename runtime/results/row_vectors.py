"""Columns of rows that Spark has as vectors in blocks, and such vectors as columns of rows.

    vector_of(rows, 2)          ->    the third column, in the order of the rows
    rows_of([x, y])             ->    rows of two columns

What is counted goes through this process, and no element does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Any

import numpy as np

from diablo.costs import LARGEST_TILE
from diablo.runtime.column_types import storage
from diablo.runtime.engines.keeping import Kept
from diablo.runtime.results.result_types import DistributedArray, Rows
from diablo.runtime.rows.batches import Batch, length


def vector_of(rows: Rows, place: int) -> DistributedArray:
    """Return a column of numbers of rows that Spark has as a vector, which Spark has too."""
    column = rows.with_columns([place])
    records = column.records
    with records.as_in_the_run():
        rdd = records.rdd()
        counts = [0, *rdd.mapPartitions(_counted).collect()]
        starts = np.cumsum(counts).tolist()
        total, parallelism = starts[-1], int(rdd.ctx.defaultParallelism)
        edge = max(1, min(ceil(total / parallelism), LARGEST_TILE))
        pieces = rdd.mapPartitionsWithIndex(_Pieces(starts, edge))
        code = rows.codes[place]
        tiles = pieces.groupByKey(parallelism).map(_Joined(total, edge, storage(code)))
    made = DistributedArray(tiles, (total,), 1, code, edge)
    kept = Kept()
    records.lend_to(kept)
    made.records.needs(kept)
    return made


def rows_of(vectors: Sequence[DistributedArray]) -> Rows | None:
    """Return vectors beside each other as rows; None if they are not cut alike."""
    first, *others = vectors
    if not all(v.is_with_spark and v.ndim == 1 and not v.is_sparse for v in vectors):
        return None
    context = first.records.on_spark.ctx
    if any(v.tiles_on(context, first.block_size) is None for v in others):
        return None
    rdd = first.compute().records.rdd().mapValues(_alone)
    for other in others:
        rdd = rdd.join(other.compute().records.rdd()).mapValues(_beside)
    made = Rows(rdd.sortByKey().values(), [v.code for v in vectors])
    kept = Kept()
    for vector in vectors:
        vector.records.lend_to(kept)
    made.records.needs(kept)
    return made


def _counted(batches: Iterable[Batch]) -> Iterable[int]:
    return [sum(map(length, batches))]


class _Pieces:
    """The parts of the batches of a partition that are in one block each."""

    def __init__(self, starts: Sequence[int], edge: int):
        self._starts = starts
        self._edge = edge

    def __call__(self, partition: int, batches: Iterable[Batch]) -> Iterator[Any]:
        at, edge = self._starts[partition], self._edge
        for (column,) in batches:
            values, done = np.asarray(column), 0
            while done < len(values):
                block, offset = divmod(at + done, edge)
                part = values[done : done + edge - offset]
                yield (block,), (offset, part)
                done += len(part)
            at += done


class _Joined:
    """A block of its parts."""

    def __init__(self, total: int, edge: int, dtype: Any):
        self._total = total
        self._edge = edge
        self._dtype = dtype

    def __call__(self, record: tuple[tuple[int], Iterable[tuple[int, Any]]]) -> Any:
        (block,), parts = record
        tile = np.empty(min(self._edge, self._total - block * self._edge), self._dtype)
        for offset, part in parts:
            tile[offset : offset + len(part)] = part
        return (block,), tile


def _alone(tile: Any) -> Batch:
    return (tile,)


def _beside(pair: tuple[Batch, Any]) -> Batch:
    columns, tile = pair
    return (*columns, tile)
