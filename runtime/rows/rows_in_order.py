"""Rows that threads choose of a source, written one behind the other at once.

    columns = [empty(1_000_000), empty(1_000_000)]
    choose_in_order(kernel, calls, 1_000_000, [columns], range_at, points)   ->   [300_000]
    columns[0][:300_000]                                                     what is chosen

Threads claim runs of rows in their order. Each lets the kernel choose of a run into columns of its
own, which stay in its cache, waits until it is known how many rows come of the runs before it, says
how many come of its own, and copies these to their place. So what is chosen is written to memory
once, where parts of their own would leave gaps to close (a scan in one pass, with what comes before
handed on: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).

A thread waits for one that has begun a run already, and never for one that has yet to be woken.

The LLVM IR is written by hand for the same reason as that of the threads themselves
(`native/team_code.py`): it consists of atomic operations and calls of functions by their address.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.team_code import PAUSES
from diablo.runtime.native.thread_team import share

Array = NDArray[Any]

RUN_BYTES = 1 << 18
"""The bytes of the columns that a thread chooses into, which are to stay in its cache."""
_NEXT, _TURN, _TOTALS = 0, 16, 32
"""Where threads find, in words of 8 bytes, which run is the next to begin, which is the next to be
counted, and how many rows there are of each output so far. Each has cache lines of its own."""
_COLUMNS = 9
"""Where the columns are said in what a thread is given, by four words each."""

_CODE = """
declare i32 @sched_yield()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)

define void @choose_in_order(ptr %piece) {
entry:
  %kernel_place = getelementptr i64, ptr %piece, i64 1
  %words_place = getelementptr i64, ptr %piece, i64 2
  %range_place = getelementptr i64, ptr %piece, i64 3
  %counts_place = getelementptr i64, ptr %piece, i64 4
  %run_place = getelementptr i64, ptr %piece, i64 5
  %rows_place = getelementptr i64, ptr %piece, i64 6
  %outputs_place = getelementptr i64, ptr %piece, i64 7
  %columns_place = getelementptr i64, ptr %piece, i64 8
  %shared = load ptr, ptr %piece, align 8
  %kernel = load ptr, ptr %kernel_place, align 8
  %words = load ptr, ptr %words_place, align 8
  %range = load i64, ptr %range_place, align 8
  %counts_before = load ptr, ptr %counts_place, align 8
  %run = load i64, ptr %run_place, align 8
  %rows = load i64, ptr %rows_place, align 8
  %outputs = load i64, ptr %outputs_place, align 8
  %columns = load i64, ptr %columns_place, align 8
  %counts = getelementptr i64, ptr %counts_before, i64 1
  %begin_place = getelementptr i64, ptr %words, i64 %range
  %end_place = getelementptr i64, ptr %begin_place, i64 1
  %turn_place = getelementptr i64, ptr %shared, i64 TURN
  %totals = getelementptr i64, ptr %shared, i64 TOTALS
  %first = getelementptr i64, ptr %piece, i64 COLUMNS
  %offset = mul i64 %columns, 4
  %places = getelementptr i64, ptr %first, i64 %offset
  br label %next
next:
  %number = atomicrmw add ptr %shared, i64 1 monotonic
  %begin = mul i64 %number, %run
  %left = icmp slt i64 %begin, %rows
  br i1 %left, label %choose, label %end
choose:
  %full = add i64 %begin, %run
  %last = call i64 @llvm.smin.i64(i64 %full, i64 %rows)
  store i64 %begin, ptr %begin_place, align 8
  store i64 %last, ptr %end_place, align 8
  call void %kernel(ptr %words)
  br label %look
look:
  %k = phi i64 [ 0, %choose ], [ %looks, %spin ], [ 0, %yield ]
  %turn = load atomic i64, ptr %turn_place acquire, align 8
  %mine = icmp eq i64 %turn, %number
  br i1 %mine, label %count, label %idle
idle:
  %looks = add i64 %k, 1
  %again = icmp slt i64 %looks, 1024
  br i1 %again, label %spin, label %yield
spin:
  call void asm sideeffect "PAUSE", "~{memory}"()
  br label %look
yield:
  %1 = call i32 @sched_yield()
  br label %look
count:
  %o = phi i64 [ 0, %look ], [ %o_next, %counting ]
  %uncounted = icmp slt i64 %o, %outputs
  br i1 %uncounted, label %counting, label %counted
counting:
  %count_place = getelementptr i64, ptr %counts, i64 %o
  %total_place = getelementptr i64, ptr %totals, i64 %o
  %kept_place = getelementptr i64, ptr %places, i64 %o
  %count_here = load i64, ptr %count_place, align 8
  %total = load i64, ptr %total_place, align 8
  %total_next = add i64 %total, %count_here
  store i64 %total_next, ptr %total_place, align 8
  store i64 %total, ptr %kept_place, align 8
  %o_next = add i64 %o, 1
  br label %count
counted:
  %turn_next = add i64 %number, 1
  store atomic i64 %turn_next, ptr %turn_place release, align 8
  br label %copy
copy:
  %c = phi i64 [ 0, %counted ], [ %c_next, %copying ]
  %uncopied = icmp slt i64 %c, %columns
  br i1 %uncopied, label %copying, label %next
copying:
  %column_word = mul i64 %c, 4
  %column = getelementptr i64, ptr %first, i64 %column_word
  %whole_place = getelementptr i64, ptr %column, i64 1
  %width_place = getelementptr i64, ptr %column, i64 2
  %output_place = getelementptr i64, ptr %column, i64 3
  %own = load ptr, ptr %column, align 8
  %whole = load ptr, ptr %whole_place, align 8
  %width = load i64, ptr %width_place, align 8
  %output = load i64, ptr %output_place, align 8
  %its_count_place = getelementptr i64, ptr %counts, i64 %output
  %its_place_place = getelementptr i64, ptr %places, i64 %output
  %its_count = load i64, ptr %its_count_place, align 8
  %its_place = load i64, ptr %its_place_place, align 8
  %size = mul i64 %its_count, %width
  %distance = mul i64 %its_place, %width
  %target = getelementptr i8, ptr %whole, i64 %distance
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %own, i64 %size, i1 false)
  %c_next = add i64 %c, 1
  br label %copy
