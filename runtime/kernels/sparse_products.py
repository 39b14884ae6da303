"""Products of a sparse tile and a dense vector, faster the more often the tile is used.

    product(tile, (1,), (0,), (n, m), x)      # the transposed matrix times x

A first product takes the tile as it is stored. For a tile that is used again, rows of
the matrix that fits the product are kept, with rows of equal length side by side: the end of
a short row is then where the processor expects it, which makes the matrices of graphs three
times as fast. Large products are shared by threads, in machine code, as SciPy's do not
release the interpreter lock. Each element is summed in one order all the same, so its bits
are the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import prod
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from diablo.runtime.arrays.ordering import stable_order
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.arithmetic import matrix
from diablo.runtime.kernels.compiled import worth_compiling
from diablo.runtime.kernels.machine_code import Entry, machine_code
from diablo.runtime.kernels.signature import Array
from diablo.runtime.kernels.thread_team import WORTH_SHARING, share, thread_count

USES_BEFORE_SORTING = 1
"""How many products take the tile as it is: sorting takes as long as eight of them save."""
PIECES_OF_A_THREAD = 4
"""In how many pieces the work of a thread is cut, so that one that is held up is helped."""
LONG_ROW = 16
"""Rows with more entries than this on average are not sorted by length."""

_first_byte: Any = ctypes.c_char.from_buffer
Key = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

# Rows %begin to %end; %starts says where each row begins among the entries.
_LLVM = """
define void @rows_times_vector(ptr noalias %starts, ptr noalias %indices, ptr noalias %values,
                               ptr noalias %vector, ptr noalias %result, i64 %begin, i64 %end) {
entry:
  %any = icmp slt i64 %begin, %end
  br i1 %any, label %first, label %done
first:
  %first_place = getelementptr inbounds i32, ptr %starts, i64 %begin
  %first_start = load i32, ptr %first_place
  %start_wide = zext i32 %first_start to i64
  br label %row
row:
  %r = phi i64 [ %begin, %first ], [ %next, %store ]
  %start = phi i64 [ %start_wide, %first ], [ %stop, %store ]
  %next = add nuw nsw i64 %r, 1
  %stop_place = getelementptr inbounds i32, ptr %starts, i64 %next
  %stop_narrow = load i32, ptr %stop_place
  %stop = zext i32 %stop_narrow to i64
  %some = icmp ult i64 %start, %stop
  br i1 %some, label %entries, label %store
entries:
  %e = phi i64 [ %start, %row ], [ %e_next, %entries ]
  %sum = phi double [ 0.0, %row ], [ %sum_next, %entries ]
  %index_place = getelementptr inbounds i32, ptr %indices, i64 %e
  %index_narrow = load i32, ptr %index_place
  %index = zext i32 %index_narrow to i64
  %x_place = getelementptr inbounds double, ptr %vector, i64 %index
  %x = load double, ptr %x_place
  %value_place = getelementptr inbounds double, ptr %values, i64 %e
  %value = load double, ptr %value_place
  %term = fmul double %value, %x
  %sum_next = fadd double %sum, %term
  %e_next = add nuw nsw i64 %e, 1
  %more = icmp ult i64 %e_next, %stop
  br i1 %more, label %entries, label %store
store:
  %total = phi double [ 0.0, %row ], [ %sum_next, %entries ]
  %place = getelementptr inbounds double, ptr %result, i64 %r
  store double %total, ptr %place
  %again = icmp slt i64 %next, %end
  br i1 %again, label %row, label %done
done:
  ret void
}
"""


class _Rows:
    """Compressed rows as the left side of products; `order` says which rows they are."""

    def __init__(
        self,
        arrays: tuple[Array, Array, Array],
        shape: tuple[int, int],
        order: Array | None = None,
    ):
        starts, indices, values = self.arrays = arrays
        self.order = order
        self.height, self.width = shape
        self._count = len(starts) - 1
        self._entry: Entry | None = None
        self._addresses = [_address(array) for array in self.arrays]
        self._fits = starts.dtype == indices.dtype == np.int32 and values.dtype == np.float64

    def times(self, vector: Array) -> Array | None:
        """The product with a vector, `None` if there is no machine code for it."""
        entry = self._entry or self._compiled()
        if entry is None or vector.dtype != np.float64 or vector.shape != (self.width,):
            return None
        if not vector.flags.c_contiguous:
            vector = np.ascontiguousarray(vector)
        product = np.empty(self._count)
        arguments = (*self._addresses, _address(vector), _address(product))
        if len(self.arrays[2]) < WORTH_SHARING or thread_count() == 1:
            entry(*arguments, 0, self._count)
        else:
            pieces = self._pieces(thread_count())
            share(entry, [(*arguments, a, b) for a, b in pieces], len(self.arrays[2]))
        if self.order is None:
            return product
        result = np.zeros(self.height)
        result[self.order] = product
        return result

    def _compiled(self) -> Entry | None:
        if self._fits and worth_compiling(__name__, len(self.arrays[2])):
            self._entry = _machine_code()
        return self._entry

    def _pieces(self, threads: int) -> Sequence[tuple[int, int]]:
        """The ranges of rows, of about equally many entries, that the threads compute."""
        starts, entries, count = self.arrays[0], len(self.arrays[2]), threads * PIECES_OF_A_THREAD
        wanted = np.array([entries * k // count for k in range(1, count)], np.int32)
        return list(pairwise([0, *np.searchsorted(starts, wanted).tolist(), self._count]))


class _Uses:
    """How often a tile has been used in each kind of product, and what was made for it."""

    def __init__(self) -> None:
        self.counts: dict[Key, int] = {}
        self.rows: dict[Key, _Rows] = {}


_uses: WeakKeyDictionary[SparseTile, _Uses] = WeakKeyDictionary()


def product(
    tile: SparseTile,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    extents: tuple[int, ...],
    vector: Array,
) -> Array:
    """A sparse tile, as `arithmetic.matrix` makes a matrix of it, times a dense vector.

    Of a vector that is longer than the matrix is wide, the beginning counts.
    """
    key = (rows, columns, extents)
    uses = _uses.get(tile)
    if uses is None:
        uses = _uses[tile] = _Uses()
    ready = uses.rows.get(key)
    if ready is not None:
        if len(vector) > ready.width:
            vector = vector[: ready.width]
        if (result := ready.times(vector)) is not None:
            return result
    return _first_product(uses, tile, key, vector)


def _first_product(uses: _Uses, tile: SparseTile, key: Key, vector: Array) -> Array:
    """A product with the tile as it is; what later ones take is made once it has been used."""
    rows, columns, extents = key
    count = uses.counts[key] = uses.counts.get(key, 0) + 1
    vector = vector[: prod([extents[d] for d in columns])]
    if count > USES_BEFORE_SORTING and key not in uses.rows:
        uses.rows[key] = _sorted(matrix(tile, *key).tocsr())
    stored = (*rows, *columns) == tuple(range(tile.ndim)) and len(rows) == tile.dense_rank
    if stored and tile.shape == extents:
        vectors = (tile.indptr, tile.indices, tile.values)
        shape = (prod([extents[d] for d in rows]), prod([extents[d] for d in columns]))
        result = _Rows(vectors, shape).times(vector)
        if result is not None:
            return result
    return matrix(tile, *key) @ vector


def _sorted(left: Any) -> _Rows:
    """The rows of a CSR matrix that have entries, shorter ones first, unless all are long."""
    lengths = np.diff(left.indptr)
    filled = np.flatnonzero(lengths)
    if left.nnz > LONG_ROW * len(filled):
        return _Rows((left.indptr, left.indices, left.data), left.shape)
    order = filled.take(stable_order(lengths.take(filled)))
    turned = left[order]
    return _Rows((turned.indptr, turned.indices, turned.data), left.shape, order)


@cache
def _machine_code() -> Entry | None:
    return machine_code(__name__, _LLVM)


def _address(array: Array) -> int:
    """Where an array begins: by its buffer, which is five times as fast, if it has one."""
    try:
        return ctypes.addressof(_first_byte(array))
    except (TypeError, ValueError):  # Nothing may be written to it, or it is empty.
        return array.__array_interface__["data"][0]
