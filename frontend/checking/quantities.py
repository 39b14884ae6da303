"""Numbers and articles in messages: `1 index`, `2 indices`, `an array3[Int]`."""

from __future__ import annotations


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """`1 index`, `2 indices`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def with_article(noun: object) -> str:
    """`a vector[Int]`, `an array3[Int]`."""
    return f"{'an' if str(noun).startswith(tuple('aeioAEIO')) else 'a'} {noun}"
