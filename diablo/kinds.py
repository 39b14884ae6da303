"""From the types of the language to the kinds of values that callers give and get.

MapType(STRING, TupleType((INT, DOUBLE)))
    ->  MapKind(ScalarKind("string"), TupleKind((ScalarKind("i64"), ScalarKind("f64"))))
"""

from __future__ import annotations

from diablo.frontend.checking.types import (
    ArrayType,
    FunctionType,
    ListType,
    MappedType,
    MapType,
    NothingType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)
from diablo.runtime.value_kinds import ArrayKind, Kind, ListKind, MapKind, ScalarKind, TupleKind
from diablo.scalar_table import BY_NAME


def kind_of_type(type: Type) -> Kind:
    """Return what values of a type are made of, as callers see them.

    The value of a typemap is the tuple that represents it; what is in an empty list of no
    known type is taken for integers, as in the IR.
    """
    match type:
        case ScalarType():
            return ScalarKind(BY_NAME[type.name].element)
        case TupleType() | MappedType():
            return TupleKind(tuple(map(kind_of_type, type.items)))
        case RecordType():
            return TupleKind(tuple(map(kind_of_type, type.items)), type.names)
        case ListType():
            return ListKind(kind_of_type(type.element))
        case MapType():
            return MapKind(kind_of_type(type.key), kind_of_type(type.value))
        case ArrayType():
            return ArrayKind(type.rank, kind_of_type(type.element))
        case NothingType() | UnknownType():
            return ScalarKind("i64")
        case FunctionType():
            raise AssertionError("a function is no value of a program")
