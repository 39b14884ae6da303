"""Rows in the order of some columns, or the first of them: `order by` and `limit`.

    rows (1, 2.5), (3, 4.5), (2, 2.5)   by ((1, True), (0, False))
        ->   (3, 4.5), (1, 2.5), (2, 2.5)

A key becomes an integer without a sign that ascends as the rows are to stand. What fits of the keys
of a row into 64 bits beside its position is sorted as one number, since NumPy sorts integers with
vector instructions, ten times as fast as it finds an order; rows that agree in that much, which of
floats are few, are sorted by the rest of their keys. So equal rows stay in their order. Where a few
rows are asked for, the others are compared with the last one of those found so far, and no more is
held than a multiple of them. Short lists of floats that rows have, and the first ones of any, are
put in order one by one; others are the rows of matrices, with NaN behind them, which NumPy sorts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.memory import numbers
from diablo.runtime.column_types import element_name
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut_finely, share
from diablo.runtime.native.written_loops import CALL, repaid_loop
from diablo.runtime.ordering import encode, is_ascending
from diablo.runtime.rows.batches import Batch, length, project, take
from diablo.runtime.rows.lists import Lists, runs
from diablo.runtime.rows.tuples import compact

Column = NDArray[Any]
Keys = Sequence[tuple[int, bool]]
"""Columns, each with whether the rows descend by it."""

PLACE = -1
"""The number of the column that is the place of a row among those that are sorted."""

_CHUNK = 1 << 16
_LEAST_ROOM = 1 << 12
"""How many candidates for the first rows are held at least before they are sorted."""
_FEW = 8
"""Which part of the rows is few enough to look for them, rather than to sort all."""
_WORD = 64
_SHORT = 48
"""How many elements of a list are put in order by insertion."""
_PADDED = 1 << 12
"""How many a row of a matrix has at most: a longer list is sorted by itself."""
_AT_ONCE = 1 << 14
"""How many elements such a matrix has, about, so that it stays in the caches."""


def sort(
    batch: Batch, by: Keys, limit: int | None = None, to: Sequence[int] | None = None
) -> Batch:
    """The rows in order, the first `limit` of them, with the columns `to`.

    One of these may be `PLACE`.
    """
    count = length(batch)
    given = [*range(len(batch))] if to is None else [column for column in to if column != PLACE]
    kept = project(batch, given)
    order: Column | None
    if limit is None or limit >= count:
        if len(kept) == 1 and by and kept[0] is batch[by[0][0]] and PLACE not in (to or ()):
            values = _sorted_values(kept[0], descending=by[0][1], alone=len(by) == 1)
            if values is not None:
                return (values,)
        order = sorted_positions(batch, by)
        rows = kept if order is None else take(kept, order)
    else:
        count = max(limit, 0)
        order = first_positions(batch, by, count) if by else None
        first = [compact(column[:count]) for column in kept]
        rows = tuple(first) if order is None else take(kept, order)
    if to is None or len(given) == len(to):
        return rows
    place = numbers(count) if order is None else compact(order)
    columns = iter(rows)
    return tuple([place if column == PLACE else next(columns) for column in to])


def sort_lists(lists: Lists, by: Keys, limit: Any = None, to: Sequence[int] | None = None) -> Lists:
    """The list of each row in order, of which the first `limit` rows, which may vary as well.

    `PLACE` is that in the list.
    """
    if len(by) == 1 and to is None and (ordered := _in_order(lists, by[0], limit)) is not None:
        return ordered
    lengths = lists.lengths
    values = lists.values
    rows = np.repeat(np.arange(len(lengths)), lengths)
    if to is not None and PLACE in to:
        to = [len(values) if column == PLACE else column for column in to]
        values = (*values, np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths))
    order = sorted_positions((rows, *values), [(0, False), *[(c + 1, down) for c, down in by]])
    kept = values if to is None else project(values, to)
    if limit is not None:
        shorter = np.minimum(lengths, np.maximum(limit, 0))
        first = runs(np.cumsum(lengths) - lengths, shorter)
        order = first if order is None else order.take(first)
        lengths = shorter
    return Lists.of_lengths(kept if order is None else take(kept, order), lengths)


def _in_order(lists: Lists, by: tuple[int, bool], limit: Any) -> Lists | None:
    """Lists of floats in order, by machine code once it is worth it; None of all others."""
    batch, starts, lengths = lists.spans()
    values = _numbers(batch[0], "f")
    if len(batch) > 1 or values is None or not values.flags.c_contiguous:
        return None
    kept = lengths if limit is None else np.minimum(lengths, np.maximum(limit, 0))
    count = int(lengths.sum())
    entry = repaid_loop(count + CALL, "order_lists", element_name(values.dtype))
    if entry is None:
        return None
    places = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=places[1:])
    reserve(int(places[-1]) * values.itemsize, "{} lists in order", len(lists))
    out = memory.empty((int(places[-1]),), values.dtype)
    spans = [np.ascontiguousarray(span, np.int64) for span in (starts, lengths, places)]
    addresses = [address_of(array) for array in (values, *spans, out)]
    calls = [(*addresses, by[1], _SHORT, *part) for part in cut_finely(len(lists), max(count, 1))]
    share(entry, calls, count)
    left = np.flatnonzero(kept > _SHORT)
    if len(left):
        _sort_long(values, out, [array.take(left) for array in (*spans, kept)], by[1])
    return Lists((out,), places)


def _sort_long(values: Column, out: Column, spans: Sequence[Column], descending: bool) -> None:
    """Put lists in order, those of about one length together.

    `spans` are where each begins in `values`, how long it is, where it begins in `out`, and how
    many elements are kept.
    """
    starts, lengths, places, kept = spans
    widths = _widths(lengths)
    alone = (widths > _PADDED) | _have_minus_zeros(values, starts, lengths)
    for width in np.unique(widths[~alone]).tolist():
        chosen = np.flatnonzero((widths == width) & ~alone)
        _sort_padded(values, out, [span.take(chosen) for span in spans], width, descending)
    for number in np.flatnonzero(alone).tolist():
        start, length = int(starts[number]), int(lengths[number])
        place, count = int(places[number]), int(kept[number])
        ordered = _sorted_values(values[start : start + length], descending=descending, alone=True)
        assert ordered is not None  # Floats alone are.
        out[place : place + count] = ordered[:count]


def _have_minus_zeros(values: Column, starts: Column, lengths: Column) -> Column:
    """Whether each list has a -0.0, of which vector instructions make 0.0."""
    bits = np.dtype(f"i{values.itemsize}")
    found = np.flatnonzero(values.view(bits) == np.iinfo(bits).min)
    before, up_to = (np.searchsorted(found, ends) for ends in (starts, starts + lengths))
    return before < up_to


def _widths(lengths: Column) -> Column:
    """Lengths that are rounded up by an eighth at most, so that lists have few of them."""
    _, bits = np.frexp(lengths)
    step = np.left_shift(1, np.maximum(bits - 4, 0), dtype=np.int64)
    return -(-lengths // step) * step


def _sort_padded(
    values: Column, out: Column, spans: Sequence[Column], width: int, descending: bool
) -> None:
    """Put lists without -0.0 in order, as rows of matrices of a width with NaN behind them."""
    most = max(1, _AT_ONCE // width)
    columns = np.arange(width)
    for first in range(0, len(spans[0]), most):
        starts, lengths, places, kept = (span[first : first + most, None] for span in spans)
        reserve(4 * 8 * len(starts) * width, "{} lists in order", len(starts))
        matrix = values.take(starts + columns, mode="clip")
        matrix[columns >= lengths] = np.nan
        if descending:
            np.negative(matrix, out=matrix)
        matrix.sort(axis=1)
        if descending:  # It begins at 0.0, so that no -0.0 is made.
            np.subtract(0, matrix, out=matrix)
        is_kept = columns < kept
        out[(places + columns)[is_kept]] = matrix[is_kept]


def sorted_positions(batch: Batch, by: Keys) -> Column | None:
    """The positions of the rows in order; none if they stand in it."""
    count = length(batch)
    if count < 2:
        return None
    by = _needed(batch, by)
    if not by:
        return None
    reserve(3 * 8 * count, "to sort {} rows", count)
    return _order([_Key(batch[column], down) for column, down in by], count)


def _needed(batch: Batch, by: Keys) -> Keys:
    """The keys without the last ones by which the rows ascend already."""
    found: list[tuple[int, bool]] = []
    for key in by:
        if key[0] not in [column for column, _ in found]:
            found.append(key)
    for start in range(len(found)):
        columns = [batch[column] for column, _ in found[start:]]
        if not any(down for _, down in found[start:]) and _stand_in_order(columns):
            return found[:start]
    return found


def _stand_in_order(columns: Sequence[Any]) -> bool:
    """Return whether rows ascend by some columns; not for sure if they do by strings."""
    if any(_numbers(column) is None for column in columns):
        return False
    if len(columns) == 1:
        return is_ascending(columns[0])
    head = [column[: _CHUNK + 1] for column in columns]
    if len(head[0]) < len(columns[0]) and not _stand_in_order(head):
        return False
    for start in range(0, len(columns[0]) - 1, _CHUNK):
        less = np.zeros(1, np.bool_)
        equal = np.ones(1, np.bool_)
        for column in columns:
            part = column[start : start + _CHUNK + 1]
            less = less | (equal & (part[:-1] < part[1:]))
            equal = equal & (part[:-1] == part[1:])
        if not bool((less | equal).all()):
            return False
    return True


def _numbers(column: Any, kinds: str = "iufb") -> Column | None:
    """A column that is an array of numbers, or Booleans, of these kinds."""
    if not isinstance(column, np.ndarray):
        return None
    array = cast("Column", column)
    return array if array.dtype.kind in kinds else None


# --- All rows ------------------------------------------------------------------------------------


def _sorted_values(column: Any, *, descending: bool, alone: bool) -> Column | None:
    """A column in order, if it can be sorted by itself; `alone`: whether it is the only key."""
    given = _numbers(column)
    if given is None:
        return None
    reserve(given.nbytes, "to sort {} rows", len(given))
    values = np.sort(given)
    numbers = len(values)
    if values.dtype.kind == "f":
        numbers = int(np.searchsorted(values, np.nan))
        start = int(np.searchsorted(values[:numbers], 0.0, "left"))
        end = int(np.searchsorted(values[:numbers], 0.0, "right"))
        if end > start:
            # Vector instructions make 0.0 of -0.0, of which the one that comes first comes first.
            zeros = given[given == 0]
            if not alone and np.signbit(zeros).any():
                return None
            values[start:end] = zeros[::-1] if descending else zeros
    if descending:
        values[:numbers] = values[:numbers][::-1].copy()
    return values


class _Rest(NamedTuple):
    """The last bits of codes, of which the others have been compared."""

    bits: int
    low: int = 0
    """The least of the codes, as `_raw_codes` gives them, above which they are counted."""
    zeros: int = 0
    """How many bits at the end of these are zero in all of them."""

    def of(self, codes: Column) -> Column:
        """These bits of codes."""
        codes -= np.uint64(self.low)
        codes >>= np.uint64(self.zeros)
        codes &= np.uint64((1 << self.bits) - 1)
        return codes


class _Key(NamedTuple):
    """A column by which rows are compared, or what is left to compare of it."""

    column: Any
    descending: bool
    rest: _Rest | None = None

    def at(self, rows: Column) -> _Key:
        """The key of some of the rows."""
        return _Key(self.column.take(rows), self.descending, self.rest)

    def codes(self) -> tuple[Column, _Rest]:
        """Integers without a sign that ascend as the rows are to stand, and what they are."""
        codes = _raw_codes(self.column, descending=self.descending)
        if self.rest is not None:
            codes = self.rest.of(codes)
        low = int(codes.min())
        codes -= np.uint64(low)
        shared = int(np.bitwise_or.reduce(codes))
        # What all have as zeros at the end says nothing: small integers as floats have many.
        zeros = (shared & -shared).bit_length() - 1 if shared else 0
        codes >>= np.uint64(zeros)
        return codes, _Rest((shared >> zeros).bit_length(), low, zeros)


def _order(keys: list[_Key], count: int) -> Column:
    """The positions of rows in the order of some keys; those of equal rows ascend."""
    bits = (count - 1).bit_length()
    word = np.zeros(0, np.uint64)
    room = _WORD - bits
    left = list(keys)
    while left and room:
        key = left.pop(0)
        codes, whole = key.codes()
        fits = min(whole.bits, room)
        rest = whole.bits - fits
        if rest and key.rest is None and _numbers(key.column) is not None:
            # Few rows will need the rest of their codes, which are made of the column again then.
            left.insert(0, _Key(key.column, key.descending, whole._replace(bits=rest)))
            codes >>= np.uint64(rest)
        elif rest:
            left.insert(0, _Key(codes, False, _Rest(rest)))
            codes = codes >> np.uint64(rest)
        if len(word):
            word <<= np.uint64(fits)
            word |= codes
        else:
            word = codes
        room -= fits
    for start in range(0, count, _CHUNK):
        part = word[start : start + _CHUNK]
        part <<= np.uint64(bits)
        part |= np.arange(start, start + len(part), dtype=np.uint64)
    word.sort()
    tied = _ties(word, bits) if left else np.zeros(0, np.int64)
    beginnings = word.take(tied) >> np.uint64(bits)
    for start in range(0, count, _CHUNK):
        word[start : start + _CHUNK] &= np.uint64((1 << bits) - 1)
    order = word.view(np.int64)
    if len(tied):
        new = np.ones(len(tied), np.bool_)
        np.not_equal(beginnings[1:], beginnings[:-1], out=new[1:])
        rows = order.take(tied)
        groups = _Key(np.cumsum(new), False)
        inner = _order([groups, *[key.at(rows) for key in left]], len(rows))
        order[tied] = rows.take(inner)
    return order


def _ties(word: Column, bits: int) -> Column:
    """The places of sorted words that begin as one beside them does, before the last `bits`."""
    tied = np.zeros(len(word), np.bool_)
    for start in range(0, len(word) - 1, _CHUNK):
        part = word[start : start + _CHUNK + 1]
        equal = (part[1:] ^ part[:-1]) < np.uint64(1 << bits)
        here = tied[start : start + len(part)]
        here[1:] |= equal
        here[:-1] |= equal
    return np.flatnonzero(tied)


def _raw_codes(column: Any, *, descending: bool) -> Column:
    """Integers without a sign that ascend as the rows are to stand, in memory of their own."""
    floats, whole = _numbers(column, "f"), _numbers(column, "iub")
    if floats is not None:
        return _codes_of_floats(floats, descending=descending)
    ranks = encode([column]).codes if whole is None else whole
    codes = ranks.astype(np.uint64)
    if ranks.dtype.kind == "i":
        codes ^= np.uint64(1 << 63)
    if descending:
        np.invert(codes, out=codes)
    return codes


def _codes_of_floats(column: Column, *, descending: bool) -> Column:
    """The bits of floats, so that they ascend as these do, and NaN is the greatest."""
    wide = column.dtype.itemsize == 8
    bits = column if wide else column.astype(np.float32, copy=False)
    signed = np.int64 if wide else np.int32
    codes = np.empty(len(column), np.uint64)
    top = np.uint64(1 << 63)
    for start in range(0, len(column), _CHUNK):
        values = bits[start : start + _CHUNK] + 0.0  # -0.0 is 0.0
        part = values.view(signed).astype(np.int64, copy=False)
        if not wide:
            part = part << 32
        mask = part >> 63
        into = codes[start : start + _CHUNK]
        np.bitwise_xor(part.view(np.uint64), mask.view(np.uint64) | top, out=into)
        if descending:
            np.invert(into, out=into)
        nans = np.isnan(values)
        if nans.any():
            into[nans] = np.uint64(2**64 - 1)
    return codes


# --- The first rows ------------------------------------------------------------------------------


def first_positions(batch: Batch, by: Keys, limit: int) -> Column | None:
    """The positions of the first rows in order; none if they stand in it."""
    count = length(batch)
    if limit == 0:
        return np.zeros(0, np.int64)
    by = _needed(batch, by)
    if not by:
        return None
    foremost = _numbers(batch[by[0][0]])
    if foremost is None or limit > count // _FEW:
        order = sorted_positions(batch, by)
        return None if order is None else order[:limit]
    return _Foremost(batch, by, limit).positions(foremost)


class _Foremost:
    """The rows that come first, of which candidates are kept."""

    def __init__(self, batch: Batch, by: Keys, limit: int):
        self.batch = batch
        self.by = by
        self.limit = limit
        self.room = max(4 * limit, _LEAST_ROOM)
        reserve(8 * self.room * (len(by) + 3), "to find the first {} rows", limit)

    def positions(self, foremost: Column) -> Column:
        """Their positions, in order."""
        descending = self.by[0][1]
        # A row that equals the last one in the first key may come before it by another one.
        compare = (
            (np.greater_equal if descending else np.less_equal)
            if len(self.by) > 1
            else (np.greater if descending else np.less)
        )
        last: Any = None
        waiting: list[Column] = []
        held = 0
        # Of the first rows all are candidates: they are no more than there is room for.
        starts = [0, *range(self.room, len(foremost), _CHUNK)]
        for start, end in pairwise([*starts, len(foremost)]):
            part = foremost[start:end]
            found = np.arange(len(part)) if last is None else np.flatnonzero(compare(part, last))
            if not len(found):
                continue
            found += start
            waiting.append(found)
            held += len(found)
            if held >= self.room or (last is None and held >= self.limit):
                waiting = [self._best(waiting)]
                held = self.limit
                last = foremost[waiting[0][-1]]
                if last != last:
                    last = None  # Numbers come before NaN, with which nothing compares.
        return self._best(waiting)

    def _best(self, waiting: Sequence[Column]) -> Column:
        """The first rows of the candidates, which are brought to the order of their positions."""
        found = np.sort(np.concatenate(waiting))
        keys = [_Key(self.batch[column], down).at(found) for column, down in self.by]
        order = _order(keys, len(found))
        return found.take(order[: self.limit])
