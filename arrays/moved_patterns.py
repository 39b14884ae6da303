"""Patterns whose indices are at other places along axes, or that lie one behind the other.

    moved_pattern(pattern, [Slice(range(1, 3)), NEW])    rows 1 and 2: their part of the vectors
    joined_patterns([one, other], 0)                     the rows of one, then those of the other

Whole lists are taken as they are, and what stays in its order is not sorted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.axis_parts import NEW, One, Part, Slice
from diablo.array.axis_parts import Places as Taken
from diablo.array.sparse_pattern import check_size
from diablo.runtime.arrays.gathering import entries_of_lists, gathered
from diablo.runtime.arrays.list_parts import Left, copied, left
from diablo.runtime.arrays.patterns.boxes import (
    flat_positions,
    index_type,
    turned,
    unflatten,
)
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form_choice import best_list_rank
from diablo.runtime.arrays.patterns.layout import Order
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.ordering import is_ascending, stable_order

Places = NDArray[Any]

_MANY = 1 << 16
"""So many lists may always be made of a pattern that has fewer entries."""


class Moved(NamedTuple):
    """A pattern, and which entries of those that it is made of are its own; None is all of them."""

    pattern: Pattern
    entries: Any


class _Axes(NamedTuple):
    """How the axes of the result follow from those of a pattern.

    Parameters
    ----------
    parts : of the dimensions of the pattern, in its order
    shape : of the result
    order : of the axes of the result, new ones before that which follows them
    ranks : how many of these number lists at least, and at most, if whole lists are taken
    """

    parts: list[Part]
    shape: tuple[int, ...]
    order: Order
    ranks: tuple[int, int]


def moved_pattern(pattern: Pattern, parts: Sequence[Part]) -> Moved:
    """Return the pattern of which parts take, or make copies of, the places along each axis."""
    form = pattern.form
    rank = form.list_rank if isinstance(form, Compressed) else 0
    axes = _axes(pattern.order, parts, rank)
    check_size(axes.shape)
    if (
        isinstance(form, Compressed)
        and rank
        and prod(_extents(axes.parts[:rank])) <= max(_MANY, 4 * (form.count + len(form.starts)))
    ):
        return _by_lists(form, axes)
    return _by_entries(pattern, axes)


def _axes(order: Order, parts: Sequence[Part], rank: int) -> _Axes:
    numbers: list[int] = []
    made: list[int | None] = []
    """The axis of the result that each of the pattern's is."""
    extents: list[int] = []
    for part in parts:
        if part is NEW:
            numbers.append(len(extents))
        else:
            made.append(len(extents) if part.is_axis else None)
        if part.is_axis:
            extents.append(part.extent)
    own = [part for part in parts if part is not NEW]
    result = [axis for k in order if (axis := made[k]) is not None]
    lists = {axis for k in order[:rank] if (axis := made[k]) is not None}
    for number in reversed(numbers):
        result.insert(result.index(number + 1) if number + 1 in result else len(result), number)
    least = max([k + 1 for k, axis in enumerate(result) if axis in lists], default=0)
    most = least
    while most < len(result) and result[most] in numbers:
        most += 1
    return _Axes([own[k] for k in order], tuple(extents), tuple(result), (least, most))


# ---- by whole lists --------------------------------------------------------------------


