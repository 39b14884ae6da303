"""Loops of the forms in machine code: searches in parts of a vector, and the bits of words.

    lower_bounds([1, 4, 9, 2], low [0, 3], high [3, 4], wanted [4, 7])   ->   [1, 4]
    set_bits([0b101, 0b1])                                               ->   [0, 2, 64]

NumPy takes a pass over all searches for each step of the longest, and one over all bits. Both
are compiled once there have been enough of them; without llvmlite NumPy does them all.
"""

from __future__ import annotations

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.compile_mode import has_seen_enough
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.work_seen import pays_from, seen_by
from diablo.runtime.native.written_loops import written_loop

WORTH_COMPILING = 1 << 18
"""From how many searches, or words, on, over all calls in a process, they are compiled."""


def lower_bounds(indices: Array, low: Array, high: Array, wanted: Array) -> Array:
    """Return where each of `wanted` belongs in its part `low` to `high` of a vector that ascends.

    All are vectors of int64, but `indices`, which may be narrower: of 8 or 16 bits without sign.
    """
    entry = _search(8 * indices.itemsize) if _worth("searches", len(wanted)) else None
    if entry is None:
        return _numpy_lower_bounds(indices, low, high, wanted)
    out = np.empty(len(wanted), np.int64)
    vectors = [np.ascontiguousarray(a) for a in (indices, low, high, wanted)]
    entry(*[address_of(vector) for vector in (*vectors, out)], len(wanted))
    return out


def _numpy_lower_bounds(indices: Array, low: Array, high: Array, wanted: Array) -> Array:
    last = max(0, len(indices) - 1)
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        open_ = low < high
        below = indices.take(np.minimum(middle, last)) < wanted if len(indices) else open_
        low, high = (
            np.where(open_ & below, middle + 1, low),
            np.where(open_ & ~below, middle, high),
        )
    return low


def set_bits(words: Array, count: int) -> Array:
    """The int64 positions of the `count` bits that are set in words of 64, lowest first."""
    entry = written_loop("set_bits") if _worth("words", len(words)) else None
    if entry is None:
        return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
    out = np.empty(count, np.int64)
    words = np.ascontiguousarray(words)
    entry(address_of(words), len(words), address_of(out))
    return out


def compiled_searches(count: int) -> bool:
    """Return whether so many searches would be done by machine code."""
    seen = seen_by(_key("searches"), 0)
    return has_seen_enough(seen + count, WORTH_COMPILING) and _search(32) is not None


def _worth(what: str, count: int) -> bool:
    return pays_from(_key(what), count, WORTH_COMPILING)


def _key(what: str) -> tuple[str, str]:
    return __name__, what


def _search(bits: int) -> Entry | None:
    return written_loop("lower_bounds", f"i{bits}")
