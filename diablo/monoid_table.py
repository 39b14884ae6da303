"""The table of built-in monoids, which the compiler and running programs read.

A row says how a monoid is spelled, on what it is defined, its identity, and what combines two
values: as Python, in the IR, in NumPy:

    "min": BuiltinMonoid("min", "min", inf, min, _numbers("minsi", "minimumf"), "minimum", "min")

What else is asked of a monoid, as whether it is idempotent or which value annihilates, is found by
combining samples. A new monoid is a new row. Neither xDSL nor NumPy is needed here: the ops and
ufuncs are named, and found by `diablo.dialects.monoids` and `diablo.runtime.monoid_ufuncs`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import inf, isinf, nan
from typing import Any, Literal

Domain = Literal["integer", "unsigned", "floating", "complex", "boolean"]
"""What the values of a monoid are."""

_SAMPLES: dict[Domain, tuple[Any, ...]] = {
    "integer": (-3, -1, 0, 1, 2, 7),
    "unsigned": (0, 1, 2, 7),
    "floating": (-2.5, -1.0, 0.0, 1.0, 1.5, 4.0),
    "complex": (-2.5, -1j, 0.0, 1.0, 1.5 + 2j, 4.0),
    "boolean": (False, True),
}


@dataclass(frozen=True)
class BuiltinMonoid:
    """A commutative monoid over integers, floats, complex numbers or Booleans.

    Parameters
    ----------
    name : str
        Its name in the IR, and in what running programs are told.
    symbol : str
        How the language spells it: `+/e`, `d min= e`.
    identity : float
        Its neutral element. An infinity is the least or greatest of the integers there are.
    combine : callable
        What combines two values, for samples of them: NaN is not among these.
    operations : mapping
        For each domain on which it is defined the op that combines two values: of `complex` on
        complex numbers, of `arith` elsewhere.
    ufunc : str
        The NumPy ufunc that combines arrays of values.
    fold : str
        The NumPy function that folds an array; the ufunc's `reduce` if it is empty.
    inverse : str
        The operator of the language that takes out again what was combined.
    sparse : str
        The method of SciPy's sparse arrays that combines two of them; if it is empty they are
        made dense for that.
    atomics : mapping
        For each domain on which memory combines a value with what it holds in one step, and the
        order of such steps changes nothing: what LLVM's `atomicrmw` calls that.
    unordered : str
        The same for floats, of which the order of such steps changes the last bits.
    """

    name: str
    symbol: str
    identity: float
    combine: Callable[[Any, Any], Any]
    operations: Mapping[Domain, str]
    ufunc: str
    fold: str = ""
    inverse: str = ""
    sparse: str = ""
    atomics: Mapping[Domain, str] = field(default_factory=dict[Domain, str])
    unordered: str = ""

    @property
    def is_word(self) -> bool:
        """Whether the symbol is a word: two values are combined by a call, `min(x,y)`."""
        return self.symbol.isidentifier()

    @property
    def on_numbers(self) -> bool:
        """Whether it is defined on some numbers, and not on Booleans alone."""
        return any(domain != "boolean" for domain in self.operations)

    @property
    def numpy_fold(self) -> str:
        """The function that folds an array in NumPy: `np.sum`, `np.bitwise_xor.reduce`."""
        return f"np.{self.fold or f'{self.ufunc}.reduce'}"

    @property
    def needs_initial(self) -> bool:
        """Whether NumPy has to be told what the fold of nothing is."""
        return isinf(self.identity)

    @property
    def is_ordered(self) -> bool:
        """Whether every two values that it combines can be compared: complex ones cannot."""
        return "complex" not in self.operations

    def identity_of(self, domain: Domain, bits: int = 64) -> float:
        """The neutral element among integers of so many bits, other numbers or Booleans."""
        if domain == "boolean":
            return self.identity > 0
        if domain == "unsigned" and isinf(self.identity):
            return 2**bits - 1 if self.identity > 0 else 0
        if domain == "integer" and isinf(self.identity):
            return 2 ** (bits - 1) - 1 if self.identity > 0 else -(2 ** (bits - 1))
        return self.identity

    @property
    def is_sum(self) -> bool:
        """Whether it adds numbers up, which BLAS and `np.bincount` do."""
        return self.combine is operator.add

    @property
    def neutral_zero(self) -> bool:
        """Whether zero, the implicit value of arrays, changes nothing."""
        return self.identity == 0

    @cached_property
    def idempotent(self) -> bool:
        """Whether a value combined with itself is that value."""
        return all(self.combine(x, x) == x for (x,) in self._samples(1))

    @cached_property
    def repeated(self) -> Literal["value", "multiple", "power", ""]:
        """What equal values give: the value, a multiple of it, a power; nothing if it is unknown.

        Of n of them it is n times the value, or its n-th power.
        """
        if self.idempotent:
            return "value"
        threes = [(x, self.combine(x, self.combine(x, x))) for (x,) in self._samples(1)]
        if all(three == 3 * x for x, three in threes):
            return "multiple"
        return "power" if all(three == x * x * x for x, three in threes) else ""

    @cached_property
    def extremum(self) -> Literal["<", ">", ""]:
        """The sign by which the value that is kept compares with others, if it is an extremum."""
        if not self.on_numbers or not self.is_ordered:
            return ""
        if all(self.combine(x, y) == min(x, y) for x, y in self._samples(2)):
            return "<"
        return ">" if all(self.combine(x, y) == max(x, y) for x, y in self._samples(2)) else ""

    @cached_property
    def annihilator(self) -> float | None:
        """The value that gives itself with every other, if there is one."""
        among = [x for (x,) in self._samples(1)] + [inf, -inf] * self.on_numbers
        for value in (0, 1, inf, -inf) if self.on_numbers else (False, True):
            if all(self.combine(value, x) == value for x in among):
                return value
        return None

    @cached_property
    def mixes_parts(self) -> bool:
        """Whether the real part of two complex numbers combined is not that of their real parts."""
        pairs = product(map(complex, _SAMPLES["complex"]), repeat=2)
        return "complex" in self.operations and any(
            self.combine(x, y).real != self.combine(x.real, y.real) for x, y in pairs
        )

    @cached_property
    def keeps_sign(self) -> bool:
        """Whether numbers that are not negative give one that is not."""
        pairs = self._samples(2, ordered=True)
        return all(self.combine(x, y) >= 0 for x, y in pairs if min(x, y) >= 0)

    def absorbs(self, other: BuiltinMonoid) -> bool:
        """Whether a value is left as it is by what `other` makes of it: min(x, max(x, y)) = x."""
        common = self.operations.keys() & other.operations.keys()
        pairs = (pair for domain in common for pair in product(_SAMPLES[domain], repeat=2))
        return bool(common) and all(self.combine(x, other.combine(x, y)) == x for x, y in pairs)

    def _samples(self, count: int, *, ordered: bool = False) -> Iterable[tuple[Any, ...]]:
        for domain in self.operations or _SAMPLES:
            if not (ordered and domain == "complex"):
                yield from product(_SAMPLES[domain], repeat=count)


def _numbers(integer: str, floating: str, complex: str = "") -> dict[Domain, str]:
    unsigned = integer.removesuffix("si") + "ui" if integer.endswith("si") else integer
    names: dict[Domain, str] = {"integer": integer, "unsigned": unsigned, "floating": floating}
    return {**names, "complex": complex} if complex else names


# Of Booleans, of which false is the lesser, `and` is the minimum and `or` the maximum.
MONOIDS: dict[str, BuiltinMonoid] = {
    "add": BuiltinMonoid(
        "add",
        "+",
        0,
        operator.add,
        _numbers("addi", "addf", "add"),
        "add",
        "sum",
        "-",
        "__add__",
        {"integer": "add", "unsigned": "add"},
        unordered="fadd",
    ),
    "mul": BuiltinMonoid(
        "mul",
        "*",
        1,
        operator.mul,
        _numbers("muli", "mulf", "mul"),
        "multiply",
        "prod",
        sparse="multiply",
    ),
    "min": BuiltinMonoid(
        "min",
        "min",
        inf,
        min,
        _numbers("minsi", "minimumf"),
        "minimum",
        "min",
        sparse="minimum",
        atomics={"integer": "min", "unsigned": "umin"},
    ),
    "max": BuiltinMonoid(
        "max",
        "max",
        -inf,
        max,
        _numbers("maxsi", "maximumf"),
        "maximum",
        "max",
        sparse="maximum",
        atomics={"integer": "max", "unsigned": "umax"},
    ),
    "and": BuiltinMonoid(
        "and",
        "&&",
        True,
        min,
        {"boolean": "andi"},
        "logical_and",
        "all",
        sparse="multiply",
        atomics={"boolean": "and"},
    ),
    "or": BuiltinMonoid(
        "or",
        "||",
        False,
        max,
        {"boolean": "ori"},
        "logical_or",
        "any",
        sparse="__add__",
        atomics={"boolean": "or"},
    ),
}

_UNKNOWN = BuiltinMonoid("", "", nan, lambda x, y: nan, {}, "")
"""What is known of a monoid that a program defines: NaN is equal to nothing."""


def monoid_named(name: str | None) -> BuiltinMonoid:
    """The monoid of a name in the IR; of a program's own one that has no properties."""
    return MONOIDS.get(name or "", _UNKNOWN)


