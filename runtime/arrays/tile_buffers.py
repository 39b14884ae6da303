"""A tile as the buffers that a kernel over its index vectors takes.

    buffers(tile, parse("form = compressed, orders = [[0, 1], [1, 0]], width = 32"))
        ->   starts, indices; starts, indices and entries by columns; values

A kernel is compiled for one form and one width of indices. Vectors that the tile's pattern does
not have so are derived and kept with it, so that further calls, and tiles that share the
pattern, find them. What cannot be had so (a pattern that is no band, indices too large for 32
bits) is for another kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.format_table import AUTO, FORMATS, format_for
from diablo.runtime.arrays.patterns.boxes import Array, turned
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.form_choice import PLAIN, build
from diablo.runtime.arrays.patterns.layout import Layout, Order
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile


def buffers(tile: SparseTile, layout: Layout) -> list[Array] | None:
    """The index vectors of the first order, those of each further one, and the values.

    Parameters
    ----------
    layout : `auto` stands for compressed, a width of 0 for 64 bits. Lists are numbered by the
        first `tile.dense_rank` dimensions of each order. Further orders have, after their
        vectors, the number of each of their entries in the first

    Returns
    -------
    list of arrays, or None
        Index vectors of int32 or int64, but the words of a bitmap and the offsets of a band,
        which are int64 always; then the values in the first order, unless they are Boolean.
        None if the tile cannot be stored so.
    """
    orders = layout.orders_of(tile.ndim)
    pattern, rank = tile.pattern, tile.dense_rank
    if orders == (pattern.order,):  # These are vectors that the pattern has, or keeps.
        found = pattern.keep(
            ("buffers", layout, rank), lambda: _index_vectors(pattern, rank, layout, orders)
        )
    else:
        found = _index_vectors(pattern, rank, layout, orders)
    if found is None:
        return None
    if tile.dtype == np.bool_:
        return [*found]
    places = pattern.entries(orders[0])
    return [*found, tile.elements if places is None else tile.elements.take(places)]


def _index_vectors(
    pattern: Pattern, list_rank: int, layout: Layout, orders: Sequence[Order]
) -> list[Array] | None:
    """The vectors of `buffers` but for the values."""
    name = format_for("lists") if layout.form == AUTO else layout.form
    format = FORMATS[name]
    index = np.dtype(np.int32 if layout.width == 32 else np.int64)
    result: list[Array] = []
    for number, order in enumerate(orders if format.further_orders else orders[:1]):
        form = _form_of(pattern, name, order, list_rank)
        if form is None:
            return None
        vectors = form.vectors()
        if number:
            vectors["entries"] = _entries(pattern, orders[0], order)
        for field, vector in vectors.items():
            key = ("buffer", name, order, list_rank, field, index)
            wide = field in format.wide_vectors
            typed = vector.view(np.int64) if wide else vector
            if typed.dtype != index and not wide:
                if not _fits(vector, index):
                    return None
                typed = pattern.keep(key, lambda v=vector: v.astype(index))
            result.append(typed)
    return result


def _form_of(pattern: Pattern, name: str, order: Order, list_rank: int) -> Form | None:
    """The set in a form over the box in an order; None if it has no such form."""
    at_hand = [pattern.form] if order == pattern.order else []
    if name in PLAIN and order != pattern.order:
        at_hand.append(pattern.turned(order, list_rank).form)
    for form in at_hand:
        if form.name == name and form.list_rank in (None, list_rank):
            return form
    shape = turned(pattern.shape, order)
    form = pattern.keep(
        ("form", name, order, list_rank),
        lambda: build(lambda: pattern.flat(order), shape, list_rank, Layout(name)),
    )
    return form if form.name == name else None


def _entries(pattern: Pattern, first: Order, order: Order) -> Array:
    """The number in the order `first` of each entry in another order."""

    def numbers() -> Array:
        entries, places = pattern.entries(order), pattern.entries(first)
        entries = np.arange(pattern.count) if entries is None else entries
        if places is None:
            return entries
        number = np.empty(pattern.count, np.int64)
        number[places] = np.arange(pattern.count)
        return number.take(entries)

    return pattern.keep(("entries", first, order), numbers)


def _fits(vector: Array, index: np.dtype[Any]) -> bool:
    """Return whether a type of indices holds a vector."""
    narrower = vector.dtype.itemsize > index.itemsize
    return not (narrower and len(vector)) or int(vector.max()) <= np.iinfo(index).max
