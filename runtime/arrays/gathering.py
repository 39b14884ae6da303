"""Elements by their places, on threads: `values.take(places)` with zeros where there is no place.

    gathered([5.0, 7.0], [1, -1, 0])     ->   [7.0, 0.0, 5.0]

Machine code takes places of 32 bits, and elements of up to 64 whatever they are. NumPy makes
places wide first, and looks three times at those of which some are missing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.column_types import zeros_like
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import cut_finely, share
from diablo.runtime.native.written_loops import CALL, repaid_loop
from diablo.runtime.ordering import taken

Array = NDArray[Any]

_WIDTHS = (1, 2, 4, 8)


def gathered(values: Array, places: Array) -> Array:
    """The elements at `places`, zero (or what else is implicit) where these are -1."""
    entry = _compiled(values, places)
    if entry is None:
        return _gathered_by_numpy(values, places)
    out = memory.empty((len(places),), values.dtype)
    addresses = [address_of(array) for array in (values, places, out)]
    parts = cut_finely(len(places), len(places))
    share(entry, [(*addresses, *part) for part in parts], len(places))
    return out


def entries_of_lists(starts: Array, lists: Array, made: Array) -> Array | None:
    """Return the entries of lists one behind the other, once there is machine code for it.

    Parameters
    ----------
    starts : where each list begins, 32 bits wide
    lists : int64 numbers of lists, -1 for an empty one
    made : int64, where the entries of each begin in the result, and the end of the last
    """
    if starts.dtype != np.int32 or not len(starts) or made[-1] >= 1 << 31:
        return None
    entry = repaid_loop(int(made[-1]) + CALL, "entries_of_lists")
    if entry is None:
        return None
    out = memory.empty((int(made[-1]),), np.dtype(np.int32))
    arrays = [np.ascontiguousarray(array) for array in (starts, lists, made)]
    addresses = [address_of(array) for array in (*arrays, out)]
    share(entry, [(*addresses, *part) for part in cut_finely(len(lists), len(out))], len(out))
    return out


def _gathered_by_numpy(values: Array, places: Array) -> Array:
    found = places >= 0
    if found.all():
        return taken(values, places)
    result = zeros_like(values, len(places))
    result[found] = values.take(places[found])
    return result


def _compiled(values: Array, places: Array) -> Entry | None:
    """The machine code, once it is worth it, if it takes these."""
    if places.dtype != np.int32 or values.dtype.hasobject or values.itemsize not in _WIDTHS:
        return None
    contiguous = values.flags.c_contiguous and places.flags.c_contiguous
    if values.dtype.names is not None or not contiguous or not len(values):
        return None
    return repaid_loop(len(places) + CALL, "gather_or_zero", f"i{8 * values.itemsize}")
