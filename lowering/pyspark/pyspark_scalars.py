"""Scalars of the driver as Python expressions.

    %0 = arith.subf %one, %b : f64
    %1 = arith.sitofp %N : i64 to f64        =>    (1.0 - b) / N
    %2 = arith.divf %0, %1 : f64

Integers are Python's, which do not overflow: a result that may need more than 64 bits is wrapped
around, once for a sum of products:

    %0 = arith.muli %a, %a : i64
    %1 = arith.addi %0, %b : i64         =>    wrap(a * a + b)

Indices are not wrapped: they are sizes and bounds, that the compiler compares as exact numbers.
Floats may be NumPy's or Python's: a division is made one of NumPy's, since Python raises
an exception for a zero divisor where IEEE arithmetic has a value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isinf, isnan

from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
    i64,
)
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.dialects.tensor import DimOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects import spark
from diablo.dialects.comprehension import NumberCallOp, RandomOp, RemainderOp
from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.number_constants import ComplexConstantOp, UnsignedOp, is_arithmetic
from diablo.dialects.predicates import predicate_of, symbol_of
from diablo.dialects.scalar_types import is_complex, is_inexact, is_numpy, is_sized
from diablo.lowering.numpy.expressions import (
    Expression,
    Level,
    Site,
    constant,
    dtype_of,
    infix,
    place_of,
)
from diablo.lowering.numpy.numpy_scalars import SPELLINGS
from diablo.lowering.numpy.numpy_values import SPELLINGS as VALUES
from diablo.lowering.overflow import may_overflow
from diablo.lowering.python_text import string_literal
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.values.affine_values import constant_value


@dataclass(frozen=True)
class Scalar:
    """Python text of a scalar."""

    text: str
    level: Level = Level.ATOM
    is_numpy: bool = False
    """Whether it is surely a NumPy scalar."""
    unwrapped: Scalar | None = None
    """For an integer that is wrapped around: the same modulo 2**64."""
    as_integer: Scalar | None = None
    """For an integer that was made a float: the integer."""

    def at(self, level: Level) -> str:
        """The text, in parentheses if it holds together less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"


Get = Callable[[SSAValue], Scalar]


def constant_text(attribute: Attribute) -> str:
    """A constant as Python spells it."""
    if isa(attribute, IntegerAttr):
        value = attribute.value.data
        if attribute.type == i1:
            return "True" if value else "False"
        return str(value)
    if isa(attribute, ComplexNumberAttr):
        return constant(attribute) or ""
    assert isinstance(attribute, FloatAttr)
    number = attribute.value.data
    if isnan(number):
        return "np.nan"
    if isinf(number):
        return "np.inf" if number > 0 else "-np.inf"
    return repr(number)


_BINARY: dict[str, tuple[str, Level]] = {
    "arith.addi": ("+", Level.SUM),
    "arith.addf": ("+", Level.SUM),
    "arith.subi": ("-", Level.SUM),
    "arith.subf": ("-", Level.SUM),
    "arith.muli": ("*", Level.PRODUCT),
    "arith.mulf": ("*", Level.PRODUCT),
}

_BITS: dict[str, tuple[str, Level]] = {
    "arith.andi": ("&", Level.AND),
    "arith.ori": ("|", Level.OR),
    "arith.xori": ("^", Level.XOR),
    "arith.shli": ("<<", Level.SHIFT),
    "arith.shrsi": (">>", Level.SHIFT),
}

_CALLS: dict[str, str] = {
    "arith.floordivsi": "arithmetic.floor_quotient({}, {})",
    "arith.ceildivsi": "arithmetic.ceiling_quotient({}, {})",
    "arith.shrui": "int(arithmetic.shift_right_unsigned({}, {}))",
    "arith.fptosi": "int(arithmetic.truncate({}))",
    "arith.extui": "int({})",
    "comprehension.remainder": "np.fmod({}, {})",
    "math.ipowi": "int(arithmetic.integer_power({}, {}))",
    "math.round": "arithmetic.round_away({})",
}


