"""The code of elementwise operations: ops of `arith`, `math` and `complex` on single numbers.

    scalar_code("hypot", (f64, f64), f64)    ->    writes  comprehension.number_call "hypot" (…)

An operation computes in one type (its loop's first number); for each kind of numbers there is a
function that writes its ops, or none, where NumPy computes it. What divides by zero, or shifts by
more bits than there are, gives what NumPy gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from diablo.scalar_table import SCALARS, Scalar

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, Operation, SSAValue

DType = np.dtype[Any]

_ROWS: dict[str, Scalar] = {row.dtype.rstrip("_"): row for row in SCALARS if row.code != "char"}


def scalar_row(dtype: DType) -> Scalar | None:
    """Return the row of the table of scalar types for a type of NumPy's, if it has one."""
    if not dtype.isnative:
        return None
    row = _ROWS.get(dtype.name)
    return None if row is None or row.domain == "text" else row


@lru_cache
def element_type(dtype: DType) -> Attribute:
    """Return the IR's type for a type of NumPy's that programs compute with."""
    from diablo.dialects.scalar_types import ir_type

    row = scalar_row(dtype)
    assert row is not None
    return ir_type(row)


@dataclass
class Code:
    """Where ops on single numbers are written."""

    block: Block

    def add(self, op: Operation) -> SSAValue:
        """Append an op and return its result."""
        self.block.add_op(op)
        return op.results[0]

    def constant(self, value: Any, dtype: DType) -> SSAValue:
        """Write a constant."""
        from xdsl.dialects.builtin import FloatAttr, IntegerAttr
        from xdsl.dialects.complex import ComplexNumberAttr

        from diablo.dialects.number_constants import constant_op

        type: Any = element_type(dtype)
        if dtype.kind == "c":
            return self.add(constant_op(ComplexNumberAttr(value.real, value.imag, type)))
        if dtype.kind == "f":
            return self.add(constant_op(FloatAttr(float(value), type)))
        return self.add(constant_op(IntegerAttr(int(value), type)))

    def compare(self, predicate: str, left: SSAValue, right: SSAValue, dtype: DType) -> SSAValue:
        """Write a comparison of two numbers of a type; `predicate` is that of NumPy's ufunc."""
        from xdsl.dialects import arith

        from diablo.dialects import number_ops

        if dtype.kind == "c":
            return self.add(
                (number_ops.equal if predicate == "equal" else number_ops.unequal)(left, right)
            )
        integer, floating = _COMPARISONS[predicate]
        if dtype.kind == "f":
            return self.add(arith.CmpfOp(left, right, floating))
        if dtype.kind in "bu" and integer not in ("eq", "ne"):
            integer = f"u{integer}"
        elif integer not in ("eq", "ne"):
            integer = f"s{integer}"
        return self.add(arith.CmpiOp(left, right, integer))

    def choose(self, condition: SSAValue, one: SSAValue, other: SSAValue) -> SSAValue:
        """Write a choice between two numbers."""
        from xdsl.dialects import arith

        return self.add(arith.SelectOp(condition, one, other))

    def negated(self, truth: SSAValue) -> SSAValue:
        """Write the opposite of a truth value."""
        from xdsl.dialects import arith

        return self.add(arith.XOrIOp(truth, self.constant(1, np.dtype(np.bool_))))

    def convert(self, value: SSAValue, source: DType, target: DType) -> SSAValue:
        """Write a conversion, as `astype` makes it."""
        from xdsl.dialects import arith, complex
        from xdsl.dialects.builtin import AnyFloat

        from diablo.dialects.complex_numbers import ToComplexOp

        if source == target:
            return value
        wanted: Any = element_type(target)
        if target.kind == "b":
            return self.compare("not_equal", value, self.constant(0, source), source)
        if source.kind == "b":
            return self.choose(value, self.constant(1, target), self.constant(0, target))
        if target.kind == "c":
            if source.kind in "iu":
                part = _part(target)
                value = self.convert(value, source, part)
            return self.add(ToComplexOp(value, wanted))
        if source.kind == "c":
            return self.convert(self.add(complex.ReOp(value)), _part(source), target)
        if target.kind == "f":
            assert isinstance(wanted, AnyFloat)
            if source.kind == "f":
                widens = source.itemsize < target.itemsize
                return self.add((arith.ExtFOp if widens else arith.TruncFOp)(value, wanted))
            exact = arith.UIToFPOp if source.kind == "u" else arith.SIToFPOp
            return self.add(exact(value, wanted))
        if source.kind == "f":
            whole = arith.FPToUIOp if target.kind == "u" else arith.FPToSIOp
            return self.add(whole(value, wanted))
        if source.itemsize > target.itemsize:
            return self.add(arith.TruncIOp(value, wanted))
        if source.itemsize == target.itemsize:
            return self.add(arith.BitcastOp(value, wanted))
        return self.add((arith.ExtUIOp if source.kind == "u" else arith.ExtSIOp)(value, wanted))


