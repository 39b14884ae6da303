"""What follows the counting of a counting sort on threads: where each thread puts what it finds."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def places_of(tables: Array) -> Array:
    """Return where each key begins among all that is sorted, and where the last one ends.

    Row `t` of `tables` (threads x keys, int32) counts the keys that thread `t` has; it becomes the
    place of the first that this thread puts under each key.
    """
    threads, width = tables.shape
    starts = np.zeros(width + 1, np.int32)
    np.cumsum(tables[0] if threads == 1 else tables.sum(axis=0, dtype=np.int32), out=starts[1:])
    place = starts[:-1]
    for table in tables:
        # Each thread begins where those before it will have ended.
        following = place + table
        table[:] = place
        place = following
    return starts
