"""Element types of the data that go in and out of programs, and converting to them.

convert(np.array([1.0, 2.0]), "i64", …)   ->  array([1, 2])
convert(np.array([1.0, 2.5]), "i64", …)   ->  InputError: G: 2.5 in row 2 is not an integer
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import InputError

Array = NDArray[Any]

DTYPES: dict[str, np.dtype[Any]] = {
    "i64": np.dtype(np.int64),
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "i1": np.dtype(np.bool_),
}
"""The NumPy type of each element type of the IR."""

SOURCE_NAMES = {"i64": "Int", "f64": "Double", "f32": "Float", "i1": "Boolean"}
"""How a program spells each element type."""

NOUNS = {"i64": "an integer", "f64": "a number", "f32": "a number", "i1": "true or false"}
_INT64 = np.iinfo(np.int64)


def convert(
    array: Array, element: str, name: str, place: Callable[[int], str] = "element {}".format
) -> Array:
    """`array` in the NumPy type of `element`, without a copy if it has that type.

    Values must survive: a float becomes an integer only if it is one. `name` and
    `place(position)` say in the error message what was read and where in it.
    """
    dtype = DTYPES[element]
    if array.dtype == dtype:
        return array
    if array.dtype.kind not in "biuf":
        raise _mixed_up(array, element, name, place)
    if element == "i64":
        _check(_is_int64(array), array, element, name, place)
    elif element == "i1" and array.dtype.kind != "b":
        _check((array == 0) | (array == 1), array, element, name, place)
    return array.astype(dtype)


def _is_int64(array: Array) -> Array:
    if array.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return (np.floor(array) == array) & (array >= -(2.0**63)) & (array < 2.0**63)
    if array.dtype == np.uint64:
        return array <= np.uint64(_INT64.max)
    return np.ones(array.shape, np.bool_)


def _check(good: Array, array: Array, element: str, name: str, place: Callable[[int], str]) -> None:
    if not good.all():
        position = int(np.flatnonzero(~good.reshape(-1))[0])
        value = array.reshape(-1)[position].item()
        raise InputError(f"{name}: {value!r} in {place(position)} is not {NOUNS[element]}")


def _mixed_up(array: Array, element: str, name: str, place: Callable[[int], str]) -> InputError:
    """The error for elements that are not numbers: the first such element, if there is one."""
    for position, value in enumerate(array.reshape(-1).tolist()):
        if not isinstance(value, int | float) or (
            isinstance(value, int) and not _INT64.min <= value <= _INT64.max
        ):
            noun = "a 64-bit integer" if isinstance(value, int) else NOUNS[element]
            return InputError(f"{name}: {value!r} in {place(position)} is not {noun}")
    return InputError(f"{name}: elements of type {array.dtype} are not numbers")


def plural(count: int, noun: str) -> str:
    """`1 column`, `2 columns`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
