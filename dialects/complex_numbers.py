"""Conversions to complex numbers, which xDSL's `complex` has no op for.

`diablo.dialects.comprehension` exports the op. All other arithmetic is that of `complex`, but for
constants (`number_constants.py`).
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import AnyFloat, AnyFloatConstr, ComplexType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class ToComplexOp(IRDLOperation):
    """A float, or a complex number of another width, as a complex number.

    The imaginary part of a float is 0. What is too wide is rounded.

    ```mlir
    %x, %w = "test.op"() : () -> (f64, complex<f32>)
    %z = comprehension.to_complex %x : f64 -> complex<f64>
    %v = comprehension.to_complex %w : complex<f32> -> complex<f64>
    ```
    """

    name = "comprehension.to_complex"
    value = operand_def(AnyFloatConstr | ComplexType.constr(AnyFloatConstr))
    result = result_def(ComplexType.constr(AnyFloatConstr))
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value) `->` type($result)"

    def __init__(self, value: SSAValue, type: Attribute):
        super().__init__(operands=[value], result_types=[type])


def part_type(type: Attribute) -> AnyFloat:
    """The type of the parts of a complex number."""
    assert isinstance(type, ComplexType)
    return cast("ComplexType[AnyFloat]", type).element_type
