"""The random program that is being written: what it declares so far, and what is drawn for it.

The modules that write its parts are functions of a draft. Those that a module below them has to
call (a condition reads elements, whose indices are conditions again; with regions all of them may
be something else) are the draft's families, which `fuzzing.writer` puts together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from fuzzing.model import (
    ArrayVariable,
    Bound,
    ComplexArray,
    Element,
    Function,
    ListArray,
    ListVariable,
    MapVariable,
    Monoid,
    NarrowArray,
    RegionArray,
    Scope,
)
from fuzzing.region_model import Region

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Families:
    """What writes each family of syntax."""

    read: Callable[[Draft, Scope, Element], str | None]
    condition: Callable[[Draft, Scope, int], str]
    nested_total: Callable[[Draft, Scope, Element], str]
    generator: Callable[[Draft, Scope, Bound, bool], list[str]]
    head: Callable[[Draft, Scope, bool], str]
    write: Callable[[Draft, Scope], str]


class Draft:
    """A program in the making, and the source of random numbers that it is drawn from."""

    def __init__(self, random: Random, features: Collection[str], families: Families):
        self.random = random
        self.features = frozenset(features)
        self._families = families
        self._names = 0
        self.lines: list[str] = []
        self.inputs: dict[str, Any] = {}
        self.arrays: list[ArrayVariable] = []
        self.lists: list[ListVariable] = []
        self.maps: list[MapVariable] = []
        self.narrow: list[NarrowArray] = []
        self.complex: list[ComplexArray] = []
        """Arrays of other numbers than `Int` and `Double`."""
        self.tables: list[str] = []
        """Vectors of vectors of `Double`s."""
        self.list_arrays: list[ListArray] = []
        self.functions: list[Function] = []
        self.monoids: list[Monoid] = []
        self.scalars: list[tuple[str, Element]] = []
        self.pairs: list[tuple[str, bool]] = []
        """Variables that hold a `(Double,Int)`, and whether it is finite."""
        self.globals = Scope()
        self.regions: list[Region] = []
        self.over: list[RegionArray] = []
        """The arrays over regions."""
        self.floods: list[ArrayVariable] = []
        """Arrays of which a dimension is a flood dimension."""
        self.twins: list[str] = []

    # ---- choices ---------------------------------------------------------------------------

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

    def uses(self, feature: str, percent: int = 100) -> bool:
        """Whether to use a part of the language here."""
        return feature in self.features and self.chance(percent)

    # ---- declarations ----------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        """A name that was not used before."""
        self._names += 1
        return f"{prefix}{self._names}"

    def declare(self, name: str, value: str) -> None:
        """A variable of the program."""
        self.lines.append(f"var {name} = {value};")

    # ---- families of syntax ----------------------------------------------------------------

    def read(self, scope: Scope, element: Element) -> str | None:
        """The element of an array or a map, if there is one to read."""
        return self._families.read(self, scope, element)

    def condition(self, scope: Scope, depth: int = 2) -> str:
        """A Boolean expression."""
        return self._families.condition(self, scope, depth)

    def nested_total(self, scope: Scope, element: Element) -> str:
        """A reduction of a comprehension that may use what is in scope."""
        return self._families.nested_total(self, scope, element)

    def generator(self, scope: Scope, bound: Bound, *, joined: bool) -> list[str]:
        """A generator; if `joined`, perhaps with guards that tie it to what is bound already."""
        return self._families.generator(self, scope, bound, joined)

    def head(self, scope: Scope, *, outermost: bool) -> str:
        """The head of one loop."""
        return self._families.head(self, scope, outermost)

    def write(self, scope: Scope) -> str:
        """An assignment or an accumulation."""
        return self._families.write(self, scope)