def monoid_of_ufunc(name: str) -> BuiltinMonoid:
    """The monoid that a ufunc combines by; one that has no properties, if it is none's."""
    return next((m for m in MONOIDS.values() if m.ufunc == name), _UNKNOWN)


def monoid_of_symbol(symbol: str | None) -> BuiltinMonoid | None:
    """The monoid that the language spells `symbol`."""
    return next((m for m in MONOIDS.values() if m.symbol == symbol), None)


def monoid_symbols() -> list[str]:
    """Return how the language spells the monoids."""
    return [m.symbol for m in MONOIDS.values()]


def monoid_on(domain: str, name: str) -> str | None:
    """The monoid that does on values of a domain what the one of a name does on numbers.

    On truth values that is the one that gives whether the other's result of 0s and 1s is not 0.
    """
    monoid = MONOIDS[name]
    if domain in monoid.operations:
        return name
    if domain != "boolean":
        return None
    pairs = list(product((False, True), repeat=2))
    return next(
        other.name
        for other in MONOIDS.values()
        if domain in other.operations
        and all(bool(monoid.combine(x, y)) == other.combine(x, y) for x, y in pairs)
    )


def extremum_monoid(sign: str) -> BuiltinMonoid:
    """The monoid that keeps the least value, `<`, or the greatest, `>`."""
    return next(m for m in MONOIDS.values() if m.extremum == sign)


def annihilated_by(truth: bool) -> BuiltinMonoid:
    """The monoid on Booleans that gives `truth` as soon as one of its values is that."""
    return next(m for m in MONOIDS.values() if m.annihilator is truth)
