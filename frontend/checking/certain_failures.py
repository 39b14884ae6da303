"""Finds divisions by zero that happen whenever a program runs.

var x = n / 0;                     is one
if (n > 0) n / 0 else 5            is none: a branch need not be taken
[ i / 0 | i <- L ]                 is none: the list may be empty
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from diablo.diagnostics import Span
from diablo.frontend.parsing import statements, syntax


def divisions_by_zero(statement: statements.Statement) -> Iterator[syntax.Binary]:
    """Yield the divisions by a written zero that are evaluated where a statement is executed."""
    match statement:
        case statements.Var() | statements.Assign() | statements.ExprStatement():
            yield from _evaluated(statement)
        case statements.If() | statements.While():
            yield from _evaluated(statement.condition)
        case _:
            pass


def _evaluated(node: object) -> Iterator[syntax.Binary]:
    match node:
        case syntax.IfExpr():
            yield from _evaluated(node.condition)
        case syntax.Binary(op="&&" | "||"):
            yield from _evaluated(node.lhs)
        case syntax.Comprehension() | syntax.Lambda() | Span():
            pass
        case syntax.Binary(op="/" | "%") if _is_zero(node.rhs):
            yield node
        case list() | tuple():
            for item in node:  # pyright: ignore[reportUnknownVariableType]
                yield from _evaluated(item)  # pyright: ignore[reportUnknownArgumentType]
        case _ if is_dataclass(node) and not isinstance(node, type):
            for field in fields(node):
                yield from _evaluated(getattr(node, field.name))
        case _:
            pass


def _is_zero(expr: syntax.Expr) -> bool:
    return isinstance(expr, syntax.Literal) and expr.value == 0 and expr.kind == "Int"
