"""The types of the source language, as the checker sees them.

How an array is stored is no part of its type here: `tensor*(n)(m)` and `tensor*(n,m)` both
make a `matrix`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ScalarType:
    """`Int`, `Float`, `Double` or `Boolean`."""

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
class ArrayType:
    """`vector[T]`, `matrix[T]`, `arrayN[T]`."""

    element: Type
    rank: int

    def __str__(self) -> str:
        name = {1: "vector", 2: "matrix"}.get(self.rank, f"array{self.rank}")
        return f"{name}[{self.element}]"


@dataclass(frozen=True)
class ListType:
    """`list[T]`; also the bag that a variable becomes after a group-by."""

    element: Type

    def __str__(self) -> str:
        return f"list[{self.element}]"


@dataclass(frozen=True)
class UnknownType:
    """The type of something that is already reported as wrong."""

    def __str__(self) -> str:
        return "?"


Type = ScalarType | TupleType | ArrayType | ListType | UnknownType

INT = ScalarType("Int")
FLOAT = ScalarType("Float")
DOUBLE = ScalarType("Double")
BOOLEAN = ScalarType("Boolean")
UNKNOWN = UnknownType()

SCALARS = {"Int": INT, "Long": INT, "Float": FLOAT, "Double": DOUBLE, "Boolean": BOOLEAN}

# An earlier type is promoted to a later one.
_NUMBERS: tuple[Type, ...] = (INT, FLOAT, DOUBLE)


def is_number(type: Type) -> bool:
    """Whether `type` is `Int`, `Float` or `Double`."""
    return type in _NUMBERS


def has_unknown(type: Type) -> bool:
    """Whether some part of `type` is already reported as wrong."""
    match type:
        case UnknownType():
            return True
        case TupleType():
            return any(map(has_unknown, type.items))
        case ArrayType() | ListType():
            return has_unknown(type.element)
        case ScalarType():
            return False


def is_row(type: Type) -> bool:
    """Whether `type` is made of scalars only, so that it can be a row of a list."""
    if isinstance(type, TupleType):
        return all(map(is_row, type.items))
    return isinstance(type, ScalarType | UnknownType)


def promote(lhs: Type, rhs: Type) -> Type | None:
    """The type to which both sides of an operator are brought, if there is one."""
    if lhs == rhs:
        return lhs
    if lhs in _NUMBERS and rhs in _NUMBERS:
        return max(lhs, rhs, key=_NUMBERS.index)
    if isinstance(lhs, TupleType) and isinstance(rhs, TupleType):
        items = [promote(a, b) for a, b in zip(lhs.items, rhs.items, strict=False)]
        if len(lhs.items) == len(rhs.items) and None not in items:
            return TupleType(tuple(item for item in items if item is not None))
    return None


def fits(value: Type, wanted: Type) -> bool:
    """Whether a `value` may stand where `wanted` is wanted: equal, or promoted to it."""
    return has_unknown(value) or has_unknown(wanted) or promote(value, wanted) == wanted


def row_type(array: ArrayType) -> Type:
    """The type of an array's elements with their indices: `(Int,T)`, `((Int,Int),T)`, …"""
    key: Type = INT if array.rank == 1 else TupleType((INT,) * array.rank)
    return TupleType((key, array.element))
