"""The types of the syntax tree, as they are written: `list[(Int,Int)]`, `<a: T>`, `T -> U`."""

from __future__ import annotations

from dataclasses import dataclass

from diablo.diagnostics import Span


@dataclass(eq=False)
class NamedType:
    """`Int`, or `matrix[Double]` with its arguments."""

    span: Span
    name: str
    arguments: list[TypeSyntax]


@dataclass(eq=False)
class TupleTypeSyntax:
    """`(T, U, …)`."""

    span: Span
    items: list[TypeSyntax]


@dataclass(eq=False)
class RecordTypeSyntax:
    """`<a: T, b: U>`."""

    span: Span
    fields: list[tuple[str, TypeSyntax]]


@dataclass(eq=False)
class FunctionTypeSyntax:
    """`T -> U`."""

    span: Span
    argument: TypeSyntax
    result: TypeSyntax


TypeSyntax = NamedType | TupleTypeSyntax | RecordTypeSyntax | FunctionTypeSyntax
