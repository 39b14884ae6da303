"""Products of a sparse matrix and a vector where one row is far longer than the others.

    1 1 1 1 1 1          1 1 1 . . .          1 1 . .
    . 2 . . . .    =>    . . . 1 1 1    and   . . 1 .
    . . . 3 . .          . 2 . . . .          . . . 1
                         . . . 3 . .

A kernel takes a row with as many threads as rows are long on average, and those of a far longer one
would work alone at the end. So rows are cut: the same kernel multiplies a matrix that has a row for
each part, over the same entries, and another one then adds up the parts of each row. The order of
additions depends on the matrix alone, so that equal runs give equal bits; libraries, which cut rows
by what the device has free, do not promise that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.runtime.arrays.patterns.making import of_rows
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.device.device_code import DeviceCode
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot

LONGEST = 1 << 16
"""Entries of a row that the threads of a warp are not to go through alone, for a shorter time than
the rest takes."""
PART = 1 << 12
"""How many entries of a row are a part."""


def factors_of(code: DeviceCode, values: Sequence[Any]) -> tuple[SparseTile, DeviceArray] | None:
    """Return the matrix and the vector whose product a code is; None if it is something else."""
    signature = code.signature
    if not isinstance(signature, SparseSignature) or not code.multiplies:
        return None
    tiles = [value for value in values if isinstance(value, SparseTile)]
    vectors = [value for value in values if isinstance(value, DeviceArray)]
    (tile,), (vector,) = tiles, vectors
    if not tile.nnz or tile.indices.dtype != np.int32 or tile.indptr.dtype != np.int32:
        return None
    (rows,) = [d.of(values) for d in signature.outputs[0].dimensions or () if d is not None]
    is_whole = (len(tile.indptr) - 1, len(vector)) == tile.shape == (rows, len(vector))
    return (tile, vector) if is_whole else None


def has_long_row(tile: SparseTile) -> bool:
    """Return whether a row is so long that it is to be cut."""
    longest: int = tile.pattern.keep("longest row", lambda: int(np.diff(tile.indptr).max()))
    return longest >= LONGEST and 32 * longest >= tile.nnz


def cut_rows(tile: SparseTile) -> tuple[SparseTile, SparseTile]:
    """Return a matrix whose rows are parts of those of another one, and one that adds up parts."""
    parts, sums = tile.pattern.keep("rows cut into parts", lambda: _patterns(tile))
    ones = sums.keep(f"ones of {tile.dtype}", lambda: np.ones(parts.shape[0], tile.dtype))
    return (
        SparseTile(parts.shape, tile.dense_rank, parts, tile.values),
        SparseTile(sums.shape, tile.dense_rank, sums, ones),
    )


def _patterns(tile: SparseTile) -> tuple[Pattern, Pattern]:
    starts = tile.indptr
    counts = -(-np.diff(starts) // PART)
    first = np.concatenate([np.zeros(1, counts.dtype), np.cumsum(counts)])
    count = int(first[-1])
    within = np.arange(count) - np.repeat(first[:-1], counts)
    begins = np.append(np.repeat(starts[:-1], counts) + PART * within, starts[-1])
    rows, columns = tile.shape
    return (
        of_rows(begins, tile.indices, (count, columns), tile.dense_rank),
        of_rows(first, np.arange(count), (rows, count), tile.dense_rank),
    )


def with_factors(
    code: DeviceCode, values: Sequence[Any], tile: SparseTile, vector: DeviceArray
) -> list[Any] | None:
    """Return the arguments of a product of other factors; None if its extents are constants, or one
    argument is that of rows and columns."""
    signature = code.on_arrays
    made: list[Any] = list(values)
    for k, value in enumerate(values):
        if isinstance(value, SparseTile | DeviceArray):
            made[k] = tile if isinstance(value, SparseTile) else vector
    (slot,) = [s for s in signature.arguments if isinstance(s, SparseSlot)]
    (of_result,) = [d for d in signature.outputs[0].dimensions or () if d is not None]
    extents: dict[int, int] = {}
    wanted = zip((of_result, *slot.dimensions), (tile.shape[0], *tile.shape), strict=True)
    for dimension, extent in wanted:
        if dimension is None or dimension.axis is not None:
            continue
        if dimension.constant is not None or extents.setdefault(dimension.argument, extent) != (
            extent
        ):
            return None
    for number, extent in extents.items():
        made[number] = extent
    return made
