"""What the ops that sort rows have in common, those of bags and of the RDDs that bags become.

`SortRows` is the base of both; an op adds its rows, and which columns a type of these has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DenseArrayBase,
    IndexType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, opt_operand_def, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import verify_places
from diablo.dialects.verifier_checks import verify_positions

Key = tuple[int, bool]
"""A column by which rows are compared, and whether they descend by it."""

COLUMNS = DenseArrayBase.constr(i64)


class SortRows(IRDLOperation, ABC):
    """Rows in the order of some columns, or the first of them: `by [1 desc, 0] limit(%k) to [0]`.

    The rows are the first operand.
    """

    limit = opt_operand_def(IndexType)
    keys = prop_def(COLUMNS)
    descending = prop_def(ArrayAttr[BoolAttr])
    columns = opt_prop_def(COLUMNS)

    def __init__(
        self,
        rows: SSAValue,
        by: Sequence[Key],
        limit: SSAValue | None = None,
        columns: Sequence[int] | None = None,
    ):
        whole = self.columns_of(rows.type)
        kept = whole if columns is None else [whole[c] for c in columns]
        numbers = None if columns is None else DenseArrayBase.from_list(i64, columns)
        super().__init__(
            operands=[rows, limit],
            properties={
                "keys": DenseArrayBase.from_list(i64, [column for column, _ in by]),
                "descending": ArrayAttr([BoolAttr.from_bool(down) for _, down in by]),
                "columns": numbers,
            },
            result_types=[self.rows_of(kept)],
        )

    @staticmethod
    @abstractmethod
    def columns_of(type: Attribute) -> Sequence[Attribute]:
        """Return the columns of rows of a type; raises a `VerifyException` for other types."""

    @staticmethod
    @abstractmethod
    def rows_of(columns: Sequence[Attribute]) -> Attribute:
        """Return the type of rows with some columns."""

    @property
    def by(self) -> list[Key]:
        """The columns by which rows are compared, and whether they descend by them."""
        downs = [bool(down.value.data) for down in self.descending]
        return list(zip(map(int, self.keys.get_values()), downs, strict=False))

    @property
    def kept(self) -> list[int]:
        """The columns of the rows that the result has."""
        if self.columns is None:
            return list(range(len(self.columns_of(self.operands[0].type))))
        return [int(column) for column in self.columns.get_values()]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows by [1 desc, 0] limit(%k) to [0] : !bag<…> -> !bag<…>`."""
        rows = parser.parse_unresolved_operand()
        parser.parse_keyword("by")
        by = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_key(parser))
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
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        try:
            width = len(cls.columns_of(type))
        except VerifyException as error:
            parser.raise_error(str(error), position)
        for column in (*[column for column, _ in by], *(kept or ())):
            if column >= width:
                parser.raise_error(f"there is no column {column} in rows of {width} columns")
        op = cls(parser.resolve_operand(rows, type), by, limit, kept)
        parser.parse_punctuation("->")
        position = parser.pos
        result = parser.parse_type()
        if result != op.results[0].type:
            parser.raise_error(f"the result must be {op.results[0].type}, got {result}", position)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows by [1 desc, 0] limit(%k) to [0] : !bag<…> -> !bag<…>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        keys = [f"{column} desc" if down else f"{column}" for column, down in self.by]
        printer.print_string(f" by [{', '.join(keys)}]")
        if self.limit is not None:
            printer.print_string(" limit(")
            printer.print_ssa_value(self.limit)
            printer.print_string(")")
        if self.columns is not None:
            printer.print_string(f" to {self.kept}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" -> ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        """Check that rows can be sorted by these columns, and are sorted, or cut."""
        columns, by = self.columns_of(self.operands[0].type), self.by
        verify_positions([column for column, _ in by], len(columns), "column")
        places = [columns[column] for column, _ in by]
        verify_places(places)
        if any(isinstance(place, ComplexType) for place in places):
            raise VerifyException("complex numbers have no order")
        if not by and self.limit is None:
            raise VerifyException("rows are sorted by a column at least, or have a limit")
        if len(self.keys) != len(self.descending):
            raise VerifyException("each column by which rows are sorted has a direction")
        verify_positions(self.kept, len(columns), "column")
        expected = self.rows_of([columns[c] for c in self.kept])
        if self.results[0].type != expected:
            raise VerifyException(f"the result must be {expected}, got {self.results[0].type}")


def parse_key(parser: Parser) -> Key:
    """Return a column and whether rows descend by it: `1 desc`."""
    column = parser.parse_integer(allow_negative=False)
    return column, parser.parse_optional_keyword("desc") is not None
