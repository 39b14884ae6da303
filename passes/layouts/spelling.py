"""Layouts in words, for remarks, summaries and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MATRIX = 2
"""The rank at which orders have names of their own."""


def order_in_words(order: Sequence[int]) -> str:
    """`by rows`, `by columns`, or the dimensions from the outermost one."""
    order = tuple(order)
    if len(order) == MATRIX:
        return "by rows" if order == (0, 1) else "by columns"
    return f"by dimensions {', '.join(map(str, order))}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def dimensions_in_words(dimensions: Iterable[int]) -> str:
    """`dimension 1`, `dimensions 0 and 2`."""
    numbers = [str(d) for d in sorted(dimensions)]
    return f"dimension{'s' if len(numbers) > 1 else ''} {listed(numbers)}"
