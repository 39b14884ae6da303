"""Two patterns of compressed lists side by side, list by list, on threads.

    union_of_rows(one, other)      the lists of either, and the entry of each index in both
    meet_of_rows(one, other)       those that are in both

Positions in the box are never made: what is written are the vectors of the result. Lists are cut
so that threads have equally many entries, and what a later one has written is moved to where the
one before it has ended. There is machine code for indices of 32 bits alone, once there has been
enough to merge; None stands for what has to be merged otherwise.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from diablo.runtime.arrays.patterns.boxes import INT32_MAX, Array
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import share, threads_for
from diablo.runtime.native.written_loops import CALL, repaid_loop

_WASTE = 4
"""One part in so many of a vector may stay unused."""


class MergedRows(NamedTuple):
    """Compressed lists, and for each entry that of both operands, -1 if it has none."""

    form: Compressed
    left: Array
    right: Array


def union_of_rows(one: Compressed, other: Compressed) -> MergedRows | None:
    """The indices of either of two forms of one box with lists of the same dimensions."""
    count = one.count + other.count
    return _merged("union_of_rows", one, other, count, lambda i, j: i + j)


def meet_of_rows(one: Compressed, other: Compressed) -> MergedRows | None:
    """The indices of both of two forms of one box with lists of the same dimensions."""
    # What a thread writes lies where the first form has its entries, and one beyond: what is not
    # equal is written there too.
    return _merged("meet_of_rows", one, other, one.count, lambda i, _: i)


def _merged(
    name: str,
    one: Compressed,
    other: Compressed,
    most: int,
    place_of: Callable[[int, int], int],
) -> MergedRows | None:
    entry = _compiled(name, one, other)
    if entry is None:
        return None
    work = one.count + other.count
    cuts = equal_cuts([one.starts, other.starts], threads_for(work))
    places = [place_of(int(one.starts[r]), int(other.starts[r])) + k for k, r in enumerate(cuts)]
    room = most + len(cuts)
    reserve(3 * 4 * room, "the entries of two arrays with {} and {}", one.count, other.count)
    vectors = [np.empty(room, np.int32) for _ in range(3)]
    starts = np.zeros(len(one.starts), np.int32)
    operands = (one.starts, one.indices, other.starts, other.indices)
    addresses = [address_of(vector) for vector in (*operands, *vectors, starts[1:])]
    pieces = list(pairwise(cuts))
    calls = [(*addresses, place, *piece) for place, piece in zip(places, pieces, strict=False)]
    share(entry, calls, work)
    count = close_up(starts, vectors, places, pieces)
    indices, left, right = [shortened(vector, count) for vector in vectors]
    return MergedRows(Compressed(one.shape, one.list_rank, starts, indices), left, right)


def close_up(
    starts: Array,
    vectors: Sequence[Array],
    places: Sequence[int],
    pieces: Sequence[tuple[int, int]],
) -> int:
    """Move what each piece of the lists has written behind what that before it has.

    Parameters
    ----------
    starts : where each list ends, as it was written, behind a zero; moved as well
    vectors : what was written for each entry
    places : where each piece has begun to write
    pieces : the ranges of the lists

    Returns
    -------
    int
        How many entries there are.
    """
    count = 0
    for place, (begin, end) in zip(places, pieces, strict=False):
        written = int(starts[end]) - place if end > begin else 0
        if place > count:
            for vector in vectors:
                width, address = vector.itemsize, address_of(vector)
                ctypes.memmove(address + count * width, address + place * width, written * width)
            starts[begin + 1 : end + 1] -= place - count
        count += written
    return count


def shortened(vector: Array, count: int) -> Array:
    """The beginning of a vector; a copy, if much of it would stay unused."""
    return vector[:count] if count >= len(vector) - len(vector) // _WASTE else vector[:count].copy()


def equal_cuts(starts: Sequence[Array], count: int) -> list[int]:
    """The bounds of `count` ranges of lists that have about equally many entries together.

    `starts` says of each operand where its lists begin.
    """
    lists = len(starts[0]) - 1

    def before(row: int) -> int:
        return sum(int(array[row]) for array in starts)

    entries = before(lists)

    wanted = [entries * k // count for k in range(1, count)]
    return [0, *[bisect_left(range(lists), place, key=before) for place in wanted], lists]


def _compiled(name: str, one: Compressed, other: Compressed) -> Entry | None:
    """The machine code, once it is worth it, if it takes such forms."""
    vectors = (one.starts, one.indices, other.starts, other.indices)
    if any(vector.dtype != np.int32 or not vector.flags.c_contiguous for vector in vectors):
        return None
    if one.count + other.count >= INT32_MAX or len(one.starts) != len(other.starts):
        return None
    return repaid_loop(one.count + other.count + CALL, name)
