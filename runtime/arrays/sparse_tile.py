"""`SparseTile`: a block that stores some of its elements: an index pattern, and their values.

The pattern (`patterns/pattern.py`) is an object of its own that tiles share, in the layout that
suits its uses; `elements` are the values in the order of its entries. Whatever the layout is, a
tile can be read as a CSR matrix whose rows are the leading `dense_rank` dimensions, flattened,
and whose columns are the others, both row-major. Of a 2x3 matrix with dense rows

    [[0, 7, 0],        indptr  [0, 1, 3]
     [5, 0, 6]]   ->   indices [1, 0, 2]
                       values  [7, 5, 6]

With `dense_rank` 0 there is one row, and `indices` are the flat positions in the block. Boolean
tiles store patterns alone, as all their values are true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.boxes import distinct_bytes, flat_positions
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.layout import Layout
from diablo.runtime.arrays.patterns.making import empty, of_positions, of_rows
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import some_of
from diablo.runtime.arrays.patterns.variants import with_list_rank
from diablo.runtime.arrays.row_checks import has_no_zero
from diablo.runtime.column_types import stored_positions, zeros_like
from diablo.runtime.memory_limit import reserve
from diablo.runtime.ordering import distinct

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class SparseTile:
    """A block of the shape of its pattern; entries are unique, and sorted in one order.

    A zero is not an entry, however it came about: what a sparse array stores depends on its
    elements alone.
    """

    shape: tuple[int, ...]
    dense_rank: int
    pattern: Pattern
    elements: Array
    """The values in the order of the pattern's entries."""

    def __post_init__(self) -> None:
        if self.elements.dtype == np.bool_ and any(self.elements.strides):
            object.__setattr__(self, "elements", _all_true(len(self.elements)))

    def __reduce__(self) -> tuple[Any, ...]:
        elements = None if self.dtype == np.bool_ else self.elements
        return _restored, (self.shape, self.dense_rank, self.pattern, elements)

    # -- Making one -----------------------------------------------------------------------

    @staticmethod
    def empty(shape: Sequence[int], dense_rank: int, dtype: DTypeLike) -> SparseTile:
        """A tile that stores nothing."""
        pattern = empty(shape, dense_rank)
        return SparseTile(pattern.shape, dense_rank, pattern, np.zeros(0, dtype))

    @staticmethod
    def on_pattern(pattern: Pattern, elements: Array, dense_rank: int) -> SparseTile:
        """A tile of values in the order of a pattern's entries, which it shares.

        Zeros are dropped, and the rest has a pattern of its own.
        """
        kept = stored_positions(elements)
        if kept is not None:
            pattern, elements = some_of(pattern, kept), elements.take(kept)
        return SparseTile(pattern.shape, dense_rank, pattern, elements)

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
        flat, values = distinct(flat, values, ufunc)
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
        pattern = of_positions(flat, shape, dense_rank)
        return SparseTile(pattern.shape, dense_rank, pattern, values)

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
        if not has_no_zero(matrix.data):
            matrix = matrix.copy()
            matrix.eliminate_zeros()
        shape = tuple(matrix.shape if shape is None else shape)
        if _matrix_shape(shape, dense_rank) != tuple(matrix.shape):
            raise ValueError(f"a CSR matrix of shape {matrix.shape} cannot hold a {shape} block")
        pattern = of_rows(matrix.indptr, matrix.indices, shape, dense_rank)
        return SparseTile(shape, dense_rank, pattern, matrix.data)

    @staticmethod
    def from_dense(array: Array, dense_rank: int) -> SparseTile:
        """A tile that stores the elements of `array` that are not implicit."""
        flat = array.reshape(-1)
        reserve(flat.size, "the entries of an array of {} elements", flat.size)
        positions = stored_positions(flat)
        if positions is None:
            positions = np.arange(flat.size)
        return SparseTile.from_positions(positions, flat.take(positions), array.shape, dense_rank)

    # -- Looking at one -------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self.elements.dtype

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
        return self.pattern.count

    @property
    def nbytes(self) -> int:
        """The bytes that the pattern and the values take in memory."""
        return distinct_bytes([*self.pattern.vectors(), self.elements])

    @property
    def values(self) -> Array:
        """The values in row-major order; gathered if the entries are in another."""
        if self.dtype == np.bool_:
            return self.elements
        entries = self.pattern.entries(tuple(range(self.ndim)))
        return self.elements if entries is None else gathered(self.elements, entries)

    @property
    def indptr(self) -> Array:
        """Where each row begins among the row-major entries, and the end of the last."""
        return self.pattern.compressed(self.dense_rank).starts

    @property
    def indices(self) -> Array:
        """The column of every entry, in row-major order."""
        return self.pattern.compressed(self.dense_rank).indices

    def csr(self) -> Any:
        """The SciPy CSR array of (dense extents, sparse extents), over the same memory."""
        return _csr(self.values, self.pattern.compressed(self.dense_rank))

    def as_stored(self, rows: Sequence[int], columns: Sequence[int]) -> Any:
        """The SciPy matrix, over the same memory, whose rows and columns are given dimensions.

        None if entries would have to be moved or counted for it.
        """
        form, order = self.pattern.form, self.pattern.order
        if isinstance(form, Compressed):
            lists, places = order[: form.list_rank], order[form.list_rank :]
            if (tuple(rows), tuple(columns)) == (lists, places):
                return _csr(self.elements, form)
            if (tuple(columns), tuple(rows)) == (lists, places):
                return _csr(self.elements, form).T
        return None

    def rows(self) -> Array:
        """The row of every entry, in the type of the indices."""
        rows = self.pattern.compressed(self.dense_rank)
        return rows.list_of_entries().astype(rows.indices.dtype, copy=False)

    def positions(self) -> Array:
        """The row-major position of every entry in the block, ascending; not to be written."""
        return self.pattern.positions()

    def coordinates(self) -> tuple[Array, ...]:
        """The int64 index of every entry in each dimension, in row-major order."""
        return self.pattern.coordinates(tuple(range(self.ndim)))

    def toarray(self) -> Array:
        """The whole block as a dense array."""
        reserve(self.size * self.dtype.itemsize, "a dense array of {} elements", self.size)
        result = zeros_like(self.elements, self.size)
        result[self.positions()] = self.values
        return result.reshape(self.shape)

    def astype(self, dtype: DTypeLike) -> SparseTile:
        """The same entries in another element type (this tile if it is that type already)."""
        if self.dtype == dtype:
            return self
        return self.with_elements(self.elements.astype(dtype))

    def with_elements(self, elements: Array) -> SparseTile:
        """Other values for the same entries; the pattern is shared if none of them is zero."""
        return SparseTile.on_pattern(self.pattern, elements, self.dense_rank)

    def with_layout(self, layout: Layout) -> SparseTile:
        """The same entries in another layout; the values are moved if its first order differs.

        Tiles that share a pattern share one afterwards.
        """
        rank = self.dense_rank if 0 < self.dense_rank < self.ndim else None
        pattern = self.pattern.with_layout(layout, rank)
        if pattern is self.pattern:
            return self
        elements = self.elements
        if pattern.order != self.pattern.order and elements.dtype != np.bool_:
            entries = self.pattern.entries(pattern.order)
            elements = elements if entries is None else gathered(elements, entries)
        return SparseTile(self.shape, self.dense_rank, pattern, elements)

    def with_dense_rank(self, dense_rank: int) -> SparseTile:
        """The same entries stored with another number of dense dimensions."""
        if dense_rank == self.dense_rank:
            return self
        pattern = with_list_rank(self.pattern, dense_rank)
        return SparseTile(self.shape, dense_rank, pattern, self.elements)

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


