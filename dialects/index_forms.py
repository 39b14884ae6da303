"""Indices as sums of dimensions and of what does not vary with them, which may wrap around.

    d0 - d1 + (s0 + 1)          (d0 + (s0)) mod s1

A *dimension* is the number of one in the ops over an iteration space (`access_maps.py`), and a
variable of a comprehension, or what stands for one, while that is lowered
(lowering/tensor_block/query/linear_equations.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from diablo.linear_sums import LinearSum, term

D = TypeVar("D", bound=Hashable)
S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)
T = TypeVar("T", bound=Hashable)

_NOTHING: LinearSum[Any] = LinearSum()


@dataclass(frozen=True)
class IndexForm(Generic[D, S]):
    """A sum of dimensions, `inside`, and one of symbols, `outside`, which has the constant.

    With a `period`, a symbol or a positive number, it is the sum's remainder, which is never
    negative: nothing is added to such a form.
    """

    inside: LinearSum[D] = _NOTHING
    outside: LinearSum[S] = _NOTHING
    period: LinearSum[S] | None = None

    @staticmethod
    def of(dimension: D) -> IndexForm[D, Any]:
        """The dimension itself."""
        return IndexForm(term(dimension))

    @property
    def dimensions(self) -> Collection[D]:
        """The dimensions with a factor."""
        return self.inside.variables

    @property
    def constant(self) -> int:
        """The number that is added."""
        return self.outside.constant

    @property
    def alone(self) -> D | None:
        """The dimension that this is, if it is one."""
        return self.inside.alone if self.outside.number == 0 and self.period is None else None

    @property
    def sum(self) -> IndexForm[D, S]:
        """This without its period."""
        return IndexForm(self.inside, self.outside)

    @property
    def without_constant(self) -> IndexForm[D, S]:
        """This with 0 for the constant."""
        return IndexForm(self.inside, self.outside - self.constant, self.period)

    def factor(self, dimension: D) -> int:
        """Return how often a dimension is in the sum."""
        return self.inside.factor(dimension)

    def wrapped(self, period: LinearSum[S]) -> IndexForm[D, S]:
        """The remainder of this by `period`."""
        assert self.period is None
        return IndexForm(self.inside, self.outside, period)

    def __add__(self, other: IndexForm[D, S] | int) -> IndexForm[D, S]:
        assert self.period is None
        if isinstance(other, int):
            return IndexForm(self.inside, self.outside + other)
        assert other.period is None
        return IndexForm(self.inside + other.inside, self.outside + other.outside)

    def __sub__(self, other: IndexForm[D, S]) -> IndexForm[D, S]:
        return self + other * -1

    def __mul__(self, factor: int) -> IndexForm[D, S]:
        assert self.period is None
        return IndexForm(self.inside * factor, self.outside * factor)

    def without(self, dimension: D) -> IndexForm[D, S]:
        """The sum of the others."""
        assert self.period is None
        return IndexForm(self.inside.without(dimension), self.outside)

    def replaced(self, forms: Mapping[D, IndexForm[D, S]]) -> IndexForm[D, S]:
        """The form with some dimensions replaced by what they are, none of it wrapped around."""
        found = {d: forms[d] for d in self.dimensions if d in forms}
        assert all(form.period is None for form in found.values())
        inside = self.inside.replaced({d: form.inside for d, form in found.items()})
        outside = (form.outside * self.factor(d) for d, form in found.items())
        return IndexForm(inside, sum(outside, self.outside), self.period)

    def renamed(self, dimension: Callable[[D], E], symbol: Callable[[S], T]) -> IndexForm[E, T]:
        """The form with other names for dimensions and symbols."""
        period = None if self.period is None else self.period.renamed(symbol)
        return IndexForm(self.inside.renamed(dimension), self.outside.renamed(symbol), period)
