"""What the ops that sort rows have in common, those of bags and of the RDDs that bags become.

`SortRows` is the base of both.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import opt_operand_def, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.ordered_rows_ops import (
    COLUMNS,
    Key,
    OrderedRows,
    order_properties,
    parse_order,
)
from diablo.dialects.verifier_checks import verify_positions


class SortRows(OrderedRows, ABC):
    """Rows in the order of some columns, or the first of them: `by [1 desc, 0] limit(%k) to [0]`.

    The rows are the first operand. The column behind their last one is the place of a row among
    them, which the result may have.
    """

    limit = opt_operand_def(IndexType)
    columns = opt_prop_def(COLUMNS)

    def __init__(
        self,
        rows: SSAValue,
        by: Sequence[Key],
        limit: SSAValue | None = None,
        columns: Sequence[int] | None = None,
    ):
        whole = self.columns_of(rows.type)
        kept = whole if columns is None else _kept_types(whole, columns)
        numbers = None if columns is None else DenseArrayBase.from_list(i64, columns)
        super().__init__(
            operands=[rows, limit],
            properties={**order_properties(by), "columns": numbers},
            result_types=[self.rows_of(kept)],
        )

    @property
    def kept(self) -> list[int]:
        """The columns of the rows that the result has; that behind the last one is `place`."""
        if self.columns is None:
            return list(range(self.place))
        return [int(column) for column in self.columns.get_values()]

    @property
    def place(self) -> int:
        """The number of the column that is the place of a row among the given ones."""
        return len(self.columns_of(self.operands[0].type))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows by [1 desc, 0] limit(%k) to [0] : !bag<…> -> !bag<…>`."""
        rows = parser.parse_unresolved_operand()
        by = parse_order(parser)
        limit: SSAValue | None = None
        if parser.parse_optional_keyword("limit"):
            with parser.in_parens():
                limit = parser.parse_operand(IndexType())
        kept: list[int] | None = None
        if parser.parse_optional_keyword("to"):
            kept = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_negative=False)
            )
        attributes = parser.parse_optional_attr_dict()
        type = cls.parse_rows_type(parser, [column for column, _ in by], kept or ())
        op = cls(parser.resolve_operand(rows, type), by, limit, kept)
        op.parse_result_type(parser)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows by [1 desc, 0] limit(%k) to [0] : !bag<…> -> !bag<…>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        self.print_order(printer)
        if self.limit is not None:
            printer.print_string(" limit(")
            printer.print_ssa_value(self.limit)
            printer.print_string(")")
        if self.columns is not None:
            printer.print_string(f" to {self.kept}")
        self.print_types(printer)

    def verify_(self) -> None:
        """Check that rows can be sorted by these columns, and are sorted, or cut."""
        columns = self.columns_of(self.operands[0].type)
        self.verify_order(columns)
        if not self.by and self.limit is None:
            raise VerifyException("rows are sorted by a column at least, or have a limit")
        verify_positions(self.kept, len(columns) + 1, "column")
        expected = self.rows_of(_kept_types(columns, self.kept))
        if self.results[0].type != expected:
            raise VerifyException(f"the result must be {expected}, got {self.results[0].type}")


def _kept_types(columns: Sequence[Attribute], kept: Sequence[int]) -> list[Attribute]:
    """The types of some columns, of which that behind the last one is an index."""
    types = [*columns, IndexType()]
    return [types[column] for column in kept]
