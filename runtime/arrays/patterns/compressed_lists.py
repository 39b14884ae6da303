"""Forms that keep the indices of a box as lists: compressed rows, and hypersparse rows.

The leading `list_rank` dimensions number the lists, the others the places in them:

    Compressed((3, 4), 1, starts [0, 2, 2, 3], indices [0, 2, 1])
    Hypersparse((3, 4), 1, lists [0, 2], starts [0, 2, 3], indices [0, 2, 1])

The second names the lists that are not empty: Buluc and Gilbert, On the representation and
multiplication of hypersparse matrices, IPDPS 2008 (DCSC).
"""

from __future__ import annotations

from math import prod

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array, index_type, unflatten
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.searching import compiled_searches, lower_bounds
from diablo.runtime.arrays.patterns.statistics import Statistics
from diablo.runtime.ordering import is_ascending, stable_order

_CHUNK = 1 << 16
"""Positions that are turned into indices at a time, so that what that takes is small."""


class _Lists(Form):
    """Indices in lists; `starts` has where each list begins, and the end of the last."""

    list_rank: int

    def __init__(self, shape: tuple[int, ...], list_rank: int, starts: Array, indices: Array):
        self.shape = shape
        self.list_rank = list_rank  # pyright: ignore[reportIncompatibleVariableOverride]
        self.starts = starts
        self.indices = indices
        self.length = prod(shape[list_rank:])
        """How many places a list has."""

    @property
    def count(self) -> int:
        """How many indices are stored."""
        return len(self.indices)

    def places(self, list_rank: int) -> Array | None:
        """The indices, if they are those of lists of so many dimensions."""
        return self.indices if self.list_rank == list_rank else None

    def list_of_entries(self) -> Array:
        """The int64 number of each entry's list among the lists."""
        numbers = np.arange(prod(self.shape[: self.list_rank]), dtype=np.int64)
        return np.repeat(numbers, np.diff(self.starts))

    def positions(self) -> Array:
        """The int64 flat position of each entry."""
        if len(self.starts) == 2 and self.list_rank == 0:
            return self.indices.astype(np.int64, copy=False)
        flat = self.list_of_entries()
        flat *= self.length
        flat += self.indices
        return flat

    def coordinates(self) -> tuple[Array, ...]:
        """The index of each entry in each dimension: of its list, and in this."""
        leading = unflatten(self.list_of_entries(), self.shape[: self.list_rank])
        return (*leading, *unflatten(self.indices, self.shape[self.list_rank :]))

    def _slots(self, lists: Array) -> tuple[Array, Array]:
        """Return where the entries of each list begin and end; nowhere if it has none."""
        lists = lists.astype(np.int64, copy=False)
        return self.starts.take(lists), self.starts.take(lists + 1)

    def _list_at(self, slots: Array) -> Array:
        """The number of the list that each slot of `starts` is for."""
        return slots

    def positions_of(self, entries: Array) -> Array:
        """The flat positions of some entries: their lists are searched for."""
        slots = np.searchsorted(self.starts, entries, "right") - 1
        return self._list_at(slots) * self.length + self.indices.take(entries)

    def find(self, flat: Array) -> Array:
        """A binary search in the list; in all positions where NumPy does many searches.

        Unsorted positions are sorted first: searches that jump about wait for memory.
        """
        if self.count == 0 or len(flat) == 0:
            return np.full(len(flat), -1, np.int64)
        if not is_ascending(flat):
            order = stable_order(flat)
            result = np.empty(len(flat), np.int64)
            result[order] = self.find(flat.take(order))
            return result
        if len(flat) * 4 > self.count and not compiled_searches(len(flat)):
            positions = self.positions()
            place = np.searchsorted(positions, flat)
            np.minimum(place, self.count - 1, out=place)
            return np.where(positions.take(place) == flat, place, -1)
        place, stop, wanted = self._search(flat)
        at = np.minimum(place, self.count - 1)
        return np.where((place < stop) & (self.indices.take(at) == wanted), at, -1)

    def lower_bound(self, flat: Array) -> Array:
        """A binary search in the list."""
        return self._search(flat)[0]

    def _search(self, flat: Array) -> tuple[Array, Array, Array]:
        """Return where each position belongs, where its list ends, and its place in the list."""
        if self.size == 0:
            nothing = np.zeros(len(flat), np.int64)
            return nothing, nothing, nothing
        lists = flat // self.length
        wanted = flat - lists * self.length
        last = prod(self.shape[: self.list_rank])
        beyond = lists >= last
        start, stop = self._slots(np.minimum(lists, max(0, last - 1)))
        low, high = start.astype(np.int64), stop.astype(np.int64)
        low = lower_bounds(self.indices, low, high, wanted)
        return np.where(beyond, self.count, low), stop, wanted

    def measured(self) -> Statistics:
        """With the lists that have a start."""
        return Statistics(self.shape, self.list_rank, self.count, len(self.starts) - 1, 0, None)


