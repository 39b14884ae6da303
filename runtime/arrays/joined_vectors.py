"""Vectors one behind the other, copied on threads.

    concatenated([[5.0, 7.0], [6.0]])    ->   [5.0, 7.0, 6.0]

One thread reads and writes at a part of the speed of the memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.written_loops import repaid_loop

Array = NDArray[Any]

_WORD = 8
"""Bytes that count as one element of work."""


def concatenated(vectors: Sequence[Array]) -> Array:
    """Return the elements of vectors, of which there is at least one, one behind the other."""
    dtype = vectors[0].dtype
    if dtype.hasobject or any(vector.dtype != dtype for vector in vectors):
        return np.concatenate(vectors)
    out = memory.apart((sum(map(len, vectors)),), dtype)
    if not _copied_on_threads(vectors, out):
        np.concatenate(vectors, out=out)
    return out


def _copied_on_threads(vectors: Sequence[Array], out: Array) -> bool:
    """Copy into `out` by machine code, and return whether that is done."""
    work = out.nbytes // _WORD
    if len(cut(work, work)) == 1 or not all(vector.flags.c_contiguous for vector in vectors):
        return False
    entry = repaid_loop(work, "copy_bytes")
    if entry is None:
        return False
    calls: list[tuple[int, ...]] = []
    place = address_of(out)
    for vector in filter(len, vectors):
        pieces = cut(vector.nbytes, vector.nbytes // _WORD)
        calls += [(address_of(vector), place, *piece) for piece in pieces]
        place += vector.nbytes
    share(entry, calls, work)
    return True
