"""Grouping rows by key and folding the other columns.

    (1, 2.0), (0, 5.0), (1, 3.0)   with 1 key and "add"   ->   (0, 5.0), (1, 5.0)

The result is in ascending order of the keys.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diablo.runtime.arrays.ordering import Codes, encode, is_ascending, stable_order
from diablo.runtime.monoids import UFUNCS, Column, identity, reduce_all, reduce_at
from diablo.runtime.rows.batches import Batch, length

# A table indexed by key code is used while it has at most this many entries per row.
_TABLE_ENTRIES_PER_ROW = 4


def group_reduce(batch: Batch, keys: int, monoids: Sequence[str]) -> Batch:
    """One row per distinct value of the first `keys` columns; the others are folded.

    Without keys all rows are one group; without rows there is no group. Integer sums are
    exact modulo 2**64.
    """
    count = length(batch)
    if count == 0:
        return batch
    values = batch[keys:]
    if keys == 0:
        folded = zip(monoids, values, strict=True)
        return tuple([np.array([reduce_all(m, v)], v.dtype) for m, v in folded])
    codes = encode(batch[:keys])
    if codes.size <= _TABLE_ENTRIES_PER_ROW * count + 1024:
        return _with_table(batch[:keys], values, monoids, codes)
    return _with_sort(batch[:keys], values, monoids, codes.codes)


def _with_table(keys: Batch, values: Batch, monoids: Sequence[str], encoded: Codes) -> Batch:
    """Folds into tables indexed by code."""
    codes, size, _ = encoded
    folded = [reduce_at(m, codes, v, size) for m, v in zip(monoids, values, strict=True)]
    if folded and (folded[0] != identity(monoids[0], folded[0].dtype)).all():
        present = np.arange(size)  # a group without rows would hold the identity
    else:
        seen = np.zeros(size, np.bool_)
        seen[codes] = True
        present = np.flatnonzero(seen)
        folded = [column.take(present) for column in folded]
    group_keys = encoded.keys(present, keys)
    if group_keys is None:
        # Any row of a group knows its keys; the last one written stays.
        row = np.empty(size, np.int64)
        row[codes] = np.arange(len(codes))
        group_keys = [k.take(row.take(present)) for k in keys]
    return (*group_keys, *folded)


def _with_sort(keys: Batch, values: Batch, monoids: Sequence[str], codes: Column) -> Batch:
    """Folds runs of equal codes in sorted order."""
    if not is_ascending(codes):
        order = stable_order(codes)
        codes = codes.take(order)
        keys = tuple([k.take(order) for k in keys])
        values = tuple([v.take(order) for v in values])
    starts = np.concatenate(([0], np.flatnonzero(codes[1:] != codes[:-1]) + 1))
    if len(starts) == len(codes):
        return keys + values
    folded = [
        UFUNCS[m].reduceat(v, starts, dtype=v.dtype) for m, v in zip(monoids, values, strict=True)
    ]
    return tuple([k.take(starts) for k in keys] + folded)
