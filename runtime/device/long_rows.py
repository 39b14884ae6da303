"""Products of a sparse matrix and a vector where one row is far longer than the others.

    1 1 1 1 1 1          1 1 1 . . .          1 1 . .
    . 2 . . . .    =>    . . . 1 1 1    and   . . 1 .
    . . . 3 . .          . 2 . . . .          . . . 1
                         . . . 3 . .

A kernel takes a row with few threads, as many as go through one of about the average length in few
steps, and those of a far longer one would work alone at the end. So rows are cut: the same kernel
multiplies a matrix that has a row for each part, over the same entries, and another one then adds
up the parts of each row, of which there may be so many that they are cut again. The order of
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
LEAST_PART, MOST_PART = 1 << 7, 1 << 12
"""How many entries a part has at least and at most."""
PART_OF_AVERAGE = 32
"""How many times as long as a row of about the average length a part is."""


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


def cut_rows(tile: SparseTile) -> list[SparseTile]:
    """Return the matrices to multiply one after the other: the first one has a row for each part of
    a row, the others add up parts."""
    first, *others = tile.pattern.keep("rows cut into parts", lambda: _patterns(tile))
    cut = [SparseTile(first.shape, tile.dense_rank, first, tile.values)]
    for sums in others:
        ones = sums.keep(f"ones of {tile.dtype}", lambda p=sums: np.ones(p.shape[1], tile.dtype))
        cut.append(SparseTile(sums.shape, tile.dense_rank, sums, ones))
    return cut


def _patterns(tile: SparseTile) -> list[Pattern]:
    """Those of a matrix of parts of rows, and of the ones that add them up."""
    found: list[Pattern] = []
    starts, indices, columns = tile.indptr, tile.indices, tile.shape[1]
    while True:
        lengths = np.diff(starts)
        part = PART_OF_AVERAGE * (len(indices) // len(lengths))
        part = min(max(part, LEAST_PART), MOST_PART)
        if lengths.max() <= 2 * part:
            shape = len(lengths), columns
            return [*found, of_rows(starts, indices, shape, tile.dense_rank)]
        counts = -(-lengths // part)
        first = np.concatenate([np.zeros(1, counts.dtype), np.cumsum(counts)])
        count = int(first[-1])
        within = np.arange(count) - np.repeat(first[:-1], counts)
        begins = np.append(np.repeat(starts[:-1], counts) + part * within, starts[-1])
        found.append(of_rows(begins, indices, (count, columns), tile.dense_rank))
        # What adds up the parts is a matrix with long rows again.
        starts, indices, columns = first, np.arange(count), count


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
