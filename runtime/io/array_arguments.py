"""Arrays that a caller gives, checked: NumPy's, SciPy's, nested lists, results.

check_array([[1, 2], [3, 4]], WantedArray(2, "f64"), "A")   ->   array([[1., 2.], [3., 4.]])
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.driver_sizes import MOST_WITH_DRIVER
from diablo.runtime.arrays.elements import Array, Place, convert, numbers_of, plural
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse, tile_of_scipy
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.io.field_names import fields_in, fields_of, refuse_others
from diablo.runtime.io.nested_values import columns_of, describe
from diablo.runtime.io.wanted import Wanted, WantedArray
from diablo.runtime.results.python_values import python_array
from diablo.runtime.results.result_types import DistributedArray
from diablo.runtime.rows.tuples import is_packed, pack
from diablo.runtime.value_kinds import (
    ArrayKind,
    ScalarKind,
    TupleKind,
    element_code,
    leaves,
    same_names,
)


def array_with_spark(value: Any, wanted: Wanted, name: str) -> DistributedArray | None:
    """An array that Spark has, computed, if a program can take it where it is."""
    if not isinstance(value, DistributedArray) or not isinstance(wanted, WantedArray):
        return None
    if not value.is_with_spark or value.element != wanted.kind.element:
        return None
    if not value.is_sparse and value.size <= MOST_WITH_DRIVER:
        return None  # The driver may be who needs it.
    if value.ndim != wanted.rank:
        raise wrong_rank(value, wanted, name)
    return value.compute()


def check_array(value: Any, wanted: WantedArray, name: str) -> Array | SparseTile:
    """Anything like an array as a NumPy array, or a `SparseTile` if it is stored sparsely."""
    element = wanted.kind.element
    if isinstance(value, DistributedArray):
        given, tile = value, value.collect()
        if isinstance(element, ScalarKind):
            value = tile
        elif given.code == element_code(element) and same_names(given.element, element):
            return _of_rank(tile, wanted, name)
        elif isinstance(tile, SparseTile) and isinstance(element, TupleKind):
            entries = python_array(ArrayKind(1, given.element), tile.elements)
            vector = WantedArray(1, wanted.element, element)
            elements = _check_structured(entries, vector, name)
            return cast(SparseTile, _of_rank(tile.with_elements(elements), wanted, name))
        else:
            value = given.to_numpy()
    if is_scipy_sparse(value) or isinstance(value, SparseTile):
        return _check_sparse(value, wanted, name)
    if not isinstance(element, ScalarKind):
        return _check_structured(value, wanted, name)
    try:
        array = np.asarray(value) if hasattr(value, "dtype") else numbers_of(value)
    except ValueError:
        raise InputError(f"{name}: the rows are of different lengths") from None
    if array.ndim == 0:
        found = array.item() if array.dtype.kind != "O" else value
        raise InputError(f"{name}: {describe(found)} where {wanted} is wanted")
    if array.ndim != wanted.rank:
        raise wrong_rank(array, wanted, name)
    if element.type.domain == "text" and not isinstance(value, np.ndarray):
        array = np.asarray(value, object)  # NumPy would read a number beside a string as text.
    return np.ascontiguousarray(convert(array, element.element, name, _place_in(array.shape)))


def _of_rank(array: Array | SparseTile, wanted: WantedArray, name: str) -> Array | SparseTile:
    if array.ndim != wanted.rank:
        raise wrong_rank(array, wanted, name)
    return array


def _place_in(shape: tuple[int, ...]) -> Place:
    """How a message speaks of an element, given its row-major position."""

    def place(position: int) -> str:
        index = np.unravel_index(position, shape)
        return f"[{', '.join(str(int(i)) for i in index)}]"

    return place


def _check_sparse(value: Any, wanted: WantedArray, name: str) -> SparseTile:
    if value.ndim != wanted.rank:
        raise wrong_rank(value, wanted, name)
    tile = value if isinstance(value, SparseTile) else given_tile(value, name)

    def place(position: int) -> str:
        index = [int(c[position]) for c in tile.pattern.coordinates()]
        return f"[{', '.join(map(str, index))}]"

    element = wanted.kind.element
    if not isinstance(element, ScalarKind):
        raise InputError(f"{name}: a sparse array of numbers where {wanted} is wanted")
    values = convert(tile.elements, element.element, name, place)
    return tile if values is tile.elements else tile.with_elements(values)


def given_tile(matrix: Any, name: str) -> SparseTile:
    """A SciPy sparse array as a tile; an `InputError` if its vectors do not fit each other."""
    try:
        return tile_of_scipy(matrix)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def _check_structured(value: Any, wanted: WantedArray, name: str) -> Array:
    """An array of tuples, arrays or lists: NumPy's structured or object arrays, nested lists."""
    element, rank = wanted.kind.element, wanted.rank
    array = cast(Array, value) if isinstance(value, np.ndarray) else None
    if array is not None and array.dtype.names is not None:
        if array.ndim != rank:
            raise wrong_rank(array, wanted, name)
        if is_packed(array, element_code(element)):
            return array
        return _check_fields(array, wanted, name)
    level: list[Any] = [value]
    shape: tuple[int, ...] = ()
    for _ in range(rank):
        for part in level:
            if isinstance(part, str | bytes | dict) or not isinstance(part, Iterable):
                raise InputError(f"{name}: {describe(cast(object, part))} where {wanted} is wanted")
        rows = [list(cast("Iterable[Any]", part)) for part in level]
        lengths = {len(row) for row in rows}
        if len(lengths) > 1:
            raise InputError(f"{name}: the rows are of different lengths")
        shape = (*shape, lengths.pop() if lengths else 0)
        level = list(chain.from_iterable(rows))
    columns = columns_of(level, element, name, _place_in(shape))
    return cast(Array, pack(columns, element_code(element))).reshape(shape)


def _check_fields(array: Array, wanted: WantedArray, name: str) -> Array:
    element = wanted.kind.element
    kinds = list(leaves(element))
    names = list(array.dtype.names or ())
    place = _place_in(array.shape)
    if not isinstance(element, TupleKind):
        raise InputError(f"{name}: {plural(len(names), 'field')} where {wanted} is wanted")
    if any(array.dtype[field].names is not None for field in names):
        nested = columns_of(list(array.reshape(-1)), element, name, place)
        return cast(Array, pack(nested, element_code(element))).reshape(array.shape)
    order = fields_in(names, fields_of(element), f"{name}: the array", "field", wanted)
    refuse_others(names, order, f"{name}: the array", "field", wanted)
    if len(order) != len(kinds):
        raise InputError(f"{name}: {plural(len(names), 'field')} where {wanted} is wanted")
    columns: list[Any] = []
    for field, kind in zip([names[k] for k in order], kinds, strict=True):
        where: Place = lambda p, f=field: f"{place(p)}, field {f}"  # noqa: E731
        if isinstance(kind, ScalarKind):
            columns.append(convert(array[field].reshape(-1), kind.element, name, where))
        else:
            columns += columns_of(array[field].reshape(-1).tolist(), kind, name, where)
    return pack(columns, element_code(element)).reshape(array.shape)


def wrong_rank(value: Any, wanted: Wanted, name: str) -> InputError:
    """The error for an array of another rank than the wanted one."""
    shape = " x ".join(str(extent) for extent in value.shape)
    dimensions = plural(value.ndim, "dimension")
    return InputError(f"{name}: {dimensions} ({shape}) where {wanted} is wanted")
