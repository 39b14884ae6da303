"""Decide whether linear equations and inequalities have a solution in integers.

2*x - 2*y = 1                      no: 2 does not divide 1
x = y, x >= 5, y <= 4              no
x = 2*t, y = 2*u + 1, x = y        no

Equations are solved exactly, by steps of Euclid's algorithm on their factors. What is left of the
inequalities is eliminated variable by variable (Fourier and Motzkin), each divided by its
greatest common factor and rounded (Pugh, The Omega test, 1991). `False` is a proof; `True` may
also mean that there are too many of them to tell.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from math import gcd

_MOST = 120
"""With more inequalities than this at one time, there may be a solution."""


@dataclass(frozen=True)
class Linear:
    """A sum of variables times factors that are not 0, and a constant."""

    terms: Mapping[Hashable, int] = field(default_factory=dict[Hashable, int])
    constant: int = 0

    def __add__(self, other: Linear) -> Linear:
        terms = dict(self.terms)
        for variable, factor in other.terms.items():
            terms[variable] = terms.get(variable, 0) + factor
        return Linear({v: f for v, f in terms.items() if f}, self.constant + other.constant)

    def __sub__(self, other: Linear) -> Linear:
        return self + other.times(-1)

    def times(self, factor: int) -> Linear:
        """`factor` times the sum."""
        if factor == 0:
            return Linear()
        return Linear({v: factor * f for v, f in self.terms.items()}, factor * self.constant)

    def plus(self, constant: int) -> Linear:
        """The sum and a constant."""
        return Linear(self.terms, self.constant + constant)

    def replaced(self, variable: Hashable, value: Linear) -> Linear:
        """The sum with `value` for a variable."""
        factor = self.terms.get(variable, 0)
        if not factor:
            return self
        rest = {v: f for v, f in self.terms.items() if v != variable}
        return Linear(rest, self.constant) + value.times(factor)


def variable(name: Hashable) -> Linear:
    """A variable alone."""
    return Linear({name: 1})


@dataclass(frozen=True)
class System:
    """Sums that are zero, and sums that are not negative."""

    zero: tuple[Linear, ...] = ()
    natural: tuple[Linear, ...] = ()

    def and_zero(self, *sums: Linear) -> System:
        """The system with more equations."""
        return System((*self.zero, *sums), self.natural)

    def and_natural(self, *sums: Linear) -> System:
        """The system with more inequalities."""
        return System(self.zero, (*self.natural, *sums))

    def may_hold(self) -> bool:
        """Whether integers for the variables may fulfil all of it."""
        natural = self._without_equations()
        return natural is not None and _may_be_natural(natural)

    def _without_equations(self) -> list[Linear] | None:
        """The inequalities, with the equations solved and put in; nothing if these cannot be."""
        zero: list[Linear] = list(self.zero)
        natural: list[Linear] = list(self.natural)
        fresh = 0
        while zero:
            equation = zero.pop()
            divisor = gcd(*equation.terms.values())
            if not divisor:
                if equation.constant:
                    return None
                continue
            if equation.constant % divisor:
                return None
            terms: dict[Hashable, int] = {v: f // divisor for v, f in equation.terms.items()}
            chosen, factor = min(terms.items(), key=lambda term: abs(term[1]))
            rest = Linear({v: f for v, f in terms.items() if v != chosen})
            rest = rest.plus(equation.constant // divisor)
            if abs(factor) == 1:
                value = rest.times(-factor)
            else:
                # Of the others, multiples of the factor go into a new variable: what is left
                # of them is smaller.
                fresh += 1
                whole = Linear(
                    {v: f // factor for v, f in rest.terms.items() if f // factor},
                    rest.constant // factor,
                )
                value = variable(("quotient", id(self), fresh)) - whole
                zero.append(Linear(terms, equation.constant // divisor).replaced(chosen, value))
            zero = [other.replaced(chosen, value) for other in zero]
            natural = [other.replaced(chosen, value) for other in natural]
        return natural


def _rounded(sums: Iterable[Linear]) -> dict[tuple[tuple[Hashable, int], ...], Linear] | None:
    """The inequalities divided by their factors, the strongest of each kind; none if one fails."""
    found: dict[tuple[tuple[Hashable, int], ...], Linear] = {}
    for each in sums:
        divisor = gcd(*each.terms.values())
        if not divisor:
            if each.constant < 0:
                return None
            continue
        terms = {v: f // divisor for v, f in each.terms.items()}
        key = tuple(sorted(terms.items(), key=lambda term: hash(term[0])))
        constant = each.constant // divisor
        if key not in found or constant < found[key].constant:
            found[key] = Linear(terms, constant)
    return found


def _may_be_natural(sums: Iterable[Linear]) -> bool:
    """Whether no contradiction follows when the variables are eliminated."""
    known = _rounded(sums)
    while known:
        lower: dict[Hashable, int] = {}
        upper: dict[Hashable, int] = {}
        for each in known.values():
            for name, factor in each.terms.items():
                side = lower if factor > 0 else upper
                side[name] = side.get(name, 0) + 1
        names = {*lower, *upper}
        chosen = min(names, key=lambda v: lower.get(v, 0) * upper.get(v, 0))
        below = [each for each in known.values() if each.terms.get(chosen, 0) > 0]
        above = [each for each in known.values() if each.terms.get(chosen, 0) < 0]
        rest = [each for each in known.values() if chosen not in each.terms]
        if len(rest) + len(below) * len(above) > _MOST:
            return True
        for least in below:
            for most in above:
                rest.append(least.times(-most.terms[chosen]) + most.times(least.terms[chosen]))
        known = _rounded(rest)
    return known is not None
