"""Guesses which types the names of a program have that it does not declare, by their uses.

for i = 0, n-1 do s += B[i,j]       ->   {"n": "Int", "B": "matrix[Double]", "j": "Int"}
"""

from __future__ import annotations

from collections.abc import Iterator

from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import walk

_ARRAYS = {1: "vector[Double]", 2: "matrix[Double]"}


def suggested_types(program: statements.Program) -> dict[str, str]:
    """From names to the types that their first telling use suggests, as they are written."""
    found: dict[str, str] = {}
    numbers: dict[str, str] = {}
    variables = {
        node.name.name: node.init.kind
        for node in walk(program)
        if isinstance(node, statements.Var) and isinstance(node.init, syntax.Literal)
    }
    for node in walk(program):
        if isinstance(node, statements.Assign) and isinstance(node.target, syntax.Name):
            kind = variables.get(node.target.name)
            if kind is not None:
                numbers |= dict.fromkeys(_names(node.value), kind)
        for name, type in _uses(node):
            found.setdefault(name, type)
        if isinstance(node, syntax.Binary) and node.op in ("+", "-", "*", "/"):
            numbers |= dict.fromkeys(_names(node.lhs, node.rhs), "Double")
    return numbers | found


def _uses(node: object) -> Iterator[tuple[str, str]]:
    """What one node of the syntax tree says of the names right below it."""
    match node:
        case syntax.Index(base=syntax.Name(name=name)):
            rank = len(node.indices)
            yield name, _ARRAYS.get(rank, f"array{rank}[Double]")
            for index in node.indices:
                yield from _all(index, "Int")
        case statements.For():
            yield from _all((node.lower, node.upper, node.step), "Int")
        case syntax.Range():
            yield from _all((node.lower, node.upper), "Int")
        case syntax.Constructor():
            yield from _all((node.dense, node.sparse), "Int")
        case (
            syntax.Generator(source=syntax.Name(name=name))
            | statements.ForIn(source=syntax.Name(name=name))
        ):
            yield name, _rows(node.pattern)
        case syntax.Reduction(operand=syntax.Name(name=name)):
            yield name, "list[Double]"
        case syntax.Binary(op="@"):
            yield from ((n, "matrix[Double]") for n in _names(node.lhs, node.rhs))
        case syntax.Binary(op="&&" | "||") | syntax.Unary(op="!"):
            sides = (node.lhs, node.rhs) if isinstance(node, syntax.Binary) else (node.operand,)
            yield from ((n, "Boolean") for n in _names(*sides))
        case syntax.Binary():
            for side, other in ((node.lhs, node.rhs), (node.rhs, node.lhs)):
                if isinstance(side, syntax.Name) and isinstance(other, syntax.Literal):
                    yield side.name, other.kind
        case _:
            pass


def _all(node: object, type: str) -> Iterator[tuple[str, str]]:
    """The names in sums and products, which have the type of these."""
    match node:
        case syntax.Name():
            yield node.name, type
        case syntax.Binary():
            yield from _all((node.lhs, node.rhs), type)
        case list() | tuple():
            for item in node:  # pyright: ignore[reportUnknownVariableType]
                yield from _all(item, type)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            pass


def _names(*exprs: syntax.Expr) -> list[str]:
    return [expr.name for expr in exprs if isinstance(expr, syntax.Name)]


def _rows(pattern: syntax.Pattern) -> str:
    """A collection whose rows a pattern matches."""
    match pattern:
        case syntax.TuplePattern(items=[syntax.TuplePattern(items=indices), syntax.NamePattern()]):
            return _ARRAYS.get(len(indices), f"array{len(indices)}[Double]")
        case syntax.TuplePattern(items=[_, _]):
            return "vector[Double]"
        case syntax.TuplePattern():
            return f"list[({', '.join('Double' for _ in pattern.items)})]"
        case syntax.NamePattern():
            return "list[Double]"
