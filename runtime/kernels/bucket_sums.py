"""Sums by index as machine code, which NumPy's `bincount` and `add.at` take twice as long for.

    sums(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3)   ->  [4, 0, 2]

The terms are added in the order in which they stand, so the bits are NumPy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.runtime.column_types import element_name
from diablo.runtime.kernels.signature import Array
from diablo.runtime.kernels.work_seen import worth_compiling
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.written_loops import is_written, written_loop


def sums(indices: Array, values: Array, extent: int) -> Array:
    """For every index in `range(extent)` the sum of its values, in their type.

    The indices are int64; the values of those that lie outside are passed over.
    """
    reserve(extent * values.itemsize, "the sums of {} values in {} buckets", len(values), extent)
    entry = _entry(values.dtype, len(indices))
    if entry is None:
        inside = _inside(indices, extent)
        if inside is not None:
            indices, values = indices[inside], values[inside]
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
    kind = f"add.{element_name(dtype)}"
    if not is_written("combine_at", kind) or not worth_compiling(f"{__name__} {dtype}", count):
        return None
    return written_loop("combine_at", kind)


def _inside(indices: Array, extent: int) -> Array | None:
    """Which indices lie inside, or None if all do."""
    # Seen as unsigned, a negative index is too large as well.
    unsigned = indices.view(np.uint64)
    return unsigned < extent if len(indices) and int(unsigned.max()) >= extent else None


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
