"""What loops do with memory beside single elements: ask for it before, read words of bytes.

`diablo.dialects.multiloop` exports the ops.
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import I64, IndexType, MemRefType, i8, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from diablo.dialects.assembly import parse_place, print_place


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
        vector, place, attributes = parse_place(parser)
        op = cls(vector, place)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%vector[%place] : type`."""
        print_place(printer, self, self.vector, self.place)

    def verify_(self) -> None:
        """Check that it is a vector."""
        type = self.vector.type
        assert isa(type, MemRefType[Attribute])
        if type.get_num_dims() != 1:
            raise VerifyException(f"what is asked for is an element of a vector, not of {type}")


@irdl_op_definition
class ReadWordOp(IRDLOperation):
    """The eight bytes from a place of a vector on, of which the first one is the lowest.

    The place may be any from which there are eight: strings are compared a word at a time.

    ```mlir
    %data, %k = "test.op"() : () -> (memref<?xi8>, index)
    %word = multiloop.read_word %data[%k] : memref<?xi8>
    ```
    """

    name = "multiloop.read_word"
    data = operand_def(MemRefType[Attribute])
    place = operand_def(IndexType)
    word = result_def(I64)
    traits = traits_def(MemoryReadEffect())

    def __init__(self, data: SSAValue, place: SSAValue):
        super().__init__(operands=[data, place], result_types=[i64])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%data[%place] : type`."""
        data, place, attributes = parse_place(parser)
        op = cls(data, place)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%data[%place] : type`."""
        print_place(printer, self, self.data, self.place)

    def verify_(self) -> None:
        """Check that the vector is one of bytes."""
        type = self.data.type
        assert isa(type, MemRefType[Attribute])
        if type.get_num_dims() != 1 or type.element_type != i8:
            raise VerifyException(f"a word is read from a vector of bytes, got {type}")