class Compressed(_Lists):
    """Every list has a start: CSR's two vectors.

    They are of one type, as SciPy wants them, but for second orders, whose indices may be
    unsigned and narrow.
    """

    name = "compressed"

    def vectors(self) -> dict[str, Array]:
        """Return where lists begin, and what is in them."""
        return {"starts": self.starts, "indices": self.indices}

    def as_lists(self, list_rank: int) -> Compressed | None:
        """Return the form itself, if its lists are of so many dimensions."""
        return self if self.list_rank == list_rank else None

    def find_one(self, flat: int) -> int:
        """A binary search in the list."""
        number, wanted = divmod(flat, int(self.length))
        start, stop = int(self.starts[number]), int(self.starts[number + 1])
        # Of another type the list would be converted.
        sought = np.asarray(wanted, self.indices.dtype)
        place = start + int(self.indices[start:stop].searchsorted(sought))
        return place if place < stop and self.indices[place] == sought else -1

    def differs_by_vectors(self, other: Form) -> bool:
        """Whether `other` has lists of the same dimensions: there is one way to write these."""
        return isinstance(other, Compressed) and other.list_rank == self.list_rank

    def in_one_type(self) -> Compressed:
        """The same with indices of the type of the starts; itself if they are."""
        index = self.starts.dtype
        if self.indices.dtype == index:
            return self
        return Compressed(self.shape, self.list_rank, self.starts, self.indices.astype(index))

    def range_of(self, low: int, high: int) -> tuple[int, int]:
        """The range of the entries from `low` up to `high`; of whole lists it is known."""
        if self.length and low % self.length == 0 and high % self.length == 0 and low <= high:
            first, last = self.starts[low // self.length], self.starts[high // self.length]
            return int(first), int(last)
        return super().range_of(low, high)

    @classmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Compressed:
        """Lists of the leading dimensions that are measured."""
        return cls.of_positions(flat, statistics.shape, statistics.list_rank, width)

    @staticmethod
    def of_positions(
        flat: Array, shape: tuple[int, ...], list_rank: int, width: int = 0
    ) -> Compressed:
        """From ascending flat positions."""
        lists, length = prod(shape[:list_rank]), prod(shape[list_rank:])
        index = index_type(max(lists, length, len(flat)), width)
        starts = np.zeros(lists + 1, index)
        if lists == 1:
            starts[1] = len(flat)
            indices = flat
        elif len(flat) == 0:
            indices = flat
        elif length == 1:
            np.cumsum(np.bincount(flat, minlength=lists), out=starts[1:])
            indices = np.zeros(len(flat), index)
        else:
            indices = np.empty(len(flat), index)
            counts = starts[1:]
            for begin in range(0, len(flat), _CHUNK):
                part = flat[begin : begin + _CHUNK]
                row = part // length
                first, last = int(row[0]), int(row[-1]) + 1
                counts[first:last] += np.bincount(row - first).astype(index, copy=False)
                row *= length
                indices[begin : begin + _CHUNK] = part - row
            np.cumsum(counts, out=counts)
        return Compressed(shape, list_rank, starts, indices.astype(index, copy=False))


class Hypersparse(_Lists):
    """Only lists with entries have a start; `lists` says which these are."""

    name = "hypersparse"

    def __init__(
        self, shape: tuple[int, ...], list_rank: int, lists: Array, starts: Array, indices: Array
    ):
        super().__init__(shape, list_rank, starts, indices)
        self.lists = lists

    def vectors(self) -> dict[str, Array]:
        """Return where lists begin, and what is in them."""
        return {"lists": self.lists, "starts": self.starts, "indices": self.indices}

    def with_all_lists(self) -> Compressed:
        """Return the lists with a start for each, over the same indices."""
        lengths = np.zeros(prod(self.shape[: self.list_rank]) + 1, self.starts.dtype)
        lengths[self.lists + 1] = np.diff(self.starts)
        starts = np.cumsum(lengths, dtype=lengths.dtype)
        return Compressed(self.shape, self.list_rank, starts, self.indices)

    def list_of_entries(self) -> Array:
        """The int64 number of each entry's list."""
        return np.repeat(self.lists.astype(np.int64), np.diff(self.starts))

    def _slots(self, lists: Array) -> tuple[Array, Array]:
        place = np.searchsorted(self.lists, lists)
        at = np.minimum(place, max(0, len(self.lists) - 1))
        start = self.starts.take(place)
        there = self.lists.take(at) == lists if len(self.lists) else np.zeros(len(lists), np.bool_)
        return start, np.where(there, self.starts.take(place + there), start)

    def _list_at(self, slots: Array) -> Array:
        return self.lists.take(slots).astype(np.int64)

    @classmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Hypersparse:
        """Lists of the leading dimensions that are measured."""
        return cls.of_positions(flat, statistics.shape, statistics.list_rank, width)

    @staticmethod
    def of_positions(
        flat: Array, shape: tuple[int, ...], list_rank: int, width: int = 0
    ) -> Hypersparse:
        """From ascending flat positions, in time of these alone."""
        length = max(1, prod(shape[list_rank:]))
        row = flat // length
        begins = np.flatnonzero(np.append(True, row[1:] != row[:-1])) if len(flat) else row
        starts = np.append(begins, len(flat)).astype(index_type(len(flat), width))
        lists = row.take(begins).astype(index_type(prod(shape[:list_rank]), width))
        indices = (flat - row * length).astype(index_type(length, width))
        return Hypersparse(shape, list_rank, lists, starts, indices)
