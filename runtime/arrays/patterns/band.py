"""`Band`: a matrix pattern of whole diagonals, stored by their offsets alone.

The tridiagonal pattern of any n x m matrix is `Band((n, m), [-1, 0, 1])`. An entry's number is
computed: the rows before it have, of the diagonal `o`, those from max(0, -o) up to m - o.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.statistics import Statistics


class Band(Form):
    """All (i, j) of a matrix with j - i among ascending `offsets`, each of a diagonal in it."""

    name = "band"

    def __init__(self, shape: tuple[int, ...], offsets: Array):
        rows, columns = shape
        self.shape = shape
        self.offsets = offsets.astype(np.int64, copy=False)
        self._begin = np.clip(-self.offsets, 0, rows)
        self._end = np.clip(columns - self.offsets, self._begin, rows)
        # Between neighbouring ones of these rows all rows have the same number of entries.
        self._breaks = np.unique(np.concatenate(([0, rows], self._begin, self._end)))
        self._starts = self._before(self._breaks)
        self._count = int(self._starts[-1])

    @classmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Band:
        """From the offsets of the diagonals, which are measured."""
        return cls(statistics.shape, np.array(statistics.diagonals, np.int64))

    def measured(self) -> Statistics:
        """With the diagonals."""
        return replace(super().measured(), diagonals=tuple(self.offsets.tolist()))

    def _before(self, rows: Array) -> Array:
        """Return how many entries the rows above each of `rows` have."""
        result = np.zeros(len(rows), np.int64)
        for begin, end in zip(self._begin, self._end, strict=True):
            result += np.clip(rows, begin, end) - begin
        return result

    def _before_any(self, rows: Array) -> Array:
        """The same for rows that are many: linear between the breaks."""
        piece = np.clip(
            np.searchsorted(self._breaks, rows, "right") - 1, 0, max(0, len(self._breaks) - 2)
        )
        following = np.minimum(piece + 1, len(self._breaks) - 1)
        height = np.maximum(1, self._breaks.take(following) - self._breaks.take(piece))
        width = (self._starts.take(following) - self._starts.take(piece)) // height
        return self._starts.take(piece) + (rows - self._breaks.take(piece)) * width

    @property
    def count(self) -> int:
        """How many indices are stored."""
        return self._count

    def vectors(self) -> dict[str, Array]:
        """The offsets."""
        return {"offsets": self.offsets}

    def positions(self) -> Array:
        """Computed; O(entries)."""
        return self.positions_of(np.arange(self._count))

    def positions_of(self, entries: Array) -> Array:
        """The piece of the matrix that an entry is in gives its row, the rest its diagonal."""
        piece = np.searchsorted(self._starts, entries, "right") - 1
        height = np.diff(self._breaks, append=self._breaks[-1:])
        width = np.diff(self._starts, append=self._starts[-1:]) // np.maximum(1, height)
        width = np.maximum(1, width).take(piece)
        rest = entries - self._starts.take(piece)
        down = rest // width
        row = self._breaks.take(piece) + down
        offset = self._first(row) + rest - down * width
        return row * self.shape[1] + row + self.offsets.take(offset)

    def _first(self, rows: Array) -> Array:
        """The number of the first diagonal that each row has an element of."""
        return np.searchsorted(self.offsets, -rows)

    def find(self, flat: Array) -> Array:
        """A search among the diagonals."""
        place, row, column = self._place(flat)
        wanted = column - row
        at = np.minimum(place, max(0, len(self.offsets) - 1))
        if not len(self.offsets):
            return np.full(len(flat), -1, np.int64)
        there = self.offsets.take(at) == wanted
        return np.where(there, self._before_any(row) + at - self._first(row), -1)

    def lower_bound(self, flat: Array) -> Array:
        """A search among the diagonals."""
        place, row, _ = self._place(flat)
        return np.where(
            row >= self.shape[0], self._count, self._before_any(row) + place - self._first(row)
        )

    def _place(self, flat: Array) -> tuple[Array, Array, Array]:
        row = flat // max(1, self.shape[1])
        column = flat - row * self.shape[1]
        return np.searchsorted(self.offsets, column - row), row, column
