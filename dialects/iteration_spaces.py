"""How ops over an iteration space say what its dimensions are, and where they read arrays.

    parallel(d0 < %n, d1 < %m) ins(%A[d0, d1 - 1] : tensor<?x?xf64>, %x[d0] : tensor<?xf64>)

`tensor_block`'s ops and the loops of `multiloop` over points are such.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.access_maps import linear_index, parse_access, print_access
from diablo.dialects.encodings import array_type


def parse_dimensions(parser: Parser, first: int = 0) -> list[SSAValue]:
    """Parse `(d0 < %n, d1 < %m)`, numbered from `first` on; return the extents."""
    extents: list[SSAValue] = []

    def parse_dimension() -> None:
        parser.parse_keyword(f"d{first + len(extents)}")
        parser.parse_punctuation("<")
        extents.append(parser.parse_operand(IndexType()))

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_dimension)
    return extents


def print_dimensions(printer: Printer, extents: Sequence[SSAValue], first: int = 0) -> None:
    """Print `(d0 < %n, d1 < %m)`, numbered from `first` on."""

    def print_dimension(dimension: tuple[int, SSAValue]) -> None:
        printer.print_string(f"d{dimension[0]} < ")
        printer.print_ssa_value(dimension[1])

    with printer.in_parens():
        printer.print_list(enumerate(extents, first), print_dimension)


def parse_reads(parser: Parser, rank: int, symbols: int) -> tuple[list[SSAValue], list[AffineMap]]:
    """Parse `ins(%A[d0, d2] : tensor<?x?xf64>)`, if it is there: arrays, and where each is read."""

    def parse_read() -> tuple[SSAValue, AffineMap]:
        value = parser.parse_unresolved_operand()
        map = parse_access(parser, rank, symbols)
        parser.parse_punctuation(":")
        return parser.resolve_operand(value, parser.parse_type()), map

    if not parser.parse_optional_keyword("ins"):
        return [], []
    reads = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_read)
    return [value for value, _ in reads], [map for _, map in reads]


def print_reads(
    printer: Printer, inputs: Sequence[SSAValue], maps: Iterable[AffineMap | AffineMapAttr]
) -> None:
    """Print ` ins(%A[d0, d2] : tensor<?x?xf64>)`, or nothing if nothing is read."""

    def print_read(read: tuple[SSAValue, AffineMap | AffineMapAttr]) -> None:
        value, map = read
        printer.print_ssa_value(value)
        print_access(printer, map.data if isinstance(map, AffineMapAttr) else map)
        printer.print_string(" : ")
        printer.print_attribute(value.type)

    if inputs:
        printer.print_string(" ins")
        with printer.in_parens():
            printer.print_list(zip(inputs, maps, strict=False), print_read)


def verify_reads(
    inputs: Sequence[SSAValue], maps: Sequence[AffineMap], rank: int, symbols: int
) -> list[Attribute]:
    """Return the types of the elements that are read at a point.

    Raises
    ------
    VerifyException
        Unless there is a linear map of `rank` dimensions for each array, to all of its own.
    """
    if symbols and not maps:
        raise VerifyException("there are symbols, but nothing is read")
    if len(maps) != len(inputs):
        raise VerifyException(f"expected one map for each of {len(inputs)} inputs, got {len(maps)}")
    elements: list[Attribute] = []
    for number, (value, map) in enumerate(zip(inputs, maps, strict=True)):
        type = array_type(value)
        if map.num_dims != rank:
            raise VerifyException(
                f"the map of input {number} has {map.num_dims} dimensions, "
                f"but there are {rank} extents"
            )
        if map.num_symbols != symbols:
            raise VerifyException(
                f"the map of input {number} has {map.num_symbols} symbols, but there are {symbols}"
            )
        if any(linear_index(result) is None for result in map.results):
            raise VerifyException(
                f"the map of input {number} must be linear in the dimensions, got {map}"
            )
        if len(map.results) != type.get_num_dims():
            raise VerifyException(
                f"the map of input {number} gives {len(map.results)} indices for {type}"
            )
        elements.append(type.get_element_type())
    return elements
