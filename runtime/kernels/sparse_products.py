"""Products of a sparse tile and a dense vector, over its lists as they are stored.

    product(tile, (1,), (0,), (n, m), x)      # the transposed matrix times x

If the rows of the matrix are the lists that the tile stores, each element of the product is the
sum over one list; if its columns are, the lists are added to the product one after the other.
Either way there is one set of indices and of values, which is gone through in order; to gather
the values by columns through a permutation takes five to seven times as long once they do not fit
in the cache. For short rows that are used again, an order
is made in which they are gone through faster (`row_products`), long ones are summed in parts side
by side. Large products are shared by
threads, in machine code, as SciPy's do not release the interpreter lock. An element that is the
sum over one list has the same bits however many threads there are; others are summed in parts,
one for each thread. Whatever the numbers are, they are added up in 64 bits (`wider`).
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import DTypeLike
from typing_extensions import override

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.given_tile import rows_as_given
from diablo.runtime.arrays.patterns.boxes import INT32_MAX
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import row_products
from diablo.runtime.kernels.arithmetic import matrix
from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import MOST_PIECES, Job, share, threads_for
from diablo.runtime.native.work_seen import pays_from
from diablo.runtime.native.written_loops import written_loop

WORTH_COMPILING = 1 << 20
"""From how many entries on, over all products in a process, they are compiled.

That is a quarter of a kernel's: a process has few of these loops, and all its products share them.
"""
USES_BEFORE_SORTING = 1
"""How many products take short rows as they are: sorting takes as long as eight of them save."""
_MOST_TURNED = 1 << 16
"""Of how many entries rows are made at once for a loop that multiplies vectors in machine code.

