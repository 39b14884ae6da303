"""Reductions into a table, where every point chooses its element.

    reduce_by_index("add", (keys,), values, (4,), (3,), np.float64, 0.0)

is the sums of the four `values` by key in a table of three elements. Keys outside of the table
are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from diablo.monoid_table import monoid_named
from diablo.runtime.kernels.bucket_sums import sums
from diablo.runtime.kernels.signature import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import ufunc


def reduce_by_index(
    monoid: str,
    indices: Sequence[Any],
    values: Any,
    shape: Sequence[int],
    into: Sequence[int],
    dtype: DTypeLike,
    neutral: Any,
) -> Array:
    """The values at the points of a space of the given shape, reduced by their indices.

    `indices` has one array per dimension of the table, whose dimensions are `into`; all of them
    and the values are broadcast to `shape`. `neutral` is the monoid's identity.
    """
    size, points = prod(into), prod(shape)
    # Where each point goes and whether that is inside, its value, and the table.
    item = np.dtype(dtype).itemsize
    needed = points * (9 + item) + size * item
    reserve(needed, "to write {} points into a table of {}", points, size)
    inside: Any = True
    flat: Any = np.zeros((), np.int64)
    for index, extent in zip(indices, into, strict=True):
        index = np.asarray(index)
        flat = flat * extent + index
        inside = inside & (index >= 0) & (index < extent)
    flat = np.where(inside, flat, -1)
    flat = np.broadcast_to(flat, tuple(shape)).reshape(-1)
    kept = flat >= 0
    whole = bool(kept.all())
    picked = flat if whole else flat[kept]
    values = np.asarray(values, dtype)
    is_sum = monoid_named(monoid).is_sum
    # No point times infinity would be no number.
    if values.ndim == 0 and is_sum and values.dtype.kind in "iuf" and np.isfinite(values):
        counts = np.bincount(picked, minlength=size).astype(values.dtype, copy=False)
        return (counts * values).reshape(tuple(into))
    values = np.broadcast_to(values, tuple(shape)).reshape(-1)
    values = values if whole else values[kept]
    if is_sum:
        return sums(picked, values, size).reshape(tuple(into))
    table = np.full(size, neutral, dtype)
    ufunc(monoid).at(table, picked, values)
    return table.reshape(tuple(into))
