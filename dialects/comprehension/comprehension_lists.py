"""The ops on bags as values: written out row by row, folded, counted, read at a position.

`diablo.dialects.comprehension` exports them. They may stand anywhere, also outside of a
comprehension and in the bodies of `tensor_block` ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_type_of, print_type_of
from diablo.dialects.bag_folds import BagFold
from diablo.dialects.bags import BagType, bag_columns, verify_places
from diablo.dialects.verifier_checks import listed


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
        attributes, type = parse_type_of(parser, BagType, "a bag")
        columns = list(type.columns)
        op = cls([parser.resolve_operands(row, columns, position) for row in rows], type)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `(%a, %x), (%b, %y) : !comprehension.bag<i64, f64>`."""
        if self.parts:
            printer.print_string(" ")
        printer.print_list(self.rows, printer.print_operands)
        print_type_of(printer, self, self.result.type)

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


def has_no_rows(bag: SSAValue) -> bool:
    """Return whether a bag is a list that is written down without rows."""
    return isinstance(bag.owner, ListOp) and not bag.owner.rows


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
class LastOp(IRDLOperation):
    """The row of a group that comes last: with the greatest values in its first columns.

    These columns, the *places*, say where a row stands in the order of a comprehension: rows are
    compared by the first one, then by the second, and so on; NaN is greater than all numbers. The
    results are the columns behind them. Without places it may be any row.

    ```mlir
    %n = "test.op"() : () -> index
    %A = "test.op"() : () -> tensor<?x?xf64>
    %ends = comprehension.build (%n) : tensor<?xf64> {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
      %gi, %as = comprehension.group_by keys(%i) values(%j, %a)
          : index, !comprehension.bag<index, f64>
      %last = comprehension.last %as by 1 : !comprehension.bag<index, f64>
      comprehension.yield (%gi) %last
    }
    ```
    """

    name = "comprehension.last"
    bag = operand_def(BagType)
    places = prop_def(IntegerAttr[I64])
    values = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, places: int):
        super().__init__(
            operands=[bag],
            properties={"places": IntegerAttr(places, i64)},
            result_types=[list(bag_columns(bag))[places:]],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%bag by 1 : !comprehension.bag<index, f64>`."""
        bag = parser.parse_unresolved_operand()
        parser.parse_keyword("by")
        places = parser.parse_integer(allow_negative=False)
        attributes, type = parse_type_of(parser, BagType, "a bag")
        op = cls(parser.resolve_operand(bag, type), places)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%bag by 1 : !comprehension.bag<index, f64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.bag)
        printer.print_string(f" by {self.places.value.data}")
        print_type_of(printer, self, self.bag.type)

    def verify_(self) -> None:
        """Check the places and the results."""
        columns, places = bag_columns(self.bag), self.places.value.data
        if places >= len(columns):
            raise VerifyException(f"{places} places in rows of {len(columns)} columns")
        verify_places(columns[:places])
        if self.values.types != tuple(columns[places:]):
            raise VerifyException(
                f"the results must be the columns behind the places, {listed(columns[places:])}"
            )


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
        from diablo.dialects.comprehension.comprehension_canonicalization import CountList

        return (CountList(),)


@irdl_op_definition
class ElementOp(IRDLOperation):
    """The row of a bag at a position, which counts from 0. Fails outside of the bag.

    ```mlir
    %rows, %i = "test.op"() : () -> (!comprehension.bag<i64, f64>, i64)
    %k, %v = comprehension.element %rows[%i] : !comprehension.bag<i64, f64>
    ```
    """

    name = "comprehension.element"
    bag = operand_def(BagType)
    position = operand_def(i64)
    values = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, position: SSAValue):
        super().__init__(operands=[bag, position], result_types=[list(bag_columns(bag))])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows[%i] : !comprehension.bag<i64, f64>`."""
        bag = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        position = parser.resolve_operand(parser.parse_unresolved_operand(), i64)
        parser.parse_punctuation("]")
        attributes, type = parse_type_of(parser, BagType, "a bag")
        op = cls(parser.resolve_operand(bag, type), position)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows[%i] : !comprehension.bag<i64, f64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.bag)
        with printer.in_square_brackets():
            printer.print_ssa_value(self.position)
        print_type_of(printer, self, self.bag.type)

    def verify_(self) -> None:
        """Check that the bag is no map, and the columns of the row."""
        assert isinstance(self.bag.type, BagType)
        if self.bag.type.is_map:
            raise VerifyException("the rows of a map have no positions")
        columns = bag_columns(self.bag)
        if self.values.types != columns:
            raise VerifyException(f"the results must be the columns {listed(columns)}")
