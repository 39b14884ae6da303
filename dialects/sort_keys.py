"""The columns by which rows are sorted, as several dialects spell and check them: `[1 desc, 0]`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DenseArrayBase,
    IndexType,
    IntegerType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import verify_places
from diablo.dialects.verifier_checks import verify_positions

Key = tuple[int, bool]
"""A column by which rows are compared, and whether they descend by it."""

KEYS = DenseArrayBase.constr(i64)
DESCENDING = ArrayAttr[BoolAttr]


def key_properties(by: Sequence[Key]) -> dict[str, Attribute]:
    """The properties of an op that sorts rows by some columns."""
    return {
        "keys": DenseArrayBase.from_list(i64, [column for column, _ in by]),
        "descending": ArrayAttr([BoolAttr.from_bool(down) for _, down in by]),
    }


def keys_of(keys: DenseArrayBase[IntegerType], descending: ArrayAttr[BoolAttr]) -> list[Key]:
    """The columns that these properties stand for."""
    downs = [bool(down.value.data) for down in descending]
    return list(zip(map(int, keys.get_values()), downs, strict=False))


Order = tuple[list[Key], SSAValue | None, list[int] | None]
"""The keys; how many rows there are at most, and which columns they have, if that is said."""


def parse_order(parser: Parser) -> Order:
    """Parse `by [1 desc, 0] limit(%k) to [0]`."""

    def key() -> Key:
        column = parser.parse_integer(allow_negative=False)
        return column, parser.parse_optional_keyword("desc") is not None

    parser.parse_keyword("by")
    by = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, key)
    limit: SSAValue | None = None
    if parser.parse_optional_keyword("limit"):
        with parser.in_parens():
            limit = parser.parse_operand(IndexType())
    if parser.parse_optional_keyword("to") is None:
        return by, limit, None
    columns = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_negative=False)
    )
    return by, limit, columns


def print_order(
    printer: Printer, by: Sequence[Key], limit: SSAValue | None, columns: Sequence[int] | None
) -> None:
    """Print ` by [1 desc, 0] limit(%k) to [0]`."""
    texts = [f"{column} desc" if down else f"{column}" for column, down in by]
    printer.print_string(f" by [{', '.join(texts)}]")
    if limit is not None:
        printer.print_string(" limit(")
        printer.print_ssa_value(limit)
        printer.print_string(")")
    if columns is not None:
        printer.print_string(f" to {list(columns)}")


def verify_parsed(
    parser: Parser, columns: Sequence[Attribute], by: Sequence[Key], kept: Sequence[int] | None
) -> None:
    """Report a column that the rows do not have where it is parsed."""
    for column in (*[column for column, _ in by], *(kept or ())):
        if column >= len(columns):
            parser.raise_error(f"there is no column {column} in rows of {len(columns)} columns")


def verify_order(columns: Sequence[Attribute], by: Sequence[Key], limit: SSAValue | None) -> None:
    """Raise a `VerifyException` unless rows can be sorted by these columns, and are, or cut."""
    verify_positions([column for column, _ in by], len(columns), "column")
    places = [columns[column] for column, _ in by]
    verify_places(places)
    if any(isinstance(place, ComplexType) for place in places):
        raise VerifyException("complex numbers have no order")
    if not by and limit is None:
        raise VerifyException("rows are sorted by a column at least, or have a limit")
