"""The ops on complex numbers which xDSL's `complex` has none for: constants and conversions.

`diablo.dialects.comprehension` exports them. All other arithmetic is that of `complex`. Its own
constants are not used: its folders multiply and divide them otherwise than NumPy does, and fail
where a square is too large for a float.
"""

from __future__ import annotations

from typing import Self, cast

from xdsl.dialects.builtin import AnyFloat, AnyFloatConstr, ComplexType
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class ComplexConstantOp(IRDLOperation):
    """A complex number that is written out.

    ```mlir
    %i = comprehension.complex_constant #complex.number<:f64 0.0, 1.0> : complex<f64>
    ```
    """

    name = "comprehension.complex_constant"
    value = prop_def(ComplexNumberAttr)
    result = result_def(ComplexType.constr(AnyFloatConstr))
    traits = traits_def(Pure())

    def __init__(self, value: ComplexNumberAttr):
        super().__init__(properties={"value": value}, result_types=[value.type])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `#complex.number<:f64 0.0, 1.0> : complex<f64>`."""
        position = parser.pos
        value = parser.parse_attribute()
        if not isinstance(value, ComplexNumberAttr):
            parser.raise_error("expected a complex number", position, parser.pos)
        op = cls(cast("ComplexNumberAttr[AnyFloat]", value))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """Print `#complex.number<:f64 0.0, 1.0> : complex<f64>`."""
        printer.print_string(" ")
        printer.print_attribute(self.value)
        printer.print_op_attributes(self.attributes)

    @property
    def number(self) -> complex:
        """The constant as Python's number."""
        return complex(self.value.real.data, self.value.imag.data)

    def verify_(self) -> None:
        """Check that the result is of the constant's type."""
        if self.value.type != self.result.type:
            raise VerifyException(f"a constant of {self.value.type} is no {self.result.type}")


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
