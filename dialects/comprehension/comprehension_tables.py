"""Maps that the driver changes in place: hash tables, which a loop that runs in order writes to.

`diablo.dialects.comprehension` exports them. They stand outside of comprehensions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import ArrayAttr, IntAttr, UnitAttr, i1, i64
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    param_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_type_of, print_type_of
from diablo.dialects.bags import BagType, verify_places
from diablo.dialects.verifier_checks import listed


@irdl_attr_definition
class TableType(ParametrizedAttribute, TypeAttribute):
    """A hash table of the driver: the rows of a map, found and written by their first columns.

    It is a place in memory, unlike a map, which is a value.

    ```mlir
    %counts = "test.op"() : () -> !comprehension.table<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.table"
    columns: ArrayAttr[Attribute] = param_def()
    keys: IntAttr = param_def()

    def __init__(self, columns: Sequence[Attribute] | ArrayAttr[Attribute], keys: int | IntAttr):
        super().__init__(ArrayAttr(columns), IntAttr(keys) if isinstance(keys, int) else keys)

    @property
    def map(self) -> BagType:
        """The type of the maps that have such rows."""
        return BagType(self.columns, self.keys)

    @property
    def key_types(self) -> tuple[Attribute, ...]:
        """The types of the columns that a row is found by."""
        return tuple(self.columns)[: self.keys.data]

    @property
    def value_types(self) -> tuple[Attribute, ...]:
        """The types of the other columns."""
        return tuple(self.columns)[self.keys.data :]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<keys = 1, i64, f64>`."""
        return BagType.parse_parameters(parser)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<keys = 1, i64, f64>`."""
        self.map.print_parameters(printer)

    def verify(self) -> None:
        """Check the number of keys and their types."""
        if not 0 < self.keys.data <= len(self.columns):
            raise VerifyException(
                f"{self.keys.data} key columns in a table of {len(self.columns)} columns"
            )
        verify_places(self.key_types)


@irdl_op_definition
class TableOp(IRDLOperation):
    """A hash table with the rows of a map, or of a list whose rows have keys that differ.

    ```mlir
    %map = "test.op"() : () -> !comprehension.bag<keys = 1, !comprehension.string, i64>
    %counts = comprehension.table %map : !comprehension.bag<keys = 1, !comprehension.string, i64>
        -> !comprehension.table<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.table"
    rows = operand_def(BagType)
    table = result_def(TableType)
    traits = traits_def(MemoryAllocEffect())
    assembly_format = "$rows attr-dict `:` type($rows) `->` type($table)"

    def __init__(self, rows: SSAValue, type: TableType | None = None):
        bag = rows.type
        assert isinstance(bag, BagType)
        super().__init__(operands=[rows], result_types=[type or TableType(bag.columns, bag.keys)])

    def verify_(self) -> None:
        """Check the columns, and the keys of a map."""
        assert isinstance(self.rows.type, BagType)
        assert isinstance(self.table.type, TableType)
        map = self.table.type.map
        if self.rows.type not in (map, BagType(map.columns)):
            raise VerifyException(f"the rows must be those of {map}")


@irdl_op_definition
class FindOp(IRDLOperation):
    """The values that a table has for a key; and whether it has that key.

    Where it has not, the values are the implicit ones. As `==` has it, NaN is no key that a table
    has; with `grouped` it is found, as groups have one NaN.

    ```mlir
    %counts = "test.op"() : () -> !comprehension.table<keys = 1, !comprehension.string, i64>
    %k = "test.op"() : () -> !comprehension.string
    %n, %found = comprehension.find %counts[%k]
        : !comprehension.table<keys = 1, !comprehension.string, i64>
    %old, %known = comprehension.find grouped %counts[%k]
        : !comprehension.table<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.find"
    table = operand_def(TableType)
    keys = var_operand_def()
    grouped = opt_prop_def(UnitAttr)
    values = var_result_def()
    found = result_def(i1)
    traits = traits_def(MemoryReadEffect())

    def __init__(self, table: SSAValue, keys: Sequence[SSAValue], *, grouped: bool = False):
        type = table.type
        assert isinstance(type, TableType)
        super().__init__(
            operands=[table, keys],
            properties={"grouped": UnitAttr() if grouped else None},
            result_types=[type.value_types, i1],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `grouped %table[%k] : !comprehension.table<keys = 1, i64, f64>`."""
        grouped = parser.parse_optional_keyword("grouped") is not None
        table, keys, attributes = _parse_keys(parser)
        op = cls(table, keys, grouped=grouped)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `grouped %table[%k] : !comprehension.table<keys = 1, i64, f64>`."""
        printer.print_string(" grouped " if self.grouped is not None else " ")
        _print_keys(printer, self)

    def verify_(self) -> None:
        """Check the keys and the values."""
        assert isinstance(self.table.type, TableType)
        _verify_row(self.table.type, self.keys, self.values)


@irdl_op_definition
class PutOp(IRDLOperation):
    """Gives a key of a table its values, in place of those that it has for that key.

    ```mlir
    %counts = "test.op"() : () -> !comprehension.table<keys = 1, !comprehension.string, i64>
    %k, %n = "test.op"() : () -> (!comprehension.string, i64)
    comprehension.put (%n) into %counts[%k]
        : !comprehension.table<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.put"
    values = var_operand_def()
    table = operand_def(TableType)
    keys = var_operand_def()
    traits = traits_def(MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, values: Sequence[SSAValue], table: SSAValue, keys: Sequence[SSAValue]):
        super().__init__(operands=[values, table, keys])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `(%n) into %table[%k] : !comprehension.table<keys = 1, i64, f64>`."""
        position = parser.pos
        values = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        parser.parse_keyword("into")
        table, keys, attributes = _parse_keys(parser)
        assert isinstance(table.type, TableType)
        types = table.type.value_types
        if len(types) != len(values):
            parser.raise_error(f"expected {len(types)} values for {table.type}", position)
        op = cls(parser.resolve_operands(values, types, position), table, keys)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `(%n) into %table[%k] : !comprehension.table<keys = 1, i64, f64>`."""
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.values, printer.print_ssa_value)
        printer.print_string(" into ")
        _print_keys(printer, self)

    def verify_(self) -> None:
        """Check the keys and the values."""
        assert isinstance(self.table.type, TableType)
        _verify_row(self.table.type, self.keys, self.values)