def _part(number: DType) -> DType:
    return np.dtype(f"f{number.itemsize // 2}")


Written = "Callable[[Code, Sequence[SSAValue], DType], SSAValue]"
Writer = Callable[[Code, Any, DType], Any]

_COMPARISONS = {
    "equal": ("eq", "oeq"),
    "not_equal": ("ne", "une"),
    "less": ("lt", "olt"),
    "less_equal": ("le", "ole"),
    "greater": ("gt", "ogt"),
    "greater_equal": ("ge", "oge"),
}


def _compared(predicate: str, code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return code.compare(predicate, values[0], values[1], dtype)


def _operator(
    dialect: str, name: str, code: Code, values: Sequence[SSAValue], _: DType
) -> SSAValue:
    """Write an op of a dialect that takes its operands as they are."""
    from importlib import import_module

    operation = getattr(import_module(f"xdsl.dialects.{dialect}"), name)
    return code.add(operation(*values))


def _function(name: str, code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    """Write a function of the table of functions on numbers."""
    from diablo.dialects.comprehension import NumberCallOp
    from diablo.dialects.functions.scalar_functions import FUNCTIONS

    overload = FUNCTIONS[name].on(element_type(dtype))
    assert overload is not None
    if overload.operation is None:
        return code.add(NumberCallOp(name, values))
    return code.add(overload.operation(*values))


def _same(_: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return values[0]


def _square(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return _TABLE["multiply"][dtype.kind](code, (values[0], values[0]), dtype)


def _reciprocal(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return _TABLE["divide"][dtype.kind](code, (code.constant(1, dtype), values[0]), dtype)


def _opposite(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return _TABLE["subtract"][dtype.kind](code, (code.constant(0, dtype), values[0]), dtype)


def _quotients(
    code: Code, values: Sequence[SSAValue], dtype: DType
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Write quotient and remainder of integers, rounded to zero, and whether the divisor is 0.

    There processors fail: for 0, and for -1, which the least integer cannot be divided by.
    """
    from xdsl.dialects import arith

    number, divisor = values
    one, zero = code.constant(1, dtype), code.constant(0, dtype)
    is_zero = code.compare("equal", divisor, zero, dtype)
    divisor = code.choose(is_zero, one, divisor)
    if dtype.kind == "u":
        quotient = code.add(arith.DivUIOp(number, divisor))
        return quotient, code.add(arith.RemUIOp(number, divisor)), is_zero
    is_negation = code.compare("equal", divisor, code.constant(-1, dtype), dtype)
    divisor = code.choose(is_negation, one, divisor)
    quotient = code.add(arith.DivSIOp(number, divisor))
    remainder = code.add(arith.RemSIOp(number, divisor))
    negation = code.add(arith.SubiOp(zero, number))
    return code.choose(is_negation, negation, quotient), remainder, is_zero


def _rounds_down(
    code: Code, values: Sequence[SSAValue], remainder: SSAValue, dtype: DType
) -> SSAValue:
    """Write whether a quotient that was rounded to zero is above that which is rounded down."""
    from xdsl.dialects import arith

    zero = code.constant(0, dtype)
    left = code.compare("less", remainder, zero, dtype)
    right = code.compare("less", values[1], zero, dtype)
    differ = code.add(arith.XOrIOp(left, right))
    return code.add(arith.AndIOp(code.compare("not_equal", remainder, zero, dtype), differ))


def _floor_divide(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    from xdsl.dialects import arith

    quotient, remainder, is_zero = _quotients(code, values, dtype)
    if dtype.kind == "i":
        above = _rounds_down(code, values, remainder, dtype)
        less = code.add(arith.SubiOp(quotient, code.constant(1, dtype)))
        quotient = code.choose(above, less, quotient)
    return code.choose(is_zero, code.constant(0, dtype), quotient)


def _remainder(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    from xdsl.dialects import arith

    _, remainder, is_zero = _quotients(code, values, dtype)
    if dtype.kind == "i":
        above = _rounds_down(code, values, remainder, dtype)
        remainder = code.choose(above, code.add(arith.AddiOp(remainder, values[1])), remainder)
    return code.choose(is_zero, code.constant(0, dtype), remainder)


def _float_parts(
    code: Code, values: Sequence[SSAValue], dtype: DType
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Write the remainder of floats, the quotient without it, and whether it was brought down."""
    from xdsl.dialects import arith

    from diablo.dialects.comprehension import RemainderOp

    number, divisor = values
    remainder = code.add(RemainderOp(number, divisor))
    quotient = code.add(arith.DivfOp(code.add(arith.SubfOp(number, remainder)), divisor))
    return remainder, quotient, _rounds_down(code, values, remainder, dtype)


def _float_remainder(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    from xdsl.dialects import arith, math

    zero = code.constant(0, dtype)
    remainder, _, above = _float_parts(code, values, dtype)
    down = code.choose(above, code.add(arith.AddfOp(remainder, values[1])), remainder)
    is_some = code.compare("not_equal", remainder, zero, dtype)
    return code.choose(is_some, down, code.add(math.CopySignOp(zero, values[1])))


def _float_floor_divide(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    from xdsl.dialects import arith, math

    zero, one = code.constant(0, dtype), code.constant(1, dtype)
    _, quotient, above = _float_parts(code, values, dtype)
    quotient = code.choose(above, code.add(arith.SubfOp(quotient, one)), quotient)
    whole = code.add(math.FloorOp(quotient))
    rest = code.add(arith.SubfOp(quotient, whole))
    is_next = code.compare("greater", rest, code.constant(0.5, dtype), dtype)
    whole = code.choose(is_next, code.add(arith.AddfOp(whole, one)), whole)
    exact = code.add(arith.DivfOp(values[0], values[1]))
    signed = code.add(math.CopySignOp(zero, exact))
    whole = code.choose(code.compare("not_equal", quotient, zero, dtype), whole, signed)
    return code.choose(code.compare("equal", values[1], zero, dtype), exact, whole)


def _shifted(function: str, code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    """Write a shift; by as many bits as there are, or more, none of the number is left."""
    from xdsl.dialects import arith

    number, amount = values
    bits, zero = 8 * dtype.itemsize, code.constant(0, dtype)
    fits = code.compare("less", amount, code.constant(bits, dtype), dtype)
    if dtype.kind == "i":
        positive = code.compare("greater_equal", amount, zero, dtype)
        fits = code.add(arith.AndIOp(fits, positive))
    shifted = _function(function, code, (number, code.choose(fits, amount, zero)), dtype)
    rest = zero
    if function == "shr" and dtype.kind == "i":
        negative = code.compare("less", number, zero, dtype)
        rest = code.choose(negative, code.constant(-1, dtype), zero)
    return code.choose(fits, shifted, rest)


def _is_finite(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    from xdsl.dialects import arith

    tests = [_function(name, code, values, dtype) for name in ("isnan", "isinf")]
    return code.negated(code.add(arith.OrIOp(tests[0], tests[1])))


def _never(code: Code, _: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return code.constant(0, np.dtype(np.bool_))


def _always(code: Code, _: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return code.constant(1, np.dtype(np.bool_))


def _not(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return code.negated(code.convert(values[0], dtype, np.dtype(np.bool_)))


def _logical(name: str, code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    truths = [code.convert(value, dtype, np.dtype(np.bool_)) for value in values]
    return _operator("arith", name, code, truths, dtype)


def _real_part(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return values[0] if dtype.kind != "c" else _function("real", code, values, dtype)


def _no_part(code: Code, values: Sequence[SSAValue], dtype: DType) -> SSAValue:
    return code.constant(0, dtype)


def _arith(name: str) -> Writer:
    return partial(_operator, "arith", name)


def _complex(name: str) -> Writer:
    return partial(_operator, "complex", name)


def _on(kinds: str, writer: Writer) -> dict[str, Writer]:
    return dict.fromkeys(kinds, writer)


def _named(name: str, kinds: str) -> dict[str, Writer]:
    return _on(kinds, partial(_function, name))


_TABLE: dict[str, dict[str, Writer]] = {
    "add": {
        **_on("iu", _arith("AddiOp")),
        "f": _arith("AddfOp"),
        "b": _arith("OrIOp"),
        "c": _complex("AddOp"),
    },
    "subtract": {
        **_on("iu", _arith("SubiOp")),
        "f": _arith("SubfOp"),
        "c": _complex("SubOp"),
    },
    "multiply": {
        **_on("iu", _arith("MuliOp")),
        "f": _arith("MulfOp"),
        "b": _arith("AndIOp"),
        "c": _complex("MulOp"),
    },
    "divide": {"f": _arith("DivfOp"), "c": _complex("DivOp")},
    "floor_divide": {**_on("iu", _floor_divide), "f": _float_floor_divide},
    "remainder": {**_on("iu", _remainder), "f": _float_remainder},
    "negative": {**_on("iu", _opposite), "f": _arith("NegfOp"), "c": _complex("NegOp")},
    "positive": _on("biufc", _same),
    "absolute": _on("bu", _same),
    "fabs": _named("abs", "f"),
    "square": _on("iufc", _square),
    "reciprocal": _on("f", _reciprocal),
    "conjugate": _on("iuf", _same),
    "real": _on("biufc", _real_part),
    "imag": {**_on("biuf", _no_part), **_named("imag", "c")},
    **{predicate: _on("biuf", partial(_compared, predicate)) for predicate in _COMPARISONS},
    "logical_and": _on("biufc", partial(_logical, "AndIOp")),
    "logical_or": _on("biufc", partial(_logical, "OrIOp")),
    "logical_xor": _on("biufc", partial(_logical, "XOrIOp")),
    "logical_not": _on("biufc", _not),
    "bitwise_and": _on("biu", _arith("AndIOp")),
    "bitwise_or": _on("biu", _arith("OrIOp")),
    "bitwise_xor": _on("biu", _arith("XOrIOp")),
    "invert": {"b": _not},
    "left_shift": _on("iu", partial(_shifted, "shl")),
    "right_shift": _on("iu", partial(_shifted, "shr")),
    "maximum": {"b": _arith("OrIOp")},
    "minimum": {"b": _arith("AndIOp")},
    "fmax": {**_named("max", "iu"), "b": _arith("OrIOp")},
    "fmin": {**_named("min", "iu"), "b": _arith("AndIOp")},
    **{name: _on("biu", _never) for name in ("isnan", "isinf")},
    "isfinite": {"f": _is_finite, **_on("biu", _always)},
    **{name: _on("biu", _same) for name in ("floor", "ceil", "trunc")},
}
"""What writes elementwise operations, by the kinds of numbers that they compute in.

These are operators, and what the table of functions has not, or has by another name: whole numbers
that are rounded, truth values of which there is a greatest one. The rest is found there.
"""
_TABLE["equal"]["c"] = partial(_compared, "equal")
_TABLE["not_equal"]["c"] = partial(_compared, "not_equal")


def scalar_code(name: str, inputs: tuple[DType, ...], output: DType) -> Writer | None:
    """Return what writes an operation on values of its loop's types, if programs compute it."""
    if any(scalar_row(dtype) is None for dtype in (*inputs, output)):
        return None
    if name == "where":
        return lambda code, values, dtype: code.choose(*values)
    if name == "astype":
        return lambda code, values, dtype: code.convert(values[0], inputs[0], output)
    if len(set(inputs)) > 1:
        return None
    kind = inputs[0].kind
    return _TABLE.get(name, {}).get(kind) or _of_functions(name, kind)


def ufunc_of(spelling: str) -> np.ufunc | None:
    """Return the ufunc that a row of the table of functions names, as `special.erf` is one."""
    module, _, name = spelling.rpartition(".")
    if module == "special":
        from scipy import special

        found = getattr(special, name, None)
    else:
        found = getattr(np, name, None) if module == "np" else None
    return found if isinstance(found, np.ufunc) else None


def _of_functions(name: str, kind: str) -> Writer | None:
    """Return what writes the function that a ufunc is by the table of functions, if it is one."""
    from diablo.dialects.functions.scalar_functions import FUNCTIONS

    for function, row in FUNCTIONS.items():
        unsigned = row.unsigned or row.integer
        overload = {"f": row.floating, "i": row.integer, "u": unsigned, "c": row.complex}.get(kind)
        if overload is not None and overload.numpy:
            ufunc = ufunc_of(overload.numpy)
            if ufunc is not None and ufunc.__name__ == name:
                return partial(_function, function)
    return None