With more, a product takes so long that what Python does beside it does not matter.
"""
PIECES_OF_A_THREAD = 4
"""In how many pieces the work of a thread is cut, so that one that is held up is helped."""
SMALLEST_PIECE = 1 << 15
"""How many entries it has then: to hand one over costs as much as a few thousand."""

Key = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

_OF_TYPES = {
    np.dtype(np.float32): "float",
    np.dtype(np.complex64): "complex64",
    np.dtype(np.complex128): "complex128",
}
"""The types of numbers, besides floats of 64 bits, for which there are loops over rows."""

_LOOPS = {
    **{kind: f"{kind}_rows_times_vector" for kind in _OF_TYPES.values()},
    "long rows": "long_rows_times_vector",
    "rows": "rows_times_vector",
    "ordered rows": "ordered_rows_times_vector",
    "columns": "columns_times_vector",
}


class _Lists(ABC):
    """Lists of places and values, `width` places each, as a side of products."""

    def __init__(self, starts: Array, indices: Array, values: Array, width: int):
        starts, indices, values = map(np.ascontiguousarray, (starts, indices, values))
        self.arrays = starts, indices, values
        self.width = width
        self.count = len(starts) - 1
        self._entries: dict[str, Entry] = {}
        self._addresses = [address_of(array) for array in self.arrays]
        self._fits = (
            starts.dtype == indices.dtype
            and starts.dtype in (np.int32, np.int64)
            and (values.dtype == np.float64 or values.dtype in _OF_TYPES)
        )

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values, of vectors, and of products."""
        return self.arrays[2].dtype

    @property
    @abstractmethod
    def length(self) -> int:
        """How many elements the vector has."""

    def times(self, vector: Array) -> Array | None:
        """The product with a vector, `None` if there is no machine code for it."""
        if vector.dtype != self.dtype or vector.shape != (self.length,) or not self._fits:
            return None
        if not vector.flags.c_contiguous:
            vector = np.ascontiguousarray(vector)
        return self._times(vector)

    @abstractmethod
    def _times(self, vector: Array) -> Array | None:
        """The product with a vector of the right length and type."""

    def _entry(self, kind: str) -> Entry | None:
        """The machine code of a kernel, once there is enough to do."""
        found = self._entries.get(kind)
        if found is None and pays_from((__name__, kind), len(self.arrays[2]), WORTH_COMPILING):
            found = written_loop(_LOOPS[kind], self._index_type)
            if found is not None:
                self._entries[kind] = found
        return found

    @property
    def _index_type(self) -> str:
        """The type of indices, as the written loops have it."""
        return f"i{8 * self.arrays[0].dtype.itemsize}"

    def _pieces(self, count: int, multiple: int = 1) -> Sequence[tuple[int, int]]:
        """`count` ranges of lists of about equally many entries; bounds are multiples."""
        starts, entries = self.arrays[0], len(self.arrays[2])
        wanted = np.array([entries * k // count for k in range(1, count)], starts.dtype)
        cuts = np.searchsorted(starts, wanted) // multiple * multiple
        return list(pairwise([0, *cuts.tolist(), self.count]))


class _Rows(_Lists):
    """A matrix whose rows are the lists."""

    order: Array | None = None
    """In which order short rows are taken, once they are used again."""

    def __init__(self, starts: Array, indices: Array, values: Array, width: int):
        super().__init__(starts, indices, values, width)
        self._long = row_products.are_long(starts)
        self._uses = 0
        self._cut: dict[tuple[int, int], Sequence[tuple[int, int]]] = {}

    @property
    @override
    def length(self) -> int:
        return self.width

    @override
    def _times(self, vector: Array) -> Array | None:
        self._uses += 1
        takes_order = self.dtype == np.float64 and not self._long
        if self._uses > USES_BEFORE_SORTING and self.order is None and takes_order:
            self.order = row_products.row_order(self.arrays[0])
        order = self.order  # Another thread may set it meanwhile.
        entry = self._entry(self._kind(order))
        if entry is None:
            return None
        result = memory.empty((self.count,), self.dtype)
        arguments = (*self._passed(order), address_of(vector), address_of(result))
        entries = len(self.arrays[2])
        threads = threads_for(entries)
        if threads == 1:
            entry(*arguments, 0, self.count)
        else:
            shares = self._shares(threads, 1 if order is None else row_products.WINDOW)
            share(entry, [(*arguments, a, b) for a, b in shares], entries)
        return result

    def job(self, words: tuple[int, int]) -> Job | None:
        """The products with any vector as machine code makes them, None if there is none."""
        if not self._fits or self.dtype != np.float64:
            return None
        if self.order is None and not self._long:
            self.order = row_products.row_order(self.arrays[0])
        order = self.order
        entry = written_loop(_LOOPS[self._kind(order)], self._index_type)
        if entry is None:
            return None
        passed = self._passed(order)
        entries = len(self.arrays[2])
        threads = threads_for(entries)
        multiple = 1 if order is None else row_products.WINDOW
        shares = self._shares(threads, multiple) if threads > 1 else [(0, self.count)]
        if len(shares) > MOST_PIECES:
            return None
        calls = [(*passed, 0, 0, a, b) for a, b in shares]
        return Job(entry, calls, [(len(passed), words[0]), (len(passed) + 1, words[1])], entries)

    def matrix_job(self, dense: Array, words: tuple[int, int]) -> Job | None:
        """The products with any matrix that lies as this one does, None if there is no code."""
        starts, size = self.arrays[0], dense.itemsize
        step, along = dense.strides
        entry = written_loop("sparse_times_dense", "f64")
        fits = self._fits and starts.dtype == np.int32 and self.dtype == dense.dtype == np.float64
        if entry is None or not fits or not dense.size or along != size or step % size:
            return None
        width = dense.shape[1]
        work = len(self.arrays[2]) * width
        pieces = self._pieces(min(threads_for(work), max(1, self.count)))
        calls = [(*self._addresses, 0, step // size, 0, width, a, b) for a, b in pieces]
        return Job(entry, calls, [(3, words[0]), (5, words[1])], work)

    def _kind(self, order: Array | None) -> str:
        if self.dtype != np.float64:
            return _OF_TYPES[self.dtype]
        return "long rows" if self._long else "rows" if order is None else "ordered rows"

    def _passed(self, order: Array | None) -> list[int]:
        """The arguments of a loop for the matrix."""
        return [*([] if order is None else [address_of(order)]), *self._addresses]

    def _shares(self, threads: int, multiple: int) -> Sequence[tuple[int, int]]:
        """The ranges of rows that so many threads compute."""
        shares = self._cut.get((threads, multiple))
        if shares is None:
            most = threads * PIECES_OF_A_THREAD
            worth = pays(len(self.arrays[2]), most * SMALLEST_PIECE)
            wanted = most if worth else len(self.arrays[2]) // SMALLEST_PIECE
            shares = self._cut[threads, multiple] = self._pieces(max(threads, wanted), multiple)
        return shares


class _Columns(_Lists):
    """A matrix whose columns are the lists."""

    @property
    @override
    def length(self) -> int:
        return self.count

    @override
    def _times(self, vector: Array) -> Array | None:
        entry = self._entry("columns") if self.dtype == np.float64 else None
        if entry is None:
            return None
        entries = len(self.arrays[2])
        threads = threads_for(entries)
        # The parts are written and added up, which must take less than what it saves.
        worth = threads > 1 and pays(entries, threads * self.width)
        pieces = self._pieces(threads) if worth else [(0, self.count)]
        parts = memory.empty((len(pieces), self.width), np.dtype(np.float64))
        arguments = (*self._addresses, address_of(vector))
        calls = [
            (*arguments, address_of(part), self.width, a, b)
            for part, (a, b) in zip(parts, pieces, strict=True)
        ]
        share(entry, calls, entries)
        return parts[0] if len(parts) == 1 else np.add.reduce(parts, axis=0)


def sums_of_places(starts: Array, indices: Array, values: Array, width: int) -> Array | None:
    """Return the sum of the values at each of `width` places, those of all lists.

    None if there is no machine code for it. `starts` says where each list begins.
    """
    return _Columns(starts, indices, values, width).times(np.ones(len(starts) - 1))


class _Uses:
    """How often a tile has been used in each kind of product, and what was made for it."""

    def __init__(self) -> None:
        self.counts: dict[Key, int] = {}
        self.lists: dict[Key, _Lists] = {}
        self._rows: dict[Key, _Rows] = {}

    def made_rows(self, tile: SparseTile, key: Key) -> _Rows:
        """Rows that are made of what a tile stores, once."""
        if (ready := self._rows.get(key)) is None:
            left = matrix(tile, *key).tocsr()
            starts, indices = left.indptr, left.indices
            if max(left.nnz, left.shape[1]) <= INT32_MAX:
                starts, indices = (v.astype(np.int32, copy=False) for v in (starts, indices))
            ready = self._rows[key] = _Rows(starts, indices, left.data, left.shape[1])
        return ready


_uses: WeakKeyDictionary[SparseTile, _Uses] = WeakKeyDictionary()


def _uses_of(tile: SparseTile) -> _Uses:
    uses = _uses.get(tile)
    if uses is None:
        uses = _uses[tile] = _Uses()
    return uses


_WIDER = {
    np.dtype(np.float32): np.dtype(np.float64),
    np.dtype(np.complex64): np.dtype(np.complex128),
}


def wider(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """Return in what numbers are added up where a library would take them as they are."""
    return _WIDER.get(dtype)


def widened(array: Any, dtype: DTypeLike) -> Any:
    """Return an array with other elements; one of SciPy's compressed ones shares its indices."""
    if array.dtype == dtype:
        return array
    if getattr(array, "format", None) not in ("csr", "csc"):
        return array.astype(dtype)
    parts = (array.data.astype(dtype), array.indices, array.indptr)
    made = type(array)(parts, shape=array.shape)
    made.has_sorted_indices = array.has_sorted_indices
    return made


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
    uses = _uses_of(tile)
    if not uses.counts and (result := _product_as_given(tile, key, vector)) is not None:
        uses.counts[key] = 1
        return result
    ready = uses.lists.get(key) or _prepared(uses, tile, key)
    if ready is not None:
        if len(vector) > ready.length:
            vector = vector[: ready.length]
        if (result := ready.times(vector)) is not None:
            return result
    left, vector = matrix(tile, *key), vector[: prod([extents[d] for d in columns])]
    dtype = np.result_type(left.dtype, vector.dtype)
    wide = wider(dtype) or dtype
    made: Array = widened(widened(left, wide) @ widened(vector, wide), dtype)
    return made


def _product_as_given(tile: SparseTile, key: Key, vector: Array) -> Array | None:
    """Return the product of rows between whose values no zeros have been looked for yet.

    None if there are none, if it is not made here, or if an element is not a number, which only a
    stored zero may have made.
    """
    given = rows_as_given(tile)
    if given is None or key != ((0,), (1,), tile.shape):
        return None
    form = given.pattern.form
    assert isinstance(form, Compressed)
    rows = _Rows(form.starts, form.indices, given.values, form.length)
    made = rows.times(vector[: rows.length])
    return None if made is None or np.isnan(made.min(initial=0.0)) else made


def product_job(
    tile: Any,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    extents: tuple[int, ...],
    words: tuple[int, int] = (0, 1),
) -> tuple[Job, int] | None:
    """The products of a sparse tile, as `product` has them, that machine code makes itself.

    And how many entries there are. The words of a table are the addresses of a vector and of what
    it is multiplied to. None where elements of the products are no sums over the lists of a tile,
    of which it takes long to make rows.
    """
    if os.name != "posix" or not isinstance(tile, SparseTile):
        return None
    ready = _rows_of(tile, rows, columns, extents)
    if ready is None and len(tile.elements) <= _MOST_TURNED:
        ready = _uses_of(tile).made_rows(tile, (rows, columns, extents))
    job = None if ready is None else ready.job(words)
    return None if ready is None or job is None else (job, len(ready.arrays[2]))


def matrix_product_job(
    tile: Any,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    extents: tuple[int, ...],
    dense: Array,
    words: tuple[int, int],
) -> tuple[Job, int] | None:
    """The products of a sparse tile with dense matrices that lie in memory as one does.

    Else as `product_job`, but that rows are made where the tile has others. The terms of an element
    are added in their order, as by `compressed_products.dense_product` and SciPy.
    """
    if os.name != "posix" or not isinstance(tile, SparseTile):
        return None
    ready = _rows_of(tile, rows, columns, extents)
    if ready is None:
        ready = _uses_of(tile).made_rows(tile, (rows, columns, extents))
    job = ready.matrix_job(dense, words)
    return None if job is None else (job, len(ready.arrays[2]) * dense.shape[1])


def _rows_of(
    tile: SparseTile, rows: tuple[int, ...], columns: tuple[int, ...], extents: tuple[int, ...]
) -> _Rows | None:
    """The lists of a tile as the rows of a matrix; None if they are not all of its rows."""
    key = (rows, columns, extents)
    uses = _uses_of(tile)
    ready = uses.lists.get(key) or _prepared(uses, tile, key)
    shape = tuple(prod([extents[d] for d in dims]) for dims in (rows, columns))
    return ready if isinstance(ready, _Rows) and shape == (ready.count, ready.length) else None


def _prepared(uses: _Uses, tile: SparseTile, key: Key) -> _Lists | None:
    """Return what products of a kind take; None if rows had to be made that may not serve again.

    The tile's own lists do if they are along the rows or the columns.
    """
    rows, columns, extents = key
    count = uses.counts[key] = uses.counts.get(key, 0) + 1
    ready: _Lists | None = None
    if tile.shape == extents:
        lists = _lists_of(tile)
        order, rank = tile.pattern.order, lists.list_rank
        arrays = (lists.starts, lists.indices, tile.elements)
        if (rows, columns) == (order[:rank], order[rank:]):
            ready = _Rows(*arrays, lists.length)
        elif (columns, rows) == (order[:rank], order[rank:]):
            ready = _Columns(*arrays, lists.length)
    if ready is None and count > USES_BEFORE_SORTING:
        ready = uses.made_rows(tile, key)
    if ready is not None:
        uses.lists[key] = ready
    return ready


def _lists_of(tile: SparseTile) -> Compressed:
    """The lists that a tile stores, derived if it has another form; entries in their order."""
    pattern, form = tile.pattern, tile.pattern.form
    if isinstance(form, Compressed):
        return form
    if pattern.order == tuple(range(tile.ndim)):
        return pattern.compressed(tile.dense_rank)
    return pattern.keep(
        ("lists", pattern.order, pattern.list_rank),
        lambda: Compressed.of_positions(form.positions(), form.shape, pattern.list_rank),
    )
