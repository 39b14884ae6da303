"""The equations between the indices of a comprehension, solved for some of them.

Reads the `comprehension` level; writes driver-level index arithmetic. In

    each %A (%i, %k), each %B (%kk, %j), kk == k - 1, ii <- i-1..i+1, group by (i, j)

`%kk` is `%k - 1`, and `%ii` is `%i - 1 + step` with a step of its own, of which there are three. So
it is for `ii <- max(0,i-1)..min(n-1,i+1)`, where not all steps count.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.dialects import comprehension
from diablo.dialects.encodings import is_sparse
from diablo.dialects.range_steps import step_of
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.query.linear_equations import (
    Equations,
    Fresh,
    Variable,
    VariableForm,
    index_form,
)
from diablo.lowering.tensor_block.query.plan_sizes import outside_form
from diablo.lowering.tensor_block.query.query import ComputedKey, Query, index_variables
from diablo.lowering.tensor_block.query.wrapped_indices import WrappedIndex, WrappedIndices
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.dimensions import known_extents
from diablo.passes.analyses.values.linear_forms import LinearForm
from diablo.passes.analyses.values.range_windows import range_window


class IndexEquations:
    """What the index variables of a query are. Raises `Refused` for other comparisons.

    `windows` are variables that count steps, with their numbers, `stepped` the indices of the
    ranges that these stand for, `cut` the forms that are not negative where such a range runs,
    `wrapped` the indices that wrap around.
    """

    def __init__(self, query: Query, driver: Driver):
        self.query = query
        self.driver = driver
        self.variables = [v for g in query.generators for v in index_variables(g)]
        self.windows: dict[Variable, LinearForm] = {}
        self.stepped: set[SSAValue] = set()
        self.cut: list[VariableForm] = []
        self._equations = Equations(self._elimination_order(), self._offsets())
        self._unify_windows()
        self.wrapped = self._unify_wrapped()
        self._unify()

    def reduced(self, form: VariableForm) -> VariableForm:
        """The form in terms of the variables that are left."""
        return self._equations.reduced(form)

    @property
    def left(self) -> Sequence[VariableForm]:
        """The forms that must be zero, but could not be solved for a variable."""
        return self._equations.left

    def _elimination_order(self) -> list[Variable]:
        """Indices of arrays first, the latest ones first: they are read at sums of others."""
        of_ranges = {g.index for g in self.query.generators if isinstance(g, comprehension.RangeOp)}
        latest = list(reversed(self.variables))
        return [
            *[v for v in latest if v not in of_ranges],
            *[v for v in latest if v in of_ranges],
        ]

    def _offsets(self) -> dict[Variable, int | None]:
        """The indices of dense arrays, with how far each reaches, if that is known."""
        offsets: dict[Variable, int | None] = {}
        for generator in self.query.generators:
            indices = index_variables(generator)
            if isinstance(generator, comprehension.RangeOp) or not indices:
                continue
            if not is_sparse(generator.collection.type):
                extents = known_extents(generator.collection)
                offsets.update(zip(indices, extents, strict=True))
        return offsets

    def form(self, value: SSAValue) -> VariableForm | None:
        """`value` as a sum of index variables, or `None`."""
        variables = set(self.variables)
        return index_form(value, lambda v: v in variables, self.query.binds)

    def _unify_windows(self) -> None:
        for generator in self.query.generators:
            if not isinstance(generator, comprehension.RangeOp):
                continue
            steps = self._steps(generator)
            lower = self.form(generator.lower)
            if steps is None or lower is None:
                window = self._cut_window(generator)
                if window is None:
                    continue
                lower, steps = window
            step = Fresh(generator.index.name_hint)
            self.windows[step] = steps
            self.stepped.add(generator.index)
            width = step_of(generator)
            start = self._equations.reduced(lower) + VariableForm.of(step) * width
            self._equations.require_zero(
                start - VariableForm.of(generator.index),
                keep=[v for v in self.variables if v is not generator.index],
            )

    def _steps(self, range: comprehension.RangeOp) -> LinearForm | None:
        """Return how many steps a range makes that is wide, or runs along with other variables."""
        if range.step is not None:
            width = self.driver.index(range.step.value.data)
            length = self.driver.insert(arith.SubiOp(range.upper, range.lower))
            length = self.driver.insert(arith.AddiOp(length, width))
            return outside_form(self.driver.insert(arith.DivSIOp(length, width)))
        lower, upper = self.form(range.lower), self.form(range.upper)
        if lower is None or upper is None or not lower.dimensions:
            return None
        steps = upper - lower + 1
        return None if steps.dimensions else steps.outside

    def _cut_window(self, range: comprehension.RangeOp) -> tuple[VariableForm, LinearForm] | None:
        """Where a window begins of which a range is what others do not cut off, and its steps.

        The index of an array needs none unless it is known how short it is: it is compared with
        the ends of the range.
        """
        window = range_window(range, self.query.binds)
        if window is None or not window.rest:
            return None
        if window.steps.number is None and self._is_of_array(range.index):
            return None
        if not self.query.binds(range.lower) and not self.query.binds(range.upper):
            return None
        first, *rest = map(self._form_of_sum, (window.first, *window.rest))
        cut = [form for form in rest if form is not None]
        if first is None or len(cut) < len(rest):
            return None
        self.cut += cut
        return first, window.steps

    def _form_of_sum(self, sum: LinearForm) -> VariableForm | None:
        """A sum of values as one of index variables, or `None`."""
        total = VariableForm(outside=LinearForm(constant=sum.constant))
        for value, factor in sum.terms.items():
            form = self.form(value)
            if form is None:
                return None
            total += form * factor
        return total

    def _is_of_array(self, index: SSAValue) -> bool:
        """Return whether an equality says that `index` is one of an array."""
        of_arrays = {
            v
            for g in self.query.generators
            if isinstance(g, comprehension.EachOp)
            for v in index_variables(g)
        }
        return any(
            index in sides and not of_arrays.isdisjoint(sides) for sides in self.query.equalities
        )

    def _unify_wrapped(self) -> dict[SSAValue, WrappedIndex]:
        """Take indices that wrap around as what they are the remainders of."""
        found = WrappedIndices(self.query, self.form).found()
        for wrapped in found:
            self._equations.solved[wrapped.variable] = self._equations.reduced(wrapped.sum)
        return {wrapped.variable: wrapped for wrapped in found}

    def _unify(self) -> None:
        wrapped = [index.said_by for index in self.wrapped.values()]
        for left, right in self.query.equalities:
            if (left, right) in wrapped:
                continue
            sides = self.form(left), self.form(right)
            if sides[0] is None or sides[1] is None:
                raise Refused("an index is compared with a computed value")
            self._equations.require_zero(sides[0] - sides[1])

    def keys(self, keys: Sequence[SSAValue]) -> list[Variable]:
        """The variables that index the result."""
        found: list[Variable] = []
        for key in keys:
            form = self.form(key)
            if form is None:
                raise ComputedKey("a key is not the index of an array or a range")
            form = self._equations.reduced(form)
            if form.alone is not None and form.alone not in (*found, *self.windows):
                found.append(form.alone)
                continue
            free = [v for v in form.dimensions if v not in (*found, *self.windows)]
            if len(free) > 1 or any(abs(form.factor(v)) != 1 for v in free):
                raise ComputedKey("a key is computed from several indices, or a multiple of one")
            if not free and any(v in self.windows for v in form.dimensions):
                raise ComputedKey("a key is computed from several indices, or a multiple of one")
            variable = Fresh()
            self._equations.require_zero(form - VariableForm.of(variable), keep=found)
            found.append(variable)
        return found
