"""Sparse tiles from rows (index…, element) by sorts of integers, on threads.

    tile_of_rows(([1, 0, 1], [2, 1, 2]), [5, 7, 6], (2, 3), 1, "add")
        ->   starts [0, 1, 2], indices [1, 2], elements [7, 11]

Rows go to their lists by a counting sort, each with its place in the list and its number in one
integer, and the lists are sorted where they are, while they are in the nearest cache. Where many
are long, rows are sorted by the place in their list first, and then by the list, by counting.
Either way those of one index stand together in the order in which they were given, and no position
in the box is made. Rows that come list by list are not sorted at all (`list_by_list.py`). What has
many more lists, or longer ones, than rows is left to a sort of positions, and so is all until there
have been rows enough to compile the loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.boxes import INT32_MAX, flat_positions
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form_choice import best_list_rank
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.row_merging import close_up
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import element_name
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Column, ufunc
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.counted_places import places_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import cut, share, threads_for
from diablo.runtime.native.written_loops import CALL, is_written, repaid_loop, written_loop
from diablo.runtime.ordering import is_ascending
from diablo.runtime.rows.list_by_list import combined

_SHORT = 48
"""Lists with more rows are sorted by NumPy: machine code compares each row with all others."""
_ROWS_OF_LONG = 1 << 10
"""For each of these, which is a call, there have to be so many rows."""
_MOST = 2
"""How many times as many lists, or places in them, as rows there may be."""
_LOOPS = (
    "count_keys", "place_by_keys", "count_in_order", "place_in_order", "distinct_in_lists",
    "place_in_lists", "sort_lists",
)  # fmt: skip
_FOLD = "fold_rows"


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
    if values.dtype.kind not in "iufcb" or max(lists, length) > _MOST * count:
        return None
    reserve(count * 16, "to place {} rows", count)
    leading = np.ascontiguousarray(flat_positions(indices[:rank], shape[:rank], count))
    places = np.ascontiguousarray(flat_positions(indices[rank:], shape[rank:], count))
    if is_ascending(leading):
        found = combined(leading, places, values, lists, length, monoid)
        if found is None:
            return None
        form = Compressed(shape, rank, found.starts, found.indices)
        return SparseTile.on_pattern(Pattern(shape, form, rank), found.elements, dense_rank)
    loops = _compiled(count)
    if loops is None:
        return None
    reserve(count * (8 + values.itemsize), "to sort {} rows", count)
    given = _Rows(loops, leading, places, lists, length)
    rows = given.in_lists() or given.in_order()
    elements = _elements(values, rows.order, rows.firsts, monoid)
    form = Compressed(shape, rank, rows.ends, rows.indices)
    return SparseTile.on_pattern(Pattern(shape, form, rank), elements, dense_rank)


def _elements(values: Column, order: Column, firsts: Column, monoid: str | None) -> Column:
    """The element at each index, of which the first row in order is at one of `firsts`."""
    count, elements = len(order), len(firsts)
    if elements == count:
        return gathered(values, order)
    if monoid is None:
        ends = np.append(firsts[1:], np.int32(count))
        return gathered(values, order.take(ends - 1))
    kind = f"{monoid}.{element_name(values.dtype)}"
    if not is_written(_FOLD, kind) or not values.flags.c_contiguous:
        return ufunc(monoid).reduceat(gathered(values, order), firsts, dtype=values.dtype)
    entry = written_loop(_FOLD, kind)
    assert entry is not None  # As the loops that have sorted the rows.
    result = memory.empty((elements,), values.dtype)
    bounds = np.append(firsts, np.int32(count))
    addresses = [address_of(array) for array in (values, order, bounds, result)]
    share(entry, [(*addresses, *piece) for piece in cut(elements, count)], count)
    return result


class _Ordered(NamedTuple):
    """Rows in the order of their indices."""

    ends: Column
    """Where each list begins among the indices, and the last ends."""
    indices: Column
    """Those of each list, each once."""
    firsts: Column
    """Which row in order is the first that has each."""
    order: Column


@dataclass
class _Rows:
    """Rows by the number of their list and the place in it, int64 each."""

    loops: Mapping[str, Entry]
    leading: Column
    places: Column
    lists: int
    length: int

    def __post_init__(self) -> None:
        self.count = len(self.leading)

    def in_lists(self) -> _Ordered | None:
        """Put the rows into their lists, and sort these; None if too many of them are long."""
        if self.length > INT32_MAX:
            return None
        keys = [self.leading]
        tables, starts = self._counted("count_keys", keys, self.lists)
        long = np.flatnonzero(np.diff(starts) > _SHORT)
        if len(long) > self.count // _ROWS_OF_LONG:
            return None
        pairs = np.empty(self.count, np.int64)
        self._place("place_in_lists", [*keys, self.places], tables, pairs)
        for number in long.tolist():
            pairs[starts[number] : starts[number + 1]].sort()
        order = np.empty(self.count, np.int32)
        return self._distinct("sort_lists", starts, [pairs, order], order, _SHORT)

    def in_order(self) -> _Ordered:
        """Sort the rows by their places, and then by their lists."""
        order, _ = self._sorted("count_keys", "place_by_keys", [self.places], self.length)
        keys = [self.leading, order]
        order, starts = self._sorted("count_in_order", "place_in_order", keys, self.lists)
        return self._distinct("distinct_in_lists", starts, [self.places, order], order)

    def _sorted(
        self, counting: str, placing: str, arrays: Sequence[Column], width: int
    ) -> tuple[Column, Column]:
        """Return the rows in the order of a key, and where each of its values begins.

        The first of `arrays` are the keys, the second, if there is one, the order so far.
        """
        tables, starts = self._counted(counting, arrays, width)
        out = np.empty(self.count, np.int32)
        self._place(placing, arrays, tables, out)
        return out, starts

    def _counted(self, loop: str, arrays: Sequence[Column], width: int) -> tuple[Column, Column]:
        """Return where each thread puts its first row of each key, and where each key begins."""
        threads = threads_for(self.count) if self.count > 2 * width else 1
        reserve(4 * (threads + 1) * width, "a place for each of {} keys", width)
        tables = np.empty((threads, width), np.int32)
        given = [address_of(array) for array in arrays]
        pieces = zip(tables, self._pieces(threads), strict=True)
        calls = [(*given, address_of(table), width, *piece) for table, piece in pieces]
        share(self.loops[loop], calls, self.count)
        return tables, places_of(tables)

    def _place(self, loop: str, arrays: Sequence[Column], tables: Column, out: Column) -> None:
        """Put each row where the tables say."""
        given = [address_of(array) for array in arrays]
        pieces = zip(tables, self._pieces(len(tables)), strict=True)
        calls = [(*given, address_of(table), address_of(out), *piece) for table, piece in pieces]
        share(self.loops[loop], calls, self.count)

    def _pieces(self, threads: int) -> list[tuple[int, int]]:
        return list(pairwise([self.count * k // threads for k in range(threads + 1)]))

    def _distinct(
        self,
        loop: str,
        starts: Column,
        arrays: Sequence[Column],
        order: Column,
        room: int | None = None,
    ) -> _Ordered:
        """Return the rows in order with the indices of each list.

        A row that has the index of the one before it is dropped. A thread has `room` for so many
        rows of its own, if it needs that.
        """
        threads = min(threads_for(self.count), self.lists)
        wanted = [self.count * k // threads for k in range(1, threads)]
        cuts = [0, *np.searchsorted(starts, wanted).tolist(), self.lists]
        at = [int(starts[row]) + k for k, row in enumerate(cuts)]
        indices, firsts = (np.empty(self.count + threads, np.int32) for _ in range(2))
        ends = np.zeros(self.lists + 1, np.int32)
        addresses = [address_of(array) for array in (starts, *arrays, indices, firsts, ends[1:])]
        pieces = list(pairwise(cuts))
        own = np.empty((threads, room or 0), np.int64)
        calls = [
            (*addresses, *([] if room is None else [address_of(mine), room]), place, *piece)
            for mine, place, piece in zip(own, at, pieces, strict=False)
        ]
        share(self.loops[loop], calls, self.count)
        found = close_up(ends, [indices, firsts], at, pieces)
        return _Ordered(ends, indices[:found], firsts[:found], order)


def _compiled(count: int) -> dict[str, Entry] | None:
    """The machine code of all loops, once it is worth it."""
    if not 0 < count < INT32_MAX:
        return None
    found = {
        name: entry for name in _LOOPS if (entry := repaid_loop(count + CALL, name)) is not None
    }
    return found if len(found) == len(_LOOPS) else None
