"""Integers that the checker can compare: sums of variables and a number.

n - 1   ->   Linear({n: 1}, -1);     i / 2   ->   something unknown, the same for every i / 2
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Linear:
    """The sum of `terms`, which are pairs of something unknown and its factor, and a number."""

    terms: frozenset[tuple[object, int]]
    constant: int = 0

    @staticmethod
    def of(value: int) -> Linear:
        """A number."""
        return Linear(frozenset(), value)

    @staticmethod
    def unknown(value: object | None = None) -> Linear:
        """Something unknown: a variable, or with none a value that equals no other."""
        return Linear(frozenset({(object() if value is None else value, 1)}))

    @property
    def number(self) -> int | None:
        """The value, if it is a number."""
        return None if self.terms else self.constant

    def scaled(self, factor: int) -> Linear:
        """`self * factor`."""
        if factor == 0:
            return Linear.of(0)
        terms = frozenset((what, count * factor) for what, count in self.terms)
        return Linear(terms, self.constant * factor)

    def __add__(self, other: Linear) -> Linear:
        terms = dict(self.terms)
        for what, count in other.terms:
            terms[what] = terms.get(what, 0) + count
        left = frozenset((what, count) for what, count in terms.items() if count)
        return Linear(left, self.constant + other.constant)

    def __sub__(self, other: Linear) -> Linear:
        return self + other.scaled(-1)