def _matrix_shape(shape: Sequence[int], dense_rank: int) -> tuple[int, int]:
    return prod(shape[:dense_rank]), prod(shape[dense_rank:])


def in_scipy(dtype: np.dtype[Any]) -> bool:
    """Whether SciPy has sparse arrays of a type: of floats with less than 32 bits it has none."""
    return dtype.kind != "f" or dtype.itemsize >= 4


def as_scipy_holds(values: Array) -> Array:
    """Numbers in a type of which SciPy has sparse arrays."""
    return values if in_scipy(values.dtype) else values.astype(np.float32)


def _csr(values: Array, lists: Compressed) -> Any:
    from scipy import sparse  # Late, as in `scipy_checks.sparse_arrays`.

    shape = _matrix_shape(lists.shape, lists.list_rank)
    matrix = sparse.csr_array((as_scipy_holds(values), lists.indices, lists.starts), shape=shape)
    # Known from the class's invariant; spares SciPy a pass over the indices.
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def _all_true(count: int) -> Array:
    """The values of a Boolean tile, which take one byte."""
    return np.broadcast_to(np.True_, count)


def _restored(
    shape: tuple[int, ...], dense_rank: int, pattern: Pattern, elements: Array | None
) -> SparseTile:
    """A tile from what is pickled of it."""
    elements = _all_true(pattern.count) if elements is None else elements
    return SparseTile(shape, dense_rank, pattern, elements)
