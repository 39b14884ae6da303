"""The generators of a loop: what becomes of the values that its iterations emit.

`diablo.dialects.multiloop` exports the types. A generator is a value of the loop's body, and its
type says what it makes: `!multiloop.reduce<add : f64>` a scalar, as a scan does in the end,
`!multiloop.place<f64>` a vector, `!multiloop.table<add : f64, 2>` a matrix, the others a bag of
rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IndexType,
    IntAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_monoid, print_monoid
from diablo.dialects.bags import BagType
from diablo.dialects.monoids import ANY

_NO_KEY = "a bucket has a key of one column at least"
_Part = TypeVar("_Part")
"""What a generator keeps for each key: a monoid with its type, or a list."""


@irdl_attr_definition
class CollectType(ParametrizedAttribute, TypeAttribute):
    """A generator that makes a bag of the rows that are emitted, in the order of the source.

    ```mlir
    %rows = "test.op"() : () -> !multiloop.collect<f64, i64>
    ```
    """

    name = "multiloop.collect"
    columns: ArrayAttr[Attribute] = param_def()

    def __init__(self, columns: Sequence[Attribute] | ArrayAttr[Attribute]):
        super().__init__(ArrayAttr(columns))

    @property
    def keys(self) -> tuple[Attribute, ...]:
        """The types of the keys of an emit: none."""
        return ()

    @property
    def values(self) -> tuple[Attribute, ...]:
        """The types of the values of an emit."""
        return tuple(self.columns)

    @property
    def result(self) -> Attribute:
        """The type of what is made."""
        return BagType(self.columns)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<f64, i64>`."""
        with parser.in_angle_brackets():
            types = parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_type, parser.parse_type
            )
        return (ArrayAttr(types or ()),)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<f64, i64>`."""
        with printer.in_angle_brackets():
            printer.print_list(self.columns, printer.print_attribute)

    def verify(self) -> None:
        """Check the columns."""
        _verify_columns(self.columns)


# A dataclass like those made by `irdl_attr_definition`: only fields of dataclasses are compared.
@dataclass(frozen=True, init=False)
class _Fold(ParametrizedAttribute, TypeAttribute):
    """A generator that combines what is emitted with a monoid: the base of `reduce` and `scan`."""

    monoid: StringAttr = param_def()
    element: Attribute = param_def()

    def __init__(self, monoid: str | StringAttr, element: Attribute):
        super().__init__(StringAttr(monoid) if isinstance(monoid, str) else monoid, element)

    @property
    def keys(self) -> tuple[Attribute, ...]:
        """The types of the keys of an emit: none."""
        return ()

    @property
    def values(self) -> tuple[Attribute, ...]:
        """The types of the values of an emit."""
        return (self.element,)

    @property
    def result(self) -> Attribute:
        """The type of what is made."""
        return self.element

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<add : f64>`."""
        with parser.in_angle_brackets():
            return _parse_fold(parser)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<add : f64>`."""
        with printer.in_angle_brackets():
            _print_fold(printer, self.monoid, self.element)


@irdl_attr_definition
class ReduceType(_Fold):
    """A generator that combines what is emitted with a monoid; without an emit, its identity.

    ```mlir
    %sum = "test.op"() : () -> !multiloop.reduce<add : f64>
    ```
    """

    name = "multiloop.reduce"

    def __init__(self, monoid: str | StringAttr, element: Attribute):
        super().__init__(monoid, element)


