"""Two ascending vectors of int64 side by side: where each element of their union or meet is.

    merge_union([1, 5], [5, 6])    ->   [1, 5, 6],  [0, 1, -1],  [-1, 0, 1]
    merge_meet([1, 5], [5, 6])     ->   [5],        [1],         [0]

In machine code, without a branch on what is compared, once there is enough to merge; in NumPy,
four to eight times as slow, before that and where llvmlite is missing.
"""

from __future__ import annotations

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.written_loops import repaid_loop

Merged = tuple[Array, Array, Array]


def merge_union(one: Array, other: Array) -> Merged:
    """The elements of either, and the place of each in both vectors, -1 where it is not."""
    count = len(one) + len(other)
    reserve(3 * 8 * count, "the union of {} and {} indices", len(one), len(other))
    entry = repaid_loop(count, "union_of")
    if entry is None:
        return _numpy_union(one, other)
    out, left, right = (np.empty(count, np.int64) for _ in range(3))
    i, j, k = _run(entry, one, other, out, left, right)
    rest = k + len(one) - i + len(other) - j
    if i < len(one):
        out[k:rest], left[k:rest], right[k:rest] = one[i:], np.arange(i, len(one)), -1
    else:
        out[k:rest], left[k:rest], right[k:rest] = other[j:], -1, np.arange(j, len(other))
    return out[:rest], left[:rest], right[:rest]


def merge_meet(one: Array, other: Array) -> Merged:
    """The elements of both, and the place of each in both vectors."""
    least = min(len(one), len(other))
    reserve(3 * 8 * least, "what {} and {} indices have in common", len(one), len(other))
    entry = repaid_loop(len(one) + len(other), "meet_of")
    if entry is None:
        return _numpy_meet(one, other)
    # One more than there can be: what is not equal is written there too.
    out, left, right = (np.empty(least + 1, np.int64) for _ in range(3))
    _, _, k = _run(entry, one, other, out, left, right)
    return out[:k], left[:k], right[:k]


def _numpy_union(one: Array, other: Array) -> Merged:
    both = np.concatenate([one, other])
    # Two runs in order: what the stable sort of NumPy is fastest at.
    both.sort(kind="stable")
    out = both[np.append(True, both[1:] != both[:-1])] if len(both) else both
    left, right = np.full(len(out), -1, np.int64), np.full(len(out), -1, np.int64)
    left[np.searchsorted(out, one)] = np.arange(len(one))
    right[np.searchsorted(out, other)] = np.arange(len(other))
    return out, left, right


def _numpy_meet(one: Array, other: Array) -> Merged:
    if not len(other):
        return other, other, other
    place = np.searchsorted(other, one)
    np.minimum(place, len(other) - 1, out=place)
    left = np.flatnonzero(other.take(place) == one)
    return one.take(left), left, place.take(left)


def _run(entry: Entry, one: Array, other: Array, *outputs: Array) -> tuple[int, int, int]:
    ends = np.zeros(3, np.int64)
    one, other = np.ascontiguousarray(one), np.ascontiguousarray(other)
    places = [address_of(array) for array in (*outputs, ends)]
    entry(address_of(one), len(one), address_of(other), len(other), *places)
    i, j, k = ends.tolist()
    return i, j, k
