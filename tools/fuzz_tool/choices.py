"""Random choices."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Choice = TypeVar("Choice")


class Choices:
    """What is drawn from one source of random numbers."""

    def __init__(self, random: Random):
        self.random = random
        self.names = 0

    def pick(self, items: Sequence[Choice]) -> Choice:
        """One of the items; an item that stands twice is drawn twice as often."""
        return items[self.random.randrange(len(items))]

    def chance(self, percent: int) -> bool:
        """True in so many of 100 cases."""
        return self.random.randrange(100) < percent

    def count(self, lower: int, upper: int) -> int:
        """A number from `lower` to `upper`, both included."""
        return self.random.randint(lower, upper)

    def shuffled(self, items: Sequence[Choice]) -> list[Choice]:
        """The items in a random order."""
        return self.random.sample(items, len(items))

    def fresh(self, prefix: str) -> str:
        """A name that was not used before."""
        self.names += 1
        return f"{prefix}{self.names}"
