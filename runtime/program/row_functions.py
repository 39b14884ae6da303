"""What emitted programs do with rows: functions for `map` and `flatMap` of column batches.

ones = G.map(on_rows(kernel_0))
counts = ones.flatMap(route((0,), (n,), block_size))    # (tile coordinates, batch)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import OutOfMemory
from diablo.runtime.arrays.tiles import Coordinates, tile_count
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.spark_statistics import timed
from diablo.runtime.memory_limit import check
from diablo.runtime.monoid_ufuncs import Monoid
from diablo.runtime.ordering import stable_order
from diablo.runtime.program.tile_functions import whole_value
from diablo.runtime.rows.batches import Batch, length, take
from diablo.runtime.rows.grouping import group_reduce
from diablo.runtime.rows.hashing import hash_values
from diablo.runtime.rows.nesting import number
from diablo.runtime.rows.tuples import compact
from diablo.runtime.source_lines import with_place

Column = NDArray[Any]


class on_rows:
    """For `map`: runs a kernel on every batch of rows, followed by the captures."""

    def __init__(self, kernel: Callable[..., Any], *captures: Any):
        self.kernel = timed(kernel)
        self.captures = captures

    def __call__(self, rows: Batch) -> Any:
        """The kernel's result for a batch."""
        captures = [whole_value(capture) for capture in self.captures]
        try:
            result = self.kernel(rows, *captures)
            check(data_size(result), "rows")
        except (MemoryError, OutOfMemory) as error:
            what = f"out of memory: {error}" if isinstance(error, MemoryError) else str(error)
            raise OutOfMemory(with_place(what, self.kernel)) from None
        return result


def parts_of_rows(rows: Batch, codes: Column, count: int) -> list[tuple[int, Batch]]:
    """The rows of each code that occurs, in their old order."""
    if count == 1:
        return [(0, rows)] if length(rows) else []
    order = stable_order(codes)
    ends = np.cumsum(np.bincount(codes, minlength=count))
    ordered = take(rows, order)
    starts = np.concatenate([np.zeros(1, ends.dtype), ends[:-1]])
    return [
        (int(code), tuple([compact(column[starts[code] : ends[code]]) for column in ordered]))
        for code in np.flatnonzero(ends > starts)
    ]


class route:
    """For `flatMap`: sends each row to the tile that holds the index in `columns`.

    Rows whose index lies outside `dims` are dropped, or sent to the first tile to `keep` them.
    With `fold`, a monoid, rows of equal index are combined before they move; their index comes
    first, then one element.
    """

    def __init__(
        self,
        columns: Sequence[int],
        dims: Sequence[int],
        block_size: int | None,
        fold: Monoid | None = None,
        keep: bool = False,
    ):
        self.keep = keep
        self.fold = fold
        self.columns = tuple(columns)
        self.dims = tuple(dims)
        self.block_size = block_size

    def __call__(self, rows: Batch) -> list[tuple[Coordinates, Batch]]:
        """The rows of each tile, under its coordinates."""
        if self.block_size is None:
            # Nothing moves, and who makes the tile drops what lies outside.
            return [((0,) * len(self.dims), rows)] if length(rows) else []
        inside = np.ones(length(rows), np.bool_)
        for column, extent in zip(self.columns, self.dims, strict=True):
            inside &= (rows[column] >= 0) & (rows[column] < extent)
        outside = not inside.all()
        if outside and not self.keep:
            rows = take(rows, np.flatnonzero(inside))
        if self.fold is not None:
            rows = group_reduce(rows, len(self.columns), [self.fold])
        counts = [tile_count(d, self.block_size) for d in self.dims]
        codes = np.zeros(length(rows), np.int64)
        for column, count in zip(self.columns, counts, strict=True):
            codes *= count
            if count > 1:
                codes += rows[column] // self.block_size
        if outside and self.keep:
            codes[~inside] = 0
        return [
            (tuple([int(c) for c in np.unravel_index(code, counts)]), part)
            for code, part in parts_of_rows(rows, codes, prod(counts))
        ]


class hash_rows:
    """For `flatMap`: sends each row to one of `buckets`, rows with equal `columns` to the same."""

    def __init__(self, columns: Sequence[int], buckets: int):
        self.columns = tuple(columns)
        self.buckets = buckets

    def __call__(self, rows: Batch) -> list[tuple[tuple[int], Batch]]:
        """The rows of each bucket, under its number."""
        if self.buckets == 1:
            return [((0,), rows)] if length(rows) else []
        codes = np.zeros(length(rows), np.uint64)
        for column in self.columns:
            codes = _mix(codes ^ hash_values(rows[column]).view(np.uint64))
        buckets = (codes % np.uint64(self.buckets)).astype(np.int64)
        return [((code,), part) for code, part in parts_of_rows(rows, buckets, self.buckets)]


def _mix(codes: Column) -> Column:
    """A finaliser of MurmurHash: every bit of the result depends on every bit of the code."""
    codes = (codes ^ (codes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    codes = (codes ^ (codes >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return codes ^ (codes >> np.uint64(33))


NUMBERS_PER_PARTITION = 1 << 40
"""How many numbers `number_rows` has for the rows of a partition."""


def number_rows(partition: int, batches: Iterable[Batch]) -> Iterator[Batch]:
    """For `mapPartitionsWithIndex`: appends a number to each row that no other row has."""
    first = partition * NUMBERS_PER_PARTITION
    for rows in batches:
        yield number(rows, first)
        first += length(rows)
