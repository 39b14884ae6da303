"""Constants of every type of numbers: those of `arith`, and of those that it has none for.

constant_op(IntegerAttr(200, ui8))   =>   comprehension.unsigned 200 : ui8
constant_op(FloatAttr(0.5, f64))     =>   arith.constant 5.000000e-01 : f64
constant_op(a ComplexNumberAttr)     =>   comprehension.complex_constant #complex.number<…>
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Self, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    AnyFloatConstr,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.ir import Operation
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.scalar_types import is_unsigned


@irdl_op_definition
class UnsignedOp(IRDLOperation):
    """A constant integer of a type without a sign: `arith.constant` has those without any alone.

    ```mlir
    %byte = comprehension.unsigned 200 : ui8
    ```
    """

    T: ClassVar = VarConstraint("T", BaseAttr(IntegerType) | BaseAttr(IndexType))

    name = "comprehension.unsigned"
    result = result_def(T)
    value = prop_def(IntegerAttr.constr(T))
    # A folder would let xDSL replace sums of these by constants of `arith`.
    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "attr-dict $value"

    def __init__(self, value: IntegerAttr):
        super().__init__(properties={"value": value}, result_types=[value.type])

    def verify_(self) -> None:
        """Check that the type has no sign."""
        if not is_unsigned(self.result.type):
            raise VerifyException(f"{self.result.type} is no type of integers without a sign")


@irdl_op_definition
class ComplexConstantOp(IRDLOperation):
    """A complex number that is written out.

    xDSL's `complex.constant` is not used: the folders of its dialect multiply and divide its values
    otherwise than NumPy does, and fail where a square is too large for a float.

    ```mlir
    %i = comprehension.complex_constant #complex.number<:f64 0.0, 1.0> : complex<f64>
    ```
    """

    name = "comprehension.complex_constant"
    value = prop_def(ComplexNumberAttr)
    result = result_def(ComplexType.constr(AnyFloatConstr))
    traits = traits_def(Pure(), ConstantLike())

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


ConstantOps = arith.ConstantOp | UnsignedOp | ComplexConstantOp


def is_arithmetic(op: Operation) -> bool:
    """Return whether an op is one on numbers: of `arith`, `math` or `complex`, or a constant."""
    own = UnsignedOp | ComplexConstantOp | ToComplexOp
    return isinstance(op, own) or op.name.startswith(("arith.", "math.", "complex."))


def constant_op(value: IntegerAttr | FloatAttr | ComplexNumberAttr) -> ConstantOps:
    """Return the op for a constant number or truth value."""
    if isinstance(value, ComplexNumberAttr):
        return ComplexConstantOp(value)
    if isinstance(value, IntegerAttr) and is_unsigned(value.type):
        return UnsignedOp(value)
    # There are many, and the constructor finds out anew what is known of each.
    return arith.ConstantOp.create(properties={"value": value}, result_types=[value.type])


@lru_cache(1 << 10)
def index_attribute(value: int) -> IntegerAttr[IndexType]:
    """Return the attribute of a constant index."""
    return IntegerAttr(value, IndexType())
