"""Strings that lie in one vector of bytes, and the loops over them.

    data        b"a word, a"        UTF-8, and 16 bytes behind it
    starts      0, 2, 8             where each string begins
    lengths     1, 4, 1             how many bytes it has

Strings may lie anywhere, overlap and share their bytes, so that parts of strings are no new bytes.
UTF-8 is ordered as its code points are. What has no character of its own (half of a pair of UTF-16)
is encoded like one.

The loops are machine code (`native/loops/string_*.mlir`), which must be there: see `available`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.kernels.compiled import pays_from
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.compile_mode import compile_mode
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.written_loops import written_loop

Array = NDArray[Any]

PADDING = 16
"""The loops read words of eight bytes, the first two of them however short a string is."""
WORTH_COMPILING = 1 << 20
"""From how many strings on, over all inputs in a process, the loops are compiled."""
_FIRST_ROOM = 1 << 12
"""For how many distinct strings there is room at first."""
_GROWTH = 8
_FOUND = 4
"""Words that are kept of a distinct string."""
_MOST = 2**31 - 1
_WORD = 8
_SIGN = np.int64(-(2**63))


class Spans(NamedTuple):
    """Strings in a vector of bytes."""

    data: Array
    starts: Array
    lengths: Array

    @property
    def words(self) -> tuple[int, int, int]:
        """How the loops are handed them."""
        return _address(self.data), _address(self.starts), _address(self.lengths)

    def take(self, positions: Any) -> Spans:
        """The strings at some positions."""
        return Spans(self.data, self.starts.take(positions), self.lengths.take(positions))


def available(rows: int) -> bool:
    """Whether there are the loops, and strings enough, so many more counted, to compile them."""
    enough = pays_from(__name__, rows, WORTH_COMPILING)
    return enough and written_loop("code_strings") is not None


def possible() -> bool:
    """Whether there are the loops, however few strings there are."""
    return compile_mode() != "never" and written_loop("code_strings") is not None


def padded(text: bytes) -> Array:
    """Bytes with room behind them."""
    reserve(len(text), "the bytes of strings")
    data = np.zeros(len(text) + PADDING, np.uint8)
    data[: len(text)] = np.frombuffer(text, np.uint8)
    return data


def one(text: str) -> Spans:
    """A single string."""
    data = padded(text.encode(errors="surrogatepass"))
    return Spans(data, np.zeros(1, np.int64), np.array([len(data) - PADDING]))


def numbered(strings: Spans) -> tuple[Array, Spans] | None:
    """Equal strings have one number, in the order in which they first come; the distinct ones.

    None if there are more strings than there are numbers.
    """
    rows = len(strings.starts)
    if rows > _MOST:
        return None
    reserve(4 * rows, "to number {} strings", rows)
    codes, counts = np.empty(rows, np.int32), np.zeros(2, np.int64)
    found, hashes = np.empty(0, np.int64), np.empty(0, np.int64)
    room = 0
    while counts[1] < rows:
        count = int(counts[0])
        room = min(max(rows, 1), _GROWTH * room or _FIRST_ROOM)
        size = 2 << (room - 1).bit_length()
        reserve(_WORD * (size + (_FOUND + 1) * room), "a table of {} strings", room)
        found, hashes = _longer(found, _FOUND * room), _longer(hashes, room)
        slots = np.full(size, -1, np.int64)
        _entry("fill_string_slots")(_address(hashes), count, _address(slots), size - 1)
        _entry("code_strings")(
            *strings.words,
            rows,
            _address(slots),
            size - 1,
            _address(found),
            _address(hashes),
            room,
            _address(codes),
            _address(counts),
        )
    kept = found[: _FOUND * int(counts[0])]
    return codes, Spans(strings.data, kept[::_FOUND].copy(), kept[1::_FOUND].copy())


def _longer(array: Array, size: int) -> Array:
    result = np.empty(size, array.dtype)
    result[: len(array)] = array
    return result


def ascending(strings: Spans) -> Array:
    """The permutation that sorts strings, which are distinct.

    They are sorted by their first eight bytes, then those that agree by the next ones, of which
    as many are taken as fit in a word behind the number of what agrees so far.
    """
    count = len(strings.starts)
    reserve(5 * _WORD * count, "to sort {} strings", count)
    order = np.arange(count)
    places, groups = order.copy(), np.zeros(count, np.int64)
    offset = 0
    while len(places):
        rows = order.take(places)
        tied = strings.take(rows)
        if offset >= int(tied.lengths.max()):
            # Nothing but NULs is left of those that are longer.
            order[places] = rows.take(np.lexsort((tied.lengths, groups)))
            break
        groups -= groups[0]
        size = min(_WORD, (63 - int(groups[-1]).bit_length()) // 8) if groups[-1] else _WORD
        keys = _words(tied, offset)
        offset += size
        if size < _WORD:
            # Without the sign that orders whole words.
            keys = (keys ^ _SIGN).view(np.uint64) >> np.uint64(8 * (_WORD - size))
            keys = keys.view(np.int64) | (groups << (8 * size))
        elif keys.min() == keys.max():
            continue
        sub = np.argsort(keys)
        order[places] = rows.take(sub)
        keys = keys.take(sub)
        same = np.zeros(len(places) + 1, np.bool_)
        np.equal(keys[1:], keys[:-1], out=same[1:-1])
        left = np.flatnonzero(same[1:] | same[:-1])
        groups = np.cumsum(~same[:-1]).take(left)
        places = places.take(left)
    return order


def _words(strings: Spans, offset: int) -> Array:
    out = np.empty(len(strings.starts), np.int64)
    _entry("words_of_strings")(*strings.words, len(out), offset, _address(out))
    return out


def compared(left: Spans, right: Spans) -> Array:
    """-1, 0 or 1 for each string on the left; those on the right are as many, or one for all."""
    rows = len(left.starts)
    reserve(rows, "to compare {} strings", rows)
    out = np.empty(rows, np.int8)
    _entry("compare_strings")(*left.words, *right.words, _step(right, rows), rows, _address(out))
    return out


def joined(left: Spans, right: Spans, rows: int) -> Spans:
    """Each string on the left, then the one on the right; either may be one for all `rows`."""
    ends = np.empty(rows + 1, np.int64)
    ends[0] = 0
    lengths = left.lengths + right.lengths
    np.cumsum(np.broadcast_to(lengths, rows), out=ends[1:])
    data = np.empty(int(ends[-1]) + PADDING, np.uint8)
    sides = (*left.words, _step(left, rows), *right.words, _step(right, rows))
    _entry("copy_strings")(*sides, rows, _address(data), _address(ends))
    return Spans(data, ends[:-1], np.diff(ends))


def joined_size(left: Spans, right: Spans, rows: int) -> int:
    """How many bytes `joined` strings have."""
    sides = [(int(side.lengths.sum()), len(side.lengths)) for side in (left, right)]
    return sum([size if count == rows else size * rows for size, count in sides])


def places_of(strings: Spans, wanted: bytes) -> Array:
    """At which of its bytes each string has what is wanted, which is not empty; or -1."""
    rows = len(strings.starts)
    reserve(_WORD * rows, "what is found in {} strings", rows)
    out, sought = np.empty(rows, np.int64), padded(wanted)
    _entry("find_in_strings")(*strings.words, rows, _address(sought), len(wanted), _address(out))
    return out


def characters(strings: Spans) -> Array:
    """How many characters each string has."""
    rows = len(strings.starts)
    reserve(_WORD * rows, "the lengths of {} strings", rows)
    out = np.empty(rows, np.int64)
    _entry("count_characters")(*strings.words, rows, _address(out))
    return out


def parts(strings: Spans, separator: int) -> tuple[Spans, Array]:
    """The parts between the bytes that separate them, one behind the other; how many each has."""
    rows = len(strings.starts)
    reserve(_WORD * rows, "the parts of {} strings", rows)
    counts = np.empty(rows, np.int64)
    _entry("count_parts")(*strings.words, rows, separator, _address(counts))
    made = int(counts.sum())
    reserve(2 * _WORD * made, "{} strings of {} parts", rows, made)
    starts, lengths = np.empty(made + 1, np.int64), np.empty(made + 1, np.int64)
    _entry("parts_of_strings")(*strings.words, rows, separator, _address(starts), _address(lengths))
    return Spans(strings.data, starts[:made], lengths[:made]), counts


def separated(data: Array, separator: int) -> Spans:
    """The parts of padded bytes between those that separate them."""
    size = len(data) - PADDING
    ends = data[:size] == separator
    count = int(np.count_nonzero(ends))
    reserve(3 * _WORD * count + 2 * size, "{} strings", count)
    words = np.zeros(-(-size // 64), np.int64)
    bits = np.packbits(ends, bitorder="little")
    words.view(np.uint8)[: len(bits)] = bits
    starts = np.empty(count + 2, np.int64)
    starts[0], starts[-1] = -1, size
    _entry("set_bits")(_address(words), len(words), _address(starts[1:]))
    starts += 1
    return Spans(data, starts[:-1], np.diff(starts) - 1)


def _step(side: Spans, rows: int) -> int:
    return 0 if len(side.starts) == 1 != rows else 1


def _entry(name: str) -> Entry:
    entry = written_loop(name)
    assert entry is not None
    return entry


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
