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

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import gcd

from diablo.linear_sums import LinearSum

_MOST = 120
"""With more inequalities than this at one time, there may be a solution."""


Sum = LinearSum[Hashable]


@dataclass(frozen=True)
class System:
    """Sums that are zero, and sums that are not negative."""

    zero: tuple[Sum, ...] = ()
    natural: tuple[Sum, ...] = ()

    def and_zero(self, *sums: Sum) -> System:
        """The system with more equations."""
        return System((*self.zero, *sums), self.natural)

    def and_natural(self, *sums: Sum) -> System:
        """The system with more inequalities."""
        return System(self.zero, (*self.natural, *sums))

    def may_hold(self) -> bool:
        """Return whether integers for the variables may fulfil all of it."""
        natural = self._without_equations()
        return natural is not None and _may_be_natural(natural)

    def _without_equations(self) -> list[Sum] | None:
        """The inequalities, with the equations solved and put in; nothing if these cannot be."""
        zero: list[Sum] = list(self.zero)
        natural: list[Sum] = list(self.natural)
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
            equation = equation.divided(divisor)
            chosen, factor = min(equation.terms.items(), key=_size)
            rest = equation.without(chosen)
            if abs(factor) == 1:
                value = rest * -factor
            else:
                # Of the others, multiples of the factor go into a new variable: what is left
                # of them is smaller.
                fresh += 1
                value = Sum({("quotient", id(self), fresh): 1}) - rest.divided(factor)
                zero.append(equation)
            zero = [other.replaced({chosen: value}) for other in zero]
            natural = [other.replaced({chosen: value}) for other in natural]
        return natural


def _size(term: tuple[Hashable, int]) -> int:
    return abs(term[1])


def _rounded(sums: Iterable[Sum]) -> dict[frozenset[tuple[Hashable, int]], Sum] | None:
    """The inequalities divided by their factors, the strongest of each kind; none if one fails."""
    found: dict[frozenset[tuple[Hashable, int]], Sum] = {}
    for each in sums:
        divisor = gcd(*each.terms.values())
        if not divisor:
            if each.constant < 0:
                return None
            continue
        rounded = each.divided(divisor)
        kind = frozenset(rounded.terms.items())
        if kind not in found or rounded.constant < found[kind].constant:
            found[kind] = rounded
    return found


def _may_be_natural(sums: Iterable[Sum]) -> bool:
    """Return whether no contradiction follows when the variables are eliminated."""
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
        below = [each for each in known.values() if each.factor(chosen) > 0]
        above = [each for each in known.values() if each.factor(chosen) < 0]
        rest = [each for each in known.values() if chosen not in each.terms]
        if len(rest) + len(below) * len(above) > _MOST:
            return True
        for least in below:
            for most in above:
                rest.append(least * -most.terms[chosen] + most * least.terms[chosen])
        known = _rounded(rest)
    return known is not None
