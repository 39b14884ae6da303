"""The ops on bags as values: written out row by row, folded, counted.

`diablo.dialects.comprehension` exports them. They may stand anywhere, also outside of a
comprehension and in the bodies of `tensor_block` ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bag_folds import BagFold
from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.verification import listed


@irdl_op_definition
class ListOp(IRDLOperation):
    """The bag of the given rows, written one after the other.

    ```mlir
    %a, %b, %x, %y = "test.op"() : () -> (i64, i64, f64, f64)
    %rows = comprehension.list (%a, %x), (%b, %y) : !comprehension.bag<i64, f64>
    ```
    """

    name = "comprehension.list"
    parts = var_operand_def()
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, rows: Sequence[Sequence[SSAValue]], result_type: BagType):
        super().__init__(
            operands=[[part for row in rows for part in row]], result_types=[result_type]
        )

    @property
    def rows(self) -> list[tuple[SSAValue, ...]]:
        """The rows, one value for each column."""
        width = len(bag_columns(self.result))
        return [tuple(self.parts[i : i + width]) for i in range(0, len(self.parts), width)]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `(%a, %x), (%b, %y) : !comprehension.bag<i64, f64>`."""
        position = parser.pos

        def parse_optional_row() -> Sequence[UnresolvedOperand] | None:
            return parser.parse_optional_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_unresolved_operand
            )

        rows: list[Sequence[UnresolvedOperand]] = []
        row = parse_optional_row()
        while row is not None:
            rows.append(row)
            row = parse_optional_row() if parser.parse_optional_punctuation(",") else None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, BagType):
            parser.raise_error("expected the type of a bag", position)
        columns = list(type.columns)
        op = cls([parser.resolve_operands(row, columns, position) for row in rows], type)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `(%a, %x), (%b, %y) : !comprehension.bag<i64, f64>`."""
        if self.parts:
            printer.print_string(" ")
        printer.print_list(self.rows, printer.print_operands)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Check the rows."""
        columns = bag_columns(self.result)
        if not columns:
            raise VerifyException("the rows of a list have at least one column")
        if self.result.type.is_map:
            raise VerifyException("a list is no map")
        if len(self.parts) % len(columns):
            raise VerifyException(
                f"{len(self.parts)} values do not fill rows of {len(columns)} columns"
            )
        for row in self.rows:
            if tuple(part.type for part in row) != columns:
                raise VerifyException(f"every row must be {listed(columns)}")


@irdl_op_definition
class ReduceOp(BagFold):
    """Folds a one-column bag with a monoid; an empty bag gives its identity.

    ```mlir
    %v = "test.op"() : () -> !comprehension.bag<f64>
    %s = comprehension.reduce add %v : !comprehension.bag<f64>
    ```
    """

    name = "comprehension.reduce"


@irdl_op_definition
class LengthOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The number of rows of a bag.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %n = comprehension.length %rows : !comprehension.bag<i64, f64>
    ```
    """

    name = "comprehension.length"
    bag = operand_def(BagType)
    result = result_def(i64)
    traits = traits_def(Pure())
    assembly_format = "$bag attr-dict `:` type($bag)"

    def __init__(self, bag: SSAValue):
        super().__init__(operands=[bag], result_types=[i64])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """The length of a list that is written out is a constant."""
        from diablo.dialects.canonicalization.comprehension import CountList

        return (CountList(),)
