"""Checks type annotations, and holds what all checks share: errors, names, scopes."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Scope, Symbol, SymbolKind, did_you_mean
from diablo.frontend.checking.types import (
    SCALARS,
    UNKNOWN,
    ArrayType,
    ListType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tokens import RESERVED

_TYPE_NAMES = [*SCALARS, "vector", "matrix", "list"]


class TypeChecker:
    """The part of the checker that knows annotations and scopes."""

    def __init__(self) -> None:
        self.errors: list[Diagnostic] = []
        self.checked = Checked()
        self.scope = Scope()

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
        symbol = Symbol(pattern.name, kind, type, pattern.span)
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

    def bind(self, pattern: syntax.Pattern, type: Type, kind: SymbolKind) -> None:
        """Declare the variables of `pattern`, which is matched with values of `type`."""
        match pattern:
            case syntax.NamePattern():
                self.declare(pattern, kind, type)
            case syntax.TuplePattern():
                items: tuple[Type, ...] = (UNKNOWN,) * len(pattern.items)
                if isinstance(type, TupleType) and len(type.items) == len(pattern.items):
                    items = type.items
                elif not isinstance(type, UnknownType):
                    hint = None
                    if isinstance(type, TupleType) and isinstance(type.items[0], TupleType):
                        hint = "the indices of an array's element are a tuple: ((i,j),a)"
                    self.error(
                        pattern.span,
                        f"this pattern has {len(pattern.items)} parts, "
                        f"but it is matched with values of type {type}",
                        hint,
                    )
                for item, item_type in zip(pattern.items, items, strict=True):
                    self.bind(item, item_type, kind)

    # --- Annotations -----------------------------------------------------------------------

    def resolve(self, written: syntax.TypeSyntax) -> Type:
        """The type that an annotation stands for."""
        type = self._resolve(written)
        self.checked.annotations[written] = type
        return type

    def _resolve(self, written: syntax.TypeSyntax) -> Type:
        match written:
            case syntax.TupleTypeSyntax():
                return TupleType(tuple(map(self.resolve, written.items)))
            case syntax.RecordTypeSyntax():
                return self.unsupported(written.span, "records are")
            case syntax.FunctionTypeSyntax():
                return self.unsupported(written.span, "functions as values are")
            case syntax.NamedType():
                return self._resolve_name(written)

    def _resolve_name(self, written: syntax.NamedType) -> Type:
        name, arguments = written.name, written.arguments
        array = re.fullmatch(r"array([1-9][0-9]?)", name)
        rank = {"vector": 1, "matrix": 2}.get(name, int(array[1]) if array else 0)
        wanted = 0
        type: Type
        if name in SCALARS:
            type = SCALARS[name]
        elif name in ("String", "Char"):
            type = self.unsupported(written.span, f"{name} values are")
        elif name == "map":
            return self.unsupported(written.span, "maps are")
        elif rank or name == "list":
            wanted = 1
            element = self.resolve(arguments[0]) if len(arguments) == 1 else UNKNOWN
            type = ArrayType(element, rank) if rank else ListType(element)
            if rank and not isinstance(element, ScalarType | UnknownType):
                type = self.unsupported(written.span, f"arrays of {element} are")
            elif isinstance(element, ArrayType | ListType):
                type = self.unsupported(written.span, f"lists of {element} are")
        else:
            return self.error(
                written.span, f"there is no type `{name}`", did_you_mean(name, _TYPE_NAMES)
            )
        if len(arguments) != wanted:
            hint = f"write for example {name}[Double]" if wanted else f"write just {name}"
            return self.error(
                written.span, f"`{name}` takes {_count(wanted, 'type argument')}", hint
            )
        return type


def _count(number: int, what: str) -> str:
    return f"no {what}s" if number == 0 else f"{number} {what}{'s' if number > 1 else ''}"