def is_scalar_op(op: Operation) -> bool:
    """Return whether `op` is one that this module spells."""
    spelled = op.name in VALUES or isinstance(op, RandomOp | RemainderOp | NumberCallOp)
    return spelled or is_arithmetic(op)


def spell(op: Operation, get: Get) -> Scalar:
    """The expression for the result of a scalar op."""
    match op:
        case arith.ConstantOp() | UnsignedOp():
            text = constant_text(op.value)
            if is_numpy(op.result.type):
                # Python's numbers are wider: sums would not be rounded, or wrap around.
                return Scalar(f"{dtype_of(op.result.type)}({text})", is_numpy=True)
            return Scalar(text, Level.SIGN if text.startswith("-") else Level.ATOM)
        case _ if is_complex(op.results[0].type) or any(map(is_complex, op.operand_types)):
            return _on_complex(op, get)
        case RandomOp():
            arguments = ", ".join(get(operand).text for operand in op.operands)
            text = f"arithmetic.random({op.occurrence.value.data}, {arguments})"
            return Scalar(text, is_numpy=True)
        case arith.CmpiOp() | arith.CmpfOp():
            return _comparison(op, get)
        case arith.SelectOp():
            return _choice(op, get)
        case _ if is_sized(op.results[0].type):
            return _as_in_kernels(op, get)
        case arith.MaxSIOp() if _is_uncertain_extent(op):
            return Scalar(f"extent({get(op.lhs).text}, {get(op.rhs).text}{_at(op)})")
        case arith.IndexCastOp() if _is_long(op):
            return _wrapped(get(op.input))
        case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp() if is_sized(op.input.type):
            return Scalar(f"int({get(op.input).text})")
        case arith.IndexCastOp() | arith.ExtSIOp():
            return get(op.input)
        case arith.SIToFPOp() | arith.UIToFPOp() if isinstance(op, arith.SIToFPOp) or is_sized(
            op.input.type
        ):
            return _to_float(op, get(op.input))
        case arith.DivSIOp() | arith.RemSIOp():
            return _integer_division(op, get)
        case arith.DivfOp():
            return _division(op, get)
        case arith.NegfOp():
            value = get(op.operand)
            return Scalar(f"-{value.at(Level.SIGN)}", Level.SIGN, value.is_numpy)
        case _ if op.name in VALUES:
            return _as_in_kernels(op, get)
        case _:
            return _operator(op, get)


def python_value(text: str, type: Attribute) -> Scalar:
    """Return what workers or arrays hold, integers and Booleans as numbers of Python's."""
    if type == i1:
        return Scalar(f"bool({text})")
    if is_sized(type) or is_complex(type):
        return Scalar(f"{dtype_of(type)}({text})", is_numpy=True)
    if isinstance(type, IntegerType | IndexType):
        return Scalar(f"int({text})")
    return Scalar(text, is_numpy=isinstance(type, AnyFloat))


def _on_complex(op: Operation, get: Get) -> Scalar:
    """Arithmetic on complex numbers, which are NumPy's wherever they are."""
    if isinstance(op, ComplexConstantOp):
        text = constant(op.value)
        assert text is not None
        return Scalar(text, is_numpy=True)
    if isinstance(op, arith.SelectOp):
        return replace(_choice(op, get), is_numpy=True)
    return _as_in_kernels(op, get)


def _choice(op: arith.SelectOp, get: Get) -> Scalar:
    then, condition, otherwise = get(op.lhs), get(op.cond), get(op.rhs)
    return Scalar(
        f"{then.at(Level.NOT)} if {condition.at(Level.NOT)} else {otherwise.text}",
        Level.CHOICE,
    )


def _as_in_kernels(op: Operation, get: Get) -> Scalar:
    """Return what is written for columns: such functions give scalars of scalars."""
    if op.name not in SPELLINGS:
        raise unsupported(op, f"{op.name} is not supported between array operations")
    operands = [Expression(get(o).text, get(o).level) for o in op.operands]
    text, level = SPELLINGS[op.name](Site(op, operands))
    type = op.results[0].type
    as_numpy = is_inexact(type) or is_sized(type)
    if op.name in VALUES or type == i1 or as_numpy:
        return Scalar(text, level, is_numpy=as_numpy)
    return python_value(text, type)


