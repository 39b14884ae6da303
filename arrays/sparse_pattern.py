"""Where a sparse array has elements of its own: positions in C order, each once.

    Pattern((3, 4), [1, 6])      has [0, 1] and [1, 2]

Patterns are never changed. Arrays made elementwise of one have it itself, so that nothing has to be
aligned, and what is computed of it, as compressed rows, is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Shape = tuple[int, ...]


class Pattern:
    """Positions of elements in an array of a shape.

    Parameters
    ----------
    places : the positions in C order, ascending, each once
    """

    def __init__(self, shape: Shape, places: Places):
        if prod(shape) > np.iinfo(np.int64).max:
            raise ValueError(f"an array of shape {shape} has more than 2^63 elements")
        self.shape = shape
        self.places = places

    def __len__(self) -> int:
        return len(self.places)

    @property
    def size(self) -> int:
        """The number of elements of the array, its own or not."""
        return prod(self.shape)

    @cached_property
    def coordinates(self) -> NDArray[np.int64]:
        """The index along each axis, a row for each."""
        if not self.shape:
            return np.zeros((0, len(self)), np.int64)
        return np.asarray(np.unravel_index(self.places, self.shape), np.int64)

    @cached_property
    def row_starts(self) -> Places:
        """Where each row of a matrix begins among the elements: compressed rows."""
        rows, columns = self.shape
        return np.searchsorted(self.places, np.arange(rows + 1) * columns)

    def chosen(self, kept: Any) -> Pattern:
        """Return the pattern of some of the elements."""
        return Pattern(self.shape, self.places[kept])


def from_coordinates(shape: Shape, coordinates: Any) -> tuple[Pattern, Places, Places]:
    """Return the pattern of elements in any order, their order in it, and where each begins.

    `coordinates` has a row for each axis, which may be none.

    Raises
    ------
    IndexError
        If one lies outside of the shape.
    """
    given = np.asarray(coordinates, np.int64)
    for axis, extent in enumerate(shape):
        if given.shape[1] and not (given[axis].min() >= 0 and given[axis].max() < extent):
            raise IndexError(f"an index along axis {axis} lies outside of an extent of {extent}")
    flat = np.zeros(given.shape[1], np.int64)
    for row, extent in zip(given, shape, strict=True):
        flat = flat * extent + row
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    return Pattern(shape, ordered[first]), order, first


def broadcast(pattern: Pattern, shape: Shape) -> tuple[Pattern, Places | None]:
    """Return the pattern of an array repeated to a shape, and which element each is of.

    There are none for who has the shape already.
    """
    if pattern.shape == shape:
        return pattern, None
    added = len(shape) - len(pattern.shape)
    own = pattern.coordinates
    repeated = [
        axis
        for axis, extent in enumerate(shape)
        if axis < added or pattern.shape[axis - added] != extent
    ]
    copies = np.indices([shape[axis] for axis in repeated]).reshape(len(repeated), -1)
    count, times = len(pattern), copies.shape[1]
    rows: list[Any] = []
    for axis in range(len(shape)):
        if axis in repeated:
            rows.append(np.tile(copies[repeated.index(axis)], count))
        else:
            rows.append(np.repeat(own[axis - added], times))
    made, order, _ = from_coordinates(shape, np.asarray(rows, np.int64).reshape(len(shape), -1))
    return made, np.repeat(np.arange(count), times)[order]


def united(patterns: Sequence[Pattern]) -> Pattern:
    """Return the pattern of all elements that one of several patterns has."""
    first = patterns[0]
    if all(pattern is first for pattern in patterns):
        return first
    places = np.unique(np.concatenate([pattern.places for pattern in patterns]))
    return Pattern(first.shape, places)


def found_in(pattern: Pattern, other: Pattern) -> Places:
    """Return for each element of `other` which one of `pattern` it is; its length if none."""
    if not len(pattern):
        return np.zeros(len(other), np.int64)
    at = np.searchsorted(pattern.places, other.places)
    at[at == len(pattern)] = 0
    return np.where(pattern.places[at] == other.places, at, len(pattern))
