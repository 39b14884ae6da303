"""What the columns of batches and the elements of tiles are: codes for their types.

    "i8"                       64-bit integers and indices      int64
    "int8", …, "uint8", …      integers of other types          int8, …, uint8, …
    "f8", "f4"                 numbers                          float64, float32
    "c8", "c16"                complex numbers                 complex64, complex128
    "b1"                       Booleans                         bool
    "char"                     characters (code points)         int32
    "U"                        strings                          object, of `str`, or `Strings`
    ("tuple", code, …)         packed tuples                    structured, fields f0, f1, …
    ("list", code, …)          a list per row                   `Lists` over such columns
    ("map", keys, code, …)     a map per row                    `Lists`, the keys first
                               either in a packed tuple         object, of cells
    ("tile", rank, code)       an array per row                 object, of arrays and `SparseTile`s

A NumPy type stands for itself wherever a code is taken. Inputs name elements as the IR does
(`"i64"`, `"string"`); `code_of` translates:

    code_of(("tuple", "i64", "string"))   ->  ("tuple", "i8", "U")
    storage(("tuple", "i8", "U"))         ->  dtype([("f0", "i8"), ("f1", "O")])
    implicit(("tuple", "i8", "U"))        ->  (0, "")
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.memory_limit import reserve
from diablo.scalar_table import BY_ELEMENT, SCALARS

Array = NDArray[Any]
Code = Any
"""A code as above, or anything that NumPy takes for a type."""

OBJECT = np.dtype(object)
_STORAGE = {scalar.code: np.dtype(getattr(np, scalar.dtype)) for scalar in SCALARS}
_ELEMENTS = {_STORAGE[row.code]: row.element for row in SCALARS if row.in_register}

NOTHING: tuple[Any, ...] = ((), 0, 0)
"""The cell of an empty list, in an array of packed tuples (see `rows.tuples`)."""


def code_of(element: Code) -> Code:
    """The code for an element type that is spelled as in the IR; codes stay as they are."""
    if isinstance(element, tuple):
        parts = cast("tuple[Any, ...]", element)
        return tuple([part if isinstance(part, int) else code_of(part) for part in parts])
    scalar = BY_ELEMENT.get(element) if isinstance(element, str) else None
    return element if scalar is None else scalar.code


def element_name(dtype: np.dtype[Any]) -> str | None:
    """The name of an element type of machine code, `"i64"`, of which loops have theirs."""
    return _ELEMENTS.get(dtype)


def form_of(code: Code) -> str:
    """`"tuple"`, `"list"`, `"map"` or `"tile"`; `"scalar"` for all else."""
    return cast("tuple[str, ...]", code)[0] if isinstance(code, tuple) else "scalar"


def is_list(code: Code) -> bool:
    """Return whether a column of this type holds a list, or a map, per row."""
    return form_of(code) in ("list", "map")


def list_columns(code: Code) -> tuple[Code, ...]:
    """The codes of the columns of a list or a map."""
    return code[2:] if code[0] == "map" else code[1:]


def is_cell(value: Any) -> bool:
    """Return whether an object in a packed tuple is a list."""
    return isinstance(value, tuple)


def storage(code: Code) -> np.dtype[Any]:
    """The NumPy type that holds values of a type; lists are not held by NumPy's arrays."""
    if form_of(code) == "tuple":
        return np.dtype([(f"f{i}", storage(part)) for i, part in enumerate(code[1:])])
    if form_of(code) != "scalar":
        return OBJECT
    return (_STORAGE.get(code) if isinstance(code, str) else None) or np.dtype(code)


def implicit(code: Code) -> Any:
    """Return what an array holds where nothing was written: 0, "", false, no rows, tuples of these.

    The implicit value of an array is one without elements.
    """
    if is_list(code):
        return NOTHING
    if form_of(code) == "tile":
        return np.zeros((0,) * code[1], storage(code[2]))
    if form_of(code) == "tuple":
        return tuple([implicit(part) for part in code[1:]])
    if isinstance(code, str) and code == "U":
        return ""
    return implicit_of(storage(code))


