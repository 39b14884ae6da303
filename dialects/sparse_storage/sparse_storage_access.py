"""The ops that find positions in a region, and read what is stored at a position or place.

`diablo.dialects.sparse_storage` exports them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from diablo.dialects.assembly import parse_place, print_place, print_type_of
from diablo.dialects.sparse_storage.sparse_storage_layout import RegionType
from diablo.dialects.sparse_storage.sparse_storage_regions import region_type
from diablo.dialects.verifier_checks import verify_positions


@irdl_op_definition
class LookupOp(IRDLOperation):
    """The position of an index in a region, and whether it is there at all.

    The position of an index that is not there is -1.

    ```mlir
    %R, %i, %j = "test.op"() : () -> (!sparse_storage.region<2>, index, index)
    %p, %found = sparse_storage.lookup %R[%i, %j] : !sparse_storage.region<2>
    ```
    """

    name = "sparse_storage.lookup"
    region = operand_def(RegionType)
    indices = var_operand_def(IndexType)
    position = result_def(IndexType)
    found = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$region `[` $indices `]` attr-dict `:` type($region)"

    def __init__(self, region: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[region, indices], result_types=[IndexType(), i1])

    def verify_(self) -> None:
        """Check the number of indices."""
        rank = region_type(self.region).rank.data
        if len(self.indices) != rank:
            raise VerifyException(
                f"a region of rank {rank} is looked up with {rank} indices, got {len(self.indices)}"
            )


@irdl_op_definition
class StepOp(IRDLOperation):
    """The next position along a dimension, or with `backwards` the one before.

    It is that of the nearest index of the region that agrees with the one at the given position
    in all other dimensions and is greater (less) in this one. Where there is none, the result
    is the given position, and not found.

    ```mlir
    %R, %p = "test.op"() : () -> (!sparse_storage.region<2>, index)
    %below, %is_below = sparse_storage.step %R along 0 from %p : !sparse_storage.region<2>
    %left, %is_left = sparse_storage.step %R along 1 backwards from %p : !sparse_storage.region<2>
    ```
    """

    name = "sparse_storage.step"
    region = operand_def(RegionType)
    start = operand_def(IndexType)
    dimension = prop_def(IntegerAttr[I64])
    backwards = opt_prop_def(UnitAttr)
    position = result_def(IndexType)
    found = result_def(i1)
    traits = traits_def(Pure())

    def __init__(
        self, region: SSAValue, dimension: int, start: SSAValue, *, backwards: bool = False
    ):
        super().__init__(
            operands=[region, start],
            properties={
                "dimension": IntegerAttr(dimension, i64),
                "backwards": UnitAttr() if backwards else None,
            },
            result_types=[IndexType(), i1],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%R along 0 backwards from %p : type`."""
        region = parser.parse_unresolved_operand()
        parser.parse_keyword("along")
        dimension = parser.parse_integer()
        backwards = parser.parse_optional_keyword("backwards") is not None
        parser.parse_keyword("from")
        start = parser.parse_operand(IndexType())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(region, parser.parse_type())
        op = cls(operand, dimension, start, backwards=backwards)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%R along 0 backwards from %p : type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.region)
        printer.print_string(f" along {self.dimension.value.data} ")
        if self.backwards is not None:
            printer.print_string("backwards ")
        printer.print_string("from ")
        printer.print_ssa_value(self.start)
        print_type_of(printer, self, self.region.type)

    def verify_(self) -> None:
        """Check the dimension."""
        rank = region_type(self.region).rank.data
        verify_positions([self.dimension.value.data], rank, "dimension")


@irdl_op_definition
class ValueOp(IRDLOperation):
    """The element at a position, of any array over the region that the position is of.

    ```mlir
    %values, %p = "test.op"() : () -> (memref<?xf64>, index)
    %a = sparse_storage.value %values[%p] : memref<?xf64>
    ```
    """

    name = "sparse_storage.value"
    values = operand_def(MemRefType[Attribute])
    position = operand_def(IndexType)
    element = result_def()
    traits = traits_def(MemoryReadEffect())

    def __init__(self, values: SSAValue, position: SSAValue):
        assert isinstance(values.type, MemRefType)
        super().__init__(
            operands=[values, position],
            result_types=[values.type.get_element_type()],  # pyright: ignore
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%values[%position] : type`."""
        values, position, attributes = parse_place(parser)
        op = cls(values, position)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%values[%position] : type`."""
        print_place(printer, self, self.values, self.position)

    def verify_(self) -> None:
        """Check that the values are a vector of such elements."""
        type = self.values.type
        assert isinstance(type, MemRefType)
        if type.get_num_dims() != 1:
            raise VerifyException(f"values are a vector, got {type}")
        if self.element.type != type.get_element_type():  # pyright: ignore
            raise VerifyException(f"an element of {type} cannot be {self.element.type}")


@irdl_op_definition
class ReadIndexOp(IRDLOperation):
    """The index, or the position, that a vector of a layout holds at a place.

    Such vectors have words of 8, 16, 32 or 64 bits, of which those below 64 have no sign.

    ```mlir
    %starts, %r = "test.op"() : () -> (memref<?xi32>, index)
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    ```
    """

    name = "sparse_storage.read_index"
    indices = operand_def(MemRefType[Attribute])
    place = operand_def(IndexType)
    index = result_def(IndexType)
    traits = traits_def(MemoryReadEffect())

    def __init__(self, indices: SSAValue, place: SSAValue):
        super().__init__(operands=[indices, place], result_types=[IndexType()])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%indices[%place] : type`."""
        indices, place, attributes = parse_place(parser)
        op = cls(indices, place)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%indices[%place] : type`."""
        print_place(printer, self, self.indices, self.place)

    def verify_(self) -> None:
        """Check that the indices are a vector of words."""
        type = self.indices.type
        assert isa(type, MemRefType[Attribute])
        if type.get_num_dims() != 1 or type.element_type not in _WORDS:
            raise VerifyException(f"indices are a vector of words of 8 to 64 bits, got {type}")


_WORDS = (IndexType(), i8, i16, i32, i64)
