"""Intersection, union and difference of patterns, in the way that their statistics say.

    joined = intersection(few, many)
    joined.pattern, joined.left, joined.right     which entries of `few` and `many` these are
    joined.way                                    "gallop": those of `few` were searched for

| way | work | taken when |
|---|---|---|
| `same` | none | both are one set, or one has everything or nothing |
| `lookup` | the smaller's entries | the larger finds an index in constant time, and is larger |
| `gallop` | the smaller's, times a search | the larger is so much larger that this is less |
| `merge` | both's | otherwise |

Lists in one order are merged list by list (`row_merging.py`), which needs no positions in the box.
A place that a search reads costs as much as merging TOUCH elements. Unions and differences have
as many entries as the larger operand anyway, but those of the smaller are placed in the same way.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array, row_major
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form_choice import plain
from diablo.runtime.arrays.patterns.layout import Directory, Order
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.merging import merge_meet, merge_union
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.row_merging import MergedRows, meet_of_rows, union_of_rows
from diablo.runtime.arrays.patterns.selection import some_of

TOUCH = 2
"""Measured: 2 to 4 ns an element merged in machine code, 3 to 6 ns a step of a search."""

Way = Literal["same", "merge", "gallop", "lookup"]


class Joined(NamedTuple):
    """The result of an operation on two patterns.

    `left` and `right` have for each entry of the result the number of the entry in the operand,
    -1 if it has none; None if entries have the same numbers in the operand.
    """

    pattern: Pattern
    left: Array | None
    right: Array | None
    way: Way


def intersection(one: Pattern, other: Pattern) -> Joined:
    """The indices of both patterns of one box."""
    if one.same_set(other):
        return Joined(one, None, _numbers(one, other), "same")
    if one.count == one.size:
        return Joined(other, _found(one, other), None, "same")
    if other.count == other.size:
        return Joined(one, None, _found(other, one), "same")
    order = _common_order(one, other)
    small, large = (one, other) if one.count <= other.count else (other, one)
    way = way_of(small, large)
    if way == "merge" and (lists := _lists_of(one, other)) is not None:
        rows = meet_of_rows(*lists)
        if rows is not None:
            return _joined_rows(rows, one, other)
    if way == "merge":
        flat, left, right = merge_meet(one.flat(order), other.flat(order))
        left, right = _entries(one, order, left), _entries(other, order, right)
    else:
        flat, left, right = _found_of(small, large)
        order = small.order
        if small is other:
            left, right = right, left
    pattern, is_one, is_other = _pattern_of(flat, one, other, order)
    return Joined(pattern, None if is_one else left, None if is_other else right, way)


def union(one: Pattern, other: Pattern) -> Joined:
    """The indices of either of two patterns of one box."""
    if one.same_set(other) or other.count == 0 or one.count == one.size:
        return Joined(one, None, _places(one, other), "same")
    if one.count == 0 or other.count == other.size:
        return Joined(other, _places(other, one), None, "same")
    if (lists := _lists_of(one, other)) is not None:
        rows = union_of_rows(*lists)
        if rows is not None:
            return _joined_rows(rows, one, other)
    order = _common_order(one, other)
    small, large = (one, other) if one.count <= other.count else (other, one)
    way = way_of(small, large) if small.order == large.order else "merge"
    if way == "merge":
        flat, left, right = merge_union(one.flat(order), other.flat(order))
        left, right = _entries(one, order, left), _entries(other, order, right)
    else:
        flat, left, right = _inserted(small, large)
        if small is one:
            left, right = right, left
    pattern, is_one, is_other = _pattern_of(flat, one, other, order)
    return Joined(pattern, None if is_one else left, None if is_other else right, way)


def _lists_of(one: Pattern, other: Pattern) -> tuple[Compressed, Compressed] | None:
    """The lists of both, if they have such of the same dimensions in the same order."""
    lists, others = one.form, other.form
    if not (isinstance(lists, Compressed) and isinstance(others, Compressed)):
        return None
    if one.order != other.order or lists.list_rank != others.list_rank:
        return None
    return lists, others


def _joined_rows(rows: MergedRows, one: Pattern, other: Pattern) -> Joined:
    """The result over merged lists, kept as those of any pattern are if they are few."""
    form, left, right = rows
    if form.count == one.count:
        return Joined(one, None, right, "merge")
    if form.count == other.count:
        return Joined(other, left, None, "merge")
    few = len(form.starts) - 1 > form.count
    stored = plain(form.positions(), form.shape, form.list_rank) if few else form
    return Joined(Pattern(one.shape, stored, one.list_rank, one.order), left, right, "merge")


def _pattern_of(
    flat: Array, one: Pattern, other: Pattern, order: tuple[int, ...]
) -> tuple[Pattern, bool, bool]:
    """The pattern of the positions, and whether it is the first or the second operand itself."""
    if len(flat) == one.count and order == one.order:
        return one, True, False
    if len(flat) == other.count and order == other.order:
        return other, False, True
    return of_positions(flat, one.shape, one.list_rank, order=order), False, False


def difference(one: Pattern, other: Pattern) -> Joined:
    """The indices of the first of two patterns of one box that the second has not.

    No entry of the result has one in the second: `right` is -1 throughout.
    """
    if one.same_set(other):
        gone, way = np.arange(one.count), "same"
    else:
        met = intersection(one, other)
        gone, way = met.left, met.way
        if gone is None:
            gone = np.arange(met.pattern.count)
    if not len(gone):
        return Joined(one, None, np.full(one.count, -1, np.int64), way)
    kept = np.ones(one.count, np.bool_)
    kept[gone] = False
    left = np.flatnonzero(kept)
    return Joined(some_of(one, left), left, np.full(len(left), -1, np.int64), way)


def way_of(small: Pattern, large: Pattern) -> Way:
    """Return how to bring two patterns together, by the work that each way is."""
    constant = large.form.format.random_access or (
        large.layout is not None and large.layout.directory is Directory.HASH
    )
    searching = small.count * TOUCH * (2.0 if constant else large.form.touches())
    if searching >= small.count + large.count:
        return "merge"
    return "lookup" if constant else "gallop"


def _common_order(one: Pattern, other: Pattern) -> Order:
    return one.order if one.order == other.order else row_major(one.ndim)


def _entries(pattern: Pattern, order: Order, places: Array) -> Array:
    """Entries by their places in an order; -1 stays."""
    if order == pattern.order:
        return places
    return np.where(places < 0, -1, pattern.turned(order).entries().take(places))


def _found(pattern: Pattern, other: Pattern) -> Array | None:
    """The entry of `pattern` at each index of `other`."""
    if pattern.order == other.order:
        return pattern.find(other.flat(other.order))
    return pattern.lookup(other.coordinates())


def _numbers(one: Pattern, other: Pattern) -> Array | None:
    """The entries of `other`, the same set, in the order of `one`'s."""
    return other.entries(one.order)


