"""Elements of their own at the positions of a pattern, and one value at all others.

    Entries(pattern, values, fill)    values[k] is the element at the pattern's entry k

The values are a lazy vector in the order of the pattern's entries. Nothing here is changed, but for
what `prune` leaves out, which stands for the same elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.expression_graph import Node, Operation, leaf
from diablo.array.lazy_array import Array, node_of
from diablo.array.sparse_pattern import (
    broadcast,
    coordinates_of,
    followed,
    from_coordinates,
    in_c_order,
)
from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.making import of_positions, of_rows
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import some_of
from diablo.runtime.arrays.row_checks import has_no_zero
from diablo.runtime.results.result_types import DistributedArray

ELEMENT = Operation("element")
"""What stands for an element of an array, wherever in it, in a function of elements."""


class Entries:
    """What a sparse array has, once it is known where.

    Parameters
    ----------
    pattern : where it has elements of its own
    values : these, a vector
    fill : the element at all other positions
    """

    def __init__(self, pattern: Pattern, values: Node, fill: Any):
        self.pattern = pattern
        self.values = values
        self.fill: Any = np.asarray(fill, values.dtype)[()]
        self._is_pruned = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self.pattern.shape

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self.values.dtype

    @cached_property
    def place(self) -> Node:
        """The node that stands for an element in functions of elements."""
        return Node(ELEMENT, (), None, (), self.dtype)

    def prune(self) -> Entries:
        """Leave out what is `fill`, and return itself."""
        if not self._is_pruned:
            values = Array(self.values).to_numpy()
            full = self.fill == 0 and has_no_zero(values)
            kept = None if full else ~same(values, self.fill)
            if kept is not None and not kept.all():
                self.pattern = some_of(self.pattern, np.flatnonzero(kept))
                self.values = leaf(values[kept])
            self._is_pruned = True
        return self

    def coordinates(self) -> NDArray[np.int64]:
        """Return the positions in C order, a row for each axis."""
        return coordinates_of(self.pattern, ordered=True)

    def in_order(self) -> NDArray[Any]:
        """Return the values in C order."""
        return Array(taken(self.values, in_c_order(self.pattern))).to_numpy()


def same(values: Any, fill: Any) -> Any:
    """Return which values are a fill value: equal, zeros of one sign, or both NaN."""
    equal = values == fill
    match np.asarray(values).dtype.kind:
        case "f":
            equal &= np.signbit(values) == np.signbit(fill)
        case "c":
            equal &= np.signbit(values.real) == np.signbit(fill.real)
            equal &= np.signbit(values.imag) == np.signbit(fill.imag)
        case _:
            pass
    return equal | ((values != values) & (fill != fill))


def taken(values: Node, places: Any) -> Node:
    """Return the values at places, all of which there are, or in a slice; None stands for all."""
    if places is None:
        return values
    given = Array(values).to_numpy()
    return leaf(given[places] if isinstance(places, slice) else gathered(given, places))


def aligned(entries: Entries, places: Any) -> Node:
    """Return the values at some entries, the fill value where these are -1."""
    if places is None:
        return entries.values
    values = Array(entries.values).to_numpy()
    fill = np.full(1, entries.fill, entries.dtype)
    if same(fill, np.zeros(1, entries.dtype)).all():
        return leaf(gathered(values, places))
    return leaf(np.concatenate([values, fill]).take(places))


def spread(entries: Entries, shape: tuple[int, ...]) -> Entries:
    """Return entries that are repeated along axes to a shape."""
    if entries.shape == shape:
        return entries
    pattern, source = broadcast(entries.pattern, shape)
    return Entries(pattern, taken(entries.values, source), entries.fill)


def with_shape(entries: Entries, shape: Sequence[int]) -> Entries:
    """Return the elements in their order with another shape of equally many."""
    values = taken(entries.values, in_c_order(entries.pattern))
    return Entries(of_positions(entries.pattern.positions(), shape), values, entries.fill)


def number_of(entries: Entries) -> Entries:
    """Return an array without dimensions as one whose fill value the number is, as pydata does.

    So it is one number beside other arrays, whatever pattern these have.
    """
    values = Array(entries.values).to_numpy()
    value = values[0] if len(values) else entries.fill
    return Entries(of_positions(np.zeros(0, np.int64), ()), leaf(values[:0]), value)


def chosen(entries: Entries, at: Any, shape: tuple[int, ...], rows: Any) -> Entries:
    """Return some of the entries at other positions, of which `rows` has one for each axis."""
    pattern, order, _ = from_coordinates(shape, rows)
    return Entries(pattern, taken(entries.values, followed(at, order)), entries.fill)


# ---- entries of what is given ----------------------------------------------------------


def is_sparse(x: object) -> bool:
    """Return whether something is a sparse array of SciPy's or of pydata's."""
    module = type(x).__module__
    return hasattr(type(x), "tocoo") or module.startswith("sparse.")


def of_given(x: Any, fill_value: Any = None, shape: Sequence[int] | int | None = None) -> Entries:
    """Return the entries of what `sparse` takes.

    Raises
    ------
    IndexError
        If a coordinate lies outside of the shape.
    TypeError
        If it is no array, or coordinates are no integers.
    ValueError
        If coordinates, values and the shape do not fit each other.
    """
    if shape is not None:
        if not _is_pair(x):
            raise TypeError("with a `shape` a pair is wanted: coordinates and values")
        coordinates, values = x
        extents = tuple(np.atleast_1d(np.asarray(shape, np.int64)).tolist())
        if any(extent < 0 for extent in extents):
            raise ValueError(f"extents are not negative, and {extents} are given")
        return of_coordinates(extents, coordinates, values, fill_value)
    if hasattr(x, "coords") and hasattr(x, "fill_value"):
        fill = x.fill_value if fill_value is None else fill_value
        return of_coordinates(tuple(x.shape), x.coords, x.data, fill)
    if isinstance(x, DistributedArray) and x.is_sparse and fill_value in (None, 0):
        tile: Any = x.collect()
        return Entries(tile.pattern, leaf(np.array(tile.elements)), 0)
    if hasattr(x, "tocsr") and len(x.shape) == 2:
        return of_matrix(_checked_rows(x), fill_value)
    if hasattr(x, "tocoo"):
        entries = x.tocoo()
        if hasattr(entries, "fill_value"):
            return of_given(entries, fill_value)
        coordinates = getattr(entries, "coords", None) or (entries.row, entries.col)
        return of_coordinates(tuple(x.shape), coordinates, entries.data, fill_value)
    try:
        array = Array(node_of(x)).to_numpy()
    except ValueError:
        if _is_pair(x):
            raise ValueError("a pair of coordinates and values needs a `shape`") from None
        raise
    fill = np.zeros((), array.dtype)[()] if fill_value is None else fill_value
    places: Any = np.flatnonzero(~same(array, fill))
    values = leaf(array.reshape(-1)[places])
    return Entries(of_positions(places, array.shape), values, fill)


def of_matrix(rows: Any, fill_value: Any = None) -> Entries:
    """Return the entries of a matrix of SciPy's whose rows are in order, and nobody else's."""
    pattern = of_rows(rows.indptr, rows.indices, rows.shape, 1)
    fill = np.zeros((), rows.dtype)[()] if fill_value is None else fill_value
    return Entries(pattern, leaf(rows.data), fill)


def of_coordinates(
    shape: tuple[int, ...], coordinates: Any, values: Any, fill_value: Any = None
) -> Entries:
    """Return entries of positions in any order; values at one position are added."""
    given = np.asarray(values)
    rows = _rows_of(coordinates, len(shape), given.size)
    if given.ndim > 1 or given.size not in (1, rows.shape[1]):
        raise ValueError(f"{given.size} values for {rows.shape[1]} coordinates")
    given = np.broadcast_to(given, rows.shape[1:])
    pattern, order, first = from_coordinates(shape, rows)
    summed = np.array(given) if order is None else given[order]
    if len(first) < len(summed):
        summed = np.add.reduceat(summed, first)
    fill = np.zeros((), summed.dtype)[()] if fill_value is None else fill_value
    return Entries(pattern, leaf(np.asarray(summed, given.dtype)), fill)


def _is_pair(x: Any) -> bool:
    return isinstance(x, tuple | list) and len(cast("Sequence[Any]", x)) == 2


def _rows_of(coordinates: Any, ndim: int, count: int) -> NDArray[Any]:
    """Return the indices along each axis; `count` of none if there is no axis."""
    if ndim == 1 and (not len(coordinates) or not np.ndim(coordinates[0])):
        coordinates = [coordinates]
    rows = [np.asarray(row) for row in coordinates]
    if len(rows) != ndim or len({row.shape for row in rows}) > 1 or any(r.ndim != 1 for r in rows):
        raise ValueError(
            f"coordinates in {ndim} dimensions are as many rows of integers, all of one length"
        )
    if any(row.size and row.dtype.kind not in "iu" for row in rows):
        raise TypeError("coordinates are integers")
    return np.asarray(rows, np.int64) if rows else np.zeros((0, count), np.int64)


def _checked_rows(matrix: Any) -> Any:
    """Return a matrix of SciPy's in order, with indices of its own: patterns do not change."""
    rows = matrix.tocsr(copy=True)
    try:
        rows.check_format(full_check=True)
    except ValueError as error:
        raise IndexError(f"the indices of the matrix: {error}") from None
    rows.sum_duplicates()
    return rows
