"""Numbers in messages: `1 index`, `2 indices`."""

from __future__ import annotations


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """`1 index`, `2 indices`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
