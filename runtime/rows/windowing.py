"""What functions give for each row of the rows of its group: places, shifts, running folds.

    rows (1, 2.5), (2, 0.5), (1, 4.0)   keys (0,), (("number",), ("scan", "add", 1))
        ->   (1, 2.5, 0, 2.5), (2, 0.5, 0, 0.5), (1, 4.0, 1, 6.5)

Rows are sorted by their groups, functions go through groups that lie one behind the other, and what
they give is put where the rows are. A fold of the last n rows is two running folds: groups are cut
into blocks of n rows, and n rows are the end of one block and the beginning of the next (van Herk,
A fast algorithm for local minimum and maximum filters, 1992), so that nothing is subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import identity, ufunc
from diablo.runtime.ordering import encode, is_ascending, stable_order
from diablo.runtime.rows.batches import Batch, length, taken
from diablo.runtime.rows.sorting import Keys, sorted_positions

Column = NDArray[Any]
Function = tuple[Any, ...]
"""The name of a function, then its monoid, its column and how many rows it is about, if any."""

_WORD = 8
"""Bytes of a place."""
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
        codes = encode([batch[k] for k in keys]).codes if keys else None
        self._order = _order(batch, codes, by)
        new = np.zeros(self._count, np.bool_)
        new[0] = True
        if codes is not None:
            ordered = codes if self._order is None else codes.take(self._order)
            np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
        self._is_first = new
        self._begins = np.flatnonzero(new)
        self._ends = np.append(self._begins[1:], self._count)

    def columns(self, functions: Sequence[Function]) -> list[Any]:
        """What each function gives, where the rows stand."""
        made: list[Any] = []
        for name, *rest in functions:
            match name:
                case "number":
                    made.append(self._placed(self._places()))
                case "size":
                    made.append(self._placed(self._of_groups(self._ends - self._begins)))
                case "first_peer":
                    first = np.flatnonzero(self._is_new())
                    made.append(self._placed(np.repeat(self._places()[first], self._alike())))
                case "last_peer":
                    last = np.flatnonzero(np.append(self._is_new()[1:], True))
                    made.append(self._placed(np.repeat(self._places()[last], self._alike())))
                case "peers_before":
                    counts = np.cumsum(self._is_new())
                    made.append(self._placed(counts - self._of_groups(counts.take(self._begins))))
                case "shift":
                    made += self._shifted(*rest)
                case "first":
                    made.append(self._taken(rest[0], self._begins))
                case "last":
                    made.append(self._taken(rest[0], self._ends - 1))
                case "whole":
                    made.append(self._whole(*rest))
                case "scan":
                    made.append(self._scanned(*rest))
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

    def _is_new(self) -> Column:
        """Where rows do not agree with those before them in what they are ordered by."""
        new = self._is_first.copy()
        for column, _ in self._by:
            values = encode([self._batch[column]]).codes
            ordered = values if self._order is None else values.take(self._order)
            new[1:] |= ordered[1:] != ordered[:-1]
        return new

    def _alike(self) -> Column:
        """How many rows each run of rows has that agree."""
        return np.diff(np.flatnonzero(self._is_new()), append=self._count)

    def _shifted(self, column: int, by: int) -> list[Any]:
        by = max(min(by, self._count), -self._count)
        source = np.arange(self._count) - by
        first, last = self._of_groups(self._begins), self._of_groups(self._ends - 1)
        there = (source >= first) & (source <= last)
        np.clip(source, first, last, out=source)
        if self._order is not None:
            source = self._order.take(source)
        values = taken(self._batch[column], self._placed(source))
        return [values, self._placed(there)]

    def _taken(self, column: int, places: Column) -> Any:
        """The values of one row of each group, for all of its rows."""
        rows = places if self._order is None else self._order.take(places)
        return taken(self._batch[column], self._placed(self._of_groups(rows)))

    def _whole(self, monoid: str, column: int) -> Column:
        values = self._ordered(column)
        folds = ufunc(monoid).reduceat(values, self._begins, dtype=values.dtype)
        return self._placed(self._of_groups(folds))

    def _scanned(self, monoid: str, column: int) -> Column:
        values = self._ordered(column)
        return self._placed(_running(ufunc(monoid), values, self._begins, self._ends))

    def _folded(self, monoid: str, column: int, size: int) -> Column:
        values = self._ordered(column)
        if size <= 0:
            return np.full(self._count, identity(monoid, values.dtype), values.dtype)
        combine = ufunc(monoid)
        size = min(size, self._count)
        lengths = self._ends - self._begins
        blocks = -(-lengths // size)
        within = np.arange(int(blocks.sum())) - np.repeat(np.cumsum(blocks) - blocks, blocks)
        begins = np.repeat(self._begins, blocks) + within * size
        ends = np.minimum(begins + size, np.repeat(self._ends, blocks))
        result = _running(combine, values, begins, ends)
        turned = _running(combine, values[::-1], self._count - ends[::-1],
                          self._count - begins[::-1])  # fmt: skip
        places = self._places()
        crossing = np.flatnonzero((places >= size) & (places % size != size - 1))
        result[crossing] = combine(
            turned[::-1].take(crossing - (size - 1)), result.take(crossing), dtype=values.dtype
        )
        return self._placed(result)


def _order(batch: Batch, codes: Column | None, by: Keys) -> Column | None:
    """The places of the rows in order, None if they stand in it."""
    if codes is None:
        return sorted_positions(batch, by)
    if by:
        return sorted_positions((codes, *batch), [(0, False), *[(c + 1, down) for c, down in by]])
    return None if is_ascending(codes) else stable_order(codes)


def _running(combine: np.ufunc, values: Column, begins: Column, ends: Column) -> Column:
    """What comes of folding runs of values, which lie one behind the other, up to each."""
    dtype = values.dtype
    if len(begins) == 1:
        return combine.accumulate(values, dtype=dtype)
    lengths = ends - begins
    if combine is np.add and dtype.kind in "iu":  # Whole numbers wrap around, also back again.
        sums = np.add.accumulate(values, dtype=dtype)
        before = sums.take(begins - 1)
        before[0] = 0
        return sums - np.repeat(before, lengths)
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


__all__ = ["window"]
