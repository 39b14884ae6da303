"""Linear forms of index variables, and their equations.

Reads the `comprehension` level; writes nothing. With

    %i, %a = each %V; %ii, %b = each %W; guard %ii == %i - 1

the equation solved for %ii says that W is read at `i - 1` where V is read at `i`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import SSAValue

from diablo.passes.analyses import linear_forms

Variable = Any
"""What a form is linear in: an index variable (an `SSAValue`), a `Fresh` one, or its number."""


@dataclass(eq=False, frozen=True)
class Fresh:
    """A variable that the comprehension does not name: a key, or a step in a window."""

    name: str | None = None


def _collected(terms: Iterable[tuple[Any, int]]) -> tuple[tuple[Any, int], ...]:
    total: dict[Any, int] = {}
    for variable, factor in terms:
        total[variable] = total.get(variable, 0) + factor
    return tuple((variable, factor) for variable, factor in total.items() if factor)


@dataclass(frozen=True)
class LinearForm:
    """A sum of variables and values from outside, each with a factor, and a constant.

    With a `period`, a value from outside, it is the sum's remainder, which is never negative.
    Only where an array is read there are periods: nothing is added to such a form.
    """

    terms: tuple[tuple[Variable, int], ...] = ()
    symbols: tuple[tuple[SSAValue, int], ...] = ()
    constant: int = 0
    period: SSAValue | None = None

    @staticmethod
    def of(variable: Variable) -> LinearForm:
        """The variable itself."""
        return LinearForm(((variable, 1),))

    @property
    def variables(self) -> list[Variable]:
        """The variables with a factor."""
        return [variable for variable, _ in self.terms]

    @property
    def alone(self) -> Variable | None:
        """The variable that this is, if it is one."""
        if self.symbols or self.constant or len(self.terms) != 1 or self.terms[0][1] != 1:
            return None
        if self.period is not None:
            return None
        return self.terms[0][0]

    def factor(self, variable: Variable) -> int:
        """How often a variable is in the sum."""
        return dict(self.terms).get(variable, 0)

    def scaled(self, factor: int) -> LinearForm:
        """`factor` times this."""
        return LinearForm(
            _collected((v, f * factor) for v, f in self.terms),
            _collected((s, f * factor) for s, f in self.symbols),
            self.constant * factor,
        )

    def plus(self, other: LinearForm) -> LinearForm:
        """The sum of both."""
        return LinearForm(
            _collected((*self.terms, *other.terms)),
            _collected((*self.symbols, *other.symbols)),
            self.constant + other.constant,
        )

    def minus(self, other: LinearForm) -> LinearForm:
        """The difference."""
        return self.plus(other.scaled(-1))

    def without(self, variable: Variable) -> LinearForm:
        """The sum of the others."""
        kept = tuple((v, f) for v, f in self.terms if v is not variable)
        return LinearForm(kept, self.symbols, self.constant)

    def replaced(self, forms: dict[Variable, LinearForm]) -> LinearForm:
        """The form with some variables replaced by what they are."""
        total = LinearForm((), self.symbols, self.constant)
        for variable, factor in self.terms:
            total = total.plus(forms.get(variable, LinearForm.of(variable)).scaled(factor))
        return total


def linear_form(
    value: SSAValue,
    is_variable: Callable[[SSAValue], bool],
    is_inside: Callable[[SSAValue], bool],
) -> LinearForm | None:
    """`value` as a form of variables; `None` if it is anything else computed inside."""
    sums = linear_forms.linear_form(value, lambda v: is_variable(v) or not is_inside(v))
    variables = {v: f for v, f in sums.terms.items() if is_variable(v)}
    symbols = {v: f for v, f in sums.terms.items() if v not in variables}
    if any(map(is_inside, symbols)):
        return None
    return LinearForm(tuple(variables.items()), tuple(symbols.items()), sums.constant)


@dataclass
class Equations:
    """Equations between variables, each solved for one of them.

    `order` lists the variables from those that are best eliminated to those that should stay.
    """

    order: Sequence[Variable]
    solved: dict[Variable, LinearForm] = field(default_factory=dict[Variable, LinearForm])
    left: list[LinearForm] = field(default_factory=list[LinearForm])
    """Forms that must be zero, but could not be solved for a variable."""

    def reduced(self, form: LinearForm) -> LinearForm:
        """The form in terms of the variables that are not eliminated."""
        return form.replaced(self.solved)

    def require_zero(self, form: LinearForm, keep: Iterable[Variable] = ()) -> None:
        """Add the equation `form == 0`; the variables in `keep` are not solved for."""
        form = self.reduced(form)
        kept = set(keep)
        pivot = next(
            (v for v in self.order if v not in kept and abs(form.factor(v)) == 1),
            None,
        )
        if pivot is None:
            if form.terms or form.symbols or form.constant:
                self.left.append(form)
            return
        # factor * pivot + rest == 0, and the factor is its own inverse.
        found = form.without(pivot).scaled(-form.factor(pivot))
        self.solved = {v: f.replaced({pivot: found}) for v, f in self.solved.items()}
        self.left = [f.replaced({pivot: found}) for f in self.left]
        self.solved[pivot] = found
