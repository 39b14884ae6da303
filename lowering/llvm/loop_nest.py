"""One `tensor_block` op over an iteration space as a nest of `scf.for` loops.

`plan_loops` chooses the order of the loops so that the innermost one runs along memory where
it can; `LoopNest` writes them. A reduction whose innermost loop is one of the reduced
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
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices, picks_dimensions
from diablo.dialects.monoids import combine, identity
from diablo.dialects.tensor_block import (
    ContractOp,
    GenerateOp,
    MapOp,
    ReduceOp,
    ScatterReduceOp,
)
from diablo.lowering.domains import find_domain
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.lowering.llvm.inner_ranges import (
    InnerRange,
    all_of,
    is_inside,
    linear_value,
    zero_attribute,
)

IterationOps = GenerateOp | MapOp | ReduceOp | ContractOp | ScatterReduceOp
Indices = Mapping[int, SSAValue]


@dataclass(frozen=True)
class LoopPlan:
    """How an op is looped over.

    `inputs[k]` are the indices at which the axes of input k are read; `order` the loops from
    the outermost in; `in_memory` whether a reduction accumulates in its output; `split` the
    dimension that threads may share, if any; `tile` the two dimensions cut in squares, if any;
    `peel` the dimension whose loop is cut in three, if any.
    """

    inputs: list[list[LinearIndex]]
    parallel: int
    order: list[int]
    in_memory: bool
    split: int | None
    tile: tuple[int, int] | None = None
    peel: int | None = None


TILE = 128
"""The edge of the squares: one of doubles takes 128 KB, which a core keeps close by."""


def plan_loops(op: IterationOps) -> LoopPlan:
    """Choose the loops of `op`."""
    inputs: list[list[LinearIndex]] = []
    beside = False
    if not isinstance(op, GenerateOp):
        inputs = [linear_indices(map.data) for map in op.maps]
        beside = not all(picks_dimensions(map.data) for map in op.maps)
    rank = len(op.extents)
    parallel = op.parallel.value.data if isinstance(op, ReduceOp | ContractOp) else rank
    if isinstance(op, ScatterReduceOp):
        # Threads would add to the same elements.
        return LoopPlan(
            inputs, 0, list(range(rank)), True, None, None, rank - 1 if beside else None
        )
    dimensions = list(range(rank))
    if not rank:
        return LoopPlan(inputs, 0, [], False, None)

    def strided(d: int) -> int:
        """How many accesses jump if `d` is the innermost loop; stores count twice."""
        jumps = sum(_jumps(axes, d) for axes in inputs)
        return jumps + (2 if d < parallel - 1 else 0)

    # Of equals take the last: it keeps the sum of a reduction in a register.
    innermost = min(reversed(dimensions), key=strided)
    outer = [d for d in dimensions if d != innermost]
    order = [*outer, innermost]
    in_memory = innermost < parallel < rank
    shareable = [d for d in order if d < parallel] or order
    # The direction in which an input lies along memory that is not the innermost loop's.
    across = [
        axes[-1].picked
        for axes in inputs
        if any(axis.picked == innermost for axis in axes[:-1]) and axes[-1].picked != innermost
    ]
    tile = None
    if across and across[0] is not None and parallel == rank and not beside:
        tile = (across[0], innermost)
    kept = [d for d in order if d < parallel]
    peel = None
    if beside or (isinstance(op, MapOp) and find_domain(op) is not None and tile is None):
        peel = kept[-1] if kept else innermost
    return LoopPlan(inputs, parallel, order, in_memory, shareable[0], tile, peel)


def _jumps(axes: Sequence[LinearIndex], d: int) -> bool:
    """Whether neighbours along `d` are not neighbours in an input read at `axes`."""
    factors = [dict(axis.dimensions).get(d, 0) for axis in axes]
    return any(factors[:-1]) or (bool(factors) and abs(factors[-1]) > 1)


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
        self._zero = _constant(block, 0)
        self._one = _constant(block, 1)
        self._extents = [self.values[extent] for extent in self.op.extents]
        self._offsets = [self.values[offset] for offset in self.op.offsets]
        self._domain = find_domain(self.op) if isinstance(self.op, MapOp) else None
        self._inside = False
        self._along: dict[int, list[SSAValue]] | None = None
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
            _add(inner, scf.ForOp(self._zero, size, self._one, [], body), self.op)
            inner = body
        _add(inner, memref.StoreOp.get(neutral, self.values[self.op.result], place), self.op)
        while inner is not block:
            inner.add_op(scf.YieldOp())
            outer = inner.parent_block()
            assert outer is not None
            inner = outer

    def _scatter_point(
        self, block: Block, indices: Indices, _: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """Combine a point's value with the element that it goes to, if there is such."""
        *place, value = self._point(block, indices)
        test = is_inside(block, place, self.values[self.op.result])
        then = Block()
        table = self.values[self.op.result]
        load = _add(then, memref.LoadOp.get(table, place), self.op, "acc")
        total = self._combine(then, load.results[0], value)
        _add(then, memref.StoreOp.get(total, table, place), self.op)
        then.add_op(scf.YieldOp())
        _add(block, scf.IfOp(test, [], Region(then)), self.op)
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
        results = self._loops(
            inner, dimensions[1:], {**indices, d: index}, inner.args[1:], body, ranges
        )
        inner.add_op(scf.YieldOp(*results))
        begin, end = ranges.get(d) or self._range(d)
        loop = scf.ForOp(begin, end, self._one, carried, inner)
        return _add(block, loop, self.op).results

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
        limits = InnerRange(self.op, self.values, self._domain, self._extents)
        low, high, tests = limits.along(block, d, indices, begin, end)

        def part(
            inner: Block, first: SSAValue, last: SSAValue, values: Sequence[SSAValue]
        ) -> Sequence[SSAValue]:
            return self._loops(
                inner, dimensions, indices, values, body, {**ranges, d: (first, last)}
            )

        carried = part(block, begin, low, carried)
        every = [test for own in tests.values() for test in own]
        if not every:
            self._inside = True
            carried = part(block, low, high, carried)
        else:
            then, otherwise = Block(), Block()
            self._inside = True
            then.add_op(scf.YieldOp(*part(then, low, high, carried)))
            # What does not vary along the loop is tested for each input by itself.
            self._inside = False
            self._along = {n: own for n, own in tests.items() if n not in limits.rough}
            otherwise.add_op(scf.YieldOp(*part(otherwise, low, high, carried)))
            self._along = None
            types = [value.type for value in carried]
            choice = scf.IfOp(all_of(block, every), types, Region(then), Region(otherwise))
            carried = _add(block, choice, self.op).results
        self._inside = False
        return part(block, high, end, carried)

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
        edge = _constant(block, TILE)
        inner = Block(arg_types=[IndexType()])
        start = inner.args[0]
        start.name_hint = f"{self.op.body.block.args[d].name_hint or 'index'}_tile"
        after = _add(inner, arith.AddiOp(start, edge), self.op).results[0]
        stop = _add(inner, arith.MinSIOp(after, end), self.op).results[0]
        self._tiles(inner, dimensions[1:], indices, {**ranges, d: (start, stop)})
        inner.add_op(scf.YieldOp())
        return _add(block, scf.ForOp(begin, end, edge, [], inner), self.op).results

    def _value(self, block: Block, indices: Indices) -> SSAValue:
        """The one value of the body at a point."""
        (value,) = self._point(block, indices)
        return value

    def _point(self, block: Block, indices: Indices) -> list[SSAValue]:
        """The values of the body at one point."""
        body = self.op.body.block
        inner = dict(self.values)
        rank = len(self._extents)
        for d, argument in enumerate(body.args[:rank]):
            if not argument.uses:
                continue
            index = indices[d]
            if self._offsets:
                index = _add(block, arith.AddiOp(index, self._offsets[d]), self.op).results[0]
            inner[argument] = index
        if not isinstance(self.op, GenerateOp):
            for number, argument in enumerate(body.args[rank:]):
                if argument.uses:
                    inner[argument] = self._element(block, number, indices, argument.name_hint)
        end = body.last_op
        assert end is not None
        if self._inside and self._domain is not None:
            for op in self._domain.needed():
                block.add_op(op.clone(inner))
            return [inner.get(self._domain.value, self._domain.value)]
        for op in body.ops:
            if op is not end:
                block.add_op(op.clone(inner))
        return [inner.get(value, value) for value in end.operands]

    def _element(self, block: Block, number: int, indices: Indices, hint: str | None) -> SSAValue:
        """The element of an input at a point: zero outside of the input."""
        assert not isinstance(self.op, GenerateOp)
        value = self.op.inputs[number]
        axes = self.plan.inputs[number]
        shifted = not picks_dimensions(self.op.maps.data[number].data)
        place = [
            indices[axis.picked]
            if axis.picked is not None
            else linear_value(block, axis, indices, [self.values[s] for s in self.op.symbols])
            for axis in axes
        ]
        load = memref.LoadOp.get(self.values[value], place)
        if self._inside or not shifted:
            return _add(block, load, self.op, hint).results[0]
        if self._along is None or number not in self._along:
            test = is_inside(block, place, self.values[value])
        elif self._along[number]:
            test = all_of(block, self._along[number])
        else:
            return _add(block, load, self.op, hint).results[0]
        then, otherwise = Block(), Block()
        then.add_op(load)
        then.add_op(scf.YieldOp(load.results[0]))
        zero = arith.ConstantOp(zero_attribute(load.results[0].type))
        otherwise.add_ops([zero, scf.YieldOp(zero.result)])
        choice = scf.IfOp(test, [load.results[0].type], Region(then), Region(otherwise))
        return _add(block, choice, self.op, hint).results[0]

    def _identity(self, block: Block) -> SSAValue:
        assert isinstance(self.op, ReduceOp | ContractOp | ScatterReduceOp)
        element = element_type(self.op.result.type)
        neutral = arith.ConstantOp(identity(self.op.monoid.data, element))
        return _add(block, neutral, self.op, "identity").results[0]

    def _combine(self, block: Block, left: SSAValue, right: SSAValue) -> SSAValue:
        assert isinstance(self.op, ReduceOp | ContractOp | ScatterReduceOp)
        joined = combine(self.op.monoid.data, left, right)
        if isinstance(joined, arith.FloatingPointLikeBinaryOperation):
            # The order of a reduction is free, so it may run in vector lanes.
            joined.fastmath = arith.FastMathFlagsAttr(
                [FastMathFlag.REASSOC, FastMathFlag.ALLOW_CONTRACT]
            )
        return _add(block, joined, self.op).results[0]

    def _fold(
        self, block: Block, indices: Indices, carried: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        return [self._combine(block, carried[0], self._value(block, indices))]

    def _store(self, block: Block, indices: Indices, value: SSAValue) -> Sequence[SSAValue]:
        _add(block, memref.StoreOp.get(value, *self._place(indices)), self.op)
        return []

    def _place(self, indices: Indices) -> tuple[SSAValue, list[SSAValue]]:
        return self.values[self.op.result], [indices[d] for d in range(self.plan.parallel)]

    def _store_point(
        self, block: Block, indices: Indices, _: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        return self._store(block, indices, self._value(block, indices))

    def _store_fold(self, block: Block, indices: Indices, reduced: list[int]) -> Sequence[SSAValue]:
        neutral = self._identity(block)
        (total,) = self._loops(block, reduced, indices, [neutral], self._fold)
        return self._store(block, indices, total)

    def _update(self, block: Block, indices: Indices, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
        load = _add(block, memref.LoadOp.get(*self._place(indices)), self.op, "acc")
        total = self._combine(block, load.results[0], self._value(block, indices))
        return self._store(block, indices, total)


def _add(block: Block, op: Operation, source: Operation, hint: str | None = None) -> Operation:
    """Append `op`, which comes from `source`, to `block`."""
    op.location = source.location
    block.add_op(op)
    if hint is not None:
        op.results[0].name_hint = hint
    return op


def _constant(block: Block, value: int) -> SSAValue:
    op = arith.ConstantOp(IntegerAttr(value, IndexType()))
    block.add_op(op)
    op.result.name_hint = {0: "zero", 1: "one"}.get(value, "edge")
    return op.result
