"""Rows that hold lists: making them, opening them, folding the list of every row.

group((1, "a"), (2, "b"), (1, "c"), keys 1, widths [1])   ->   (1, ["a", "c"]), (2, ["b"])
unnest((1, ["a", "c"]), column 1)   ->   (1, ["a", "c"], "a"), (1, ["a", "c"], "c")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.diagnostics import RunError
from diablo.runtime.column_types import Code
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Column, Monoid, UserMonoid, identity, reduce_runs
from diablo.runtime.ordering import encode
from diablo.runtime.rows.batches import Batch, length, row_size, take, taken
from diablo.runtime.rows.columns import as_column, concat_columns, empty_column, full
from diablo.runtime.rows.grouping import sorted_by_code
from diablo.runtime.rows.hashing import as_key
from diablo.runtime.rows.lists import Lists


def group(batch: Batch, keys: int, widths: Sequence[int]) -> Batch:
    """One row per distinct value of the first `keys` columns; the others become lists.

    The first list has the first `widths[0]` columns after the keys, and so on. Groups are in
    ascending order of their keys, the rows of a list in the order of the batch. Every NaN is the
    same key, and -0.0 is 0.0. Without keys all rows are one group; without rows there is no group.
    """
    count = length(batch)
    group_keys, values = tuple(map(as_key, batch[:keys])), batch[keys:]
    if count == 0:
        starts = np.zeros(0, np.int64)
    elif keys == 0:
        starts = np.zeros(1, np.int64)
    else:
        runs = sorted_by_code(values, encode(group_keys).codes)
        values, starts = runs.values, runs.starts
        group_keys = take(group_keys, runs.firsts)
    offsets = np.append(starts, count)
    lists: list[Lists] = []
    for width in widths:
        lists.append(Lists(values[:width], offsets))
        values = values[width:]
    return (*group_keys, *lists)


def unnest(batch: Batch, column: int, at: str = "") -> Batch:
    """Return each row once per row of its list in `column`, whose columns are appended.

    `at` is the place of the generator that goes through the lists.
    """
    lists: Lists = batch[column]
    made, size = int(lists.lengths.sum()), row_size(batch) + lists.row_size
    reserve(made * size, "{} lists, which have {} rows,", len(lists), made, at=at)
    counts = lists.lengths
    all_lists = all(isinstance(column, Lists) for column in batch)
    rows = np.arange(0 if all_lists else len(lists)).repeat(0 if all_lists else counts)
    return (
        *[c.repeated(counts, made) if isinstance(c, Lists) else taken(c, rows) for c in batch],
        *lists.values,
    )


def number(batch: Batch, first: int) -> Batch:
    """The batch with the numbers `first`, `first + 1`, … of its rows as one more column."""
    reserve(length(batch) * 8, "the numbers of {} rows", length(batch))
    return (*batch, np.arange(first, first + length(batch), dtype=np.int64))


def list_lengths(lists: Lists) -> Column:
    """Return how many rows the list of each row has."""
    return lists.lengths


def list_reduce(lists: Lists, monoid: Monoid) -> Column:
    """The list of each row, which has one column, folded; the identity if it is empty."""
    (values,) = lists.values
    lengths = lists.lengths
    reserve(len(lists) * values.itemsize, "the folds of {} lists", len(lists))
    filled = np.flatnonzero(lengths)
    if len(filled) == len(lists):
        return reduce_runs(monoid, values, lists.starts) if len(lists) else values
    if isinstance(monoid, UserMonoid):
        result = monoid.zeros(len(lists))
    else:
        result = np.full(len(lists), identity(monoid, values.dtype), values.dtype)
    if len(filled):
        result[filled] = reduce_runs(monoid, values, lists.starts.take(filled))
    return result


def list_elements(lists: Lists, positions: Any, at: str = "") -> Batch:
    """The row of each row's list at the position that is given for it, or for all rows.

    Raises
    ------
    RunError
        If a list ends before its position; `at` is the place of the read.
    """
    lengths = lists.lengths
    positions = np.broadcast_to(np.asarray(positions, np.int64), len(lists))
    _require_inside(positions, lengths, at)
    return lists.rows_at(positions)


def elements_at(batch: Batch, position: Any, at: str = "") -> Batch:
    """As `list_elements`, of one list that is given as a batch; scalars for a single position."""
    if type(position) is int and 0 <= position < length(batch):
        return tuple([column[position] for column in batch])
    positions = np.atleast_1d(np.asarray(position, np.int64))
    _require_inside(positions, np.broadcast_to(length(batch), len(positions)), at)
    if np.ndim(position):
        return take(batch, positions)
    return tuple([column[int(position)] for column in batch])


def _require_inside(positions: Column, lengths: Column, at: str) -> None:
    # Seen as unsigned, a negative position is too large as well.
    outside = positions.view(np.uint64) >= lengths.view(np.uint64)
    if outside.any():
        row = int(np.flatnonzero(outside)[0])
        place = f"{at}: " if at else ""
        where = f"a list of length {int(lengths[row])}"
        raise RunError(f"{place}position {int(positions[row])} is outside {where}")


def literal_lists(count: int, rows: Sequence[Sequence[Any]], codes: Sequence[Code]) -> Lists:
    """Return in each of `count` rows the list of the given rows, of which there may be none.

    The fields of the given rows are columns, or scalars that stand for all rows.
    """
    size = len(rows)
    reserve(8 * count * (1 + 2 * size * len(codes)), "{} lists of {} rows each", count, size)
    offsets = np.arange(count + 1, dtype=np.int64) * size
    if size == 0 or count == 0:
        return Lists([empty_column(code) for code in codes], np.zeros(count + 1, np.int64))
    columns: list[Any] = []
    for position, code in enumerate(codes):
        fields = [row[position] for row in rows]
        parts = [
            as_column(f, code)
            if np.ndim(f) == 1 and not isinstance(f, tuple)
            else full(count, f, code)
            for f in fields
        ]
        columns.append(_interleaved(parts, count))
    return Lists(columns, offsets)


def _interleaved(parts: Sequence[Any], count: int) -> Any:
    """The first elements of all columns, then the second ones, …"""
    if len(parts) == 1:
        return parts[0]
    order = np.arange(len(parts) * count).reshape(len(parts), count).T.reshape(-1)
    return concat_columns(parts).take(order)
