"""Copies of arrays that are planned once, and made by threads as jobs of a loop.

    planned_copy(array, made)     the words say where the array lies, and where the copy goes
"""

from __future__ import annotations

from functools import cache

from diablo.runtime.kernels.planned_calls import PlannedCall
from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import cut

_TEXT = """
define void @copy(ptr %array, ptr %made, i64 %begin, i64 %bytes) {
  %source = getelementptr i8, ptr %array, i64 %begin
  %target = getelementptr i8, ptr %made, i64 %begin
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %source, i64 %bytes, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
"""LLVM IR as it is: our own dialects have no op for what `memcpy` does best."""


def planned_copy(array: Array, made: Array) -> PlannedCall | None:
    """Plan a copy of an array, both of whose elements lie in order without gaps.

    None without llvmlite.
    """
    entry = _copy()
    if entry is None:
        return None
    size, places = array.itemsize, (address_of(array), address_of(made))
    pieces = cut(array.size, array.size)
    calls = [[*places, begin * size, (end - begin) * size] for begin, end in pieces]
    return PlannedCall(
        entry, calls, array.size, outputs=[[made]], argument_words=[0], output_words=[1]
    )


@cache
def _copy() -> Entry | None:
    return machine_code(f"{__name__} copy", _TEXT)
