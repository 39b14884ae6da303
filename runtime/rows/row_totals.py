"""What is aggregated for each row over iterations of its own, some of them at a time.

accumulate([1.0, 2.0], [[3.0, 4.0], [5.0, 6.0]], "add", (2, 2))   ->   [9.0, 12.0]
accumulate_pairs([1.0, 2.0], [0, 0, 1], [3.0, 5.0, 4.0], "add")   ->   [9.0, 6.0]

Items of lists that rows have stand one behind the other, and `places` are the rows that they are
of:

    accumulate_items([1.0, 2.0], [3.0, 4.0, 5.0], "add", [0, 0, 1])   ->   [8.0, 7.0]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from diablo.runtime.kernels.arithmetic import CHUNK_ELEMENTS
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import (
    Monoid,
    UserMonoid,
    combine_values,
    identity,
    reduce_runs,
    ufunc,
)
from diablo.runtime.rows.columns import AnyColumn, Column
from diablo.runtime.rows.lists import Lists


def accumulate(
    totals: Column, values: Any, monoid: Monoid, shape: tuple[int, ...], where: Any = None
) -> Column:
    """The totals of rows, each with the values of one iteration or more combined into it.

    `values` and `where` broadcast to `shape`, whose last dimension is that of the totals and whose
    first one, if there are two, that of iterations. Where `where` is false there is no value.
    """
    values = np.broadcast_to(np.asarray(values), shape)
    if where is not None:
        some = np.empty(shape, totals.dtype)
        some[...] = identity(monoid, totals.dtype)
        np.copyto(some, values, where=where)
        values = some
    if len(shape) > 1:
        if isinstance(monoid, UserMonoid):
            values = monoid.reduce(values, axis=0)
        else:
            with np.errstate(all="ignore"):
                values = ufunc(monoid).reduce(values, axis=0, dtype=totals.dtype)
    return combine_values(monoid, totals, values)


def blocks(rows: int, steps: int) -> Iterator[tuple[int, int, int, int]]:
    """Cut the pairs of a row and an iteration into blocks: from where to where both go.

    >>> list(blocks(3, CHUNK_ELEMENTS // 2))
    [(0, 2, 0, 65536), (2, 3, 0, 65536)]
    """
    along = max(1, min(steps, CHUNK_ELEMENTS))
    down = max(1, CHUNK_ELEMENTS // along)
    for first in range(0, rows, down):
        last = min(first + down, rows)
        for begin in range(0, steps, along):
            yield first, last, begin, min(begin + along, steps)


def pairs(rows: int, steps: int) -> tuple[Column, Column]:
    """Return the row and the iteration of each pair of a block, row after row.

    >>> pairs(2, 2)
    (array([0, 0, 1, 1]), array([0, 1, 0, 1]))
    """
    return np.repeat(np.arange(rows), steps), np.tile(np.arange(steps), rows)


def accumulate_pairs(totals: Column, rows: Column, values: Any, monoid: Monoid) -> Column:
    """The totals of rows, which are changed, with values combined into those of ascending `rows`.

    `values` has one for each of `rows`, or one for all.
    """
    if not len(rows):
        return totals
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    spread = np.broadcast_to(np.asarray(values, totals.dtype), rows.shape)
    at = rows[starts]
    folded = reduce_runs(monoid, spread, starts)
    totals[at] = combine_values(monoid, totals[at], folded)
    return totals


def accumulate_block(
    totals: Column, at: Any, values: Any, monoid: Monoid, shape: tuple[int, int]
) -> Column:
    """The totals of rows, which are changed, with the values of a block of pairs combined.

    The block has the rows `at`; `values` broadcast to its `shape`, rows and iterations.
    """
    spread = np.broadcast_to(np.asarray(values, totals.dtype), shape)
    if isinstance(monoid, UserMonoid):
        folded = monoid.reduce(spread, axis=1)
    else:
        with np.errstate(all="ignore"):
            folded = ufunc(monoid).reduce(spread, axis=1, dtype=totals.dtype)
    totals[at] = combine_values(monoid, totals[at], folded)
    return totals


def list_places(lists: Lists) -> Column:
    """Return of which row each item of all lists is."""
    lengths = lists.lengths
    reserve(int(lengths.sum()) * 8, "the rows of the items of {} lists", len(lists))
    return np.repeat(np.arange(len(lists)), lengths)


def range_lists(lower: Any, upper: Any, count: int) -> Lists:
    """Return in each of `count` rows the list of the integers from `lower` to before `upper`."""
    first, end = (np.broadcast_to(np.asarray(bound, np.int64), count) for bound in (lower, upper))
    # As floats the lengths do not wrap around, however many integers there are.
    about = np.maximum(end.astype(np.float64) - first, 0.0).sum()
    reserve(8 * int(about), "lists of {} integers", int(about))
    lengths = np.maximum(end - first, 0)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return Lists([np.arange(offsets[-1]) - np.repeat(offsets[:-1] - first, lengths)], offsets)


def accumulate_items(
    totals: Column, values: Any, monoid: Monoid, places: Column, where: Any = None
) -> Column:
    """The totals of rows, each with the values of its items combined into it.

    `places` are the rows of the items, ascending. Where `where` is false there is no value.
    """
    values = np.broadcast_to(np.asarray(values), places.shape)
    if where is not None:
        kept = np.broadcast_to(np.asarray(where), places.shape)
        values, places = values[kept], places[kept]
    with np.errstate(all="ignore"):
        return accumulate_pairs(totals.copy(), places, values, monoid)


def collect_items(
    lists: Lists, columns: tuple[Any, ...], places: Column, where: Any = None
) -> Lists:
    """The lists of rows, which are empty, with the items that they collect.

    `places` are the rows of the items, ascending. Where `where` is false there is none.
    """
    held: list[AnyColumn] = [
        column if np.ndim(column) else np.full(len(places), column) for column in columns
    ]
    if where is not None:
        kept = np.flatnonzero(np.broadcast_to(np.asarray(where), places.shape))
        held, places = [column.take(kept) for column in held], places.take(kept)
    return Lists.of_lengths(held, np.bincount(places, minlength=len(lists)))
