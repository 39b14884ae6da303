"""Elements of sparse arrays by their size: sorted along an axis, and which values there are.

    sorted_entries(entries, 1)    [3 0 0 -1] else 0    ->    [-1 0 0 3]

What is stored is sorted line by line; the elements that are the fill value lie between those that
are less and those that are greater.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.array.expression_graph import leaf
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import Entries, taken
from diablo.array.sparse_pattern import grouped
from diablo.runtime.arrays.patterns.making import of_positions


def sorted_entries(entries: Entries, axis: int, *, is_descending: bool = False) -> Entries:
    """Return the elements sorted along an axis, NaN at the end in either direction."""
    shape, fill = entries.shape, entries.fill
    kept = [k for k in range(len(shape)) if k != axis]
    lines, order, first = grouped(entries.prune().pattern, kept)
    values = Array(taken(entries.values, order)).to_numpy()
    lengths = np.diff(np.append(first, len(values)))
    values = _sorted_lines(values, first, lengths)
    if is_descending:
        values = _backwards(values, first, lengths)
    # The fill value is less, or there are only NaN behind it.
    behind = (values < fill) if is_descending else (values > fill)
    if fill == fill:
        behind |= values != values
    places = np.arange(len(values)) - np.repeat(first, lengths)
    places += np.repeat(shape[axis] - lengths, lengths) * behind
    flat = np.repeat(lines.positions() * shape[axis], lengths) + places
    return Entries(of_positions(flat, shape, order=(*kept, axis)), leaf(values), fill)


def _sorted_lines(values: NDArray[Any], first: NDArray[Any], lengths: NDArray[Any]) -> Any:
    """Return the values of each line in ascending order, NaN last.

    Lines of about one length are the rows of a table, behind which stands what comes last.
    """
    found = np.empty_like(values)
    for lines, width in _tables(lengths):
        places = first.take(lines)[:, None] + np.arange(width)
        is_there = np.arange(width) < lengths.take(lines)[:, None]
        table = values.take(places, mode="clip")
        table[~is_there] = _last(values.dtype)
        table.sort(axis=1)
        found[places[is_there]] = table[is_there]
    return found


def _tables(lengths: NDArray[Any]) -> Iterator[tuple[NDArray[Any], int]]:
    """Return which lines are sorted together, and the length of the longest of them."""
    longest = int(lengths.max(initial=0))
    if longest * len(lengths) <= 2 * int(lengths.sum()):
        yield np.arange(len(lengths)), longest
        return
    # None is longer than twice as long as another one of its table.
    sizes = np.frexp(lengths)[1]
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        lines = np.flatnonzero(sizes == size)
        yield lines, int(lengths[lines].max())


def _last(dtype: np.dtype[Any]) -> Any:
    """Return what no element of a type comes behind."""
    if dtype.kind == "f":
        return np.nan
    return True if dtype.kind == "b" else np.iinfo(dtype).max


def _backwards(values: NDArray[Any], first: NDArray[Any], lengths: NDArray[Any]) -> Any:
    """Return the values of each line in the opposite order, but for NaN at its end."""
    line = np.repeat(np.arange(len(first)), lengths)
    is_number = values == values
    ends = first + np.bincount(line, is_number, len(first)).astype(np.int64)
    places = np.arange(len(values))
    opposite = (first + ends - 1).take(line) - places
    return values.take(np.where(is_number, opposite, places))


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
