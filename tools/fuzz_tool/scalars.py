"""Writes random scalar expressions: numbers, Booleans, strings, and conditions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from random import Random
from typing import Any

from diablo.dialects.functions.function_values import value_at
from diablo.dialects.functions.number_ranges import ANYTHING
from diablo.dialects.functions.scalar_functions import FUNCTIONS
from diablo.tools.fuzz_tool.choices import Choices
from diablo.tools.fuzz_tool.model import (
    ArrayVariable,
    Element,
    Function,
    ListArray,
    ListVariable,
    MapVariable,
    Monoid,
    Scope,
)

OPERATORS = ("+", "+", "-", "*")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
CONSTANTS: dict[Element, tuple[str, ...]] = {
    "Int": ("0", "1", "2", "3", "-1", "n"),
    "Double": ("0.0", "0.5", "1.0", "-1.5", "0.25"),
    "Boolean": ("true", "false"),
    "String": ('""', '"a"', '"b"', '"ab"', '"a b"', '"B"'),
}

EXTREMES = (
    *("9223372036854775807", "9223372036854775806", "-9223372036854775807"),
    *("-9223372036854775808", "4611686018427387904", "3037000500", "2147483648"),
)
"""Integers whose sums and products wrap around."""


def _smooth_functions() -> list[str]:
    """Functions of the table that take any number, grow no faster than it and have no steps."""
    found: list[str] = []
    for name, function in FUNCTIONS.items():
        row = function.floating
        if row is None or row.monotone != "increasing" or row.domain != ANYTHING:
            continue
        steep = value_at(row, 1e6) > 1e6 or value_at(row, 1e-9) > 1e-6
        if not steep and value_at(row, 0.25) < value_at(row, 0.5):
            found.append(name)
    return found


SMOOTH_FUNCTIONS = _smooth_functions()
WORD_FUNCTIONS = [n for n, f in FUNCTIONS.items() if f.arity == 2 and f.floating is None]


class ScalarWriter(Choices, ABC):
    """The part of the writer that knows scalar expressions."""

    def __init__(self, random: Random, features: Collection[str]):
        super().__init__(random)
        self.features = frozenset(features)
        self.lines: list[str] = []
        self.inputs: dict[str, Any] = {}
        self.arrays: list[ArrayVariable] = []
        self.lists: list[ListVariable] = []
        self.maps: list[MapVariable] = []
        self.tables: list[str] = []
        """Vectors of vectors of `Double`s."""
        self.list_arrays: list[ListArray] = []
        self.functions: list[Function] = []
        self.monoids: list[Monoid] = []
        self.scalars: list[tuple[str, Element]] = []
        self.pairs: list[tuple[str, bool]] = []
        """Variables that hold a `(Double,Int)`, and whether it is finite."""
        self.globals = Scope()

    def uses(self, feature: str, percent: int = 100) -> bool:
        """Whether to use a part of the language here."""
        return feature in self.features and self.chance(percent)

    @abstractmethod
    def nested_total(self, scope: Scope, element: Element) -> str:
        """A reduction of a comprehension that may use what is in scope."""

    def element(self) -> Element:
        """A type that values may have."""
        if self.uses("strings", 12):
            return "String"
        if self.uses("booleans", 12):
            return "Boolean"
        return self.number()

    def number(self) -> Element:
        """A type of numbers."""
        return "Double" if self.chance(65) else "Int"

    # ---- indices and reads -----------------------------------------------------------------

    def affine(self, scope: Scope) -> str:
        """An index expression in at most two variables."""
        if not scope.indices or self.chance(6):
            return self.pick(("0", "1", "n-1"))
        i, j = self.pick(scope.indices), self.pick(scope.indices)
        if self.chance(50):
            return i
        return self.pick(
            (f"{i}+1", f"{i}-1", f"n-1-{i}", f"2*{i}", f"{i}/2", f"{i}+{j}", f"({i}+1)%n", f"m-{i}")
        )

    def injective(self, index: str) -> str:
        """An expression that differs wherever `index` does."""
        if self.chance(65):
            return index
        return self.pick((f"n-1-{index}", f"{index}+1", f"2*{index}", f"{index}-1", f"m-1-{index}"))

    def key(self, scope: Scope, element: Element) -> str:
        """A key to look into a map with."""
        if element == "Double":
            return self.float_key(scope)
        return self.affine(scope) if element == "Int" else self.leaf(scope.silent(), element)

    def float_key(self, scope: Scope) -> str:
        """A float to group by or to look for: few different ones, infinities, NaN and zeros."""
        specials = ("inf", "-inf", "(0.0/0.0)", "0.0", "-0.0", "1.5")
        chosen = [self.pick(specials) for _ in range(2)]
        return f"(if ({self.condition(scope)}) {chosen[0]} else {chosen[1]})"

    def read(self, scope: Scope, element: Element) -> str | None:
        """The element of an array or a map."""
        if not scope.reads or not scope.nesting:
            return None
        maps = [m for m in self.maps if m.value == element]
        if maps and self.chance(35):
            chosen = self.pick(maps)
            return f"{chosen.name}[{self.key(scope, chosen.key)}]"
        if self.tables and element == "Double" and self.chance(30):
            return f"{self.pick(self.tables)}[{self.affine(scope)}][{self.affine(scope)}]"
        arrays = [a for a in (*self.arrays, *scope.arrays) if a.element in (element, "Pair")]
        if element not in ("Int", "Double"):
            arrays = [a for a in arrays if a.element != "Pair"]
        if not arrays or not scope.indices:
            return None
        array = self.pick(arrays)
        indices = [self.affine(scope) for _ in array.dims]
        if self.chance(12):
            indices = [indices[0]] * len(indices)
        part = "" if array.element != "Pair" else "._1" if element == "Double" else "._2"
        return f"{array.name}[{','.join(indices)}]{part}"

    # ---- expressions -----------------------------------------------------------------------

    def leaf(self, scope: Scope, element: Element) -> str:
        """A constant, a variable or an element."""
        if self.chance(35) and (text := self.read(scope, element)) is not None:
            return text
        if element == "Int" and self.uses("extreme integers", 20):
            return self.pick(EXTREMES)
        known = scope.values[element]
        if known and self.chance(80):
            return self.pick(known)
        return self.pick(CONSTANTS[element])

    def scalar(self, scope: Scope, element: Element, depth: int = 2) -> str:
        """An expression of a type; in an `Int` there is no division but those in scope."""
        if depth == 0 or self.chance(35):
            return self.leaf(scope, element)
        if self.uses("functions", 15) and (text := self.call(scope, element, depth)):
            return text
        if scope.nesting in (1, 2) and self.uses("nested totals", 12):
            return self.nested_total(scope, element)
        if self.chance(6):
            branch = scope if self.uses("branch reads") else scope.silent()
            then, otherwise = self.leaf(branch, element), self.leaf(branch, element)
            return f"(if ({self.condition(branch, 1)}) {then} else {otherwise})"
        if element == "String":
            return self.string(scope, depth)
        if element == "Boolean":
            return f"({self.condition(scope, depth - 1)})"
        return self.arithmetic(scope, element, depth)

    def arithmetic(self, scope: Scope, element: Element, depth: int) -> str:
        """An operation on numbers."""
        kind = self.count(1, 100)
        if kind <= 70:
            left = self.scalar(scope, element, depth - 1)
            return f"({left} {self.pick(OPERATORS)} {self.scalar(scope, element, depth - 1)})"
        if kind <= 78:
            inner = self.scalar(scope, element, depth - 1)
            return f"{self.pick(('min', 'max'))}({inner}, {self.leaf(scope, element)})"
        if kind <= 84:
            return f"abs({self.scalar(scope, element, depth - 1)})"
        if kind <= 89:
            return f"(-{self.leaf(scope, element)})"
        if element == "Int":
            if scope.bags and kind <= 94:
                return f"{self.pick(scope.bags).text}.length"
            if scope.values["String"] and kind <= 97:
                return f"{self.pick(scope.values['String'])}.length"
            if self.chance(30):
                bits = self.pick(("1", "3", "7", "64"))
                return f"{self.pick(WORD_FUNCTIONS)}({self.leaf(scope, 'Int')}, {bits})"
            return f"({self.leaf(scope, 'Int')} {self.pick(('%', '/'))} {self.pick(('2', '3'))})"
        if kind <= 93:
            return f"({self.leaf(scope, 'Double')} / 2.0)"
        if kind <= 95:
            if self.chance(50):
                return f"{self.pick(SMOOTH_FUNCTIONS)}({self.leaf(scope, 'Double')})"
            return f"sqrt(abs({self.leaf(scope, 'Double')}))"
        # Beside a huge integer nothing would be left of a fraction to compare.
        other: Element = "Double" if self.uses("extreme integers") else "Int"
        return f"({self.leaf(scope, 'Double')} + {self.leaf(scope, other)})"

    def string(self, scope: Scope, depth: int) -> str:
        """An operation that gives a string and cannot fail."""
        inner = self.scalar(scope, "String", depth - 1)
        kind = self.count(1, 100)
        if kind <= 35:
            return f"({inner} + {self.leaf(scope, 'String')})"
        if kind <= 50:
            return f"({inner} + {self.leaf(scope, 'Int')})"
        if kind <= 60:
            return f"toString({self.leaf(scope, 'Int')})"
        if kind <= 70:
            return f"{inner}.{self.pick(('toUpper', 'toLower', 'trim'))}()"
        if kind <= 80:
            return f'{inner}.replace("a", {self.leaf(scope, "String")})'
        known = scope.values["String"]
        if not known:
            return inner
        text = self.pick(known)
        return f"{text}.substring(0, min({self.pick(('1', '2'))}, {text}.length))"

    def call(self, scope: Scope, element: Element, depth: int) -> str | None:
        """A call of one of the program's functions."""
        fitting = [f for f in self.functions if f.result == element]
        if not fitting:
            return None
        function = self.pick(fitting)
        arguments = [self.scalar(scope, p, depth - 1) for p in function.parameters]
        if function.name.startswith("twice"):
            arguments.insert(0, self.pick(("x => x * 2.0", "x => x - 0.5", "x => abs(x)")))
        return f"{function.name}({', '.join(arguments)})"

    # ---- conditions ------------------------------------------------------------------------

    def condition(self, scope: Scope, depth: int = 2) -> str:
        """A Boolean expression."""
        kind = self.count(1, 100)
        if depth > 1 and kind <= 12:
            join = self.pick(("&&", "||"))
            other = self.condition(scope if self.uses("branch reads") else scope.silent(), 1)
            return f"({self.condition(scope, 1)} {join} {other})"
        if depth > 0 and kind <= 16:
            return f"!({self.condition(scope, 0)})"
        if kind <= 24 and scope.values["Int"]:
            divisor = self.pick(scope.values["Int"])
            other = self.pick(scope.silent().values["Int"] or ["7"])
            return f"({divisor} != 0 && {other} {self.pick(('/', '%'))} {divisor} < 2)"
        if kind <= 30 and scope.values["Boolean"]:
            return self.pick(scope.values["Boolean"])
        if kind <= 40 and scope.values["String"]:
            return self.string_condition(scope)
        if kind <= 65 and scope.indices:
            return f"{self.affine(scope)} {self.pick(COMPARISONS)} {self.affine(scope)}"
        element: Element = "Int" if kind <= 78 else "Double"
        left, right = self.scalar(scope, element, 1), self.leaf(scope, element)
        comparisons = COMPARISONS[:4] if element == "Double" else COMPARISONS
        return f"{left} {self.pick(comparisons)} {right}"

    def string_condition(self, scope: Scope) -> str:
        """A comparison of strings."""
        text, other = self.leaf(scope, "String"), self.leaf(scope, "String")
        if self.chance(60):
            return f"{text} {self.pick(COMPARISONS)} {other}"
        return f"{text}.{self.pick(('contains', 'startsWith', 'endsWith'))}({other})"
