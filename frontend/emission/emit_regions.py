"""Imports regions: bounds as indices, and the patterns of sparse ones as Boolean arrays.

region Tri = R where (i,j) => abs(i-j) < 2
->
%Tri = comprehension.build (%n, %n) {
  %i = comprehension.range …;  %j = comprehension.range …;  comprehension.guard |%i - %j| < 2
  comprehension.yield (%i, %j) true
}
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence

from xdsl.dialects import arith, cf, tensor
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import BuildOp, EachOp, GuardOp, ListOp, RangeOp, YieldOp
from diablo.dialects.encodings import array_type, dense_rank
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.index_sets import (
    Alias,
    Combined,
    Filtered,
    IndexSet,
    Listed,
    Open,
    Patterned,
    Shifted,
    Sliced,
    Strided,
)
from diablo.frontend.checking.types import BOOLEAN
from diablo.frontend.emission.emit_calls import Key
from diablo.frontend.emission.emit_conditions import conjuncts
from diablo.frontend.emission.emit_region_boxes import steps_of
from diablo.frontend.emission.emit_region_members import RegionMemberEmitter
from diablo.frontend.emission.region_values import (
    Dimension,
    Over,
    RegionValue,
    dense_type,
    sparse_type,
)
from diablo.frontend.parsing import syntax

Step = Callable[[list[SSAValue]], list[SSAValue]]
"""Goes on from the indices of a region to those of one made of it; some are dropped."""


class RegionEmitter(RegionMemberEmitter, ABC):
    """The part of the importer that knows regions."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        # The arrays that `read` stands for.
        self.files: dict[str, SSAValue] = {}

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

    # --- Patterns --------------------------------------------------------------------------

    def region_value(self, region: IndexSet) -> RegionValue:
        """The value of a region: of a declared one as it was declared."""
        if region in self.regions:
            return self.regions[region]
        match region.made:
            case Alias(base):
                return self.region_value(base)
            case Shifted(base):
                return RegionValue(self.dimensions(region), self.region_value(base).pattern)
            case _ if not region.sparse:
                return RegionValue(self.dimensions(region))
            case _:
                dims = self.dimensions(region)
                box = RegionValue(dims).stored
                return RegionValue(dims, self.once(lambda: self.pattern_in(box, region)))

    def pattern_in(self, box: Sequence[Dimension], region: IndexSet) -> SSAValue:
        """The indices of a region as a Boolean array over the positions of `box`."""
        match region.made:
            case Open():
                columns = [*[IndexType()] * len(box), i1]
                rows = self.add(ListOp([], BagType(columns))).result
                return self.rebuild(rows, [d.extent for d in box], sparse_type(i1, len(box)))
            case Combined("||", lhs, rhs):
                return self._union(box, lhs, rhs)
            case Listed(base, rows):
                collection = self.emit_collection(rows)
                return self._build(box, lambda: self._listed(collection, base))
            case Patterned(base, array) if self._goes_through(base, array):
                pattern = self.pattern_array(array)
                return self._build(box, lambda: self._pattern_indices(pattern, base, array))
            case _:
                return self._build(box, lambda: self.region_indices(region))

    def _build(self, box: Sequence[Dimension], indices: Callable[[], list[SSAValue]]) -> SSAValue:
        block, keys = Block(), self.keys
        with self.comprehension(block):
            found = indices()
            positions = [self.position(i, dim) for i, dim in zip(found, box, strict=True)]
            self.add(YieldOp(positions, [self.constant(True, i1)]))
        self.keys = keys
        type = sparse_type(i1, len(box))
        return self.add(BuildOp([dim.extent for dim in box], Region(block), type)).result

    def _listed(self, rows: SSAValue, base: IndexSet) -> list[SSAValue]:
        indices = [self.as_index(element) for element in self.add(EachOp(rows)).elements]
        if base.sparse or steps_of(self.box(base)):
            return self._keep(indices, base, holds=True)
        return indices

    def pattern_array(self, array: syntax.Expr) -> SSAValue:
        """The Boolean array of a pattern, or of the file that one is read from."""
        if self.over_of(array) is not None:
            return self.stored(array)
        if isinstance(array, syntax.Call) and array.function == "read":
            path = array.arguments[0]
            assert isinstance(path, syntax.Literal)
            return self.files[str(path.value)]
        return self.emit_collection(array)

    def _goes_through(self, base: IndexSet, array: syntax.Expr) -> bool:
        """Whether what a pattern stores is gone through, and not the indices of its base."""
        type = array_type(self.pattern_array(array))
        over = self.over_of(array)
        filled = over is not None and over.fill is not None
        return not base.sparse and not filled and dense_rank(type) < type.get_num_dims()

    def _pattern_indices(self, pattern: SSAValue, base: IndexSet, array: syntax.Expr) -> list[SSAValue]:
        over = self.over_of(array)
        dims = list(map(self.bounding, self.box(base) if over is None else over.region.stored))
        positions = self.add(EachOp(pattern)).elements[:-1]
        indices = [self.index_at(p, dim) for p, dim in zip(positions, dims, strict=True)]
        if steps_of(self.box(base)):
            return self._keep(indices, base, holds=True)
        return indices

    def _union(self, box: Sequence[Dimension], lhs: IndexSet, rhs: IndexSet) -> SSAValue:
        sides = [self._in_box(box, side) for side in (lhs, rhs)]
        block = Block()
        with self.comprehension(block):
            rows = [self.add(EachOp(side, full=True)).elements for side in sides]
            (*keys, left), (*others, right) = rows
            for key, other in zip(keys, others, strict=True):
                self.add(GuardOp(self.add(arith.CmpiOp(other, key, "eq")).result))
            self.add(YieldOp(keys, [self.add(arith.OrIOp(left, right)).result]))
        type = sparse_type(i1, len(box))
        return self.add(BuildOp([dim.extent for dim in box], Region(block), type)).result

    def _in_box(self, box: Sequence[Dimension], region: IndexSet) -> SSAValue:
        value = self.region_value(region)
        if value.pattern is not None and value.stored == list(box):
            pattern = self.load(value.pattern)
            assert isinstance(pattern, SSAValue)
            return pattern
        return self._build(box, lambda: self.region_indices(region))

    def region_array(self, region: IndexSet) -> SSAValue:
        """A region as a Boolean array over its box."""
        value = self.region_value(region)
        if value.pattern is not None:
            array = self.load(value.pattern)
            assert isinstance(array, SSAValue)
            return array

        def emit() -> SSAValue:
            block = Block()
            with self.comprehension(block):
                positions = list(map(self.all_positions, value.stored))
                self.add(YieldOp(positions, [self.constant(True, i1)]))
            type = dense_type(i1, len(value.stored))
            return self.add(BuildOp([d.extent for d in value.stored], Region(block), type)).result

        array = self.once(emit)
        self.over[array] = Over(region, value)
        return array

    def require_shape(self, array: SSAValue, dims: Sequence[Dimension], message: str) -> None:
        """The program fails with `message` while it runs unless an array is as large as a box."""
        if self.in_rows:
            return
        for number, dim in enumerate(dims):
            test = arith.CmpiOp(self.dimension(array, number), dim.extent, "eq")
            self.add(cf.AssertOp(self.add(test).result, message))
