"""Sparse lists from rows that come list by list, in any order within each.

    combined(lists [0, 0, 0, 1], places [2, 0, 2, 1], values [5, 7, 6, 4], 2, 3, "add")
        ->   starts [0, 2, 3], indices [0, 2, 1], elements [7, 11, 4]

Such are the rows of a product of sparse matrices, whatever its terms are and however they are
combined. A thread holds one list at a time, a value for each of its places, so nothing is sorted
(F. G. Gustavson, Two fast algorithms for sparse matrices, ACM TOMS 1978).
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.patterns.boxes import INT32_MAX
from diablo.runtime.arrays.patterns.row_merging import close_up, equal_cuts, shortened
from diablo.runtime.column_types import element_name
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Column
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import share, threads_for
from diablo.runtime.native.written_loops import CALL, repaid_loop

_GROUP = 1 << 12
"""How many places a bit of the second level stands for, times those of a word."""
_SPARSE = 4
"""How many words of the second level there may be for each row: those of a list are all read."""
_OF_TRUTHS = {"or": "max", "and": "min"}


class Combined(NamedTuple):
    """Lists of ascending places, and an element at each."""

    starts: Column
    indices: Column
    elements: Column


def combined(
    leading: Column, places: Column, values: Column, lists: int, length: int, monoid: str | None
) -> Combined | None:
    """Combine the rows of each place; None if that is not done here.

    Parameters
    ----------
    leading : the int64 number of the list of each row, ascending
    places : its int64 place in the list
    values : numbers or truths, one for each row
    lists, length : how many lists there are, and places in each
    monoid : a built-in one
    """
    count, groups = len(values), -(-length // _GROUP)
    if not 0 < count < INT32_MAX or length > INT32_MAX or lists * groups > _SPARSE * count:
        return None
    kind, numbers = f"{monoid}.{element_name(values.dtype)}", values
    if values.dtype == np.bool_:
        kind, numbers = f"{_OF_TRUTHS.get(monoid or '')}.i8", values.view(np.int8)
    entry = repaid_loop(count + CALL, "combine_in_lists", kind)
    if entry is None:
        return None
    numbers, places = np.ascontiguousarray(numbers), np.ascontiguousarray(places)
    threads = min(threads_for(count), lists)
    reserve(count * (4 + numbers.itemsize), "to combine {} rows", count)
    reserve(threads * length * (numbers.itemsize + 1), "a value for each of {} places", length)
    starts = np.searchsorted(leading, np.arange(lists + 1)).astype(np.int32)
    cuts = equal_cuts([starts], threads)
    # What a list writes last is within its rows, so a thread needs no more room than they are.
    at = [int(starts[row]) for row in cuts]
    indices = memory.empty((count,), np.dtype(np.int32))
    elements = memory.empty((count,), numbers.dtype)
    ends = np.zeros(lists + 1, np.int32)
    vectors = (starts, places, numbers, indices, elements, ends[1:])
    addresses = [address_of(vector) for vector in vectors]
    held: list[Column] = []
    calls: list[tuple[int, ...]] = []
    pieces = list(pairwise(cuts))
    for place, piece in zip(at, pieces, strict=False):
        bits, words = np.zeros(groups * (_GROUP // 64), np.int64), np.zeros(groups, np.int64)
        own = [np.empty(length, numbers.dtype), bits, words]
        held += own
        calls.append((*addresses, *map(address_of, own), groups, place, *piece))
    share(entry, calls, count)
    found = close_up(ends, [indices, elements], at, pieces)
    made = shortened(elements, found).view(values.dtype)
    return Combined(ends, shortened(indices, found), made)
