"""Column batches: a bag of rows as a tuple of columns of equal length.

    rows (1, 2.5), (3, 4.5)   ->   (array([1, 3]), array([2.5, 4.5]))

A column is a NumPy array, or `Lists` where each row holds a list; `column_types` has the
codes of their types. Index columns are int64. The operations share columns with their inputs
where they can, so a column is never changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import RunError
from diablo.runtime.arrays import memory
from diablo.runtime.column_types import Code, converted, repeated
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Monoid, identity, reduce_all
from diablo.runtime.rows.columns import (
    AnyColumn,
    Column,
    as_column,
    concat_columns,
    empty_column,
)
from diablo.runtime.rows.row_counts import AtMost, note_rows

Batch = tuple[AnyColumn, ...]

_REFERENCE = np.dtype(np.int64)


def empty(codes: Sequence[Code]) -> Batch:
    """A batch without rows."""
    return tuple([empty_column(code) for code in codes])


def length(batch: Batch) -> int:
    """The number of rows (a batch without columns has none)."""
    return len(batch[0]) if batch else 0


def row_size(batch: Batch) -> int:
    """Bytes that a row takes, but for lists and objects, of which there are references."""
    return sum([getattr(column, "dtype", _REFERENCE).itemsize for column in batch])


def concat(batches: Iterable[Batch], codes: Sequence[Code]) -> Batch:
    """All rows of the batches, in their order, in columns of the given types."""
    parts = [batch for batch in batches if batch and len(batch[0])]
    if not parts:
        return empty(codes)
    columns = parts[0] if len(parts) == 1 else _joined(parts)
    return tuple([as_column(column, code) for column, code in zip(columns, codes, strict=True)])


def concat_rows(left: Batch, right: Batch) -> Batch:
    """The rows of both batches, which have columns of the same types."""
    if not length(left):
        return right
    return _joined([left, right]) if length(right) else left


def all_rows(batches: Iterable[Batch]) -> Batch | None:
    """The rows of all batches, which have columns of the same types; None if there is no batch."""
    parts = list(batches)
    some = [part for part in parts if length(part)]
    if len(some) < 2:
        return some[0] if some else (parts[0] if parts else None)
    return _joined(some)


def _joined(parts: Sequence[Batch]) -> Batch:
    count = sum(map(length, parts))
    reserve(count * row_size(parts[0]), "{} rows in one", count)
    return tuple([concat_columns(columns) for columns in zip(*parts, strict=True)])


def take(batch: Batch, positions: Column) -> Batch:
    """The rows at `positions`, in that order."""
    reserve(len(positions) * row_size(batch), "{} rows of {}", len(positions), length(batch))
    return tuple([taken(column, positions) for column in batch])


def taken(column: AnyColumn, positions: Column) -> AnyColumn:
    """The rows of a column at `positions`, all of which it has."""
    if isinstance(column, np.ndarray):
        return memory.taken(cast("NDArray[Any]", column), positions)
    return column.take(positions)


def filter(batch: Batch, mask: Column) -> Batch:
    """The rows where `mask` (a Boolean column, or one Boolean for all) is true."""
    if np.ndim(mask) == 0:
        return batch if mask else tuple([column[:0] for column in batch])
    kept = int(np.count_nonzero(mask))
    reserve(kept * _REFERENCE.itemsize, "the places of {} rows of {}", kept, len(mask))
    positions = np.flatnonzero(mask)
    return batch if len(positions) == len(mask) else take(batch, positions)


def columns(batch: Batch, made: int) -> Batch:
    """The columns of a batch, for a computation that makes `made` more of them."""
    count = length(batch)
    reserve(count * made * _REFERENCE.itemsize, "to compute with {} rows", count)
    return batch


def project(batch: Batch, columns: Sequence[int]) -> Batch:
    """The given columns, in the given order."""
    return tuple([batch[c] for c in columns])


def extend(batch: Batch, columns: Sequence[Any], to: Sequence[int] | None = None) -> Batch:
    """The batch with `columns` after its own; a scalar stands for that value in every row.

    Of these `to` says which the result has, and in which order, if it has not all.
    """
    count = length(batch)
    whole = batch + tuple([c if np.ndim(c) else _constant(c, count) for c in columns])
    return whole if to is None else project(whole, to)


def _constant(value: Any, count: int) -> Column:
    reserve(count * _REFERENCE.itemsize, "a column of {} rows", count)
    return repeated(value, count) if isinstance(value, str) else np.full(count, value)


def expand(
    batch: Batch,
    lower: Column,
    upper: Column,
    step: int = 1,
    at: str = "",
    at_most: AtMost | None = None,
) -> Batch:
    """Return each row once per index of its own range `lower`, `lower + step`, … up to `upper`.

    The indices are the last column of the result. `at` is the place of the range, and `at_most`
    how many rows come of these in the end.
    """
    counts = np.maximum((upper - lower) // step + 1, 0)
    made = int(counts.sum())
    size = made * (row_size(batch) + 3 * 8)
    reserve(size, "{} rows, each with a range, which make {} rows,", len(counts), made, at=at)
    note_rows(made, (len(counts), 0), at, at_most)
    rows = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return (*take(batch, rows), lower[rows] + step * place)


def index_range(lower: int, upper: int, step: int = 1) -> Batch:
    """The one-column batch `lower`, `lower + step`, … up to and including `upper`."""
    if step == 0:
        raise RunError("the step of a range is zero")
    count = max(0, (upper - lower) // step + 1)
    reserve(8 * count, "a range of {} rows", count)
    return (np.arange(lower, upper + (1 if step > 0 else -1), step, dtype=np.int64),)


def fold(column: AnyColumn | Batch, monoid: Monoid, dtype: Code) -> Any:
    """The elements of a column (of a one-column batch too) folded to a scalar.

    That is a NumPy scalar, or a string; a packed tuple is one of NumPy's, too.
    """
    values = cast("Batch", column)[0] if isinstance(column, tuple) else column
    if len(values) == 0:
        return identity(monoid, dtype)
    return reduce_all(monoid, converted(values, dtype))
