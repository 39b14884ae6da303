"""Vectors one behind the other, copied on threads.

    concatenated([[5.0, 7.0], [6.0]])               ->   [5.0, 7.0, 6.0]
    close_gaps([[5.0, 7.0, _, 6.0]], [0, 3], [2, 1])     [5.0, 7.0, 6.0, _]

One thread reads and writes at a part of the speed of the memory.
"""

from __future__ import annotations

import ctypes
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
_WIDE = 1 << 20
"""Bytes of a gap that is closed on threads, as much at a time as it has."""


def concatenated(vectors: Sequence[Array]) -> Array:
    """Return the elements of vectors, of which there is at least one, one behind the other."""
    dtype = vectors[0].dtype
    if dtype.hasobject or any(vector.dtype != dtype for vector in vectors):
        return np.concatenate(vectors)
    out = memory.apart((sum(map(len, vectors)),), dtype)
    if not _copied_on_threads(vectors, out):
        np.concatenate(vectors, out=out)
    return out


def close_gaps(vectors: Sequence[Array], begins: Sequence[int], counts: Sequence[int]) -> None:
    """Move what lies from each of `begins` on, `counts` elements, behind what lies before.

    It is done in each of several contiguous vectors. The places ascend, and nothing overlaps.
    """
    done = 0
    for begin, count in zip(begins, counts, strict=True):
        if begin > done:
            for width in {vector.itemsize for vector in vectors}:
                alike = [address_of(vector) for vector in vectors if vector.itemsize == width]
                _move_down(alike, width * begin, width * done, width * count)
        done += count


def _move_down(starts: Sequence[int], source: int, target: int, size: int) -> None:
    """Move so many bytes behind each of some addresses to a place that is further down."""
    gap = source - target
    # What moves by the width of the gap leaves its place to what comes behind it.
    work = len(starts) * min(gap, size) // _WORD
    entry = repaid_loop(work, "copy_bytes") if gap >= _WIDE else None
    if entry is None or len(cut(work, work)) == 1:
        for start in starts:
            ctypes.memmove(start + target, start + source, size)
        return
    for place in range(0, size, gap):
        part = min(gap, size - place)
        pieces = cut(part, work)
        calls = [
            (start + source + place, start + target + place, *piece)
            for start in starts
            for piece in pieces
        ]
        share(entry, calls, work)


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
