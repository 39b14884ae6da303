"""Products of compressed rows, with each other and with dense matrices, on threads.

    sparse_product(a, b, terms)    a @ b of two CSR matrices, its entries in order and none zero
    masked_product(a, b, mask)     the same where a third CSR matrix has entries
    dense_product(a, b)            a @ b of a CSR matrix and a dense one

SciPy finds the columns of a product in the order in which they turn up, and sorts them afterwards.
Here bits say where they are, in order. None is returned for what machine code does not take, or
where there has not been enough to multiply; the terms of an element are added in SciPy's order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.patterns.boxes import INT32_MAX
from diablo.runtime.arrays.patterns.row_merging import close_up
from diablo.runtime.column_types import element_name
from diablo.runtime.kernels.signature import Array
from diablo.runtime.kernels.work_seen import pays_from
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import share, threads_for
from diablo.runtime.native.written_loops import is_kept, is_written, written_loop

WORTH_COMPILING = 1 << 20
"""From how many terms on, over all products in a process, they are compiled."""
WORTH_LINKING = 1 << 17
"""From how many on, where a process before this one has compiled them."""
CALL = 1 << 13
"""What a product of SciPy takes besides, in terms that are summed meanwhile."""
_GROUP = 1 << 12
"""How many columns a bit of the second level stands for, times those of a word."""
_WASTE = 4
"""One part in so many of a vector may stay unused."""


def sparse_product(left: Any, right: Any, terms: Array) -> Any:
    """Return the CSR product of two CSR matrices; None if it is not made here.

    Parameters
    ----------
    left, right : scipy.sparse.csr_array
    terms : how many terms, or places, each row of the product has at most; there is memory for all
    """
    import scipy.sparse as sp

    dtype, (rows, width) = left.dtype, (left.shape[0], right.shape[1])
    most = int(terms.sum())
    groups = -(-width // _GROUP)
    # Bits are looked at for each row, which must not take longer than the terms do.
    if most >= INT32_MAX or rows * groups > 4 * most:
        return None
    entry = _entry("sparse_times_sparse", most, (left, right), dtype)
    if entry is None:
        return None
    count = min(threads_for(most), max(1, rows))
    room = np.concatenate(([0], np.cumsum(terms)))
    cuts = [0, *np.searchsorted(room, [most * k // count for k in range(1, count)]).tolist(), rows]
    # What a row writes last may be a zero, which is written over by what comes next.
    places = [int(room[row]) + k for k, row in enumerate(cuts)]
    reserve(count * width * (dtype.itemsize + 1), "the sums of a row of {} columns", width)
    indices = memory.empty((most + count,), np.dtype(np.int32))
    values = memory.empty((most + count,), dtype)
    starts = np.zeros(rows + 1, np.int32)
    addresses = [
        *[_address(v) for m in (left, right) for v in (m.indptr, m.indices, m.data)],
        *[_address(v) for v in (indices, values, starts[1:])],
    ]
    held: list[Array] = []
    calls: list[tuple[int, ...]] = []
    pieces = list(pairwise(cuts))
    for place, piece in zip(places, pieces, strict=False):
        own = [np.zeros(width, dtype), np.zeros(64 * groups, np.int64), np.zeros(groups, np.int64)]
        held += own
        calls.append((*addresses, *map(_address, own), groups, place, *piece))
    share(entry, calls, most)
    entries = close_up(starts, [indices, values], places, pieces)
    return _compressed(sp, indices, values, starts, entries, (rows, width))


def masked_product(left: Any, right: Any, mask: Any) -> Any:
    """Return the CSR product of two CSR matrices where a third one has entries.

    It takes one step for each term of the product, and memory for the entries of the mask alone.
    None is returned if it is not made here.

    Parameters
    ----------
    left, right, mask : scipy.sparse.csr_array
        `mask` has the shape of the product; what its entries are does not matter.
    """
    import scipy.sparse as sp

    dtype, (rows, width) = left.dtype, mask.shape
    lengths = np.diff(right.indptr).take(left.indices)
    before: Array = np.zeros(left.nnz + 1, np.int64)
    np.cumsum(lengths, out=before[1:])
    starts_of: tuple[Array, Array] = left.indptr, mask.indptr
    entry = _entry("masked_sparse_times_sparse", int(before[-1]), (left, right), dtype, mask)
    if entry is None:
        return None
    work: Array = before.take(starts_of[0]) + starts_of[1]
    count = min(threads_for(int(work[-1])), max(1, rows))
    wanted = [int(work[-1]) * k // count for k in range(1, count)]
    pieces = list(pairwise([0, *np.searchsorted(work, wanted).tolist(), rows]))
    reserve(count * width * 4, "the marks of a row of {} columns", width)
    indices = memory.empty((mask.nnz,), np.dtype(np.int32))
    values = memory.empty((mask.nnz,), dtype)
    starts = np.zeros(rows + 1, np.int32)
    addresses = [
        *[_address(v) for m in (left, right) for v in (m.indptr, m.indices, m.data)],
        *[_address(v) for v in (mask.indptr, mask.indices, indices, values, starts[1:])],
    ]
    marks = [np.zeros(width, np.int32) for _ in pieces]
    own = zip(marks, pieces, strict=True)
    share(entry, [(*addresses, _address(m), *piece) for m, piece in own], int(work[-1]))
    places = [int(mask.indptr[begin]) for begin, _ in pieces]
    entries = close_up(starts, [indices, values], places, pieces)
    return _compressed(sp, indices, values, starts, entries, mask.shape)


def _compressed(
    sp: Any, indices: Array, values: Array, starts: Array, entries: int, shape: tuple[int, int]
) -> Any:
    """The CSR matrix of vectors that have room for more entries than there are."""
    if entries < len(values) - len(values) // _WASTE:
        indices, values = indices[:entries].copy(), values[:entries].copy()
    made: Any = sp.csr_array((values[:entries], indices[:entries], starts), shape=shape)
    made.has_sorted_indices = True
    made.has_canonical_format = True
    return made


def dense_product(left: Any, right: Array) -> Array | None:
    """Return the product of a CSR matrix and a dense one; None if it is not made here."""
    dtype, (rows, width) = left.dtype, (left.shape[0], right.shape[1])
    if right.dtype != dtype or not width or left.nnz < 1:
        return None
    work = left.nnz * width
    entry = _entry("sparse_times_dense", work, (left,), dtype)
    if entry is None:
        return None
    item = dtype.itemsize
    if right.strides[1] != item or right.strides[0] % item or right.strides[0] < 0:
        right = np.ascontiguousarray(right)
    result = memory.empty((rows, width), dtype)
    count = threads_for(work)
    wanted = [left.nnz * k // count for k in range(1, count)]
    cuts = [0, *np.searchsorted(left.indptr, wanted).tolist(), rows]
    arguments = (
        *[_address(vector) for vector in (left.indptr, left.indices, left.data, right)],
        right.strides[0] // item,
        _address(result),
        width,
    )
    share(entry, [(*arguments, *piece) for piece in pairwise(cuts)], work)
    return result


def _entry(
    name: str, work: int, matrices: Sequence[Any], dtype: np.dtype[Any], mask: Any = None
) -> Entry | None:
    """The machine code of a loop, once it is worth it, if it takes such matrices."""
    type = element_name(dtype)
    if not is_written(name, type) or any(matrix.dtype != dtype for matrix in matrices):
        return None
    for matrix in matrices if mask is None else (*matrices, mask):
        vectors = matrix.data, matrix.indices, matrix.indptr
        if not all(vector.flags.c_contiguous for vector in vectors):
            return None
        if not matrix.indices.dtype == matrix.indptr.dtype == np.int32:
            return None
    key = f"{__name__} {name} {dtype}"
    if not pays_from(key, work + CALL, WORTH_LINKING):
        return None
    worth = pays_from(key, 0, WORTH_COMPILING) or is_kept(name, type)
    return written_loop(name, type) if worth else None


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
