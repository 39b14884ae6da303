"""What the ops that look from rows at others of their group have in common.

`WindowRows` is the base of both, that of bags and that of the RDDs that bags become.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import NamedTuple, Self

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    Float64Type,
    IndexType,
    IntAttr,
    IntegerType,
    StringAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import base, irdl_attr_definition, prop_def, var_operand_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_monoid, print_monoid
from diablo.dialects.monoids import MONOIDS, verify_monoid
from diablo.dialects.ordered_rows_ops import (
    COLUMNS,
    Key,
    OrderedRows,
    order_properties,
    parse_order,
    verify_have_order,
)
from diablo.dialects.verifier_checks import listed, verify_positions


class _Form(NamedTuple):
    """What a function of windows takes, in the order in which it is written."""

    monoid: bool = False
    interpolation: bool = False
    column: bool = False
    size: str | None = None
    """The word before the operand that says how many rows it is about, or up to which part."""
    size_type: IndexType | Float64Type = IndexType()


INTERPOLATIONS = ("linear", "lower", "higher", "nearest", "midpoint")
"""What a quantile is that lies between two values."""
FORMS = {
    "number": _Form(),
    "size": _Form(),
    "first_peer": _Form(),
    "last_peer": _Form(),
    "peers_before": _Form(),
    "shift": _Form(column=True, size="by"),
    "first": _Form(column=True),
    "last": _Form(column=True),
    "whole": _Form(monoid=True, column=True),
    "scan": _Form(monoid=True, column=True),
    "fold": _Form(monoid=True, column=True, size="of"),
    "quantile": _Form(interpolation=True, column=True, size="at", size_type=f64),
}
"""The functions of windows by name."""


@irdl_attr_definition
class WindowFunctionAttr(ParametrizedAttribute):
    """A function of the rows around a row, as windows name it.

    Without a monoid it has the name of one that is empty, as without an interpolation; without a
    column it has that of -1.

    ```mlir
    "test.op"() {sums = #tensor_block.window_function<scan add 1>,
                 medians = #tensor_block.window_function<quantile linear 0>} : () -> ()
    ```
    """

    name = "tensor_block.window_function"
    function: StringAttr
    monoid: StringAttr
    column: IntAttr
    interpolation: StringAttr

    @classmethod
    def of(
        cls, function: str, monoid: str = "", column: int = -1, interpolation: str = ""
    ) -> WindowFunctionAttr:
        """Return the attribute of a function."""
        names = StringAttr(function), StringAttr(monoid), StringAttr(interpolation)
        return cls(*names[:2], IntAttr(column), names[2])

    def of_column(self, column: int) -> WindowFunctionAttr:
        """Return the same function of another column."""
        return WindowFunctionAttr(self.function, self.monoid, IntAttr(column), self.interpolation)

    @property
    def form(self) -> _Form:
        """What the function takes."""
        return FORMS[self.function.data]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parse `<scan add 1>`."""
        with parser.in_angle_brackets():
            return list(_parse_function(parser).parameters)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<scan add 1>`."""
        with printer.in_angle_brackets():
            _print_function(printer, self)


def _parse_function(parser: AttrParser) -> WindowFunctionAttr:
    position = parser.pos
    function = parser.parse_identifier()
    form = FORMS.get(function)
    if form is None:
        names = ", ".join(FORMS)
        parser.raise_error(f"there is no function {function!r} of windows: {names}", position)
    monoid = parse_monoid(parser) if form.monoid else ""
    interpolation = ""
    if form.interpolation:
        position = parser.pos
        interpolation = parser.parse_identifier()
        if interpolation not in INTERPOLATIONS:
            names = ", ".join(INTERPOLATIONS)
            parser.raise_error(f"a quantile is {names}, not {interpolation!r}", position)
    column = parser.parse_integer(allow_negative=False) if form.column else -1
    return WindowFunctionAttr.of(function, monoid, column, interpolation)


def _print_function(printer: Printer, function: WindowFunctionAttr) -> None:
    printer.print_string(function.function.data)
    if function.form.monoid:
        printer.print_string(" ")
        print_monoid(printer, function.monoid.data)
    if function.form.interpolation:
        printer.print_string(f" {function.interpolation.data}")
    if function.form.column:
        printer.print_string(f" {function.column.data}")


class WindowRows(OrderedRows, ABC):
    """Rows with what functions give of others of their group behind their columns.

    `keys [0] by [1 desc] functions [number, shift 2 by %n, scan add 2]`; the rows are the first
    operand, the numbers of rows those behind it.
    """

    sizes = var_operand_def(base(IndexType) | base(Float64Type))
    keys = prop_def(COLUMNS)
    functions = prop_def(ArrayAttr[WindowFunctionAttr])

    def __init__(
        self,
        rows: SSAValue,
        keys: Sequence[int],
        by: Sequence[Key],
        functions: Sequence[WindowFunctionAttr],
        sizes: Sequence[SSAValue] = (),
    ):
        columns = self.columns_of(rows.type)
        super().__init__(
            operands=[rows, sizes],
            properties={
                "keys": DenseArrayBase.from_list(i64, list(keys)),
                **order_properties(by),
                "functions": ArrayAttr(functions),
            },
            result_types=[self.rows_of([*columns, *_made(functions, columns)])],
        )

    @property
    def key_columns(self) -> list[int]:
        """The columns in which the rows of a group agree."""
        return [int(column) for column in self.keys.get_values()]

    @property
    def is_running(self) -> bool:
        """Whether all it gives are places and folds of numbers up to the row, as all rows stand."""
        columns = self.columns_of(self.operands[0].type)
        read = [columns[f.column.data] for f in self.functions if f.form.column]
        return (
            not (self.key_columns or self.by)
            and all(function.function.data in ("number", "scan") for function in self.functions)
            and all(isinstance(type, IntegerType | IndexType | AnyFloat) for type in read)
        )

    @property
    def sized_functions(self) -> list[tuple[WindowFunctionAttr, SSAValue | None]]:
        """The functions, with the operands that say how many rows some are about."""
        sizes = iter(self.sizes)
        return [
            (function, None if function.form.size is None else next(sizes))
            for function in self.functions
        ]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%rows keys [0] by [1 desc] functions [shift 2 by %n] : !bag<…> -> !bag<…>`."""
        rows = parser.parse_unresolved_operand()
        parser.parse_keyword("keys")
        keys = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_negative=False)
        )
        by = parse_order(parser)
        parser.parse_keyword("functions")
        functions: list[WindowFunctionAttr] = []
        sizes: list[SSAValue] = []

        def function() -> None:
            made = _parse_function(parser)
            functions.append(made)
            if made.form.size is not None:
                parser.parse_keyword(made.form.size)
                sizes.append(parser.parse_operand(made.form.size_type))

        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, function)
        attributes = parser.parse_optional_attr_dict()
        read = [f.column.data for f in functions if f.form.column]
        type = cls.parse_rows_type(parser, (*keys, *[column for column, _ in by], *read))
        op = cls(parser.resolve_operand(rows, type), keys, by, functions, sizes)
        op.parse_result_type(parser)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%rows keys [0] by [1 desc] functions [shift 2 by %n] : !bag<…> -> !bag<…>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(f" keys {self.key_columns}")
        self.print_order(printer)
        printer.print_string(" functions [")
        for number, (function, size) in enumerate(self.sized_functions):
            printer.print_string(", " if number else "")
            _print_function(printer, function)
            if size is not None:
                printer.print_string(f" {function.form.size} ")
                printer.print_ssa_value(size)
        printer.print_string("]")
        self.print_types(printer)

    def verify_(self) -> None:
        """Check the columns, the functions and their numbers of rows."""
        columns = self.columns_of(self.operands[0].type)
        verify_positions(self.key_columns, len(columns), "key column")
        verify_have_order([columns[column] for column in self.key_columns])
        self.verify_order(columns)
        sized = [function for function in self.functions if function.form.size is not None]
        if len(sized) != len(self.sizes):
            raise VerifyException(
                f"{len(sized)} functions take a number of rows, and there are {len(self.sizes)}"
            )
        for function, size in self.sized_functions:
            if size is not None and size.type != (wanted := function.form.size_type):
                name = function.function.data
                raise VerifyException(f"the number of '{name}' is an {wanted}, got {size.type}")
            if function.form.column:
                verify_positions([function.column.data], len(columns), "column")
            if function.form.interpolation and columns[function.column.data] != f64:
                raise VerifyException(
                    f"quantiles are of numbers of f64, not {columns[function.column.data]}"
                )
            if function.form.monoid:
                monoid, column = function.monoid.data, columns[function.column.data]
                if monoid not in MONOIDS:
                    raise VerifyException(f"'{monoid}' is no built-in monoid")
                verify_monoid(monoid, column, self)
        expected = [*columns, *_made(self.functions.data, columns)]
        if self.results[0].type != self.rows_of(expected):
            raise VerifyException(f"the result must have the columns {listed(expected)}")


def _made(functions: Sequence[WindowFunctionAttr], columns: Sequence[Attribute]) -> list[Attribute]:
    """Return the columns that functions make."""
    made: list[Attribute] = []
    for function in functions:
        made.append(columns[function.column.data] if function.form.column else i64)
        if function.function.data == "shift":
            made.append(i1)
    return made
