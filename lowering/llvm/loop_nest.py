"""A loop over an iteration space as a nest of `scf.for` loops.

`plan_loops` (loop_plan.py) chooses the order of the loops so that the innermost one runs along
memory where it can; `NestedLoops` (nested_loops.py) writes them, `Points` (loop_points.py) what a
point takes, and `LoopNest` what becomes of it. A reduction whose innermost loop is one of the
reduced dimensions keeps its sum in a register:

    for i: acc = identity; for k: acc = acc + body(i, k); out[i] = acc

with several i in the loop over k, which share what they read, and whose rows come from memory side
by side. Where each i leaves out some k (passes/analyses/loops/body_domains.py), as `k != i`, the
loop goes through those that several i share, and each through the rest of its own. Otherwise
(column sums, products by rows) it accumulates in the output:

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
from functools import reduce
from math import prod

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects.access_maps import picks_dimensions
from diablo.dialects.comprehension import MonoidOp
from diablo.dialects.locations import remark
from diablo.dialects.simt import say_folds
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


@dataclass(frozen=True)
class _Cut:
    """Where a row of a fold begins and ends, and the place in it that is left out, if there is one.

    A place behind the end stands for none.
    """

    low: SSAValue
    high: SSAValue
    hole: SSAValue | None


@dataclass
class LoopNest(NestedLoops):
    """Writes the loops of `op` and what is done with the value of each point."""

    neutral: list[SSAValue] = field(default_factory=list[SSAValue], init=False)

    def emit(self, block: Block) -> None:
        """Append the loops to `block` and record the op's result."""
        self.prepare(block)
        self.bind(self.run(block, self.neutral))

    def bind(self, totals: Parts) -> None:
        """Record what has been folded to a scalar."""
        if self.folds_numbers:
            self._bind(self.op.result, totals)

    def prepare(self, block: Block) -> None:
        """Append what is done before the loops; a fold to a scalar begins with `neutral`."""
        self._begin(block)
        self._points.wrapped.begin(block)
        self._lines = self._plan_lines(block)
        plan, op = self.plan, self.op
        if plan.unrolled:
            points = prod(plan.unrolled.values())
            remark(
                op.origin,
                f"{points} points of the innermost dimensions are written out in the loop",
            )
        if op.kind == "scatter":
            self._fill(block, [self.values[size] for size in op.into])
        elif plan.adds_up:
            self._fill(block, self._extents[: plan.parallel])
        elif not is_tensor(op.result.type):
            self.neutral = self._identity(block)

    def run(self, block: Block, carried: Parts) -> Parts:
        """Append the loops; return what is folded to a scalar, which is `carried` before."""
        plan, op = self.plan, self.op
        reduced = [d for d in plan.order if d >= plan.parallel]
        kept = [d for d in plan.order if d < plan.parallel]
        if op.kind == "scatter":
            self._loops(block, plan.order, {}, [], self._scatter_point)
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

            def several(b: Block, i: Indices, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
                if plan.peel is None:
                    return self._several_folds(b, i, last, reduced)
                return self._cut_folds(b, i, last)

            self._loops(block, outer, {}, [], several)
        else:
            self._loops(block, kept, {}, [], lambda b, i, _: self._store_fold(b, i, reduced))
        return []

    def _emit_in_memory(self, block: Block, kept: list[int], reduced: list[int]) -> None:
        *outer, inner = kept
        neutral = self._identity(block)

        def rows(b: Block, indices: Indices, _: Sequence[SSAValue]) -> list[SSAValue]:
            whole = {inner: self._range(inner)}
            if not self.plan.adds_up:
                self._loops(
                    b, [inner], indices, [], lambda b, i, _: self._store(b, i, neutral), whole
                )
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
        if self.plan.plain or is_short:
            return False
        if self.plan.peel is not None and not self._is_cut_along_fold():
            return False
        definition = self._monoid()
        bodies = [self.op.body, *([definition.body] if definition is not None else [])]
        return sum(1 for body in bodies for _ in body.walk()) <= MOST_TOGETHER

    def _is_cut_along_fold(self) -> bool:
        """Return whether a fold's one loop is cut by bounds, or by a hole, and by nothing else.

        And that at places which are near to each other in neighbouring rows.
        """
        plan, domain = self.plan, self.plan.domain
        if domain is None or plan.in_memory or not 0 < plan.parallel == len(plan.order) - 1:
            return False
        if not all(picks_dimensions(map.data) for map in self.op.indexing_maps):
            return False
        if domain.holes and domain.bounds:
            return False
        # What rows that are next to each other do not share is little.
        row, along = plan.order[-2:]
        forms = [cut.form for cut in domain.holes or domain.bounds]
        factors = [(abs(form.factor(along)), abs(form.factor(row))) for form in forms]
        return along == plan.peel and all(own and own >= other for own, other in factors)

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
            self._fold_rows(around, [{**indices, d: place} for place in places], reduced, [{}])

        rest = self._in_steps(block, d, step)
        return self._loops(
            block, [d], indices, [], lambda b, i, _: self._store_fold(b, i, reduced), rest
        )

    def _fold_rows(
        self,
        block: Block,
        rows: Sequence[Indices],
        reduced: list[int],
        parts: Sequence[Mapping[int, tuple[SSAValue, SSAValue]]],
    ) -> None:
        """Append loops that fold several rows side by side, one for each part; store the folds."""
        neutral = self._identity(block)
        width = len(neutral)

        def fold(b: Block, point: Indices, held: Sequence[SSAValue]) -> list[SSAValue]:
            totals: list[SSAValue] = []
            for number, row in enumerate(rows):
                own = held[number * width : (number + 1) * width]
                totals += self._combine(b, own, self._points.point(b, {**point, **row}))
            return totals

        totals: Sequence[SSAValue] = neutral * len(rows)
        for ranges in parts:
            totals = self._loops(block, reduced, rows[0], totals, fold, ranges)
        for number, row in enumerate(rows):
            self._store(block, row, totals[number * width : (number + 1) * width])

    def _cut_folds(self, block: Block, indices: Indices, d: int) -> Sequence[SSAValue]:
        """Append the loop over `d` around a fold that is cut, of which several share a part.

        Of the last indices, if there are too few, each folds all of its own.
        """
        begin, end = self._range(d)
        around = Block(arg_types=[IndexType()])
        first = around.args[0]
        first.name_hint = self.op.body.block.args[d].name_hint
        further = arith.AddiOp(first, append_constant(around, TOGETHER))
        after = append(around, further, self.op).results[0]
        stop = append(around, arith.MinSIOp(after, end), self.op).results[0]
        test = append(around, arith.CmpiOp(after, end, "sle"), self.op).results[0]
        self._points.inside = True
        several, few = Block(), Block()
        several.add_op(scf.YieldOp(*self._fold_shared(several, indices, d, first)))
        few.add_op(scf.YieldOp(*self._fold_nothing(few, indices, d, (first, stop))))
        choice = scf.IfOp(test, [IndexType()] * 2, Region(several), Region(few))
        low, high = append(around, choice, self.op).results
        self._fold_rest(around, indices, d, (first, stop), (low, high))
        self._points.inside = False
        around.add_op(scf.YieldOp())
        by = append_constant(block, TOGETHER)
        append(block, scf.ForOp(begin, end, by, [], around), self.op)
        return []

    def _fold_shared(
        self, block: Block, indices: Indices, d: int, first: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """Append loops over the part of a fold that several indices of `d` share.

        Returns between which places the rest lies, or, without a hole, before and after which.
        """
        along = self.plan.order[-1]

        def add(op: Operation) -> SSAValue:
            return append(block, op, self.op).results[0]

        def extreme(values: list[SSAValue], op: type[arith.MinSIOp | arith.MaxSIOp]) -> SSAValue:
            return reduce(lambda total, value: add(op(total, value)), values)

        places = [first]
        for number in range(1, TOGETHER):
            places.append(add(arith.AddiOp(first, append_constant(block, number))))
        rows = [{**indices, d: place} for place in places]
        cuts = [self._cut(block, along, row) for row in rows]
        holes = [cut.hole for cut in cuts if cut.hole is not None]
        if holes:
            low, high = cuts[0].low, cuts[0].high  # Without bounds all have the same.
            stop = add(arith.MaxSIOp(extreme(holes, arith.MinSIOp), low))
            after = add(arith.AddiOp(extreme(holes, arith.MaxSIOp), self._one))
            go_on = add(arith.MinSIOp(add(arith.MaxSIOp(after, stop)), high))
            parts, rest = [(low, stop), (go_on, high)], (stop, go_on)
        else:
            low = extreme([cut.low for cut in cuts], arith.MaxSIOp)
            end = extreme([cut.high for cut in cuts], arith.MinSIOp)
            rest = low, add(arith.MaxSIOp(end, low))
            parts = [rest]
        self._fold_rows(block, rows, [along], [{along: part} for part in parts])
        return rest

    def _fold_nothing(
        self, block: Block, indices: Indices, d: int, rows: tuple[SSAValue, SSAValue]
    ) -> tuple[SSAValue, SSAValue]:
        """Append what stands for the shared part of a few rows: all of each is left."""
        neutral = self._identity(block)
        self._loops(block, [d], indices, [], lambda b, i, _: self._store(b, i, neutral), {d: rows})
        low, high = self._range(self.plan.order[-1])
        domain = self._points.domain
        return (low, high) if domain is not None and domain.holes else (low, low)

    def _fold_rest(
        self,
        block: Block,
        indices: Indices,
        d: int,
        rows: tuple[SSAValue, SSAValue],
        rest: tuple[SSAValue, SSAValue],
    ) -> None:
        """Append the loop over a few indices of `d` in which each folds what they do not share."""
        along, (low, high) = self.plan.order[-1], rest

        def row(b: Block, point: Indices, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
            def add(op: Operation) -> SSAValue:
                return append(b, op, self.op).results[0]

            cut = self._cut(b, along, point)
            if cut.hole is None:
                before = cut.low, add(arith.MinSIOp(low, cut.high))
                after = add(arith.MaxSIOp(high, cut.low)), cut.high
            else:
                before = low, add(arith.MinSIOp(cut.hole, high))
                go_on = add(arith.AddiOp(cut.hole, self._one))
                after = add(arith.MaxSIOp(go_on, low)), high
            total: Sequence[SSAValue] = self._load(b, self._place(b, point))
            for part in (before, after):
                total = self._loops(b, [along], point, total, self._fold, {along: part})
            return self._store(b, point, total)

        self._loops(block, [d], indices, [], row, {d: rows})

    def _cut(self, block: Block, along: int, row: Indices) -> _Cut:
        """Append where a row of a fold that is cut begins and ends, and what it leaves out."""
        limits = self._limits()
        low, high, _ = limits.along(block, along, row, *self._range(along))
        holes = [
            append(block, arith.MinSIOp(hole, high), self.op).results[0]
            for hole in limits.holes(block, along, row)
        ]
        return _Cut(low, high, holes[0] if holes else None)

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

    def _scatter_point(
        self, block: Block, indices: Indices, _: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """Combine a point's value with the element that it goes to, if there is such."""
        self._scatter(block, self._points.point(block, indices))
        return []

    def _scatter(self, block: Block, values: Parts) -> None:
        """Combine a value, which follows its place, with what is there, if it is inside."""
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

    def _monoid(self) -> MonoidOp | None:
        """The definition of the monoid, if it is one of the program's own."""
        return self.fold_of().definition

    @property
    def folds_numbers(self) -> bool:
        """Whether it folds all points to a number."""
        return not is_tensor(self.op.result.type)

    def fold_of(self) -> Fold:
        """Return what it folds with."""
        return Fold.of(self.op.monoid, element_type(self.op.result.type), self.op.origin)

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
