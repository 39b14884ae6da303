"""`Coordinates`: each entry as one flat position in the box.

Of the 3x4 box, with entries at (0, 1), (1, 2) and (2, 3): positions [1, 6, 11]. One vector
takes no more than a vector per dimension does, and orders entries by itself.
"""

from __future__ import annotations

from math import prod

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array, index_type
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.statistics import Statistics
from diablo.runtime.ordering import search


class Coordinates(Form):
    """Ascending flat positions."""

    name = "coordinates"

    def __init__(self, shape: tuple[int, ...], flat: Array):
        self.shape = shape
        self.flat = flat

    @classmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Coordinates:
        """The positions themselves."""
        return cls.of_positions(flat, statistics.shape, width)

    @staticmethod
    def of_positions(flat: Array, shape: tuple[int, ...], width: int = 0) -> Coordinates:
        """From ascending flat positions."""
        return Coordinates(shape, flat.astype(index_type(prod(shape), width), copy=False))

    @property
    def count(self) -> int:
        """How many indices are stored."""
        return len(self.flat)

    def vectors(self) -> dict[str, Array]:
        """The flat positions."""
        return {"flat": self.flat}

    def positions(self) -> Array:
        """The vector itself, in 64 bits."""
        return self.flat.astype(np.int64, copy=False)

    def positions_of(self, entries: Array) -> Array:
        """Elements of the vector."""
        return self.flat.take(entries).astype(np.int64, copy=False)

    def find(self, flat: Array) -> Array:
        """A binary search in the whole."""
        if self.count == 0:
            return np.full(len(flat), -1, np.int64)
        place = search(self.flat, flat)
        np.minimum(place, self.count - 1, out=place)
        return np.where(self.flat.take(place) == flat, place, -1)

    def lower_bound(self, flat: Array) -> Array:
        """A binary search in the whole."""
        return np.searchsorted(self.flat, flat)
