"""Numbers for strings, the same for equal ones, by hash tables that threads share.

    numbered("b", "a", "b")                         ->   0, 1, 0 and the distinct strings "b", "a"
    codes, index = StringIndex.of("b", "a", "b")    ->   0, 1, 0
    index.codes_of("a", "c")                        ->   1, -1

Of few distinct strings each thread numbers those in its part of the rows, and the distinct ones are
brought together. Many are laid part by part by another hash first, as in a radix join (Manegold,
Boncz, Kersten, 2002), and each part has a table: no string is in two of them, threads take one
after the other, and a table is near to the processor while it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.joined_vectors import concatenated
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.rows.string_spans import PADDING, Adjacent, Spans, new_vector, string_loop

Array = NDArray[Any]
Places = Spans | Adjacent
"""Where strings lie, in either form."""

NUMBERING = 16
"""What it takes to number a string, in simple points."""
SAMPLE = 1 << 12
"""How many strings say whether few are distinct."""
FEW_DISTINCT = 8
"""Distinct strings are few if there are this many times as many."""
WORTH_PARTS = 1 << 17
"""From how many strings on, if they are not few, there are tables for parts of them."""
PART = 1 << 16
"""How many strings a part has, if that makes no more and no fewer parts than these."""
MOST_PARTS = 64
LEAST_PARTS = 8
_FIRST_ROOM = 1 << 12
"""For how many distinct strings there is room at first."""
_GROWTH = 4
_NEAR = 1 << 15
"""How many slots lie near enough that more of them than are needed, up to so many, save time.

