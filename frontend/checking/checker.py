"""What all checks share: errors, the meaning of names, scopes, and what is known where.

A `Checker` is handed to every check. Expressions are checked by `Checker.check`, and regions
found by `Checker.region_of`, whichever module knows the node."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.index_sets import Bounds, IndexSet, Linear
from diablo.frontend.checking.scope import Scope, Symbol, SymbolKind
from diablo.frontend.checking.types import (
    UNKNOWN,
    MappedType,
    RecordType,
    TupleType,
    Type,
    UnknownType,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tokens import RESERVED


def _pattern_hint(type: Type) -> str | None:
    if isinstance(type, RecordType):
        return f"a record is bound to one name, its fields are read as r.{type.names[0]}"
    if isinstance(type, TupleType) and isinstance(type.items[0], TupleType):
        return "the indices of an array's element are a tuple: ((i,j),a)"
    return None


@dataclass(frozen=True)
class Membership:
    """An index that is known to be in a region."""

    index: tuple[Linear, ...]
    region: IndexSet


@dataclass(frozen=True)
class Dispatch:
    """What checks the nodes of each family of syntax, whichever module knows the node."""

    expression: Callable[[Checker, syntax.Expr, Type | None], Type]
    region: Callable[[Checker, syntax.Expr], IndexSet | None]


class Checker:
    """Checks one program: holds what is found, the scope, and what is known at a place."""

    def __init__(
        self,
        dispatch: Dispatch,
        assigned: frozenset[str] = frozenset(),
        lines: Sequence[str] = (),
        suggest: Callable[[], dict[str, str]] = dict,
    ) -> None:
        self._dispatch = dispatch
        # The variables that some statement of the program assigns: their value may differ
        # between two places.
        self.assigned = assigned
        # The lines of the program, to name a region that has no name.
        self.lines = lines
        self.suggest = suggest
        self.errors: list[Diagnostic] = []
        self.checked = Checked()
        self.scope = Scope()
        # What the program declares in its outermost block, to explain a use that comes before.
        self.declarations: dict[str, Span] = {}
        self.top_level = True
        # How many `for` loops stand around the statement, and how deep an expression is.
        self.loops = 0
        self.depth = 0
        # The names that were reported as not declared, and what types their uses suggest.
        self.missing: set[str] = set()
        self.suggestions: dict[str, str] | None = None
        # The variables that hold the pairs of an array, and what to say about them.
        self.pairs: dict[Symbol, str] = {}
        # Expressions that desugaring puts into others after they were checked, and those that are
        # known to be wrong.
        self.settled: set[syntax.Expr] = set()
        # What is known of indices.
        self.members: list[Membership] = []
        self.ranges: dict[object, Bounds] = {}
        # How many conditions protect what is checked: an index that is wrong may not occur.
        self.guards = 0
        # Expressions of which only a part is read.
        self.parted: set[syntax.Expr] = set()

    # --- Families of syntax ------------------------------------------------------------------

    def check(self, expr: syntax.Expr, wanted: Type | None = None) -> Type:
        """Find, record and return the type of an expression, which should be `wanted`."""
        return self._dispatch.expression(self, expr, wanted)

    def region_of(self, expr: syntax.Expr) -> IndexSet | None:
        """The region that an expression stands for, if it is one."""
        return self._dispatch.region(self, expr)

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

    @contextmanager
    def inner_scope(self) -> Generator[Scope]:
        """Declare names in a scope of their own."""
        outer = self.scope
        self.scope = Scope(outer)
        try:
            yield self.scope
        finally:
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

    def text_of(self, span: Span) -> str:
        """The text of the program in a span of one line."""
        if span.line > len(self.lines):
            return "…"
        return self.lines[span.line - 1][span.column - 1 : span.end_column - 1]

    @contextmanager
    def guarded(self) -> Generator[None]:
        """Note that what is checked in this context stands behind a condition."""
        self.guards += 1
        try:
            yield
        finally:
            self.guards -= 1
