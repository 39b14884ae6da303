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

from diablo.runtime.kernels.bucket_sums import sums
from diablo.runtime.kernels.signature import Array
from diablo.runtime.monoids import UFUNCS


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
    size = prod(into)
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
    if values.ndim == 0 and monoid == "add" and values.dtype.kind in "if":
        counts = np.bincount(picked, minlength=size).astype(values.dtype, copy=False)
        return (counts * values).reshape(tuple(into))
    values = np.broadcast_to(values, tuple(shape)).reshape(-1)
    values = values if whole else values[kept]
    if monoid == "add":
        return sums(picked, values, size).reshape(tuple(into))
    table = np.full(size, neutral, dtype)
    UFUNCS[monoid].at(table, picked, values)
    return table.reshape(tuple(into))
