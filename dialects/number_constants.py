"""Constants of every type of numbers: those of `arith`, and of those that it has none for.

constant_op(IntegerAttr(200, ui8))   =>   comprehension.unsigned 200 : ui8
constant_op(FloatAttr(0.5, f64))     =>   arith.constant 5.000000e-01 : f64
constant_op(a ComplexNumberAttr)     =>   comprehension.complex_constant #complex.number<…>
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType
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
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.complex_numbers import ComplexConstantOp, ToComplexOp
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
    return arith.ConstantOp(value)
