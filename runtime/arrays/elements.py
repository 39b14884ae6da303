"""Element types of the data that go in and out of programs, and converting to them.

convert(np.array([1.0, 2.0]), "i64", …)   ->  array([1, 2])
convert(np.array([1.0, 2.5]), "i64", …)   ->  InputError: G: 2.5 in row 2 is not an integer
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log2, log10
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import InputError
from diablo.runtime.column_types import storage
from diablo.scalar_table import BY_ELEMENT, SCALARS, Scalar

Array = NDArray[Any]
Place = Callable[[int], str]
_Value = TypeVar("_Value")

DTYPES: dict[str, np.dtype[Any]] = {row.element: storage(row.code) for row in SCALARS}
"""The NumPy type of each element type of the IR."""

NOUNS = {row.element: row.noun for row in SCALARS}
_LAST_CHARACTER = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)
"""The halves of surrogate pairs."""

HALF_OF_A_PAIR = "holds half of a surrogate pair, which is no character"

_LONGEST_NUMBER = 200
"""Bits of an integer that messages show."""

_LONGEST_TEXT = 40

PYTHON_TYPES: dict[str, set[type]] = {
    "integer": {int},
    "unsigned": {int},
    "floating": {int, float},
    "complex": {int, float, complex},
    "boolean": {bool},
}
"""The types of Python's values that are scalars of each domain."""
_PLAIN_TYPES: dict[type, type] = {
    np.dtype(code).type: type(np.zeros(1, code).tolist()[0]) for code in "?bhilqBHILQefdFD"
}
"""The types of Python's numbers that single numbers of NumPy's are."""


def convert(array: Array, element: str, name: str, place: Place = "element {}".format) -> Array:
    """`array` in the NumPy type of `element`, without a copy if it has that type.

    Values must survive: a float becomes an integer only if it is one; floats are rounded, and
    infinite where they are too large. `name` and `place(position)` say in the error message
    what was read and where in it.
    """
    domain, dtype = BY_ELEMENT[element].domain, DTYPES[element]
    if domain == "text" or array.dtype.kind in "UO":
        return _convert_objects(array, element, name, place)
    if array.dtype == dtype and domain != "character":
        return array
    if array.dtype.kind not in ("biufc" if domain == "complex" else "biuf"):
        raise _mixed_up(array, element, name, place)
    if BY_ELEMENT[element].is_integer:
        _check(_is_integer(array, dtype), array, element, name, place)
    elif domain == "character":
        _check(_is_character(array), array, element, name, place)
    elif domain == "boolean" and array.dtype.kind != "b":
        _check((array == 0) | (array == 1), array, element, name, place)
    return _cast(array, dtype)


def distinct(values: Iterable[_Value]) -> set[_Value]:
    """Return `set(values)`; where all are one, as types of rows are, in half the time."""
    held = list(values)
    return set(held[:1] if held and held.count(held[0]) == len(held) else held)


def are_texts(values: Iterable[Any]) -> bool:
    """Return whether all values are strings."""
    return all(issubclass(kind, str) for kind in distinct(map(type, values)))


def without_mask(value: Any, name: str) -> Any:
    """`value`, the data of a masked array or columns; an `InputError` if anything is masked."""
    if "numpy.ma" not in sys.modules:
        return cast(object, value)  # Nothing is masked, and NumPy imports that late.
    if isinstance(value, np.ma.MaskedArray):
        array: Any = cast(Any, value)
        mask = np.ascontiguousarray(np.ma.getmaskarray(array))
        masked = int(mask.view(np.bool_).sum())  # One for each field of records.
        if masked:
            are = "element is" if masked == 1 else "elements are"
            raise InputError(f"{name}: {masked} {are} masked; give filled(…) or compressed()")
        return array.data
    if isinstance(value, list | tuple):
        parts = cast("Sequence[Any]", value)
        if any(issubclass(part, np.ma.MaskedArray) for part in distinct(map(type, parts))):
            bare = [without_mask(part, name) for part in parts]
            return tuple(bare) if isinstance(value, tuple) else bare
    return cast(object, value)