Who finds the slot of another string has to go on, which a processor cannot foresee.
"""
_FOUND = 4
"""Words that are kept of a distinct string."""
_WORD = 8
_SHORT = 16
"""Bytes that a string has at most of which the parts have copies."""
_MOST = 2**31 - 1


def numbered(strings: Places) -> tuple[Array, Spans] | None:
    """Equal strings have one number, in the order in which they first come; the distinct ones.

    None if there are more strings than there are numbers.
    """
    rows = strings.rows
    codes = _room_for_codes(rows)
    if codes is None:
        return None
    ranges = cut(rows, NUMBERING * rows)
    if len(ranges) > 1 and are_few(strings):
        return _numbered_by_rows(strings, codes, ranges)
    # What one thread gains by parts it loses by bringing their numbers into order.
    index = StringIndex.number(strings, codes, in_parts=len(ranges) > 1)
    return codes, index.ranked(codes)


def _room_for_codes(rows: int) -> Array | None:
    if rows > _MOST:
        return None
    reserve(4 * rows, "to number {} strings", rows)
    return new_vector(rows, np.int32)


def _numbered_by_rows(
    strings: Places, codes: Array, ranges: Sequence[tuple[int, int]]
) -> tuple[Array, Spans]:
    """Number the strings of each range apart, and then what is distinct of them together."""
    # What the first part has found keeps its numbers.
    first, *others = ranges
    own = new_vector(others[-1][1] - others[0][0], np.int32)
    parts = [codes[slice(*first)], *np.split(own, [end - first[1] for _, end in others[:-1]])]
    tables = [
        _Table(strings.between(*span), part) for span, part in zip(ranges, parts, strict=True)
    ]
    _finish(tables)
    whole, *later = tables
    found = _together(strings.data, [table.distinct for table in later])
    numbers = new_vector(found.rows, np.int32)
    whole.go_on_with(found, numbers)
    _finish([whole])
    firsts = accumulate([table.count for table in later], initial=0)
    calls = [
        [address_of(numbers[known:]), address_of(part), address_of(codes[begin:]), *span]
        for part, known, (begin, end) in zip(parts[1:], firsts, others, strict=False)
        for span in cut(end - begin, len(codes))
    ]
    share(string_loop("gather_or_zero", "i32"), calls, len(own))
    return codes, whole.distinct


def _together(data: Array, parts: Sequence[Spans]) -> Spans:
    return Spans(
        data,
        concatenated([part.starts for part in parts]),
        concatenated([part.lengths for part in parts]),
    )


def are_few(strings: Places) -> bool:
    """Whether there seem to be far fewer distinct strings than strings, which a sample tells.

    Of n rows with values out of D that are equally frequent about n^2 / 2D have the value of
    another one (the birthday problem).
    """
    rows = strings.rows
    places = np.arange(0, rows, max(1, rows // SAMPLE))
    sample = _Table(strings.take(places), np.empty(len(places), np.int32))
    _finish([sample])
    again = len(places) - sample.count
    return FEW_DISTINCT * len(places) ** 2 < 2 * again * rows


class _Parts:
    """Strings laid part by part, by a hash, each with the number of its row."""

    def __init__(self, strings: Spans, parts: int):
        rows = strings.rows
        reserve((2 * _WORD + 5) * rows, "to lay {} strings part by part", rows)
        part_of, ranges = new_vector(rows, np.uint8), cut(rows, NUMBERING * rows)
        counts = np.zeros((len(ranges), parts), np.int64)
        given = list(strings.words)
        calls = [
            [*given, *span, parts, address_of(part_of), address_of(own)]
            for span, own in zip(ranges, counts, strict=True)
        ]
        share(string_loop("hash_strings"), calls, NUMBERING * rows)
        # A part has its rows in their order.
        ends = np.cumsum(counts.T).reshape(parts, len(ranges)).T
        places = np.ascontiguousarray(ends - counts)
        self.bounds = [0, *ends[-1].tolist()]
        """Where each part ends, and the next one begins."""
        is_short = not rows or int(strings.lengths.max()) <= _SHORT
        data = strings.data
        if is_short:
            reserve(_SHORT * rows, "to lay {} strings part by part", rows)
            data = new_vector(_SHORT * rows + PADDING, np.uint8)
        starts, lengths = new_vector(rows, np.int64), new_vector(rows, np.int64)
        self.rows = new_vector(rows, np.int32)
        made = [address_of(each) for each in (data, starts, lengths, self.rows)]
        calls = [
            [*given, *span, address_of(part_of), address_of(own), int(is_short), *made]
            for span, own in zip(ranges, places, strict=True)
        ]
        share(string_loop("part_strings"), calls, NUMBERING * rows)
        self.strings = Spans(data, starts, lengths)
        self.numbers = new_vector(rows, np.int32)
        """Of each string in its part."""

    def __iter__(self) -> Iterator[tuple[Spans, Array]]:
        for begin, end in pairwise(self.bounds):
            yield self.strings.between(begin, end), self.numbers[begin:end]

    def spread(self, firsts: Sequence[int], codes: Array) -> None:
        """Give each row its number in its part behind the first one of that."""
        given = address_of(self.numbers), address_of(self.rows)
        calls = [
            [*given, begin, end, first, address_of(codes)]
            for (begin, end), first in zip(pairwise(self.bounds), firsts, strict=True)
        ]
        share(string_loop("spread_codes"), calls, len(codes))


class StringIndex:
    """The distinct strings of a column, to look for others among them.

    They have a table for each of so many parts, in which their numbers begin at `firsts`.
    """

    def __init__(self, tables: Sequence[_Table]):
        self._tables = tables
        self._firsts = [0, *accumulate([table.count for table in tables])][:-1]

    @staticmethod
    def of(strings: Places) -> tuple[Array, StringIndex] | None:
        """Number strings, in any order; None if there are more than there are numbers."""
        codes = _room_for_codes(strings.rows)
        return None if codes is None else (codes, StringIndex.number(strings, codes))

    @staticmethod
    def number(strings: Places, codes: Array, *, in_parts: bool = True) -> StringIndex:
        """Number strings, in any order; those of a single table in which they first come."""
        rows = strings.rows
        if not (in_parts and pays(rows, WORTH_PARTS)):
            table = _Table(strings, codes)
            _finish([table])
            return StringIndex([table])
        parts = _Parts(strings.spans(), max(LEAST_PARTS, min(rows // PART, MOST_PARTS)))
        tables = [_Table(part, own, len(own)) for part, own in parts]
        _finish(tables)
        index = StringIndex(tables)
        parts.spread(index._firsts, codes)
        return index

    def ranked(self, codes: Array) -> Spans:
        """Return the distinct strings, and number them in the order in which they first come."""
        distinct = [table.distinct for table in self._tables]
        if len(distinct) == 1:
            return distinct[0]
        whole = _together(distinct[0].data, distinct)
        ranks, order = [new_vector(whole.rows, np.int32) for _ in range(2)]
        ranks.fill(-1)
        string_loop("rank_codes")(
            address_of(codes), len(codes), address_of(ranks), address_of(order)
        )
        return whole.take(order)

    def codes_of(self, strings: Places) -> Array | None:
        """The number of each string, -1 for none of the column's; None if they are too many."""
        rows, parts = strings.rows, None
        codes = _room_for_codes(rows)
        if codes is None:
            return None
        sought: Sequence[tuple[Places, Array]]
        if len(self._tables) == 1:
            ranges = cut(rows, NUMBERING * rows)
            sought = [(strings.between(*span), codes[slice(*span)]) for span in ranges]
            tables = list(self._tables) * len(ranges)
        else:
            parts = _Parts(strings.spans(), len(self._tables))
            sought, tables = list(parts), self._tables
        counts = [np.array([table.count, 0]) for table in tables]
        calls = [
            table.words_to_find(*given, own)
            for table, given, own in zip(tables, sought, counts, strict=True)
        ]
        kind, _ = sought[0][0].places
        share(string_loop("code_strings", kind), calls, NUMBERING * rows)
        if parts is not None:
            parts.spread(self._firsts, codes)
        return codes


