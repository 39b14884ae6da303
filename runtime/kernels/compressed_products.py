"""Products of compressed rows, with each other and with dense matrices, on threads.

    sparse_product(a, b, terms)    a @ b of two CSR matrices, its entries in order and none zero
    masked_product(a, b, mask)     the same of tiles, where a third one has entries
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
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.row_merging import close_up, equal_cuts, shortened
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import element_name
from diablo.runtime.kernels.signature import Array
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import share, threads_for
from diablo.runtime.native.written_loops import CALL, repaid_loop

_GROUP = 1 << 12
"""How many columns a bit of the second level stands for, times those of a word."""


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
        *[address_of(v) for m in (left, right) for v in (m.indptr, m.indices, m.data)],
        *[address_of(v) for v in (indices, values, starts[1:])],
    ]
    held: list[Array] = []
    calls: list[tuple[int, ...]] = []
    pieces = list(pairwise(cuts))
    for place, piece in zip(places, pieces, strict=False):
        own = [np.zeros(width, dtype), np.zeros(64 * groups, np.int64), np.zeros(groups, np.int64)]
        held += own
        calls.append((*addresses, *map(address_of, own), groups, place, *piece))
    share(entry, calls, most)
    entries = close_up(starts, [indices, values], places, pieces)
    indices, values = shortened(indices, entries), shortened(values, entries)
    made: Any = sp.csr_array((values, indices, starts), shape=(rows, width))
    made.has_sorted_indices = True
    made.has_canonical_format = True
    return made


def masked_product(left: SparseTile, right: SparseTile, mask: SparseTile) -> SparseTile | None:
    """Return the product of two tiles where a third one has entries; None if it is not made here.

    It takes one step for each term of the product, and memory for the entries of the mask alone.
    What it stores is a part of the mask's pattern, and known to be.

    Parameters
    ----------
    left, right, mask : matrices of compressed rows
        `mask` has the shape of the product; what its entries are does not matter.
    """
    forms = [_rows_of(tile) for tile in (left, right, mask)]
    if None in forms or left.dtype != right.dtype:
        return None
    a, b, m = [form for form in forms if form is not None]
    vectors = [*_vectors(a, left.elements), *_vectors(b, right.elements), *_vectors(m)]
    if not all(vector.flags.c_contiguous for vector in vectors):
        return None
    dtype, (rows, width) = left.dtype, mask.shape
    terms = terms_of_rows(a.starts, a.indices, b.starts)
    most = int(terms.sum())
    entry = _compiled("masked_sparse_times_sparse", most, dtype)
    if entry is None:
        return None
    count = max(1, min(threads_for(most + m.count), rows))
    cuts = [0, rows]
    if count > 1:
        work: Array = np.zeros(rows + 1, np.int64)
        np.cumsum(terms, out=work[1:])
        cuts = equal_cuts([work, m.starts], count)
    pieces = list(pairwise(cuts))
    reserve(count * width * 4, "the marks of a row of {} columns", width)
    entries = memory.empty((m.count,), np.dtype(np.int32))
    values = memory.empty((m.count,), dtype)
    starts = np.zeros(rows + 1, np.int32)
    addresses = [address_of(v) for v in (*vectors, entries, values, starts[1:])]
    marks = [np.zeros(width, np.int32) for _ in pieces]
    own = zip(marks, pieces, strict=True)
    share(entry, [(*addresses, address_of(mark), *piece) for mark, piece in own], most + m.count)
    places = [int(m.starts[begin]) for begin, _ in pieces]
    stored = close_up(starts, [entries, values], places, pieces)
    kept, values = shortened(entries, stored), shortened(values, stored)
    form = Compressed(mask.shape, 1, starts, m.indices.take(kept))
    pattern = Pattern(mask.shape, form, 1)
    pattern.note_whole(mask.pattern, kept)
    return SparseTile(mask.shape, 1, pattern, values)


def _rows_of(tile: SparseTile) -> Compressed | None:
    """The compressed rows with 32-bit indices that a matrix stores, None if it has others."""
    rows = tile.pattern.form.as_lists(1)
    if rows is None or tile.pattern.order != (0, 1):
        return None
    return rows if rows.starts.dtype == rows.indices.dtype == np.int32 else None


def _vectors(rows: Compressed, *values: Array) -> list[Array]:
    return [rows.starts, rows.indices, *values]


def terms_of_rows(starts: Array, indices: Array, right_starts: Array) -> Array:
    """Return of how many terms each row of a product of compressed rows is the sum, as int64.

    Parameters
    ----------
    starts, indices : the rows of the left matrix
    right_starts : where those of the right one begin
    """
    vectors = starts, indices, right_starts
    fits = all(v.dtype == np.int32 and v.flags.c_contiguous for v in vectors)
    entry = _compiled("terms_of_rows", len(indices)) if fits else None
    if entry is None:
        lengths = np.diff(right_starts)
        before: Array = np.zeros(len(indices) + 1, np.int64)
        np.cumsum(lengths.take(indices), out=before[1:])
        return np.diff(before.take(starts))
    rows = len(starts) - 1
    terms = np.empty(rows, np.int64)
    addresses = [address_of(vector) for vector in (*vectors, terms)]
    cuts = equal_cuts([starts], max(1, min(threads_for(len(indices)), rows)))
    share(entry, [(*addresses, *piece) for piece in pairwise(cuts)], len(indices))
    return terms


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
        *[address_of(vector) for vector in (left.indptr, left.indices, left.data, right)],
        right.strides[0] // item,
        address_of(result),
        width,
    )
    share(entry, [(*arguments, *piece) for piece in pairwise(cuts)], work)
    return result


def _entry(name: str, work: int, matrices: Sequence[Any], dtype: np.dtype[Any]) -> Entry | None:
    """The machine code of a loop, once it is worth it, if it takes such CSR matrices."""
    for matrix in matrices:
        vectors = matrix.data, matrix.indices, matrix.indptr
        if matrix.dtype != dtype or not all(vector.flags.c_contiguous for vector in vectors):
            return None
        if not matrix.indices.dtype == matrix.indptr.dtype == np.int32:
            return None
    return _compiled(name, work, dtype)


def _compiled(name: str, work: int, dtype: np.dtype[Any] | None = None) -> Entry | None:
    """The machine code of a loop, once it is worth it, if there is one for such elements."""
    kind = None if dtype is None else element_name(dtype)
    return repaid_loop(work + CALL, name, kind) if dtype is None or kind is not None else None
