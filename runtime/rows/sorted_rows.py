"""Sparse tiles from rows (index…, element) by counting sorts, on threads.

    tile_of_rows(([1, 0, 1], [2, 1, 2]), [5, 7, 6], (2, 3), 1, "add")
        ->   starts [0, 1, 2], indices [1, 2], elements [7, 11]

Rows are sorted by the place in their list, and then by the list, so that those of one index stand
together in the order in which they were given. No position in the box is made, and nothing is
compared. What has many more lists, or longer ones, than rows is left to a sort of positions, and so
are rows that come list by list, whose positions stand in runs, and all until there have been rows
enough to compile the loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

import numpy as np

from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.boxes import INT32_MAX, flat_positions
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form_choice import best_list_rank
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.row_merging import close_up
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Column, ufunc
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.counted_places import places_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import share, threads_for
from diablo.runtime.native.written_loops import written_loop
from diablo.runtime.ordering import is_ascending

WORTH_COMPILING = 1 << 20
"""From how many rows on, over all calls in a process, they are sorted by machine code."""
CALL = 1 << 13
"""What a call of NumPy takes besides, in rows that are sorted meanwhile."""
_FEW = 4
"""Where one index in so many has several rows, these are combined together with all others."""
_MOST = 2
"""How many times as many lists, or places in them, as rows there may be."""
_LOOPS = (
    "count_keys", "place_by_keys", "count_in_order", "place_in_order", "distinct_in_lists",
)  # fmt: skip

_seen = 0


def tile_of_rows(
    indices: Sequence[Column],
    values: Column,
    shape: tuple[int, ...],
    dense_rank: int,
    monoid: str | None,
) -> SparseTile | None:
    """The tile that stores the rows; None if they are not sorted here.

    Parameters
    ----------
    indices : an int64 column for each dimension, all inside `shape`
    values : numbers, one for each row
    dense_rank : how many leading dimensions of the tile are dense
    monoid : a built-in one, which combines the values of one index; None for the last of them
    """
    rank = dense_rank if 0 < dense_rank < len(shape) else best_list_rank(shape)
    lists, length, count = prod(shape[:rank]), prod(shape[rank:]), len(values)
    if values.dtype.kind not in "iufc" or max(lists, length) > _MOST * count:
        return None
    loops = _compiled(count)
    if loops is None:
        return None
    reserve(count * (20 + values.itemsize), "to sort {} rows", count)
    keys = [flat_positions(part, box, count) for part, box in (
        (indices[:rank], shape[:rank]), (indices[rank:], shape[rank:])
    )]  # fmt: skip
    leading, places = [np.ascontiguousarray(key) for key in keys]
    if is_ascending(leading):
        return None
    order, _ = _sorted(loops["count_keys"], loops["place_by_keys"], [places], length)
    order, starts = _sorted(
        loops["count_in_order"], loops["place_in_order"], [leading, order], lists
    )
    rows, firsts = _distinct(loops["distinct_in_lists"], starts, places, order, length)
    elements = gathered(values, order)
    if len(firsts) < count:
        if monoid is None:
            elements = elements.take(np.append(firsts[1:], count) - 1)
        else:
            elements = _combined(monoid, elements, firsts)
    form = Compressed(shape, rank, rows[0], rows[1])
    return SparseTile.on_pattern(Pattern(shape, form, rank), elements, dense_rank)


def _combined(monoid: str, elements: Column, firsts: Column) -> Column:
    """The elements of each index combined, of which the first is at one of `firsts`."""
    count = len(elements)
    several = np.flatnonzero(np.diff(firsts, append=count) > 1)
    combine = ufunc(monoid)
    if len(several) > len(firsts) // _FEW:
        return combine.reduceat(elements, firsts, dtype=elements.dtype)
    # NumPy takes as long for an index with one row as for one with many.
    result = elements.take(firsts)
    begins = firsts.take(several)
    ends = np.append(firsts[1:], count).take(several)
    bounds = np.stack([begins, ends], axis=1).reshape(-1)
    if len(bounds) and bounds[-1] == count:
        bounds = bounds[:-1]
    if len(bounds):
        result[several] = combine.reduceat(elements, bounds, dtype=elements.dtype)[::2]
    return result


def _sorted(
    counting: Entry, placing: Entry, arrays: Sequence[Column], width: int
) -> tuple[Column, Column]:
    """The rows in the order of a key, and where each of its values begins.

    The first of `arrays` are the keys, the second, if there is one, the order so far.
    """
    count = len(arrays[0])
    threads = threads_for(count) if count > 2 * width else 1
    reserve(4 * (threads + 1) * width, "a place for each of {} keys", width)
    pieces = list(pairwise([count * k // threads for k in range(threads + 1)]))
    tables = np.empty((threads, width), np.int32)
    given = [_address(array) for array in arrays]
    share(
        counting,
        [(*given, _address(t), width, *piece) for t, piece in zip(tables, pieces, strict=True)],
        count,
    )
    starts = places_of(tables)
    out = np.empty(count, np.int32)
    share(
        placing,
        [
            (*given, _address(t), _address(out), *piece)
            for t, piece in zip(tables, pieces, strict=True)
        ],
        count,
    )
    return out, starts


def _distinct(
    entry: Entry, starts: Column, places: Column, order: Column, length: int
) -> tuple[tuple[Column, Column], Column]:
    """The starts and the indices of the lists of rows in order, and where each index is first.

    A row that has the index of the one before it is dropped.
    """
    count, lists = len(order), len(starts) - 1
    threads = min(threads_for(count), lists)
    wanted = [count * k // threads for k in range(1, threads)]
    cuts = [0, *np.searchsorted(starts, wanted).tolist(), lists]
    at = [int(starts[row]) + k for k, row in enumerate(cuts)]
    indices, firsts = np.empty(count + threads, np.int32), np.empty(count + threads, np.int32)
    ends = np.zeros(lists + 1, np.int32)
    arrays = (starts, places, order, indices, firsts, ends[1:])
    addresses = [_address(array) for array in arrays]
    pieces = list(pairwise(cuts))
    calls = [(*addresses, place, *piece) for place, piece in zip(at, pieces, strict=False)]
    share(entry, calls, count)
    found = close_up(ends, [indices, firsts], at, pieces)
    return (ends, indices[:found]), firsts[:found]


def _compiled(count: int) -> dict[str, Entry] | None:
    """The machine code of all loops, once it is worth it."""
    global _seen
    if not 0 < count < INT32_MAX:
        return None
    _seen += count + CALL
    if not pays(_seen, WORTH_COMPILING):
        return None
    found = {name: written_loop(name) for name in _LOOPS}
    return {name: entry for name, entry in found.items() if entry is not None} or None


def _address(array: Column) -> int:
    return array.__array_interface__["data"][0]
