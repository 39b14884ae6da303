"""What an index takes of a sparse array: parts of axes, one after the other, or masks.

    parts_of((2, slice(None, None, -1)), (4, 5))    ->    [2, range(4, -1, -1)]
    selected(entries, parts)                        ->    the entries at these places

The parts are all that the shape of a selection depends on, so that entries are looked at later.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.lazy_array import Array, is_sparse_operand, node_of
from diablo.array.sparse_entries import Entries, chosen, of_coordinates
from diablo.array.sparse_pattern import coordinates_of, in_c_order
from diablo.runtime.arrays.patterns.boxes import row_major

Part = range | int | NDArray[np.int64] | None
"""Of an axis a range, one place, or places; None is a new axis."""


def parts_of(index: Any, shape: Sequence[int]) -> list[Part]:
    """Return what an index takes of each axis.

    Raises
    ------
    IndexError
        If there are more indices than axes, or a place lies outside of an axis.
    TypeError
        If it is no index of sparse arrays.
    """
    given = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    count = sum(part is not None and part is not Ellipsis for part in given)
    if count > len(shape):
        raise IndexError(f"{count} indices for an array of {len(shape)} dimensions")
    place = next((k for k, part in enumerate(given) if part is Ellipsis), len(given))
    full = [slice(None)] * (len(shape) - count)
    extents = iter(shape)
    return [
        None if part is None else _part(part, next(extents))
        for part in (*given[:place], *full, *given[place + 1 :])
    ]


def is_integer(part: Any) -> bool:
    """Return whether an index is a single place."""
    return isinstance(part, int | np.integer) and not isinstance(part, bool | np.bool_)


def _part(part: Any, extent: int) -> Part:
    if isinstance(part, slice):
        return range(*part.indices(extent))
    if not is_integer(part):
        return _places(part, extent)
    if not -extent <= part < extent:
        raise IndexError(f"index {part} is out of bounds for an extent of {extent}")
    return int(part) % extent


def _places(part: Any, extent: int) -> NDArray[np.int64]:
    """Return the places along an axis that integers or truth values choose."""
    if isinstance(part, str) or part is Ellipsis:
        raise TypeError("a sparse array is indexed by integers, slices, arrays, `None` and `...`")
    given = Array(node_of(part)).to_numpy()
    if given.ndim != 1 or given.dtype.kind not in "biu":
        raise TypeError(
            "an axis of a sparse array is indexed by a vector of integers or truth values"
        )
    if given.dtype.kind == "b":
        if len(given) != extent:
            raise IndexError(f"{len(given)} truth values for an extent of {extent}")
        return np.flatnonzero(given)
    places = given.astype(np.int64)
    if len(places) and not (-extent <= places.min() and places.max() < extent):
        raise IndexError(f"an index is out of bounds for an extent of {extent}")
    return np.where(places < 0, places + extent, places)


def shape_of(parts: Sequence[Part]) -> tuple[int, ...]:
    """Return the shape of what parts select."""
    return tuple([1 if part is None else len(part) for part in parts if not isinstance(part, int)])


def selected(entries: Entries, parts: Sequence[Part]) -> Entries:
    """Return the entries that parts of an index take, at their places in the result."""
    coordinates = coordinates_of(entries.pattern)
    at: NDArray[Any] = np.arange(len(entries.pattern))
    rows: list[NDArray[Any]] = []
    axis = 0
    for part in parts:
        if part is None:
            rows.append(np.zeros(len(at), np.int64))
            continue
        kept, row = _kept(part, coordinates[axis][at])
        axis += 1
        at, rows = at[kept], [each[kept] for each in rows]
        if row is not None:
            rows.append(row)
    shape = shape_of(parts)
    return chosen(entries, at, shape, np.asarray(rows, np.int64).reshape(len(shape), len(at)))


def _kept(part: range | int | NDArray[np.int64], row: NDArray[Any]) -> tuple[Any, Any]:
    """Return which entries a part takes of those at places along an axis, and where these are."""
    if isinstance(part, int):
        return np.flatnonzero(row == part), None
    if isinstance(part, range):
        steps, rest = np.divmod(row - part.start, part.step)
        inside = (rest == 0) & (steps >= 0) & (steps < len(part))
        return np.flatnonzero(inside), steps[inside]
    order = np.argsort(part, kind="stable")
    ascending = part[order]
    first = np.searchsorted(ascending, row, "left")
    count = np.searchsorted(ascending, row, "right") - first
    begins = np.cumsum(count) - count
    within: NDArray[Any] = np.arange(int(count.sum())) - np.repeat(begins, count)
    kept = np.repeat(np.arange(len(row)), count)
    return kept, order[np.repeat(first, count) + within]


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
    entry: NDArray[Any] = np.arange(len(flat)) if order is None else np.asarray(order)
    if isinstance(mask, Entries):
        fill = bool(mask.fill)
        own = mask.prune().pattern.flat(row_major(len(entries.shape)))
        count = prod(entries.shape) - len(own) if fill else len(own)
        before = np.searchsorted(own, flat)
        there = before < len(own)
        there[there] = own[before[there]] == flat[there]
        holds, place = (~there, flat - before) if fill else (there, before)
    else:
        truths = np.asarray(mask).reshape(-1)
        ranks = np.cumsum(truths)
        count = int(ranks[-1]) if len(ranks) else 0
        holds, place = truths[flat], ranks[flat] - 1
    return chosen(entries, entry[holds], (count,), place[holds][None])


# ---- elements at some positions --------------------------------------------------------


def moved(entries: Entries, kept: Any, shape: Sequence[int], rows: Any) -> Entries:
    """Return some entries, given by a truth value for each, at other positions."""
    at = np.flatnonzero(kept)
    places = np.asarray([np.asarray(row)[at] for row in rows], np.int64)
    return chosen(entries, at, tuple(shape), places.reshape(len(shape), len(at)))


def diagonal_of(entries: Entries, first: int, second: int) -> Entries:
    """Return the elements whose indices along two axes are equal, with one axis, the last one."""
    rows = coordinates_of(entries.pattern)
    rest = [axis for axis in range(len(rows)) if axis not in (first, second)]
    extents = entries.shape
    shape = [*[extents[axis] for axis in rest], min(extents[first], extents[second])]
    return moved(entries, rows[first] == rows[second], shape, rows[[*rest, first]])


def joined(parts: Sequence[Entries], along: int) -> Entries:
    """Return the elements of arrays one behind the other along an axis, whose fill is the same."""
    rows: list[NDArray[Any]] = []
    values: list[NDArray[Any]] = []
    start = 0
    for entries in parts:
        coordinates = entries.prune().coordinates()
        coordinates[along] += start
        rows.append(coordinates)
        values.append(entries.in_order())
        start += entries.shape[along]
    first = parts[0]
    shape = (*first.shape[:along], start, *first.shape[along + 1 :])
    dtype = np.result_type(*[entries.dtype for entries in parts])
    together = np.concatenate(values).astype(dtype)
    fill = np.asarray(first.fill, dtype)
    return of_coordinates(shape, np.concatenate(rows, axis=1), together, fill)