class _Table:
    """A call that numbers strings, and the table of those that it has found."""

    def __init__(self, strings: Places, codes: Array, room: int = _FIRST_ROOM):
        self.strings, self.codes, self._first_room = strings, codes, max(1, room)
        self._counts = np.zeros(2, np.int64)
        """How many distinct strings there are, and which one comes next."""
        self._found, self._hashes = np.empty(0, np.int64), np.empty(0, np.int64)
        self._slots = np.empty(0, np.int64)
        self._room = 0

    @property
    def count(self) -> int:
        """How many distinct strings were found."""
        return int(self._counts[0])

    @property
    def distinct(self) -> Spans:
        """The strings that were found, in the order of their numbers."""
        kept = self._found[: _FOUND * self.count]
        return Spans(self.strings.data, kept[::_FOUND].copy(), kept[1::_FOUND].copy())

    def go_on_with(self, strings: Places, codes: Array) -> None:
        """Number other strings as well, whose bytes lie in the same vector."""
        self.strings, self.codes = strings, codes
        self._counts[1] = 0

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another string."""
        return self.count == self._room

    def enlarge(self) -> list[int]:
        """Make room for more distinct strings; the arguments of the call that fills the slots."""
        count = self.count
        most = max(1, count + self.strings.rows)
        self._room = room = min(most, _GROWTH * self._room or self._first_room)
        least, most_spare = [factor << (room - 1).bit_length() for factor in (2, 16)]
        size = max(least, min(most_spare, _NEAR))
        reserve(_WORD * (size + (_FOUND + 1) * room), "a table of {} strings", room)
        self._found = _longer(self._found, _FOUND * count, _FOUND * room)
        self._hashes = _longer(self._hashes, count, room)
        self._slots = new_vector(size, np.int64)
        return [address_of(self._hashes), count, address_of(self._slots), size - 1]

    def words(self) -> list[int]:
        """The arguments of a call, which goes on where the last one has ended."""
        return self._arguments(self.strings, self.codes, self._counts, self._room, closed=False)

    def words_to_find(self, strings: Places, codes: Array, counts: Array) -> list[int]:
        """The arguments of a call that finds other strings, and adds none."""
        room = self.count + strings.rows  # It never ends for want of room.
        return self._arguments(strings, codes, counts, room, closed=True)

    def _arguments(
        self, strings: Places, codes: Array, counts: Array, room: int, *, closed: bool
    ) -> list[int]:
        return [
            *strings.places[1],
            strings.rows,
            address_of(self._slots),
            len(self._slots) - 1,
            address_of(self._found),
            address_of(self._hashes),
            room,
            address_of(codes),
            address_of(counts),
            address_of(self.strings.data),
            int(closed),
        ]

    @property
    def is_done(self) -> bool:
        """Whether no strings are left behind a call."""
        return bool(self._counts[1] >= self.strings.rows)


def _finish(tables: Sequence[_Table]) -> None:
    """Number the strings of all tables, whose places are of one kind."""
    points = NUMBERING * sum([table.strings.rows for table in tables])
    kind, _ = tables[0].strings.places
    left = list(tables)
    while left:
        if full := [table.enlarge() for table in left if table.is_full]:
            slots = sum([mask + 1 for *_, mask in full])
            share(string_loop("fill_string_slots"), full, slots)
        share(string_loop("code_strings", kind), [table.words() for table in left], points)
        left = [table for table in left if not table.is_done]


def _longer(array: Array, used: int, size: int) -> Array:
    """A longer array that begins with what is used of another one."""
    result = new_vector(size, array.dtype)
    result[:used] = array[:used]
    return result
