"""The statements of the syntax tree; their expressions are in `syntax`."""

from __future__ import annotations

from dataclasses import dataclass

from diablo.diagnostics import Span
from diablo.frontend.parsing import syntax, type_syntax


@dataclass(eq=False)
class Input:
    """`input x: T = e;`."""

    span: Span
    name: syntax.NamePattern
    type: type_syntax.TypeSyntax
    default: syntax.Expr | None


@dataclass(eq=False)
class Var:
    """`var x: T = e;`, or `var x: T over R fill e;`."""

    span: Span
    name: syntax.NamePattern
    type: type_syntax.TypeSyntax | None
    init: syntax.Expr | None
    region: syntax.Expr | None = None
    fill: syntax.Expr | None = None


@dataclass(eq=False)
class Def:
    """`def f(a: T, …): U = e;`."""

    span: Span
    name: syntax.NamePattern
    parameters: list[tuple[syntax.NamePattern, type_syntax.TypeSyntax]]
    result: type_syntax.TypeSyntax | None
    body: syntax.Expr


@dataclass(eq=False)
class MonoidDef:
    """`monoid op(T) = (zero, (x, y) => e);`."""

    span: Span
    name: syntax.NamePattern
    type: type_syntax.TypeSyntax
    definition: syntax.Expr


@dataclass(eq=False)
class Typemap:
    """`typemap name(p: T, …): array { def view(s: S): … = e; def store(L: …): S = e; }`."""

    span: Span
    name: syntax.NamePattern
    parameters: list[tuple[syntax.NamePattern, type_syntax.TypeSyntax]]
    type: type_syntax.TypeSyntax
    functions: list[Def]


@dataclass(eq=False)
class RegionDef:
    """`region R = base by e where e at e;`."""

    span: Span
    name: syntax.NamePattern
    base: syntax.Expr
    clauses: list[tuple[str, syntax.Expr]]


@dataclass(eq=False)
class Assign:
    """`d = e`, or with `monoid` `d op= e`."""

    span: Span
    target: syntax.Expr
    value: syntax.Expr
    monoid: str | None


@dataclass(eq=False)
class For:
    """`for i = a, b, c do s`."""

    span: Span
    name: syntax.NamePattern
    lower: syntax.Expr
    upper: syntax.Expr
    step: syntax.Expr | None
    body: Statement


@dataclass(eq=False)
class ForIn:
    """`for p in e do s`."""

    span: Span
    pattern: syntax.Pattern
    source: syntax.Expr
    body: Statement


@dataclass(eq=False)
class While:
    """`while (c) s`."""

    span: Span
    condition: syntax.Expr
    body: Statement


@dataclass(eq=False)
class If:
    """`if (c) s else s`."""

    span: Span
    condition: syntax.Expr
    then: Statement
    otherwise: Statement | None


@dataclass(eq=False)
class Extremum:
    """`if (e < d) { d = e; p = x; … }`: the first assignment is `d = e`.

    It has no form in the source: it comes from such tests. `comparison` is what the value of e
    is to that of d.
    """

    span: Span
    comparison: str
    assignments: list[Assign]


@dataclass(eq=False)
class Block:
    """`{ s; … }`."""

    span: Span
    body: list[Statement]


@dataclass(eq=False)
class ExprStatement:
    """An expression: the program's result, if it is the last statement."""

    span: Span
    value: syntax.Expr


Statement = (
    Input
    | Var
    | Def
    | MonoidDef
    | Typemap
    | RegionDef
    | Assign
    | For
    | ForIn
    | While
    | If
    | Extremum
    | Block
    | ExprStatement
)


@dataclass(eq=False)
class Program:
    """A whole program."""

    statements: list[Statement]
