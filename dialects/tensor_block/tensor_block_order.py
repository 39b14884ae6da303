"""The row op that puts rows in order, and keeps the first ones of them.

`diablo.dialects.tensor_block` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType, bag_columns, verify_columns
from diablo.dialects.sort_keys import (
    DESCENDING,
    KEYS,
    Key,
    key_properties,
    keys_of,
    parse_order,
    print_order,
    verify_order,
    verify_parsed,
)
from diablo.dialects.verifier_checks import verify_positions


@irdl_op_definition
class SortOp(IRDLOperation):
    """The rows in the order of some columns, which are compared one after the other.

    Rows ascend by a column, or descend by one that is called `desc`: numbers, of which NaN comes
    last either way and -0.0 is 0.0, false before true, strings by their characters. Rows that
    agree in all of these columns stay in the order that they have.

    With `limit` the result has as many of the first rows, all if there are no more of them, and
    none if it is negative; without columns these are the first ones in the order that they have.
    `to` says which columns the result has, and in which order, if it has not all: as if it were
    projected.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64, i1>
    %k = "test.op"() : () -> index
    %sorted = tensor_block.sort %rows by [0, 1 desc]
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
    %greatest = tensor_block.sort %rows by [1 desc] limit(%k) to [1, 0]
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<f64, i64>
    %first = tensor_block.sort %rows by [] limit(%k)
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
    ```
    """

    name = "tensor_block.sort"
    bag = operand_def(BagType)
    limit = opt_operand_def(IndexType)
    keys = prop_def(KEYS)
    descending = prop_def(DESCENDING)
    columns = opt_prop_def(DenseArrayBase.constr(i64))
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(
        self,
        bag: SSAValue,
        by: Sequence[Key],
        limit: SSAValue | None = None,
        columns: Sequence[int] | None = None,
    ):
        whole = bag_columns(bag)
        kept = whole if columns is None else [whole[c] for c in columns]
        super().__init__(
            operands=[bag, limit],
            properties={
                **key_properties(by),
                "columns": None if columns is None else DenseArrayBase.from_list(i64, columns),
            },
            result_types=[BagType(kept)],
        )

    @property
    def by(self) -> list[Key]:
        """The columns by which rows are compared, and whether they descend by them."""
        return keys_of(self.keys, self.descending)

    @property
    def kept(self) -> list[int]:
        """The columns of the bag that the result has."""
        if self.columns is None:
            return list(range(len(bag_columns(self.bag))))
        return [int(column) for column in self.columns.get_values()]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows by [1 desc, 0] limit(%k) to [0] : !bag<…> -> !bag<…>`."""
        bag = parser.parse_unresolved_operand()
        by, limit, columns = parse_order(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, BagType):
            parser.raise_error("expected a bag of rows to sort", position)
        verify_parsed(parser, type.columns.data, by, columns)
        op = cls(parser.resolve_operand(bag, type), by, limit, columns)
        parser.parse_punctuation("->")
        position = parser.pos
        result = parser.parse_type()
        if result != op.result.type:
            parser.raise_error(f"the result must be {op.result.type}, got {result}", position)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows by [1 desc, 0] limit(%k) to [0] : !bag<…> -> !bag<…>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.bag)
        kept = None if self.columns is None else self.kept
        print_order(printer, self.by, self.limit, kept)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.bag.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Check the columns."""
        columns = bag_columns(self.bag)
        verify_order(columns, self.by, self.limit)
        if len(self.keys) != len(self.descending):
            raise VerifyException("each column by which rows are sorted has a direction")
        verify_positions(self.kept, len(columns), "column")
        verify_columns(self.result, [columns[c] for c in self.kept])
