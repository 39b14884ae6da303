"""The loops around the points of an iteration space: in order, cut in three, in squares.

Inputs that are read beside the point (`%A[d0 - 1]`) may be read outside of themselves: the loop
along `peel` is cut in three,

    for i in 0..low: …    for i in low..high: …    for i in high..n: …

and in the middle, where all that is read lies inside (inner_ranges.py), elements are loaded
without a test. Of a fold whose body tests for bounds there is the middle alone; a place in it that
is left out cuts that in two.

A map that reads an input across the direction in which it writes goes by small squares, so
that what one row fetches is still there for the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, TupleType
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.access_maps import picks_dimensions
from diablo.dialects.locations import remark
from diablo.lowering.llvm.inner_points import inner_test
from diablo.lowering.llvm.inner_ranges import InnerRange, all_of
from diablo.lowering.llvm.line_buffers import Body as Strip
from diablo.lowering.llvm.line_buffers import LineBuffers
from diablo.lowering.llvm.line_sums import find_line_sums
from diablo.lowering.llvm.loop_ops import append, append_constant
from diablo.lowering.llvm.loop_plan import TILE, LoopPlan
from diablo.lowering.llvm.loop_points import Indices, Points
from diablo.passes.analyses.loops.iterations import Iteration

Body = Callable[[Block, Indices, Sequence[SSAValue]], Sequence[SSAValue]]
"""Writes what is done in a loop; given the indices and what it carries, what it carries on."""


@dataclass
class NestedLoops:
    """Writes loops over the dimensions of `op`; `values` says what stands for its operands.

    `bounds`, if given, is the part of the plan's `split` dimension that is computed. `tuples` says
    what stands for tuples, and for arrays of them: one value or buffer for each part. Arrays that
    hold a strip of rows alone are in `starts`, with the first of these rows.
    """

    op: Iteration
    plan: LoopPlan
    values: dict[SSAValue, SSAValue]
    bounds: tuple[SSAValue, SSAValue] | None = None
    tuples: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])
    starts: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    kept: SSAValue | None = None
    """The array in the place of which the result is written."""
    only: set[int] = field(default_factory=set[int], init=False)
    """The dimensions that are at their only place where code is written."""
    _lines: LineBuffers | None = field(default=None, init=False)

    def _begin(self, block: Block) -> None:
        """Prepare what all loops share."""
        self._zero = append_constant(block, 0)
        self._one = append_constant(block, 1)
        self._extents = [self.values[extent] for extent in self.op.extents]
        self._points = Points(
            self.op, self.plan, self.values, self.plan.domain, self.tuples, starts=self.starts
        )

    def _plan_lines(self, block: Block) -> LineBuffers | None:
        """The sums over rows that are better computed before the loop along them."""
        d = self.plan.order[-1] if self.plan.order else None
        values = self.op.values
        if d is None or d != self.plan.peel or len(values) != 1:
            return None
        if isinstance(values[0].type, TupleType):
            return None
        found = find_line_sums(self.op, self.plan, self._points.needed(inside=True), d)
        if found is None:
            return None
        remark(
            self.op.origin,
            f"sums over neighbouring rows are computed once per row: {found.saved} of "
            f"{found.additions} additions saved at each point",
        )
        lines = LineBuffers(self.op, found, d)
        lines.begin(block, values[0].type)
        return lines

    def _loops(
        self,
        block: Block,
        dimensions: list[int],
        indices: Indices,
        carried: Sequence[SSAValue],
        body: Body,
        ranges: Mapping[int, tuple[SSAValue, SSAValue]] = MappingProxyType({}),
    ) -> Sequence[SSAValue]:
        """Nested loops over `dimensions` around `body`, carrying values through.

        `ranges` overrides the whole range of a dimension.
        """
        left = [d for d in range(len(self.op.extents)) if d not in indices]
        if self.plan.plain and all(d in self.plan.unrolled for d in left):
            tested = self._tested(block, dimensions, indices, carried, body)
            if tested is not None:
                return tested
        if not dimensions:
            return body(block, indices, carried)
        d = dimensions[0]
        if d == self.plan.peel and d not in ranges:
            return self._peeled(block, dimensions, indices, carried, body, ranges)
        if d in self.plan.unrolled:
            for number in range(self.plan.unrolled[d]):
                self._points.wrapped.forget(d)
                point = {**indices, d: append_constant(block, number)}
                carried = self._loops(block, dimensions[1:], point, carried, body, ranges)
            return carried
        if d not in ranges and self._stays() and (place := self._limits().only(block, d)):
            return self._at_only(block, dimensions, place, indices, carried, body, ranges)
        inner = Block(arg_types=[IndexType(), *(value.type for value in carried)])
        index = inner.args[0]
        index.name_hint = self.op.body.block.args[d].name_hint
        for argument in inner.args[1:]:
            argument.name_hint = "acc"
        wrapped = self._points.wrapped
        outside = dict(wrapped.settled)
        outer, indices = indices, {**indices, d: index}
        if dimensions[1:] and not self.plan.plain:
            wrapped.settle(inner, indices)
        results = self._loops(inner, dimensions[1:], indices, inner.args[1:], body, ranges)
        wrapped.settled = outside
        inner.add_op(scf.YieldOp(*results))
        begin, end = ranges.get(d) or self._range(d)
        if d not in ranges and self._stays():
            begin, end = self._limits().of_domain(block, d, outer, begin, end)
        loop = scf.ForOp(begin, end, self._one, carried, inner)
        return append(block, loop, self.op).results

    def _at_only(
        self,
        block: Block,
        dimensions: list[int],
        place: SSAValue,
        indices: Indices,
        carried: Sequence[SSAValue],
        body: Body,
        ranges: Mapping[int, tuple[SSAValue, SSAValue]],
    ) -> Sequence[SSAValue]:
        """Return what is computed at the only place of a dimension, if it is within the extent."""
        d, *others = dimensions
        begin, end = self._limits().of_domain(block, d, indices, *self._range(d))
        test = append(block, arith.CmpiOp(begin, end, "slt"), self.op).results[0]
        wrapped = self._points.wrapped
        outside = dict(wrapped.settled)
        then, otherwise = Block(), Block([scf.YieldOp(*carried)])
        point = {**indices, d: place}
        if others and not self.plan.plain:
            wrapped.settle(then, point)
        self.only.add(d)
        then.add_op(scf.YieldOp(*self._loops(then, others, point, carried, body, ranges)))
        self.only.remove(d)
        wrapped.settled = outside
        types = [value.type for value in carried]
        regions = Region(then), Region(otherwise if carried else [])
        return append(block, scf.IfOp(test, types, *regions), self.op).results

    def _tested(
        self,
        block: Block,
        dimensions: list[int],
        indices: Indices,
        carried: Sequence[SSAValue],
        body: Body,
    ) -> Sequence[SSAValue] | None:
        """Return what is computed for few points at most, without tests of its own if one holds.

        None if there is nothing to test, or it has been.
        """
        points = self._points
        # What meets at computed places stays one branch, by which it is found.
        if points.is_tested or points.op.kind == "scatter":
            return None
        test = inner_test(block, points, indices)
        if test is None:
            return None
        sides = [Block(), Block()]
        for side in sides:
            points.is_tested, points.inside = True, side is sides[0]
            results = self._loops(side, dimensions, indices, carried, body)
            side.add_op(scf.YieldOp(*results))
        points.is_tested = points.inside = False
        types = [value.type for value in carried]
        then, otherwise = map(Region, sides)
        choice = scf.IfOp(test, types, then, otherwise)
        return append(block, choice, self.op).results

    def _peeled(
        self,
        block: Block,
        dimensions: list[int],
        indices: Indices,
        carried: Sequence[SSAValue],
        body: Body,
        ranges: Mapping[int, tuple[SSAValue, SSAValue]],
    ) -> Sequence[SSAValue]:
        """The loop over the first dimension in three: the middle reads inside, if tests hold."""
        d = dimensions[0]
        begin, end = self._range(d)
        wrapped = self._points.wrapped
        limits = self._limits()
        turning = self._lines is not None and self._lines.plan.turning and not dimensions[1:]
        low, high, tests = limits.along(block, d, indices, begin, end, turning)

        def part(
            inner: Block, first: SSAValue, last: SSAValue, values: Sequence[SSAValue]
        ) -> Sequence[SSAValue]:
            return self._loops(
                inner, dimensions, indices, values, body, {**ranges, d: (first, last)}
            )

        every = [test for own in tests.values() for test in own]
        if self.op.kind == "fold" and self._points.domain is not None:
            holes = limits.holes(block, d, indices)
            return self._folded_within(block, (low, high), every, holes, carried, part)
        beside = self._is_beside_domain(d)
        keeps = beside and self._stays()
        first, last = begin, end
        if beside and self._may_leave(d):
            first, last = limits.of_domain(block, d, indices, begin, end)
        self._points.beside = beside
        if not keeps:
            carried = part(block, begin, low if first is begin else first, carried)
        self._points.beside = False
        if first is not begin:
            carried = part(block, first, low, carried)
        wrapped.middle = not turning
        if not every:
            self._points.inside = True
            carried = self._inside(block, dimensions, indices, low, high, carried, part)
        else:
            then, otherwise = Block(), Block()
            self._points.inside = True
            rows = self._inside(then, dimensions, indices, low, high, carried, part)
            then.add_op(scf.YieldOp(*rows))
            # What does not vary along the loop is tested for each input by itself.
            self._points.inside = False
            self._points.along = {n: own for n, own in tests.items() if n not in limits.rough}
            otherwise.add_op(scf.YieldOp(*part(otherwise, low, high, carried)))
            self._points.along = None
            types = [value.type for value in carried]
            choice = scf.IfOp(all_of(block, every), types, Region(then), Region(otherwise))
            carried = append(block, choice, self.op).results
        self._points.inside = wrapped.middle = False
        if last is not end:
            carried = part(block, high, last, carried)
        self._points.beside = beside
        if not keeps:
            carried = part(block, high if last is end else last, end, carried)
        self._points.beside = False
        wrapped.bases.clear()
        return carried

    def _is_beside_domain(self, d: int) -> bool:
        """Return whether a map does nothing beside the middle part of a loop over `d`.

        What is read beside an input is zero, which is not the same.
        """
        return (
            self.op.kind == "map"
            and self._points.domain is not None
            and not any(
                axis.alone is None and d in axis.dimensions
                for axes in self.plan.inputs
                for axis in axes
            )
        )

    def _may_leave(self, d: int) -> bool:
        """Return whether something may be read outside of its input, which then is zero.

        That is read at the index itself along a loop over `d`, but for the rest in a row that may
        not be there.
        """
        return any(
            d in axis.dimensions
            for axes, map in zip(self.plan.inputs, self.op.indexing_maps, strict=True)
            if not picks_dimensions(map.data)
            for axis in axes
        )

    def _stays(self) -> bool:
        """Return whether elements that are not computed are in their places already."""
        domain, rank = self._points.domain, len(self.op.extents)
        elements = self.op.elements
        return self.kept is not None and any(
            value is self.kept
            and domain is not None
            and domain.otherwise is element
            and [axis.alone for axis in axes] == list(range(rank))
            for value, element, axes in zip(self.op.inputs, elements, self.plan.inputs, strict=True)
        )

    def _folded_within(
        self,
        block: Block,
        middle: tuple[SSAValue, SSAValue],
        tests: Sequence[SSAValue],
        holes: Sequence[SSAValue],
        carried: Sequence[SSAValue],
        part: Strip,
    ) -> Sequence[SSAValue]:
        """The middle part of a loop that folds, if tests hold, but for the places in `holes`."""
        inner = Block() if tests else block
        self._points.inside = True
        (low, high), results = middle, carried
        for hole in holes:
            # One may lie at the largest integer: behind that, none does.
            hole = append(inner, arith.MinSIOp(hole, high), self.op).results[0]
            stop = append(inner, arith.MaxSIOp(hole, low), self.op).results[0]
            results = part(inner, low, stop, results)
            after = append(inner, arith.AddiOp(hole, self._one), self.op).results[0]
            low = append(inner, arith.MaxSIOp(after, low), self.op).results[0]
        results = part(inner, low, high, results)
        self._points.inside = False
        if not tests:
            return results
        inner.add_op(scf.YieldOp(*results))
        types = [value.type for value in carried]
        otherwise = Region(Block([scf.YieldOp(*carried)]))
        choice = scf.IfOp(all_of(block, tests), types, Region(inner), otherwise)
        return append(block, choice, self.op).results

    def _inside(
        self,
        block: Block,
        dimensions: Sequence[int],
        indices: Indices,
        low: SSAValue,
        high: SSAValue,
        carried: Sequence[SSAValue],
        part: Strip,
    ) -> Sequence[SSAValue]:
        """The middle part of a loop, in strips if there are sums over rows."""
        lines, points = self._lines, self._points
        if lines is None or len(dimensions) > 1:
            return part(block, low, high, carried)

        def start(inner: Block, number: int, first: SSAValue) -> SSAValue:
            return points.row_start(inner, number, {**indices, dimensions[0]: first})

        def load(inner: Block, number: int, along: SSAValue, around: bool) -> SSAValue:
            return points.load_in_row(inner, number, indices, along, around)

        points.lines = lines
        results = lines.strips(block, low, high, carried, start, load, points.row_period, part)
        points.lines = None
        return results

    def _limits(self) -> InnerRange:
        points = self._points
        return InnerRange(
            self.op, points.wrapped, self.values, points.domain, self._extents, self.only
        )

    def _range(self, d: int) -> tuple[SSAValue, SSAValue]:
        """The part of dimension `d` that is computed."""
        if self.bounds is not None and d == self.plan.split:
            return self.bounds
        return self._zero, self._extents[d]

    def _tiles(
        self,
        block: Block,
        dimensions: list[int],
        indices: Indices,
        ranges: dict[int, tuple[SSAValue, SSAValue]],
        body: Body,
    ) -> Sequence[SSAValue]:
        """Loops over squares of two dimensions around the loops over their points."""
        if not dimensions:
            return self._loops(block, list(ranges), indices, [], body, ranges)
        d = dimensions[0]
        begin, end = self._range(d)
        edge = append_constant(block, TILE)
        inner = Block(arg_types=[IndexType()])
        start = inner.args[0]
        start.name_hint = f"{self.op.body.block.args[d].name_hint or 'index'}_tile"
        after = append(inner, arith.AddiOp(start, edge), self.op).results[0]
        stop = append(inner, arith.MinSIOp(after, end), self.op).results[0]
        self._tiles(inner, dimensions[1:], indices, {**ranges, d: (start, stop)}, body)
        inner.add_op(scf.YieldOp())
        return append(block, scf.ForOp(begin, end, edge, [], inner), self.op).results
