"""Names in scope: what a use of `x` means, and what was meant by `xx`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from diablo.diagnostics import Span
from diablo.frontend.checking.types import Type
from diablo.frontend.parsing import statements

SymbolKind = Literal["input", "variable", "loop variable", "bound variable", "bag", "parameter"]


@dataclass(eq=False)
class Symbol:
    """One declared variable. After a group-by a new symbol, of kind `bag`, has its name."""

    name: str
    kind: SymbolKind
    type: Type
    span: Span
    used: bool = False


@dataclass(eq=False)
class Function:
    """A function of the program, which is inlined where it is called."""

    definition: statements.Def
    parameters: list[Symbol]
    result: Type


@dataclass(eq=False)
class Scope:
    """The names that a block, a loop or a comprehension declares, inside `outer`."""

    outer: Scope | None = None
    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])

    def __iter__(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def find(self, name: str) -> Symbol | None:
        """The innermost variable called `name`."""
        return next((s.symbols[name] for s in self if name in s.symbols), None)

    def find_function(self, name: str) -> Function | None:
        """The innermost function called `name`."""
        return next((s.functions[name] for s in self if name in s.functions), None)

    def names(self) -> list[str]:
        """Every variable in scope, the innermost first."""
        return [name for scope in self for name in scope.symbols]

    def function_names(self) -> list[str]:
        """Every function in scope, the innermost first."""
        return [name for scope in self for name in scope.functions]


def did_you_mean(name: str, candidates: list[str]) -> str | None:
    """A hint that names the candidate most like `name`, if one is alike."""
    same = [c for c in candidates if c.lower() == name.lower()]
    close = same or get_close_matches(name, candidates, n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else None
