"""When a product of a sparse matrix and a vector is the library's rather than a kernel of ours.

Ours takes a row with as many threads as rows are long on average, and adds in an order that depends
on the extents alone. Where one row is far longer than the others, its threads work alone at the
end: there the library, which cuts rows, is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.kernels.signature import Array
from diablo.sparse_kernel_signature import SparseSignature

LONGEST = 1 << 16
"""Entries of a row that the threads of a warp are not to go through alone, for a shorter time than
the rest takes."""

Matrix = tuple[Array, Array, Array, tuple[int, ...]]


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


def library_factors(tile: SparseTile) -> Matrix | None:
    """Return the matrix that a library is to multiply; None for a kernel of ours."""
    longest: int = tile.pattern.keep("longest row", lambda: int(np.diff(tile.indptr).max()))
    if longest < LONGEST or 32 * longest < tile.nnz:
        return None
    return tile.indptr, tile.indices, tile.values, tile.shape
