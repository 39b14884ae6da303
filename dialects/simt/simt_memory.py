"""What threads do with memory that they share.

`diablo.dialects.simt` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from diablo.dialects.monoids import domain_of
from diablo.monoid_table import monoid_named

SHARED: IntegerAttr[I64] = IntegerAttr(3, i64)
"""The space of buffers that the threads of a block share; `memref.alloca` makes such."""


def is_shared(type: Attribute) -> bool:
    """Return whether a buffer is one that the threads of a block share."""
    return isa(type, MemRefType[Attribute]) and type.memory_space == SHARED


@irdl_op_definition
class AtomicOp(IRDLOperation):
    """Combine a number with an element of a buffer, in one step that no other thread sees half of.

    What integers and Booleans amount to is the same in any order. The order of the threads is
    another one each time, and so are the last bits of sums of floats, which are combined so where
    whoever wrote the loops allows it alone (`simt.fast_atomics`).

    ```mlir
    %counts, %key, %one = "test.op"() : () -> (memref<?xi64>, index, i64)
    simt.atomic add %one, %counts[%key] : memref<?xi64>
    ```
    """

    name = "simt.atomic"
    monoid = prop_def(StringAttr)
    value = operand_def(AnyAttr())
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, monoid: str, value: SSAValue, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(
            operands=[value, memref, indices],
            properties={"monoid": StringAttr(monoid)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add %value, %buffer[%i] : type`."""
        monoid = parser.parse_identifier()
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        buffer = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isa(type, MemRefType[Attribute]):
            parser.raise_error("a buffer is expected", position)
        op = cls(
            monoid,
            parser.resolve_operand(value, type.get_element_type()),
            parser.resolve_operand(buffer, type),
            [parser.resolve_operand(index, IndexType()) for index in indices],
        )
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(f" {self.monoid.data} ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)

    def verify_(self) -> None:
        """Check the monoid, the types and the number of indices."""
        type = self.memref.type
        assert isa(type, MemRefType[Attribute])
        element = type.get_element_type()
        if self.value.type != element:
            raise VerifyException(f"{self.value.type} is combined with an element of {type}")
        if not can_be_atomic(self.monoid.data, element, unordered=True):
            raise VerifyException(f"'{self.monoid.data}' on {element} is not done in one step")
        if len(self.indices) != type.get_num_dims():
            raise VerifyException(
                f"an element of {type} has {type.get_num_dims()} indices, got {len(self.indices)}"
            )


def atomic_operation(monoid: str, element: Attribute) -> str | None:
    """Return what LLVM's `atomicrmw` calls the step that combines elements of a type, if any."""
    domain, record = domain_of(element), monoid_named(monoid)
    if domain is None:
        return None
    return (record.unordered or None) if domain == "floating" else record.atomics.get(domain)


def can_be_atomic(monoid: str, element: Attribute, *, unordered: bool = False) -> bool:
    """Return whether memory can combine with elements of a type by a monoid in one step.

    If these are `unordered`, their order may show in the last bits of a result.
    """
    is_free = unordered or domain_of(element) != "floating"
    return is_free and atomic_operation(monoid, element) is not None
