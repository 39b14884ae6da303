"""Checks type annotations, and holds what all checks share: errors, names, scopes."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Scope, Symbol, SymbolKind, did_you_mean
from diablo.frontend.checking.types import (
    MOST_DIMENSIONS,
    SCALARS,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ListType,
    MappedType,
    MapType,
    RecordType,
    TupleType,
    Type,
    UnknownType,
    has_unknown,
    is_key,
    is_value,
    mentions,
)
from diablo.frontend.parsing import syntax, type_syntax
from diablo.frontend.parsing.idioms import TYPES
from diablo.frontend.parsing.tokens import RESERVED

_TYPE_NAMES = [*SCALARS, "vector", "matrix", "list", "map"]


class TypeChecker:
    """The part of the checker that knows annotations and scopes."""

    def __init__(self) -> None:
        self.errors: list[Diagnostic] = []
        self.checked = Checked()
        self.scope = Scope()
        # What the program declares in its outermost block, to explain a use that comes before.
        self.declarations: dict[str, Span] = {}
        # How many `for` loops stand around the statement.
        self.loops = 0
        # The variables that some statement of the program assigns: their value may differ
        # between two places.
        self.assigned: frozenset[str] = frozenset()
        # The names that were reported as not declared, and what types their uses suggest.
        self.missing: set[str] = set()
        self.suggest: Callable[[], dict[str, str]] = dict
        self.suggestions: dict[str, str] | None = None
        # The variables that hold the pairs of an array, and what to say about them.
        self.pairs: dict[Symbol, str] = {}

    # --- Errors ----------------------------------------------------------------------------

    def error(
        self,
        span: Span,
        message: str,
        hint: str | None = None,
        *,
        note: tuple[str, Span] | None = None,
    ) -> UnknownType:
        """Report that something is wrong; its type is then unknown."""
        notes = (Diagnostic("note", note[0], note[1]),) if note else ()
        self.errors.append(Diagnostic("error", message, span, hint, notes))
        return UNKNOWN

    def undeclared(self, name: syntax.Name, hint: str) -> UnknownType:
        """Report a name that is not declared, where it is used first."""
        if name.name not in self.missing:
            self.missing.add(name.name)
            self.error(name.span, f"`{name.name}` is not declared", hint)
        return UNKNOWN

    def suggested_type(self, name: str) -> str:
        """The type that the uses of a name suggest, as it is written; dots if they suggest none."""
        if self.suggestions is None:
            self.suggestions = self.suggest()
        return self.suggestions.get(name, "…")

    def unsupported(self, span: Span, what: str, hint: str | None = None) -> UnknownType:
        """Report something that the language has and this compiler has not yet."""
        return self.error(span, f"{what} not supported yet", hint)

    # --- Scopes ----------------------------------------------------------------------------

    @contextmanager
    def inner_scope(self) -> Generator[Scope]:
        """Declare names in a scope of their own."""
        outer = self.scope
        self.scope = Scope(outer)
        yield self.scope
        self.scope = outer

    def declare(self, pattern: syntax.NamePattern, kind: SymbolKind, type: Type) -> Symbol:
        """Declare a variable in the innermost scope."""
        symbol = Symbol(pattern.name, kind, type, pattern.span, loops=self.loops)
        before = self.scope.symbols.get(pattern.name)
        if pattern.name in RESERVED:
            self.error(pattern.span, f"`{pattern.name}` is a word of the language, not a name")
        elif before is not None and kind == "bound variable":
            self.error(
                pattern.span,
                f"`{pattern.name}` is already bound in this comprehension",
                f"bind another name and compare: {pattern.name}{pattern.name} == {pattern.name}",
                note=("it is bound here", before.span),
            )
        elif before is None and kind == "variable" and pattern.name in self.scope.functions:
            self.error(pattern.span, f"`{pattern.name}` is declared twice")
        elif before is not None:
            self.error(
                pattern.span,
                f"`{pattern.name}` is declared twice",
                note=("it is first declared here", before.span),
            )
        if pattern.name != "_":
            self.scope.symbols[pattern.name] = symbol
        self.checked.symbols[pattern] = symbol
        return symbol

    def rebind(self, pattern: syntax.Pattern) -> None:
        """Let a `let` give the names of a comprehension's variables to other values."""
        match pattern:
            case syntax.NamePattern():
                before = self.scope.symbols.get(pattern.name)
                if before is not None and before.kind in ("bound variable", "bag"):
                    del self.scope.symbols[pattern.name]
            case syntax.TuplePattern():
                for item in pattern.items:
                    self.rebind(item)

    def bind(self, pattern: syntax.Pattern, type: Type, kind: SymbolKind) -> None:
        """Declare the variables of `pattern`, which is matched with values of `type`."""
        match pattern:
            case syntax.NamePattern():
                self.declare(pattern, kind, type)
            case syntax.TuplePattern():
                items: tuple[Type, ...] = (UNKNOWN,) * len(pattern.items)
                tuples = isinstance(type, TupleType | MappedType)
                if tuples and len(type.items) == len(pattern.items):
                    items = type.items
                elif not isinstance(type, UnknownType):
                    self.error(
                        pattern.span,
                        f"this pattern has {len(pattern.items)} parts, "
                        f"but it is matched with values of type {type}",
                        _pattern_hint(type),
                    )
                for item, item_type in zip(pattern.items, items, strict=True):
                    self.bind(item, item_type, kind)

    def declared_later(self, name: str) -> str | None:
        """A hint, if `name` is declared further down."""
        span = self.declarations.get(name)
        return span and f"it is declared further down, in line {span.line}"

    # --- Annotations -----------------------------------------------------------------------

    def resolve(self, written: type_syntax.TypeSyntax) -> Type:
        """The type that an annotation stands for."""
        type = self._resolve(written)
        self.checked.annotations[written] = type
        return type

    def resolve_value(self, written: type_syntax.TypeSyntax) -> Type:
        """The type that an annotation of something which is no parameter stands for."""
        type = self.resolve(written)
        if mentions(type, FunctionType):
            hint = "write the call, or give the function as an argument"
            message = "a function can be a parameter of another function only"
            return self.error(written.span, message, hint)
        return type

    def _resolve(self, written: type_syntax.TypeSyntax) -> Type:
        match written:
            case type_syntax.TupleTypeSyntax():
                return TupleType(tuple(map(self.resolve, written.items)))
            case type_syntax.RecordTypeSyntax():
                return self._resolve_record(written)
            case type_syntax.FunctionTypeSyntax():
                argument = self.resolve(written.argument)
                several = isinstance(written.argument, type_syntax.TupleTypeSyntax)
                if several and isinstance(argument, TupleType):
                    return FunctionType(argument.items, self.resolve(written.result))
                return FunctionType((argument,), self.resolve(written.result))
            case type_syntax.NamedType():
                return self._resolve_name(written)

    def _resolve_record(self, written: type_syntax.RecordTypeSyntax) -> Type:
        if not self.check_fields(written.span, [name for name, _ in written.fields]):
            return UNKNOWN
        return RecordType(tuple((name, self.resolve(type)) for name, type in written.fields))

    def check_fields(self, span: Span, names: list[str]) -> bool:
        """Check that a record has fields, each once."""
        if not names:
            self.error(span, "a record needs at least one field")
        twice = [name for number, name in enumerate(names) if name in names[:number]]
        if twice:
            self.error(span, f"this record has two fields `{twice[0]}`")
        return bool(names) and not twice

    def _resolve_name(self, written: type_syntax.NamedType) -> Type:
        name = written.name
        array = re.fullmatch(r"array([1-9][0-9]?)", name)
        rank = {"vector": 1, "matrix": 2}.get(name, int(array[1]) if array else 0)
        if rank > MOST_DIMENSIONS:
            return self.error(written.span, f"an array has at most {MOST_DIMENSIONS} dimensions")
        wanted = 2 if name == "map" else 1 if rank or name == "list" else 0
        if not wanted and name not in SCALARS:
            hint = TYPES.get(name.lower()) or did_you_mean(name, _TYPE_NAMES)
            return self.error(written.span, f"there is no type `{name}`", hint)
        if len(written.arguments) != wanted:
            example = f"{name}[Int,Double]" if wanted == 2 else f"{name}[Double]"
            hint = f"write for example {example}" if wanted else f"write just {name}"
            count = f"{wanted or 'no'} type argument{'' if wanted == 1 else 's'}"
            return self.error(written.span, f"`{name}` takes {count}", hint)
        arguments = [self.resolve(argument) for argument in written.arguments]
        for argument, syntax_of_it in zip(arguments, written.arguments, strict=True):
            if not is_value(argument):
                message = f"a {name} cannot hold functions"
                return self.error(syntax_of_it.span, message)
            if rank and mentions(argument, ListType, MapType):
                message = f"an array cannot hold values of type {argument}"
                hint = f"use a map: map[Int,{argument}]"
                return self.error(syntax_of_it.span, message, hint)
        if name == "map":
            key, value = arguments
            if not is_key(key) and not has_unknown(key):
                message = f"{key} cannot be the key of a map"
                hint = "keys are numbers, strings and tuples of these"
                return self.error(written.arguments[0].span, message, hint)
            return MapType(key, value)
        if rank:
            return ArrayType(arguments[0], rank)
        return ListType(arguments[0]) if arguments else SCALARS[name]


def _pattern_hint(type: Type) -> str | None:
    if isinstance(type, RecordType):
        return f"a record is bound to one name, its fields are read as r.{type.names[0]}"
    if isinstance(type, TupleType) and isinstance(type.items[0], TupleType):
        return "the indices of an array's element are a tuple: ((i,j),a)"
    return None
