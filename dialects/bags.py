"""Bags: the collections of rows that comprehensions, row algebra and RDDs speak of."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntAttr, TensorType, TupleType, i64
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import VerificationContext, irdl_attr_definition, param_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.encodings import ARRAY, as_array
from diablo.dialects.verifier_checks import listed


@irdl_attr_definition
class BagType(ParametrizedAttribute, TypeAttribute):
    """A bag (multiset) of rows, stored by columns; with `keys`, a map.

    Equal rows count as often as they occur. Of the order of the rows nothing is known, but that
    what is given, written or split keeps it (`comprehension.element`). In a *map* no two rows
    agree in all of the first `keys` columns. A column may itself hold bags (the values of a
    group, say), arrays or tuples.

    ```mlir
    %pairs = "test.op"() : () -> !comprehension.bag<i64, f64>
    %groups = "test.op"() : () -> !comprehension.bag<i64, !comprehension.bag<f64, f64>>
    %map = "test.op"() : () -> !comprehension.bag<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.bag"
    columns: ArrayAttr[Attribute] = param_def()
    keys: IntAttr = param_def()

    def __init__(
        self, columns: Sequence[Attribute] | ArrayAttr[Attribute], keys: int | IntAttr = 0
    ):
        super().__init__(ArrayAttr(columns), IntAttr(keys) if isinstance(keys, int) else keys)

    @property
    def is_map(self) -> bool:
        """Whether its rows have distinct keys."""
        return self.keys.data > 0

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<i64, f64>` or `<keys = 1, i64, f64>`."""
        keys = 0
        with parser.in_angle_brackets():
            if parser.parse_optional_keyword("keys"):
                parser.parse_punctuation("=")
                keys = parser.parse_integer(allow_negative=False)
                parser.parse_punctuation(",")
            columns = parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_type, parser.parse_type
            )
        return (ArrayAttr(columns or ()), IntAttr(keys))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<i64, f64>` or `<keys = 1, i64, f64>`."""
        with printer.in_angle_brackets():
            if self.is_map:
                printer.print_string(f"keys = {self.keys.data}, ")
            printer.print_list(self.columns, printer.print_attribute)

    def verify(self) -> None:
        """Check the number of keys."""
        if not 0 <= self.keys.data <= len(self.columns):
            raise VerifyException(
                f"{self.keys.data} key columns in a bag of {len(self.columns)} columns"
            )


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
    """Raise a `VerifyException` unless these columns can address an array.

    Integers of the language do as well as indices, which have as many bits.
    """
    if any(not isinstance(column, IndexType) and column != i64 for column in columns):
        raise VerifyException(f"the columns of an index must be indices, got {listed(columns)}")


def verify_places(columns: Sequence[Attribute]) -> None:
    """Raise a `VerifyException` unless rows can be compared by these columns."""
    kinds = (BagType, TensorType, TupleType)
    if any(isinstance(column, kinds) for column in columns):
        raise VerifyException(f"rows are compared by columns of scalars, got {listed(columns)}")


def verify_offsets(offsets: Sequence[SSAValue], rank: int) -> None:
    """Raise a `VerifyException` unless there are no offsets or `rank` of them."""
    if len(offsets) not in (0, rank):
        raise VerifyException(
            f"expected no offsets or one for each of {rank} dimensions, got {len(offsets)}"
        )


def sorted_columns(type: BagType, sorted: Attribute | None) -> int:
    """Return by how many columns the rows of a bag ascend in a loop over them.

    Those of a map do by its keys. Those of a list, if they are to be sorted, by the columns
    before the first one of bags, arrays or tuples.
    """
    if type.is_map or sorted is None:
        return type.keys.data
    kinds = (BagType, TensorType, TupleType)
    found = [n for n, column in enumerate(type.columns) if isinstance(column, kinds)]
    return found[0] if found else len(type.columns)
