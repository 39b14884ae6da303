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
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from diablo.runtime.arrays.ordering import stable_order
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.arithmetic import matrix
from diablo.runtime.kernels.compiled import (
    WORTH_SHARING,
    share,
    thread_count,
    worth_compiling,
)
from diablo.runtime.kernels.machine_code import Entry, machine_code
from diablo.runtime.kernels.signature import Array

USES_BEFORE_SORTING = 1
"""How many products take the tile as it is: sorting takes as long as eight of them save."""
LONG_ROW = 16
"""Rows with more entries than this on average are not sorted by length."""

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


@dataclass(frozen=True)
class _Rows:
    """Compressed rows as the left side of products; `order` says which rows they are."""

    starts: Array
    indices: Array
    values: Array
    order: Array | None = None

    def times(self, vector: Array, height: int) -> Array | None:
        """The product with a vector, `None` if there is no machine code for it."""
        if not (
            self.starts.dtype == self.indices.dtype == np.int32
            and self.values.dtype == vector.dtype == np.float64
        ):
            return None
        if not worth_compiling(__name__, len(self.values)):
            return None
        entry = _machine_code()
        if entry is None:
            return None
        vector = np.ascontiguousarray(vector)
        product = np.empty(len(self.starts) - 1)
        arguments = [
            _address(array) for array in (self.starts, self.indices, self.values, vector, product)
        ]
        share([partial(entry, *arguments, a, b) for a, b in self._pieces()])
        if self.order is None:
            return product
        result = np.zeros(height)
        result[self.order] = product
        return result

    def _pieces(self) -> list[tuple[int, int]]:
        """The ranges of rows, of about equally many entries, that the threads compute."""
        entries, rows = len(self.values), len(self.starts) - 1
        count = thread_count() if entries >= WORTH_SHARING else 1
        wanted = np.array([entries * k // count for k in range(1, count)], np.int32)
        return list(pairwise([0, *np.searchsorted(self.starts, wanted).tolist(), rows]))


class _Uses:
    """How often a tile has been used in each kind of product, and what was made for it."""

    def __init__(self) -> None:
        self.counts: dict[Key, int] = {}
        self.rows: dict[Key, _Rows] = {}


_uses: WeakKeyDictionary[SparseTile, _Uses] = WeakKeyDictionary()


def product(
    tile: SparseTile,
    rows: Sequence[int],
    columns: Sequence[int],
    extents: Sequence[int],
    vector: Array,
) -> Array:
    """A sparse tile, as `arithmetic.matrix` makes a matrix of it, times a dense vector."""
    key = (tuple(rows), tuple(columns), tuple(extents))
    uses = _uses.get(tile)
    if uses is None:
        uses = _uses[tile] = _Uses()
    count = uses.counts[key] = uses.counts.get(key, 0) + 1
    height = int(np.prod([extents[d] for d in rows], dtype=np.int64))
    width = int(np.prod([extents[d] for d in columns], dtype=np.int64))
    left = uses.rows.get(key)
    stored = (*key[0], *key[1]) == tuple(range(tile.ndim)) and len(rows) == tile.dense_rank
    if left is None and stored and tile.shape == key[2]:
        left = _Rows(tile.indptr, tile.indices, tile.values)
    if left is not None and vector.shape == (width,):
        result = left.times(vector, height)
        if result is not None:
            if count > USES_BEFORE_SORTING and key not in uses.rows:
                uses.rows[key] = _sorted(tile.csr())
            return result
    as_matrix = matrix(tile, rows, columns, extents)
    if count > USES_BEFORE_SORTING and key not in uses.rows:
        uses.rows[key] = _sorted(as_matrix.tocsr())
    return as_matrix @ vector


def _sorted(left: Any) -> _Rows:
    """The rows of a CSR matrix that have entries, shorter ones first, unless all are long."""
    lengths = np.diff(left.indptr)
    filled = np.flatnonzero(lengths)
    if left.nnz > LONG_ROW * len(filled):
        return _Rows(left.indptr, left.indices, left.data)
    order = filled.take(stable_order(lengths.take(filled)))
    turned = left[order]
    return _Rows(turned.indptr, turned.indices, turned.data, order)


@cache
def _machine_code() -> Entry | None:
    return machine_code(__name__, _LLVM, [ctypes.c_void_p] * 5 + [ctypes.c_int64] * 2)


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
