"""What is left of lists of places when some of these are left out, or copied, on threads.

left(starts [0, 2, 3], indices [0, 4, 4], table [0, -1, -1, -1, 1])
    ->   starts [0, 2, 3], places [0, 1, 1], entries [0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.written_loops import CALL, repaid_loop

Array = NDArray[Any]


_LONGEST = 256
"""How many entries of a list are put in order one by one at most."""


class Left(NamedTuple):
    """Where lists begin, what is in them, and which entries these were."""

    starts: Array
    places: Array
    entries: Array


def left(starts: Array, indices: Array, table: Array, *, backwards: bool = False) -> Left | None:
    """Return what a table leaves of lists, once there is machine code for it, int32.

    Parameters
    ----------
    starts : int32, where each list begins, and the end of the last
    indices : int32
    table : int32, the place that each index becomes, -1 for one that is left out
    backwards : whether each list is in the opposite order then
    """
    step = -1 if backwards else 1
    return _made("count_left", "take_left", (starts, indices, table), (), (step,))


def copied(starts: Array, indices: Array, first: Array, order: Array) -> Left | None:
    """Return copies of what is in lists, at other places, once there is machine code for it, int32.

    None as well if a list gets long: what is put in order one by one takes the square of that.

    Parameters
    ----------
    starts, indices : as for `left`
    first : int32, where those of each index begin in `order`, and the end of the last
    order : int32, the places of the copies of each index
    """
    longest = int(np.diff(first).max(initial=0)) * int(np.diff(starts).max(initial=0))
    if longest > _LONGEST:
        return None
    return _made("count_copies", "take_copies", (starts, indices, first), (order,), ())


def _made(
    count: str, take: str, given: tuple[Array, ...], beside: tuple[Array, ...], last: Sequence[int]
) -> Left | None:
    """Return what two loops make: one counts what each list has, one fills in what it is."""
    if any(each.dtype != np.int32 for each in (*given, *beside)):
        return None
    starts, indices, *_ = given
    counting, taking = [repaid_loop(len(indices) + CALL, name) for name in (count, take)]
    if counting is None or taking is None:
        return None
    lists = len(starts) - 1
    arrays = [np.ascontiguousarray(array) for array in (*given, *beside)]
    addresses = [address_of(array) for array in arrays]
    pieces = cut(lists, len(indices))
    made = np.zeros(lists + 1, np.int32)
    counts = address_of(made) + made.itemsize
    share(counting, [(*addresses[:3], counts, *piece) for piece in pieces], len(indices))
    np.cumsum(made, out=made)
    places, entries = [memory.empty((int(made[-1]),), np.dtype(np.int32)) for _ in range(2)]
    outputs = [address_of(array) for array in (made, places, entries)]
    share(taking, [(*addresses, *outputs, *last, *piece) for piece in pieces], len(indices))
    return Left(made, places, entries)
