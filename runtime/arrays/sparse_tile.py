"""`SparseTile`: a block whose trailing dimensions are stored sparsely.

The leading `dense_rank` dimensions are flattened to the rows of a CSR matrix and the others
to its columns, both row-major. Of a 2x3 matrix with dense rows and sparse columns

    [[0, 7, 0],        indptr  [0, 1, 3]
     [5, 0, 6]]   ->   indices [1, 0, 2]
                       values  [7, 5, 6]

With `dense_rank` 0 there is one row, and `indices` are the flat positions in the block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from diablo.diagnostics import RunError
from diablo.runtime.arrays.ordering import is_ascending, stable_order
from diablo.runtime.column_types import stored_positions, zeros_like

Array = NDArray[Any]
_INT32_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class SparseTile:
    """A block with sparse trailing dimensions; entries are sorted and their indices unique.

    A zero is not an entry, however it came about: what a sparse array stores depends on its
    elements alone.
    """

    shape: tuple[int, ...]
    dense_rank: int
    indptr: Array
    indices: Array
    values: Array

    # -- Making one -----------------------------------------------------------------------

    @staticmethod
    def empty(shape: Sequence[int], dense_rank: int, dtype: DTypeLike) -> SparseTile:
        """A tile that stores nothing."""
        rows, columns = _matrix_shape(shape, dense_rank)
        index = _index_dtype(rows, columns, 0)
        return SparseTile(
            tuple(shape),
            dense_rank,
            np.zeros(rows + 1, index),
            np.zeros(0, index),
            np.zeros(0, dtype),
        )

    @staticmethod
    def from_coordinates(
        coordinates: Sequence[Array],
        values: Array,
        shape: Sequence[int],
        dense_rank: int,
        ufunc: np.ufunc | None = None,
    ) -> SparseTile:
        """A tile from one index array per dimension and the values, in any order.

        Of equal indices the last is kept, or all are combined with `ufunc`. The indices must
        lie inside `shape`.
        """
        flat = flat_positions(coordinates, shape, len(values))
        if not is_ascending(flat, strictly=True):
            order = stable_order(flat)
            flat, values = flat.take(order), values.take(order)
            new = flat[1:] != flat[:-1]
            if not new.all():
                starts = np.concatenate(([0], np.flatnonzero(new) + 1))
                if ufunc is None:
                    values = values.take(np.append(starts[1:], len(flat)) - 1)
                else:
                    values = ufunc.reduceat(values, starts, dtype=values.dtype)
                flat = flat.take(starts)
        return SparseTile.from_positions(flat, values, shape, dense_rank)

    @staticmethod
    def from_positions(
        flat: Array, values: Array, shape: Sequence[int], dense_rank: int
    ) -> SparseTile:
        """A tile from strictly ascending row-major positions in `shape`.

        Zeros, and the implicit values of other types, are dropped.
        """
        kept = stored_positions(values)
        if kept is not None:
            flat, values = flat.take(kept), values.take(kept)
        rows, columns = _matrix_shape(shape, dense_rank)
        index = _index_dtype(rows, columns, len(flat))
        indptr = np.zeros(rows + 1, index)
        if rows == 1:
            indptr[1] = len(flat)
            indices = flat
        elif len(flat) == 0:
            indices = flat
        elif columns == 1:
            np.cumsum(np.bincount(flat, minlength=rows), out=indptr[1:])
            indices = np.zeros(len(flat), index)
        else:
            row = flat // columns
            np.cumsum(np.bincount(row, minlength=rows), out=indptr[1:])
            row *= columns
            indices = np.subtract(flat, row, out=row)
        return SparseTile(
            tuple(shape), dense_rank, indptr, indices.astype(index, copy=False), values
        )

    @staticmethod
    def from_csr(
        matrix: Any, shape: Sequence[int] | None = None, dense_rank: int = 1
    ) -> SparseTile:
        """A tile over the vectors of a SciPy CSR matrix of (dense, sparse) extents.

        The vectors are shared if their entries are sorted and unique already; otherwise
        entries with equal indices are added, as SciPy reads such a matrix. Zeros are dropped.
        """
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        if not matrix.data.all():
            matrix = matrix.copy()
            matrix.eliminate_zeros()
        shape = tuple(matrix.shape) if shape is None else tuple(shape)
        if _matrix_shape(shape, dense_rank) != tuple(matrix.shape):
            raise ValueError(f"a CSR matrix of shape {matrix.shape} cannot hold a {shape} block")
        index = _index_dtype(*_matrix_shape(shape, dense_rank), len(matrix.data))
        return SparseTile(
            shape,
            dense_rank,
            matrix.indptr.astype(index, copy=False),
            matrix.indices.astype(index, copy=False),
            matrix.data,
        )

    @staticmethod
    def from_dense(array: Array, dense_rank: int) -> SparseTile:
        """A tile that stores the elements of `array` that are not implicit."""
        flat = array.reshape(-1)
        positions = stored_positions(flat)
        if positions is None:
            positions = np.arange(flat.size)
        return SparseTile.from_positions(positions, flat.take(positions), array.shape, dense_rank)

    # -- Looking at one -------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self.values.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, stored or not."""
        return prod(self.shape)

    @property
    def nnz(self) -> int:
        """The number of stored entries."""
        return len(self.indices)

    @property
    def nbytes(self) -> int:
        """What the three vectors take in memory."""
        return self.indptr.nbytes + self.indices.nbytes + self.values.nbytes

    def csr(self) -> Any:
        """The SciPy CSR array of (dense extents, sparse extents), over the same memory."""
        matrix = sparse.csr_array(
            (self.values, self.indices, self.indptr),
            shape=_matrix_shape(self.shape, self.dense_rank),
        )
        # Known from the class's invariant; spares SciPy a pass over the indices.
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        return matrix

    def rows(self) -> Array:
        """The row of every entry, in the type of the indices."""
        count = len(self.indptr) - 1
        if count == 1:
            return np.zeros(self.nnz, self.indices.dtype)
        return np.repeat(np.arange(count, dtype=self.indices.dtype), np.diff(self.indptr))

    def positions(self) -> Array:
        """The row-major position of every entry in the block, ascending."""
        columns = prod(self.shape[self.dense_rank :])
        if len(self.indptr) == 2:
            return self.indices.astype(np.int64, copy=False)
        flat = self.rows().astype(np.int64, copy=False)
        if columns == 1:
            return flat
        return flat * columns + self.indices

    def coordinates(self) -> tuple[Array, ...]:
        """The int64 index of every entry in each dimension, in row-major order."""
        dense = _unflatten(self.rows(), self.shape[: self.dense_rank])
        return (*dense, *_unflatten(self.indices, self.shape[self.dense_rank :]))

    def toarray(self) -> Array:
        """The whole block as a dense array."""
        result = zeros_like(self.values, self.size)
        result[self.positions()] = self.values
        return result.reshape(self.shape)

    def astype(self, dtype: DTypeLike) -> SparseTile:
        """The same entries in another element type (this tile if it is that type already)."""
        if self.dtype == dtype:
            return self
        return SparseTile(
            self.shape, self.dense_rank, self.indptr, self.indices, self.values.astype(dtype)
        )

    def with_dense_rank(self, dense_rank: int) -> SparseTile:
        """The same entries stored with another number of dense dimensions."""
        if dense_rank == self.dense_rank:
            return self
        return SparseTile.from_positions(self.positions(), self.values, self.shape, dense_rank)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("a sparse tile is made dense by copying it")
        array = self.toarray()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __repr__(self) -> str:
        return (
            f"SparseTile(shape={self.shape}, dense_rank={self.dense_rank}, "
            f"dtype={self.dtype}, nnz={self.nnz})"
        )


