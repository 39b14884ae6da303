"""The op of `arith` or `complex` for numbers of a type, where a pass needs one of them.

subtract(%a, %b) with f64            ->   arith.subf %a, %b
subtract(%a, %b) with complex<f64>   ->   complex.sub %a, %b
"""

from __future__ import annotations

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects.complex_numbers import ToComplexOp, part_type
from diablo.dialects.scalar_types import is_complex

Product = arith.MulfOp | arith.MuliOp | complex.MulOp
"""A product of two numbers."""

Sum = arith.AddfOp | arith.AddiOp | complex.AddOp
"""A sum of two numbers."""

Difference = arith.SubfOp | arith.SubiOp | complex.SubOp
"""A difference of two numbers."""


def subtract(lhs: SSAValue, rhs: SSAValue) -> Operation:
    """The difference of two numbers of one type."""
    if is_complex(lhs.type):
        return complex.SubOp(lhs, rhs)
    return arith.SubfOp(lhs, rhs) if isinstance(lhs.type, AnyFloat) else arith.SubiOp(lhs, rhs)


def equal(lhs: SSAValue, rhs: SSAValue) -> Operation:
    """Return whether two numbers of one type are equal, which NaN is to nothing."""
    if is_complex(lhs.type):
        return complex.EqualOp(lhs, rhs)
    if isinstance(lhs.type, AnyFloat):
        return arith.CmpfOp(lhs, rhs, "oeq")
    return arith.CmpiOp(lhs, rhs, "eq")


def unequal(lhs: SSAValue, rhs: SSAValue) -> Operation:
    """Return whether two numbers of one type are not equal."""
    if is_complex(lhs.type):
        return complex.NotEqualOp(lhs, rhs)
    if isinstance(lhs.type, AnyFloat):
        return arith.CmpfOp(lhs, rhs, "une")
    return arith.CmpiOp(lhs, rhs, "ne")


def from_integer(value: SSAValue, type: Attribute) -> list[Operation]:
    """Ops whose last one's result is an integer as a float or complex number of `type`."""
    if not is_complex(type):
        assert isinstance(type, AnyFloat)
        return [arith.SIToFPOp(value, type)]
    real = arith.SIToFPOp(value, part_type(type))
    return [real, ToComplexOp(real.result, type)]
