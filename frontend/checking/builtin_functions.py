"""The functions of strings and the conversions: the tables that checker and importer read.

Functions on numbers are in `diablo.dialects.functions.scalar_functions`.
"""

from __future__ import annotations

from dataclasses import dataclass

from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    STRING,
    ListType,
    ScalarType,
    Type,
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

CONVERSIONS: dict[str, dict[ScalarType, ScalarType]] = {
    "toInt": dict.fromkeys((STRING, CHAR, INT, FLOAT, DOUBLE), INT),
    "toDouble": dict.fromkeys((STRING, INT, FLOAT, DOUBLE), DOUBLE),
    "toString": dict.fromkeys((STRING, CHAR, INT, FLOAT, DOUBLE, BOOLEAN), STRING),
}
"""From the type of the argument to that of the result. A Char's Int is its code point, a
Double's is truncated; a string that is no number is an error while the program runs."""
