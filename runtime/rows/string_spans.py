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

import sys
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.compile_mode import compile_mode, pays
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import cut_finely, share
from diablo.runtime.native.written_loops import repaid_loop, written_loop

Array = NDArray[Any]

PADDING = 16
"""How many bytes stand behind those of the last string: loops read words of eight bytes, the first
two of them however short a string is."""
WORTH_LINKING = 1 << 16
"""From how many strings on, over all inputs, loops are used that another process has compiled."""
FEW = 1 << 8
"""So many strings are faster as Python's."""
MATCHING = 4
"""What it takes to see whether a string is another one, or to find where it is."""
WORTH_TAKING = 1 << 14
"""From how many strings on they are taken from their places by machine code."""
_WORD = 8
_POINT = 4
_ASCII = 0x80
_NOT_ASCII = 0x8080808080808080
_PAGE = 1 << 12
"""Bytes of the smallest part of memory that can be read or not."""
_LEAST_WIDE = 1 << 31
"""What no places of 32 bits reach."""
_BITS = 64
"""Of a number that is sorted."""
_SIGN = np.int64(-(2**63))


class Spans(NamedTuple):
    """Strings in a vector of bytes."""

    data: Array
    starts: Array
    lengths: Array

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.starts)

    @property
    def words(self) -> tuple[int, int, int]:
        """How the loops are handed them."""
        return address_of(self.data), address_of(self.starts), address_of(self.lengths)

    @property
    def places(self) -> tuple[str, tuple[int, ...]]:
        """How loops for places of any width are handed them, and for which width."""
        return "i64", (*self.words, 0, 0)

    def spans(self) -> Spans:
        """These themselves."""
        return self

    def between(self, begin: int, end: int) -> Spans:
        """The strings from one to before another."""
        return Spans(self.data, self.starts[begin:end], self.lengths[begin:end])

    def take(self, positions: Any) -> Spans:
        """The strings at some positions, all of which there are."""
        kind = _kind(positions)
        if kind is None or not pays(len(positions), WORTH_TAKING):
            sides = (self.starts, self.lengths)
            return Spans(self.data, *[memory.taken(side, positions) for side in sides])
        count = len(positions)
        starts, lengths = new_vector(count, np.int64), new_vector(count, np.int64)
        given = *self.words[1:], address_of(positions)
        made = address_of(starts), address_of(lengths)
        calls = [[*given, *span, *made] for span in cut_finely(count, MATCHING * count)]
        share(string_loop("take_strings", kind), calls, MATCHING * count)
        return Spans(self.data, starts, lengths)


class Adjacent(NamedTuple):
    """Strings of which each ends where the next one begins, at `ends` counted from `first` on.

    The ends are of 32 or 64 bits.
    """

    data: Array
    ends: Array
    first: int

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.ends) - 1

    @property
    def places(self) -> tuple[str, tuple[int, ...]]:
        """How loops for places of any width are handed them, and for which width."""
        start, size = address_of(self.ends), self.ends.itemsize
        return self.kind, (address_of(self.data), start, start + size, self.first, -1)

    @property
    def kind(self) -> str:
        """Which loops read the ends."""
        kind = _kind(self.ends)
        assert kind is not None
        return kind

    def between(self, begin: int, end: int) -> Adjacent:
        """The strings from one to before another."""
        return Adjacent(self.data, self.ends[begin : end + 1], self.first)

    def take(self, positions: Any) -> Spans:
        """The strings at some positions, all of which there are."""
        if self._reads(positions):
            return self._taken(positions)
        starts = self.ends.take(positions).astype(np.int64)
        lengths = self.ends.take(positions + 1) - starts
        return Spans(self.data, starts - self.first, lengths)

    def _reads(self, positions: Any) -> bool:
        """Return whether a loop reads positions, and repays it."""
        # Those of 64 bits are read as if they had 32.
        is_read = _kind(positions) is not None and self.rows < _LEAST_WIDE
        return is_read and sys.byteorder == "little" and pays(len(positions), WORTH_TAKING)

    def _taken(self, positions: Array) -> Spans:
        count = len(positions)
        reserve(2 * _WORD * count, "the places of {} strings", count)
        starts, lengths = new_vector(count, np.int64), new_vector(count, np.int64)
        places = address_of(positions), positions.itemsize // _POINT
        made = address_of(starts), address_of(lengths)
        calls = [
            [address_of(self.ends), self.first, *places, *span, *made]
            for span in cut_finely(count, MATCHING * count)
        ]
        share(string_loop("take_between_ends", self.kind), calls, MATCHING * count)
        return Spans(self.data, starts, lengths)

    def spans(self) -> Spans:
        """Where each of them begins, and how long it is."""
        rows = self.rows
        reserve(2 * _WORD * rows, "the places of {} strings", rows)
        starts, lengths = new_vector(rows, np.int64), new_vector(rows, np.int64)
        made = address_of(starts), address_of(lengths)
        calls = [
            [address_of(self.ends), self.first, *span, *made] for span in cut_finely(rows, rows)
        ]
        share(string_loop("spans_of_ends", self.kind), calls, rows)
        return Spans(self.data, starts, lengths)

    def matched(self, wanted: str, *, part: bool = False, at_end: bool = False) -> Array:
        """`matched` of these strings and one for all."""
        rows = self.rows
        reserve(rows, "to compare {} strings", rows)
        out, sought = new_vector(rows, np.bool_), padded(_encoded(wanted))
        given = [address_of(self.data), address_of(self.ends), self.first]
        given += [address_of(sought), len(sought) - PADDING, int(part), int(at_end)]
        calls = [[*given, *span, address_of(out)] for span in cut_finely(rows, MATCHING * rows)]
        share(string_loop("match_between_ends", self.kind), calls, MATCHING * rows)
        return out


