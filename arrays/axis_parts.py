"""What is taken of an axis, or made of it: a slice, places, one place, copies, a shift.

    Slice(range(4, -1, -1))     x[::-1]             Repeated(2, 5)      each place twice
    Places([2, 0], 5)           x[[2, 0]]           Tiled(2, 5)         the axis twice
    One(3)                      x[3]                Shifted(1, 5, 1)    pad((1, 1))
    NEW                         x[None]             Rolled(1, 5)        roll(1)

A part says where in the result the entries of a sparse array are, and for an axis of which all
places are in memory, what each place of the result is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.ordering import stable_order

Row = NDArray[Any]
"""The index of each entry along the axis."""


class Part:
    """What becomes of one axis, and the extent that the result has instead."""

    extent: int = 1
    is_axis = True
    """Whether the result has an axis for it."""
    is_ascending = False
    """Whether each place is there at most once, and all are in their order."""

    is_descending = False
    """Whether each place is there at most once, and all are in the opposite order."""

    def is_whole(self, extent: int) -> bool:
        """Return whether nothing changes an axis of an extent."""
        return False

    def of(self, row: Row) -> tuple[Any, Row]:
        """Return which entries are there, once for each copy, and the place of each.

        None stands for all of them.
        """
        raise NotImplementedError

    def sources(self) -> Row:
        """Return for each place of the result the one that it is, -1 if none."""
        raise NotImplementedError

    def bounds(self) -> tuple[int, int] | None:
        """Return the least place that is there, and that behind the greatest; None if unknown."""
        return None


class Slice(Part):
    """The places of a range, in its order."""

    def __init__(self, places: range):
        self.places = places
        self.extent = len(places)
        self.is_ascending = places.step > 0
        self.is_descending = places.step < 0

    def is_whole(self, extent: int) -> bool:
        """Return whether it is the whole axis."""
        return self.places == range(extent)

    def of(self, row: Row) -> tuple[Any, Row]:
        """Return the entries at the places of the range."""
        places = self.places
        if places.step == 1:
            # One comparison for both ends: what lies before the first one wraps around.
            steps = row - row.dtype.type(places.start)
            inside = np.flatnonzero(steps.view(f"u{steps.itemsize}") < len(places))
            return inside, steps.take(inside)
        if places.step == -1:
            steps = row.dtype.type(places.start) - row
            inside = np.flatnonzero(steps.view(f"u{steps.itemsize}") < len(places))
            return inside, steps.take(inside)
        steps, rest = np.divmod(row - places.start, places.step)
        inside = np.flatnonzero((rest == 0) & (steps >= 0) & (steps < len(places)))
        return inside, steps.take(inside)

    def bounds(self) -> tuple[int, int]:
        """Return the ends of the range."""
        if not self.places:
            return 0, 0
        first, last = self.places[0], self.places[-1]
        return min(first, last), max(first, last) + 1

    def sources(self) -> Row:
        """Return the places of the range."""
        return np.arange(self.places.start, self.places.stop, self.places.step)


class One(Part):
    """A single place, without an axis in the result."""

    is_axis = False
    is_ascending = True

    def __init__(self, place: int):
        self.place = place

    def of(self, row: Row) -> tuple[Any, Row]:
        """Return the entries at the place."""
        inside = np.flatnonzero(row == row.dtype.type(self.place))
        return inside, np.zeros(len(inside), row.dtype)

    def bounds(self) -> tuple[int, int]:
        """Return the place, and the next."""
        return self.place, self.place + 1

    def sources(self) -> Row:
        """Return the place."""
        return np.array([self.place])


class Places(Part):
    """Places in any order, any number of times."""

    def __init__(self, places: Row, extent: int):
        self.places = places
        self.once = extent
        self.extent = len(places)
        self.is_ascending = bool((places[1:] > places[:-1]).all())

    def of(self, row: Row) -> tuple[Any, Row]:
        """Return the entries at each of the places."""
        order = stable_order(self.places)
        if self.once <= max(len(row), len(order)):
            # A table of what each place of the axis is among these is no longer than they are.
            counts = np.bincount(self.places, minlength=self.once)
            first, count = (np.cumsum(counts) - counts).take(row), counts.take(row)
        else:
            ascending = self.places.take(order)
            first = np.searchsorted(ascending, row, "left")
            count = np.searchsorted(ascending, row, "right") - first
        if len(count) and count.max() <= 1:
            kept = np.flatnonzero(count)
            return kept, order.take(first.take(kept))
        kept, within = copies(count)
        return kept, order.take(first.take(kept) + within)

    def sources(self) -> Row:
        """Return the places."""
        return self.places


class Shifted(Part):
    """An axis that begins at a place of a longer one, with nothing around it."""

    is_ascending = True

    def __init__(self, before: int, extent: int, after: int):
        self.before = before
        self.once = extent
        self.extent = before + extent + after

    def is_whole(self, extent: int) -> bool:
        """Return whether nothing is around it."""
        return self.extent == extent

    def of(self, row: Row) -> tuple[Any, Row]:
        """Return all entries, further on."""
        return None, row.astype(np.int64) + self.before

    def sources(self) -> Row:
        """Return the places of the axis between places that are none."""
        places = np.arange(-self.before, self.extent - self.before)
        return np.where(places < self.once, np.maximum(places, -1), -1)


class Rolled(Part):
    """An axis whose places have moved on, the last ones to the front."""

    def __init__(self, distance: int, extent: int):
        self.distance = distance % max(1, extent)
        self.extent = extent

    def is_whole(self, extent: int) -> bool:
        """Return whether each place is where it was."""
        return not self.distance

    def of(self, row: Row) -> tuple[Any, Row]:
        """Return all entries, further on or at the front."""
        moved = row.astype(np.int64) + self.distance
        return None, np.where(moved >= self.extent, moved - self.extent, moved)

    def sources(self) -> Row:
        """Return the places, those at the end first."""
        return (np.arange(self.extent) - self.distance) % max(1, self.extent)


class _Copies(Part):
    """Each place so many times."""

    def __init__(self, times: int, extent: int):
        self.once = extent
        self.times = times
        self.extent = times * extent

    def is_whole(self, extent: int) -> bool:
        """Return whether each place is there once."""
        return self.times == 1

    def of(self, row: Row) -> tuple[Any, Row]:
        """Return each entry so many times."""
        kept, within = copies(np.full(len(row), self.times))
        return kept, self.places(row.astype(np.int64)[kept], within)

    def places(self, row: Row, copy: Row) -> Row:
        """Return where the copies of entries are; `copy` says which ones."""
        raise NotImplementedError


class Repeated(_Copies):
    """Each place so many times, one behind the other."""

    def places(self, row: Row, copy: Row) -> Row:
        """Return the places of copies that are neighbours."""
        return row * self.times + copy

    def sources(self) -> Row:
        """Return each place so many times."""
        return np.arange(self.extent) // max(1, self.times)


class Tiled(_Copies):
    """All places so many times, the whole axis one behind the other."""

    def places(self, row: Row, copy: Row) -> Row:
        """Return the places of copies that are an axis apart."""
        return row + copy * self.once

    def sources(self) -> Row:
        """Return all places so many times."""
        return np.arange(self.extent) % max(1, self.once)


class _New(Part):
    """An axis of its own."""

    is_ascending = True


NEW = _New()
"""An axis of extent 1 that the array does not have."""


def copies(counts: Row) -> tuple[Row, Row]:
    """Return each number below the length so many times, and which copy it is."""
    kept = np.repeat(np.arange(len(counts)), counts)
    begins = np.cumsum(counts) - counts
    return kept, np.arange(len(kept)) - np.repeat(begins, counts)
