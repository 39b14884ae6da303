"""A second order of a pattern's entries, beside the one that they are numbered in.

The entries of [[0, 7, 0], [5, 0, 6]] are numbered by rows: 7, 5, 6. Iterated by columns

    form      the turned box's lists: Compressed((3, 2), 1, starts [0, 1, 2, 3], indices [1, 0, 1])
    entries   the number of each: [1, 0, 2]

Values are never stored twice: they are read through `entries`. For the transpose of a compressed
matrix these are not stored: an entry is searched for in its row, and all of them are counted. Its
indices take 8 or 16 bits where these do, and the lists of a symmetric pattern are shared with the
first order. So the second order takes half of the first's bytes for a matrix with up to 65536
rows, and none for those of CG.
"""

from __future__ import annotations

from math import prod

import numpy as np

from diablo.runtime.arrays.patterns.boxes import (
    Array,
    distinct_bytes,
    flat_positions,
    index_type,
    narrowest_unsigned,
    turned,
    unflatten,
)
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.form_choice import plain
from diablo.runtime.arrays.patterns.layout import Order
from diablo.runtime.arrays.patterns.searching import lower_bounds
from diablo.runtime.arrays.patterns.transposition import ByColumns, by_columns
from diablo.runtime.ordering import stable_order


class Turned:
    """The lists of a pattern in another order, and which entry is where.

    Unless `entries` are stored, it is the transpose of the compressed matrix `first`. Those that
    were found with its lists, `fresh`, are held until they are asked for.
    """

    def __init__(self, form: Form, entries: Array | None, first: Form, fresh: Array | None = None):
        self.form = form
        self._entries = entries
        self._first = first
        self._fresh = fresh

    def entries(self) -> Array:
        """The number of each entry in the first order; made anew for a transposed matrix."""
        if self._entries is not None:
            return self._entries
        found, self._fresh = self._fresh, None
        if found is not None:
            return found
        assert isinstance(self._first, Compressed)
        return by_columns(self._first).entries

    def entries_of(self, places: Array) -> Array:
        """The numbers of some entries, by their places in this order."""
        if self._entries is not None:
            return self._entries.take(places)
        first, form = self._first, self.form
        assert isinstance(first, Compressed)
        assert isinstance(form, Compressed)
        rows = form.indices.take(places).astype(np.int64)
        columns = form.positions_of(places) // form.length
        starts = first.starts
        low = starts.take(rows).astype(np.int64)
        high = starts.take(rows + 1).astype(np.int64)
        return lower_bounds(first.indices, low, high, columns)

    def vectors(self) -> list[Array]:
        """The vectors that it consists of; some may be the first order's."""
        stored = [] if self._entries is None else [self._entries]
        return [*self.form.vectors().values(), *stored]

    @property
    def nbytes(self) -> int:
        """The bytes that it takes in memory besides the first order."""
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
    lists = None if cut is None else first.as_lists(cut)
    if lists is not None:
        return _transpose(lists, shape, list_rank)
    flat = flat_positions(
        turned(unflatten(first.positions(), first.shape), axes), shape, first.count
    )
    order = stable_order(flat)
    form = plain(flat.take(order), shape, list_rank)
    return Turned(form, order.astype(index_type(first.count), copy=False), first)


def _rotation(axes: list[int]) -> int | None:
    """Return how many leading dimensions have come behind the others, if that is all."""
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
        return Turned(form, order.astype(index_type(first.count), copy=False), first)
    turned = by_columns(first)
    if prod(shape[:list_rank]) != columns:
        flat = turned.rows + np.repeat(np.arange(columns) * rows, np.diff(turned.starts))
        return Turned(plain(flat, shape, list_rank), turned.entries, first)
    return Turned(_compact(turned, shape, list_rank, first), None, first, turned.entries)


def _compact(
    turned: ByColumns, shape: tuple[int, ...], list_rank: int, first: Compressed
) -> Compressed:
    """The lists, shared where they are the first order's, and narrow."""
    starts, indices, _ = turned
    if np.array_equal(starts, first.starts):
        starts = first.starts
        if np.array_equal(indices, first.indices):
            return Compressed(shape, list_rank, starts, first.indices)
    narrow = narrowest_unsigned(len(first.starts) - 2)
    if narrow.itemsize >= first.indices.itemsize:
        narrow = first.indices.dtype
    return Compressed(shape, list_rank, starts, indices.astype(narrow, copy=False))
