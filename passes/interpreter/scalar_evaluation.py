"""The meaning of one scalar operation on Python numbers: operators, conversions and functions.

It is the interpreter's alone, which judges what the compiler folds. Booleans (`i1`) are `bool`,
other integers and indices `int`, floats `float`, complex numbers `complex`. Integers wrap around as
64-bit (or narrower) words do; floats follow IEEE 754, so they give NaN and infinities instead of
failing. An integer division by zero raises `EvaluationError`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
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

from diablo.diagnostics import Error
from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.comprehension.comprehension_numbers import RemainderOp
from diablo.dialects.comprehension.function_ops import function_of, overload_of
from diablo.dialects.number_constants import ComplexConstantOp, UnsignedOp
from diablo.dialects.predicates import predicate_of
from diablo.dialects.scalar_types import is_complex, is_unsigned, scalar_of
from diablo.passes.interpreter.number_functions import complex_value, function_value

Number = bool | int | float

AnyNumber = Number | complex


class EvaluationError(Error):
    """An operation has no value for these operands."""


def width_of(type: Attribute) -> int:
    """Return how many bits an integer or index has."""
    return type.width.data if isinstance(type, IntegerType) else 64  # pyright: ignore


def to_type(value: AnyNumber, type: Attribute) -> Any:
    """`value` as a value of `type` has it: wrapped around or rounded."""
    return _conversion_to(type)(value)


@cache
def _conversion_to(type: Attribute) -> Callable[[Any], Any]:
    """Return what makes a number a value of `type`."""
    if is_complex(type) or isinstance(type, AnyFloat):
        python: Callable[[Any], complex] = complex if is_complex(type) else float
        rounded = _numpy_type(type)
        if rounded in (np.float64, np.complex128):
            return python

        def round(value: AnyNumber) -> complex:
            with np.errstate(all="ignore"):
                return python(rounded(value))

        return round
    if isa(type, IntegerType | IndexType):
        width = width_of(type)
        if width == 1:
            return lambda value: bool(int(value) & 1)
        return partial(_unsigned if is_unsigned(type) else _signed, width=width)
    raise EvaluationError(f"a value of type {type} is not a number")


def _numpy_type(type: Attribute) -> Callable[[complex], Any]:
    row = scalar_of(type)
    assert row is not None
    return getattr(np, row.dtype)


def _quotient(a: int, b: int) -> int:
    """`a / b` rounded toward zero."""
    if b == 0:
        raise EvaluationError("integer division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _floor_quotient(a: int, b: int) -> int:
    if b == 0:
        raise EvaluationError("integer division by zero")
    return a // b


_SIGNED: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: operator.add,
    arith.SubiOp: operator.sub,
    arith.MuliOp: operator.mul,
    arith.DivSIOp: _quotient,
    arith.RemSIOp: lambda a, b: a - _quotient(a, b) * b,
    arith.FloorDivSIOp: _floor_quotient,
    arith.CeilDivSIOp: lambda a, b: -_floor_quotient(-a, b),
    arith.AndIOp: int.__and__,
    arith.OrIOp: int.__or__,
    arith.XOrIOp: int.__xor__,
    math_dialect.IPowIOp: lambda a, b: a**b if b >= 0 else _quotient(1, a**-b),
}

_UNSIGNED: dict[type[Operation], Callable[[int, int], int]] = {
    arith.DivUIOp: _floor_quotient,
    arith.CeilDivUIOp: lambda a, b: -_floor_quotient(-a, b),
    arith.RemUIOp: lambda a, b: a - _floor_quotient(a, b) * b,
    arith.MinUIOp: min,
    arith.MaxUIOp: max,
}


_EXACT: dict[type[Operation], Callable[..., float]] = {
    arith.AddfOp: operator.add,
    arith.SubfOp: operator.sub,
    arith.MulfOp: operator.mul,
    arith.NegfOp: float.__neg__,
}
"""What Python computes of floats as it is to be, without an error whatever they are."""


def _multiply_add(a: np.float64, b: np.float64, c: np.float64) -> np.float64:
    return a * b + c


def _round_half_away(a: np.float64) -> np.float64:
    return np.copysign(np.floor(np.abs(a) + 0.5), a)


def _reciprocal_root(a: np.float64) -> np.float64:
    return np.divide(np.float64(1.0), np.sqrt(a))


_FLOAT: dict[type[Operation], Callable[..., float]] = {
    arith.DivfOp: np.divide,
    RemainderOp: np.fmod,
    math_dialect.FmaOp: _multiply_add,
    math_dialect.FPowIOp: np.power,
    math_dialect.RoundOp: _round_half_away,
    math_dialect.RsqrtOp: _reciprocal_root,
}

_COMPLEX: dict[type[Operation], Callable[..., complex]] = {
    complex_dialect.AddOp: np.add,
    complex_dialect.SubOp: np.subtract,
    complex_dialect.MulOp: np.multiply,
    complex_dialect.DivOp: np.divide,
    complex_dialect.NegOp: np.negative,
}

COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
"""What predicates say of numbers, after the letter that says of which: `slt`, `oeq`."""


def _compared_integers(predicate: str, a: Number, b: Number, width: int) -> bool:
    read = _unsigned if predicate.startswith("u") else _signed
    return COMPARISONS[predicate[-2:]](read(a, width), read(b, width))


def _compared_floats(predicate: str, a: Number, b: Number) -> bool:
    if predicate in ("true", "false"):
        return predicate == "true"
    is_ordered = not (math.isnan(a) or math.isnan(b))
    if predicate in ("ord", "uno") or not is_ordered:
        return is_ordered == predicate.startswith("o")
    return COMPARISONS[predicate[1:]](a, b)


def _unsigned(value: Number, width: int) -> int:
    return int(value) & ((1 << width) - 1)


def _shift(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    result = op.results[0].type
    width = width_of(result)
    a, amount = _signed(operands[0], width), _unsigned(operands[1], width)
    if amount >= width:
        shifted = -1 if isinstance(op, arith.ShRSIOp) and a < 0 else 0
    elif isinstance(op, arith.ShLIOp):
        shifted = a << amount
    else:
        shifted = (a if isinstance(op, arith.ShRSIOp) else _unsigned(a, width)) >> amount
    return to_type(shifted, result)


def _to_integer(op: Operation, operands: Sequence[Any]) -> int:
    """A float toward zero; NaN is 0 and what is too large is the nearest integer."""
    value, type = operands[0], op.results[0].type
    if math.isnan(value):
        return 0
    low, limit = 0, 1 << width_of(type)
    if not is_unsigned(type):
        low, limit = -(limit >> 1), limit >> 1
    return max(low, min(limit - 1, int(max(-1e300, min(1e300, value)))))


def evaluate(op: Operation, operands: Sequence[Any]) -> AnyNumber | None:
    """The result of `op`, or `None` if it is not a scalar operation."""
    return _RULES.get(type(op), _call)(op, operands)


def _constant(op: arith.ConstantOp | UnsignedOp, _: Sequence[Any]) -> AnyNumber | None:
    value = op.value
    if not isinstance(value, IntegerAttr | FloatAttr):
        return None
    return to_type(value.value.data, op.result.type)


def _converted(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    return to_type(operands[0], op.results[0].type)


def _converted_word(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    """An integer with a sign, in more bits or as a float."""
    word = _signed(operands[0], width_of(op.operands[0].type))
    return to_type(word, op.results[0].type)


def _converted_unsigned(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    word = _unsigned(operands[0], width_of(op.operands[0].type))
    return to_type(word, op.results[0].type)


def _of_parts(op: complex_dialect.CreateOp, parts: Sequence[Any]) -> AnyNumber:
    return to_type(complex(*parts), op.complex.type)


def _integer_test(op: arith.CmpiOp, sides: Sequence[Any]) -> bool:
    return _compared_integers(predicate_of(op), sides[0], sides[1], width_of(op.lhs.type))


def _float_test(op: arith.CmpfOp, sides: Sequence[Any]) -> bool:
    return _compared_floats(predicate_of(op), sides[0], sides[1])


def _cast_index(op: arith.IndexCastOp, operands: Sequence[Any]) -> AnyNumber:
    rule = _converted if is_unsigned(op.input.type) else _converted_word
    return rule(op, operands)


def _bits(op: arith.BitcastOp, operands: Sequence[Any]) -> AnyNumber:
    given, wanted = op.input.type, op.result.type
    if isinstance(given, AnyFloat) or isinstance(wanted, AnyFloat):
        held = _numpy_type(given)(operands[0])
        return to_type(held.view(_numpy_type(wanted)).item(), wanted)
    return to_type(operands[0], wanted)


def _on_signed(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    result = op.results[0].type
    width = width_of(result)
    return to_type(_SIGNED[type(op)](*(_signed(value, width) for value in operands)), result)


def _on_unsigned(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    result = op.results[0].type
    width = width_of(result)
    return to_type(_UNSIGNED[type(op)](*(_unsigned(value, width) for value in operands)), result)


def _on_complex(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    # Rounded after each step, as numbers of this width are.
    held = _numpy_type(op.results[0].type)
    with np.errstate(all="ignore"):
        return complex(_COMPLEX[type(op)](*map(held, operands)))


def _on_floats(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    return to_type(_EXACT[type(op)](*map(float, operands)), op.results[0].type)


def _by_numpy(op: Operation, operands: Sequence[Any]) -> AnyNumber:
    with np.errstate(all="ignore"):
        return to_type(float(_FLOAT[type(op)](*map(np.float64, operands))), op.results[0].type)


def _call(op: Operation, operands: Sequence[Any]) -> AnyNumber | None:
    """The value of a function on numbers."""
    name, overload = function_of(op), overload_of(op)
    if name is None or overload is None:
        return None
    type = op.operands[0].type
    if is_complex(type):
        return to_type(complex_value(name, overload, *map(complex, operands)), op.results[0].type)
    on_floats = isinstance(type, AnyFloat)
    width = 0 if on_floats else width_of(type)
    word = _unsigned if is_unsigned(type) else _signed
    numbers = [float(n) if on_floats else word(n, width) for n in operands]
    return to_type(function_value(name, overload, numbers, on_floats), op.results[0].type)


def _signed(value: Number, width: int) -> int:
    word = _unsigned(value, width)
    return word - ((word >> (width - 1)) << width)


_RULES: dict[type[Operation], Callable[[Any, Sequence[Any]], AnyNumber | None]] = {
    arith.ConstantOp: _constant,
    UnsignedOp: _constant,
    ComplexConstantOp: lambda op, _: to_type(op.number, op.result.type),
    complex_dialect.CreateOp: _of_parts,
    complex_dialect.EqualOp: lambda _, sides: sides[0] == sides[1],
    complex_dialect.NotEqualOp: lambda _, sides: sides[0] != sides[1],
    arith.SelectOp: lambda _, operands: operands[1] if operands[0] else operands[2],
    arith.CmpiOp: _integer_test,
    arith.CmpfOp: _float_test,
    arith.IndexCastOp: _cast_index,
    arith.BitcastOp: _bits,
    **dict.fromkeys((arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp), _shift),
    **dict.fromkeys((arith.FPToSIOp, arith.FPToUIOp), _to_integer),
    **dict.fromkeys((ToComplexOp, arith.ExtFOp, arith.TruncFOp, arith.TruncIOp), _converted),
    **dict.fromkeys((arith.SIToFPOp, arith.ExtSIOp), _converted_word),
    **dict.fromkeys((arith.UIToFPOp, arith.ExtUIOp), _converted_unsigned),
    **dict.fromkeys(_SIGNED, _on_signed),
    **dict.fromkeys(_UNSIGNED, _on_unsigned),
    **dict.fromkeys(_COMPLEX, _on_complex),
    **dict.fromkeys(_EXACT, _on_floats),
    **dict.fromkeys(_FLOAT, _by_numpy),
}
"""The value of each scalar operation that is no function, from those of its operands."""
