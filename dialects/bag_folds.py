"""What `comprehension.reduce` and `tensor_block.fold` share: they fold a bag of one column."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_monoid, print_monoid, print_type_of
from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.monoids import verify_monoid


class BagFold(IRDLOperation):
    """The fold of a bag of one column with a monoid: `add %v : !comprehension.bag<f64>`."""

    monoid = prop_def(StringAttr)
    bag = operand_def(BagType)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, monoid: str, bag: SSAValue):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={"monoid": StringAttr(monoid)},
            result_types=[bag.type.columns.data[0]],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add %v : !comprehension.bag<f64>`."""
        monoid = parse_monoid(parser)
        bag = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, BagType) or len(type.columns) != 1:
            parser.raise_error("expected a bag of one column to fold", position)
        op = cls(monoid, parser.resolve_operand(bag, type))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `add %v : !comprehension.bag<f64>`."""
        printer.print_string(" ")
        print_monoid(printer, self.monoid.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.bag)
        print_type_of(printer, self, self.bag.type)

    def verify_(self) -> None:
        """Check the bag, the monoid and the result."""
        columns = bag_columns(self.bag)
        if len(columns) != 1:
            raise VerifyException(f"expected a bag of one column to fold, got {self.bag.type}")
        if self.result.type != columns[0]:
            raise VerifyException(f"the result must have the type of the column, {columns[0]}")
        verify_monoid(self.monoid.data, columns[0], self)