def implicit_of(dtype: np.dtype[Any]) -> Any:
    """The implicit value for a NumPy type; what is held as an object is a string."""
    if dtype.names is not None:
        return tuple([implicit_of(dtype[name]) for name in dtype.names])
    return "" if dtype == OBJECT else dtype.type(0)


def zeros(shape: int | Sequence[int], code: Code) -> Array:
    """An array of implicit values."""
    dtype = storage(code)
    if not dtype.hasobject:
        size = prod(shape) if isinstance(shape, Sequence) else shape
        reserve(size * dtype.itemsize, "an array of {} elements", size)
        return np.zeros(shape, dtype)
    if form_of(code) == "tile":
        return repeated(implicit(code), shape)
    if is_list(code):
        return _nothings(shape)
    if dtype.names is None:
        return np.full(shape, "", OBJECT)
    result = np.empty(shape, dtype)
    for position, name in enumerate(dtype.names):
        part = code[1 + position] if form_of(code) == "tuple" else dtype[name]
        result[name] = zeros(shape, part)
    return result


def _nothings(shape: int | Sequence[int]) -> Array:
    cells = np.empty(shape, OBJECT)
    cells.fill(NOTHING)
    return cells


def repeated(value: Any, shape: int | Sequence[int]) -> Array:
    """An array of objects each of which is `value`, even if that is an array itself."""
    value = _content(value)
    cell = np.empty((), OBJECT)
    cell[()] = value
    return np.full(shape, cell, OBJECT) if np.ndim(value) == 0 else _filled(value, shape)


def _content(value: Any) -> Any:
    """Return what an array of one object and no dimension holds; any other value itself."""
    if not isinstance(value, np.ndarray):
        return value
    array = cast(Array, value)
    return array[()] if array.shape == () and array.dtype == OBJECT else array


def _filled(value: Any, shape: int | Sequence[int]) -> Array:
    result = np.empty(shape, OBJECT)
    flat = result.reshape(-1)
    for position in range(flat.size):
        flat[position] = value
    return result


def zeros_like(array: Array, count: int) -> Array:
    """`count` implicit values of the type that the elements of `array` have.

    Whether objects are strings, lists or arrays shows in the first of them.
    """
    if array.dtype.names is not None and array.dtype.hasobject:
        result = np.empty(count, array.dtype)
        for name in array.dtype.names:
            result[name] = zeros_like(array[name], count)
        return result
    first: Any = array.reshape(-1)[0] if array.dtype == OBJECT and array.size else ""
    if is_cell(first):
        return _nothings(count)
    if not hasattr(first, "dtype"):
        return zeros(count, array.dtype)
    return repeated(np.zeros((0,) * first.ndim, first.dtype), count)


def scalar(value: Any, code: Code) -> Any:
    """A Python value as a scalar of a type: a NumPy scalar, a string, a packed tuple."""
    dtype = storage(code)
    if dtype == OBJECT:
        return value
    return np.array(value, dtype)[()]


def stored_positions(values: Array) -> Array | None:
    """Return where a vector holds what is not implicit; None if that is everywhere."""
    if values.dtype.names is None and values.dtype != OBJECT:
        return None if values.all() else np.flatnonzero(values)
    stored = _is_stored(values)
    return None if stored.all() else np.flatnonzero(stored)


def _is_stored(values: Array) -> Array:
    if values.dtype.names is not None:
        return np.logical_or.reduce([_is_stored(values[name]) for name in values.dtype.names])
    if values.dtype == OBJECT:
        return np.fromiter(map(_is_something, values), np.bool_, len(values))
    return values.astype(np.bool_)


def _is_something(value: Any) -> bool:
    """Whether an object is no implicit value: a list, a string or an array of some length."""
    if is_cell(value):
        return value[2] > 0
    return value.size > 0 if hasattr(value, "size") else bool(value)


def converted(values: Any, code: DTypeLike | Code) -> Array:
    """A column in the storage of a type, itself if it is that already."""
    return values.astype(storage(code), copy=False)
