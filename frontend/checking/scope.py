"""Names in scope: what a use of `x` means, and what was meant by `xx`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from diablo.diagnostics import Span
from diablo.frontend.checking.extents import Extent
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.types import ArrayType, Type
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.idioms import NAMES

SymbolKind = Literal[
    "input", "variable", "loop variable", "bound variable", "bag", "parameter", "region"
]


@dataclass(eq=False)
class Symbol:
    """One declared variable.

    After a group-by a new symbol, of kind `bag`, has its name; `before` is the old one. A
    region has the type of the Boolean array that it is as a value. `region` is what a region
    consists of, or what an array is over. `loops` counts the `for` loops around its declaration.
    """

    name: str
    kind: SymbolKind
    type: Type
    span: Span
    used: bool = False
    before: Symbol | None = None
    region: IndexSet | None = None
    loops: int = 0

    def use(self) -> None:
        """Note that the variable is used, and so are those whose values its bag is made of."""
        self.used = True
        if self.before is not None:
            self.before.use()


@dataclass(eq=False)
class Function:
    """A function of the program, which is inlined where it is called.

    `extent` says how large it is when the functions it calls are inlined.
    """

    definition: statements.Def
    parameters: list[Symbol]
    result: Type
    extent: Extent = field(default_factory=Extent)


Constant = bool | int | float | complex | str | tuple["Constant", ...]
"""The value of a constant; the parts of a tuple or record are a tuple."""


@dataclass(eq=False)
class MonoidDefinition:
    """A commutative monoid of the program: `monoid name(type) = (identity, (x, y) => body);`.

    `identity` is made of values of `type`'s scalars (a Char is a string of one). `parameters`
    are two patterns, each matched with a value of `type`. The body reads no variable from
    outside. `extent` is how large it is when the functions it calls are inlined.
    """

    name: str
    type: Type
    identity: Constant
    parameters: tuple[syntax.Pattern, syntax.Pattern]
    body: syntax.Expr
    span: Span
    extent: Extent = field(default_factory=Extent)


@dataclass(eq=False)
class TypemapDefinition:
    """A way to store an array: `store` takes a list of its elements, `view` gives it back.

    Both are functions whose first parameters are those of the typemap.
    """

    definition: statements.Typemap
    array: ArrayType
    storage: Type
    view: Function
    store: Function


@dataclass(eq=False)
class Scope:
    """The names that a block, a loop or a comprehension declares, inside `outer`."""

    outer: Scope | None = None
    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    monoids: dict[str, MonoidDefinition] = field(default_factory=dict[str, MonoidDefinition])
    typemaps: dict[str, TypemapDefinition] = field(default_factory=dict[str, TypemapDefinition])

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

    def find_monoid(self, name: str) -> MonoidDefinition | None:
        """The innermost monoid called `name`."""
        return next((s.monoids[name] for s in self if name in s.monoids), None)

    def find_typemap(self, name: str) -> TypemapDefinition | None:
        """The innermost typemap called `name`."""
        return next((s.typemaps[name] for s in self if name in s.typemaps), None)

    def names(self) -> list[str]:
        """Every variable in scope, the innermost first."""
        return [name for scope in self for name in scope.symbols]

    def function_names(self) -> list[str]:
        """Every function in scope, the innermost first."""
        return [name for scope in self for name in scope.functions]

    def monoid_names(self) -> list[str]:
        """Every monoid of the program in scope, the innermost first."""
        return [name for scope in self for name in scope.monoids]


def idiom_or_name(name: str, candidates: list[str]) -> str | None:
    """A hint for a name that is not declared.

    It says how what other languages call so is written here, or which candidate is like it.
    """
    return did_you_mean(name, candidates, exactly=True) or NAMES.get(
        name.lower(), did_you_mean(name, candidates)
    )


def did_you_mean(name: str, candidates: list[str], *, exactly: bool = False) -> str | None:
    """A hint that names the candidate most like `name`, if one is alike.

    With `exactly` only capital and small letters may differ.
    """
    same = [c for c in candidates if c.lower() == name.lower()]
    if exactly:
        return f"did you mean `{same[0]}`?" if same else None
    close = same or get_close_matches(name, candidates, n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else None
