"""Checks type annotations."""

from __future__ import annotations

import re
from functools import partial

from diablo.diagnostics import Span
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.conversion_hints import key_hint
from diablo.frontend.checking.scope import did_you_mean
from diablo.frontend.checking.types import (
    MOST_DIMENSIONS,
    SCALARS,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ListType,
    MapType,
    RecordType,
    TupleType,
    Type,
    has_unknown,
    is_key,
    is_value,
    mentions,
)
from diablo.frontend.parsing import type_syntax
from diablo.frontend.parsing.idioms import TYPES

_TYPE_NAMES = [*SCALARS, "vector", "matrix", "list", "map"]


def resolve(checker: Checker, written: type_syntax.TypeSyntax) -> Type:
    """The type that an annotation stands for."""
    type = _resolve(checker, written)
    checker.checked.annotations[written] = type
    return type


def resolve_value(checker: Checker, written: type_syntax.TypeSyntax) -> Type:
    """The type that an annotation of something which is no parameter stands for."""
    type = resolve(checker, written)
    if mentions(type, FunctionType):
        hint = "write the call, or give the function as an argument"
        message = "a function can be a parameter of another function only"
        return checker.error(written.span, message, hint)
    return type


def _resolve(checker: Checker, written: type_syntax.TypeSyntax) -> Type:
    match written:
        case type_syntax.TupleTypeSyntax():
            return TupleType(tuple(map(partial(resolve, checker), written.items)))
        case type_syntax.RecordTypeSyntax():
            return _resolve_record(checker, written)
        case type_syntax.FunctionTypeSyntax():
            argument = resolve(checker, written.argument)
            several = isinstance(written.argument, type_syntax.TupleTypeSyntax)
            if several and isinstance(argument, TupleType):
                return FunctionType(argument.items, resolve(checker, written.result))
            return FunctionType((argument,), resolve(checker, written.result))
        case type_syntax.NamedType():
            return _resolve_name(checker, written)


def _resolve_record(checker: Checker, written: type_syntax.RecordTypeSyntax) -> Type:
    if not check_fields(checker, written.span, [name for name, _ in written.fields]):
        return UNKNOWN
    return RecordType(tuple((name, resolve(checker, type)) for name, type in written.fields))


def check_fields(checker: Checker, span: Span, names: list[str]) -> bool:
    """Check that a record has fields, each once."""
    if not names:
        checker.error(span, "a record needs at least one field")
    twice = [name for number, name in enumerate(names) if name in names[:number]]
    if twice:
        checker.error(span, f"this record has two fields `{twice[0]}`")
    return bool(names) and not twice


def _resolve_name(checker: Checker, written: type_syntax.NamedType) -> Type:
    name = written.name
    array = re.fullmatch(r"array([1-9][0-9]?)", name)
    rank = {"vector": 1, "matrix": 2}.get(name, int(array[1]) if array else 0)
    if rank > MOST_DIMENSIONS:
        return checker.error(written.span, f"an array has at most {MOST_DIMENSIONS} dimensions")
    wanted = 2 if name == "map" else 1 if rank or name == "list" else 0
    if not wanted and name not in SCALARS:
        hint = TYPES.get(name.lower()) or did_you_mean(name, _TYPE_NAMES)
        return checker.error(written.span, f"there is no type `{name}`", hint)
    if len(written.arguments) != wanted:
        example = f"{name}[Int,Double]" if wanted == 2 else f"{name}[Double]"
        hint = f"write for example {example}" if wanted else f"write just {name}"
        count = f"{wanted or 'no'} type argument{'' if wanted == 1 else 's'}"
        return checker.error(written.span, f"`{name}` takes {count}", hint)
    arguments = [resolve(checker, argument) for argument in written.arguments]
    for argument, syntax_of_it in zip(arguments, written.arguments, strict=True):
        if not is_value(argument):
            message = f"a {name} cannot hold functions"
            return checker.error(syntax_of_it.span, message)
    if name == "map":
        key, value = arguments
        if not is_key(key) and not has_unknown(key):
            message = f"{key} cannot be the key of a map"
            hint = key_hint(key) or "keys are numbers, strings and tuples of these"
            return checker.error(written.arguments[0].span, message, hint)
        return MapType(key, value)
    if rank:
        return ArrayType(arguments[0], rank)
    return ListType(arguments[0]) if arguments else SCALARS[name]
