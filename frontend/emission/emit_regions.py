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

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import BuildOp, EachOp, GuardOp, ListOp, YieldOp
from diablo.dialects.encodings import array_type, dense_rank
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.index_sets import (
    Alias,
    Combined,
    IndexSet,
    Listed,
    Open,
    Patterned,
    Shifted,
)
from diablo.frontend.emission.emit_region_boxes import steps_of
from diablo.frontend.emission.emit_region_indices import RegionIndexEmitter
from diablo.frontend.emission.region_values import (
    Dimension,
    Over,
    RegionValue,
    dense_type,
    sparse_type,
)
from diablo.frontend.parsing import syntax


class RegionEmitter(RegionIndexEmitter, ABC):
    """The part of the importer that knows regions."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        # The arrays that `read` stands for.
        self.files: dict[str, SSAValue] = {}

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
        if isinstance(region.made, Patterned):
            self._require_fit(region.made)
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

    def _require_fit(self, made: Patterned) -> None:
        """A pattern is as large as the box of the region from which it chooses."""
        if self.over_of(made.array) is None:
            pattern = self.pattern_array(made.array)
            with self.at(made.array.span):
                dims = list(map(self.bounding, self.box(made.base)))
                message = f"the pattern is not as large as the region `{made.base.name}`"
                self.require_shape(pattern, dims, message)

    def _goes_through(self, base: IndexSet, array: syntax.Expr) -> bool:
        """Whether what a pattern stores is gone through, and not the indices of its base."""
        type = array_type(self.pattern_array(array))
        over = self.over_of(array)
        filled = over is not None and over.fill is not None
        return not base.sparse and not filled and dense_rank(type) < type.get_num_dims()

    def _pattern_indices(
        self, pattern: SSAValue, base: IndexSet, array: syntax.Expr
    ) -> list[SSAValue]:
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
