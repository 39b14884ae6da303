"""The cases of the suite: what each computes, at which size, and who computes it besides.

    @case("arrays", "add")
    def add(scale: float) -> Work:
        n = side(4000, scale)
        …
        return Work(f"{n} x {n}", source, {"A": a, "B": b}, {"NumPy": by_hand(lambda: a + b)})

A case makes its inputs when it is asked for, at the size that the scale says: 1 for the default,
smaller for less. The first of its ways gives the answer that all others are compared with.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

Call = Callable[[], Any]
"""What is timed: a computation whose inputs are there already."""
Way = Callable[[], Call]
"""Prepares inputs in the form that a peer wants, and gives the computation."""

ROOT = Path(__file__).resolve().parents[1]
MODULES = (
    "array_cases",
    "sparse_cases",
    "row_cases",
    "order_cases",
    "string_cases",
    "join_cases",
    "table_cases",
    "lazy_cases",
    "input_cases",
    "sequential_cases",
)


@dataclass
class Work:
    """A case at one size: a program, its inputs, and the ways in which others compute the same.

    The program is a text, or, of queries in Python, a function of the inputs.
    """

    size: str
    source: str | Path | Callable[..., Any]
    inputs: Mapping[str, Any]
    ways: Mapping[str, Way]
    read: Callable[[Any], Any] | None = field(default=None)
    """Brings the program's result to the form of the answer, where that is not done alike for
    all results of its kind."""


@dataclass(frozen=True)
class Case:
    """A case of the suite, which makes its inputs when it is asked for."""

    name: str
    field: str
    make: Callable[[float], Work]


_CASES: dict[str, Case] = {}


def case(of: str, name: str) -> Callable[[Callable[[float], Work]], Callable[[float], Work]]:
    """Register a function that makes the work of a case."""

    def register(make: Callable[[float], Work]) -> Callable[[float], Work]:
        if name in _CASES:
            raise ValueError(f"there are two cases {name!r}")
        _CASES[name] = Case(name, of, make)
        return make

    return register


def all_cases() -> dict[str, Case]:
    """The cases by their names, in the order of the modules."""
    for module in MODULES:
        importlib.import_module(module)
    return dict(_CASES)


def by_hand(call: Call) -> Way:
    """A way that needs no preparation."""
    return lambda: call


def random_of(name: str) -> np.random.Generator:
    """The random numbers of a case, the same in each run."""
    return np.random.default_rng(crc32(name.encode()))


def rows(count: float, scale: float, least: int = 40) -> int:
    """Return how many rows or elements a scale means."""
    return max(int(count * scale), least)


def side(length: float, scale: float, power: int = 2, least: int = 12) -> int:
    """The extent of what costs its power, so that the scale is that of the work."""
    return max(round(length * scale ** (1 / power)), least)


def shown(count: int) -> str:
    """A count as it is read most easily: 2e6, 1.5e5, 400."""
    if count < 10_000:
        return str(count)
    digits, _, exponent = f"{count:.1e}".partition("e+")
    return f"{digits.removesuffix('.0')}e{int(exponent)}"
