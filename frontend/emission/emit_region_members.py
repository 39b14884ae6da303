"""Imports tests of whether an index is in a region, and the number of its indices.

Tri[i,j]   ->   %in, %inside = comprehension.probe %Tri[%i, %j]
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.comprehension import AggregateOp, EachOp, YieldOp
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import Alias, Box, Combined, IndexSet, Shifted
from diablo.frontend.emission.emit_region_boxes import RegionBoxEmitter
from diablo.frontend.parsing import syntax


class RegionMemberEmitter(RegionBoxEmitter, ABC):
    """The part of the importer that knows which indices are in a region."""

    def emit_member(self, expr: syntax.Index, region: IndexSet) -> SSAValue:
        """`R[i,j]`: whether the index is in the region."""
        parts = [part for part in expr.indices if not isinstance(part, syntax.Slice)]
        indices = [self.emit_index(part) for part in parts]
        with self.at(expr.span):
            return self.member(region, indices)

    def member(self, region: IndexSet, indices: Sequence[SSAValue]) -> SSAValue:
        """Whether an index is in a region; an index outside of its box is not."""
        given = tuple(indices)
        if any(index == given and is_within(known, region) for index, known in self.inside):
            return self.constant(True, i1)
        if region not in self.regions:
            match region.made:
                case Alias(base):
                    return self.member(base, indices)
                case Shifted(base, offsets):
                    return self.member(base, self.moved(indices, offsets, -1))
                case Combined(op, lhs, rhs):
                    left, right = self.member(lhs, indices), self.member(rhs, indices)
                    if op == "-":
                        right = self.negated(right)
                    join = arith.OrIOp if op == "||" else arith.AndIOp
                    return self.add(join(left, right)).result
                case _:
                    pass
        value = self.region_value(region)
        dims = value.stored
        if value.pattern is not None:
            box = IndexSet("", region.span, region.bounds, Box([]), sparse=False)
            probe = not any(i == given and is_within(known, box) for i, known in self.inside)
            keys = [self.position(i, dim) for i, dim in zip(indices, dims, strict=True)]
            return self.chosen(value.pattern, keys, probe=probe)
        tests = [self.in_dimension(i, dim) for i, dim in zip(indices, dims, strict=True)]
        result = tests[0]
        for test in tests[1:]:
            result = self.add(arith.AndIOp(result, test)).result
        return result

    def moved(
        self, indices: Sequence[SSAValue], offsets: Sequence[syntax.Expr], sign: int
    ) -> list[SSAValue]:
        """Indices moved by offsets, or with the sign -1 moved back."""
        pairs = zip(indices, offsets, strict=True)
        return [self.number(self.plus(i, self.integer(offset), sign)) for i, offset in pairs]

    def region_length(self, region: IndexSet) -> SSAValue:
        """The number of indices."""
        value = self.region_value(region)
        if value.pattern is None:
            extents = [dim.extent for dim in value.stored]
            result = extents[0]
            for extent in extents[1:]:
                result = self.add(arith.MuliOp(result, extent)).result
            return result
        pattern = self.load(value.pattern)
        assert isinstance(pattern, SSAValue)

        def emit() -> SSAValue:
            block = Block()
            with self.comprehension(block):
                self.add(EachOp(pattern))
                self.add(YieldOp([], [self.constant(1, i64)]))
            return self.add(AggregateOp("add", Region(block), i64)).result

        return self.once(emit)
