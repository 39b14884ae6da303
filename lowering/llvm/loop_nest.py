"""One `tensor_block` op over an iteration space as a nest of `scf.for` loops.

`plan_loops` (loop_plan.py) chooses the order of the loops so that the innermost one runs along
memory where it can; `NestedLoops` (nested_loops.py) writes them, `Points` (loop_points.py) what a
point takes, and `LoopNest` what becomes of it. A reduction whose innermost loop is one of the
reduced dimensions keeps its sum in a register:

    for i: acc = identity; for k: acc = acc + body(i, k); out[i] = acc

with several i in the loop over k, which share what they read, and whose rows come from memory side
by side. Otherwise (column sums, products by rows) it accumulates in the output:

    for j: out[j] = identity
    for k: for j: out[j] = out[j] + body(j, k)

with several k at each j, where that needs no tests, so that the output is read and written once for
all of them.

A monoid of the program's own is its body, and a tuple the values of its parts (tuple_parts.py):
each in a register, each with a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.comprehension import MonoidOp
from diablo.dialects.locations import remark
from diablo.dialects.simt import say_folds
from diablo.dialects.tensor_block import ReduceOp, ScatterReduceOp
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.lowering.llvm.fold_lanes import Join, fold_in_lanes, lanes_for
from diablo.lowering.llvm.inner_ranges import is_inside
from diablo.lowering.llvm.loop_ops import append, append_constant
from diablo.lowering.llvm.loop_points import Indices, place_in_strip
from diablo.lowering.llvm.monoid_folds import Fold, say_own_folds
from diablo.lowering.llvm.nested_loops import Body, NestedLoops
from diablo.lowering.llvm.tuple_parts import Parts, TupleParts
from diablo.passes.analyses.values.affine_values import constant_value

TOGETHER = 4
"""How many indices of the loop around the innermost one are done at a point of the output."""
MOST_TOGETHER = 64
"""How many ops a point has at most, then: more would not find room in the registers."""


@dataclass
class LoopNest(NestedLoops):
    """Writes the loops of `op` and what is done with the value of each point."""

    neutral: list[SSAValue] = field(default_factory=list[SSAValue], init=False)

    def emit(self, block: Block) -> None:
        """Append the loops to `block` and record the op's result."""
        self.prepare(block)
        if is_tensor(self.op.result.type):
            self.run(block, [])
        else:
            self._bind(self.op.result, self.run(block, self.neutral))

    def prepare(self, block: Block) -> None:
        """Append what is done before the loops; a fold to a scalar begins with `neutral`."""
        self._begin(block)
        self._points.wrapped.begin(block)
        self._lines = self._plan_lines(block)
        plan, op = self.plan, self.op
        if plan.unrolled:
            points = prod(plan.unrolled.values())
            remark(op, f"{points} points of the innermost dimensions are written out in the loop")
        if isinstance(op, ScatterReduceOp):
            self._fill(block, [self.values[size] for size in op.into])
        elif not is_tensor(op.result.type):
            self.neutral = self._identity(block)

    def run(self, block: Block, carried: Parts) -> Parts:
        """Append the loops; return what is folded to a scalar, which is `carried` before."""
        plan, op = self.plan, self.op
        reduced = [d for d in plan.order if d >= plan.parallel]
        kept = [d for d in plan.order if d < plan.parallel]
        if isinstance(op, ScatterReduceOp):
            self._loops(block, plan.order, {}, [], self.scatter_point)
        elif not is_tensor(op.result.type):
            return self._folded(block, reduced, {}, self.neutral, carried)
        elif plan.tile is not None:
            tile = list(plan.tile)
            outer = [d for d in kept if d not in tile]
            store = self._store_point
            self._loops(block, outer, {}, [], lambda b, i, _: self._tiles(b, tile, i, {}, store))
        elif not reduced:
            self._loops(block, kept, {}, [], self._store_point)
        elif plan.in_memory:
            self._emit_in_memory(block, kept, reduced)
        elif kept and self._monoid() is None and self._is_done_together(kept[-1]):
            *outer, last = kept
            several = self._several_folds
            self._loops(block, outer, {}, [], lambda b, i, _: several(b, i, last, reduced))
        else:
            self._loops(block, kept, {}, [], lambda b, i, _: self._store_fold(b, i, reduced))
        return []

    def over_points(self, block: Block, body: Body) -> None:
        """Append the loops around a body of one's own."""
        self._loops(block, self.plan.order, {}, [], body)

    def _emit_in_memory(self, block: Block, kept: list[int], reduced: list[int]) -> None:
        *outer, inner = kept
        neutral = self._identity(block)

        def rows(b: Block, indices: Indices, _: Sequence[SSAValue]) -> list[SSAValue]:
            whole = {inner: self._range(inner)}
            self._loops(b, [inner], indices, [], lambda b, i, _: self._store(b, i, neutral), whole)
            if not self._is_done_together(reduced[-1]):
                self._loops(b, [*reduced, inner], indices, [], self._update)
                return []
            *others, last = reduced
            self._loops(b, others, indices, [], lambda b, i, _: self._several(b, i, last, inner))
            return []

        self._loops(block, outer, {}, [], rows)

    def _is_done_together(self, d: int) -> bool:
        """Return whether several indices of `d` are one step: of little work, and without tests."""
        size = constant_value(self.op.extents[d])
        is_short = isinstance(size, int) and size < TOGETHER
        if self.plan.plain or self.plan.peel is not None or is_short:
            return False
        definition = self._monoid()
        bodies = [self.op.body, *([definition.body] if definition is not None else [])]
        return sum(1 for body in bodies for _ in body.walk()) <= MOST_TOGETHER

    def _several(self, block: Block, indices: Indices, d: int, inner: int) -> Sequence[SSAValue]:
        """Append the loops over `d` and `inner`, several indices of `d` at each of `inner`."""

        def step(around: Block, places: Sequence[SSAValue]) -> None:
            def update(b: Block, point: Indices, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
                total: Parts = self._load(b, self._place(b, point))
                for place in places:
                    total = self._combine(b, total, self._points.point(b, {**point, d: place}))
                return self._store(b, point, total)

            self._loops(around, [inner], {**indices, d: places[0]}, [], update)

        rest = self._in_steps(block, d, step)
        return self._loops(block, [d, inner], indices, [], self._update, rest)

    def _several_folds(
        self, block: Block, indices: Indices, d: int, reduced: list[int]
    ) -> Sequence[SSAValue]:
        """Append the loop over `d` around folds, those of several indices in one loop."""

        def step(around: Block, places: Sequence[SSAValue]) -> None:
            neutral = self._identity(around)
            width = len(neutral)

            def fold(b: Block, point: Indices, held: Sequence[SSAValue]) -> list[SSAValue]:
                totals: list[SSAValue] = []
                for number, place in enumerate(places):
                    own = held[number * width : (number + 1) * width]
                    value = self._points.point(b, {**point, d: place})
                    totals += self._combine(b, own, value)
                return totals

            around_one = {**indices, d: places[0]}
            carried = neutral * len(places)
            totals = self._loops(around, reduced, around_one, carried, fold)
            for number, place in enumerate(places):
                own = totals[number * width : (number + 1) * width]
                self._store(around, {**indices, d: place}, own)

        rest = self._in_steps(block, d, step)
        return self._loops(
            block, [d], indices, [], lambda b, i, _: self._store_fold(b, i, reduced), rest
        )

    def _in_steps(
        self, block: Block, d: int, step: Callable[[Block, Sequence[SSAValue]], None]
    ) -> Mapping[int, tuple[SSAValue, SSAValue]]:
        """Append the loop over most of `d`, several indices at a time; return what is left."""
        begin, end = self._range(d)
        size = append(block, arith.SubiOp(end, begin), self.op).results[0]
        share = append(block, arith.AndIOp(size, append_constant(block, -TOGETHER)), self.op)
        middle = append(block, arith.AddiOp(begin, share.results[0]), self.op).results[0]
        around = Block(arg_types=[IndexType()])
        first = around.args[0]
        first.name_hint = self.op.body.block.args[d].name_hint
        places: list[SSAValue] = [first]
        for number in range(1, TOGETHER):
            further = arith.AddiOp(first, append_constant(around, number))
            places.append(append(around, further, self.op).results[0])
        step(around, places)
        around.add_op(scf.YieldOp())
        by = append_constant(block, TOGETHER)
        append(block, scf.ForOp(begin, middle, by, [], around), self.op)
        return {d: (middle, end)}

    def _bind(self, value: SSAValue, parts: Parts) -> None:
        TupleParts(self.values, self.tuples).bind(value, parts)

    def _buffers(self) -> list[SSAValue]:
        """The output: one buffer, or one for each part of its tuples."""
        return self.tuples.get(self.op.result) or [self.values[self.op.result]]

    def _fill(self, block: Block, sizes: Sequence[SSAValue]) -> None:
        """Set the output, of the given dimensions, to the monoid's identity."""
        neutral, place = self._identity(block), list[SSAValue]()
        inner = block
        for size in sizes:
            body = Block(arg_types=[IndexType()])
            place.append(body.args[0])
            append(inner, scf.ForOp(self._zero, size, self._one, [], body), self.op)
            inner = body
        self._store_at(inner, place, neutral)
        while inner is not block:
            inner.add_op(scf.YieldOp())
            outer = inner.parent_block()
            assert outer is not None
            inner = outer

    def scatter_point(
        self, block: Block, indices: Indices, _: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """Combine a point's value with the element that it goes to, if there is such."""
        values = self._points.point(block, indices)
        rank = len(values) - len(self._buffers())
        place = values[:rank]
        test = is_inside(block, place, self._buffers()[0])
        then = Block()
        self._store_at(then, place, self._combine(then, self._load(then, place), values[rank:]))
        then.add_op(scf.YieldOp())
        branch = scf.IfOp(test, [], Region(then))
        if self.plan.plain and (fold := self.fold_of()).definition is not None:
            say_folds(branch, [fold.monoid])
        append(block, branch, self.op)
        return []

    def _monoid(self) -> MonoidOp | None:
        """The definition of the monoid, if it is one of the program's own."""
        return self.fold_of().definition

    @property
    def folds_numbers(self) -> bool:
        """Whether it folds all points to a number."""
        return not is_tensor(self.op.result.type)

    def fold_of(self) -> Fold:
        """Return what it folds with."""
        assert isinstance(self.op, ReduceOp | ScatterReduceOp)
        return Fold.of(self.op.monoid.data, element_type(self.op.result.type), self.op)

    def _identity(self, block: Block) -> list[SSAValue]:
        return self.fold_of().identity(block, self.op)

    def _combine(self, block: Block, left: Parts, right: Parts) -> list[SSAValue]:
        return self.fold_of().combine(block, self.op, left, right)

    def _folded(
        self,
        block: Block,
        reduced: list[int],
        indices: Indices,
        neutral: Parts,
        carried: Parts,
    ) -> Sequence[SSAValue]:
        """Return what is folded over the dimensions `reduced`, with what is `carried` before."""
        plan, own = self.plan, self._monoid()
        in_order = own is not None and own.any_order is None
        lanes = lanes_for(len(neutral), in_order=in_order)
        if plan.plain:
            totals = self._loops(block, reduced, indices, carried, self._fold)
            say_own_folds(totals, [self.fold_of()])
            return totals
        if own is None or plan.peel is not None or plan.unrolled or lanes == 1:
            return self._loops(block, reduced, indices, carried, self._fold)

        def innermost(b: Block, outer: Indices, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return self._in_lanes(
                b, outer, carried, reduced[-1], neutral, self._fold, self._combine, in_order
            )

        return self._loops(block, reduced[:-1], indices, carried, innermost)

    def _in_lanes(
        self,
        block: Block,
        indices: Indices,
        carried: Parts,
        d: int,
        neutral: Parts,
        fold: Body,
        join: Join,
        in_order: bool,
    ) -> Sequence[SSAValue]:
        """The loop over dimension `d` of a fold, most of it in lanes."""

        def step(inner: Block, index: SSAValue, held: Parts) -> Parts:
            return fold(inner, {**indices, d: index}, held)

        bounds = self._range(d)
        folded, rest = fold_in_lanes(
            block, self.op, bounds, carried, neutral, step, join, in_order=in_order
        )
        return self._loops(block, [d], indices, folded, fold, {d: (rest, bounds[1])})

    def _fold(
        self, block: Block, indices: Indices, carried: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        return self._combine(block, carried, self._points.point(block, indices))

    def _load(self, block: Block, place: Sequence[SSAValue]) -> list[SSAValue]:
        """Return what the output holds at a place."""
        loads = [memref.LoadOp.get(buffer, place) for buffer in self._buffers()]
        return [append(block, load, self.op, "acc").results[0] for load in loads]

    def _store_at(self, block: Block, place: Sequence[SSAValue], values: Parts) -> None:
        for value, buffer in zip(values, self._buffers(), strict=True):
            append(block, memref.StoreOp.get(value, buffer, place), self.op)

    def _store(self, block: Block, indices: Indices, values: Parts) -> Sequence[SSAValue]:
        self._store_at(block, self._place(block, indices), values)
        return []

    def _place(self, block: Block, indices: Indices) -> list[SSAValue]:
        place = [indices[d] for d in range(self.plan.parallel)]
        return place_in_strip(block, place, self.starts.get(self.op.result), self.op)

    def _store_point(
        self, block: Block, indices: Indices, _: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        return self._store(block, indices, self._points.point(block, indices))

    def _store_fold(self, block: Block, indices: Indices, reduced: list[int]) -> Sequence[SSAValue]:
        neutral = self._identity(block)
        totals = self._folded(block, reduced, indices, neutral, neutral)
        return self._store(block, indices, totals)

    def _update(self, block: Block, indices: Indices, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
        held = self._load(block, self._place(block, indices))
        total = self._combine(block, held, self._points.point(block, indices))
        return self._store(block, indices, total)
