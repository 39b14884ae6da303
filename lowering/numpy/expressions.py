"""Python expressions as text, with their precedence and the dimensions they vary over.

The pieces that the NumPy emitter puts together: literals, dtypes, and expressions that know
when they need brackets.

    Expression("a + b", Level.SUM).at(Level.PRODUCT)    =>    "(a + b)"
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import IntEnum

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation

from diablo.dialects.locations import span_of


class Level(IntEnum):
    """How tightly an expression holds together: Python's operator precedence."""

    CHOICE = 0
    NOT = 1
    COMPARE = 2
    OR = 3
    XOR = 4
    AND = 5
    SHIFT = 6
    SUM = 7
    PRODUCT = 8
    SIGN = 9
    ATOM = 10


@dataclass(frozen=True)
class Expression:
    """Python text, and the iteration dimensions over which its value varies."""

    text: str
    level: Level = Level.ATOM
    axes: frozenset[int] = frozenset()

    def at(self, level: Level) -> str:
        """The text, in parentheses if it holds together less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"


def place_of(op: Operation) -> str:
    """`file:line:column` of the source, or nothing where it is unknown."""
    span = span_of(op)
    return "" if span is None else f"{span.file}:{span.line}:{span.column}"


def quoted(text: str) -> str:
    """A Python string literal in double quotes."""
    return json.dumps(text)


def dtype_of(type: Attribute) -> str:
    """The NumPy dtype of a scalar type, as text."""
    return DTYPES[type]


DTYPES: dict[Attribute, str] = {
    f64: "np.float64",
    f32: "np.float32",
    i64: "np.int64",
    IndexType(): "np.int64",
    i1: "np.bool_",
}


def constant(attribute: Attribute) -> str | None:
    """A literal for the value of a constant, or None if it is not a scalar we have."""
    match attribute:
        case IntegerAttr(value=value, type=type):
            return str(bool(value.data)) if type == i1 else str(value.data)
        case FloatAttr(value=value, type=Float64Type()):
            return _float(value.data)
        case FloatAttr(value=value, type=Float32Type()):
            return f"np.float32({_float(value.data)})"
        case _:
            return None


def _float(value: float) -> str:
    return {"inf": "np.inf", "-inf": "-np.inf", "nan": "np.nan"}.get(repr(value), repr(value))
