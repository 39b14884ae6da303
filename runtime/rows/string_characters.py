"""Where each character of a column of strings lies, in UTF-8.

    characters(["aé", "b"])   ->   bytes of "aé\\0b\\0", places [0, 1, 3, 4, 5], firsts [0, 3]

Columns of ASCII have no need of it: there the characters are the bytes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.memory_limit import reserve
from diablo.runtime.rows import string_spans
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.rows.string_spans import PADDING, Spans

Array = NDArray[Any]


class Characters(NamedTuple):
    """The characters of all strings, one behind the other, with a NUL behind each string."""

    data: Array
    places: Array
    """At which byte each begins."""
    firsts: Array
    """The number of the first character of each string."""
    counts: Array
    """How many each string has."""

    def each(self) -> Spans:
        """Every character as a string."""
        is_own = np.ones(len(self.places), np.bool_)
        is_own[self.firsts + self.counts] = False
        sizes = np.diff(self.places, append=len(self.data) - PADDING)
        return Spans(self.data, self.places[is_own], sizes[is_own])

    def between(self, start: Any, end: Any) -> Spans:
        """The parts of the strings from one character to before another, which they have."""
        starts = self.places.take(self.firsts + start)
        return Spans(self.data, starts, self.places.take(self.firsts + end) - starts)

    def codes(self, position: Any) -> Array:
        """The code points of the characters at a position of each string, which they have."""
        starts = self.places.take(self.firsts + position)
        read: list[Array] = [self.data.take(starts + k).astype(np.int32) for k in range(4)]
        first, *later = read
        # How many bits at the head of the first byte say how many bytes there are.
        more: Array = np.searchsorted(np.array([0xC0, 0xE0, 0xF0]), first, "right")
        codes: Array = first & np.array([0x7F, 0x1F, 0x0F, 0x07], np.int32).take(more)
        for k, byte in enumerate(later):
            codes = np.where(more > k, codes << 6 | byte & 0x3F, codes)
        return codes


class CodePoints(NamedTuple):
    """The code points of all strings, one behind the other, with a 0 behind each string."""

    codes: Array
    firsts: Array
    """The number of the first one of each string."""
    counts: Array
    """How many each string has."""


def code_points(a: Strings) -> CodePoints:
    """Those of a column."""
    data, starts, lengths = a.compacted().spans
    size = len(data) - PADDING
    reserve(10 * size, "the characters of {} strings", len(a))
    counts = string_spans.characters(Spans(data, starts, lengths))
    text = str(data[:size].data, "utf-8", "surrogatepass")
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<i4"))
    return CodePoints(codes, np.cumsum(counts + 1) - (counts + 1), counts)


def characters(a: Strings) -> Characters:
    """Those of a column, whose bytes are copied."""
    data, starts, lengths = a.compacted().spans
    size = len(data) - PADDING
    reserve(3 * size, "the characters of {} strings", len(a))
    if a.is_ascii:
        return Characters(data, np.arange(size), starts, lengths)
    # All bytes begin one but those that go on with one.
    places = np.flatnonzero((data[:size] & 0xC0) != 0x80)
    counts = string_spans.characters(Spans(data, starts, lengths))
    firsts = np.cumsum(counts + 1) - (counts + 1)
    return Characters(data, places, firsts, counts)
