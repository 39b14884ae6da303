"""The ops by which the threads of a warp read values of one another.

`diablo.dialects.simt` exports them.
"""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    I32,
    AnyFloatConstr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i32,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

WARP_SIZE = 32
"""How many threads a warp has."""


@irdl_op_definition
class ShuffleXorOp(IRDLOperation):
    """The value of the thread of the warp whose number differs in the bits of a mask.

    All threads of the warp execute it together, and each gets what its partner gives. With all
    masks that are powers of two, one after the other, every thread has met every other one.

    ```mlir
    %x = "test.op"() : () -> i32
    %neighbour = simt.shuffle_xor %x, 1 : i32
    ```
    """

    T: ClassVar = VarConstraint("T", AnyFloatConstr | BaseAttr(IntegerType) | BaseAttr(IndexType))

    name = "simt.shuffle_xor"
    value = operand_def(T)
    mask = prop_def(IntegerAttr[I32])
    result = result_def(T)

    def __init__(self, value: SSAValue, mask: int):
        super().__init__(
            operands=[value],
            properties={"mask": IntegerAttr(mask, i32)},
            result_types=[value.type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%value, 16 : type`."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        mask = parser.parse_integer()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(value, parser.parse_type()), mask)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(f", {self.mask.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)

    def verify_(self) -> None:
        """Check that the mask names another thread of the warp."""
        if not 0 < self.mask.value.data < WARP_SIZE:
            raise VerifyException(
                f"the mask of a shuffle is from 1 to {WARP_SIZE - 1}, got {self.mask.value.data}"
            )
