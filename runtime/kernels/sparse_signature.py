"""Sparse tiles of a call as machine code takes them, as the signature of a compiled kernel says.

f64{1}[1,2]             the starts of rows, the indices, the values
f64{1;bitmap;;64}[1,2]  the vectors of a bitmap
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from diablo.kernel_signature import Slot
from diablo.runtime.arrays.patterns.boxes import row_major
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.layout import Layout, Order
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tile_buffers import buffers
from diablo.runtime.kernels.signature import ELEMENTS, Array, accept, parts_of, pass_tensor
from diablo.runtime.native.addresses import address_of
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot, StoredLayout


@cache
def layout_of(stored: StoredLayout) -> Layout:
    """The layout whose vectors machine code takes."""
    return Layout(stored.form, (stored.order,) if stored.order else (), width=stored.width)


def order_of(slot: SparseSlot) -> Order:
    """The order of the dimensions in which tiles are passed."""
    rank = len(slot.dimensions)
    return row_major(rank) if slot.layout is None else layout_of(slot.layout).orders_of(rank)[0]


def accepts_tile(slot: SparseSlot, value: object) -> bool:
    """Return whether a tile is of the kind that machine code takes, whatever its layout is."""
    return (
        isinstance(value, SparseTile)
        and value.dense_rank == slot.dense_rank
        and value.ndim == len(slot.dimensions)
        and value.dtype == ELEMENTS[slot.element].dtype
    )


def vectors_of(slot: SparseSlot, tile: SparseTile) -> list[Array] | None:
    """The vectors that machine code takes; None if the tile cannot be passed so."""
    if slot.layout is not None:
        return buffers(tile, layout_of(slot.layout))
    if tile.indptr.dtype != np.int32 or tile.indices.dtype != np.int32:
        return None
    values = [] if ELEMENTS[slot.element].dtype == np.bool_ else [tile.values]
    return [tile.indptr, tile.indices, *values]


def stored_layout(tile: SparseTile) -> StoredLayout | None:
    """The layout that machine code for a tile is to take; None for rows with 32-bit indices."""
    pattern = tile.pattern
    form = pattern.form
    if (
        isinstance(form, Compressed)
        and form.indices.dtype == np.int32
        and pattern.order == row_major(tile.ndim)
    ):
        return None
    return pattern.keep("layout in kernels", lambda: _stored_layout(pattern))


def _stored_layout(pattern: Pattern) -> StoredLayout:
    order = () if pattern.order == row_major(pattern.ndim) else pattern.order
    form, vectors = pattern.form.format, pattern.form.vectors().items()
    wide = any(v.dtype == np.int64 for field, v in vectors if field not in form.wide_vectors)
    return StoredLayout(pattern.form.name, order, 64 if wide else 32)


def vector_words(array: Array) -> list[int]:
    """A vector as machine code takes it."""
    return [address_of(array), len(array)]


def argument_words(
    signature: SparseSignature, values: Sequence[Any], passed: Sequence[Any]
) -> list[list[Any]]:
    """The words that machine code takes for each of its arguments.

    `passed` are the `values`, of sparse tiles their vectors.
    """
    words: list[list[Any]] = []
    for slot, value, given in zip(signature.arguments, values, passed, strict=True):
        if isinstance(slot, SparseSlot):
            vectors = [word for vector in given for word in vector_words(vector)]
            words.append([*vectors, *value.shape])
        elif slot.dimensions is None:
            words.append(parts_of(slot, given))
        else:
            words.append(pass_tensor(given))
    return words


def accept_sparse(signature: SparseSignature, arguments: Sequence[Any]) -> list[Any] | None:
    """The arguments as machine code takes them, or None if it does not.

    Sparse tiles may be in any layout.
    """
    if len(arguments) != len(signature.arguments):
        return None
    pairs = list(zip(signature.arguments, arguments, strict=True))
    dense = accept(signature.dense_arguments, [v for slot, v in pairs if isinstance(slot, Slot)])
    if dense is None:
        return None
    rest = iter(dense)
    values: list[Any] = []
    for slot, value in pairs:
        if isinstance(slot, Slot):
            values.append(next(rest))
        elif accepts_tile(slot, value):
            values.append(value)
        else:
            return None
    return values if fits(signature, values) else None


def may_derive_rows(signature: SparseSignature, values: Sequence[Any]) -> bool:
    """Return whether tiles may be passed by rows that are derived from another layout of theirs.

    Such rows take memory of their own, so only where NumPy would make tiles dense, or where
    the entries are by rows anyway. The values of a result are those over the first order.
    """
    over = [s.over for s in signature.outputs if isinstance(s, SparseSlot) and s.over is not None]
    tiles = [value for value in values if isinstance(value, SparseTile)]
    needed = [values[number] for number in over] if signature.space else tiles
    return all(tile.pattern.order == row_major(tile.ndim) for tile in needed)


def passed_values(signature: SparseSignature, values: Sequence[Any]) -> list[Any] | None:
    """The values as they are passed, tiles as lists of vectors; None if one cannot be."""
    result: list[Any] = []
    for slot, value in zip(signature.arguments, values, strict=True):
        given = vectors_of(slot, value) if isinstance(slot, SparseSlot) else value
        if given is None:
            return None
        result.append(given)
    return result


def fits(signature: SparseSignature, values: Sequence[Any]) -> bool:
    """Return whether sparse tiles have the extents that are read, and others at least these.

    And whether those that have to share a pattern do.
    """
    for slot, value in zip(signature.arguments, values, strict=True):
        like = slot.like if isinstance(slot, SparseSlot) else None
        if like is not None and not _is_like(value, values[like]):
            return False
        for axis, dimension in enumerate(slot.dimensions or ()):
            if dimension is None:
                continue
            extent, wanted = value.shape[axis], dimension.of(values)
            if extent < wanted or (isinstance(slot, SparseSlot) and extent != wanted):
                return False
    return True


def _is_like(tile: SparseTile, other: SparseTile) -> bool:
    """Return whether two tiles store the same indices in the same order."""
    same_order = tile.pattern.order == other.pattern.order
    return same_order and tile.pattern.same_set(other.pattern)
