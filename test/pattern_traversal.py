"""Going through a pattern: in any order of the dimensions, either way, and step by step.

Of the entries 0 at (0, 1), 1 at (1, 0) and 2 at (1, 2):

    iterate(pattern, (1, 0))                  ->   ([1, 0, 1], [0, 1, 2]), entries [1, 0, 2]
    step(pattern, [0, 1, 2], 1)               ->   [-1, 2, -1]     the next in the same row
    step(pattern, [0, 1, 2], 1, backwards=True)    the one before: [-1, -1, 1]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array, index_type
from diablo.runtime.arrays.patterns.layout import Order
from diablo.runtime.arrays.patterns.pattern import Pattern


def iterate(
    pattern: Pattern, order: Order | None = None, *, backwards: bool = False
) -> tuple[tuple[Array, ...], Array]:
    """The index in each dimension, and the entry, of all that is stored.

    Parameters
    ----------
    order : the dimensions, the slowest first; that of the entries if not given
    """
    order = pattern.order if order is None else order
    coordinates = pattern.coordinates(order)
    entries = pattern.entries(order)
    if entries is None:
        entries = np.arange(pattern.count)
    if backwards:
        return tuple([column[::-1] for column in coordinates]), entries[::-1]
    return coordinates, entries


def lists(pattern: Pattern, dimension: int) -> Iterator[Array]:
    """The entries of each list along a dimension that is not empty, in ascending order there.

    The lists come in the order of the other dimensions that is at hand.
    """
    order = _along(pattern, dimension)
    flat = pattern.flat(order)
    if not len(flat):
        return
    entries = pattern.entries(order)
    group = flat // pattern.shape[dimension]
    bounds = [0, *(np.flatnonzero(group[1:] != group[:-1]) + 1).tolist(), len(flat)]
    for begin, end in pairwise(bounds):
        yield np.arange(begin, end) if entries is None else entries[begin:end]


def step(pattern: Pattern, entries: Array, dimension: int, *, backwards: bool = False) -> Array:
    """The next entry of the same list in a dimension, or the one before; -1 at its end.

    In the last dimension of the first order this is the entry with the next number. Links are
    kept for any other dimension that is asked for.
    """
    entries = np.asarray(entries, np.int64)
    if dimension != pattern.order[-1]:
        return links(pattern, dimension, backwards=backwards).take(entries).astype(np.int64)
    result = entries + (-1 if backwards else 1)
    inside = np.flatnonzero((result >= 0) & (result < pattern.count))
    extent = pattern.shape[dimension]
    here = pattern.form.positions_of(entries.take(inside)) // extent
    there = pattern.form.positions_of(result.take(inside)) // extent
    same = np.zeros(len(entries), np.bool_)
    same[inside[here == there]] = True
    return np.where(same, result, -1)


def links(pattern: Pattern, dimension: int, *, backwards: bool = False) -> Array:
    """Of each entry, the next in a dimension or the one before: the lattice's pointers."""
    return pattern.keep(
        ("links", dimension, backwards), lambda: _links(pattern, dimension, backwards)
    )


def _links(pattern: Pattern, dimension: int, backwards: bool) -> Array:
    order = _along(pattern, dimension)
    flat = pattern.flat(order)
    result = np.full(pattern.count, -1, index_type(pattern.count))
    if not len(flat):
        return result
    entries = pattern.entries(order)
    if entries is None:
        entries = np.arange(pattern.count)
    group = flat // pattern.shape[dimension]
    same = group[1:] == group[:-1]
    before, after = entries[:-1][same], entries[1:][same]
    if backwards:
        result[after] = before
    else:
        result[before] = after
    return result


def _along(pattern: Pattern, dimension: int) -> Order:
    """An order with a dimension last, one that is stored if there is one."""
    for order in pattern.orders:
        if order[-1] == dimension:
            return order
    return (*[d for d in range(pattern.ndim) if d != dimension], dimension)
