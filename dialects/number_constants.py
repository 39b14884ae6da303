"""Constants of every type of numbers: those of `arith`, and one for complex numbers.

constant_op(FloatAttr(0.5, f64))     =>   arith.constant 5.000000e-01 : f64
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.complex import ComplexNumberAttr

from diablo.dialects.complex_numbers import ComplexConstantOp

ConstantOps = arith.ConstantOp | ComplexConstantOp


def constant_op(value: IntegerAttr | FloatAttr | ComplexNumberAttr) -> ConstantOps:
    """Return the op for a constant number or truth value."""
    if isinstance(value, ComplexNumberAttr):
        return ComplexConstantOp(value)
    return arith.ConstantOp(value)
