"""Elements of sparse arrays by their size: sorted along an axis, and which values there are.

    sorted_entries(entries, 1)    [3 0 0 -1] else 0    ->    [-1 0 0 3]

What is stored is sorted line by line; the elements that are the fill value lie between those that
are less and those that are greater.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.array.expression_graph import leaf
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import Entries, taken
from diablo.array.sparse_pattern import grouped
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.ordering import stable_order


def sorted_entries(entries: Entries, axis: int, *, is_descending: bool = False) -> Entries:
    """Return the elements sorted along an axis, NaN at the end in either direction."""
    shape, fill = entries.shape, entries.fill
    kept = [k for k in range(len(shape)) if k != axis]
    lines, order, first = grouped(entries.prune().pattern, kept)
    values = Array(taken(entries.values, order)).to_numpy()
    lengths = np.diff(np.append(first, len(values)))
    line = np.repeat(np.arange(len(first)), lengths)
    by_value = np.argsort(values)
    if is_descending:
        numbers = len(values) - int(np.count_nonzero(values != values))
        by_value[:numbers] = by_value[:numbers][::-1].copy()
    by_value = by_value.take(stable_order(line.take(by_value)))
    values = values.take(by_value)
    # The fill value is less, or there are only NaN behind it.
    behind = (values < fill) if is_descending else (values > fill)
    if fill == fill:
        behind |= values != values
    places = np.arange(len(values)) - np.repeat(first, lengths)
    places += np.repeat(shape[axis] - lengths, lengths) * behind
    flat = np.repeat(lines.positions() * shape[axis], lengths) + places
    return Entries(of_positions(flat, shape, order=(*kept, axis)), leaf(values), fill)


def distinct(entries: Entries) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the values of all elements in ascending order, and how many each has.

    Every NaN is a value of its own.
    """
    values = np.sort(Array(entries.prune().values).to_numpy())
    left = int(np.prod(entries.shape, dtype=object)) - len(values)
    fill = np.asarray([entries.fill], entries.dtype)
    first = np.flatnonzero(np.append(True, values[1:] != values[:-1])[: len(values)])
    counts = np.diff(np.append(first, len(values)))
    values = values.take(first)
    if left and (fill != fill).all():
        return np.append(values, fill.repeat(left)), np.append(counts, np.ones(left, np.int64))
    if left:
        place = int(np.searchsorted(values, fill)[0])
        if place < len(values) and values[place] == fill[0]:  # A zero with another sign.
            counts[place] += left
        else:
            values, counts = np.insert(values, place, fill), np.insert(counts, place, left)
    return values, counts
