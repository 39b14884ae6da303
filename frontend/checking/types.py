"""The types of the source language, as the checker sees them.

How an array is stored is no part of its type here: `tensor*(n)(m)` and `tensor*(n,m)` both
make a `matrix`.
"""

from __future__ import annotations

from dataclasses import dataclass

from diablo.monoid_table import Domain
from diablo.scalar_table import BY_NAME, Scalar, complex_of, part_of, promoted


@dataclass(frozen=True)
class ScalarType:
    """`Int`, `Double`, `Boolean`, `String`, …: one of those of `diablo.scalar_table`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class TupleType:
    """`(T, U, …)`."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"({','.join(map(str, self.items))})"


@dataclass(frozen=True)
class RecordType:
    """`<a: T, b: U>`. A value is represented as the tuple of its fields, in this order."""

    fields: tuple[tuple[str, Type], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(name for name, _ in self.fields)

    @property
    def items(self) -> tuple[Type, ...]:
        """The types of the fields."""
        return tuple(type for _, type in self.fields)

    def __str__(self) -> str:
        return f"<{', '.join(f'{name}: {type}' for name, type in self.fields)}>"


MOST_DIMENSIONS = 64
"""NumPy's arrays, which tiles are, have no more."""


@dataclass(frozen=True)
class ArrayType:
    """`vector[T]`, `matrix[T]`, `arrayN[T]`."""

    element: Type
    rank: int

    @property
    def name(self) -> str:
        """`vector`, `matrix`, or `arrayN`."""
        return {1: "vector", 2: "matrix"}.get(self.rank, f"array{self.rank}")

    def __str__(self) -> str:
        return f"{self.name}[{self.element}]"


@dataclass(frozen=True)
class ListType:
    """`list[T]`; also the bag that a variable becomes after a group-by."""

    element: Type

    def __str__(self) -> str:
        return f"list[{self.element}]"


@dataclass(frozen=True)
class MapType:
    """`map[K,V]`."""

    key: Type
    value: Type

    @property
    def element(self) -> TupleType:
        """The type of the rows that a generator goes through."""
        return TupleType((self.key, self.value))

    def __str__(self) -> str:
        return f"map[{self.key},{self.value}]"


@dataclass(frozen=True)
class FunctionType:
    """`T -> U`, or with several parameters `(T, U) -> V`."""

    parameters: tuple[Type, ...]
    result: Type

    def __str__(self) -> str:
        parameters = ",".join(map(str, self.parameters))
        many = len(self.parameters) != 1 or isinstance(self.parameters[0], FunctionType)
        return f"{f'({parameters})' if many else parameters} -> {self.result}"


@dataclass(frozen=True)
class MappedType:
    """A value stored by a typemap: `array` is what it is seen as.

    A value is represented as a tuple: the typemap's arguments, then what `store` gave. That
    is `representation`. No expression that is emitted reads it but by its parts: what the
    checker puts into `Checked.desugared` goes through `view`.
    """

    typemap: str
    array: ArrayType
    representation: TupleType

    @property
    def items(self) -> tuple[Type, ...]:
        """The types of the parts of the representation."""
        return self.representation.items

    def __str__(self) -> str:
        return f"{self.typemap} ({self.array})"


@dataclass(frozen=True)
class NothingType:
    """The element of an empty list or map of which nothing more is known: it fits any type."""

    def __str__(self) -> str:
        return "?"


@dataclass(frozen=True)
class UnknownType:
    """The type of something that is already reported as wrong."""

    def __str__(self) -> str:
        return "?"


Type = (
    ScalarType
    | TupleType
    | RecordType
    | ArrayType
    | ListType
    | MapType
    | FunctionType
    | MappedType
    | NothingType
    | UnknownType
)

INT = ScalarType("Int")
FLOAT = ScalarType("Float")
DOUBLE = ScalarType("Double")
BOOLEAN = ScalarType("Boolean")
STRING = ScalarType("String")
CHAR = ScalarType("Char")
UNKNOWN = UnknownType()
NOTHING = NothingType()

SCALARS = {name: ScalarType(row.name) for name, row in BY_NAME.items()}
"""The scalar types by the names that a program may use."""


def scalar_row(type: Type) -> Scalar | None:
    """The row of the table for a scalar type; none of any other type."""
    return BY_NAME[type.name] if isinstance(type, ScalarType) else None


def is_number(type: Type) -> bool:
    """Return whether `type` is that of numbers."""
    row = scalar_row(type)
    return row is not None and row.is_number


def is_integer(type: Type) -> bool:
    """Return whether `type` is that of integers, of any size."""
    row = scalar_row(type)
    return row is not None and row.is_integer


def is_unsigned(type: Type) -> bool:
    """Return whether `type` is that of integers without a sign, of any size."""
    row = scalar_row(type)
    return row is not None and row.domain == "unsigned"


def is_floating(type: Type) -> bool:
    """Return whether `type` is that of floats, of any size."""
    row = scalar_row(type)
    return row is not None and row.domain == "floating"


def is_complex(type: Type) -> bool:
    """Return whether `type` is that of complex numbers, of any size."""
    row = scalar_row(type)
    return row is not None and row.domain == "complex"


def is_inexact(type: Type) -> bool:
    """Return whether `type` is that of floats or of complex numbers."""
    return is_floating(type) or is_complex(type)


def is_ordered(type: Type) -> bool:
    """Return whether of two values of `type` one is the lesser, unless they are equal."""
    return (is_number(type) and not is_complex(type)) or type in (STRING, CHAR)


def complex_type(type: Type) -> ScalarType:
    """The complex numbers whose parts are floats of a type."""
    row = scalar_row(type)
    assert row is not None
    return SCALARS[complex_of(row).name]


def part_type(type: Type) -> ScalarType:
    """The floats that the parts of a complex number are."""
    row = scalar_row(type)
    assert row is not None
    return SCALARS[part_of(row).name]


def monoid_domain(type: Type) -> Domain | None:
    """On which of the domains of built-in monoids the values of `type` are, if on any."""
    row = scalar_row(type)
    domain = None if row is None else row.domain
    return None if domain in ("character", "text") else domain


def parts(type: Type) -> tuple[Type, ...]:
    """The types that `type` is made of."""
    match type:
        case TupleType() | RecordType() | MappedType():
            return type.items
        case ArrayType() | ListType():
            return (type.element,)
        case MapType():
            return (type.key, type.value)
        case FunctionType():
            return (*type.parameters, type.result)
        case ScalarType() | NothingType() | UnknownType():
            return ()


def mentions(type: Type, *kinds: type[Type]) -> bool:
    """Return whether `type` is of one of the `kinds`, or some part of it is."""
    return isinstance(type, kinds) or any(mentions(part, *kinds) for part in parts(type))


def has_unknown(type: Type) -> bool:
    """Return whether some part of `type` is already reported as wrong."""
    return mentions(type, UnknownType)


def is_key(type: Type) -> bool:
    """Return whether values of `type` can be ordered, so that rows can be grouped by them."""
    return has_equality(type) and not mentions_complex(type)


def mentions_complex(type: Type) -> bool:
    """Return whether `type`, or some part of it, is that of complex numbers."""
    return is_complex(type) or any(map(mentions_complex, parts(type)))


def has_equality(type: Type) -> bool:
    """Return whether values of `type` can be compared by `==`."""
    if isinstance(type, TupleType | RecordType):
        return all(map(has_equality, type.items))
    return isinstance(type, ScalarType | NothingType | UnknownType)


def is_value(type: Type) -> bool:
    """Return whether `type` can be an element of a list, an array or a map."""
    return not mentions(type, FunctionType, MappedType)


def promote(lhs: Type, rhs: Type) -> Type | None:
    """The type to which both sides of an operator are brought, if there is one."""
    if lhs == rhs or isinstance(rhs, NothingType):
        return lhs
    if isinstance(lhs, NothingType):
        return rhs
    one, other = scalar_row(lhs), scalar_row(rhs)
    if one is not None and other is not None and one.is_number and other.is_number:
        return SCALARS[promoted(one, other).name]
    match lhs, rhs:
        case TupleType(), TupleType():
            items = _promote_all(lhs.items, rhs.items)
            return None if items is None else TupleType(items)
        case RecordType(), RecordType() if lhs.names == rhs.names:
            items = _promote_all(lhs.items, rhs.items)
            return None if items is None else RecordType(tuple(zip(lhs.names, items, strict=True)))
        case ListType(), ListType():
            element = _same(lhs.element, rhs.element)
            return None if element is None else ListType(element)
        case ArrayType(), ArrayType() if lhs.rank == rhs.rank:
            element = _same(lhs.element, rhs.element)
            return None if element is None else ArrayType(element, lhs.rank)
        case MapType(), MapType():
            key, value = _same(lhs.key, rhs.key), _same(lhs.value, rhs.value)
            return None if key is None or value is None else MapType(key, value)
        case _:
            return None


def _promote_all(lhs: tuple[Type, ...], rhs: tuple[Type, ...]) -> tuple[Type, ...] | None:
    items = [promote(a, b) for a, b in zip(lhs, rhs, strict=False)]
    if len(lhs) != len(rhs) or None in items:
        return None
    return tuple(item for item in items if item is not None)


def _same(lhs: Type, rhs: Type) -> Type | None:
    """The common type of the elements of two collections, which are not converted."""
    type = promote(lhs, rhs)
    unknown = mentions(lhs, NothingType) or mentions(rhs, NothingType)
    return type if unknown else None


def fits(value: Type, wanted: Type) -> bool:
    """Return whether a `value` may stand where `wanted` is wanted: equal, or promoted to it."""
    return has_unknown(value) or has_unknown(wanted) or promote(value, wanted) == wanted


def row_type(array: ArrayType) -> Type:
    """The type of an array's elements with their indices: `(Int,T)`, `((Int,Int),T)`, …"""
    key: Type = INT if array.rank == 1 else TupleType((INT,) * array.rank)
    return TupleType((key, array.element))
