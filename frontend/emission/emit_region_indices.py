"""Imports ways through the indices of regions: of what a region is made of, with conditions.

(i,j) <- Tri[2:5, *]   ->   %i, %j, %in = comprehension.each %Tri;  guards 2 <= i, i < 5
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from diablo.dialects.comprehension import EachOp, RangeOp
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.index_sets import (
    Alias,
    Combined,
    Filtered,
    IndexSet,
    Patterned,
    Shifted,
    Sliced,
    Strided,
)
from diablo.frontend.checking.types import BOOLEAN
from diablo.frontend.emission.emit_calls import Key
from diablo.frontend.emission.emit_conditions import conjuncts
from diablo.frontend.emission.emit_region_members import RegionMemberEmitter
from diablo.frontend.emission.region_values import Dimension, RegionValue
from diablo.frontend.parsing import syntax

Step = Callable[[list[SSAValue]], list[SSAValue]]
"""Goes on from the indices of a region to those of one made of it; some are dropped."""


class RegionIndexEmitter(RegionMemberEmitter, ABC):
    """The part of the importer that goes through the indices of regions."""

    @abstractmethod
    def pattern_array(self, array: syntax.Expr) -> SSAValue:
        """The Boolean array of a pattern, or of the file that one is read from."""

    # --- Going through the indices ---------------------------------------------------------

    def region_steps(self, region: IndexSet) -> tuple[IndexSet, list[Step]]:
        """A region whose indices are known, and what leads from there to those of `region`."""
        if region in self.regions or not region.sparse:
            return region, []
        match region.made:
            case Alias(base):
                return self.region_steps(base)
            case Shifted(base, offsets):
                return self._after(base, lambda indices: self.moved(indices, offsets, 1))
            case Strided(base, steps):
                return self._after(base, lambda indices: self._stepped(indices, base, steps))
            case Sliced(base):
                made = region.made
                return self._after(base, lambda indices: self._cut(indices, made))
            case Filtered(base, predicate):
                return self._after(base, lambda indices: self._filter(indices, predicate))
            case Patterned(base, array):
                return self._after(base, lambda indices: self._match(indices, base, array))
            case Combined("&&", lhs, rhs) if lhs.sparse or not rhs.sparse:
                return self._after(lhs, lambda indices: self._keep(indices, rhs, holds=True))
            case Combined("&&", lhs, rhs):
                return self._after(rhs, lambda indices: self._keep(indices, lhs, holds=True))
            case Combined("-", lhs, rhs):
                return self._after(lhs, lambda indices: self._keep(indices, rhs, holds=False))
            case _:
                return region, []

    def _after(self, base: IndexSet, step: Step) -> tuple[IndexSet, list[Step]]:
        root, steps = self.region_steps(base)

        def checked_step(indices: list[SSAValue]) -> list[SSAValue]:
            if base is not root:
                self.note_inside(indices, base)
            return step(indices)

        return root, [*steps, checked_step]

    def region_indices(self, region: IndexSet) -> list[SSAValue]:
        """Go through the indices of a region, in the body of a comprehension."""
        root, steps = self.region_steps(region)
        indices = self._all_indices(self.region_value(root))
        self.keys = [*self.keys, *map(Key, indices)]
        return self.follow(indices, root, steps, region)

    def follow(
        self, indices: list[SSAValue], root: IndexSet, steps: Sequence[Step], region: IndexSet
    ) -> list[SSAValue]:
        """Go on from the indices of `root` to those of `region`."""
        self.note_inside(indices, root)
        for step in steps:
            indices = step(indices)
        self.note_inside(indices, region)
        return indices

    def _all_indices(self, value: RegionValue) -> list[SSAValue]:
        if value.pattern is not None:
            pattern = self.load(value.pattern)
            assert isinstance(pattern, SSAValue)
            return self.indices_at(self.add(EachOp(pattern)).elements[:-1], value)
        indices: list[SSAValue] = []
        for dim in value.stored:
            if dim.step == 1:
                bounds = self.number(dim.lower), self.number(dim.upper)
                indices.append(self.add(RangeOp(*bounds)).index)
            else:
                indices.append(self.index_at(self.all_positions(dim), dim))
        return indices

    def all_positions(self, dim: Dimension) -> SSAValue:
        """Go through the positions of a dimension."""
        last = self.number(self.plus(dim.extent, 1, -1))
        return self.add(RangeOp(self.index_constant(0), last)).index

    # --- Steps -----------------------------------------------------------------------------

    def _stepped(
        self, indices: list[SSAValue], base: IndexSet, steps: Sequence[syntax.Expr]
    ) -> list[SSAValue]:
        for index, dim, step in zip(indices, self.box(base), steps, strict=True):
            if constant_of(step) == 1:
                continue
            taken = self.in_step(index, dim.lower, self.emit_index(step))
            self.require(taken, "the index is in no step")
        return indices

    def _cut(self, indices: list[SSAValue], made: Sliced) -> list[SSAValue]:
        kept: list[SSAValue] = []
        for index, part in zip(indices, made.parts, strict=True):
            if isinstance(part, syntax.Wildcard):
                kept.append(index)
                continue
            if not isinstance(part, syntax.Slice):
                same = self.add(arith.CmpiOp(index, self.emit_index(part), "eq")).result
                self.require(same, "the index is not in the slice")
                continue
            for bound, predicate in ((part.start, "sge"), (part.stop, "slt")):
                if bound is not None:
                    test = self.add(arith.CmpiOp(index, self.emit_index(bound), predicate)).result
                    self.require(test, "the index is not in the slice")
            kept.append(index)
        return kept

    def _filter(self, indices: list[SSAValue], predicate: syntax.Expr) -> list[SSAValue]:
        function = self.resolved(predicate)
        assert isinstance(function, syntax.Lambda)
        self.bind(function.parameter, indices[0] if len(indices) == 1 else tuple(indices))
        for condition in conjuncts(function.body):
            self.require(self.emit_as(condition, BOOLEAN), "the predicate does not hold")
        return indices

    def _match(self, indices: list[SSAValue], base: IndexSet, array: syntax.Expr) -> list[SSAValue]:
        over = self.over_of(array)
        dims = self.box(base) if over is None else over.region.stored
        pattern = self.pattern_array(array)
        keys = [self.position(i, self.bounding(d)) for i, d in zip(indices, dims, strict=True)]
        self.require(self.add(tensor.ExtractOp(pattern, keys, i1)).result, "the pattern is false")
        return indices

    def _keep(self, indices: list[SSAValue], other: IndexSet, *, holds: bool) -> list[SSAValue]:
        inside = self.member(other, indices)
        self.require(inside if holds else self.negated(inside), "the index is in no region")
        return indices
