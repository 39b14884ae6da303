"""What the ops on rows that some columns order have in common, those of bags and of their RDDs.

`OrderedRows` is the base of sorts and of windows; an op adds its rows, and which columns a type of
these has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, ComplexType, DenseArrayBase, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import verify_places
from diablo.dialects.verifier_checks import verify_positions

Key = tuple[int, bool]
"""A column by which rows are compared, and whether they descend by it."""

COLUMNS = DenseArrayBase.constr(i64)


class OrderedRows(IRDLOperation, ABC):
    """An op of which the first operand is rows, and the only result rows too.

    By the columns `places` rows are compared, one after the other.
    """

    places = prop_def(COLUMNS)
    descending = prop_def(ArrayAttr[BoolAttr])

    @property
    def by(self) -> list[Key]:
        """The columns by which rows are compared, and whether they descend by them."""
        downs = [bool(down.value.data) for down in self.descending]
        return list(zip(map(int, self.places.get_values()), downs, strict=False))

    @staticmethod
    @abstractmethod
    def columns_of(type: Attribute) -> Sequence[Attribute]:
        """Return the columns of rows of a type; raises a `VerifyException` for other types."""

    @staticmethod
    @abstractmethod
    def rows_of(columns: Sequence[Attribute]) -> Attribute:
        """Return the type of rows with some columns."""

    @classmethod
    def parse_rows_type(
        cls, parser: Parser, read: Iterable[int], read_or_made: Iterable[int] = ()
    ) -> Attribute:
        """Parse `: !bag<…>`, which has all columns that are read, or all but the one behind it."""
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        try:
            width = len(cls.columns_of(type))
        except VerifyException as error:
            parser.raise_error(str(error), position)
        for column in (*read, *[column for column in read_or_made if column != width]):
            if column >= width:
                parser.raise_error(f"there is no column {column} in rows of {width} columns")
        return type

    def parse_result_type(self, parser: Parser) -> None:
        """Parse `-> !bag<…>`, which is the type of the op's result."""
        parser.parse_punctuation("->")
        position = parser.pos
        result, expected = parser.parse_type(), self.results[0].type
        if result != expected:
            parser.raise_error(f"the result must be {expected}, got {result}", position)

    def verify_order(self, columns: Sequence[Attribute]) -> None:
        """Check that rows of such columns can be compared by those that the op compares."""
        compared = [column for column, _ in self.by]
        verify_positions(compared, len(columns), "column")
        verify_have_order([columns[column] for column in compared])
        if len(self.places) != len(self.descending):
            raise VerifyException("each column by which rows are ordered has a direction")

    def print_order(self, printer: Printer) -> None:
        """Print ` by [1 desc, 0]`."""
        keys = [f"{column} desc" if down else f"{column}" for column, down in self.by]
        printer.print_string(f" by [{', '.join(keys)}]")

    def print_types(self, printer: Printer) -> None:
        """Print the attributes, and `: !bag<…> -> !bag<…>`."""
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" -> ")
        printer.print_attribute(self.results[0].type)


def order_properties(by: Sequence[Key]) -> dict[str, Attribute]:
    """Return the properties by which an op knows in which order rows are."""
    return {
        "places": DenseArrayBase.from_list(i64, [column for column, _ in by]),
        "descending": ArrayAttr([BoolAttr.from_bool(down) for _, down in by]),
    }


def verify_have_order(columns: Sequence[Attribute]) -> None:
    """Check that values of columns can be compared."""
    verify_places(columns)
    if any(isinstance(column, ComplexType) for column in columns):
        raise VerifyException("complex numbers have no order")


def parse_order(parser: Parser) -> list[Key]:
    """Parse `by [1 desc, 0]`."""
    parser.parse_keyword("by")
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_key(parser))


def _parse_key(parser: Parser) -> Key:
    """Return a column and whether rows descend by it: `1 desc`."""
    column = parser.parse_integer(allow_negative=False)
    return column, parser.parse_optional_keyword("desc") is not None
