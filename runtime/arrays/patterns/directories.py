"""Directories: from an index to its entry in constant time or nearly so.

The array form has the first entry of each list, as compressed rows have anyway: a lookup is a
search in one list. The hash form is a table of entries, at places that a hash of the flat
position says (multiplicative: Knuth, The Art of Computer Programming 3, 6.4), with the next
place tried where one is taken. It is never more than half full.
"""

from __future__ import annotations

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array, index_type
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.layout import Directory
from diablo.runtime.arrays.patterns.statistics import Statistics

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class HashDirectory:
    """The entries of a form by a hash of their flat positions."""

    def __init__(self, form: Form):
        self._form = form
        self.bits = hash_bits(form.count)
        flat = form.positions()
        table = np.full(1 << self.bits, -1, index_type(form.count))
        entries = np.arange(form.count, dtype=table.dtype)
        slots = self._slots(flat)
        # All entries try their places at once; those that find theirs taken try the next.
        while len(entries):
            free = table.take(slots) < 0
            table[slots[free]] = entries[free]
            left = np.flatnonzero(table.take(slots) != entries)
            entries = entries.take(left)
            slots = self._next(slots.take(left))
        self.table = table

    def _slots(self, flat: Array) -> Array:
        hashed = flat.astype(np.uint64) * _GOLDEN
        return (hashed >> np.uint64(64 - self.bits)).astype(np.int64)

    def _next(self, slots: Array) -> Array:
        return (slots + 1) & ((1 << self.bits) - 1)

    def find(self, flat: Array) -> Array:
        """The int64 number of the entry at each flat position, -1 where there is none."""
        result = np.full(len(flat), -1, np.int64)
        waiting = np.arange(len(flat))
        slots = self._slots(flat)
        while len(waiting):
            entries = self.table.take(slots)
            some = np.flatnonzero(entries >= 0)
            waiting, slots, entries = waiting.take(some), slots.take(some), entries.take(some)
            hit = self._form.positions_of(entries) == flat.take(waiting)
            result[waiting[hit]] = entries[hit]
            miss = np.flatnonzero(~hit)
            waiting, slots = waiting.take(miss), self._next(slots.take(miss))
        return result


def hash_bits(count: int) -> int:
    """The logarithm of the size of a table for so many entries."""
    return max(1, (2 * count - 1).bit_length() if count else 1)


def directory_bytes(statistics: Statistics) -> dict[Directory, int]:
    """Return what each directory takes: an array has a place for every list, filled or not."""
    width = index_type(statistics.count).itemsize
    return {
        Directory.NONE: 0,
        Directory.ARRAY: width * (statistics.lists + 1),
        Directory.HASH: width << hash_bits(statistics.count),
    }


def cheaper_directory(statistics: Statistics) -> Directory:
    """An array where most lists have entries, a hash table where most have none."""
    sizes = directory_bytes(statistics)
    return Directory.ARRAY if sizes[Directory.ARRAY] <= sizes[Directory.HASH] else Directory.HASH
