"""Parts of a pattern: boxes, moved patterns, and those that satisfy a predicate.

Each is a `Selection`: the pattern of the part, and which entry of the whole each of its entries
is, so that an array's values follow: `values[selection.entries]`.

    restrict(pattern, (1, 0), (2, 3))           rows 1 and 2
    translate(pattern, (1, 0), (4, 3))          every row one further down
    where(pattern, lambda i, j: i == j)         stored indices alone are tested

Slices are in `pattern_slices.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array, flat_positions, turned, unflatten
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.pattern import Pattern

_PIECE = 1 << 20
"""How many indices a predicate is given at a time."""


class Selection(NamedTuple):
    """A part of a pattern, and the numbers of its entries in the whole."""

    pattern: Pattern
    entries: Array | slice


def restrict(pattern: Pattern, origins: Sequence[int], extents: Sequence[int]) -> Selection:
    """Return what lies in a box, whose corner becomes the index of zeros.

    Of the first dimension of the entries' order no more than the box is looked at.
    """
    return translate(pattern, [-origin for origin in origins], extents)


def translate(pattern: Pattern, offsets: Sequence[int], shape: Sequence[int]) -> Selection:
    """The pattern with all indices moved by `offsets`, as far as they are inside `shape`."""
    shape = tuple(shape)
    if not any(offsets) and shape == pattern.shape:
        return Selection(pattern, slice(0, pattern.count))
    order, box = pattern.order, pattern.form.shape
    begin, end = 0, pattern.count
    if order:
        extent = prod(box[1:])
        offset, limit = offsets[order[0]], shape[order[0]]
        low, high = (min(max(0, bound - offset), box[0]) for bound in (0, limit))
        begin, end = pattern.form.range_of(low * extent, high * extent)
    flat = pattern.form.positions_of(np.arange(begin, end))
    columns = [column + offsets[d] for d, column in zip(order, unflatten(flat, box), strict=True)]
    inside = np.ones(end - begin, np.bool_)
    for d, column in zip(order, columns, strict=True):
        inside &= (column >= 0) & (column < shape[d])
    entries: Array | slice = slice(begin, end)
    if not inside.all():
        entries = np.flatnonzero(inside) + begin
        columns = [column[inside] for column in columns]
    moved = flat_positions(columns, turned(shape, order), int(inside.sum()))
    rank = pattern.list_rank
    return Selection(of_positions(moved, shape, rank, order=order), entries)


def leading_part(pattern: Pattern, begin: int, end: int) -> Selection:
    """Return what has a first index from `begin` up to `end`, exclusive, with that counted from 0.

    It has the pattern's layout. Arrays of one pattern are cut into parts of one pattern; rows
    share the whole's vectors.
    """
    shape = (end - begin, *pattern.shape[1:])
    form, order = pattern.form, pattern.order
    if order[0] != 0:
        found, entries = restrict(pattern, (begin, *[0] * (pattern.ndim - 1)), shape)
        return Selection(pattern.lend(("part", begin, end), lambda: _like(pattern, found)), entries)
    extent = prod(form.shape[1:])
    first, last = form.range_of(begin * extent, end * extent)

    def part() -> Pattern:
        box = turned(shape, order)
        if isinstance(form, Compressed) and form.list_rank > 0:
            lists = prod(form.shape[1 : form.list_rank])
            starts = form.starts[begin * lists : end * lists + 1]
            rows = Compressed(box, form.list_rank, starts - starts[0], form.indices[first:last])
            return Pattern(shape, rows, form.list_rank, order, pattern.layout)
        flat = form.positions_of(np.arange(first, last)) - begin * extent
        return _like(pattern, of_positions(flat, shape, pattern.list_rank, order=order))

    return Selection(pattern.lend(("part", begin, end), part), slice(first, last))


def _like(whole: Pattern, part: Pattern) -> Pattern:
    """A part in the whole's layout."""
    layout = whole.layout
    return part if layout is None else part.with_layout(layout, whole.list_rank)


def where(pattern: Pattern, predicate: Callable[..., Array]) -> Selection:
    """Return what is stored and satisfies a predicate of the indices (one vector per dimension).

    The predicate is given all that is stored once, piece by piece: a box is never written out.
    """
    pieces: list[Array] = []
    for begin in range(0, pattern.count, _PIECE):
        entries = np.arange(begin, min(begin + _PIECE, pattern.count))
        columns = unflatten(pattern.form.positions_of(entries), pattern.form.shape)
        holds = np.asarray(
            predicate(*turned(columns, np.argsort(pattern.order).tolist())), np.bool_
        )
        pieces.append(entries[np.broadcast_to(holds, len(entries))])
    entries = np.concatenate(pieces) if pieces else np.zeros(0, np.int64)
    if len(entries) == pattern.count:
        return Selection(pattern, slice(0, pattern.count))
    return Selection(some_of(pattern, entries), entries)


def some_of(pattern: Pattern, entries: Array) -> Pattern:
    """The pattern of some entries, whose numbers are ascending."""
    form = pattern.form
    if isinstance(form, Compressed) and 1 < len(form.starts) - 1 <= len(entries):
        # Their indices stay, and a list begins where as many of them are as come before it.
        starts = np.searchsorted(entries, form.starts).astype(form.starts.dtype)
        rows = Compressed(form.shape, form.list_rank, starts, form.indices.take(entries))
        return Pattern(pattern.shape, rows, pattern.list_rank, pattern.order)
    flat = pattern.form.positions_of(entries)
    return of_positions(flat, pattern.shape, pattern.list_rank, order=pattern.order)
