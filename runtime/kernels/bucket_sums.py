"""Sums by index as machine code, which NumPy's `bincount` and `add.at` take twice as long for.

    sums(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3)   ->  [4, 0, 2]

The terms are added in the order in which they stand, so the bits are NumPy's.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from diablo.runtime.kernels.compiled import worth_compiling
from diablo.runtime.kernels.signature import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.machine_code import Entry, machine_code

# An index outside of the table is passed over.
_LLVM = """
define void @add_at_TYPE(ptr noalias %table, i64 %extent, ptr noalias %indices,
                         ptr noalias %values, i64 %count) {
entry:
  %any = icmp slt i64 0, %count
  br i1 %any, label %row, label %done
row:
  %k = phi i64 [ 0, %entry ], [ %next, %rest ]
  %index_place = getelementptr inbounds i64, ptr %indices, i64 %k
  %index = load i64, ptr %index_place
  %inside = icmp ult i64 %index, %extent
  br i1 %inside, label %add, label %rest
add:
  %value_place = getelementptr inbounds TYPE, ptr %values, i64 %k
  %value = load TYPE, ptr %value_place
  %place = getelementptr inbounds TYPE, ptr %table, i64 %index
  %old = load TYPE, ptr %place
  %new = ADD TYPE %old, %value
  store TYPE %new, ptr %place
  br label %rest
rest:
  %next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %row, label %done
done:
  ret void
}
"""
_TYPES = {np.dtype(np.float64): ("double", "fadd"), np.dtype(np.int64): ("i64", "add")}


def sums(indices: Array, values: Array, extent: int) -> Array:
    """For every index in `range(extent)` the sum of its values, in their type.

    The indices are int64 and lie inside.
    """
    reserve(extent * values.itemsize, "the sums of {} values in {} buckets", len(values), extent)
    entry = _entry(values.dtype, len(indices)) if values.dtype in _TYPES else None
    if entry is None:
        if values.dtype == np.float64:
            return np.bincount(indices, values, extent)
        table = np.zeros(extent, values.dtype)
        np.add.at(table, indices, values)
        return table
    indices, values = np.ascontiguousarray(indices, np.int64), np.ascontiguousarray(values)
    table = np.zeros(extent, values.dtype)
    entry(_address(table), extent, _address(indices), _address(values), len(indices))
    return table


def _entry(dtype: np.dtype[Any], count: int) -> Entry | None:
    """The machine code, once it is worth compiling and if it can be had."""
    if not worth_compiling(f"{__name__} {dtype}", count):
        return None
    return _machine_code(dtype)


@cache
def _machine_code(dtype: np.dtype[Any]) -> Entry | None:
    type, add = _TYPES[dtype]
    text = _LLVM.replace("TYPE", type).replace("ADD", add)
    return machine_code(f"{__name__} {dtype}", text)


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
