"""Pieces of assembly format that several dialects share.

`Monoid` is a directive of declarative formats (`custom<Monoid>($monoid)` reads and prints
`add` instead of `"add"`); the functions serve hand-written `parse` and `print` methods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.hints import isa

_Type = TypeVar("_Type", bound=Attribute)


@irdl_custom_directive
class Monoid(CustomDirective):
    """The name of a monoid as a bare word: `add`."""

    monoid: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the word; nothing if the property is optional and there is none."""
        name = parse_optional_monoid(parser) if self.monoid.is_optional else parse_monoid(parser)
        if name is not None:
            self.monoid.set(state, StringAttr(name))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the word, if there is one."""
        monoid = self.monoid.get(op)
        if isinstance(monoid, StringAttr):
            state.print_whitespace(printer)
            print_monoid(printer, monoid.data)


@irdl_custom_directive
class Monoids(CustomDirective):
    """The names of several monoids: `[add, max]`."""

    monoids: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the names in brackets."""
        names = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_monoid(parser)
        )
        self.monoids.set(state, ArrayAttr([StringAttr(name) for name in names]))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the names in brackets."""
        monoids = self.monoids.get(op)
        assert isa(monoids, ArrayAttr[StringAttr])
        state.print_whitespace(printer)
        with printer.in_square_brackets():
            printer.print_list(monoids, lambda monoid: print_monoid(printer, monoid.data))


@irdl_custom_directive
class MonoidBeforeSymbol(CustomDirective):
    """The name of a monoid, if any, where a symbol follows: `add`, or `"@argmin"` in quotes."""

    monoid: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the word, if there is one."""
        name = parser.parse_optional_identifier_or_str_literal()
        if name is not None:
            self.monoid.set(state, StringAttr(name))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the word, if there is one."""
        monoid = self.monoid.get(op)
        if isinstance(monoid, StringAttr):
            state.print_whitespace(printer)
            printer.print_identifier_or_string_literal(monoid.data)


@irdl_custom_directive
class Maps(CustomDirective):
    """A property of affine maps, by its name: `indexing_maps[(d0, d1) -> (d0)]`."""

    maps: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the name and the maps, if they are there."""
        if parser.parse_optional_keyword(self.maps.name):
            maps = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: AffineMapAttr(parser.parse_affine_map())
            )
            self.maps.set(state, ArrayAttr(maps))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the name and the maps, if there is such a property."""
        maps = self.maps.get(op)
        if maps is None:
            return
        assert isa(maps, ArrayAttr[AffineMapAttr])
        state.print_whitespace(printer)
        printer.print_string(self.maps.name)
        with printer.in_square_brackets():
            printer.print_list(maps, lambda map: printer.print_string(str(map.data)))


@irdl_custom_directive
class Text(CustomDirective):
    """A string in quotes, with any character in it.

    The syntax of attributes takes what has escapes for bytes instead.
    """

    text: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the literal."""
        text = parser.parse_optional_str_literal()
        if text is None:
            text = parser.parse_bytes_literal(" for a string").decode()
        self.text.set(state, StringAttr(text))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the literal."""
        text = self.text.get(op)
        if isinstance(text, StringAttr):
            state.print_whitespace(printer)
            printer.print_string_literal(text.data)


def parse_type_of(
    parser: Parser, wanted: type[_Type], what: str
) -> tuple[dict[str, Attribute], _Type]:
    """Parse the attributes and the type that end an op: `{…} : type`, which must be a `wanted`."""
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, wanted):
        parser.raise_error(f"expected the type of {what}", position)
    return attributes, type


def print_type_of(printer: Printer, op: IRDLOperation, type: Attribute) -> None:
    """Print the attributes and the type that end an op: ` {…} : type`."""
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(type)


def parse_place(parser: Parser) -> tuple[SSAValue, SSAValue, dict[str, Attribute]]:
    """Parse a place of a vector in memory, `%vector[%place] {…} : type`, with the attributes."""
    vector = parser.parse_unresolved_operand()
    with parser.in_square_brackets():
        place = parser.parse_operand(IndexType())
    attributes, type = parse_type_of(parser, MemRefType, "a vector in memory")
    return parser.resolve_operand(vector, type), place, attributes


def print_place(printer: Printer, op: IRDLOperation, vector: SSAValue, place: SSAValue) -> None:
    """Print ` %vector[%place] {…} : type`."""
    printer.print_string(" ")
    printer.print_ssa_value(vector)
    with printer.in_square_brackets():
        printer.print_ssa_value(place)
    print_type_of(printer, op, vector.type)


def parse_monoid(parser: AttrParser) -> str:
    """Parse the name of a monoid: `add`, or `@argmin` for one that the module defines."""
    symbol = parser.parse_optional_symbol_name()
    if symbol is not None:
        return f"@{symbol.data}"
    return parser.parse_identifier_or_str_literal(": expected the name of a monoid")


def parse_optional_monoid(parser: Parser) -> str | None:
    """Parse the name of a monoid, if there is one."""
    symbol = parser.parse_optional_symbol_name()
    if symbol is not None:
        return f"@{symbol.data}"
    return parser.parse_optional_identifier_or_str_literal()


def print_monoid(printer: Printer, name: str) -> None:
    """Print the name of a monoid."""
    if name.startswith("@"):
        printer.print_symbol_name(name[1:])
    else:
        printer.print_identifier_or_string_literal(name)


def inferred_operand(parser: Parser, operand: UnresolvedOperand) -> SSAValue:
    """Resolve an operand whose type is not written: its definition stands above it."""
    values = parser.ssa_values.get(operand.operand_name, ())
    if operand.index >= len(values):
        parser.raise_error("this value must be defined before it is used here", operand.span)
    return values[operand.index]


def parse_inferred_operands(parser: Parser) -> list[SSAValue]:
    """Parse `%a, %b`, possibly nothing, without types."""
    operands = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    return [inferred_operand(parser, operand) for operand in operands or ()]


def parse_operands(parser: Parser, type: Attribute) -> list[SSAValue]:
    """Parse `(%a, %b)`, all of one type."""
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_operand(type)
    )


def parse_optional_operands(parser: Parser, keyword: str, type: Attribute) -> list[SSAValue]:
    """Parse `keyword(%a, %b)`, all of one type, if the keyword is there."""
    return parse_operands(parser, type) if parser.parse_optional_keyword(keyword) else []


def print_optional_operands(printer: Printer, keyword: str, operands: Sequence[SSAValue]) -> None:
    """Print ` keyword(%a, %b)`, or nothing if there are no operands."""
    if operands:
        printer.print_string(f" {keyword}")
        printer.print_operands(operands)


def print_optional_step(printer: Printer, step: IntegerAttr | None) -> None:
    """Print ` step 2`, if there is one."""
    if step is not None:
        printer.print_string(f" step {step.value.data}")


def parse_keyword_attributes(parser: Parser) -> dict[str, Attribute]:
    """Parse `attributes {…}`, if it is there."""
    attributes = parser.parse_optional_attr_dict_with_keyword()
    return {} if attributes is None else dict(attributes.data)


def parse_fixed_indices(parser: Parser) -> dict[int, SSAValue]:
    """Parse `[%i, *]`: the index in each dimension that has one."""

    def parse_index() -> SSAValue | None:
        if parser.parse_optional_punctuation("*"):
            return None
        return parser.parse_operand(IndexType())

    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_index)
    return {d: index for d, index in enumerate(indices) if index is not None}


def print_fixed_indices(printer: Printer, fixed: Mapping[int, SSAValue], rank: int) -> None:
    """Print `[%i, *]`."""

    def print_index(d: int) -> None:
        if d in fixed:
            printer.print_ssa_value(fixed[d])
        else:
            printer.print_string("*")

    with printer.in_square_brackets():
        printer.print_list(range(rank), print_index)
