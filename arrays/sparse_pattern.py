"""Where sparse arrays have elements of their own: patterns of the runtime, and how they are made.

A `Pattern` is a set of indices, stored in the form that takes least, and numbered in an order of
its own: values follow that order. It is never changed. Arrays made elementwise of one have it
itself, so that nothing has to be aligned, and what is derived of it, as its columns where rows are
stored, is derived once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.patterns.boxes import INT64_MAX, flat_positions, row_major
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.set_operations import union
from diablo.runtime.memory_limit import reserve
from diablo.runtime.ordering import is_ascending, stable_order

Places = NDArray[np.int64]
Shape = tuple[int, ...]
_ENTRY = 8
"""Bytes of an index, and of the number of an entry."""


class Gathered(NamedTuple):
    """A pattern of indices that were given in any order, any number of times."""

    pattern: Pattern
    order: Any
    """The order in which they are the pattern's; None if they were given in it."""
    first: Any
    """Where those of each entry begin in this order."""


def check_size(shape: Shape) -> None:
    """Raise a `ValueError` if an array has more elements than can be numbered."""
    if prod(shape) > INT64_MAX:
        raise ValueError(f"an array of shape {shape} has more than 2^63 elements")


def coordinates_of(pattern: Pattern, *, ordered: bool = False) -> NDArray[np.int64]:
    """Return the index of each entry along each axis, a row for each; `ordered`: in C order."""
    if not pattern.ndim:
        return np.zeros((0, len(pattern)), np.int64)
    order = row_major(pattern.ndim) if ordered else None
    return np.asarray(pattern.coordinates(order), np.int64)


def in_c_order(pattern: Pattern) -> Any:
    """Return the entries in C order; None if this is their own."""
    return pattern.entries(row_major(pattern.ndim))


def from_coordinates(shape: Shape, coordinates: Any) -> Gathered:
    """Return the pattern of indices in any order.

    `coordinates` has a row for each axis, which may be none.

    Raises
    ------
    IndexError
        If one lies outside of the shape.
    ValueError
        If the shape is too large.
    """
    check_size(shape)
    given = np.asarray(coordinates, np.int64)
    for axis, extent in enumerate(shape):
        if given.shape[1] and not (given[axis].min() >= 0 and given[axis].max() < extent):
            raise IndexError(f"an index along axis {axis} lies outside of an extent of {extent}")
    flat = flat_positions(list(given), shape, given.shape[1])
    order = None if is_ascending(flat) else stable_order(flat)
    return Gathered(*_distinct(flat if order is None else flat.take(order), shape, order))


def grouped(pattern: Pattern, kept: Sequence[int]) -> Gathered:
    """Return the pattern of the indices along some axes, and which entries each of them has."""
    gone = [axis for axis in range(pattern.ndim) if axis not in kept]
    order, shape = (*kept, *gone), tuple([pattern.shape[axis] for axis in kept])
    turned = None if order == pattern.order else pattern.turned(order, len(kept))
    form = pattern.form if turned is None else turned.form
    entries = None if turned is None else turned.entries()
    rows = form.as_lists(len(kept))
    if rows is not None:
        lists = np.flatnonzero(np.diff(rows.starts))
        return Gathered(of_positions(lists, shape), entries, rows.starts.take(lists))
    each = max(1, prod([pattern.shape[axis] for axis in gone]))
    return Gathered(*_distinct(form.positions() // each, shape, entries))


def _distinct(flat: Places, shape: Shape, order: Any) -> tuple[Pattern, Any, Places]:
    first = np.flatnonzero(np.concatenate([[True], flat[1:] != flat[:-1]])[: len(flat)])
    return of_positions(flat if len(first) == len(flat) else flat.take(first), shape), order, first


def broadcast(pattern: Pattern, shape: Shape) -> tuple[Pattern, Any]:
    """Return the pattern of an array repeated to a shape, and which entry each of its own is of.

    None if they are the same.
    """
    if pattern.shape == shape:
        return pattern, None
    check_size(shape)
    added = len(shape) - pattern.ndim
    own = coordinates_of(pattern)
    repeated = [
        axis
        for axis, extent in enumerate(shape)
        if axis < added or pattern.shape[axis - added] != extent
    ]
    made = len(pattern) * prod([shape[axis] for axis in repeated])
    what = "a sparse array of {} elements, which is repeated to the shape {},"
    reserve(_ENTRY * (len(shape) + 2) * made, what, len(pattern), shape)
    copies = np.indices([shape[axis] for axis in repeated]).reshape(len(repeated), -1)
    count, times = len(pattern), copies.shape[1]
    rows: list[Any] = []
    for axis in range(len(shape)):
        if axis in repeated:
            rows.append(np.tile(copies[repeated.index(axis)], count))
        else:
            rows.append(np.repeat(own[axis - added], times))
    found = from_coordinates(shape, np.asarray(rows, np.int64).reshape(len(shape), -1))
    source: Any = np.repeat(np.arange(count), times)
    return found.pattern, source if found.order is None else source.take(found.order)


class Union(NamedTuple):
    """The pattern of all that some patterns of one shape have, and where each has it."""

    pattern: Pattern
    entries: tuple[Any, ...]
    """For each of the patterns its entry for each of the union's, -1 if it has none; None if these
    are the same."""


def united(patterns: Sequence[Pattern]) -> Union:
    """Return the union of patterns, of which there is at least one."""
    return reduce(_with, patterns[1:], Union(patterns[0], (None,)))


def _with(before: Union, pattern: Pattern) -> Union:
    joined = union(before.pattern, pattern)
    entries = [followed(each, joined.left) for each in before.entries]
    return Union(joined.pattern, (*entries, joined.right))


def followed(entries: Any, places: Any) -> Any:
    """Return the entries at places, of which -1 has none; None stands for all in order."""
    if entries is None or places is None:
        return places if entries is None else entries
    if not len(entries):
        return np.full(len(places), -1)
    return np.where(places < 0, -1, entries.take(places, mode="clip"))
