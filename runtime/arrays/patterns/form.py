"""`Form`: one way of storing a set of indices, numbered in the row-major order of its box.

Each form answers the same questions from other vectors:

    form = Coordinates((3, 4), [1, 6, 11])
    form.positions()            ->  [1, 6, 11]        the flat position of each entry
    form.find([6, 7])           ->  [1, -1]           the entry at a flat position
    form.lower_bound([0, 7])    ->  [0, 2]            how many entries come before it
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from diablo.format_table import FORMATS, Format
from diablo.runtime.arrays.patterns.boxes import Array, distinct_bytes, unflatten
from diablo.runtime.arrays.patterns.statistics import Statistics
from diablo.runtime.native.addresses import address_of

if TYPE_CHECKING:
    from diablo.runtime.arrays.patterns.compressed_lists import Compressed


class Form(ABC):
    """A set of indices in the box `shape`; all flat positions that it is given lie inside."""

    name: ClassVar[str]
    """The name of its row in `diablo.format_table`."""

    shape: tuple[int, ...]
    list_rank: int | None = None
    """How many leading dimensions number the lists that it keeps; None if it keeps none."""

    @classmethod
    @abstractmethod
    def of_pattern(cls, flat: Array, statistics: Statistics, width: int = 0) -> Form:
        """The form for ascending flat positions, with indices of `width` bits or what they need."""

    @property
    def format(self) -> Format:
        """The row of the table of formats for this form."""
        return FORMATS[self.name]

    @property
    @abstractmethod
    def count(self) -> int:
        """How many indices are stored."""

    @property
    def size(self) -> int:
        """How many indices the box has."""
        return prod(self.shape)

    @abstractmethod
    def vectors(self) -> dict[str, Array]:
        """The vectors that are stored, by name."""

    @property
    def nbytes(self) -> int:
        """The bytes that these take in memory."""
        return distinct_bytes(self.vectors().values())

    def as_lists(self, list_rank: int) -> Compressed | None:
        """Return the lists of so many leading dimensions, compressed, over the same vectors.

        None if it has none of these dimensions, or does not know where each begins.
        """
        return None

    def with_all_lists(self) -> Compressed | None:
        """Return the lists with a start for each, over the same indices, if only some have one."""
        return None

    def places(self, list_rank: int) -> Array | None:
        """Return the place of each entry in its list, in any type.

        None unless it keeps them so, for lists of so many dimensions.
        """
        return None

    @abstractmethod
    def positions(self) -> Array:
        """The int64 flat position of each entry, in ascending order."""

    def coordinates(self) -> tuple[Array, ...]:
        """The int64 index of each entry in each dimension of the box."""
        return unflatten(self.positions(), self.shape)

    @abstractmethod
    def positions_of(self, entries: Array) -> Array:
        """The int64 flat positions of some entries."""

    @abstractmethod
    def find(self, flat: Array) -> Array:
        """The int64 number of the entry at each flat position, -1 where there is none."""

    def find_one(self, flat: int) -> int:
        """The number of the entry at one flat position, or -1."""
        return int(self.find(np.array([flat]))[0])

    @abstractmethod
    def lower_bound(self, flat: Array) -> Array:
        """Return how many entries lie before each flat position, one of which may be the size."""

    def measured(self) -> Statistics:
        """Return what the form shows of the pattern without looking at its entries.

        A form whose row reads more than the shape and the count to say what a lookup touches has
        to give that here.
        """
        return Statistics(self.shape, 0, self.count, 0, 0, None)

    def touches(self) -> float:
        """About how many places in memory one lookup reads."""
        return self.format.touches(self.measured())

    def range_of(self, low: int, high: int) -> tuple[int, int]:
        """The range of the entries with positions from `low` up to `high`, exclusive."""
        first, last = self.lower_bound(np.array([low, max(low, high)], np.int64)).tolist()
        return int(first), int(last)

    def same_as(self, other: Form) -> bool:
        """Return whether both store the same indices of the same box."""
        if self is other:
            return True
        if self.shape != other.shape or self.count != other.count:
            return False
        mine, theirs = self.vectors(), other.vectors()
        if type(self) is type(other) and all(
            mine[k].shape == theirs[k].shape and _same(mine[k], theirs[k]) for k in mine
        ):
            return True
        return not self.differs_by_vectors(other) and np.array_equal(
            self.positions(), other.positions()
        )

    def differs_by_vectors(self, other: Form) -> bool:
        """Whether `other`, whose vectors are not equal, is known to store other indices for that.

        In most forms a set of indices can be written in several ways.
        """
        return False


def _same(one: Array, other: Array) -> bool:
    """Return whether two vectors are equal; those in one place are without looking."""
    same_place = address_of(one) == address_of(other) and one.dtype == other.dtype
    return (same_place and one.strides == other.strides) or np.array_equal(one, other)
