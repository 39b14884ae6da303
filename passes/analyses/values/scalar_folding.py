"""Analysis: the value of a scalar operation whose operands are known numbers.

Where xDSL folds an operation on integers this asks xDSL, by the `py_operation` that its folders
call. The tables here have what xDSL leaves open, and functions are what their row of the table of
functions says. Nothing of it is the reference interpreter's, which judges what is folded here.

Booleans (`i1`) are `bool`, other integers and indices `int`, floats `float`. Of complex numbers
those are known that are real, as a `float`. Integers wrap around as 64-bit (or narrower) words do,
floats follow IEEE 754. What has no value, as a division of integers by zero, stays as it is, to
fail when it runs.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects import complex as complex_dialect
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from diablo.dialects.complex_numbers import ToComplexOp, part_type
from diablo.dialects.comprehension.comprehension_numbers import RemainderOp
from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.functions.function_values import value_at
from diablo.dialects.narrow_floats import rounded
from diablo.dialects.number_constants import ComplexConstantOp, ConstantOps
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_complex, is_unsigned

Number = bool | int | float


def number_of_type(number: Number, type: Attribute) -> Number | None:
    """Return `number` as a value of `type` has it, wrapped around or rounded."""
    match type:
        case _ if is_complex(type):
            return rounded(number, part_type(type))
        case _ if isinstance(type, AnyFloat):
            return rounded(number, type)
        case IntegerType() | IndexType():
            width = _width(type)
            if is_unsigned(type):
                return _unsigned(int(number), width)
            word = _signed(int(number), width)
            return bool(word) if width == 1 else word
        case _:
            return None


def real_number(number: complex) -> Number | None:
    """Return a complex number if it is known as one: as the real one that it is.

    One below the real axis, by a zero with a sign, lies on the other side of a branch cut. Zero is
    zero: sparse arrays, whose zeros these are, do not tell them apart.
    """
    return _real_of_parts(number.real, number.imag)


def fold(op: Operation, operands: Sequence[Number]) -> Number | None:
    """Return the value of `op` for these operands, or `None` if it has none that is known."""
    if not operands:
        return _constant(op)
    kind = type(op)
    if kind is arith.SelectOp:
        return operands[1] if operands[0] else operands[2]
    if len(op.results) != 1:
        return None
    result = op.results[0].type
    if isinstance(op, arith.SignlessIntegerBinaryOperation):
        folded = op.py_operation(int(operands[0]), int(operands[1]))
        if folded is not None:
            return number_of_type(folded, result)
    if (on_floats := _ON_FLOATS.get(kind)) is not None:
        return number_of_type(on_floats(*map(float, operands)), result)
    if (convert := _CONVERSIONS.get(kind)) is not None:
        return number_of_type(convert(operands[0], op.operands[0].type, result), result)
    if isinstance(op, arith.CmpiOp | arith.CmpfOp):
        return _compared(op, *operands)
    if (on_complex := _ON_COMPLEX.get(kind)) is not None:
        value = on_complex(*map(float, operands))
        # Infinite ones have a second part, which is NaN.
        finite = value is not None and all(map(math.isfinite, (*operands, value)))
        return number_of_type(value, result) if value is not None and finite else None
    if (on_words := _ON_WORDS.get(kind)) is not None:
        width = _width(result)
        a, b = (_signed(int(number), width) for number in operands)
        value = on_words(a, b, width)
        return None if value is None else number_of_type(value, result)
    return _called(op, operands)


def _constant(op: Operation) -> Number | None:
    if isinstance(op, ComplexConstantOp):
        return real_number(op.number)
    value = op.value if isinstance(op, ConstantOps) else None
    if not isinstance(value, IntegerAttr | FloatAttr):
        return None
    return number_of_type(value.value.data, op.results[0].type)


def _called(op: Operation, operands: Sequence[Number]) -> Number | None:
    """Return the value of a function of the table."""
    overload = overload_of(op)
    if overload is None or not overload.numpy:
        return None
    type = op.operands[0].type
    if is_complex(type):
        value = value_at(overload, *map(complex, operands))
        value = value.item() if hasattr(value, "item") else value
        if is_complex(op.results[0].type):
            value = real_number(value)
        finite = value is not None and all(map(math.isfinite, (*operands, value)))
        return number_of_type(value, op.results[0].type) if value is not None and finite else None
    if isinstance(type, AnyFloat):
        value = value_at(overload, *map(float, operands))
    else:
        word = _unsigned if is_unsigned(type) else _signed
        value = value_at(overload, *[word(int(number), _width(type)) for number in operands])
    return number_of_type(value.item() if hasattr(value, "item") else value, op.results[0].type)


def _width(type: Attribute) -> int:
    return type.bitwidth if isa(type, IntegerType) else 64


def _unsigned(number: int, width: int) -> int:
    return number & ((1 << width) - 1)


def _signed(number: int, width: int) -> int:
    half = 1 << (width - 1)
    return _unsigned(number + half, width) - half


# Operations on integers: of two words with a sign, and their width.

OnWords = Callable[[int, int, int], int | None]


def _quotient(a: int, b: int, width: int) -> int | None:
    """Return `a / b` rounded toward zero."""
    if b == 0:
        return None
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def _remainder(a: int, b: int, width: int) -> int | None:
    quotient = _quotient(a, b, width)
    return None if quotient is None else a - quotient * b


def _on_unsigned(operation: Callable[[int, int], int | None]) -> OnWords:
    return lambda a, b, width: operation(_unsigned(a, width), _unsigned(b, width))


def _power(a: int, b: int, width: int) -> int | None:
    if b >= 0:
        return pow(a, b, 1 << width)
    # A power of a fraction is one of 1 and -1, or rounds to zero.
    return {1: 1, -1: -1 if b % 2 else 1, 0: None}.get(a, 0)


def _shifted_left(a: int, b: int, width: int) -> int:
    return a << b if 0 <= b < width else 0


def _shifted_right(a: int, b: int, width: int) -> int:
    return a >> (b if 0 <= b < width else width)


_ON_WORDS: dict[type[Operation], OnWords] = {
    arith.DivSIOp: _quotient,
    arith.RemSIOp: _remainder,
    arith.FloorDivSIOp: lambda a, b, width: a // b if b else None,
    arith.CeilDivSIOp: lambda a, b, width: -(-a // b) if b else None,
    arith.DivUIOp: _on_unsigned(lambda a, b: a // b if b else None),
    arith.CeilDivUIOp: _on_unsigned(lambda a, b: -(-a // b) if b else None),
    arith.RemUIOp: _on_unsigned(lambda a, b: a % b if b else None),
    arith.MinUIOp: _on_unsigned(min),
    arith.MaxUIOp: _on_unsigned(max),
    arith.MinSIOp: lambda a, b, width: min(a, b),
    arith.MaxSIOp: lambda a, b, width: max(a, b),
    arith.ShLIOp: _shifted_left,
    arith.ShRSIOp: _shifted_right,
    arith.ShRUIOp: lambda a, b, width: _shifted_right(_unsigned(a, width), b, width),
    math_dialect.IPowIOp: _power,
}


# Operations on floats.


def _ratio(a: float, b: float) -> float:
    if b:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


def _remainder_of_floats(a: float, b: float) -> float:
    return math.nan if b == 0 or math.isinf(a) else math.fmod(a, b)


def _rounded_away(a: float) -> float:
    """Return the nearest integer, of two the one away from zero."""
    if not math.isfinite(a):
        return a
    whole, part = math.trunc(a), abs(a - math.trunc(a))
    return math.copysign(abs(whole) + (part >= 0.5), a)


def _multiply_add(a: float, b: float, c: float) -> float:
    return a * b + c


def _reciprocal_root(a: float) -> float:
    return math.nan if a < 0 else _ratio(1.0, math.sqrt(a))


_ON_FLOATS: dict[type[Operation], Callable[..., float]] = {
    arith.AddfOp: float.__add__,
    arith.SubfOp: float.__sub__,
    arith.MulfOp: float.__mul__,
    arith.DivfOp: _ratio,
    arith.NegfOp: float.__neg__,
    RemainderOp: _remainder_of_floats,
    math_dialect.FmaOp: _multiply_add,
    math_dialect.RoundOp: _rounded_away,
    math_dialect.RsqrtOp: _reciprocal_root,
}


# Operations on complex numbers that are real.


# The second part is 0.0, and so must that of the result be: not -0.0, unless it is zero itself.


def _real_of_parts(real: float, imaginary: float) -> float | None:
    """Return the real number that two parts make, if they make one."""
    if imaginary != 0.0:  # As NaN is.
        return None
    if real == 0.0:
        return 0.0
    return real if math.copysign(1.0, imaginary) > 0 else None


def _real_product(a: float, b: float) -> float | None:
    return None if a < 0 and b < 0 else a * b + 0.0


def _real_ratio(a: float, b: float) -> float | None:
    """Return a quotient, which NumPy computes with the reciprocal; none by zero."""
    if a == 0.0 and b:
        return 0.0
    return a * (1.0 / b) if b > 0 else None


def _real_opposite(a: float) -> float | None:
    return 0.0 if a == 0.0 else None


_ON_COMPLEX: dict[type[Operation], Callable[..., float | bool | None]] = {
    complex_dialect.CreateOp: _real_of_parts,
    complex_dialect.AddOp: float.__add__,
    complex_dialect.SubOp: float.__sub__,
    complex_dialect.MulOp: _real_product,
    complex_dialect.DivOp: _real_ratio,
    complex_dialect.NegOp: _real_opposite,
    complex_dialect.EqualOp: operator.eq,
    complex_dialect.NotEqualOp: operator.ne,
}


# Conversions: of a number of one type to another type.


def _to_integer(number: Number, source: Attribute, result: Attribute) -> int:
    """Return the integer toward zero: 0 for NaN, the nearest for what is too large."""
    if math.isnan(number):
        return 0
    if is_unsigned(result):
        return math.trunc(min(max(number, 0.0), 2.0 ** _width(result))) - (
            number >= 2.0 ** _width(result)
        )
    most = (1 << (_width(result) - 1)) - 1
    if abs(number) >= most + 1:
        return most if number > 0 else -most - 1
    return math.trunc(number)


def _from_signed(number: Number, source: Attribute, result: Attribute) -> int:
    if is_unsigned(source):
        return _unsigned(int(number), _width(source))
    return _signed(int(number), _width(source))


def _from_unsigned(number: Number, source: Attribute, result: Attribute) -> int:
    return _unsigned(int(number), _width(source))


def _as_it_is(number: Number, source: Attribute, result: Attribute) -> Number:
    return number


_CONVERSIONS: dict[type[Operation], Callable[[Number, Attribute, Attribute], Number]] = {
    arith.FPToSIOp: _to_integer,
    arith.FPToUIOp: _to_integer,
    arith.UIToFPOp: _from_unsigned,
    arith.ExtUIOp: _from_unsigned,
    arith.SIToFPOp: _from_signed,
    arith.ExtSIOp: _from_signed,
    arith.IndexCastOp: _from_signed,
    arith.ExtFOp: _as_it_is,
    arith.TruncFOp: _as_it_is,
    arith.TruncIOp: _as_it_is,
    ToComplexOp: _as_it_is,
}


# Comparisons, by the names of their predicates.


def _compared(op: arith.CmpiOp | arith.CmpfOp, a: Number, b: Number) -> bool:
    predicate = predicate_of(op)
    if isinstance(op, arith.CmpfOp):
        if predicate in ("false", "true"):
            return predicate == "true"
        if math.isnan(a) or math.isnan(b):
            return predicate.startswith("u")
        if predicate in ("ord", "uno"):
            return predicate == "ord"
        return _ORDERS[predicate[1:]](a, b)
    word = _unsigned if predicate.startswith("u") else _signed
    width = _width(op.lhs.type)
    return _ORDERS[predicate.removeprefix("u").removeprefix("s")](
        word(int(a), width), word(int(b), width)
    )


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
