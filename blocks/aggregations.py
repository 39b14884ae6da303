"""Folds of the numbers that meet at an element of a contraction.

contract(u, v, lambda l, r: sum(l * r))        the product of matrices
contract(u, v, lambda l, r: min(l + r))        shortest ways
contract(u, v, lambda l, r: mean(abs(l - r)))
"""

from __future__ import annotations

import operator
from typing import Any

import diablo.array as da
from diablo.blocks.traced_scalars import Aggregate, computed, refuse

_FOLDS = ("sum", "prod", "min", "max", "any", "all", "mean")


def _folded(name: str, value: Any) -> Any:
    (number,) = computed(name, operator.pos, value).operands
    return Aggregate(name, getattr(da, name), (number,))


def sum(value: Any, /) -> Any:
    """Return the sum of a number of each pair."""
    return _folded("sum", value)


def prod(value: Any, /) -> Any:
    """Return the product of a number of each pair."""
    return _folded("prod", value)


def min(value: Any, /, *others: Any) -> Any:
    """Return the least of a number of each pair."""
    return _folded("min", _single("min", value, others))


def max(value: Any, /, *others: Any) -> Any:
    """Return the greatest of a number of each pair."""
    return _folded("max", _single("max", value, others))


def any(value: Any, /) -> Any:
    """Return whether a condition holds for one pair."""
    return _folded("any", value)


def all(value: Any, /) -> Any:
    """Return whether a condition holds for each pair."""
    return _folded("all", value)


def mean(value: Any, /) -> Any:
    """Return the mean of a number of each pair."""
    return _folded("mean", value)


def _single(name: str, value: Any, others: tuple[Any, ...]) -> Any:
    if others:
        refuse(
            f"`{name}` folds one number of each pair, and {1 + len(others)} are given",
            f"the {name}imum of two numbers is `np.{name}imum`",
        )
    return value
