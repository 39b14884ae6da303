"""Bags: the collections of rows that comprehensions, row algebra and RDDs speak of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import VerificationContext, irdl_attr_definition, param_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_monoid
from diablo.dialects.encodings import ARRAY, as_array
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verification import listed


@irdl_attr_definition
class BagType(ParametrizedAttribute, TypeAttribute):
    """A bag (multiset) of rows, stored by columns.

    Rows have no order, and equal rows count as often as they occur.

    ```mlir
    %pairs = "test.op"() : () -> !comprehension.bag<i64, f64>
    ```
    """

    name = "comprehension.bag"
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


def element_types(collection: Attribute) -> tuple[Attribute, ...]:
    """The types that `each` binds: a bag's columns, or a tensor's indices and element."""
    if isinstance(collection, BagType):
        return tuple(collection.columns)
    array = as_array(collection)
    assert array is not None
    return (*[IndexType()] * array.get_num_dims(), array.get_element_type())


def parse_collection(parser: Parser) -> BagType | TensorType[Attribute]:
    """Parse the type of something that a generator can run over."""
    position = parser.pos
    type = parser.parse_type()
    if isinstance(type, BagType):
        return type
    array = as_array(type)
    if array is None:
        parser.raise_error("expected a bag or a ranked tensor to run over", position)
    return array


def verify_collection(type: Attribute) -> None:
    """Raise a `VerifyException` unless a generator can run over `type`."""
    if (array := as_array(type)) is not None:
        ARRAY.verify(array, VerificationContext())
    elif not isinstance(type, BagType):
        raise VerifyException(f"expected a bag or a ranked tensor to run over, got {type}")


def parse_fold(parser: Parser) -> tuple[str, SSAValue, dict[str, Attribute]]:
    """Parse the fold of a bag with one column: `add %v {…} : !comprehension.bag<f64>`."""
    monoid = parse_monoid(parser)
    bag = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, BagType) or len(type.columns) != 1:
        parser.raise_error("expected a bag of one column to fold", position)
    return monoid, parser.resolve_operand(bag, type), attributes


def print_fold(
    printer: Printer, monoid: StringAttr, bag: SSAValue, attributes: Mapping[str, Attribute]
) -> None:
    """Print the fold of a bag: `add %v {…} : !comprehension.bag<f64>`."""
    printer.print_string(" ")
    printer.print_identifier_or_string_literal(monoid.data)
    printer.print_string(" ")
    printer.print_ssa_value(bag)
    printer.print_op_attributes(attributes)
    printer.print_string(" : ")
    printer.print_attribute(bag.type)


def verify_fold(monoid: StringAttr, bag: SSAValue, result: SSAValue) -> None:
    """Raise a `VerifyException` unless `result` can be the fold of `bag`."""
    assert isinstance(bag.type, BagType)
    if len(bag.type.columns) != 1:
        raise VerifyException(f"expected a bag of one column to fold, got {bag.type}")
    (column,) = bag.type.columns
    if result.type != column:
        raise VerifyException(f"the result must have the type of the column, {column}")
    verify_monoid(monoid.data, column)


def bag_columns(bag: SSAValue) -> tuple[Attribute, ...]:
    """The types of the columns of a bag."""
    assert isinstance(bag.type, BagType)
    return tuple(bag.type.columns)


def verify_columns(result: SSAValue, columns: Sequence[Attribute]) -> None:
    """Raise a `VerifyException` unless the bag `result` has these columns."""
    expected = BagType(columns)
    if result.type != expected:
        raise VerifyException(f"the result must be {expected}, got {result.type}")


def verify_index_columns(columns: Sequence[Attribute]) -> None:
    """Raise a `VerifyException` unless these columns can address an array."""
    if any(not isinstance(column, IndexType) for column in columns):
        raise VerifyException(f"the columns of an index must be indices, got {listed(columns)}")


def verify_offsets(offsets: Sequence[SSAValue], rank: int) -> None:
    """Raise a `VerifyException` unless there are no offsets or `rank` of them."""
    if len(offsets) not in (0, rank):
        raise VerifyException(
            f"expected no offsets or one for each of {rank} dimensions, got {len(offsets)}"
        )