def _operator(op: Operation, get: Get) -> Scalar:
    values = [get(operand) for operand in op.operands]
    is_numpy = any(value.is_numpy for value in values)
    if op.name in _BINARY:
        symbol, level = _BINARY[op.name]
        if isinstance(op.results[0].type, IntegerType):
            return _integer_sum(op, values, symbol, level)
        left, right = _without_conversions(values)
        tighter = Level(level + 1)
        # Float addition is not associative: keep the grouping.
        regroups = symbol in "+*" and not isinstance(op.results[0].type, AnyFloat)
        right_level = level if regroups and right.level == level else tighter
        whole = Scalar(infix(left.at(level), symbol, right.at(right_level)), level, is_numpy)
        return _wrapped(whole) if _is_long_in_kernels(op) else whole
    if op.name in _BITS:
        if op.results[0].type == i1:
            return _logic(op, values)
        symbol, level = _BITS[op.name]
        if isinstance(op, arith.ShLIOp | arith.ShRSIOp) and not _is_shift(op.rhs):
            return _as_in_kernels(op, get)
        tighter = Level(level + 1)
        text = f"{values[0].at(tighter)} {symbol} {values[1].at(tighter)}"
        whole = Scalar(text, level)
        return _wrapped(whole) if symbol == "<<" else whole
    texts = [value.text for value in values]
    overload = overload_of(op)
    if overload is not None and overload.scalar:
        scalar = Scalar(f"{overload.scalar}({', '.join(texts)})")
        return _wrapped(scalar) if isinstance(op, math.AbsIOp) and may_overflow(op) else scalar
    if isinstance(op, arith.TruncFOp | arith.ExtFOp):
        return Scalar(f"{dtype_of(op.result.type)}({texts[0]})", is_numpy=True)
    if op.name not in _CALLS:
        return _as_in_kernels(op, get)
    call = _CALLS[op.name]
    return Scalar(call.format(*texts), is_numpy=call.startswith("np."))


def _is_shift(amount: SSAValue) -> bool:
    """Return whether Python shifts by `amount` as processors do: by fewer bits than a word has."""
    known = constant_value(amount)
    return known is not None and 0 <= known < 64


def _integer_sum(op: Operation, values: list[Scalar], symbol: str, level: Level) -> Scalar:
    """A sum, difference or product of integers, of whose operands none need be wrapped around."""
    left, right = (value.unwrapped or value for value in values)
    right_level = level if symbol in "+*" and right.level == level else Level(level + 1)
    whole = Scalar(infix(left.at(level), symbol, right.at(right_level)), level)
    if left is values[0] and right is values[1] and not may_overflow(op):
        return whole
    return _wrapped(whole)


