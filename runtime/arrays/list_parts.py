"""What is left of lists of places when some of these are left out, on threads.

left(starts [0, 2, 3], indices [0, 4, 4], table [0, -1, -1, -1, 1])
    ->   starts [0, 2, 3], places [0, 1, 1], entries [0, 1, 2]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.written_loops import CALL, repaid_loop

Array = NDArray[Any]


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
    if any(each.dtype != np.int32 for each in (starts, indices, table)):
        return None
    loops = [repaid_loop(len(indices) + CALL, name) for name in ("count_left", "take_left")]
    count_left, take_left = loops
    if count_left is None or take_left is None:
        return None
    lists = len(starts) - 1
    arrays = [np.ascontiguousarray(array) for array in (starts, indices, table)]
    given = [address_of(array) for array in arrays]
    pieces = cut(lists, len(indices))
    made = np.zeros(lists + 1, np.int32)
    counts = address_of(made) + made.itemsize
    share(count_left, [(*given, counts, *piece) for piece in pieces], len(indices))
    np.cumsum(made, out=made)
    places, entries = [memory.empty((int(made[-1]),), np.dtype(np.int32)) for _ in range(2)]
    outputs = [address_of(array) for array in (made, places, entries)]
    step = -1 if backwards else 1
    share(take_left, [(*given, *outputs, step, *piece) for piece in pieces], len(indices))
    return Left(made, places, entries)
