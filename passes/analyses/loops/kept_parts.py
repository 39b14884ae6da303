"""Analysis: the part of an array that a map computes, where the rest stays as it is.

    %r = tensor_block.map parallel(d0 < %n, d1 < %m) symbols(%k)
        ins(%U[d0, d1], %U[d0, s0], %U[s0, d1]) {
    ^bb0(%i, %j, %u, %l, %r):
      scf.if (%i > %k && %j > %k) { %u - %l * %r } else { %u }

computes the elements behind row and column `%k` of `%U`, and keeps the others. So what is read at
`[d0, s0]` and `[s0, d1]` is none of what is computed, and `%r` may take the memory of `%U`. Where
the part is one index along a dimension, as column `%k` in `%j == %k`, what is read at this index
is read at the point itself.

What a kernel is given may be related, as `%k` and `%k + 1`, which only its call shows: `given` says
what a value of the kernel is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import func
from xdsl.ir import Block, BlockArgument, SSAValue

from diablo.dialects.access_maps import LinearIndex, picked_dimensions
from diablo.dialects.tensor_block import MapOp
from diablo.passes.analyses.loops.body_domains import Bound, Domain, find_bounds
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, linear_form_of

Given = Callable[[SSAValue], LinearForm]


@dataclass(frozen=True)
class KeptPart:
    """A map whose result is its input `number`, but for the part within `domain`."""

    map: MapOp
    domain: Domain
    number: int

    def is_beside(self, place: Sequence[LinearIndex], given: Given) -> bool:
        """Return whether what is read at a place of the array is no element of the part.

        The place has an index per axis.
        """
        return any(self._violates(place, bound, given) for bound in self.domain.bounds)

    def is_own_point(self, place: Sequence[LinearIndex], given: Given) -> bool:
        """Return whether a place is, for each point of the part, the point itself."""
        return all(
            index.alone == dimension or self._is_pinned(dimension, index, given)
            for dimension, index in enumerate(place)
        )

    @cached_property
    def fixed_dimensions(self) -> frozenset[int]:
        """The dimensions along which the part has a single index."""
        bounds = self.domain.bounds
        first = {(b.dimension, b.value, b.shift) for b in bounds if b.lower}
        last = {(b.dimension, b.value, b.shift - 1) for b in bounds if not b.lower}
        return frozenset(d for d, _, _ in first & last if d is not None)

    def is_own_or_beside(self, place: Sequence[LinearIndex]) -> bool:
        """Return whether a place is, for each point of the part, the point or beside the part.

        So is one that differs from the point along dimensions alone where the part has one index,
        and where the place has one: it is the same, or another one.
        """
        fixed = self.fixed_dimensions
        return all(
            index.alone == dimension
            or (dimension in fixed and not index.dimensions and index.period is None)
            for dimension, index in enumerate(place)
        )

    def is_read_within(self, element: BlockArgument) -> bool:
        """Return whether an element is of no use to points beside the part."""
        part = self.domain.blocks[-1]
        return all(part.is_ancestor(use.operation) for use in element.uses)

    def _violates(self, place: Sequence[LinearIndex], bound: Bound, given: Given) -> bool:
        at = LinearForm()
        for dimension, factor in bound.form.terms.items():
            form = self._fixed(place[dimension], given)
            if form is None:
                return False
            at += form * factor
        limit = _limit(bound, given)
        gap = limit - 1 - at if bound.lower else at - limit
        return gap.number is not None and gap.number >= 0

    def _is_pinned(self, dimension: int, index: LinearIndex, given: Given) -> bool:
        """Return whether the part has one index along a dimension, and this is it."""
        at = self._fixed(index, given)
        limits = [
            (_limit(bound, given), bound.lower)
            for bound in self.domain.bounds
            if bound.dimension == dimension
        ]
        return at is not None and (at, True) in limits and (at + 1, False) in limits

    def _fixed(self, index: LinearIndex, given: Given) -> LinearForm | None:
        """Return what an index is at the call, if it is the same at each point."""
        if index.dimensions or index.period is not None:
            return None
        form = linear_form_of(index, {}, list(self.map.symbols))
        return _given_form(form, given)


def given_at(call: func.CallOp, kernel: Block) -> Given:
    """Return what says what an integer of a kernel is at a call."""

    def given(value: SSAValue) -> LinearForm:
        if isinstance(value, BlockArgument) and value.block is kernel:
            return linear_form(call.arguments[value.index])
        return linear_form(value)

    return given


def kept_part(map: MapOp) -> KeptPart | None:
    """Return the part of an array that a map computes, if it keeps the rest."""
    domain = None if map.offsets else find_bounds(map)
    if domain is None:
        return None
    rank = len(map.extents)
    elements = map.body.block.args[rank:]
    for number, (element, access) in enumerate(zip(elements, map.indexing_maps, strict=True)):
        if element is domain.otherwise and picked_dimensions(access.data) == [*range(rank)]:
            return KeptPart(map, domain, number)
    return None


def _limit(bound: Bound, given: Given) -> LinearForm:
    limit = LinearForm() if bound.value is None else given(bound.value)
    return limit + bound.shift


def _given_form(form: LinearForm, given: Given) -> LinearForm:
    total = LinearForm(constant=form.constant)
    for value, factor in form.terms.items():
        total += given(value) * factor
    return total