def flat_positions(coordinates: Sequence[Array], shape: Sequence[int], count: int) -> Array:
    """The row-major int64 position in `shape` of each of `count` index tuples inside it."""
    if prod(shape) > 2**63 - 1:
        raise RunError(f"an array of dimensions {tuple(shape)} is too large for 64-bit positions")
    if not coordinates:
        return np.zeros(count, np.int64)
    flat = coordinates[0].astype(np.int64, copy=False)
    for index, extent in zip(coordinates[1:], shape[1:], strict=True):
        flat = flat * extent
        flat += index
    return flat


def _matrix_shape(shape: Sequence[int], dense_rank: int) -> tuple[int, int]:
    return prod(shape[:dense_rank]), prod(shape[dense_rank:])


def _index_dtype(rows: int, columns: int, entries: int) -> np.dtype[Any]:
    return np.dtype(np.int32 if max(rows, columns, entries) <= _INT32_MAX else np.int64)


def _unflatten(flat: Array, shape: Sequence[int]) -> tuple[Array, ...]:
    """The int64 index in each dimension of `shape` of flat row-major positions."""
    if not shape:
        return ()
    result: list[Array] = []
    for extent in reversed(shape[1:]):
        quotient = flat // extent
        result.append((flat - quotient * extent).astype(np.int64, copy=False))
        flat = quotient
    return (flat.astype(np.int64, copy=False), *reversed(result))
