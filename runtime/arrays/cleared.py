"""Arrays of zeros, in memory that was used before where there is such.

    zeros((256, 256, 256), np.float64)

Fresh memory from the system is zero, but filled by page faults when somebody first looks at it,
which takes several times as long as to write zeros into memory that is there. Threads share that.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from diablo.runtime import column_types
from diablo.runtime.arrays import memory
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.written_loops import repaid_loop

_WORD = 8
"""Bytes that count as one element of work."""


def zeros(shape: Sequence[int], code: column_types.Code) -> NDArray[Any]:
    """A C-order array of implicit values."""
    dtype = column_types.storage(code)
    if dtype.hasobject:
        return column_types.zeros(shape, code)
    array, is_zero = memory.empty_or_zeros(shape, dtype)
    if not is_zero:
        clear(array)
    return array


def clear(array: NDArray[Any]) -> None:
    """Write zeros into all of an array that is contiguous and has no objects."""
    work = array.nbytes // _WORD
    pieces = cut(array.nbytes, work)
    entry = repaid_loop(work, "clear_bytes") if len(pieces) > 1 else None
    if entry is None:
        ctypes.memset(address_of(array), 0, array.nbytes)
        return
    share(entry, [(address_of(array), *piece) for piece in pieces], work)
