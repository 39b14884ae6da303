"""What choosing a form needs to know of a pattern, measured in one pass.

measure([1, 6, 11], (3, 4), 1)   ->   3 entries of 12, in 3 of 3 lists, the longest 1, band (1,)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array

_CHUNK = 1 << 16
"""Positions that are looked at together, so that what that takes is small."""


@dataclass(frozen=True)
class Statistics:
    """Of a set of indices in a box whose leading `list_rank` dimensions number its lists."""

    shape: tuple[int, ...]
    list_rank: int
    count: int
    filled: int
    """How many lists have an entry."""
    longest: int
    """The length of the longest list."""
    diagonals: tuple[int, ...] | None
    """The offsets of the diagonals that it consists of, wholly; None if it does not."""

    @property
    def lists(self) -> int:
        """How many lists there are."""
        return prod(self.shape[: self.list_rank])

    @property
    def length(self) -> int:
        """How many places a list has."""
        return prod(self.shape[self.list_rank :])

    @property
    def size(self) -> int:
        """How many indices the box has."""
        return prod(self.shape)

    @property
    def density(self) -> float:
        """The part of the box that is stored."""
        return self.count / max(1, self.size)


def measure(flat: Array, shape: tuple[int, ...], list_rank: int) -> Statistics:
    """The statistics of ascending flat positions in a box."""
    if not len(flat):
        return Statistics(shape, list_rank, 0, 0, 0, None)
    lengths = _list_lengths(flat, max(1, prod(shape[list_rank:])))
    return Statistics(
        shape,
        list_rank,
        len(flat),
        len(lengths),
        int(lengths.max()),
        _diagonals(flat, shape) if len(shape) == 2 else None,
    )


def _list_lengths(flat: Array, length: int) -> Array:
    """How many entries each list that has some has, of lists of `length` places."""
    ends: list[Array] = []
    for begin in range(0, len(flat), _CHUNK):
        # Each part with the first entry of the next.
        row = flat[begin : begin + _CHUNK + 1] // length
        ends.append(np.flatnonzero(row[1:] != row[:-1]) + begin)
    return np.diff(np.concatenate(ends), prepend=-1, append=len(flat) - 1)


def diagonal_length(shape: tuple[int, ...], offset: int) -> int:
    """How many elements a diagonal of a matrix has."""
    rows, columns = shape
    return max(0, min(rows, columns - offset) - max(0, -offset))


def _diagonals(flat: Array, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """Diagonals are whole if they have as many elements together as there are entries."""
    rows, columns = shape
    # Each diagonal has one element at most in a row, and the longest has the smaller extent.
    most = len(flat) if len(flat) <= columns else _most_diagonals(flat, shape)
    found: set[int] = set()
    # A band shows all its diagonals early; what shows more of them than it can have is none.
    size, start = 1 << 12, 0
    while start < len(flat):
        part = flat[start : start + size]
        found.update(np.unique(part - part // columns * (columns + 1)).tolist())
        start, size = start + size, min(2 * size, 1 << 16)
        if len(found) > most:
            return None
    whole = sum(diagonal_length((rows, columns), offset) for offset in found)
    return tuple(sorted(found)) if whole == len(flat) else None


def _most_diagonals(flat: Array, shape: tuple[int, ...]) -> int:
    """How many diagonals, the shortest first, have no more elements than there are."""
    shortest = min(shape)
    # Diagonals of 1, 1, 2, 2, … elements from both corners on, then all of the full length.
    corners = int((4 * len(flat) + 1) ** 0.5) + 1
    if corners <= 2 * (shortest - 1):
        return corners
    return 2 * shortest + len(flat) // shortest