def _cast(array: Array, dtype: np.dtype[Any]) -> Array:
    # What is too large for 32 bits is infinite, as it is in programs.
    with np.errstate(over="ignore"):
        return array.astype(dtype, copy=False)


def _convert_objects(array: Array, element: str, name: str, place: Place) -> Array:
    """Strings, and characters, from arrays of text or of Python's objects."""
    values: list[Any] = array.reshape(-1).tolist()
    domain = BY_ELEMENT[element].domain
    if domain == "text" and are_texts(values):
        _refuse_surrogates(values, name, place)
        return array.astype(object, copy=False)
    if domain == "character" and all(isinstance(v, str) and len(v) == 1 for v in values):
        _refuse_surrogates(values, name, place)
        return np.fromiter(map(ord, values), np.int32, len(values)).reshape(array.shape)
    if domain == "complex":
        return _convert_complex(array, element, name, place)
    if array.dtype.kind == "O" and domain not in ("character", "text"):
        plain: list[Any] = [cast(Any, v).item() if isinstance(v, np.generic) else v for v in values]
        if distinct(map(type, plain)) <= {int, float, bool}:
            # Numbers that were held as Python's objects.
            numbers = numbers_of(plain).reshape(array.shape)
            if numbers.dtype.kind in "biuf":
                return convert(numbers, element, name, place)
    raise _mixed_up(array, element, name, place)


def _convert_complex(array: Array, element: str, name: str, place: Place) -> Array:
    """Complex numbers from Python's objects: numbers, their text, or dictionaries of two parts."""
    values: list[Any] = array.reshape(-1).tolist()
    try:
        numbers = np.array(list(map(_complex_number, values)), np.complex128)
    except (ValueError, TypeError, KeyError, OverflowError):
        raise _mixed_up(array, element, name, place) from None
    return _cast(numbers, DTYPES[element]).reshape(array.shape)


def _complex_number(value: Any) -> complex:
    """A complex number as files hold it: as text, `(1+2j)`, or as `{"re": 1.0, "im": 2.0}`.

    Raises `ValueError`, `TypeError` or `KeyError` if it is none.
    """
    if isinstance(value, Mapping):
        parts = cast("Mapping[str, Any]", value)
        names = ("real", "imag") if "real" in parts else ("re", "im")
        if len(parts) > len(names):
            raise ValueError
        return complex(*(float(parts[name]) for name in names))
    if isinstance(value, bool):
        raise TypeError
    return complex(value)


def numbers_of(values: Any) -> Array:
    """Python's values as NumPy holds them; integers beyond those of 64 bits with a sign stay so."""
    found = np.array(values)
    if found.dtype.kind == "f" and bool((found >= 2.0**63).any()):
        try:
            whole = np.array(values, np.uint64)
        except (OverflowError, TypeError, ValueError):
            return found
        exact = np.array(values, object)
        return whole if bool((whole == exact).all()) else found
    return found


def _is_integer(array: Array, dtype: np.dtype[Any]) -> Array:
    """Return where the numbers of an array are integers of a type."""
    if array.dtype.kind == "b" or np.can_cast(array.dtype, dtype):
        return np.ones(array.shape, np.bool_)
    limits = np.iinfo(dtype)
    if array.dtype.kind == "f":
        # Both limits are exact as floats: powers of two, or zero.
        low, above = float(limits.min), 2.0 ** round(log2(limits.max))
        with np.errstate(invalid="ignore"):
            return (np.floor(array) == array) & (array >= low) & (array < above)
    return (array >= limits.min) & (array <= limits.max)


def _is_character(array: Array) -> Array:
    if array.dtype.kind not in "iu":
        return np.zeros(array.shape, np.bool_)
    in_range = (array >= 0) & (array <= _LAST_CHARACTER)
    return in_range & ((array < _SURROGATES.start) | (array >= _SURROGATES.stop))


