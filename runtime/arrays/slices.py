"""Slices of arrays: some dimensions have an index, the others are left.

    slice_of(A, (2, None))      row 2
    slice_of(A, (None, k))      column k

An index outside of the array has no entries, and zeros in a dense array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.patterns.pattern_slices import slice_at
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import zeros_like

Index = Sequence[int | None]
"""The index in each dimension, `None` where there is none."""


def slice_of(array: NDArray[Any] | SparseTile, index: Index) -> NDArray[Any] | SparseTile:
    """A slice of an array or a tile, of the dimensions without an index.

    Parameters
    ----------
    array : of any shape; sparse ones give sparse slices, whose dense dimensions are those of
        the array that are left, less one if no other is
    index : an index for some of its dimensions
    """
    fixed = {d: int(i) for d, i in enumerate(index) if i is not None}
    if isinstance(array, np.ndarray):
        if all(0 <= i < array.shape[d] for d, i in fixed.items()):
            # A copy: views would keep, and share, the memory of the whole.
            return array[tuple([slice(None) if i is None else i for i in index])].copy()
        shape = [extent for d, extent in enumerate(array.shape) if d not in fixed]
        return zeros_like(array, int(np.prod(shape))).reshape(shape)
    pattern, entries = slice_at(array.pattern, fixed)
    dense_rank = sum(d not in fixed for d in range(array.dense_rank))
    dense_rank = min(dense_rank, max(0, pattern.ndim - 1))
    return SparseTile(pattern.shape, dense_rank, pattern, array.elements[entries])