def _by_lists(form: Compressed, axes: _Axes) -> Moved:
    """Return what is taken of whole lists, and then of the places in them."""
    rank = form.list_rank
    starts, at = _taken_lists(form, axes.parts[:rank])
    parts, box = axes.parts[rank:], form.shape[rank:]
    indices: Any = _part_of(form.indices, at)
    found = _left(starts, indices, parts, box)
    if found is not None:
        return Moved(_of_lists(found.starts, found.places, axes), _followed(at, found.entries))
    if not all(map(_is_whole, parts, box)):
        given = [indices] if len(box) == 1 else unflatten(indices, box)
        columns, kept = _moved_columns(given, parts, box)
        indices = flat_positions(columns, _extents(parts), len(columns[0]))
        if len(parts) == 1 and parts[0].is_descending:
            starts = starts if kept is None else _starts_among(kept, starts)
            order = _backwards(starts)
            indices, at = gathered(indices, order), _followed(_followed(at, kept), order)
            return Moved(_of_lists(starts, indices, axes), at)
        if not all(p.is_ascending or _is_whole(p, e) for p, e in zip(parts, box, strict=True)):
            lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            flat = _part_of(lists, kept) * prod(_extents(parts)) + indices
            return _sorted(flat, _followed(at, kept), axes)
        if kept is not None:
            starts = _starts_among(kept, starts)
        at = _followed(at, kept)
    return Moved(_of_lists(starts, indices, axes), at)


def _left(starts: Places, indices: Any, parts: Sequence[Part], box: Sequence[int]) -> Left | None:
    """Return what a part takes of the places in each list; None if no loop does."""
    (part, *others), (extent, *_) = parts, box
    if others or _is_whole(part, extent) or extent > max(_MANY, 4 * len(indices)):
        return None
    if starts[-1] >= 1 << 31 or part.extent >= 1 << 31:
        return None
    within = starts.astype(np.int32, copy=False)
    if isinstance(part, One | Slice) or (isinstance(part, Taken) and part.is_ascending):
        table = np.full(extent, -1, np.int32)
        table[part.sources()] = np.arange(part.extent, dtype=np.int32)
        return left(within, indices, table, backwards=part.is_descending)
    if not isinstance(part, Taken) or part.extent > max(_MANY, 4 * len(indices)):
        return None
    order = stable_order(part.places).astype(np.int32)
    first = np.zeros(extent + 1, np.int32)
    np.cumsum(np.bincount(part.places, minlength=extent), out=first[1:])
    return copied(within, indices, first, order)


def _taken_lists(form: Compressed, parts: Sequence[Part]) -> tuple[Places, Any]:
    """Return where the lists that parts take begin, and which entries are in them."""
    box, starts = form.shape[: form.list_rank], form.starts
    if all(map(_is_whole, parts, box)):
        return starts, None
    if form.list_rank == 1 and (run := _run_of(parts[0])) is not None:
        taken = starts[run.start : run.start + len(run) + 1]
        return taken - taken[0], slice(int(taken[0]), int(taken[-1]))
    lists = np.zeros((), np.int64)
    for part, extent in zip(parts, box, strict=True):
        sources = part.sources()
        lists = lists[..., None] * extent + sources
        missing = np.flatnonzero(sources < 0)
        if len(missing):
            lists[..., missing] = -(1 << 62)
    lists = lists.reshape(-1)
    np.maximum(lists, -1, out=lists)
    return _copied(starts, lists)


def _run_of(part: Part) -> range | None:
    """Return the places that a part takes, if these are a run of them in order."""
    if isinstance(part, One):
        return range(part.place, part.place + 1)
    return part.places if isinstance(part, Slice) and part.places.step == 1 else None


def _copied(starts: Places, lists: Places) -> tuple[Places, Places]:
    """Return where copies of lists begin, one behind the other, and the entries in them.

    -1 stands for an empty list.
    """
    counts = np.append(np.diff(starts), 0).take(lists)
    made = np.zeros(len(lists) + 1, np.int64)
    np.cumsum(counts, out=made[1:])
    at = entries_of_lists(starts, lists, made)
    if at is not None:
        return made, at
    index = index_type(int(made[-1]))
    at = np.arange(made[-1], dtype=index)
    at += np.repeat((starts.take(lists) - made[:-1]).astype(index), counts)
    return made, at


