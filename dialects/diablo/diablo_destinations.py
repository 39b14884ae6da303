"""What a read or a write names: a variable, an element of what it holds, a part of that.

The ops of `diablo_access` share its types, its checks and its spelling:

    %A[%i] part 1 : !diablo.ref<tensor<?xtuple<i64, f64>>>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import I64, DenseArrayBase, IndexType, TupleType, i64
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.tuple_types import tuple_type
from diablo.dialects.verifier_checks import listed

Part = DenseArrayBase[I64]


@irdl_attr_definition
class RefType(ParametrizedAttribute, TypeAttribute):
    """A mutable variable that holds a value of the given type.

    ```mlir
    %x = "test.op"() : () -> !diablo.ref<f64>
    ```
    """

    name = "diablo.ref"
    value: Attribute = param_def()


def accessed_types(ref: Attribute, indices: int) -> tuple[list[Attribute], Attribute]:
    """The types of `indices` indices into a variable, and of what they reach there.

    Raises a `VerifyException` if there is nothing to be reached in that way.
    """
    assert isinstance(ref, RefType)
    if indices == 0:
        return [], ref.value
    if isinstance(ref.value, BagType) and ref.value.is_map:
        columns, keys = list(ref.value.columns), ref.value.keys.data
        if indices != keys or len(columns) != keys + 1:
            raise VerifyException(
                f"expected no indices or {keys} for the key of a map with one value, got {indices}"
            )
        return columns[:keys], columns[keys]
    array = as_array(ref.value)
    if array is None:
        raise VerifyException(f"only an array or a map can be indexed, and the variable is {ref}")
    if array.get_num_dims() != indices:
        raise VerifyException(
            f"expected no indices or one for each of {array.get_num_dims()} dimensions, "
            f"got {indices}"
        )
    return [IndexType()] * indices, array.get_element_type()


def verify_indices(ref: SSAValue, indices: Sequence[SSAValue]) -> Attribute:
    """The type of what the indices reach, after checking theirs."""
    types, accessed = accessed_types(ref.type, len(indices))
    given = [index.type for index in indices]
    if given != types:
        raise VerifyException(f"the indices of {ref.type} are {listed(types)}, got {listed(given)}")
    return accessed


def part_of(type: Attribute, part: Part | None) -> Attribute:
    """The type of a part of a value: of `part`, a first leaf and a number of leaves."""
    if part is None:
        return type
    first, count = leaves_of(part)
    if not isinstance(type, TupleType) or not 0 <= first < first + count <= len(type.types):
        raise VerifyException(f"{type} has no part {first} size {count}")
    leaves = list(type.types)[first : first + count]
    return leaves[0] if count == 1 else tuple_type(leaves)


def leaves_of(part: Part) -> tuple[int, int]:
    """The first leaf of a part, and how many it has."""
    values = [int(value) for value in part.get_values()]
    if len(values) != 2:
        raise VerifyException("a part is a first leaf and a number of leaves")
    return values[0], values[1]


def part_attribute(part: tuple[int, int] | None) -> Part | None:
    """The attribute for a part, a first leaf and a number of leaves; `None` for all of it."""
    return None if part is None else DenseArrayBase.from_list(i64, part)


class Destination(NamedTuple):
    """What is written between a value and the type of the variable: `%A[%i] {…} part 1`."""

    ref: UnresolvedOperand
    indices: Sequence[UnresolvedOperand]
    attributes: dict[str, Attribute]
    part: tuple[int, int] | None


def parse_destination(parser: Parser) -> Destination:
    """Parse `%A[%i] part 1 {…}`; `resolve_destination` goes on from there."""
    ref = parser.parse_unresolved_operand()
    indices = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    part = None
    if parser.parse_optional_keyword("part"):
        first = parser.parse_integer(allow_negative=False)
        count = parser.parse_integer() if parser.parse_optional_keyword("size") else 1
        part = first, count
    return Destination(ref, indices or (), parser.parse_optional_attr_dict(), part)


def resolve_destination(
    parser: Parser,
    ref: UnresolvedOperand,
    indices: Sequence[UnresolvedOperand],
    _attributes: dict[str, Attribute],
    part: tuple[int, int] | None,
) -> tuple[SSAValue, Sequence[SSAValue], Attribute]:
    """Parse `: !diablo.ref<tensor<?xf64>>`; return the destination and the type it holds."""
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, RefType):
        parser.raise_error("expected the type of a variable, !diablo.ref<…>", position)
    try:
        types, accessed = accessed_types(type, len(indices))
        accessed = part_of(accessed, part_attribute(part))
    except VerifyException as error:
        parser.raise_error(str(error), position)
    return (
        parser.resolve_operand(ref, type),
        parser.resolve_operands(indices, types, position),
        accessed,
    )


def print_destination(
    printer: Printer,
    ref: SSAValue,
    indices: Sequence[SSAValue],
    attributes: Mapping[str, Attribute],
    part: Part | None = None,
) -> None:
    """Print ` %A[%i] part 1 : !diablo.ref<…>`, with the attributes before the type."""
    printer.print_string(" ")
    printer.print_ssa_value(ref)
    if indices:
        with printer.in_square_brackets():
            printer.print_list(indices, printer.print_ssa_value)
    if part is not None:
        first, count = leaves_of(part)
        printer.print_string(f" part {first}" + (f" size {count}" if count > 1 else ""))
    printer.print_op_attributes(attributes)
    printer.print_string(" : ")
    printer.print_attribute(ref.type)
