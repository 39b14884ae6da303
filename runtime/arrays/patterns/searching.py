"""Loops of the forms in machine code: searches in parts of a vector, and the bits of words.

    lower_bounds([1, 4, 9, 2], low [0, 3], high [3, 4], wanted [4, 7])   ->   [1, 4]
    set_bits([0b101, 0b1])                                               ->   [0, 2, 64]

NumPy takes a pass over all searches for each step of the longest, and one over all bits. Both
are compiled once there have been enough of them; without llvmlite NumPy does them all.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.machine_code import Entry, machine_code

WORTH_COMPILING = 1 << 18
"""From how many searches, or words, on, over all calls in a process, they are compiled."""

# The halves are chosen without a branch: which it is cannot be foretold.
_SEARCH = """
define void @lower_bounds(ptr noalias %indices, ptr noalias %low, ptr noalias %high,
                          ptr noalias %wanted, ptr noalias %out, i64 %count) {{
entry:
  %any = icmp sgt i64 %count, 0
  br i1 %any, label %query, label %done
query:
  %q = phi i64 [ 0, %entry ], [ %q_next, %found ]
  %low_place = getelementptr inbounds i64, ptr %low, i64 %q
  %first = load i64, ptr %low_place
  %high_place = getelementptr inbounds i64, ptr %high, i64 %q
  %last = load i64, ptr %high_place
  %wanted_place = getelementptr inbounds i64, ptr %wanted, i64 %q
  %x = load i64, ptr %wanted_place
  %some = icmp slt i64 %first, %last
  br i1 %some, label %halve, label %found
halve:
  %l = phi i64 [ %first, %query ], [ %l_next, %halve ]
  %h = phi i64 [ %last, %query ], [ %h_next, %halve ]
  %sum = add nuw nsw i64 %l, %h
  %middle = lshr i64 %sum, 1
  %place = getelementptr inbounds {type}, ptr %indices, i64 %middle
  %narrow = load {type}, ptr %place
  %y = {widen}
  %below = icmp slt i64 %y, %x
  %after = add nuw nsw i64 %middle, 1
  %l_next = select i1 %below, i64 %after, i64 %l
  %h_next = select i1 %below, i64 %h, i64 %middle
  %open = icmp slt i64 %l_next, %h_next
  br i1 %open, label %halve, label %found
found:
  %result = phi i64 [ %first, %query ], [ %l_next, %halve ]
  %out_place = getelementptr inbounds i64, ptr %out, i64 %q
  store i64 %result, ptr %out_place
  %q_next = add nuw nsw i64 %q, 1
  %more = icmp slt i64 %q_next, %count
  br i1 %more, label %query, label %done
done:
  ret void
}}
"""
_WIDEN = {
    "i8": "zext i8 %narrow to i64",
    "i16": "zext i16 %narrow to i64",
    "i32": "sext i32 %narrow to i64",
    "i64": "add i64 %narrow, 0",
}

_BITS = """
declare i64 @llvm.cttz.i64(i64, i1)
define void @set_bits(ptr noalias %words, i64 %count, ptr noalias %out) {
entry:
  %any = icmp sgt i64 %count, 0
  br i1 %any, label %word, label %done
word:
  %w = phi i64 [ 0, %entry ], [ %w_next, %next ]
  %k = phi i64 [ 0, %entry ], [ %k_end, %next ]
  %place = getelementptr inbounds i64, ptr %words, i64 %w
  %all = load i64, ptr %place
  %base = shl i64 %w, 6
  %some = icmp ne i64 %all, 0
  br i1 %some, label %bit, label %next
bit:
  %left = phi i64 [ %all, %word ], [ %rest, %bit ]
  %j = phi i64 [ %k, %word ], [ %j_next, %bit ]
  %lowest = call i64 @llvm.cttz.i64(i64 %left, i1 true)
  %position = or i64 %base, %lowest
  %out_place = getelementptr inbounds i64, ptr %out, i64 %j
  store i64 %position, ptr %out_place
  %j_next = add nuw nsw i64 %j, 1
  %less = add i64 %left, -1
  %rest = and i64 %left, %less
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %bit, label %next
next:
  %k_end = phi i64 [ %k, %word ], [ %j_next, %bit ]
  %w_next = add nuw nsw i64 %w, 1
  %again = icmp slt i64 %w_next, %count
  br i1 %again, label %word, label %done
done:
  ret void
}
"""

_seen = {"searches": 0, "words": 0}


def lower_bounds(indices: Array, low: Array, high: Array, wanted: Array) -> Array:
    """Where each of `wanted` belongs in its part `low` to `high` of a vector, ascending there.

    All are vectors of int64, but `indices`, which may be narrower: of 8 or 16 bits without sign.
    """
    entry = _search(f"i{indices.itemsize * 8}") if _worth("searches", len(wanted)) else None
    if entry is None:
        return _numpy_lower_bounds(indices, low, high, wanted)
    out = np.empty(len(wanted), np.int64)
    vectors = [np.ascontiguousarray(a) for a in (indices, low, high, wanted)]
    entry(*[_address(vector) for vector in (*vectors, out)], len(wanted))
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
    entry = _bits() if _worth("words", len(words)) else None
    if entry is None:
        return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
    out = np.empty(count, np.int64)
    words = np.ascontiguousarray(words)
    entry(_address(words), len(words), _address(out))
    return out


def compiled_searches(count: int) -> bool:
    """Whether so many searches would be done by machine code."""
    return pays(_seen["searches"] + count, WORTH_COMPILING) and _search("i32") is not None


def _worth(what: str, count: int) -> bool:
    _seen[what] += count
    return pays(_seen[what], WORTH_COMPILING)


@cache
def _search(type: str) -> Entry | None:
    text = _SEARCH.format(type=type, widen=_WIDEN[type])
    return machine_code(f"{__name__}.lower_bounds.{type}", text)


@cache
def _bits() -> Entry | None:
    return machine_code(f"{__name__}.set_bits", _BITS)


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
