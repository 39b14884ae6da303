"""What choosing a form needs to know of a pattern, measured in one pass.

measure([1, 6, 11], (3, 4), 1)   ->   3 entries of 12, in 3 of 3 lists, the longest 1, band (1,)
"""

from __future__ import annotations

from collections.abc import Callable
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
        _diagonals(len(flat), shape, lambda a, b: flat[a:b]) if len(shape) == 2 else None,
    )


def measure_lists(
    starts: Array, indices: Array, shape: tuple[int, ...], list_rank: int
) -> Statistics:
    """The statistics of the vectors of compressed lists, which are not made into positions."""
    if not len(indices):
        return Statistics(shape, list_rank, 0, 0, 0, None)
    lengths, length = np.diff(starts), prod(shape[list_rank:])

    def positions(begin: int, end: int) -> Array:
        entries = np.arange(begin, min(end, len(indices)))
        lists = np.searchsorted(starts, entries, "right") - 1
        return lists * length + indices[begin:end]

    return Statistics(
        shape,
        list_rank,
        len(indices),
        int(np.count_nonzero(lengths)),
        int(lengths.max()),
        _diagonals(len(indices), shape, positions) if len(shape) == 2 else None,
    )


def _list_lengths(flat: Array, length: int) -> Array:
    """Return how many entries each list that has some has, of lists of `length` places."""
    ends: list[Array] = []
    for begin in range(0, len(flat), _CHUNK):
        # Each part with the first entry of the next.
        row = flat[begin : begin + _CHUNK + 1] // length
        ends.append(np.flatnonzero(row[1:] != row[:-1]) + begin)
    return np.diff(np.concatenate(ends), prepend=-1, append=len(flat) - 1)


def diagonal_length(shape: tuple[int, ...], offset: int) -> int:
    """Return how many elements a diagonal of a matrix has."""
    rows, columns = shape
    return max(0, min(rows, columns - offset) - max(0, -offset))


def _diagonals(
    count: int, shape: tuple[int, ...], positions: Callable[[int, int], Array]
) -> tuple[int, ...] | None:
    """Diagonals are whole if they have as many elements together as there are entries.

    `positions` gives those from one entry up to another, exclusive.
    """
    rows, columns = shape
    found = np.zeros(0, np.int64)
    # A band shows all its diagonals early; those of what is none soon have more elements.
    size, start, whole = 1 << 8, 0, 0
    while start < count:
        part = positions(start, start + size)
        found = np.union1d(found, part - part // columns * (columns + 1))
        start, size = start + size, min(2 * size, 1 << 16)
        ends = np.minimum(rows, columns - found)
        whole = int((ends - np.maximum(0, -found)).sum())
        if whole > count:
            return None
    return tuple(found.tolist()) if whole == count else None
