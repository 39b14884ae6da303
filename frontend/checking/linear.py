"""Integers that the checker can compare: sums of what is unknown and a number.

n - 1   ->   unknown(n) - 1;     i / 2   ->   something unknown, the same for every i / 2
"""

from __future__ import annotations

from collections.abc import Hashable

from diablo.linear_sums import LinearSum, term

Linear = LinearSum[Hashable]


def unknown(value: Hashable = None) -> Linear:
    """Something unknown: a variable, or with none a value that equals no other."""
    return term(object() if value is None else value)