def _is_long(op: arith.IndexCastOp) -> bool:
    """Return whether an index becomes an integer that may be too large for one."""
    made = op.input.owner
    constant = constant_value(op.input)
    if isinstance(constant, int):
        return not -(2**63) <= constant < 2**63
    if op.result.type != i64 or not isinstance(made, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        return False
    return may_overflow(made)


def _is_long_in_kernels(op: Operation) -> bool:
    """Return whether a kernel is given an index that may be too large for one.

    Elsewhere such an index is outside of all arrays, as it is.
    """
    result = op.results[0]
    if not isinstance(result.type, IndexType):
        return False
    given = any(
        isinstance(use.operation, func.CallOp | spark.MapOp | spark.MapGroupsOp)
        for use in result.uses
    )
    return given and may_overflow(op)


def _is_uncertain_extent(op: arith.MaxSIOp) -> bool:
    """Whether this is how many elements a range has, which may be more than 64 bits count."""
    made = op.lhs.owner
    if not isinstance(op.result.type, IndexType) or constant_value(op.rhs) != 0:
        return False
    return isinstance(made, arith.AddiOp | arith.SubiOp) and may_overflow(made)


def _at(op: Operation) -> str:
    place = place_of(op)
    return f", at={string_literal(place)}" if place else ""


def _wrapped(value: Scalar) -> Scalar:
    return Scalar(f"wrap({value.text})", unwrapped=value)


def _without_conversions(values: list[Scalar]) -> tuple[Scalar, Scalar]:
    """Both operands; Python makes an integer beside a float a float by itself."""
    left, right = values
    if left.as_integer is not None and right.as_integer is None:
        return left.as_integer, right
    if right.as_integer is not None and left.as_integer is None:
        return left, right.as_integer
    return left, right


def _to_float(op: arith.SIToFPOp | arith.UIToFPOp, value: Scalar) -> Scalar:
    if is_numpy(op.result.type):
        return Scalar(f"{dtype_of(op.result.type)}({value.text})", is_numpy=True)
    exact = None if is_sized(op.input.type) else value
    return Scalar(f"float({value.text})", as_integer=exact)


def _division(op: arith.DivfOp, get: Get) -> Scalar:
    left, right = get(op.lhs), get(op.rhs)
    divisor = op.rhs.owner
    safe = left.is_numpy or right.is_numpy
    if isinstance(divisor, arith.ConstantOp) and isinstance(divisor.value, FloatAttr):
        safe = safe or divisor.value.value.data != 0
    if not safe:
        left = Scalar(f"{dtype_of(op.result.type)}({(left.as_integer or left).text})")
    a, b = _without_conversions([left, right])
    text = f"{a.at(Level.PRODUCT)} / {b.at(Level.SIGN)}"
    return Scalar(text, Level.PRODUCT, not safe or left.is_numpy or right.is_numpy)


def _integer_division(op: arith.DivSIOp | arith.RemSIOp, get: Get) -> Scalar:
    name = "quotient" if isinstance(op, arith.DivSIOp) else "remainder"
    place = f", at={string_literal(place_of(op))}" if place_of(op) else ""
    return Scalar(f"int(arithmetic.{name}({get(op.lhs).text}, {get(op.rhs).text}{place}))")


def _comparison(op: arith.CmpiOp | arith.CmpfOp, get: Get) -> Scalar:
    symbol, tighter = symbol_of(op), Level(Level.COMPARE + 1)
    is_integer = isinstance(op, arith.CmpiOp)
    if is_integer and predicate_of(op) == "ult" and _is_extent(op.rhs):
        # Whether an index lies inside a dimension, which it may miss by more than 64 bits.
        index, dimension = get(op.lhs).at(tighter), get(op.rhs).at(tighter)
        return Scalar(f"0 <= {index} < {dimension}", Level.COMPARE)
    if not symbol:
        return _as_in_kernels(op, get)
    left, right = (replace(get(o), as_integer=None) for o in (op.lhs, op.rhs))
    return Scalar(f"{left.at(tighter)} {symbol} {right.at(tighter)}", Level.COMPARE)


def _is_extent(value: SSAValue) -> bool:
    """Return whether an index is known not to be negative: a dimension, or a number."""
    if not isinstance(value.type, IndexType):
        return False
    known = constant_value(value)
    return isinstance(value.owner, DimOp) or (known is not None and known >= 0)


def _logic(op: Operation, values: list[Scalar]) -> Scalar:
    left, right = values
    if isinstance(op, arith.XOrIOp):
        if right.text == "True":
            return Scalar(f"not {left.at(Level.NOT)}", Level.NOT)
        tighter = Level(Level.COMPARE + 1)
        return Scalar(f"{left.at(tighter)} != {right.at(tighter)}", Level.COMPARE)
    word = "and" if isinstance(op, arith.AndIOp) else "or"
    # `and` and `or` hold together less tightly than `not`, with which they share a level.
    sides = [v.text if v.level >= Level.COMPARE else f"({v.text})" for v in values]
    return Scalar(f"{sides[0]} {word} {sides[1]}", Level.CHOICE)
