"""Where an iteration of an index space counts: comparisons of sums of dimensions.

Reads the `comprehension` level; writes nothing. An array read at `i - 1` brings

    i - 1 >= 0    and    i - 1 < extent

of which the second is certain where i runs over an array of the same extent. Of a sum, as i + p, it
is certain where the last indices together are below the extent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.ir import SSAValue

from diablo.lowering.tensor_block.query.linear_equations import VariableForm
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.linear_forms import LinearForm, known_difference, linear_form

Predicate = Literal["sge", "sle", "slt", "sgt", "eq"]


@dataclass(frozen=True)
class Condition:
    """`index` compared with `bound`, zero if there is none.

    The terms of `index` are numbers of dimensions. `source` is the element that is read there,
    if the condition is that the place lies inside its array.
    """

    index: VariableForm
    predicate: Predicate
    bound: SSAValue | None
    source: SSAValue | None = None

    @property
    def dimensions(self) -> set[int]:
        """The dimensions whose indices are compared."""
        return set(self.index.dimensions)


def is_same(one: Condition, other: Condition) -> bool:
    """Return whether both test the same, for the same reason."""
    if (one.index, one.predicate, one.source) != (other.index, other.predicate, other.source):
        return False
    if one.bound is None or other.bound is None:
        return one.bound is other.bound
    return same_value(one.bound, other.bound)


def tightest(conditions: Sequence[Condition]) -> list[Condition]:
    """The conditions without those that another one implies: `i <= n - 2` says that `i < n`."""
    sums = [_least(condition) for condition in conditions]
    best: dict[object, tuple[int, int]] = {}
    for number, least in enumerate(sums):
        if least is not None:
            terms, constant = least
            best[terms] = min(best.get(terms, (constant, number)), (constant, number))
    kept = {number for _, number in best.values()}
    return [c for number, c in enumerate(conditions) if sums[number] is None or number in kept]


def _least(condition: Condition) -> tuple[object, int] | None:
    """The terms and the constant of a sum that is not negative where a condition holds."""
    if condition.index.period is not None:
        return None
    inside, outside = condition.index.inside, condition.index.outside
    if condition.bound is not None:
        outside -= linear_form(condition.bound, is_whole=lambda _: True)
    match condition.predicate:
        case "sge":
            slack = 0
        case "sgt":
            slack = -1
        case "sle" | "slt":
            inside, outside = -inside, -outside
            slack = -1 if condition.predicate == "slt" else 0
        case "eq":
            return None
    terms = (frozenset(inside.terms.items()), frozenset(outside.terms.items()))
    return terms, inside.constant + outside.constant + slack


def is_certain(condition: Condition, extents: Sequence[SSAValue], shifted: Sequence[bool]) -> bool:
    """Return whether a condition holds at all points of dimensions with these extents."""
    index, bound = condition.index, condition.bound
    constant = index.outside.number
    dimensions: Collection[int] = index.dimensions
    if constant is None or any(shifted[d] for d in dimensions):
        return False
    if condition.predicate == "sge" and bound is None:
        least = _from_ends(index, extents, greatest=False).number
        return least is not None and constant + least >= 0
    if condition.predicate == "slt" and bound is not None:
        dimension: int | None = index.inside.alone
        if dimension is not None:
            above = known_difference(extents[dimension], bound)
            above = None if above is None else above - 1
        else:
            above = (_from_ends(index, extents, greatest=True) - linear_form(bound)).number
        return above is not None and constant + above < 0
    return False


def _from_ends(index: VariableForm, extents: Sequence[SSAValue], *, greatest: bool) -> LinearForm:
    """The terms of an index at the last points of the dimensions that make it greater, or less."""
    form = LinearForm()
    terms: Mapping[int, int] = index.inside.terms
    for dimension, factor in terms.items():
        if (factor > 0) == greatest:
            form += (linear_form(extents[dimension]) - 1) * factor
    return form
