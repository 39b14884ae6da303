"""Joining two column batches on equal keys.

    left (1, 10), (2, 20)   right (2, 0.5), (2, 0.7), (3, 0.9)   on column 0 of both
        ->   (2, 20, 2, 0.5), (2, 20, 2, 0.7)

Rows come in the order of the left side, and of the right side for each of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from diablo.runtime.memory_limit import reserve
from diablo.runtime.ordering import encode_pair, is_ascending, search, stable_order
from diablo.runtime.rows.batches import Batch, length, row_size, take
from diablo.runtime.rows.columns import (
    AnyColumn,
    Column,
    concat_columns,
    implicit_column,
    with_value,
)
from diablo.runtime.rows.lists import runs
from diablo.runtime.rows.row_counts import AtMost, note_rows

# The positions on both sides of a row of the result.
_POSITIONS = 16
# A table indexed by key code is used while it has at most this many entries per row.
_TABLE_ENTRIES_PER_ROW = 8


def join(
    left: Batch,
    right: Batch,
    left_keys: Sequence[int],
    right_keys: Sequence[int],
    outer: Sequence[Any] | None = None,
    at: str = "",
    at_most: AtMost | None = None,
) -> Batch:
    """The pairs of rows that agree on the key columns (all pairs if there are none).

    A row of the result has the columns of the left row, then all of the right row. NaN
    equals nothing, itself included. With `outer`, a left row without a partner is kept, and
    in the columns of the right side it has these values, the implicit one where that is None.

    `at` is the place of the generator that is joined, for the error if memory does not suffice
    and the warning of many more rows than come of them in the end, which are `at_most` so many.
    """

    def expect(rows: int) -> None:
        """Before so many rows are made: whether they may, and whether to warn."""
        sides = length(left), length(right)
        width = row_size(left) + row_size(right) + _POSITIONS
        message = "a join of {} with {} rows, which makes {} rows,"
        reserve(rows * width, message, *sides, rows, at=at)
        note_rows(rows, sides, at, at_most)

    left_rows, right_rows = _pairs(left, right, left_keys, right_keys, expect)
    count = length(left)
    if outer is None or count == 0:
        whole = len(left_rows) == count and is_ascending(left_rows, strictly=True)
        return (left if whole else take(left, left_rows)) + take(right, right_rows)
    matched = np.zeros(count, np.bool_)
    matched[left_rows] = True
    alone = np.flatnonzero(~matched)
    joined = take(right, right_rows)
    if len(alone) == 0:
        return take(left, left_rows) + joined
    missing = [
        implicit_column(column, len(alone))
        if value is None
        else with_value(column, value, len(alone))
        for column, value in zip(right, outer, strict=True)
    ]
    left_rows = np.concatenate((left_rows, alone))
    order = stable_order(left_rows)
    both = [concat_columns((a, b)).take(order) for a, b in zip(joined, missing, strict=True)]
    return take(left, left_rows.take(order)) + tuple(both)


def _pairs(
    left: Batch,
    right: Batch,
    left_keys: Sequence[int],
    right_keys: Sequence[int],
    expect: Callable[[int], None],
) -> tuple[Column, Column]:
    """The positions, on both sides, of the pairs of rows that agree on their keys.

    `expect` is told how many there are before they are made, if they may be many.
    """
    left_count, right_count = length(left), length(right)
    if left_count == 0 or right_count == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if not left_keys:
        expect(left_count * right_count)
        rows = np.arange(left_count), np.arange(right_count)
        return np.repeat(rows[0], right_count), np.tile(rows[1], left_count)
    left_columns: list[AnyColumn] = [left[k] for k in left_keys]
    right_columns: list[AnyColumn] = [right[k] for k in right_keys]
    rows = _without_nan(left_columns)
    if rows is not None:
        # Their codes are equal, and there may be many of them.
        if len(rows) == 0:
            return rows, rows
        left_columns = [column.take(rows) for column in left_columns]
    left_codes, right_codes, size = encode_pair(left_columns, right_columns)
    left_rows, right_rows = _matches(left_codes, right_codes, size, expect)
    return left_rows if rows is None else rows.take(left_rows), right_rows


def _without_nan(columns: Sequence[AnyColumn]) -> Column | None:
    """The rows without a NaN among these columns, if not all are."""
    rows = None
    for column in columns:
        if column.dtype.kind == "f":
            numbers = ~np.isnan(column)
            rows = numbers if rows is None else rows & numbers
    return None if rows is None or rows.all() else np.flatnonzero(rows)


def _matches(
    left: Column, right: Column, size: int, expect: Callable[[int], None]
) -> tuple[Column, Column]:
    """The positions of all pairs of equal codes (codes are below `size`).

    `expect` is told how many there are before they are made.
    """
    # Positions of half the size where they suffice, as much of the memory of a join is theirs.
    narrow = np.int32 if max(len(left), len(right), size) < 2**31 else np.int64
    by_table = size <= _TABLE_ENTRIES_PER_ROW * (len(left) + len(right))
    # Where the partners of each row on the left begin, and how many there are.
    needed = 2 * len(left) + (2 * size if by_table else len(right))
    message = "to find the partners of {} rows among {}"
    reserve(needed * np.dtype(narrow).itemsize, message, len(left), len(right))
    order = None if is_ascending(right) else stable_order(right).astype(narrow, copy=False)
    if by_table:
        table = np.bincount(right, minlength=size).astype(narrow, copy=False)
        counts = table.take(left)
        ends = np.cumsum(table, dtype=narrow)
        ends -= table
        del table
        starts = ends.take(left)
        del ends
    else:
        sorted_right = right if order is None else right.take(order)
        starts = search(sorted_right, left)
        counts = search(sorted_right, left, "right") - starts
    if int(counts.max()) <= 1:
        left_rows = np.flatnonzero(counts).astype(narrow, copy=False)
        del counts
        right_places = starts.take(left_rows)
        del starts
    else:
        expect(int(counts.sum()))
        left_rows = np.repeat(np.arange(len(left), dtype=narrow), counts)
        # The matches of one left row are neighbours: count up from where they start.
        right_places = runs(starts, counts)
    return left_rows, right_places if order is None else order.take(right_places)