end:
  ret void
}
"""


def rows_in_run(width: int) -> int:
    """Return how many rows a thread goes through at a time, if so many bytes come of each."""
    return max(1, RUN_BYTES // max(1, width))


def choose_in_order(
    kernel: Entry,
    calls: Sequence[tuple[Sequence[Any], Array, Sequence[Sequence[Array]]]],
    rows: int,
    outputs: Sequence[Sequence[Array]],
    range_at: int,
    points: int,
) -> list[int]:
    """Let threads choose rows of a source into the columns of outputs; how many come of each.

    Parameters
    ----------
    kernel : what chooses of a range of rows, no more of each output than there are
    calls : for each thread the arguments of the kernel, the counts that it writes, and the columns
        that it writes to, with room for what comes of `rows_in_run`
    rows : how many there are
    outputs : the columns for all that is chosen
    range_at : the number of the argument that says with which row to begin, before that with
        which to end
    points : how much work it is
    """
    entry = machine_code(__name__, _code)
    assert entry is not None  # There is no kernel without it.
    run = rows_in_run(sum(column.itemsize for columns in outputs for column in columns))
    shared = np.zeros(_TOTALS + len(outputs), np.int64)
    held: list[Any] = [shared]
    pieces: list[tuple[int]] = []
    for words, counts, own in calls:
        packed = np.frombuffer(bytearray(kernel.packed(words)), np.int64)
        columns = [
            word
            for number, (mine, whole) in enumerate(zip(own, outputs, strict=True))
            for one, all_of_it in zip(mine, whole, strict=True)
            for word in (address_of(one), address_of(all_of_it), one.itemsize, number)
        ]
        piece = np.array(
            [
                *(address_of(shared), kernel.address, address_of(packed), range_at),
                *(address_of(counts), run, rows, len(outputs), len(columns) // 4),
                *columns,
                *[0] * len(outputs),
            ],
            np.int64,
        )
        held += [packed, piece]
        pieces.append((address_of(piece),))
    share(entry, pieces, points)
    return shared[_TOTALS:].tolist()


def _code() -> str:
    text = _CODE.replace("PAUSE", PAUSES.get(platform.machine(), ""))
    for name, place in {"TURN": _TURN, "TOTALS": _TOTALS, "COLUMNS": _COLUMNS}.items():
        text = text.replace(f"i64 {name}\n", f"i64 {place}\n")
    return text
