"""Indices as sums of index variables and values from outside, and their equations.

Reads the `comprehension` level; writes nothing. With

    %i, %a = each %V; %ii, %b = each %W; guard %ii == %i - 1

the equation solved for %ii says that W is read at `i - 1` where V is read at `i`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import SSAValue

from diablo.linear_sums import LinearSum, term
from diablo.passes.analyses.linear_forms import LinearForm, linear_form

Variable = Any
"""What an index is a sum of: an index variable (an `SSAValue`), a `Fresh` one, or its number."""


@dataclass(eq=False, frozen=True)
class Fresh:
    """A variable that the comprehension does not name: a key, or a step in a window."""

    name: str | None = None


@dataclass(frozen=True)
class IndexForm:
    """A sum of index variables, and one of values from outside, which has the constant.

    With a `period`, a value from outside, it is the sum's remainder, which is never negative.
    Only where an array is read there are periods: nothing is added to such a form.
    """

    inside: LinearSum[Variable]
    outside: LinearForm
    period: SSAValue | None = None

    @staticmethod
    def of(variable: Variable) -> IndexForm:
        """The variable itself."""
        return IndexForm(term(variable), LinearForm())

    @property
    def variables(self) -> Collection[Variable]:
        """The variables with a factor."""
        return self.inside.variables

    @property
    def alone(self) -> Variable | None:
        """The variable that this is, if it is one."""
        return self.inside.alone if self.outside.number == 0 and self.period is None else None

    def factor(self, variable: Variable) -> int:
        """How often a variable is in the sum."""
        return self.inside.factor(variable)

    def __add__(self, other: IndexForm | int) -> IndexForm:
        if isinstance(other, int):
            return IndexForm(self.inside, self.outside + other)
        return IndexForm(self.inside + other.inside, self.outside + other.outside)

    def __sub__(self, other: IndexForm) -> IndexForm:
        return IndexForm(self.inside - other.inside, self.outside - other.outside)

    def __mul__(self, factor: int) -> IndexForm:
        return IndexForm(self.inside * factor, self.outside * factor)

    def without(self, variable: Variable) -> IndexForm:
        """The sum of the others."""
        return IndexForm(self.inside.without(variable), self.outside)

    def replaced(self, forms: Mapping[Variable, IndexForm]) -> IndexForm:
        """The form with some variables replaced by what they are."""
        found = {v: forms[v] for v in self.variables if v in forms}
        inside = self.inside.replaced({v: form.inside for v, form in found.items()})
        outside = (form.outside * self.factor(v) for v, form in found.items())
        return IndexForm(inside, sum(outside, self.outside))


def index_form(
    value: SSAValue,
    is_variable: Callable[[SSAValue], bool],
    is_inside: Callable[[SSAValue], bool],
) -> IndexForm | None:
    """`value` as a form of variables; `None` if it is anything else computed inside."""
    form = linear_form(value, lambda v: is_variable(v) or not is_inside(v))
    inside: dict[Variable, int] = {v: f for v, f in form.terms.items() if is_variable(v)}
    outside = {v: f for v, f in form.terms.items() if v not in inside}
    if any(map(is_inside, outside)):
        return None
    return IndexForm(LinearSum(inside), LinearSum(outside, form.constant))


@dataclass
class Equations:
    """Equations between variables, each solved for one of them.

    `order` lists the variables from those that are best eliminated to those that should stay.
    """

    order: Sequence[Variable]
    solved: dict[Variable, IndexForm] = field(default_factory=dict[Variable, IndexForm])
    left: list[IndexForm] = field(default_factory=list[IndexForm])
    """Forms that must be zero, but could not be solved for a variable."""

    def reduced(self, form: IndexForm) -> IndexForm:
        """The form in terms of the variables that are not eliminated."""
        return form.replaced(self.solved)

    def require_zero(self, form: IndexForm, keep: Iterable[Variable] = ()) -> None:
        """Add the equation `form == 0`; the variables in `keep` are not solved for."""
        form = self.reduced(form)
        kept = set(keep)
        pivot = next(
            (v for v in self.order if v not in kept and abs(form.factor(v)) == 1),
            None,
        )
        if pivot is None:
            if form.variables or form.outside.number != 0:
                self.left.append(form)
            return
        # factor * pivot + rest == 0, and the factor is its own inverse.
        found = form.without(pivot) * -form.factor(pivot)
        self.solved = {v: f.replaced({pivot: found}) for v, f in self.solved.items()}
        self.left = [f.replaced({pivot: found}) for f in self.left]
        self.solved[pivot] = found