@irdl_attr_definition
class BucketReduceType(ParametrizedAttribute, TypeAttribute):
    """A generator with a bucket for each key, in which values are combined with monoids.

    It makes a bag of a row for each key, in no order: the columns of the key, then the values.
    The word `any` instead of a monoid keeps the value that is emitted last. Every NaN is one key,
    and -0.0 is 0.0.

    ```mlir
    %sums = "test.op"() : () -> !multiloop.bucket_reduce<[i64], add : f64, max : f64>
    ```
    """

    name = "multiloop.bucket_reduce"
    key: ArrayAttr[Attribute] = param_def()
    monoids: ArrayAttr[StringAttr] = param_def()
    elements: ArrayAttr[Attribute] = param_def()

    def __init__(
        self, key: Sequence[Attribute], monoids: Sequence[str], elements: Sequence[Attribute]
    ):
        super().__init__(
            ArrayAttr(key), ArrayAttr([StringAttr(name) for name in monoids]), ArrayAttr(elements)
        )

    @property
    def keys(self) -> tuple[Attribute, ...]:
        """The types of the keys of an emit."""
        return tuple(self.key)

    @property
    def values(self) -> tuple[Attribute, ...]:
        """The types of the values of an emit."""
        return tuple(self.elements)

    @property
    def result(self) -> Attribute:
        """The type of what is made."""
        return BagType([*self.key, *self.elements])

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<[i64], add : f64, max : f64>`."""
        key, folds = _parse_keyed(parser, lambda: _parse_fold(parser))
        monoids, elements = [monoid for monoid, _ in folds], [type for _, type in folds]
        return (key, ArrayAttr(monoids), ArrayAttr(elements))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<[i64], add : f64, max : f64>`."""
        folds = zip(self.monoids, self.elements, strict=True)
        _print_keyed(printer, self.key, folds, lambda fold: _print_fold(printer, *fold))

    def verify(self) -> None:
        """Check that each value has a monoid."""
        if not self.key.data:
            raise VerifyException(_NO_KEY)
        _verify_columns((*self.key, *self.elements))
        if len(self.monoids) != len(self.elements):
            raise VerifyException(
                f"{len(self.monoids)} monoids combine values of {len(self.elements)} types"
            )


@irdl_attr_definition
class BucketCollectType(ParametrizedAttribute, TypeAttribute):
    """A generator with a bucket for each key, in which what is emitted is collected.

    It makes a bag of a row for each key, in no order: the columns of the key, then lists of the
    values that were emitted with it, in the order of the source. A list of several columns is
    written in parentheses: its rows are values of one emit. All lists of a key have the same
    length. Every NaN is one key, and -0.0 is 0.0.

    ```mlir
    %groups = "test.op"() : () -> !multiloop.bucket_collect<[i64], f64, (i1, i64)>
    ```
    """

    name = "multiloop.bucket_collect"
    key: ArrayAttr[Attribute] = param_def()
    lists: ArrayAttr[BagType] = param_def()

    def __init__(self, key: Sequence[Attribute], lists: Sequence[Sequence[Attribute]]):
        super().__init__(ArrayAttr(key), ArrayAttr([BagType(columns) for columns in lists]))

    @property
    def keys(self) -> tuple[Attribute, ...]:
        """The types of the keys of an emit."""
        return tuple(self.key)

    @property
    def values(self) -> tuple[Attribute, ...]:
        """The types of the values of an emit."""
        return tuple(column for rows in self.lists for column in rows.columns)

    @property
    def widths(self) -> tuple[int, ...]:
        """How many columns each list has."""
        return tuple(len(rows.columns) for rows in self.lists)

    @property
    def result(self) -> Attribute:
        """The type of what is made."""
        return BagType([*self.key, *self.lists])

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<[i64], f64, (i1, i64)>`."""

        def parse_list() -> BagType:
            columns = parser.parse_optional_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_type
            )
            return BagType([parser.parse_type()] if columns is None else columns)

        key, lists = _parse_keyed(parser, parse_list)
        return (key, ArrayAttr(lists))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<[i64], f64, (i1, i64)>`."""

        def print_rows(rows: BagType) -> None:
            if len(rows.columns) == 1:
                printer.print_attribute(rows.columns.data[0])
                return
            with printer.in_parens():
                printer.print_list(rows.columns, printer.print_attribute)

        _print_keyed(printer, self.key, self.lists, print_rows)

    def verify(self) -> None:
        """Check the columns."""
        if not self.key.data:
            raise VerifyException(_NO_KEY)
        _verify_columns((*self.key, *self.values))
        if any(rows.is_map or not rows.columns.data for rows in self.lists):
            raise VerifyException("what is collected are lists with one column at least")


@irdl_attr_definition
class ScanType(_Fold):
    """A generator whose emits give what all values up to theirs are combined to with a monoid.

    It makes what all of them are combined to; without an emit, the identity.

    ```mlir
    %sums = "test.op"() : () -> !multiloop.scan<add : f64>
    ```
    """

    name = "multiloop.scan"

    def __init__(self, monoid: str | StringAttr, element: Attribute):
        super().__init__(monoid, element)


# A dataclass like those made by `irdl_attr_definition`: only fields of dataclasses are compared.
@dataclass(frozen=True, init=False)
class _ArrayGenerator(ParametrizedAttribute, TypeAttribute):
    """A generator whose emits have an index as their key: the base of `place` and `table`."""

    element: Attribute = param_def()
    rank: IntAttr = param_def()

    @property
    def keys(self) -> tuple[Attribute, ...]:
        """The types of the keys of an emit: an index for each dimension."""
        return (IndexType(),) * self.rank.data

    @property
    def values(self) -> tuple[Attribute, ...]:
        """The types of the values of an emit."""
        return (self.element,)

    @property
    def result(self) -> Attribute:
        """The type of what is made."""
        return TensorType(self.element, [DYNAMIC_INDEX] * self.rank.data)

    def verify(self) -> None:
        """Check the element and the rank."""
        _verify_columns([self.element])
        if self.rank.data < 0:
            raise VerifyException(
                f"an array has no negative number of dimensions, got {self.rank.data}"
            )


@irdl_attr_definition
class PlaceType(_ArrayGenerator):
    """A generator that makes an array with as many elements as the source has, of its dimensions.

    The key of an emit is the index at which its value stands. Each iteration emits one, and none an
    index that another has emitted. Of an array of several dimensions the type says how many.

    ```mlir
    %vector, %matrix = "test.op"() : () -> (!multiloop.place<f64>, !multiloop.place<f64, 2>)
    ```
    """

    name = "multiloop.place"

    def __init__(self, element: Attribute, rank: int = 1):
        super().__init__(element, IntAttr(rank))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<f64, 2>`."""
        with parser.in_angle_brackets():
            return (parser.parse_type(), _parse_rank(parser))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<f64, 2>`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.element)
            _print_rank(printer, self.rank)


@irdl_attr_definition
class TableType(_ArrayGenerator):
    """A generator that makes an array of buckets: those of keys which have bounds.

    At each index stands what the values that were emitted with it are combined to with a monoid,
    without any its identity. What is emitted with an index outside of the array is dropped. The
    loop says how large the array is (`into`).

    ```mlir
    %sums, %greatest = "test.op"() : () ->
        (!multiloop.table<add : f64>, !multiloop.table<max : i64, 2>)
    ```
    """

    name = "multiloop.table"
    monoid: StringAttr = param_def()  # pyright: ignore[reportGeneralTypeIssues]

    def __init__(self, monoid: str | StringAttr, element: Attribute, rank: int = 1):
        name = StringAttr(monoid) if isinstance(monoid, str) else monoid
        super().__init__(element, IntAttr(rank), name)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<add : f64, 2>`."""
        with parser.in_angle_brackets():
            monoid, element = _parse_fold(parser)
            return (element, _parse_rank(parser), monoid)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<add : f64, 2>`."""
        with printer.in_angle_brackets():
            _print_fold(printer, self.monoid, self.element)
            _print_rank(printer, self.rank)


def _verify_columns(columns: Iterable[Attribute]) -> None:
    """Raise a `VerifyException` if a column holds generators."""
    for column in columns:
        if isinstance(column, GeneratorType):
            raise VerifyException(f"a row has no generators, but a column is {column}")


GeneratorType = (
    CollectType
    | ReduceType
    | ScanType
    | BucketReduceType
    | BucketCollectType
    | PlaceType
    | TableType
)


def given_back(generator: GeneratorType) -> tuple[Attribute, ...]:
    """The types of what an emit to a generator gives: of one to a scan, what is folded so far."""
    return (generator.element,) if isinstance(generator, ScanType) else ()


def folds_of(generator: GeneratorType) -> list[tuple[str, Attribute]]:
    """The monoids of a generator with the types that they combine; none where that is `any`."""
    match generator:
        case ReduceType() | ScanType() | TableType():
            return [(generator.monoid.data, generator.element)]
        case BucketReduceType():
            folds = zip(generator.monoids, generator.elements, strict=True)
            return [(monoid.data, type) for monoid, type in folds if monoid.data != ANY]
        case CollectType() | BucketCollectType() | PlaceType():
            return []


def _parse_fold(parser: AttrParser) -> tuple[StringAttr, Attribute]:
    monoid = parse_monoid(parser)
    parser.parse_punctuation(":")
    return StringAttr(monoid), parser.parse_type()


def _print_fold(printer: Printer, monoid: StringAttr, element: Attribute) -> None:
    print_monoid(printer, monoid.data)
    printer.print_string(" : ")
    printer.print_attribute(element)


def _parse_keyed(
    parser: AttrParser, parse_part: Callable[[], _Part]
) -> tuple[ArrayAttr[Attribute], list[_Part]]:
    """Parse `<[i64], …, …>`: the columns of a key, and what is kept for each."""
    with parser.in_angle_brackets():
        position = parser.pos
        key = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_type)
        if not key:
            parser.raise_error(_NO_KEY, position)
        parts: list[_Part] = []
        while parser.parse_optional_punctuation(","):
            parts.append(parse_part())
    return ArrayAttr(key), parts


def _print_keyed(
    printer: Printer,
    key: Iterable[Attribute],
    parts: Iterable[_Part],
    print_part: Callable[[_Part], None],
) -> None:
    """Print `<[i64], …, …>`."""
    with printer.in_angle_brackets():
        with printer.in_square_brackets():
            printer.print_list(key, printer.print_attribute)
        for part in parts:
            printer.print_string(", ")
            print_part(part)


def _parse_rank(parser: AttrParser) -> IntAttr:
    """Parse `, 2`, or nothing for a vector."""
    if parser.parse_optional_punctuation(","):
        return IntAttr(parser.parse_integer())
    return IntAttr(1)


def _print_rank(printer: Printer, rank: IntAttr) -> None:
    if rank.data != 1:
        printer.print_string(f", {rank.data}")
