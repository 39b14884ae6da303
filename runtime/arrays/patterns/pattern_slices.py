"""Slices of a pattern: what is stored where some dimensions have given indices.

    slice_at(pattern, {0: 2})     row 2
    slice_at(pattern, {1: 4})     column 4

Where the fixed dimensions come first in an order of the pattern, a slice is a range of it and
costs what is in it. Otherwise the entries are looked through, as long as that costs less than
such an order; then it is derived, and kept. So slices cost at most twice what they would if it
were known beforehand how many there will be (the rule of renting skis: A. Karlin et al.,
Competitive snoopy caching, Algorithmica 3, 1988).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from math import prod

import numpy as np

from diablo.runtime.arrays.patterns.boxes import (
    Array,
    flat_positions,
    index_type,
    turned,
    unflatten,
)
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.layout import Order
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import Selection

TURN = 64
"""How often all entries can be looked through in the time that a further order takes."""


def slice_at(pattern: Pattern, fixed: Mapping[int, int]) -> Selection:
    """Return what is stored where some dimensions have given indices; the others are left.

    An index outside of the box has no entries.
    """
    if not all(0 <= index < pattern.shape[d] for d, index in fixed.items()):
        kept = [d for d in range(pattern.ndim) if d not in fixed]
        nothing = of_positions(np.zeros(0, np.int64), turned(pattern.shape, kept))
        return Selection(nothing, slice(0, 0))
    order = _known_order(pattern, fixed)
    if order is None:
        found = _looked_through(pattern, fixed)
        if found is not None:
            return found
        order = (*sorted(fixed), *[d for d in range(pattern.ndim) if d not in fixed])
    turn = None if order == pattern.order else pattern.turned(order)
    form = pattern.form if turn is None else turn.form
    begin, end = _range(form, order, len(fixed), fixed)
    part = _part(pattern, order, fixed, _places(form, len(fixed), begin, end))
    if turn is None:
        return Selection(part, slice(begin, end))
    return Selection(part, turn.entries_of(np.arange(begin, end)))


def _known_order(pattern: Pattern, fixed: Mapping[int, int]) -> Order | None:
    """An order that the pattern has in which the fixed dimensions come first."""
    for order in pattern.orders:
        if set(order[: len(fixed)]) == set(fixed):
            return order
    order = (*sorted(fixed), *[d for d in range(pattern.ndim) if d not in fixed])
    return order if pattern.has_order(order) else None


def _looked_through(pattern: Pattern, fixed: Mapping[int, int]) -> Selection | None:
    """The slice, by looking at entries; `None` if another order would take no longer by now."""
    order = pattern.order
    leading = len(list(takewhile(lambda d: d in fixed, order)))
    begin, end = _range(pattern.form, order, leading, fixed)
    looked_at = pattern.keep(("looked through", frozenset(fixed)), lambda: [0])
    looked_at[0] += end - begin
    if looked_at[0] > TURN * pattern.count:
        return None
    entries = _matching(pattern, leading, fixed, begin, end)
    box = pattern.form.shape
    columns = unflatten(pattern.form.positions_of(entries), box)
    rest = [at for at, d in enumerate(order) if d not in fixed]
    flat = flat_positions(turned(columns, rest), turned(box, rest), len(entries))
    return Selection(_part(pattern, order, fixed, flat), entries)


def _matching(
    pattern: Pattern, leading: int, fixed: Mapping[int, int], begin: int, end: int
) -> Array:
    """The entries of a range that have the indices that are `fixed` behind the leading ones."""
    form, order = pattern.form, pattern.order
    wanted = {at: fixed[d] for at, d in enumerate(order) if d in fixed and at >= leading}
    last = pattern.ndim - 1
    places = form.places(last) if [*wanted] == [last] else None
    if places is not None:  # These are the indices.
        return np.flatnonzero(places[begin:end] == wanted[last]) + begin
    columns = unflatten(form.positions_of(np.arange(begin, end)), form.shape)
    matches = np.ones(end - begin, np.bool_)
    for at, index in wanted.items():
        matches &= columns[at] == index
    return np.flatnonzero(matches) + begin


def _range(form: Form, order: Order, leading: int, fixed: Mapping[int, int]) -> tuple[int, int]:
    """The range of the entries that have the fixed indices in the leading dimensions."""
    low, length = 0, 1
    for at, d in enumerate(order):
        low = low * form.shape[at] + (fixed[d] if at < leading else 0)
        length *= 1 if at < leading else form.shape[at]
    return form.range_of(low, low + length)


def _places(form: Form, leading: int, begin: int, end: int) -> Array:
    """The flat positions, within a slice of the leading dimensions, of a range of entries."""
    places = form.places(leading)
    if places is not None:
        return places[begin:end]
    positions = form.positions_of(np.arange(begin, end))
    length = prod(form.shape[leading:])
    return positions % length if length else positions


def _part(pattern: Pattern, order: Order, fixed: Mapping[int, int], flat: Array) -> Pattern:
    """The pattern of ascending positions in the dimensions of `order` that are not fixed."""
    kept = [d for d in range(pattern.ndim) if d not in fixed]
    shape = turned(pattern.shape, kept)
    if len(kept) == 1:
        # A vector's positions are its indices: those of a list of the whole are shared.
        index = index_type(max(*shape, len(flat)))
        ends = np.array([0, len(flat)], index)
        return Pattern(shape, Compressed(shape, 0, ends, flat.astype(index, copy=False)))
    rest = tuple([kept.index(d) for d in order if d not in fixed])
    return of_positions(flat.astype(np.int64, copy=False), shape, order=rest)
