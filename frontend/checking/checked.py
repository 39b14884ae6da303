"""What the checker finds out about a syntax tree, kept beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from diablo.frontend.checking.scope import Function, Symbol
from diablo.frontend.checking.types import Type
from diablo.frontend.parsing import syntax


@dataclass(eq=False)
class Grouping:
    """What a group-by does to the variables bound before it.

    `keys` are pairs of the variable before (`None` if `group by p: e` computes the key) and
    after it, `bags` pairs of a variable and the bag of its values.
    """

    keys: list[tuple[Symbol | None, Symbol]] = field(
        default_factory=list[tuple[Symbol | None, Symbol]]
    )
    bags: list[tuple[Symbol, Symbol]] = field(default_factory=list[tuple[Symbol, Symbol]])


@dataclass(eq=False)
class Checked:
    """The types of expressions and the meaning of names."""

    types: dict[syntax.Expr, Type] = field(default_factory=dict[syntax.Expr, Type])
    symbols: dict[syntax.Name | syntax.NamePattern, Symbol] = field(
        default_factory=dict[syntax.Name | syntax.NamePattern, Symbol]
    )
    groupings: dict[syntax.GroupBy, Grouping] = field(
        default_factory=dict[syntax.GroupBy, Grouping]
    )
    functions: dict[syntax.Call, Function] = field(default_factory=dict[syntax.Call, Function])
    annotations: dict[syntax.TypeSyntax, Type] = field(
        default_factory=dict[syntax.TypeSyntax, Type]
    )
