"""Forms for patterns that are nearly full: a bit for each index of the box, and none at all.

Bitmap((2, 3), bits of [1, 0, 1, 1, 1, 0])   words [0b011101], ranks [0, 4]
Full((2, 3))                                 nothing: entry k is at position k
"""

from __future__ import annotations

from math import prod

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array, index_type
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.searching import set_bits
from diablo.runtime.arrays.patterns.statistics import Statistics

_WORD = 64


class Bitmap(Form):
    """`words` of 64 bits, lowest first; `ranks` has how many bits the words before each have.

    Jacobson, Space-efficient static trees and graphs, FOCS 1989 (rank and select).
    """

    name = "bitmap"

    def __init__(self, shape: tuple[int, ...], words: Array, ranks: Array):
        self.shape = shape
        self.words = words
        self.ranks = ranks

    @classmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Bitmap:
        """Set bits."""
        return cls.of_positions(flat, statistics.shape, width)

    @staticmethod
    def of_positions(flat: Array, shape: tuple[int, ...], width: int = 0) -> Bitmap:
        """From ascending flat positions."""
        words = np.zeros(-(-prod(shape) // _WORD), np.uint64)
        if len(flat):
            word = flat // _WORD
            begins = np.flatnonzero(np.append(True, word[1:] != word[:-1]))
            bits = np.uint64(1) << (flat % _WORD).astype(np.uint64)
            words[word.take(begins)] = np.bitwise_or.reduceat(bits, begins)
        ranks = np.zeros(len(words) + 1, index_type(len(flat), width))
        np.cumsum(np.bitwise_count(words), out=ranks[1:])
        return Bitmap(shape, words, ranks)

    @property
    def count(self) -> int:
        """How many indices are stored."""
        return int(self.ranks[-1])

    def vectors(self) -> dict[str, Array]:
        """Return what is stored."""
        return {"words": self.words, "ranks": self.ranks}

    def positions(self) -> Array:
        """Return where bits are set; O(box / 64 + entries)."""
        return set_bits(self.words, self.count)

    def positions_of(self, entries: Array) -> Array:
        """The word by its rank, the bit in it by halving the word."""
        word = np.searchsorted(self.ranks, entries, "right") - 1
        bits = self.words.take(word)
        left = (entries - self.ranks.take(word)).astype(np.uint64)
        place = np.zeros(len(word), np.uint64)
        for width in (32, 16, 8, 4, 2, 1):
            half = np.uint64(width)
            low = bits & np.uint64((1 << width) - 1)
            below = np.bitwise_count(low).astype(np.uint64)
            up = left >= below
            bits = np.where(up, bits >> half, low)
            left = np.where(up, left - below, left)
            place = np.where(up, place + half, place)
        return word * _WORD + place.astype(np.int64)

    def find(self, flat: Array) -> Array:
        """A bit, and the number of those before it."""
        word, bit = flat // _WORD, (flat % _WORD).astype(np.uint64)
        bits = self.words.take(word)
        there = (bits >> bit) & np.uint64(1)
        return np.where(there, self._rank(word, bits, bit), -1)

    def find_one(self, flat: int) -> int:
        """The same, of integers of Python's."""
        word, bit = divmod(flat, _WORD)
        bits = int(self.words[word])
        below = (bits & ((1 << bit) - 1)).bit_count()
        return int(self.ranks[word]) + below if bits >> bit & 1 else -1

    def lower_bound(self, flat: Array) -> Array:
        """The number of bits before."""
        word, bit = flat // _WORD, (flat % _WORD).astype(np.uint64)
        if not len(self.words):
            return np.zeros(len(flat), np.int64)
        beyond = word >= len(self.words)
        at = np.minimum(word, len(self.words) - 1)
        return np.where(beyond, self.count, self._rank(at, self.words.take(at), bit))

    def _rank(self, word: Array, bits: Array, bit: Array) -> Array:
        below = bits & ((np.uint64(1) << bit) - np.uint64(1))
        return self.ranks.take(word).astype(np.int64) + np.bitwise_count(below)


class Full(Form):
    """Every index of the box."""

    name = "full"

    def __init__(self, shape: tuple[int, ...]):
        self.shape = shape

    @classmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Full:
        """Return the form, which is of the box alone."""
        return cls(statistics.shape)

    @property
    def count(self) -> int:
        """How many indices are stored."""
        return self.size

    def vectors(self) -> dict[str, Array]:
        """Return what is stored."""
        return {}

    def positions(self) -> Array:
        """All."""
        return np.arange(self.size)

    def positions_of(self, entries: Array) -> Array:
        """The entries' numbers."""
        return entries.astype(np.int64, copy=False)

    def find(self, flat: Array) -> Array:
        """The positions."""
        return flat.astype(np.int64, copy=False)

    def lower_bound(self, flat: Array) -> Array:
        """The positions."""
        return flat.astype(np.int64, copy=False)
