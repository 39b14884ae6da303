"""Two ascending vectors of int64 side by side: where each element of their union or meet is.

    merge_union([1, 5], [5, 6])    ->   [1, 5, 6],  [0, 1, -1],  [-1, 0, 1]
    merge_meet([1, 5], [5, 6])     ->   [5],        [1],         [0]

In machine code, without a branch on what is compared, once there is enough to merge; in NumPy,
four to eight times as slow, before that and where llvmlite is missing.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.machine_code import Entry, machine_code

WORTH_COMPILING = 1 << 21
"""From how many elements on, over all merges in a process, they are compiled."""

# Both advance past equal elements; where one vector ends the caller goes on.
_LLVM = """
define void @{name}(ptr noalias %a, i64 %m, ptr noalias %b, i64 %n, ptr noalias %out,
                    ptr noalias %left, ptr noalias %right, ptr noalias %ends) {{
entry:
  %a_some = icmp sgt i64 %m, 0
  %b_some = icmp sgt i64 %n, 0
  %some = and i1 %a_some, %b_some
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ 0, %entry ], [ %i_next, %loop ]
  %j = phi i64 [ 0, %entry ], [ %j_next, %loop ]
  %k = phi i64 [ 0, %entry ], [ %k_next, %loop ]
  %a_place = getelementptr inbounds i64, ptr %a, i64 %i
  %x = load i64, ptr %a_place
  %b_place = getelementptr inbounds i64, ptr %b, i64 %j
  %y = load i64, ptr %b_place
  %x_first = icmp sle i64 %x, %y
  %y_first = icmp sge i64 %x, %y
  %out_place = getelementptr inbounds i64, ptr %out, i64 %k
  %left_place = getelementptr inbounds i64, ptr %left, i64 %k
  %right_place = getelementptr inbounds i64, ptr %right, i64 %k
{body}
  %i_step = zext i1 %x_first to i64
  %j_step = zext i1 %y_first to i64
  %i_next = add nuw nsw i64 %i, %i_step
  %j_next = add nuw nsw i64 %j, %j_step
  %i_more = icmp slt i64 %i_next, %m
  %j_more = icmp slt i64 %j_next, %n
  %more = and i1 %i_more, %j_more
  br i1 %more, label %loop, label %done
done:
  %i_end = phi i64 [ 0, %entry ], [ %i_next, %loop ]
  %j_end = phi i64 [ 0, %entry ], [ %j_next, %loop ]
  %k_end = phi i64 [ 0, %entry ], [ %k_next, %loop ]
  store i64 %i_end, ptr %ends
  %second = getelementptr inbounds i64, ptr %ends, i64 1
  store i64 %j_end, ptr %second
  %third = getelementptr inbounds i64, ptr %ends, i64 2
  store i64 %k_end, ptr %third
  ret void
}}
"""
_UNION = """
  %least = select i1 %x_first, i64 %x, i64 %y
  store i64 %least, ptr %out_place
  %from_left = select i1 %x_first, i64 %i, i64 -1
  store i64 %from_left, ptr %left_place
  %from_right = select i1 %y_first, i64 %j, i64 -1
  store i64 %from_right, ptr %right_place
  %k_next = add nuw nsw i64 %k, 1
"""
_MEET = """
  store i64 %x, ptr %out_place
  store i64 %i, ptr %left_place
  store i64 %j, ptr %right_place
  %equal = and i1 %x_first, %y_first
  %k_step = zext i1 %equal to i64
  %k_next = add nuw nsw i64 %k, %k_step
"""

_seen = 0

Merged = tuple[Array, Array, Array]


def merge_union(one: Array, other: Array) -> Merged:
    """The elements of either, and the place of each in both vectors, -1 where it is not."""
    count = len(one) + len(other)
    reserve(3 * 8 * count, "the union of {} and {} indices", len(one), len(other))
    entry = _compiled("union_of", _UNION, count)
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
    entry = _compiled("meet_of", _MEET, len(one) + len(other))
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
    places = [_address(array) for array in (*outputs, ends)]
    entry(_address(one), len(one), _address(other), len(other), *places)
    i, j, k = ends.tolist()
    return i, j, k


def _compiled(name: str, body: str, elements: int) -> Entry | None:
    global _seen
    _seen += elements
    return _machine_code(name, body) if pays(_seen, WORTH_COMPILING) else None


@cache
def _machine_code(name: str, body: str) -> Entry | None:
    return machine_code(f"{__name__}.{name}", _LLVM.format(name=name, body=body))


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
