"""Joins without keys of which a test of each pair of rows leaves some.

    left ("ab",), ("cd",)   right ("a", 1), ("c", 2)   where the one begins with the other
        ->   ("ab", "a", 1), ("cd", "c", 2)

Pairs are looked at some at a time, and of those that are left there are the positions until all are
known: then the columns of both sides are read at these.
"""

from __future__ import annotations

import numpy as np

from diablo.runtime.memory_limit import reserve
from diablo.runtime.rows.batches import Batch, length, row_size, take
from diablo.runtime.rows.columns import Column

# The positions on both sides of a pair, apart and in one.
_POSITIONS = 32


class ChosenPairs:
    """The pairs of two batches that are left so far; `at` is the place of the join."""

    def __init__(self, left: Batch, right: Batch, at: str = ""):
        self._sides = left, right
        self._at = at
        self._found: list[tuple[Column, Column]] = []
        self._count = 0

    def add(self, left: Column, right: Column) -> None:
        """Add the pairs at some positions, which come after all before in the order of the left."""
        if len(left):
            self._count += len(left)
            self._found.append((left, right))
            self._expect(len(left) * _POSITIONS)

    def batch(self) -> Batch:
        """Return the rows of the pairs: the columns of the left side, then those of the right."""
        left, right = self._sides
        if not self._found:
            return tuple([column[:0] for column in (*left, *right)])
        self._expect(self._count * (row_size(left) + row_size(right) + _POSITIONS))
        rows, partners = (np.concatenate(parts) for parts in zip(*self._found, strict=True))
        return take(left, rows) + take(right, partners)

    def _expect(self, size: int) -> None:
        message = "a join of {} with {} rows, which makes {} rows,"
        reserve(size, message, *map(length, self._sides), self._count, at=self._at)