def _backwards(starts: Places) -> Places:
    """Return the entries of lists in the opposite order within each."""
    index = index_type(int(starts[-1]))
    ends = (starts[:-1] + starts[1:] - 1).astype(index)
    order = np.repeat(ends, np.diff(starts))
    order -= np.arange(len(order), dtype=index)
    return order


def _starts_among(kept: Places, starts: Places) -> Places:
    """Return where lists begin of which some entries, in ascending order, are kept."""
    if len(starts) < len(kept) // 64:
        return np.searchsorted(kept, starts)
    count = int(starts[-1])
    before = np.zeros(count + 1, index_type(count))
    before[kept + 1] = 1
    return np.cumsum(before, out=before).take(starts)


def _of_lists(starts: Places, indices: Places, axes: _Axes) -> Pattern:
    """Return the pattern whose lists begin at some places, in the form that takes least."""
    box, (least, most) = turned(axes.shape, axes.order), axes.ranks
    rank = min(max(best_list_rank(box), least), most)
    if not 0 < rank < len(box) or len(starts) - 1 > len(indices):
        length = max(1, prod(box[rank:])) if len(starts) > 2 or rank else 1
        lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        flat = lists * length + indices
        return of_positions(flat, axes.shape, order=axes.order)
    index = index_type(max(len(starts) - 1, prod(box[rank:]), len(indices)))
    form = Compressed(box, rank, starts.astype(index), indices.astype(index, copy=False))
    return Pattern(axes.shape, form, rank, axes.order)


# ---- entry by entry --------------------------------------------------------------------


def _by_entries(pattern: Pattern, axes: _Axes) -> Moved:
    """Return what is taken of single entries: of those that the first axis leaves in."""
    form, at = pattern.form, None
    box = form.shape
    bounds = axes.parts[0].bounds() if box else None
    if bounds is not None and bounds != (0, box[0]):
        low, high = [bound * prod(box[1:]) for bound in bounds]
        at = slice(*form.range_of(low, high))
    flat = form.positions() if at is None else form.positions_of(np.arange(at.start, at.stop))
    columns, kept = _moved_columns(unflatten(flat, box), axes.parts, box)
    made = flat_positions(columns, _extents(axes.parts), len(columns[0]) if columns else len(flat))
    return _sorted(made, _followed(at, kept), axes)


def _moved_columns(
    columns: Sequence[Any], parts: Sequence[Part], box: Sequence[int]
) -> tuple[list[Any], Any]:
    """Return the indices that are left, in each dimension, and which of all these are."""
    found, kept = list(columns), None
    for k, (part, extent) in enumerate(zip(parts, box, strict=True)):
        if _is_whole(part, extent):
            continue
        chosen, places = part.of(found[k])
        if chosen is not None:
            found = [column.take(chosen) for column in found]
            kept = _followed(kept, chosen)
        found[k] = places
    return found, kept


def _sorted(flat: Places, at: Any, axes: _Axes) -> Moved:
    """Return the pattern of positions in the order of the result, which are not in theirs yet."""
    if not is_ascending(flat):
        order = stable_order(flat)
        flat, at = flat.take(order), _followed(at, order)
    return Moved(of_positions(flat, axes.shape, order=axes.order), at)


def _is_whole(part: Part, extent: int) -> bool:
    """Return whether a part leaves an axis as it is, or leaves out one that has one place."""
    return part.is_whole(extent) or (isinstance(part, One) and extent == 1)


def _extents(parts: Sequence[Part]) -> list[int]:
    return [part.extent for part in parts]


def _part_of(values: Any, at: Any) -> Any:
    """Return some elements of a vector: of a slice as a view, and with None all."""
    if at is None:
        return values
    return values[at] if isinstance(at, slice) else gathered(values, at)


def _followed(at: Any, kept: Any) -> Any:
    """Return which entries are left of those that were."""
    if at is None or kept is None:
        return kept if at is None else at
    if isinstance(at, slice):
        first: int = cast("Any", at).start
        return kept + first
    return at.take(kept)


