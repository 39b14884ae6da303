"""Indices as sums of index variables and values from outside, and their equations.

Reads the `comprehension` level; writes nothing. With

    %i, %a = each %V; %ii, %b = each %W; guard %ii == %i - 1

the equation solved for %ii says that W is read at `i - 1` where V is read at `i`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import SSAValue

from diablo.dialects.index_forms import IndexForm
from diablo.linear_sums import LinearSum
from diablo.passes.analyses.values.linear_forms import linear_form

Variable = Any
"""What an index is a sum of: an index variable (an `SSAValue`), a `Fresh` one, or its number."""


@dataclass(eq=False, frozen=True)
class Fresh:
    """A variable that the comprehension does not name: a key, or a step in a window."""

    name: str | None = None


VariableForm = IndexForm[Variable, SSAValue]
"""A sum of variables and values from outside; where an array is read, it may wrap around."""


def index_form(
    value: SSAValue,
    is_variable: Callable[[SSAValue], bool],
    is_inside: Callable[[SSAValue], bool],
) -> VariableForm | None:
    """`value` as a form of variables; `None` if it is anything else computed inside."""
    form = linear_form(value, lambda v: is_variable(v) or not is_inside(v))
    inside: dict[Variable, int] = {v: f for v, f in form.terms.items() if is_variable(v)}
    outside = {v: f for v, f in form.terms.items() if v not in inside}
    if any(map(is_inside, outside)):
        return None
    return VariableForm(LinearSum(inside), LinearSum(outside, form.constant))


@dataclass
class Equations:
    """Equations between variables, each solved for one of them.

    `order` lists the variables from those that are best eliminated to those that should stay.
    `offsets` are those of them that may count how far one index is from another, with how far they
    reach, if that is known: of an equation between three and more the shortest stays.
    """

    order: Sequence[Variable]
    offsets: Mapping[Variable, int | None] = field(default_factory=dict[Variable, int | None])
    solved: dict[Variable, VariableForm] = field(default_factory=dict[Variable, VariableForm])
    left: list[VariableForm] = field(default_factory=list[VariableForm])
    """Forms that must be zero, but could not be solved for a variable."""

    def reduced(self, form: VariableForm) -> VariableForm:
        """The form in terms of the variables that are not eliminated."""
        return form.replaced(self.solved)

    def require_zero(self, form: VariableForm, keep: Iterable[Variable] = ()) -> None:
        """Add the equation `form == 0`; the variables in `keep` are not solved for."""
        form = self.reduced(form)
        kept = set(keep)
        pivots = [v for v in self.order if v not in kept and abs(form.factor(v)) == 1]
        pivot = self._longest(form, pivots) or next(iter(pivots), None)
        if pivot is None:
            if form.dimensions or form.outside.number != 0:
                self.left.append(form)
            return
        # factor * pivot + rest == 0, and the factor is its own inverse.
        found = form.without(pivot) * -form.factor(pivot)
        self.solved = {v: f.replaced({pivot: found}) for v, f in self.solved.items()}
        self.left = [f.replaced({pivot: found}) for f in self.left]
        self.solved[pivot] = found

    def _longest(self, form: VariableForm, pivots: Sequence[Variable]) -> Variable | None:
        """Return which of several offsets in a sum reaches furthest, if that matters.

        In `jj == j + b` with 3 of b and 32 of jj an iteration over b has 3 steps, and one over jj,
        of which all but 3 make b lie outside of its array, 32. Where it is not known how far they
        reach, a sum of others goes rather than a difference.
        """
        offsets = [v for v in pivots if v in self.offsets]
        if len(offsets) < 2 or len(form.dimensions) < 3 or offsets[0] is not pivots[0]:
            return None
        reach = {v: self.offsets[v] for v in offsets}
        known = [(extent, v) for v, extent in reach.items() if extent is not None]
        if len(known) == len(offsets):
            most = max(extent for extent, _ in known)
            return next(v for extent, v in known if extent == most)
        sums = [v for v in offsets if all(f * form.factor(v) < 0 for f in self._others(form, v))]
        return next(iter(sums), None)

    def _others(self, form: VariableForm, variable: Variable) -> Iterable[int]:
        return [form.factor(v) for v in form.dimensions if v is not variable]