def _places(whole: Pattern, part: Pattern) -> Array | None:
    """Return which entry of `part`, a part of `whole`, each of the whole's is; -1 for none."""
    if whole.same_set(part):
        return _numbers(whole, part)
    result = np.full(whole.count, -1, np.int64)
    found = _found(whole, part)
    result[np.arange(part.count) if found is None else found] = np.arange(part.count)
    return result


def _found_of(small: Pattern, large: Pattern) -> tuple[Array, Array, Array]:
    """Return what of the smaller pattern the larger has: positions, and entries in both."""
    entries = _found(large, small)
    assert entries is not None
    left = np.flatnonzero(entries >= 0)
    return small.form.positions_of(left), left, entries.take(left).astype(np.int64)


def _inserted(small: Pattern, large: Pattern) -> tuple[Array, Array, Array]:
    """The union by placing the smaller's entries among the larger's: entries of large, small."""
    flat = small.flat(small.order)
    found = large.find(flat)
    new = np.flatnonzero(found < 0)
    at = large.form.lower_bound(flat.take(new))
    union = np.insert(large.flat(large.order), at, flat.take(new))
    from_large = np.insert(np.arange(large.count), at, -1)
    from_small = np.full(len(union), -1, np.int64)
    # Those before an entry are the larger's and as many new ones as come before it.
    from_small[at + np.arange(len(new))] = new
    old = np.flatnonzero(found >= 0)
    places = found.take(old)
    from_small[places + np.searchsorted(at, places, "right")] = old
    return union, from_large, from_small
