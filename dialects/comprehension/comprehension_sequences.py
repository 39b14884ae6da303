"""Rows that have places: what a loop that runs in order goes through.

`diablo.dialects.comprehension` exports them. They stand outside of comprehensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_type_of, print_type_of
from diablo.dialects.bags import BagType, bag_columns, sorted_columns
from diablo.dialects.scalar_types import scalar_of
from diablo.dialects.verifier_checks import listed


@irdl_attr_definition
class SequenceType(ParametrizedAttribute, TypeAttribute):
    """The rows of a bag one after the other, each at its place, from 0.

    ```mlir
    %people = "test.op"() : () -> !comprehension.sequence<!comprehension.string, i64>
    ```
    """

    name = "comprehension.sequence"
    columns: ArrayAttr[Attribute] = param_def()

    def __init__(self, columns: Sequence[Attribute] | ArrayAttr[Attribute]):
        super().__init__(ArrayAttr(columns))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<i64, f64>`."""
        columns = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parser.parse_type)
        return (ArrayAttr(columns),)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<i64, f64>`."""
        with printer.in_angle_brackets():
            printer.print_list(self.columns, printer.print_attribute)


@irdl_op_definition
class SequenceOp(IRDLOperation):
    """The rows of a bag in the order that they have, and their number.

    That is the order in which the rows of a list were given or written. With `sorted` the rows
    ascend by as many of their first columns: numbers, of which NaN comes last, false before
    true, strings by their characters. If there are more columns, no two rows may agree in these.

    ```mlir
    %list = "test.op"() : () -> !comprehension.bag<!comprehension.string, i64>
    %map = "test.op"() : () -> !comprehension.bag<keys = 1, !comprehension.string, i64>
    %rows, %n = comprehension.sequence %list
        : !comprehension.bag<!comprehension.string, i64>
    %pairs, %m = comprehension.sequence %map sorted 1
        : !comprehension.bag<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.sequence"
    bag = operand_def(BagType)
    sorted = opt_prop_def(IntegerAttr)
    rows = result_def(SequenceType)
    count = result_def(IndexType)
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue, sorted: int = 0):
        super().__init__(
            operands=[bag],
            properties={"sorted": IntegerAttr(sorted, i64) if sorted else None},
            result_types=[SequenceType(bag_columns(bag)), IndexType()],
        )

    @property
    def sorted_columns(self) -> int:
        """By how many of the first columns the rows ascend."""
        return 0 if self.sorted is None else self.sorted.value.data

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%bag sorted 2 : !comprehension.bag<i64, f64>`."""
        bag = parser.parse_unresolved_operand()
        count = 0
        if parser.parse_optional_keyword("sorted"):
            count = parser.parse_integer(allow_negative=False)
        attributes, type = parse_type_of(parser, BagType, "a bag")
        op = cls(parser.resolve_operand(bag, type), count)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%bag sorted 2 : !comprehension.bag<i64, f64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.bag)
        if self.sorted is not None:
            printer.print_string(f" sorted {self.sorted_columns}")
        print_type_of(printer, self, self.bag.type)

    def verify_(self) -> None:
        """Check the columns."""
        columns = bag_columns(self.bag)
        if self.rows.type != SequenceType(columns):
            raise VerifyException(f"the rows must be those of {self.bag.type}")
        if not 0 <= self.sorted_columns <= len(columns):
            raise VerifyException(
                f"rows of {len(columns)} columns cannot ascend by {self.sorted_columns} of them"
            )
        if self.sorted_columns > sorted_columns(BagType(columns), self.sorted):
            raise VerifyException("rows ascend by columns of scalars alone")


@irdl_op_definition
class RowOp(IRDLOperation):
    """The row at a place of a sequence, which has one there.

    ```mlir
    %k = "test.op"() : () -> index
    %people = "test.op"() : () -> !comprehension.sequence<!comprehension.string, i64>
    %name, %age = comprehension.row %people[%k]
        : !comprehension.sequence<!comprehension.string, i64>
    ```
    """

    name = "comprehension.row"
    rows = operand_def(SequenceType)
    place = operand_def(IndexType)
    values = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, rows: SSAValue, place: SSAValue):
        super().__init__(operands=[rows, place], result_types=[_columns(rows.type)])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows[%k] : !comprehension.sequence<i64, f64>`."""
        rows = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            place = parser.parse_operand(IndexType())
        attributes, type = parse_type_of(parser, SequenceType, "a sequence")
        op = cls(parser.resolve_operand(rows, type), place)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows[%k] : !comprehension.sequence<i64, f64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.rows)
        with printer.in_square_brackets():
            printer.print_ssa_value(self.place)
        print_type_of(printer, self, self.rows.type)

    def verify_(self) -> None:
        """Check the values."""
        columns = _columns(self.rows.type)
        if self.values.types != columns:
            raise VerifyException(f"the values must be {listed(columns)}")


@irdl_op_definition
class ColumnOp(IRDLOperation):
    """The scalars in one column of a sequence, as a dense vector: one for each row.

    ```mlir
    %people = "test.op"() : () -> !comprehension.sequence<!comprehension.string, i64>
    %ages = comprehension.column 1 of %people
        : !comprehension.sequence<!comprehension.string, i64>
    ```
    """

    name = "comprehension.column"
    rows = operand_def(SequenceType)
    number = prop_def(IntegerAttr)
    values = result_def(TensorType)
    traits = traits_def(Pure())

    def __init__(self, rows: SSAValue, number: int):
        columns = _columns(rows.type)
        if number >= len(columns):
            raise VerifyException(_no_column(number, columns))
        super().__init__(
            operands=[rows],
            properties={"number": IntegerAttr(number, i64)},
            result_types=[TensorType(columns[number], [DYNAMIC_INDEX])],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `1 of %rows : !comprehension.sequence<i64, f64>`."""
        position = parser.pos
        number = parser.parse_integer(allow_negative=False)
        parser.parse_characters("of")
        rows = parser.parse_unresolved_operand()
        attributes, type = parse_type_of(parser, SequenceType, "a sequence")
        try:
            op = cls(parser.resolve_operand(rows, type), number)
        except VerifyException as error:
            parser.raise_error(str(error), position)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `1 of %rows : !comprehension.sequence<i64, f64>`."""
        printer.print_string(f" {self.number.value.data} of ")
        printer.print_ssa_value(self.rows)
        print_type_of(printer, self, self.rows.type)

    def verify_(self) -> None:
        """Check the column."""
        columns, number = _columns(self.rows.type), self.number.value.data
        if not 0 <= number < len(columns):
            raise VerifyException(_no_column(number, columns))
        if not is_vector_column(columns[number]):
            raise VerifyException(f"a column of {columns[number]} is no vector")
        if self.values.type != TensorType(columns[number], [DYNAMIC_INDEX]):
            raise VerifyException(f"the vector must have elements of {columns[number]}")


def is_vector_column(type: Attribute) -> bool:
    """Return whether a column of values of a type is held as a dense vector."""
    scalar = scalar_of(type)
    return scalar is not None and not scalar.is_text


def _no_column(number: int, columns: Sequence[Attribute]) -> str:
    return f"rows of {len(columns)} columns have no column {number}"


def _columns(type: Attribute) -> tuple[Attribute, ...]:
    assert isinstance(type, SequenceType)
    return tuple(type.columns)
