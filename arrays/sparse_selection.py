"""What an index takes of a sparse array: parts of axes, one after the other, or masks.

    index_of((2, slice(None, None, -1)), (4, 5))    ->    [One(2), Slice(range(4, -1, -1))]
    selected(entries, parts)                        ->    the entries at these places

The parts are all that the shape of a selection depends on, so that entries are looked at later.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.axis_parts import NEW, One, Part, Places, Slice
from diablo.array.lazy_array import Array, is_sparse_operand, node_of
from diablo.array.moved_patterns import moved_pattern
from diablo.array.sparse_entries import Entries, chosen, taken
from diablo.array.sparse_pattern import in_c_order
from diablo.array.view_operations import too_many_indices
from diablo.runtime.arrays.patterns.boxes import row_major
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.merging import merge_meet
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import some_of

_KINDS = "a sparse array is indexed by integers, slices, arrays of integers or truth values, `None`"


class Index(NamedTuple):
    """What is taken of each axis, or along several axes together.

    Parameters
    ----------
    parts : of each axis, and new ones
    points : arrays of places by the number of the part, which choose one element for all of theirs
    first : the axis of the result with which those of the arrays begin
    """

    parts: list[Part]
    points: dict[int, NDArray[np.int64]]
    first: int = 0


def index_of(index: Any, shape: Sequence[int]) -> Index:
    """Return what an index takes of an array of a shape.

    Raises
    ------
    IndexError
        If there are more indices than axes, or a place lies outside of an axis.
        Or if it is no index of sparse arrays.
    TypeError
        If the ends of a slice are no integers.
    """
    given = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    items = [_item(part) for part in given]
    count = sum([_axes_of(item) for item in items])
    dots = [k for k, item in enumerate(items) if item is Ellipsis]
    if count > len(shape):
        raise too_many_indices(count, len(shape))
    if len(dots) > 1:
        raise IndexError("an index has one `...`")
    full = [slice(None)] * (len(shape) - count)
    place = dots[0] if dots else len(items)
    behind = 0
    """The part with which begins what `...` stands for."""
    parts: list[Part] = []
    arrays: dict[int, NDArray[np.int64]] = {}
    extents_of: dict[int, int] = {}
    axis = 0
    for number, item in enumerate((*items[:place], *full, *items[place + 1 :])):
        if number == place:
            behind = len(parts)
        extents = shape[axis : axis + _axes_of(item)]
        axis += len(extents)
        if item is None:
            parts.append(NEW)
        elif isinstance(item, slice):
            parts.append(Slice(_range_of(item, extents[0])))
        elif is_integer(item):
            parts.append(One(int(_within(item, extents[0]))))
        else:
            for extent, places in zip(extents, _places(item, extents), strict=True):
                arrays[len(parts)] = _within(places, extent)
                extents_of[len(parts)] = extent
                parts.append(Slice(range(extent)))
    ones = {k: part.place for k, part in enumerate(parts) if isinstance(part, One)}
    if len(arrays) == 1 and not ones:
        ((number, places),) = arrays.items()
        if places.ndim == 1:
            parts[number] = Places(places, extents_of[number])
            return Index(parts, {})
    if arrays:
        # Beside arrays a single place is one of these.
        for number, place in ones.items():
            arrays[number] = np.asarray(place)
            parts[number] = Slice(range(place + 1))
        _check_shapes(list(arrays.values()))
    numbers = sorted(arrays)
    are_together = bool(numbers) and numbers == list(range(numbers[0], numbers[-1] + 1))
    if dots and any(k < behind for k in numbers) and any(k >= behind for k in numbers):
        are_together = False
    return Index(parts, arrays, numbers[0] if are_together else 0)


def _range_of(part: Any, extent: int) -> range:
    try:
        found = range(*part.indices(extent))
    except TypeError:
        raise TypeError(f"the ends and the step of a slice are integers, not {part}") from None
    if len(found) > 1:
        return found
    # A step that leads out of the axis may be greater than any index.
    return range(found[0], found[0] + 1) if found else range(0)


def _check_shapes(arrays: Sequence[NDArray[Any]]) -> None:
    try:
        np.broadcast_shapes(*[array.shape for array in arrays])
    except ValueError:
        shapes = " and ".join([str(array.shape) for array in arrays])
        raise IndexError(f"arrays of places of shapes {shapes} do not fit each other") from None


def is_integer(part: Any) -> bool:
    """Return whether an index is a single place."""
    return isinstance(part, int | np.integer) and not isinstance(part, bool | np.bool_)


def _item(part: Any) -> Any:
    """Return a part of an index, anything that is an array as one of NumPy's."""
    if part is None or part is Ellipsis or is_integer(part) or isinstance(part, slice):
        return cast("Any", part)
    is_array = hasattr(part, "__iter__") or hasattr(part, "dtype")
    if not is_array or isinstance(part, str | bool | np.bool_ | np.inexact):
        raise IndexError(f"{_KINDS}, and not by {part!r}")
    given = part.to_dense() if is_sparse_operand(part) else part
    array = Array(node_of(given)).to_numpy()
    if not array.size and isinstance(part, list | tuple):
        array = array.astype(np.int64)
    if array.dtype.kind not in "biu" or (array.dtype.kind == "b" and not array.ndim):
        raise IndexError(f"{_KINDS}, and not by {array.dtype}")
    return array if array.ndim else int(array)