def available(rows: int, size: int = 0) -> bool:
    """Whether there are the loops, and strings enough, so many more counted, to have them made.

    Those of many bytes, if it is known how many all have, are as much work as the words in them.
    """
    count = max(rows, size // _WORD)
    if count < FEW and compile_mode() == "auto":
        return False
    return repaid_loop(count, "code_strings", "i64", linking=WORTH_LINKING) is not None


def possible() -> bool:
    """Return whether there are the loops, however few strings there are."""
    return compile_mode() != "never" and written_loop("code_strings", "i64") is not None


def padded(text: bytes | memoryview) -> Array:
    """Bytes with room behind them."""
    reserve(len(text), "the bytes of strings")
    data = new_vector(len(text) + PADDING, np.uint8)
    data[: len(text)] = np.frombuffer(text, np.uint8)
    data[len(text) :] = 0
    return data


def bytes_of(buffer: Any, begin: int, end: int) -> Array:
    """A part of the bytes that a buffer holds for good, where they lie, with room behind them.

    What lies there is anything. It is copied where the room may be nobody's memory.
    """
    size = end - begin
    given = np.frombuffer(buffer, np.uint8) if size else np.empty(0, np.uint8)
    if len(given) >= end + PADDING:
        return given[begin : end + PADDING]
    # What is in memory is so by pages.
    within = (address_of(given) + end - 1) % _PAGE
    if size and within + PADDING < _PAGE:
        return as_strided(given[begin:end], (size + PADDING,), writeable=False)
    return padded(given[begin:end].tobytes())


def are_ascii(data: Array) -> bool:
    """Return whether padded bytes are all ASCII."""
    given = data[:-PADDING]
    whole = len(given) // _WORD * _WORD
    words = np.bitwise_or.reduce(given[:whole].view(np.uint64), initial=np.uint64(0))
    rest = np.bitwise_or.reduce(given[whole:], initial=np.uint8(0))
    return not int(words) & _NOT_ASCII and int(rest) < _ASCII


def of_one_length(values: Array) -> tuple[Spans, bool] | None:
    """The strings of an array of NumPy's of one length, and whether all are ASCII.

    None if they have characters that UTF-8 has none for.
    """
    rows, width = len(values), values.dtype.itemsize // _POINT
    reserve(rows * (2 * _WORD + _POINT * width), "{} strings of {} characters at most", rows, width)
    plain = np.ascontiguousarray(values, values.dtype.newbyteorder("="))
    if not width:
        return Spans(padded(b""), np.zeros(rows, np.int64), np.zeros(rows, np.int64)), True
    found = _of_ascii(plain.view(np.uint32), rows, width)
    if found is not None:
        return found, True
    try:
        encoded = np.strings.encode(plain, "utf-8")
    except UnicodeEncodeError:
        return None
    width = encoded.dtype.itemsize
    starts = np.arange(rows, dtype=np.int64) * width
    data = np.zeros(rows * width + PADDING, np.uint8)
    data[: rows * width] = encoded.view(np.uint8).reshape(-1)
    lengths = np.strings.str_len(encoded).astype(np.int64, copy=False)
    return Spans(data, starts, lengths), False


def _of_ascii(points: Array, rows: int, width: int) -> Spans | None:
    """Strings of so many code points each, if all are ASCII; those at their ends may be 0."""
    data = new_vector(rows * width + PADDING, np.uint8)
    data[rows * width :] = 0
    starts, lengths = new_vector(rows, np.int64), new_vector(rows, np.int64)
    ranges = cut_finely(rows, rows * width)
    used = np.zeros(len(ranges), np.uint32)
    made = [address_of(each) for each in (data, starts, lengths)]
    calls = [
        [address_of(points), width, *span, *made, address_of(used[number:])]
        for number, span in enumerate(ranges)
    ]
    share(string_loop("bytes_of_points"), calls, rows * width)
    return Spans(data, starts, lengths) if int(np.bitwise_or.reduce(used)) < _ASCII else None


def one(text: str) -> Spans:
    """A single string."""
    data = padded(_encoded(text))
    return Spans(data, np.zeros(1, np.int64), np.array([len(data) - PADDING]))


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def ascending(strings: Spans) -> Array:
    """The permutation that sorts strings, which are distinct.

    They are sorted by their first bytes, then those that agree by the next ones, of which as many
    are taken as fit in a word between the number of what agrees so far and that of the string.
    """
    count = strings.rows
    reserve(6 * _WORD * count, "to sort {} strings", count)
    order = memory.numbers(count)
    rows, tied, places, groups = order, strings, order.copy(), np.zeros(count, np.int64)
    offset = 0
    while len(places):
        if offset >= int(tied.lengths.max()):
            # Nothing but NULs is left of those that are longer.
            order[places] = rows.take(np.lexsort((tied.lengths, groups)))
            break
        groups -= groups[0]
        words = _words(tied, offset)
        used = _agreed(words) if not groups[-1] else 0
        if used == _WORD:
            offset += used
            continue
        sub, same, size = _in_order(words, groups, used)
        order[places] = rows.take(sub)
        offset += used + size
        left = np.flatnonzero(same[1:] | same[:-1])
        groups = np.cumsum(~same[:-1]).take(left)
        places = places.take(left)
        rows = order.take(places)
        tied = strings.take(rows)
    return order


def _agreed(words: Array) -> int:
    """Return in how many of their first bytes all words agree."""
    different = np.bitwise_or.reduce(words ^ words[0])
    return _WORD - -(-int(different).bit_length() // 8)


def _in_order(words: Array, groups: Array, used: int) -> tuple[Array, Array, int]:
    """The permutation that sorts by groups, which ascend, and by the bytes of words behind `used`.

    Also which are the same as the ones before them, with one more at the end, and by how many bytes
    that is: few of them, with where the word was, are a number, since NumPy sorts numbers in half
    the time that it takes to find an order.
    """
    same = np.zeros(len(words) + 1, np.bool_)
    bits = (len(words) - 1).bit_length()
    size = min(_WORD - used, (_BITS - bits - int(groups[-1]).bit_length()) // 8)
    if size < 1:
        sub = np.lexsort((words, groups))
        words = words.take(sub)
        np.equal(words[1:], words[:-1], out=same[1:-1])
        same[1:-1] &= groups[1:] == groups[:-1]
        return sub, same, _WORD - used
    words <<= np.uint64(8 * used)
    words >>= np.uint64(64 - 8 * size)
    if groups[-1]:
        words |= groups.view(np.uint64) << np.uint64(8 * size)
    words <<= np.uint64(bits)
    words |= memory.numbers(len(words)).view(np.uint64)
    words.sort()
    sub = (words & np.uint64((1 << bits) - 1)).view(np.int64)
    words >>= np.uint64(bits)
    np.equal(words[1:], words[:-1], out=same[1:-1])
    return sub, same, size


def _words(strings: Spans, offset: int) -> Array:
    """The eight bytes from an offset on of each string, which are ordered as numbers are."""
    out = new_vector(strings.rows, np.int64)
    calls = [
        [*strings.between(begin, end).words, end - begin, offset, address_of(out[begin:])]
        for begin, end in cut_finely(len(out), _WORD * len(out))
    ]
    share(string_loop("words_of_strings"), calls, _WORD * len(out))
    out ^= _SIGN
    return out.view(np.uint64)


def compared(left: Spans, right: Spans, *, all_pairs: bool = False) -> Array:
    """-1, 0 or 1 for each string on the left; those on the right are as many, or one for all.

    Of `all_pairs`, each string on the left is compared with all on the right.
    """
    sides = _Sides.of(left, right, all_pairs)
    reserve(sides.pairs, "to compare {} strings", sides.pairs)
    out = new_vector(sides.pairs, np.int8)
    _share_pairs("compare_strings", sides, out, MATCHING * sides.pairs)
    return out


class _Sides(NamedTuple):
    """Strings, and those of the other side that each has: `width` of them, every `step` further."""

    left: Spans
    right: Spans
    step: int
    width: int

    @staticmethod
    def of(left: Spans, right: Spans, all_pairs: bool) -> _Sides:
        if all_pairs:
            return _Sides(left, right, 0, len(right.starts))
        return _Sides(left, right, _step(right, len(left.starts)), 1)

    @property
    def pairs(self) -> int:
        """How many there are of a string and one of the other side."""
        return len(self.left.starts) * self.width


def _share_pairs(loop: str, sides: _Sides, out: Array, work: int) -> None:
    """Let threads do a loop over the strings of two sides."""
    left, right, step, width = sides
    calls: list[list[int]] = []
    for begin, end in cut_finely(len(left.starts), work):
        other = right.between(begin, end) if step else right
        words = *left.between(begin, end).words, *other.words
        calls.append([*words, step, end - begin, width, address_of(out[begin * width :])])
    share(string_loop(loop), calls, work)


def matched(
    left: Spans, right: Spans, *, part: bool = False, at_end: bool = False, all_pairs: bool = False
) -> Array:
    """Whether each string on the left is the one on the right; these are as many, or one for all.

    With `part`, whether it begins with it or, `at_end`, ends with it. Of `all_pairs`, each string
    on the left is looked at with all on the right.
    """
    sides = _Sides.of(left, right, all_pairs)
    rows, count = len(left.starts), sides.pairs
    reserve(count, "to compare {} strings", count)
    out = new_vector(count, np.bool_)
    given = [*left.words, *right.words, sides.step, sides.width, int(part), int(at_end)]
    calls = [[*given, *span, address_of(out)] for span in cut_finely(rows, MATCHING * count)]
    share(string_loop("match_strings"), calls, MATCHING * count)
    return out


def points_matched(values: Array, wanted: str, *, part: bool = False) -> Array:
    """Whether strings of one length, as NumPy has them, are what is wanted, or begin with it.

    That has no NUL at its end, which NumPy's strings have not.
    """
    rows, width = len(values), values.dtype.itemsize // _POINT
    reserve(rows, "to compare {} strings", rows)
    out = new_vector(rows, np.bool_)
    if len(wanted) > width:
        out.fill(False)
        return out
    points = np.zeros(max(width, 1), np.uint32)
    points[: len(wanted)] = list(map(ord, wanted))
    given = [address_of(values), width, address_of(points), len(wanted) if part else width]
    work = (1 + width) * rows
    calls = [[*given, *span, address_of(out)] for span in cut_finely(rows, work)]
    share(string_loop("match_points"), calls, work)
    return out


def joined(left: Spans, right: Spans, rows: int) -> Spans:
    """Each string on the left, then the one on the right; either may be one for all `rows`."""
    ends = new_vector(rows + 1, np.int64)
    ends[0] = 0
    lengths = left.lengths + right.lengths
    np.cumsum(np.broadcast_to(lengths, rows), out=ends[1:])
    data = new_vector(int(ends[-1]) + PADDING, np.uint8)
    work = _WORD * rows + len(data)
    calls: list[list[int]] = []
    for begin, end in cut_finely(rows, work):
        sides = [
            word
            for side, step in ((left, _step(left, rows)), (right, _step(right, rows)))
            for word in (*(side.between(begin, end) if step else side).words, step)
        ]
        calls.append([*sides, end - begin, address_of(data), address_of(ends[begin:])])
    share(string_loop("copy_strings"), calls, work)
    return Spans(data, ends[:-1], np.diff(ends))


def joined_size(left: Spans, right: Spans, rows: int) -> int:
    """Return how many bytes `joined` strings have."""
    sides = [(int(side.lengths.sum()), len(side.lengths)) for side in (left, right)]
    return sum([size if count == rows else size * rows for size, count in sides])


def places_of(strings: Spans, wanted: Spans, *, all_pairs: bool = False) -> Array:
    """At which of its bytes each string has what is wanted, or -1; that is as many, or one.

    Of `all_pairs`, each of what is wanted is looked for in each string.
    """
    sides = _Sides.of(strings, wanted, all_pairs)
    reserve(_WORD * sides.pairs, "what is found in {} strings", sides.pairs)
    out = new_vector(sides.pairs, np.int64)
    _share_pairs("find_in_strings", sides, out, int(strings.lengths.sum()) * sides.width)
    return out


def characters(strings: Spans) -> Array:
    """Return how many characters each string has."""
    rows = len(strings.starts)
    reserve(_WORD * rows, "the lengths of {} strings", rows)
    out = new_vector(rows, np.int64)
    _share_rows("count_characters", strings, out)
    return out


def _share_rows(loop: str, strings: Spans, out: Array, *more: int) -> None:
    """Let threads do a loop over the bytes of strings, which has a word of 64 bits of each."""
    work = int(strings.lengths.sum())  # A byte after the other.
    calls = [
        [*strings.between(begin, end).words, end - begin, *more, address_of(out[begin:])]
        for begin, end in cut_finely(len(out), work)
    ]
    share(string_loop(loop), calls, work)


def parts(strings: Spans, separator: int) -> tuple[Spans, Array]:
    """The parts between the bytes that separate them, one behind the other; how many each has."""
    rows = len(strings.starts)
    reserve(_WORD * rows, "the parts of {} strings", rows)
    counts = new_vector(rows, np.int64)
    points = rows + int(strings.lengths.sum())  # A byte after the other.
    ranges = cut_finely(rows, points)
    made = np.zeros(len(ranges) + 1, np.int64)
    calls = [
        [*strings.words, *span, separator, address_of(counts), address_of(own)]
        for span, own in zip(ranges, np.split(made[1:], len(ranges)), strict=True)
    ]
    share(string_loop("count_parts"), calls, points)
    *firsts, count = np.cumsum(made).tolist()
    reserve(2 * _WORD * count, "{} strings of {} parts", rows, count)
    starts, lengths = new_vector(count, np.int64), new_vector(count, np.int64)
    addresses = address_of(starts), address_of(lengths)
    calls = [
        [*strings.words, *span, separator, first, *addresses]
        for span, first in zip(ranges, firsts, strict=True)
    ]
    share(string_loop("parts_of_strings"), calls, points)
    return Spans(strings.data, starts, lengths), counts


def trimmed(strings: Spans, dropped: Array) -> Spans:
    """The strings without the bytes at their ends for which `dropped`, one for each byte, holds."""
    rows = strings.rows
    reserve(2 * _WORD * rows, "the places of {} strings", rows)
    starts, lengths = new_vector(rows, np.int64), new_vector(rows, np.int64)
    made = address_of(starts), address_of(lengths)
    given = *strings.words, address_of(dropped)
    calls = [[*given, *span, *made] for span in cut_finely(rows, MATCHING * rows)]
    share(string_loop("trim_strings"), calls, MATCHING * rows)
    return Spans(strings.data, starts, lengths)


def separated(data: Array, separator: int) -> Spans:
    """The parts of padded bytes between those that separate them."""
    size = len(data) - PADDING
    ends = np.equal(data[:size], separator, out=new_vector(size, np.bool_))
    count = int(np.count_nonzero(ends))
    reserve(3 * _WORD * count + 2 * size, "{} strings", count)
    words = np.zeros(-(-size // 64), np.int64)
    bits = np.packbits(ends, bitorder="little")
    words.view(np.uint8)[: len(bits)] = bits
    starts = new_vector(count + 2, np.int64)
    starts[0], starts[-1] = -1, size
    string_loop("set_bits")(address_of(words), len(words), address_of(starts[1:]))
    lengths = new_vector(count + 1, np.int64)
    np.subtract(starts[1:], starts[:-1], out=lengths)
    lengths -= 1
    starts += 1
    return Spans(data, starts[:-1], lengths)


def _step(side: Spans, rows: int) -> int:
    return 0 if len(side.starts) == 1 != rows else 1


def _kind(places: Any) -> str | None:
    """Return which loops read places as they lie in a vector, if any do."""
    if not isinstance(places, np.ndarray):
        return None
    array = cast(Array, places)
    is_plain = array.ndim == 1 and array.flags.c_contiguous and array.dtype.isnative
    return {"int32": "i32", "int64": "i64"}.get(array.dtype.name) if is_plain else None


def string_loop(name: str, kind: str | None = None) -> Entry:
    """Return a loop over strings, which there has to be."""
    entry = written_loop(name, kind)
    assert entry is not None
    return entry


def new_vector(count: int, dtype: DTypeLike) -> Array:
    """A vector of any content, in memory that was used before where there is such."""
    return memory.apart((count,), np.dtype(dtype))
