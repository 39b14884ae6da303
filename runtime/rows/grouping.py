"""Grouping rows by key and folding the other columns.

    (1, 2.0), (0, 5.0), (1, 3.0)   with 1 key and "add"   ->   (0, 5.0), (1, 5.0)

The result is in ascending order of the keys. `"any"` in the place of a monoid keeps the
values of the last row of a group, of which columns that are called `"place"` say what comes last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from diablo.monoid_table import MONOIDS
from diablo.runtime.column_types import OBJECT
from diablo.runtime.kernels import bucket_sums
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import (
    Column,
    Monoid,
    UserMonoid,
    identity,
    reduce_all,
    reduce_at,
    reduce_runs,
)
from diablo.runtime.ordering import (
    Codes,
    ascending_order,
    encode,
    is_ascending,
    sorted_with_places,
)
from diablo.runtime.rows.batches import Batch, length, row_size, take
from diablo.runtime.rows.columns import AnyColumn
from diablo.runtime.rows.hashing import as_key

ANY = "any"
PLACE = "place"

# A table indexed by key code is used while it has at most this many entries per row.
_TABLE_ENTRIES_PER_ROW = 4


def group_reduce(batch: Batch, keys: int, monoids: Sequence[Monoid]) -> Batch:
    """One row per distinct value of the first `keys` columns; the others are folded.

    Every NaN is the same key, and -0.0 is 0.0. Without keys all rows are one group; without rows
    there is no group. Integer sums are exact modulo 2**64.
    """
    count = length(batch)
    if count == 0:
        return batch
    if PLACE in monoids:
        places = [keys + n for n, monoid in enumerate(monoids) if monoid == PLACE]
        batch = in_order(batch, places)
        monoids = [ANY if monoid == PLACE else monoid for monoid in monoids]
    values = batch[keys:]
    if keys == 0:
        return tuple([_folded_to_one(m, v) for m, v in zip(monoids, values, strict=True)])
    columns = tuple(map(as_key, batch[:keys]))
    codes = encode(columns)
    small = codes.size <= _TABLE_ENTRIES_PER_ROW * count + 1024
    if small and all(_in_table(m, v) for m, v in zip(monoids, values, strict=True)):
        return _with_table(columns, values, cast("Sequence[str]", monoids), codes)
    return _with_sort(columns, values, monoids, codes)


def in_order(batch: Batch, columns: Sequence[int]) -> Batch:
    """The rows in ascending order of some columns."""
    order = ascending_order([batch[column] for column in columns])
    if order is None:
        return batch
    reserve(len(order) * row_size(batch), "{} rows in another order", len(order))
    return take(batch, order)


def _folded_to_one(monoid: Monoid, values: AnyColumn) -> AnyColumn:
    if monoid == ANY:
        return values[-1:]
    column = np.empty(1, values.dtype)
    column[0] = reduce_all(monoid, values)
    return column


def _in_table(monoid: Monoid, values: AnyColumn) -> bool:
    """Return whether values can be folded into a table indexed by code."""
    return monoid == ANY or not (isinstance(monoid, UserMonoid) or values.dtype == OBJECT)


def _with_table(keys: Batch, values: Batch, monoids: Sequence[str], encoded: Codes) -> Batch:
    """Folds into tables indexed by code."""
    codes, size, *_ = encoded
    # A table for each column, of the groups that there are, and of their rows.
    tables = sum(v.dtype.itemsize for m, v in zip(monoids, values, strict=True) if m != ANY)
    rows = 8 if ANY in monoids or encoded.digits is None else 0
    reserve(size * (tables + rows + 1), "to group {} rows by {} keys", len(codes), size)
    row = None
    if ANY in monoids:
        row = _last_rows(codes, size)
    folded = [
        v if m == ANY else _folded_at(m, codes, v, size)
        for m, v in zip(monoids, values, strict=True)
    ]
    if folded and monoids[0] != ANY and (folded[0] != identity(monoids[0], folded[0].dtype)).all():
        present = np.arange(size)  # a group without rows would hold the identity
    elif encoded.distinct is not None:
        present = np.arange(size)
    else:
        seen = np.zeros(size, np.bool_)
        seen[codes] = True
        present = np.flatnonzero(seen)
    folded = [
        column.take(present if row is None or m != ANY else row.take(present))
        if m == ANY or len(present) < size
        else column
        for m, column in zip(monoids, folded, strict=True)
    ]
    group_keys = encoded.keys(present, keys)
    if group_keys is None:
        # Any row of a group knows its keys.
        row = _last_rows(codes, size) if row is None else row
        group_keys = [k.take(row.take(present)) for k in keys]
    return (*group_keys, *folded)


def _folded_at(monoid: str, codes: Column, values: Column, size: int) -> Column:
    """As `reduce_at`, where that pays by machine code."""
    wide = values.dtype.name in ("int64", "float64")
    if MONOIDS[monoid].is_sum and wide and codes.dtype == np.int64:
        return bucket_sums.sums(codes, values, size)
    return reduce_at(monoid, codes, values, size)


def _last_rows(codes: Column, size: int) -> Column:
    """Return for every code the last row that has it; anything where there is none."""
    row = np.zeros(size, np.int64)
    row[codes] = np.arange(len(codes))
    return row


def _with_sort(keys: Batch, values: Batch, monoids: Sequence[Monoid], encoded: Codes) -> Batch:
    """Folds runs of equal codes in sorted order."""
    codes = encoded.codes
    if not values and encoded.are_keys:
        # Nobody asks where the rows stood.
        reserve(2 * len(codes) * codes.itemsize, "to sort {} rows", len(codes))
        ordered = codes if is_ascending(codes) else np.sort(codes)
        found = encoded.keys(ordered[_new(ordered)], keys)
        assert found is not None
        return tuple(found)
    runs = sorted_by_code(values, codes)
    starts, values = runs.starts, runs.values
    found = encoded.keys(runs.codes, keys) if encoded.are_keys else None
    keys = take(keys, runs.firsts) if found is None else tuple(found)
    reserve(len(starts) * row_size(values), "{} groups of {} rows", len(starts), len(codes))
    if len(starts) == len(codes):
        return keys + values
    ends = np.append(starts[1:], len(codes)) - 1
    folded = [
        v.take(ends) if m == ANY else reduce_runs(m, v, starts)
        for m, v in zip(monoids, values, strict=True)
    ]
    return keys + tuple(folded)


class Runs(NamedTuple):
    """Rows in the order of codes, where those of a group follow one another."""

    starts: Column
    """Where the groups begin."""
    values: Batch
    """The other columns, in that order."""
    firsts: Column
    """Where the first row of each group stood."""
    codes: Column
    """The code of each group."""


def sorted_by_code(values: Batch, codes: Column) -> Runs:
    """Sort rows by codes; those of a group stay in their order."""
    if is_ascending(codes):
        starts = np.flatnonzero(_new(codes))
        return Runs(starts, values, starts, codes.take(starts))
    ordered, order = sorted_with_places(codes)
    reserve(len(codes) * 9, "to group {} rows", len(codes))
    new = _new(ordered)
    groups = int(np.count_nonzero(new))
    reserve(3 * groups * 8, "{} groups of {} rows", groups, len(codes))
    starts = np.flatnonzero(new)
    del new
    found = ordered.take(starts)
    del ordered
    return Runs(starts, take(values, order), order.take(starts), found)


def _new(codes: Column) -> Column:
    """Return whether a run of equal codes begins, of codes of which there is at least one."""
    new = np.ones(len(codes), np.bool_)
    np.not_equal(codes[1:], codes[:-1], out=new[1:])
    return new
