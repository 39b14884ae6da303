"""The functions of strings and the conversions: the tables that checker and importer read.

Functions on numbers are in `diablo.dialects.functions.scalar_functions`.
"""

from __future__ import annotations

from dataclasses import dataclass

from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    INT,
    SCALARS,
    STRING,
    ListType,
    ScalarType,
    Type,
    is_complex,
    is_integer,
    is_number,
)


@dataclass(frozen=True)
class StringFunction:
    """A function on strings, `f(s, …)` or `s.f(…)`; `name` is its name in the IR."""

    name: str
    parameters: tuple[ScalarType, ...]
    result: Type


STRING_FUNCTIONS: dict[str, StringFunction] = {
    "split": StringFunction("split", (STRING, STRING), ListType(STRING)),
    "contains": StringFunction("contains", (STRING, STRING), BOOLEAN),
    "startsWith": StringFunction("starts_with", (STRING, STRING), BOOLEAN),
    "endsWith": StringFunction("ends_with", (STRING, STRING), BOOLEAN),
    "substring": StringFunction("substring", (STRING, INT, INT), STRING),
    "charAt": StringFunction("char_at", (STRING, INT), CHAR),
    "indexOf": StringFunction("index_of", (STRING, STRING), INT),
    "replace": StringFunction("replace", (STRING, STRING, STRING), STRING),
    "toLower": StringFunction("lower", (STRING,), STRING),
    "toUpper": StringFunction("upper", (STRING,), STRING),
    "trim": StringFunction("trim", (STRING,), STRING),
}

_NUMBERS = tuple(type for name, type in SCALARS.items() if name == str(type) and is_number(type))
"""The types of numbers, each once."""


def _converted_to(type: ScalarType) -> dict[ScalarType, ScalarType]:
    """Return what becomes a number of a type: any other, an integer also of a character.

    Of a complex number only another one is made.
    """
    others = (CHAR,) if is_integer(type) else ()
    texts = (STRING,) if type in (INT, DOUBLE) else ()
    numbers = [number for number in _NUMBERS if is_complex(type) or not is_complex(number)]
    return dict.fromkeys((*texts, *others, *numbers), type)


CONVERSIONS: dict[str, dict[ScalarType, ScalarType]] = {
    **{f"to{name}": _converted_to(type) for name, type in SCALARS.items() if is_number(type)},
    "toString": dict.fromkeys((STRING, CHAR, *_NUMBERS, BOOLEAN), STRING),
}
"""From the type of the argument to that of the result, for every name that a type of numbers has.

A Char's integer is its code point, of an integer that is too large the lowest bits are kept, a
float is truncated, and what is too large then is the nearest integer. A string that is no number
is an error while the program runs."""