# ---- one behind the other --------------------------------------------------------------


def joined_patterns(patterns: Sequence[Pattern], axis: int) -> Moved:
    """Return the pattern of arrays one behind the other along an axis.

    The entries are numbered through: those of each array follow on those of the one before.
    """
    first = patterns[0]
    extents = [pattern.shape[axis] for pattern in patterns]
    shape = tuple([sum(extents) if k == axis else e for k, e in enumerate(first.shape)])
    check_size(shape)
    order = first.order
    forms = [pattern.form for pattern in patterns]
    before = np.concatenate([[0], np.cumsum(extents)]).tolist()
    rank = forms[0].list_rank if isinstance(forms[0], Compressed) else 0
    along = order.index(axis)
    if (
        0 < rank < len(shape)
        and along <= rank
        and all(
            isinstance(p.form, Compressed) and p.form.list_rank == rank and p.order == order
            for p in patterns
        )
    ):
        box = turned(shape, order)
        return _joined_lists(forms, before, shape, order, along)
    box = turned(shape, order)
    flat: list[Places] = []
    for pattern, start in zip(patterns, before[:-1], strict=True):
        columns = list(pattern.coordinates())
        columns[axis] = columns[axis] + start
        flat.append(flat_positions(turned(columns, order), box, len(pattern)))
    made, at = np.concatenate(flat), None
    if not is_ascending(made):
        at = np.argsort(made, kind="stable")
        made = made.take(at)
    return Moved(of_positions(made, shape, order=order), at)


def _joined_lists(
    forms: Sequence[Any], before: Sequence[int], shape: tuple[int, ...], order: Order, along: int
) -> Moved:
    """Return the lists of several forms: all of one after those of another, or each one's."""
    rank, box = forms[0].list_rank, turned(shape, order)
    lists, length = prod(box[:rank]), prod(box[rank:])
    counts = [form.count for form in forms]
    index = index_type(max(lists, length, sum(counts)))
    ends = np.concatenate([[0], np.cumsum(counts)])
    rest = prod(box[rank + 1 :]) if along == rank else 0
    indices = np.concatenate([form.indices for form in forms], dtype=index)
    for end, form, start in zip(ends[1:], forms, before[:-1], strict=True):
        if start * rest:
            indices[end - form.count : end] += index.type(start * rest)
    starts = np.concatenate(
        [*[form.starts[:-1] + end for form, end in zip(forms, ends[:-1], strict=True)], ends[-1:]]
    )
    if along == 0:
        return Moved(_lists(shape, order, rank, starts.astype(index), indices), None)
    if along == rank:
        # Each list is one of the first form, then that of the second, and so on.
        sources = (np.arange(lists)[:, None] + np.arange(len(forms)) * lists).reshape(-1)
    else:
        sources = np.empty(lists, np.int64)
        numbers = [
            _lists_among(form.shape[:rank], box[:rank], along, start)
            for form, start in zip(forms, before[:-1], strict=True)
        ]
        sources[np.concatenate(numbers)] = np.arange(lists)
    made, at = _copied(starts, sources)
    starts = made[:: len(forms)] if along == rank else made
    return Moved(_lists(shape, order, rank, starts.astype(index), gathered(indices, at)), at)


def _lists_among(own: Sequence[int], box: Sequence[int], along: int, start: int) -> Any:
    """Return the numbers of lists in a larger box, in which they lie from a place of an axis on."""
    each, wide = prod(own[along:]), prod(box[along:])
    first = start * prod(box[along + 1 :])
    outer = np.arange(prod(own[:along]))[:, None] * wide + first
    return (outer + np.arange(each)).reshape(-1)


def _lists(
    shape: tuple[int, ...], order: Order, rank: int, starts: Places, indices: Places
) -> Pattern:
    return Pattern(shape, Compressed(turned(shape, order), rank, starts, indices), rank, order)