@irdl_op_definition
class SizeOp(IRDLOperation):
    """The number of rows of a table.

    ```mlir
    %counts = "test.op"() : () -> !comprehension.table<keys = 1, !comprehension.string, i64>
    %n = comprehension.size %counts : !comprehension.table<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.size"
    table = operand_def(TableType)
    result = result_def(i64)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$table attr-dict `:` type($table)"

    def __init__(self, table: SSAValue):
        super().__init__(operands=[table], result_types=[i64])


@irdl_op_definition
class EntriesOp(IRDLOperation):
    """The map that a table is now, or its rows as a list; no write to the table changes them.

    ```mlir
    %counts = "test.op"() : () -> !comprehension.table<keys = 1, !comprehension.string, i64>
    %map = comprehension.entries %counts
        : !comprehension.table<keys = 1, !comprehension.string, i64>
        -> !comprehension.bag<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.entries"
    table = operand_def(TableType)
    rows = result_def(BagType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$table attr-dict `:` type($table) `->` type($rows)"

    def __init__(self, table: SSAValue, type: BagType | None = None):
        assert isinstance(table.type, TableType)
        super().__init__(operands=[table], result_types=[type or table.type.map])

    def verify_(self) -> None:
        """Check that the result has the rows of the table."""
        assert isinstance(self.table.type, TableType)
        map = self.table.type.map
        if self.rows.type not in (map, BagType(map.columns)):
            raise VerifyException(f"the result must be {map}")


def _parse_keys(
    parser: Parser,
) -> tuple[SSAValue, Sequence[SSAValue], Mapping[str, Attribute]]:
    """Parse a row of a table, `%table[%k] {…} : type`, with the attributes."""
    table = parser.parse_unresolved_operand()
    position = parser.pos
    keys = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    attributes, type = parse_type_of(parser, TableType, "a table")
    if len(type.key_types) != len(keys):
        parser.raise_error(f"expected {len(type.key_types)} keys for {type}", position)
    resolved = parser.resolve_operands(keys, type.key_types, position)
    return parser.resolve_operand(table, type), resolved, attributes


def _print_keys(printer: Printer, op: FindOp | PutOp) -> None:
    """Print `%table[%k] {…} : type`."""
    printer.print_ssa_value(op.table)
    with printer.in_square_brackets():
        printer.print_list(op.keys, printer.print_ssa_value)
    print_type_of(printer, op, op.table.type)


def _verify_row(type: TableType, keys: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    _verify_keys(type, keys)
    if tuple(value.type for value in values) != type.value_types:
        raise VerifyException(f"the values must be {listed(type.value_types)}")


def _verify_keys(type: TableType, keys: Sequence[SSAValue]) -> None:
    found = tuple(key.type for key in keys)
    if found != type.key_types:
        raise VerifyException(f"the keys are {listed(type.key_types)}, got {listed(found)}")
