"""Sums by index as machine code, which NumPy's `bincount` and `add.at` take twice as long for.

    sums(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3)   ->  [4, 0, 2]

The terms are added in the order in which they stand, so the bits are NumPy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.runtime.column_types import element_name
from diablo.runtime.kernels.signature import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.written_loops import repaid_loop


def sums(indices: Array, values: Array, extent: int) -> Array:
    """Return for every index in `range(extent)` the sum of its values, in their type.

    The indices are int64; the values of those that lie outside are passed over.
    """
    reserve(extent * values.itemsize, "the sums of {} values in {} buckets", len(values), extent)
    if _entry(values.dtype, len(indices)) is None and values.dtype == np.float64:
        found = np.bincount(*_those_inside(indices, values, extent), extent)
        return found.astype(
            np.float64, copy=False
        )  # Without values it counts, whatever their type.
    table = np.zeros(extent, values.dtype)
    add_at(table, indices, values)
    return table


def add_at(table: Array, indices: Array, values: Array) -> None:
    """Add each value to the element of a table at its index, where it has such an element.

    The table is a contiguous vector of the values' type, the indices are int64.
    """
    entry = _entry(values.dtype, len(indices))
    if entry is None:
        np.add.at(table, *_those_inside(indices, values, len(table)))
        return
    indices, values = np.ascontiguousarray(indices, np.int64), np.ascontiguousarray(values)
    entry(address_of(table), len(table), address_of(indices), address_of(values), len(indices))


def _entry(dtype: np.dtype[Any], count: int) -> Entry | None:
    """The machine code, once it is worth compiling and if it can be had."""
    return repaid_loop(count, "combine_at", f"add.{element_name(dtype)}")


def _those_inside(indices: Array, values: Array, extent: int) -> tuple[Array, Array]:
    """The indices that lie inside of a table, with their values."""
    # Seen as unsigned, a negative index is too large as well.
    unsigned = indices.view(np.uint64)
    if not len(indices) or int(unsigned.max()) < extent:
        return indices, values
    inside = unsigned < extent
    return indices[inside], values[inside]
