"""A second order of a pattern's entries, beside the one that they are numbered in.

The entries of [[0, 7, 0], [5, 0, 6]] are numbered by rows: 7, 5, 6. Iterated by columns

    form      the turned box's lists: Compressed((3, 2), 1, starts [0, 1, 2, 3], indices [1, 0, 1])
    entries   the number of each: [1, 0, 2]

Values are never stored twice: they are read through `entries`. For the transpose of a compressed
matrix these are not stored as such either. An entry in row i is number `starts[i]` + its rank in
that row, and a rank fits 8 or 16 bits where rows are short; the lists of a symmetric pattern are
shared with the first order. So the second order of CG's matrices takes half of the first's bytes.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from scipy import sparse

from diablo.runtime.arrays.ordering import stable_order
from diablo.runtime.arrays.patterns.boxes import (
    Array,
    distinct_bytes,
    flat_positions,
    index_type,
    narrowest_unsigned,
    turned,
    unflatten,
)
from diablo.runtime.arrays.patterns.choice import plain
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.layout import Order
from diablo.runtime.arrays.patterns.lists import Compressed


class Turned:
    """The lists of a pattern in another order, and which entry is where."""

    def __init__(self, form: Form, entries: Array | None, ranks: Array | None, first: Form):
        self.form = form
        self._entries = entries
        self.ranks = ranks
        """Of each, its rank in its list of the first order; None if `entries` are stored."""
        self._first = first

    def entries(self) -> Array:
        """The number of each entry in the first order; made anew where ranks are stored."""
        if self._entries is not None:
            return self._entries
        assert isinstance(self._first, Compressed)
        assert isinstance(self.form, Compressed)
        assert self.ranks is not None
        return self._first.starts.take(self.form.indices) + self.ranks

    def entries_of(self, places: Array) -> Array:
        """The numbers of some entries, by their places in this order."""
        if self._entries is not None:
            return self._entries.take(places)
        assert isinstance(self._first, Compressed)
        assert isinstance(self.form, Compressed)
        assert self.ranks is not None
        return self._first.starts.take(self.form.indices.take(places)) + self.ranks.take(places)

    def vectors(self) -> list[Array]:
        """The vectors that it consists of; some may be the first order's."""
        numbers = self._entries if self._entries is not None else self.ranks
        return [*self.form.vectors().values(), *([] if numbers is None else [numbers])]

    @property
    def nbytes(self) -> int:
        """What it takes in memory besides the first order."""
        first = list(self._first.vectors().values())
        return distinct_bytes([*first, *self.vectors()]) - distinct_bytes(first)


def turn(first: Form, stored: Order, wanted: Order, list_rank: int) -> Turned:
    """The order `wanted` of a pattern whose box and entries are in the order `stored`.

    Parameters
    ----------
    first : the form, over the box in the order `stored`
    list_rank : how many leading dimensions of the order `wanted` number its lists
    """
    axes = [stored.index(d) for d in wanted]
    shape = turned(first.shape, axes)
    cut = _rotation(axes)
    if isinstance(first, Compressed) and first.list_rank == cut:
        return _transpose(first, shape, list_rank)
    flat = flat_positions(
        turned(unflatten(first.positions(), first.shape), axes), shape, first.count
    )
    order = stable_order(flat)
    form = plain(flat.take(order), shape, list_rank)
    return Turned(form, order.astype(index_type(first.count), copy=False), None, first)


def _rotation(axes: list[int]) -> int | None:
    """How many leading dimensions have come behind the others, if that is all."""
    cut = axes[0] if axes else 0
    rotated = [*range(cut, len(axes)), *range(cut)]
    return cut if cut and axes == rotated else None


def _transpose(first: Compressed, shape: tuple[int, ...], list_rank: int) -> Turned:
    """The transpose of a compressed matrix: by counting, as CSR becomes CSC."""
    rows, columns = len(first.starts) - 1, first.length
    if max(columns, rows) > 4 * first.count + 4:
        # Counting would take time of the box and not of the entries.
        flat = first.indices.astype(np.int64) * rows + first.list_of_entries()
        order = stable_order(flat)
        form = plain(flat.take(order), shape, list_rank)
        return Turned(form, order.astype(index_type(first.count), copy=False), None, first)
    numbers = np.arange(first.count, dtype=first.indices.dtype)
    matrix: Any = sparse.csr_array((numbers, first.indices, first.starts), shape=(rows, columns))
    matrix = matrix.tocsc()
    if prod(shape[:list_rank]) != columns:
        flat = matrix.indices + np.repeat(np.arange(columns) * rows, np.diff(matrix.indptr))
        return Turned(plain(flat, shape, list_rank), matrix.data, None, first)
    return _compact(matrix, shape, list_rank, first)


def _compact(matrix: Any, shape: tuple[int, ...], list_rank: int, first: Compressed) -> Turned:
    """Lists shared where they are the first order's, numbers as ranks where these are short."""
    starts, indices, numbers = matrix.indptr, matrix.indices, matrix.data
    starts = starts.astype(first.starts.dtype, copy=False)
    indices = indices.astype(first.indices.dtype, copy=False)
    if np.array_equal(starts, first.starts):
        starts = first.starts
        if np.array_equal(indices, first.indices):
            indices = first.indices
    form = Compressed(shape, list_rank, starts, indices)
    longest = int(np.diff(first.starts).max(initial=0))
    ranks = narrowest_unsigned(longest - 1)
    if ranks.itemsize >= numbers.itemsize:
        return Turned(form, numbers, None, first)
    return Turned(form, None, (numbers - first.starts.take(indices)).astype(ranks), first)