def is_character_code(code: int) -> bool:
    """Return whether an integer is the code point of a character."""
    return 0 <= code <= _LAST_CHARACTER and code not in _SURROGATES


def has_surrogates(text: str) -> bool:
    """Return whether a string holds half of a surrogate pair, which is no character."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _refuse_surrogates(values: Sequence[str], name: str, place: Place) -> None:
    if has_surrogates("".join(values)):
        position = next(p for p, value in enumerate(values) if has_surrogates(value))
        raise InputError(f"{name}: {shown(values[position])} in {place(position)} {HALF_OF_A_PAIR}")


def refuse_other_scalars(values: Sequence[Any], element: str, name: str, place: Place) -> None:
    """Raise an `InputError` for the first of Python's values that is no scalar of a type.

    They are taken as single ones are: `True` is no integer, `1` no Boolean, `3.0` no integer.
    What is no number is left to who converts them.
    """
    allowed = PYTHON_TYPES.get(BY_ELEMENT[element].domain)
    found = distinct(map(type, values))
    if allowed is None or {_PLAIN_TYPES.get(type, type) for type in found} <= allowed:
        return
    for position, value in enumerate(values):
        plain: Any = cast(Any, value).item() if isinstance(value, np.generic) else value
        if isinstance(plain, bool | int | float | complex) and type(plain) not in allowed:
            scalar = BY_ELEMENT[element]
            whole = scalar.is_integer and isinstance(plain, float) and plain.is_integer()
            too_large = whole and not scalar.holds(int(cast(float, plain)))
            noun = scalar.sized_noun if too_large else scalar.noun
            raise InputError(f"{name}: {shown(plain)} in {place(position)} is not {noun}")


def shown(value: Any) -> str:
    """A value as a message quotes it: of what is long its beginning."""
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
        count = int(value.bit_length() * log10(2))
        leading = abs(value) // 10 ** (count - 20)
        sign = "-" if value < 0 else ""
        return f"{sign}{str(leading)[:16]}…, a number of some {count} digits,"
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST_TEXT else value[:_LONGEST_TEXT] + "…")
    return repr(value)


def _check(good: Array, array: Array, element: str, name: str, place: Place) -> None:
    if not good.all():
        position = int(np.flatnonzero(~good.reshape(-1))[0])
        value = array.reshape(-1)[position].item()
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        scalar = BY_ELEMENT[element]
        noun = scalar.sized_noun if whole and scalar.is_integer else NOUNS[element]
        raise InputError(f"{name}: {shown(value)} in {place(position)} is not {noun}")


def _mixed_up(array: Array, element: str, name: str, place: Place) -> InputError:
    """The error for elements that are not of the type: the first such element, if any."""
    for position, value in enumerate(array.reshape(-1).tolist()):
        if not _is_of(value, element):
            sized = not BY_ELEMENT[element].is_text and isinstance(value, int)
            noun = _integers_for(element).sized_noun if sized else NOUNS[element]
            return InputError(f"{name}: {shown(value)} in {place(position)} is not {noun}")
    return InputError(f"{name}: elements of type {array.dtype} are not numbers")


def _is_of(value: Any, element: str) -> bool:
    domain = BY_ELEMENT[element].domain
    if domain == "text":
        return isinstance(value, str)
    if domain == "character":
        return isinstance(value, str) and len(value) == 1
    if domain == "complex":
        try:
            _complex_number(value)
        except (ValueError, TypeError, KeyError):
            return False
        return True
    if isinstance(value, int):
        return _integers_for(element).holds(value)
    return isinstance(value, float)


def _integers_for(element: str) -> Scalar:
    """The row of the integers that are read where numbers of a type are wanted."""
    scalar = BY_ELEMENT[element]
    return scalar if scalar.is_integer else BY_ELEMENT["i64"]
