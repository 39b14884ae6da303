"""The dimensions of an index space, and how far each reaches.

A key dimension reaches as far as the result does; a reduced one as far as everything that runs
along it. In

    each %A (%i, %k), %l in 1 to %m, %l == %k, group by (%i)

the extent of {k, l} is the least of %A's columns and %m + 1, and `k >= 1` is left to be tested. A
condition `k < %p`, where %p does not vary, lets it reach no further than %p either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.dialects import comprehension
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.query.plan_sizes import driver_value
from diablo.lowering.tensor_block.query.query import Query
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import known_index, same_value
from diablo.passes.analyses.values.asserted_facts import asserted_equal
from diablo.passes.analyses.values.inequalities import inequalities
from diablo.passes.analyses.values.linear_forms import LinearForm, known_difference
from diablo.passes.analyses.values.speculation import can_trap


@dataclass
class Dimension:
    """Index variables known to be equal.

    `shift` is added to the index that a body sees (a range that does not start at 0 and runs
    over no array). `conditions` say where the dimension's ranges do not reach. `steps` is the
    extent of a window.
    """

    variables: list[SSAValue]
    ranges: list[comprehension.RangeOp] = field(default_factory=list[comprehension.RangeOp])
    array_extents: list[SSAValue] = field(default_factory=list[SSAValue])
    extent: SSAValue | None = None
    shift: SSAValue | None = None
    conditions: list[tuple[Literal["sge", "sle"], SSAValue]] = field(
        default_factory=list[tuple[Literal["sge", "sle"], SSAValue]]
    )
    steps: LinearForm | None = None

    @property
    def size(self) -> SSAValue:
        """The extent, once it is known."""
        assert self.extent is not None
        return self.extent

    @property
    def name(self) -> str | None:
        """The name that the comprehension has for an index along it."""
        return self.variables[0].name_hint if self.variables else None


class Extents:
    """Sets the extents of a query's dimensions; raises `Refused` where it cannot.

    `assumptions` are the extents of arrays that have to be at least the result's, where that is
    not known.
    """

    def __init__(self, query: Query, driver: Driver):
        self.query = query
        self.driver = driver
        self.assumptions: list[tuple[SSAValue, SSAValue]] = []
        self.only_extents = True
        """Whether all assumptions are that an array is large enough."""

    def assume_number(self, greater: SSAValue, less: SSAValue) -> None:
        """Like `assume`, where `greater` is not the extent of an array."""
        before = len(self.assumptions)
        self.assume(greater, less)
        self.only_extents &= len(self.assumptions) == before

    def assume(self, greater: SSAValue, less: SSAValue) -> None:
        """Take for granted that `greater >= less`; raise `Refused` if it is not so."""
        excess = known_difference(greater, less)
        if excess is not None:
            if excess < 0:
                raise Refused("an array is smaller than what is read of it")
            return
        known = any(same_value(greater, g) and same_value(less, m) for g, m in self.assumptions)
        if not known and not asserted_equal(greater, less, self.query.root):
            self.assumptions.append((greater, less))

    def set_key_extent(self, dimension: Dimension, extent: SSAValue) -> None:
        """Fix a key dimension to the result's extent."""
        dimension.extent = extent
        for other in dimension.array_extents:
            excess = known_difference(other, extent)
            if excess is None:
                self.assume(other, extent)
            elif excess < 0:
                raise Refused("an array is smaller than the result")
        self._add_range_conditions(dimension)

    def set_reduced_extent(self, dimension: Dimension) -> None:
        """Find the extent of a dimension that is reduced: what all its generators cover."""
        if dimension.steps is not None:
            if dimension.ranges:
                raise Refused("a range depends on another generator")
            steps = self._window_extent(dimension.steps)
            dimension.extent = self._minimum([steps, *dimension.array_extents])
            return
        invariant = [
            r
            for r in dimension.ranges
            if not self.query.binds(r.lower) and not self.query.binds(r.upper)
        ]
        if dimension.array_extents:
            dimension.extent = self._minimum(
                dimension.array_extents
                + [self._after(r.upper) for r in invariant]
                + self._guarded(dimension)
            )
            self._add_range_conditions(dimension)
            return
        if len(invariant) < len(dimension.ranges) or len(invariant) != 1:
            raise Refused("a range depends on another generator")
        lower = invariant[0].lower
        length: SSAValue = self._after(invariant[0].upper)
        if known_index(lower) != 0:
            dimension.shift = lower
            length = self.driver.insert(arith.SubiOp(length, lower))
        if (known_index(length) or 0) <= 0:
            length = self.driver.insert(arith.MaxSIOp(length, self.driver.index(0)))
        dimension.extent = length

    def _guarded(self, dimension: Dimension) -> list[SSAValue]:
        """Return where guards end a reduced dimension: behind that no iteration counts."""
        if any(map(can_trap, self.query.lets)):
            return []
        ends: list[SSAValue] = []
        for guard in self.query.guards:
            for form in inequalities(guard.condition):
                index = next((v for v in dimension.variables if form.terms.get(v) == -1), None)
                if index is None:
                    continue
                end = form.without(index) + 1
                literals = any(isinstance(value.owner, arith.ConstantOp) for value in end.terms)
                if not literals and not any(map(self.query.binds, end.terms)):
                    ends.append(driver_value(self.driver, end))
        return ends

    def _window_extent(self, steps: LinearForm) -> SSAValue:
        if steps.number is not None:
            return self.driver.index(max(0, steps.number))
        length = driver_value(self.driver, steps)
        return self.driver.insert(arith.MaxSIOp(length, self.driver.index(0)))

    def _after(self, upper: SSAValue) -> SSAValue:
        last = known_index(upper)
        if last is not None:
            return self.driver.index(last + 1)
        return self.driver.insert(arith.AddiOp(upper, self.driver.index(1)))

    def _minimum(self, extents: list[SSAValue]) -> SSAValue:
        distinct: list[SSAValue] = []
        for extent in extents:
            if not any(same_value(extent, other) for other in distinct):
                distinct.append(extent)
        result = distinct[0]
        for extent in distinct[1:]:
            result = self.driver.insert(arith.MinSIOp(result, extent))
        if len(distinct) > 1:
            # A range may end before it starts.
            result = self.driver.insert(arith.MaxSIOp(result, self.driver.index(0)))
        return result

    def _add_range_conditions(self, dimension: Dimension) -> None:
        for bound in dimension.ranges:
            lower = known_index(bound.lower)
            if lower is None or lower > 0:
                dimension.conditions.append(("sge", bound.lower))
            if self.query.binds(bound.upper) or not same_value(
                self._after(bound.upper), dimension.size
            ):
                upper, size = known_index(bound.upper), known_index(dimension.size)
                if upper is None or size is None or upper + 1 < size:
                    dimension.conditions.append(("sle", bound.upper))
