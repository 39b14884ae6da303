"""One `tensor_block` op over an iteration space as a nest of `scf.for` loops.

`plan_loops` (loop_plan.py) chooses the order of the loops so that the innermost one runs along
memory where it can; `LoopNest` writes them, `Points` (loop_points.py) what is done at a point.
A reduction whose innermost loop is one of the reduced
dimensions keeps its sum in a register:

    for i: acc = identity; for k: acc = acc + body(i, k); out[i] = acc

Otherwise (column sums, products by rows) it accumulates in the output:

    for j: out[j] = identity
    for k: for j: out[j] = out[j] + body(j, k)

Inputs that are read beside the point (`%A[d0 - 1]`) may be read outside of themselves: the loop
along `peel` is cut in three, and in the middle, where all that is read lies inside
(inner_ranges.py), elements are loaded without a test.

A map that reads an input across the direction in which it writes goes by small squares, so
that what one row fetches is still there for the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.locations import remark
from diablo.dialects.monoids import combine, identity
from diablo.dialects.tensor_block import ContractOp, MapOp, ReduceOp, ScatterReduceOp
from diablo.lowering.domains import find_domain
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.lowering.llvm.inner_ranges import InnerRange, all_of, is_inside
from diablo.lowering.llvm.line_buffers import Body, LineBuffers
from diablo.lowering.llvm.line_sums import find_line_sums
from diablo.lowering.llvm.loop_ops import append, append_constant
from diablo.lowering.llvm.loop_plan import TILE, IterationOps, LoopPlan
from diablo.lowering.llvm.loop_points import Indices, Points


@dataclass
class LoopNest:
    """Writes the loops of `op`; `values` says what stands for each value of the kernel.

    `bounds`, if given, is the part of the plan's `split` dimension that is computed.
    """

    op: IterationOps
    plan: LoopPlan
    values: dict[SSAValue, SSAValue]
    bounds: tuple[SSAValue, SSAValue] | None = None

    def emit(self, block: Block) -> None:
        """Append the loops to `block` and record the op's result."""
        self._zero = append_constant(block, 0)
        self._one = append_constant(block, 1)
        self._extents = [self.values[extent] for extent in self.op.extents]
        domain = find_domain(self.op) if isinstance(self.op, MapOp) else None
        self._points = Points(self.op, self.plan, self.values, domain)
        self._points.wrapped.begin(block)
        self._lines = self._plan_lines(block)
        plan, op = self.plan, self.op
        reduced = [d for d in plan.order if d >= plan.parallel]
        kept = [d for d in plan.order if d < plan.parallel]
        if isinstance(op, ScatterReduceOp):
            self._fill(block, [self.values[size] for size in op.into])
            self._loops(block, plan.order, {}, [], self._scatter_point)
        elif not is_tensor(op.result.type):
            neutral = self._identity(block)
            (self.values[op.result],) = self._loops(block, reduced, {}, [neutral], self._fold)
        elif plan.tile is not None:
            tile = list(plan.tile)
            outer = [d for d in kept if d not in tile]
            self._loops(block, outer, {}, [], lambda b, i, _: self._tiles(b, tile, i, {}))
        elif not reduced:
            self._loops(block, kept, {}, [], self._store_point)
        elif plan.in_memory:
            self._emit_in_memory(block, kept, reduced)
        else:
            self._loops(block, kept, {}, [], lambda b, i, _: self._store_fold(b, i, reduced))

    def _plan_lines(self, block: Block) -> LineBuffers | None:
        """The sums over rows that are better computed before the loop along them."""
        d = self.plan.order[-1] if self.plan.order else None
        value = self.op.body.block.last_op
        if d is None or d != self.plan.peel or value is None or len(value.operands) != 1:
            return None
        found = find_line_sums(self.op, self.plan, self._points.needed(inside=True), d)
        if found is None:
            return None
        remark(
            self.op,
            f"sums over neighbouring rows are computed once per row: {found.saved} of "
            f"{found.additions} additions saved at each point",
        )
        lines = LineBuffers(self.op, found, d)
        lines.begin(block, value.operands[0].type)
        return lines

    def _emit_in_memory(self, block: Block, kept: list[int], reduced: list[int]) -> None:
        *outer, inner = kept
        neutral = self._identity(block)

        def rows(b: Block, indices: Indices, _: Sequence[SSAValue]) -> list[SSAValue]:
            whole = {inner: self._range(inner)}
            self._loops(b, [inner], indices, [], lambda b, i, _: self._store(b, i, neutral), whole)
            self._loops(b, [*reduced, inner], indices, [], self._update)
            return []

        self._loops(block, outer, {}, [], rows)

    def _fill(self, block: Block, sizes: Sequence[SSAValue]) -> None:
        """Set the output, of the given dimensions, to the monoid's identity."""
        neutral, place = self._identity(block), list[SSAValue]()
        inner = block
        for size in sizes:
            body = Block(arg_types=[IndexType()])
            place.append(body.args[0])
            append(inner, scf.ForOp(self._zero, size, self._one, [], body), self.op)
            inner = body
        append(inner, memref.StoreOp.get(neutral, self.values[self.op.result], place), self.op)
        while inner is not block:
            inner.add_op(scf.YieldOp())
            outer = inner.parent_block()
            assert outer is not None
            inner = outer

    def _scatter_point(
        self, block: Block, indices: Indices, _: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """Combine a point's value with the element that it goes to, if there is such."""
        *place, value = self._points.point(block, indices)
        test = is_inside(block, place, self.values[self.op.result])
        then = Block()
        table = self.values[self.op.result]
        load = append(then, memref.LoadOp.get(table, place), self.op, "acc")
        total = self._combine(then, load.results[0], value)
        append(then, memref.StoreOp.get(total, table, place), self.op)
        then.add_op(scf.YieldOp())
        append(block, scf.IfOp(test, [], Region(then)), self.op)
        return []

    def _loops(
        self,
        block: Block,
        dimensions: list[int],
        indices: Indices,
        carried: Sequence[SSAValue],
        body: Callable[[Block, Indices, Sequence[SSAValue]], Sequence[SSAValue]],
        ranges: Mapping[int, tuple[SSAValue, SSAValue]] = MappingProxyType({}),
    ) -> Sequence[SSAValue]:
        """Nested loops over `dimensions` around `body`, carrying values through.

        `ranges` overrides the whole range of a dimension.
        """
        if not dimensions:
            return body(block, indices, carried)
        d = dimensions[0]
        if d == self.plan.peel and d not in ranges:
            return self._peeled(block, dimensions, indices, carried, body, ranges)
        inner = Block(arg_types=[IndexType(), *(value.type for value in carried)])
        index = inner.args[0]
        index.name_hint = self.op.body.block.args[d].name_hint
        for argument in inner.args[1:]:
            argument.name_hint = "acc"
        wrapped = self._points.wrapped
        outside = dict(wrapped.settled)
        indices = {**indices, d: index}
        if dimensions[1:]:
            wrapped.settle(inner, indices)
        results = self._loops(inner, dimensions[1:], indices, inner.args[1:], body, ranges)
        wrapped.settled = outside
        inner.add_op(scf.YieldOp(*results))
        begin, end = ranges.get(d) or self._range(d)
        loop = scf.ForOp(begin, end, self._one, carried, inner)
        return append(block, loop, self.op).results

    def _peeled(
        self,
        block: Block,
        dimensions: list[int],
        indices: Indices,
        carried: Sequence[SSAValue],
        body: Callable[[Block, Indices, Sequence[SSAValue]], Sequence[SSAValue]],
        ranges: Mapping[int, tuple[SSAValue, SSAValue]],
    ) -> Sequence[SSAValue]:
        """The loop over the first dimension in three: the middle reads inside, if tests hold."""
        d = dimensions[0]
        begin, end = self._range(d)
        wrapped = self._points.wrapped
        limits = InnerRange(self.op, wrapped, self.values, self._points.domain, self._extents)
        turning = self._lines is not None and self._lines.plan.turning and not dimensions[1:]
        low, high, tests = limits.along(block, d, indices, begin, end, turning)

        def part(
            inner: Block, first: SSAValue, last: SSAValue, values: Sequence[SSAValue]
        ) -> Sequence[SSAValue]:
            return self._loops(
                inner, dimensions, indices, values, body, {**ranges, d: (first, last)}
            )

        carried = part(block, begin, low, carried)
        wrapped.middle = not turning
        every = [test for own in tests.values() for test in own]
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
        carried = part(block, high, end, carried)
        wrapped.bases.clear()
        return carried

    def _inside(
        self,
        block: Block,
        dimensions: Sequence[int],
        indices: Indices,
        low: SSAValue,
        high: SSAValue,
        carried: Sequence[SSAValue],
        part: Body,
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
    ) -> Sequence[SSAValue]:
        """Loops over squares of two dimensions around the loops over their points."""
        if not dimensions:
            return self._loops(block, list(ranges), indices, [], self._store_point, ranges)
        d = dimensions[0]
        begin, end = self._range(d)
        edge = append_constant(block, TILE)
        inner = Block(arg_types=[IndexType()])
        start = inner.args[0]
        start.name_hint = f"{self.op.body.block.args[d].name_hint or 'index'}_tile"
        after = append(inner, arith.AddiOp(start, edge), self.op).results[0]
        stop = append(inner, arith.MinSIOp(after, end), self.op).results[0]
        self._tiles(inner, dimensions[1:], indices, {**ranges, d: (start, stop)})
        inner.add_op(scf.YieldOp())
        return append(block, scf.ForOp(begin, end, edge, [], inner), self.op).results

    def _identity(self, block: Block) -> SSAValue:
        assert isinstance(self.op, ReduceOp | ContractOp | ScatterReduceOp)
        element = element_type(self.op.result.type)
        neutral = arith.ConstantOp(identity(self.op.monoid.data, element))
        return append(block, neutral, self.op, "identity").results[0]

    def _combine(self, block: Block, left: SSAValue, right: SSAValue) -> SSAValue:
        assert isinstance(self.op, ReduceOp | ContractOp | ScatterReduceOp)
        joined = combine(self.op.monoid.data, left, right)
        if isinstance(joined, arith.FloatingPointLikeBinaryOperation):
            # The order of a reduction is free, so it may run in vector lanes.
            joined.fastmath = arith.FastMathFlagsAttr(
                [FastMathFlag.REASSOC, FastMathFlag.ALLOW_CONTRACT]
            )
        return append(block, joined, self.op).results[0]

    def _fold(
        self, block: Block, indices: Indices, carried: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        return [self._combine(block, carried[0], self._points.value(block, indices))]

    def _store(self, block: Block, indices: Indices, value: SSAValue) -> Sequence[SSAValue]:
        append(block, memref.StoreOp.get(value, *self._place(indices)), self.op)
        return []

    def _place(self, indices: Indices) -> tuple[SSAValue, list[SSAValue]]:
        return self.values[self.op.result], [indices[d] for d in range(self.plan.parallel)]

    def _store_point(
        self, block: Block, indices: Indices, _: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        return self._store(block, indices, self._points.value(block, indices))

    def _store_fold(self, block: Block, indices: Indices, reduced: list[int]) -> Sequence[SSAValue]:
        neutral = self._identity(block)
        (total,) = self._loops(block, reduced, indices, [neutral], self._fold)
        return self._store(block, indices, total)

    def _update(self, block: Block, indices: Indices, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
        load = append(block, memref.LoadOp.get(*self._place(indices)), self.op, "acc")
        total = self._combine(block, load.results[0], self._points.value(block, indices))
        return self._store(block, indices, total)
