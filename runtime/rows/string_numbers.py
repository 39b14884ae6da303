"""Numbers for strings, the same for equal ones, by hash tables that threads share.

    numbered("b", "a", "b")                         ->   0, 1, 0 and the distinct strings "b", "a"
    codes, index = StringIndex.of("b", "a", "b")    ->   0, 1, 0
    index.codes_of("a", "c")                        ->   1, -1

Of few distinct strings each thread numbers those in its part of the rows, and the distinct ones are
brought together. Of many, each goes through all rows for its part of the hashes, so that no string
is in two tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.rows.string_spans import Spans, address_of, new_vector, string_loop

Array = NDArray[Any]

NUMBERING = 16
"""What it takes to number a string, in simple points."""
SAMPLE = 1 << 12
"""How many strings say whether few are distinct."""
FEW_DISTINCT = 8
"""Distinct strings are few if there are this many times as many."""
WORTH_PARTS = 1 << 16
"""From how many strings on, if they are not few, threads share the hashes: a table of fewer is
near to a processor."""
_FIRST_ROOM = 1 << 12
"""For how many distinct strings there is room at first."""
_GROWTH = 4
_FOUND = 4
"""Words that are kept of a distinct string."""
_WORD = 8
_MOST = 2**31 - 1


def numbered(strings: Spans) -> tuple[Array, Spans] | None:
    """Equal strings have one number, in the order in which they first come; the distinct ones.

    None if there are more strings than there are numbers.
    """
    rows = len(strings.starts)
    codes = _room_for_codes(rows)
    if codes is None:
        return None
    ranges = cut(rows, NUMBERING * rows)
    if len(ranges) > 1 and are_few(strings):
        return _numbered_by_rows(strings, codes, ranges)
    tables = _by_hash(strings, codes, _parts_of_hashes(rows))
    if len(tables) == 1:
        return codes, tables[0].distinct
    return codes, _ranked(strings, codes, tables)


def _room_for_codes(rows: int) -> Array | None:
    if rows > _MOST:
        return None
    reserve(4 * rows, "to number {} strings", rows)
    return new_vector(rows, np.int32)


def _parts_of_hashes(rows: int) -> int:
    """Return how many threads number so many strings by their hashes."""
    parts = len(cut(rows, NUMBERING * rows)) if pays(rows, WORTH_PARTS) else 1
    return parts if rows * parts <= _MOST else 1


def _numbered_by_rows(
    strings: Spans, codes: Array, ranges: Sequence[tuple[int, int]]
) -> tuple[Array, Spans]:
    """Number the strings of each range apart, and then what is distinct of them together."""
    tables = [_Table(strings.between(*span), codes[slice(*span)]) for span in ranges]
    _finish(tables)
    # What the first part has found keeps its numbers.
    kept = [table.distinct for table in tables]
    whole = _together(strings.data, kept)
    numbers = new_vector(len(whole.starts), np.int32)
    merged = _Table(whole, numbers)
    _finish([merged])
    begin = len(kept[0].starts)
    for table, distinct in zip(tables[1:], kept[1:], strict=True):
        end = begin + len(distinct.starts)
        numbers[begin:end].take(table.codes, out=table.codes, mode="clip")
        begin = end
    return codes, merged.distinct


def _together(data: Array, parts: Sequence[Spans]) -> Spans:
    return Spans(
        data,
        memory.concatenated([part.starts for part in parts]),
        memory.concatenated([part.lengths for part in parts]),
    )


def _by_hash(strings: Spans, codes: Array, parts: int) -> list[_Table]:
    """Number strings in a table for each part of the hashes.

    The code of a string is its number in its table, times the number of tables, and which that is.
    """
    tables = [_Table(strings, codes, (part, parts)) for part in range(parts)]
    _finish(tables)
    return tables


def _ranked(strings: Spans, codes: Array, tables: Sequence[_Table]) -> Spans:
    """Replace codes by numbers in the order in which they come; return the distinct strings."""
    parts, most = len(tables), max([table.count for table in tables])
    ranks = new_vector(parts * most, np.int32)
    ranks.fill(-1)
    order, count = new_vector(sum([table.count for table in tables]), np.int32), np.zeros(1, int)
    string_loop("rank_codes")(
        address_of(codes), len(codes), address_of(ranks), address_of(order), address_of(count)
    )
    distinct = [table.distinct for table in tables]
    begins = np.cumsum([0, *[len(each.starts) for each in distinct[:-1]]])
    places = begins.take(order % parts) + order // parts
    return _together(strings.data, distinct).take(places)


def are_few(strings: Spans) -> bool:
    """Whether there seem to be far fewer distinct strings than strings, which a sample tells.

    Of n rows with values out of D that are equally frequent about n^2 / 2D have the value of
    another one (the birthday problem).
    """
    rows = len(strings.starts)
    places = np.arange(0, rows, max(1, rows // SAMPLE))
    sample = _Table(strings.take(places), np.empty(len(places), np.int32))
    _finish([sample])
    again = len(places) - sample.count
    return FEW_DISTINCT * len(places) ** 2 < 2 * again * rows


@dataclass(frozen=True)
class StringIndex:
    """The strings of a column, to look for others among them."""

    _tables: Sequence[_Table]

    @staticmethod
    def of(strings: Spans) -> tuple[Array, StringIndex] | None:
        """Number strings, in any order; None if there are more than there are numbers."""
        rows = len(strings.starts)
        codes = _room_for_codes(rows)
        if codes is None:
            return None
        tables = _by_hash(strings, codes, _parts_of_hashes(rows))
        return codes, StringIndex(tables)

    def codes_of(self, strings: Spans) -> Array | None:
        """The number of each string, -1 for none of the column's; None if they are too many."""
        rows = len(strings.starts)
        codes = _room_for_codes(rows)
        if codes is None:
            return None
        points = NUMBERING * rows
        calls: list[list[int]] = []
        counts: list[Array] = []
        for span in cut(rows, points):
            part, own = strings.between(*span), codes[slice(*span)]
            for table in self._tables:
                counts.append(np.array([table.count, 0]))
                calls.append(table.words_to_find(part, own, counts[-1]))
        share(string_loop("code_strings"), calls, points)
        # Those of the last tables are -2 and so on less.
        return codes if len(self._tables) == 1 else np.maximum(codes, -1, out=codes)


