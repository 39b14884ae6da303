"""Bytes of patterns and arrays: measured, and by formula for what they are compared with.

    total_bytes([a, b])         of two arrays with one pattern, which counts once
    csr_bytes(75_000, 13_708_072).index                55_132_292
    lattice(pattern).bytes                             of A-ZPL's full lattice

The formulas are those of Chamberlain and Snyder, Array language support for parallel sparse
computation, ICS 2001, with 32-bit links and 64-bit values: the full lattice keeps for each node
its index, the next and the previous node in each dimension, and its number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from diablo.runtime.arrays.patterns.boxes import distinct_bytes, flat_positions, turned
from diablo.runtime.arrays.patterns.form_choice import bytes_of
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile

LINK, VALUE = 4, 8


@dataclass(frozen=True)
class Size:
    """Bytes of indices and of values."""

    index: int
    values: int

    @property
    def total(self) -> int:
        """Both."""
        return self.index + self.values


def total_bytes(tiles: Iterable[SparseTile | Pattern | np.ndarray[Any, Any]]) -> int:
    """Return what tiles, patterns and dense arrays take together: shared vectors count once."""

    def vectors() -> Iterable[np.ndarray[Any, Any]]:
        for tile in tiles:
            if isinstance(tile, np.ndarray):
                yield tile
            elif isinstance(tile, Pattern):
                yield from tile.vectors()
            else:
                yield from (*tile.pattern.vectors(), tile.elements)

    return distinct_bytes(vectors())


def csr_bytes(rows: int, count: int) -> Size:
    """Compressed rows, 32-bit."""
    return Size(LINK * (count + rows + 1), VALUE * count)


def row_major_bytes(rows: int, count: int) -> Size:
    """Return what A-ZPL keeps of the lattice of a program that goes through it row by row."""
    return Size(LINK * (count + 2 * rows + 1), VALUE * (count + 1))


def full_lattice_bytes(rows: int, columns: int, count: int) -> Size:
    """The full lattice of a matrix with no empty row or column."""
    lists = rows + columns
    return _lattice(2, count, 2 * lists + 4, 2 * lists)


def _lattice(rank: int, count: int, dummies: int, directory: int) -> Size:
    fields = 3 * rank + 1  # An index, the next and the previous in each dimension, a number.
    links = fields * (count + dummies) + directory + 2**rank
    return Size(LINK * links, VALUE * (count + 1))


@dataclass(frozen=True)
class Lattice:
    """How large A-ZPL's full lattice of a pattern would be."""

    rank: int
    count: int
    dummies: int
    """Nodes at both ends of each list, and recursively of each list of such nodes."""
    directory: int
    """Places of the dense directory: a head and a tail for each list."""

    @property
    def bytes(self) -> Size:
        """Of the index structures and of one array's values."""
        return _lattice(self.rank, self.count, self.dummies, self.directory)


def lattice(pattern: Pattern) -> Lattice:
    """The size of the full lattice of a pattern.

    A set S of dimensions has a dummy node for each index of the others that occurs and each
    choice of the least or the greatest index in the dimensions of S. The lists in a dimension
    have an array as directory if most of them are not empty, else a hash table.
    """
    rank, columns = pattern.ndim, pattern.coordinates()
    dummies = directory = 0
    for free in range(1, rank + 1):
        for chosen in combinations(range(rank), free):
            kept = [d for d in range(rank) if d not in chosen]
            box = turned(pattern.shape, kept)
            occurring = len(np.unique(flat_positions(turned(columns, kept), box, pattern.count)))
            dummies += 2**free * occurring
            if free == 1:
                lists = int(np.prod(box, dtype=object))
                directory += 2 * (lists if 2 * occurring > lists else occurring)
    return Lattice(rank, pattern.count, dummies, directory)


def form_bytes(pattern: Pattern) -> dict[str, int]:
    """The bytes that the indices would take in each form that can hold the pattern."""
    return bytes_of(pattern.statistics(), 0 if pattern.layout is None else pattern.layout.width)
