"""Python expressions as text, with their precedence and the dimensions they vary over.

The pieces that the NumPy emitter puts together: literals, dtypes, and expressions that know
when they need brackets.

    Expression("a + b", Level.SUM).at(Level.PRODUCT)    =>    "(a + b)"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import copysign
from typing import Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    i1,
)
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.ir import Attribute, Operation

from diablo.diagnostics import emitted_name
from diablo.dialects.locations import span_of
from diablo.dialects.scalar_types import is_numpy, is_sized, scalar_of
from diablo.lowering.kernel_types import type_code


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


def infix(left: str, symbol: str, right: str) -> str:
    """An operator between two operands; to add a negative number is to take off a positive one.

    Not so of the least number of a type, which has no opposite: that of 8 bits is the first.

    >>> infix("n", "+", "-1")
    'n - 1'
    >>> infix("n", "+", "-128")
    'n + -128'
    """
    if symbol == "+" and right[:1] == "-" and right[1:].isdigit() and int(right) > -128:
        symbol, right = "-", right[1:]
    return f"{left} {symbol} {right}"


@dataclass(frozen=True)
class Points:
    """Where a body is evaluated: at how many dimensions of points, and of which shape.

    `live` is whether there are any, where that is not sure: of rows there may be none.
    """

    rank: int = 0
    shape: str = "()"
    live: str | None = None


@dataclass(frozen=True)
class Site:
    """An op with its operands' expressions, and the points where it is evaluated.

    `mask` says at which points (None: at all), `count` how many rows there are where the
    points are rows.
    """

    op: Operation
    operands: Sequence[Expression]
    mask: str | None = None
    count: str | None = None

    @property
    def varies(self) -> bool:
        """Whether the result is an array rather than a scalar."""
        return any(operand.axes for operand in self.operands)

    def call(self, function: str, *more: str) -> str:
        """A call of `function` with all operands and further arguments."""
        arguments = [operand.text for operand in self.operands]
        return f"{function}({', '.join([*arguments, *more])})"


Spelling = Callable[[Site], tuple[str, Level]]
"""How an op is written, and how tightly that holds together."""


def place_of(op: Operation) -> str:
    """`file:line:column` of the source, the file by its name alone; nothing where it is unknown."""
    span = span_of(op)
    return "" if span is None else f"{emitted_name(span.file)}:{span.line}:{span.column}"


def tuple_text(items: Sequence[str]) -> str:
    """A Python tuple of expressions."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def numbers_text(numbers: DenseArrayBase[Any]) -> str:
    """The tuple of the numbers of an attribute."""
    return tuple_text([str(number) for number in numbers.get_values()])


def dtype_of(type: Attribute) -> str:
    """The NumPy dtype of a number's type, and the code of any other type, as text."""
    scalar = scalar_of(type)
    return type_code(type) if scalar is None or scalar.domain == "text" else f"np.{scalar.dtype}"


def constant(attribute: Attribute) -> str | None:
    """A literal for the value of a constant, or None if it is not a scalar we have."""
    match attribute:
        case IntegerAttr(value=value, type=type):
            if is_sized(type):  # Python's integers are wider: sums would not wrap around.
                return f"{dtype_of(type)}({value.data})"
            return str(bool(value.data)) if type == i1 else str(value.data)
        case FloatAttr(value=value, type=Float64Type()):
            return _float(value.data)
        case FloatAttr(value=value, type=type) if is_numpy(type):
            return f"{dtype_of(type)}({_float(value.data)})"
        case ComplexNumberAttr(real=real, imag=imag, type=type):
            parts = [_float(real.data)] + ([] if _is_plus_zero(imag.data) else [_float(imag.data)])
            number = parts[0] if len(parts) == 1 else f"complex({', '.join(parts)})"
            return f"{dtype_of(type)}({number})"
        case _:
            return None


def _is_plus_zero(value: float) -> bool:
    return value == 0 and copysign(1.0, value) > 0


def _float(value: float) -> str:
    return {"inf": "np.inf", "-inf": "-np.inf", "nan": "np.nan"}.get(repr(value), repr(value))