def _axes_of(item: Any) -> int:
    """Return how many axes a part of an index is for."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if getattr(item, "dtype", None) == np.bool_ else 1


def _places(item: NDArray[Any], extents: Sequence[int]) -> Sequence[NDArray[Any]]:
    """Return the places along each axis that integers or truth values choose."""
    if item.dtype.kind != "b":
        return [item.astype(np.int64)]
    if any(own not in (0, extent) for own, extent in zip(item.shape, extents, strict=True)):
        shape = "x".join(map(str, item.shape))
        raise IndexError(f"{shape} truth values for an extent of {'x'.join(map(str, extents))}")
    return np.nonzero(item)


def _within(places: Any, extent: int) -> Any:
    """Return places along an axis, those that count from its end as others."""
    if isinstance(places, int) and -extent <= places < extent:
        return places + extent if places < 0 else places
    if np.size(places) and not (-extent <= np.min(places) and np.max(places) < extent):
        wrong = (
            places
            if np.ndim(places) == 0
            else next(p for p in np.ravel(places) if not -extent <= p < extent)
        )
        raise IndexError(f"index {wrong} is out of bounds for an extent of {extent}")
    given: Any = np.asarray(places)
    return cast("Any", np.where(given < 0, given + extent, given))


def shape_of(parts: Sequence[Part]) -> tuple[int, ...]:
    """Return the shape of what parts select."""
    return tuple([part.extent for part in parts if part.is_axis])


def selected(entries: Entries, parts: Sequence[Part]) -> Entries:
    """Return the entries that parts of an index take, at their places in the result."""
    pattern, at = moved_pattern(entries.pattern, parts)
    return Entries(pattern, taken(entries.values, at), entries.fill)


# ---- masks ----------------------------------------------------------------------------


def is_mask(index: Any, shape: Sequence[int]) -> bool:
    """Return whether an index is truth values for all elements, dense or sparse."""
    if isinstance(index, tuple | list | slice | str) or not hasattr(index, "dtype"):
        return False
    is_whole = len(shape) > 1 or is_sparse_operand(index)
    return is_whole and np.dtype(index.dtype) == np.bool_ and tuple(index.shape) == tuple(shape)


def masked(entries: Entries, mask: Entries | NDArray[Any]) -> Entries:
    """Return the elements where a mask holds, in C order along one axis."""
    order = in_c_order(entries.pattern)
    flat = entries.pattern.flat(row_major(len(entries.shape)))
    if isinstance(mask, Entries):
        own = mask.prune().pattern.flat(row_major(len(entries.shape)))
        if bool(mask.fill):
            count = prod(entries.shape) - len(own)
            holds = np.ones(len(flat), np.bool_)
            holds[merge_meet(flat, own)[1]] = False
            entry = np.flatnonzero(holds)
            kept = flat.take(entry)
            place = kept - np.searchsorted(own, kept)
        else:
            count = len(own)
            _, entry, place = merge_meet(flat, own)
    else:
        truths = np.asarray(mask).reshape(-1)
        ranks = np.cumsum(truths)
        count = int(ranks[-1]) if len(ranks) else 0
        entry = np.flatnonzero(truths.take(flat))
        place = ranks.take(flat.take(entry)) - 1
    at = entry if order is None else np.asarray(order).take(entry)
    return Entries(of_positions(place, (count,)), taken(entries.values, at), entries.fill)


# ---- elements at some positions --------------------------------------------------------


def moved(entries: Entries, kept: Any, shape: Sequence[int], rows: Any) -> Entries:
    """Return some entries, given by a truth value for each, at other positions."""
    at = np.flatnonzero(kept)
    places = np.asarray([np.asarray(row)[at] for row in rows], np.int64)
    return chosen(entries, at, tuple(shape), places.reshape(len(shape), len(at)))


def diagonal_of(entries: Entries, first: int, second: int, offset: int = 0) -> Entries:
    """Return the elements of a diagonal of two axes with one axis for it, the last one.

    `offset` is by how much the index along the second axis is greater.
    """
    pattern, extents = entries.pattern, entries.shape
    rest = [axis for axis in range(len(extents)) if axis not in (first, second)]
    down, along = max(-offset, 0), max(offset, 0)
    length = max(0, min(extents[first] - down, extents[second] - along))
    shape = [*[extents[axis] for axis in rest], length]
    if not rest and length < len(pattern):
        places = np.arange(length)
        found = pattern.lookup([places + along, places + down][:: 1 if first else -1])
        at = np.flatnonzero(found >= 0)
        return Entries(of_positions(at, shape), taken(entries.values, found[at]), entries.fill)
    columns = columns_of(pattern)
    kept = columns[second] - columns[first].astype(np.int64) == offset
    steps = columns[first] - np.int64(down)
    return moved(entries, kept, shape, [*[columns[axis] for axis in rest], steps])


def part_of(entries: Entries, kept: NDArray[np.bool_]) -> Entries:
    """Return the entries that are chosen, where they are."""
    if kept.all():
        return entries
    at = np.flatnonzero(kept)
    return Entries(some_of(entries.pattern, at), taken(entries.values, at), entries.fill)


def columns_of(pattern: Pattern) -> Sequence[NDArray[Any]]:
    """Return the index of each entry along each axis, as the pattern has it if it does."""
    rows = pattern.form.as_lists(1) if pattern.order == (0, 1) else None
    if rows is not None:
        lists = np.arange(len(rows.starts) - 1, dtype=rows.starts.dtype)
        return np.repeat(lists, np.diff(rows.starts)), rows.indices
    return pattern.coordinates()
