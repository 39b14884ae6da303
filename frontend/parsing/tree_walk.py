"""Walks a syntax tree: every node below a node, in the order of the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from diablo.diagnostics import Span
from diablo.frontend.parsing import syntax


def walk(node: object) -> Iterator[object]:
    """Yield `node` and every syntax node below it."""
    if is_dataclass(node) and not isinstance(node, type | Span):
        yield node
    for child in children(node):
        yield from walk(child)


def children(node: object) -> Iterator[object]:
    """Yield what a syntax node, or a list of such, is made of."""
    if isinstance(node, list | tuple):
        yield from node  # pyright: ignore[reportUnknownVariableType]
    elif is_dataclass(node) and not isinstance(node, type | Span):
        for field in fields(node):
            yield getattr(node, field.name)


def find_call(node: object, function: str) -> syntax.Call | None:
    """The first call of `function` at or below `node`."""
    calls = (n for n in walk(node) if isinstance(n, syntax.Call))
    return next((call for call in calls if call.function == function), None)
