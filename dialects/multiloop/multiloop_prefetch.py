"""What asks for memory before it is read.

`diablo.dialects.multiloop` exports the op.
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Asks for an element of a vector in memory, which a later iteration will read.

    It has no other effect than that the processor has the element sooner, and so none that allows
    to drop it. The place must be one of the vector.

    ```mlir
    %heads, %place = "test.op"() : () -> (memref<?xi32>, index)
    multiloop.prefetch %heads[%place] : memref<?xi32>
    ```
    """

    name = "multiloop.prefetch"
    vector = operand_def(MemRefType[Attribute])
    place = operand_def(IndexType)

    def __init__(self, vector: SSAValue, place: SSAValue):
        super().__init__(operands=[vector, place])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%vector[%place] : type`."""
        vector = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            place = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        found = parser.resolve_operand(vector, parser.parse_type())
        made = cls(found, parser.resolve_operand(place, IndexType()))
        made.attributes |= attributes
        return made

    def print(self, printer: Printer) -> None:
        """Print `%vector[%place] : type`."""
        printer.print_string(" ")
        printer.print_operand(self.vector)
        with printer.in_square_brackets():
            printer.print_operand(self.place)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.vector.type)

    def verify_(self) -> None:
        """Check that it is a vector."""
        type = self.vector.type
        assert isa(type, MemRefType[Attribute])
        if type.get_num_dims() != 1:
            raise VerifyException(f"what is asked for is an element of a vector, not of {type}")
