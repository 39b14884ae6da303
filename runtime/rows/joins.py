"""Joining two column batches on equal keys.

    left (1, 10), (2, 20)   right (2, 0.5), (2, 0.7), (3, 0.9)   on column 0 of both
        ->   (2, 20, 2, 0.5), (2, 20, 2, 0.7)

Rows come in the order of the left side, and of the right side for each of its rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diablo.runtime.arrays.ordering import encode_pair, is_ascending, search, stable_order
from diablo.runtime.monoids import Column
from diablo.runtime.rows.batches import Batch, length, take

# A table indexed by key code is used while it has at most this many entries per row.
_TABLE_ENTRIES_PER_ROW = 8


def join(left: Batch, right: Batch, left_keys: Sequence[int], right_keys: Sequence[int]) -> Batch:
    """The pairs of rows that agree on the key columns (all pairs if there are none).

    A row of the result has the columns of the left row, then all of the right row. NaN
    equals nothing, itself included.
    """
    left_count, right_count = length(left), length(right)
    if left_count == 0 or right_count == 0:
        return take(left, np.zeros(0, np.int64)) + take(right, np.zeros(0, np.int64))
    if not left_keys:
        return tuple([np.repeat(column, right_count) for column in left]) + tuple(
            [np.tile(column, left_count) for column in right]
        )
    left_columns = [left[k] for k in left_keys]
    right_columns = [right[k] for k in right_keys]
    left_codes, right_codes, size = encode_pair(left_columns, right_columns)
    left_rows, right_rows = _matches(left_codes, right_codes, size)
    for column in left_columns:
        if column.dtype.kind == "f" and np.isnan(column).any():
            numbers = ~np.isnan(column.take(left_rows))
            left_rows, right_rows = left_rows[numbers], right_rows[numbers]
    whole = len(left_rows) == left_count and is_ascending(left_rows, strictly=True)
    return (left if whole else take(left, left_rows)) + take(right, right_rows)


def _matches(left: Column, right: Column, size: int) -> tuple[Column, Column]:
    """The positions of all pairs of equal codes (codes are below `size`)."""
    order = None if is_ascending(right) else stable_order(right)
    if size <= _TABLE_ENTRIES_PER_ROW * (len(left) + len(right)):
        table = np.bincount(right, minlength=size)
        counts = table.take(left)
        starts = (np.cumsum(table) - table).take(left)
    else:
        sorted_right = right if order is None else right.take(order)
        starts = search(sorted_right, left)
        counts = search(sorted_right, left, "right") - starts
    if int(counts.max()) <= 1:
        left_rows = np.flatnonzero(counts)
        right_places = starts.take(left_rows)
    else:
        left_rows = np.repeat(np.arange(len(left)), counts)
        # The matches of one left row are neighbours: count up from where they start.
        ends = np.cumsum(counts)
        right_places = np.repeat(starts - (ends - counts), counts)
        right_places += np.arange(len(right_places))
    return left_rows, right_places if order is None else order.take(right_places)