class _Table:
    """A call that numbers strings, and the table of those that it has found.

    It is for those whose hashes are in a part of so many.
    """

    def __init__(self, strings: Spans, codes: Array, part: tuple[int, int] = (0, 1)):
        self.strings, self.codes, self._part = strings, codes, part
        self._counts = np.zeros(2, np.int64)
        """How many distinct strings there are, and which one comes next."""
        self._found, self._hashes = np.empty(0, np.int64), np.empty(0, np.int64)
        self._slots = np.empty(0, np.int64)
        self._room = 0
        self._enlarge()

    @property
    def count(self) -> int:
        """How many distinct strings were found."""
        return int(self._counts[0])

    @property
    def distinct(self) -> Spans:
        """The strings that were found, in the order of their numbers."""
        kept = self._found[: _FOUND * self.count]
        return Spans(self.strings.data, kept[::_FOUND].copy(), kept[1::_FOUND].copy())

    def _enlarge(self) -> None:
        """Make room for more distinct strings."""
        rows, count = len(self.strings.starts), self.count
        self._room = room = min(max(rows, 1), _GROWTH * self._room or _FIRST_ROOM)
        size = 2 << (room - 1).bit_length()
        reserve(_WORD * (size + (_FOUND + 1) * room), "a table of {} strings", room)
        self._found = _longer(self._found, _FOUND * room)
        self._hashes = _longer(self._hashes, room)
        self._slots = slots = new_vector(size, np.int64)
        slots.fill(-1)
        if count:
            fill = string_loop("fill_string_slots")
            fill(address_of(self._hashes), count, address_of(slots), size - 1)

    def words(self) -> list[int]:
        """The arguments of a call, which goes on where the last one has ended."""
        return self._arguments(self.strings, self.codes, self._counts, self._room, closed=False)

    def words_to_find(self, strings: Spans, codes: Array, counts: Array) -> list[int]:
        """The arguments of a call that finds other strings, and adds none."""
        return self._arguments(strings, codes, counts, self.count + 1, closed=True)

    def _arguments(
        self, strings: Spans, codes: Array, counts: Array, room: int, *, closed: bool
    ) -> list[int]:
        return [
            *strings.words,
            len(strings.starts),
            address_of(self._slots),
            len(self._slots) - 1,
            address_of(self._found),
            address_of(self._hashes),
            room,
            address_of(codes),
            address_of(counts),
            address_of(self.strings.data),
            int(closed),
            *self._part,
        ]

    def goes_on(self) -> bool:
        """Return whether strings are left behind a call; there is more room for them then."""
        if self._counts[1] >= len(self.strings.starts):
            return False
        self._enlarge()
        return True


def _finish(tables: Sequence[_Table]) -> None:
    """Number the strings of all tables."""
    points = NUMBERING * sum([len(table.strings.starts) for table in tables])
    left = list(tables)
    while left:
        share(string_loop("code_strings"), [table.words() for table in left], points)
        left = [table for table in left if table.goes_on()]


def _longer(array: Array, size: int) -> Array:
    result = new_vector(size, array.dtype)
    result[: len(array)] = array
    return result
