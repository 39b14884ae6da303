"""Sums of multiples of variables and a constant: `2·i - j + 3`.

    i, j = term("i"), term("j")
    2 * i - j + 3 == 3 - j + i * 2

A variable is whatever can be the key of a dictionary: a value of the IR, a number of a dimension,
a name in the checker. All that computes with such sums does it here; what is made of them, and
into what they are written, is said where the variables are known. Neither xDSL nor NumPy is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)
W = TypeVar("W", bound=Hashable)


@dataclass(frozen=True)
class LinearSum(Generic[V]):
    """The sum of `terms`, each a variable and its factor, which is not 0, and of `constant`.

    Sums are equal if they have the same terms, in whatever order; the order is that in which the
    terms were added, and a sum that takes the place of a variable stands where that stood.

    >>> i, j = term("i"), term("j")
    >>> i + 2 * j - i == j * 2
    True
    >>> (i - j).replaced({"i": j + 1})
    LinearSum(terms={}, constant=1)
    """

    terms: Mapping[V, int] = field(default_factory=dict[V, int])
    constant: int = 0

    def __hash__(self) -> int:
        return hash((frozenset(self.terms.items()), self.constant))

    # ---- what is in it -------------------------------------------------------------

    @property
    def variables(self) -> Collection[V]:
        """The variables with a factor, in their order."""
        return self.terms.keys()

    @property
    def number(self) -> int | None:
        """The number that the sum is if it has no terms."""
        return None if self.terms else self.constant

    @property
    def alone(self) -> V | None:
        """The variable that the sum is, if it is one."""
        if self.constant or len(self.terms) != 1:
            return None
        ((variable, factor),) = self.terms.items()
        return variable if factor == 1 else None

    def factor(self, variable: V) -> int:
        """Return how often a variable is in the sum; 0 if it is not."""
        return self.terms.get(variable, 0)

    # ---- arithmetic ----------------------------------------------------------------

    def __add__(self, other: LinearSum[V] | int) -> LinearSum[V]:
        if isinstance(other, int):
            return LinearSum(self.terms, self.constant + other)
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: LinearSum[V] | int) -> LinearSum[V]:
        if isinstance(other, int):
            return LinearSum(self.terms, self.constant - other)
        return self._plus(other, -1)

    def __rsub__(self, other: int) -> LinearSum[V]:
        return self * -1 + other

    def __neg__(self) -> LinearSum[V]:
        return self * -1

    def __mul__(self, factor: int) -> LinearSum[V]:
        if factor == 0:
            return LinearSum()
        terms = {variable: factor * old for variable, old in self.terms.items()}
        return LinearSum(terms, factor * self.constant)

    __rmul__ = __mul__

    def _plus(self, other: LinearSum[V], times: int) -> LinearSum[V]:
        terms = dict(self.terms)
        _add(terms, other.terms.items(), times)
        return LinearSum(terms, self.constant + times * other.constant)

    def divided(self, divisor: int) -> LinearSum[V]:
        """The terms divided by a number, and the constant, all rounded down."""
        terms = {v: quotient for v, f in self.terms.items() if (quotient := f // divisor)}
        return LinearSum(terms, self.constant // divisor)

    # ---- other terms ---------------------------------------------------------------

    def without(self, variable: V) -> LinearSum[V]:
        """The sum without the term of a variable."""
        terms = {v: factor for v, factor in self.terms.items() if v != variable}
        return LinearSum(terms, self.constant)

    def replaced(self, sums: Mapping[V, LinearSum[V]]) -> LinearSum[V]:
        """The sum with other sums in the place of some variables, all at once."""
        if sums.keys().isdisjoint(self.terms.keys()):
            return self
        terms: dict[V, int] = {}
        constant = self.constant
        for variable, factor in self.terms.items():
            value = sums.get(variable)
            if value is None:
                _add(terms, ((variable, factor),))
            else:
                _add(terms, value.terms.items(), factor)
                constant += factor * value.constant
        return LinearSum(terms, constant)

    def renamed(self, name: Callable[[V], W]) -> LinearSum[W]:
        """The sum with other variables; those that get one name are added up."""
        return collected(((name(v), factor) for v, factor in self.terms.items()), self.constant)


def _add(terms: dict[V, int], more: Iterable[tuple[V, int]], times: int = 1) -> None:
    """Add multiples of terms, which may leave none of a variable."""
    for variable, factor in more:
        total = terms.get(variable, 0) + times * factor
        if total:
            terms[variable] = total
        else:
            terms.pop(variable, None)


def term(variable: V, factor: int = 1) -> LinearSum[V]:
    """A variable alone, or a multiple of it."""
    return LinearSum({variable: factor} if factor else {})


def collected(terms: Iterable[tuple[V, int]], constant: int = 0) -> LinearSum[V]:
    """The sum of terms of which several may have one variable, and some the factor 0.

    >>> collected([("i", 1), ("j", 0), ("i", 2)], 4)
    LinearSum(terms={'i': 3}, constant=4)
    """
    total: dict[V, int] = {}
    _add(total, terms)
    return LinearSum(total, constant)
