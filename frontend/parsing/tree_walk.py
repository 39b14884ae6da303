"""Walks a syntax tree: every node below a node, in the order of the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import cast

from diablo.diagnostics import Span
from diablo.frontend.parsing import syntax


def walk(node: object) -> Iterator[object]:
    """Yield `node` and every syntax node below it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is list or kind is tuple:
            waiting += cast("Sequence[object]", node)[::-1]
            continue
        parts = _parts(kind)
        if parts is None:
            continue
        yield node
        # Most parts are a span or a word: those are not even put on the stack.
        for part in reversed(parts):
            child = getattr(node, part)
            if type(child) not in _WORDS:
                waiting.append(child)


_WORDS = frozenset({Span, str, int, float, bool, type(None)})
"""What is no syntax node, and holds none."""


def children(node: object) -> Sequence[object]:
    """Return the nodes and lists of nodes that a syntax node, or a list of such, is made of."""
    if isinstance(node, list | tuple):
        return cast("Sequence[object]", node)
    parts = [getattr(node, part) for part in _parts(type(node)) or ()]
    return [part for part in parts if type(part) not in _WORDS]


def is_node(node: object) -> bool:
    """Return whether an object is a syntax node."""
    return _parts(type(node)) is not None


@cache
def _parts(kind: type) -> tuple[str, ...] | None:
    """The fields of a kind of syntax node, `None` for other kinds."""
    if kind is Span or not is_dataclass(kind):
        return None
    if kind is syntax.Literal:  # There may be very many, and nothing is below them.
        return ()
    return tuple([field.name for field in fields(kind)])


def find_call(node: object, function: str) -> syntax.Call | None:
    """The first call of `function` at or below `node`."""
    calls = (n for n in walk(node) if isinstance(n, syntax.Call))
    return next((call for call in calls if call.function == function), None)
