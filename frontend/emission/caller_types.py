"""Types of inputs and results as callers see them, where the IR does not say it all.

    list[<x: Double, n: Int>]    !comprehension.bag<f64, i64> {diablo.type = "list[<x: Double, …"}

A row is flat in the IR: records have no names there, and a tuple in a row is columns of it. What a
caller gives and gets has both, so that the columns of a file are found by their names. A result
that is a tuple is several of `main`, of which the first one has its type, and says how many they
are: `{diablo.type = "(Double, Int)", diablo.parts = 2}`.
"""

from __future__ import annotations

from collections.abc import Iterator

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


def caller_type(type: Type, *, is_whole: bool = False) -> str | None:
    """Return the text of a type, if a value of it is more to callers than the IR says.

    A tuple is so where it is a value of its own, and `is_whole`.
    """
    is_tuple = is_whole and isinstance(type, TupleType | MappedType)
    return _text(type) if is_tuple or _says_more(type) else None


def leaf_types(type: Type) -> Iterator[Type]:
    """The types of the values that one of a type is in the IR: those of the parts of a tuple."""
    if isinstance(type, TupleType | RecordType | MappedType):
        for item in type.items:
            yield from leaf_types(item)
    else:
        yield type


def _says_more(type: Type) -> bool:
    match type:
        case RecordType():
            return True
        case TupleType() | MappedType():
            nested = any(isinstance(item, TupleType | MappedType) for item in type.items)
            return nested or any(map(_says_more, type.items))
        case ListType() | ArrayType():
            return _says_more(type.element)
        case MapType():
            return _says_more(type.key) or _says_more(type.value)
        case ScalarType() | FunctionType() | NothingType() | UnknownType():
            return False


def _text(type: Type) -> str:
    """A type with the tuples that represent values of typemaps, and integers for what is nothing.

    The inverse of `diablo.runtime.io.kind_texts.parse_kind`.
    """
    match type:
        case TupleType() | MappedType():
            return f"({', '.join(map(_text, type.items))})"
        case RecordType():
            fields = [f"{name}: {_text(item)}" for name, item in type.fields]
            return f"<{', '.join(fields)}>"
        case ListType():
            return f"list[{_text(type.element)}]"
        case MapType():
            return f"map[{_text(type.key)}, {_text(type.value)}]"
        case ArrayType():
            return f"{type.name}[{_text(type.element)}]"
        case ScalarType() | FunctionType():
            return str(type)
        case NothingType() | UnknownType():
            return "Int"
