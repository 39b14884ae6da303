"""What functions give for each row of the rows of its group: places, shifts, running folds.

    rows (1, 2.5), (2, 0.5), (1, 4.0)   keys (0,), (("number",), ("scan", "add", 1))
        ->   (1, 2.5, 0, 2.5), (2, 0.5, 0, 0.5), (1, 4.0, 1, 6.5)

Machine code goes through rows in the order that they have in their groups, however these lie, with
a table of what it has seen of each (`group_loops.py`). Elsewhere rows are sorted by their groups,
functions go through groups that lie one behind the other, and what they give is put where the rows
are. A fold of the last n rows is two running folds: groups are cut into blocks of n rows, and n
rows are the end of one block and the beginning of the next (van Herk, A fast algorithm for local
minimum and maximum filters, 1992), so that nothing is subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.monoid_table import monoid_of_ufunc
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import identity, reduce_all, reduce_at, ufunc
from diablo.runtime.ordering import encode, is_ascending, stable_order, without_gaps
from diablo.runtime.rows import group_loops
from diablo.runtime.rows.batches import Batch, length, taken
from diablo.runtime.rows.quantiles import quantiles
from diablo.runtime.rows.sorting import Keys, sorted_positions

Column = NDArray[Any]
Function = tuple[Any, ...]
"""The name of a function, then its monoid or interpolation, its column, and its number, if any."""

_WORD = 8
"""Bytes of a place."""
_OBJECT = np.dtype(object)
_FEW = 16
"""Up to how many rows are folded one after the other, for all rows at once."""
_WIDE = 4
"""How many codes there may be for a row."""
_LONG = 64
"""From how many rows on a group is folded by itself, rather than row by row with the others."""


def window(batch: Batch, keys: Sequence[int], by: Keys, functions: Sequence[Function]) -> Batch:
    """The batch with what functions give behind its columns."""
    count = length(batch)
    if not count:
        empty = [np.zeros(0, np.int64) if len(f) == 1 else batch[_column(f)] for f in functions]
        made: list[Any] = []
        for function, column in zip(functions, empty, strict=True):
            made += [column, np.zeros(0, np.bool_)] if function[0] == "shift" else [column]
        return (*batch, *made)
    reserve(8 * _WORD * count, "to look from {} rows at others", count)
    return (*batch, *_Window(batch, keys, by).columns(functions))


def _column(function: Function) -> int:
    return function[2] if isinstance(function[1], str) else function[1]


class _Window:
    """Rows in the order of their groups, and in each of these in theirs."""

    def __init__(self, batch: Batch, keys: Sequence[int], by: Keys):
        self._batch = batch
        self._by = by
        self._count = length(batch)
        self._codes, self._size = _codes([batch[k] for k in keys], self._count)
        counts = np.bincount(self._codes, minlength=self._size) if keys else None
        self._rows_of_codes = counts
        """How many rows each code has, if there is more than one."""
        lengths = np.array([self._count]) if counts is None else counts[counts > 0]
        self._ends = np.cumsum(lengths)
        self._begins = self._ends - lengths

    @cached_property
    def _order(self) -> Column | None:
        """The places of the rows by their groups and in order, None if they stand so."""
        if self._rows_of_codes is None:
            return sorted_positions(self._batch, self._by)
        if not self._by and is_ascending(self._codes):
            return None
        order = group_loops.together(self._codes, self._visited, self._size)
        if order is not None:
            return order
        if not self._by:
            return stable_order(self._codes)
        by = [(0, False), *[(column + 1, down) for column, down in self._by]]
        return sorted_positions((self._codes, *self._batch), by)

    def _visited(self) -> Column:
        """The places of the rows in order, whatever their groups."""
        return self._in_order

    @cached_property
    def _in_order(self) -> Column:
        order = sorted_positions(self._batch, self._by)
        return (np.arange(self._count) if order is None else order).astype(np.int32)

    def _together(self) -> Column:
        """The places of the rows by their groups and in order."""
        order = self._order
        return (np.arange(self._count) if order is None else order).astype(np.int32, copy=False)

    @cached_property
    def _starts(self) -> Column:
        """Where each group begins in that order, and where the last one ends."""
        return np.append(self._begins, self._count)

    @cached_property
    def _longest(self) -> int:
        """How many rows a group has at most."""
        return int((self._ends - self._begins).max())

    def columns(self, functions: Sequence[Function]) -> list[Any]:
        """Return what each function gives, where the rows stand."""
        made: list[Any] = []
        for name, *rest in functions:
            match name:
                case "number":
                    made.append(self._numbers())
                case "size":
                    made.append(self._sizes())
                case "first_peer":
                    first = np.flatnonzero(self._new)
                    made.append(self._placed(np.repeat(self._places()[first], self._alike())))
                case "last_peer":
                    last = np.flatnonzero(np.append(self._new[1:], True))
                    made.append(self._placed(np.repeat(self._places()[last], self._alike())))
                case "peers_before":
                    counts = np.cumsum(self._new)
                    made.append(self._placed(counts - self._of_groups(counts.take(self._begins))))
                case "shift":
                    made += self._shifted(*rest)
                case "first" | "last":
                    made.append(self._of_one_row(rest[0], last=name == "last"))
                case "whole":
                    made.append(self._whole(*rest))
                case "scan":
                    made.append(self._scanned(*rest))
                case "quantile":
                    made.append(self._quantile(*rest))
                case _:
                    made.append(self._folded(*rest))
        return made

    def _placed(self, ordered: Column) -> Column:
        """Values of the rows in order, put where these stand."""
        if self._order is None:
            return ordered
        placed = np.empty_like(ordered)
        placed[self._order] = ordered
        return placed

    def _ordered(self, column: int) -> Column:
        values: Column = self._batch[column]
        return values if self._order is None else values.take(self._order)

    def _of_groups(self, values: Column) -> Column:
        """A value of each group, for each of its rows."""
        return np.repeat(values, self._ends - self._begins)

    def _places(self) -> Column:
        return np.arange(self._count) - self._of_groups(self._begins)

    @cached_property
    def _new(self) -> Column:
        """Where rows do not agree with those before them in what they are ordered by."""
        new = np.zeros(self._count, np.bool_)
        new[self._begins] = True
        for column, _ in self._by:
            values: Any = self._batch[column]
            if getattr(values, "dtype", _OBJECT).kind not in "iufb":
                values = encode([values]).codes
            ordered: Column = values if self._order is None else values.take(self._order)
            differs = ordered[1:] != ordered[:-1]
            if ordered.dtype.kind == "f":  # NaN agrees with NaN.
                differs &= (ordered[1:] == ordered[1:]) | (ordered[:-1] == ordered[:-1])
            new[1:] |= differs
        return new

    def _alike(self) -> Column:
        """Return how many rows each run of rows has that agree."""
        return np.diff(np.flatnonzero(self._new), append=self._count)

    def _numbers(self) -> Column:
        if self._rows_of_codes is not None:
            numbers = group_loops.numbered(self._codes, self._visited, self._size)
            if numbers is not None:
                return numbers
        return self._placed(self._places())

    def _shifted(self, column: int, by: int) -> list[Any]:
        if self._rows_of_codes is not None:
            codes, size = self._codes, self._size
            found = group_loops.shifted(codes, self._visited, size, by, self._longest)
            if found is not None:
                return [taken(self._batch[column], found[0]), found[1]]
        by = max(min(by, self._count), -self._count)
        values = self._batch[column]
        if self._rows_of_codes is None and self._order is None and isinstance(values, np.ndarray):
            return _moved(cast("Column", values), by)
        source = np.arange(self._count) - by
        first, last = self._of_groups(self._begins), self._of_groups(self._ends - 1)
        there = (source >= first) & (source <= last)
        np.clip(source, first, last, out=source)
        if self._order is not None:
            source = self._order.take(source)
        return [taken(values, self._placed(source)), self._placed(there)]

    def _of_one_row(self, column: int, *, last: bool) -> Any:
        """The values of the first or the last row of each group, for all of its rows."""
        values = self._batch[column]
        if self._rows_of_codes is None or self._by:
            places = self._ends - 1 if last else self._begins
            rows = places if self._order is None else self._order.take(places)
            return taken(values, self._placed(self._of_groups(rows)))
        rows, step = np.zeros(self._size, np.int64), 1 if last else -1
        rows[self._codes[::step]] = np.arange(self._count)[::step]  # What is written last stays.
        return taken(values, rows.take(self._codes))

    def _sizes(self) -> Column:
        if self._rows_of_codes is None:
            return np.full(self._count, self._count)
        return self._rows_of_codes.take(self._codes)

    def _whole(self, monoid: str, column: int) -> Column:
        values: Column = self._batch[column]
        if self._rows_of_codes is None:
            return np.full(self._count, reduce_all(monoid, values), values.dtype)
        return reduce_at(monoid, self._codes, values, self._size).take(self._codes)

    def _quantile(self, interpolation: str, column: int, part: float) -> Column:
        values: Column = self._batch[column]
        if self._rows_of_codes is None:
            (found,) = quantiles(values, None, np.array([self._count]), interpolation, part)
            return np.full(self._count, found)
        found = quantiles(values, self._codes, self._rows_of_codes, interpolation, part)
        return found.take(self._codes)

    def _scanned(self, monoid: str, column: int) -> Column:
        if self._rows_of_codes is not None:
            values, codes = self._batch[column], self._codes
            found = group_loops.scanned(monoid, codes, self._visited, values, self._size)
            if found is not None:
                return found
        values = self._ordered(column)
        return self._placed(_running(ufunc(monoid), values, self._begins, self._ends))

    def _folded(self, monoid: str, column: int, size: int) -> Column:
        values = self._batch[column]
        if size <= 0:
            return np.full(self._count, identity(monoid, values.dtype), values.dtype)
        found = group_loops.folded(monoid, self._together, self._starts, self._batch[column], size)
        if found is not None:
            return found
        values = self._ordered(column)
        return self._placed(self._last(ufunc(monoid), values, min(size, self._count)))

    def _last(self, combine: np.ufunc, values: Column, size: int) -> Column:
        """The fold of the last `size` values, of those in the order of the groups."""
        places = self._places()
        if size <= _FEW:
            result = values.copy()
            for step in range(1, size):
                combine(values[:-step], result[step:], out=result[step:],
                        where=places[step:] >= step, dtype=values.dtype)  # fmt: skip
            return result
        lengths = self._ends - self._begins
        blocks = -(-lengths // size)
        within = np.arange(int(blocks.sum())) - np.repeat(np.cumsum(blocks) - blocks, blocks)
        begins = np.repeat(self._begins, blocks) + within * size
        ends = np.minimum(begins + size, np.repeat(self._ends, blocks))
        result = _running(combine, values, begins, ends)
        turned = _running(combine, values[::-1], self._count - ends[::-1],
                          self._count - begins[::-1])  # fmt: skip
        crossing = np.flatnonzero((places >= size) & (places % size != size - 1))
        result[crossing] = combine(
            turned[::-1].take(crossing - (size - 1)), result.take(crossing), dtype=values.dtype
        )
        return result


def _moved(values: Column, by: int) -> list[Column]:
    """Values so many places further, with the first or the last one beside, and which moved."""
    count = len(values)
    there = np.ones(count, np.bool_)
    there[:by] = by < 0
    if by < 0:
        there[count + by :] = False
    moved = np.empty_like(values)
    if by >= 0:
        moved[:by], moved[by:] = values[0], values[: count - by]
    else:
        moved[by:], moved[:by] = values[-1], values[-by:]
    return [moved, there]


def _codes(keys: Sequence[Any], count: int) -> tuple[Column, int]:
    """A number for each row, equal in groups, of which there are not many more than rows."""
    if not keys:
        return np.zeros(0, np.int64), 1
    encoded = encode(keys)
    if encoded.size > _WIDE * count:
        encoded = without_gaps(encoded.codes)
    # Codes may be a column itself, which may be a part of something else.
    return np.ascontiguousarray(encoded.codes), encoded.size


def _running(combine: np.ufunc, values: Column, begins: Column, ends: Column) -> Column:
    """Return what comes of folding runs of values, which lie one behind the other, up to each."""
    dtype = values.dtype
    if len(begins) == 1:
        return combine.accumulate(values, dtype=dtype)
    lengths = ends - begins
    if dtype.kind in "iu" and monoid_of_ufunc(combine.__name__).is_sum:
        # Whole numbers wrap around, also back again.
        sums = np.add.accumulate(values, dtype=dtype)
        before = sums.take(begins - 1)
        before[0] = 0
        return sums - np.repeat(before, lengths)
    if len(begins) > 2 and (lengths[1:-1] == lengths[1]).all():
        return _running_alike(combine, values, begins, ends)
    result = values.copy()
    is_long = lengths >= _LONG
    for begin, end in zip(begins[is_long].tolist(), ends[is_long].tolist(), strict=True):
        combine.accumulate(values[begin:end], dtype=dtype, out=result[begin:end])
    # The others together: the second rows of all, then the third ones, of those that have one.
    short = lengths[~is_long]
    order = stable_order(-short)
    starts, short = begins[~is_long].take(order), short.take(order)
    for step in range(1, int(short[0]) if len(short) else 0):
        rows = starts[: int(np.searchsorted(-short, -step, "left"))] + step
        result[rows] = combine(result.take(rows - 1), values.take(rows), dtype=dtype)
    return result


def _running_alike(combine: np.ufunc, values: Column, begins: Column, ends: Column) -> Column:
    """`_running` of runs that are equally long, but for the first and the last one."""
    result = np.empty_like(values)
    first, last = int(ends[0]), int(begins[-1])
    for part in (slice(0, first), slice(last, None)):
        combine.accumulate(values[part], dtype=values.dtype, out=result[part])
    shape = (len(begins) - 2, -1)
    combine.accumulate(values[first:last].reshape(shape), axis=1, dtype=values.dtype,
                       out=result[first:last].reshape(shape))  # fmt: skip
    return result


__all__ = ["window"]
