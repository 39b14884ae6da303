"""Let what is combined at computed places be combined in order: sorted by place, then a fold each.

    scf.for %i … {                            scf.for %p … { keys[%p] = %k(%p)  places[%p] = %p }
      %k = …                                  simt.sort %keys, %places
      scf.if %k is a place of %h {            scf.for %k … { starts[%k] = the first such key }
        %old = memref.load %h[%k]        =>   scf.for %k … {
        memref.store %old + %x, %h[%k]          %sum = scf.for %j = starts[%k] to starts[%k + 1] {
    } }                                           … + %x(places[%j])
                                                }
                                                memref.store %h[%k] + %sum, %h[%k]
                                              }

Where memory can combine in one step, the order is free and nothing is done here. Floats round, and
monoids of the program's own have no such step: what threads would add up in another order each time
is added up in the order of the iterations, so that equal runs give equal bits. Where there are few
places nothing is sorted (`owned_places.py`); how many there are shows when the program runs, so
that both ways stand in a branch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects import arith, func, math, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects.effects import has_no_effect
from diablo.dialects.simt import SortOp, can_be_atomic, said_folds, say_folds
from diablo.lowering.gpu.free_folds import free_fold
from diablo.lowering.gpu.kernel_writer import IndexWriter
from diablo.lowering.gpu.loop_structure import is_within, trip_bounds
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.passes.analyses.refused import Refused

Values = dict[SSAValue, SSAValue]
MOST_OWNED = 256
"""How many places there are at most of which each is one thread's."""


@dataclass(frozen=True)
class Surroundings:
    """How ops of loops are copied to another place, and what stands there for values from outside
    the loops."""

    take: Callable[[SSAValue], SSAValue]
    copy: Callable[[Operation, IndexWriter, Values], object]


def _copied(op: Operation, e: IndexWriter, inside: Values) -> None:
    e.block.add_op(op.clone(inside))


_SAME_FUNCTION = Surroundings(lambda value: value, _copied)


@dataclass(frozen=True)
class Scatter:
    """Loops over a box, the outermost first, whose body combines values at a computed place.

    The body tests by `branch` whether there is such a place.
    """

    loops: tuple[scf.ForOp, ...]
    branch: scf.IfOp
    loads: tuple[memref.LoadOp, ...]
    stores: tuple[memref.StoreOp, ...]
    fold: Fold

    @property
    def place(self) -> Sequence[SSAValue]:
        """The indices of the element."""
        return self.stores[0].indices

    @property
    def buffers(self) -> Sequence[SSAValue]:
        """The buffers that are stored to, one for each part of a value."""
        return [store.memref for store in self.stores]

    def point(
        self, e: IndexWriter, number: SSAValue, extents: Sequence[SSAValue], around: Surroundings
    ) -> Values:
        """Append what the body computes before the branch, in the iteration of a number."""
        inside: Values = {}
        indices: list[SSAValue] = []
        for extent in reversed(extents[1:]):
            indices.append(e.remainder(number, extent))
            number = e.quotient(number, extent)
        indices.append(number)
        for loop, index in zip(self.loops, reversed(indices), strict=True):
            argument = loop.body.block.args[0]
            inside[argument] = e.sum(around.take(loop.lb), index)
            inside[argument].name_hint = argument.name_hint
            for op in loop.body.block.ops:
                if op is self.branch:
                    break
                is_left = isinstance(op, scf.YieldOp) or op in self.loops
                if not is_left and not (isinstance(op, scf.IfOp) and not has_no_effect(op)):
                    around.copy(op, e, inside)
        return inside

    def linear(
        self, e: IndexWriter, inside: Values, sizes: Sequence[SSAValue], around: Surroundings
    ) -> tuple[SSAValue, SSAValue]:
        """Append whether an iteration has a place, and the number of that in the order of
        memory."""

        def known(value: SSAValue) -> SSAValue:
            return inside[value] if value in inside else around.take(value)

        first, *others = self.place
        linear = known(first)
        for index, size in zip(others, sizes[1:], strict=True):
            linear = e.sum(e.product(linear, size), known(index))
        return known(self.branch.cond), linear

    def step(
        self, e: IndexWriter, inside: Values, held: Sequence[SSAValue], around: Surroundings
    ) -> list[SSAValue]:
        """Append what the branch makes of what is `held` in the place of the element."""
        loads: Mapping[Operation, int] = {load: k for k, load in enumerate(self.loads)}
        for op in self.branch.true_region.block.ops:
            if op in loads:
                inside[op.results[0]] = held[loads[op]]
            elif not isinstance(op, memref.StoreOp | scf.YieldOp):
                around.copy(op, e, inside)
        values = [store.value for store in self.stores]
        return [inside[value] if value in inside else around.take(value) for value in values]

    def alone(self) -> scf.ForOp:
        """Return a copy of the loops that does nothing else."""
        outer = self.loops[0]
        number = list(self.loops[-1].body.block.ops).index(self.branch)
        copy = outer.clone()
        inner = copy
        for _ in self.loops[1:]:
            found = _only_loop(inner)
            assert found is not None
            inner = found
        for k, op in enumerate(list(inner.body.block.ops)):
            if k != number and isinstance(op, scf.IfOp) and not has_no_effect(op):
                op.detach()
                op.erase()
        return copy

    @property
    def is_free(self) -> bool:
        """Whether memory combines values in one step, in any order."""
        return self.fold.definition is None and can_be_atomic(self.fold.monoid, self.fold.element)


def find_scatters(loop: scf.ForOp) -> list[Scatter]:
    """Return what a loop combines at computed places; nothing if it does anything else."""
    loops = [loop]
    while (inner := _only_loop(loops[-1])) is not None:
        loops.append(inner)
    for each in loops:
        outside = not any(is_within(bound, loop) for bound in each.operands[:2])
        try:
            trip_bounds(each)
        except Refused:
            return []
        if each.results or not outside:
            return []
    found: list[Scatter] = []
    for op in loops[-1].body.block.ops:
        if isinstance(op, scf.IfOp) and not has_no_effect(op):
            scatter = _scatter(tuple(loops), op)
            if scatter is None:
                return []
            found.append(scatter)
        elif not _only_reads(op):
            return []
    written = [buffer for scatter in found for buffer in scatter.buffers]
    taken = {load for scatter in found for load in scatter.loads}
    reads = {op.memref for op in loop.walk() if isinstance(op, memref.LoadOp) and op not in taken}
    return found if len({*written}) == len(written) and not reads & {*written} else []


def _only_loop(loop: scf.ForOp) -> scf.ForOp | None:
    inner = [op for op in loop.body.block.ops if isinstance(op, scf.ForOp)]
    others = [op for op in loop.body.block.ops if op not in inner]
    plain = all(_only_reads(op) for op in others)
    return inner[0] if len(inner) == 1 and not inner[0].results and plain else None


def _only_reads(op: Operation) -> bool:
    """Return whether an op computes and loads, and may be done once more."""
    if isinstance(op, memref.LoadOp | memref.DimOp | scf.YieldOp):
        return True
    if isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp):
        return all(_only_reads(inner) for inner in op.walk() if inner is not op)
    return has_no_effect(op) or isinstance(op, scf.ConditionOp)


def _scatter(loops: tuple[scf.ForOp, ...], branch: scf.IfOp) -> Scatter | None:
    """Return what is done under a condition, if it is to combine a value with an element."""
    if branch.results or (branch.false_region.blocks and len(branch.false_region.block.ops) > 1):
        return None
    ops = list(branch.true_region.block.ops)
    stores = tuple(op for op in ops if isinstance(op, memref.StoreOp))
    written = [store.memref for store in stores]
    loads = tuple(op for op in ops if isinstance(op, memref.LoadOp) and op.memref in written)
    others = [op for op in ops if op not in (*stores, *loads)]
    if (
        not stores
        or [load.memref for load in loads] != written
        or not all(map(_only_reads, others))
    ):
        return None
    place = list(stores[0].indices)
    inside = any(is_within(index, branch) for index in place)
    if inside or any(list(op.indices) != place for op in (*stores, *loads)):
        return None
    fold = _fold(branch, loads, stores)
    return None if fold is None else Scatter(loops, branch, loads, stores, fold)


def _fold(
    branch: scf.IfOp, loads: Sequence[memref.LoadOp], stores: Sequence[memref.StoreOp]
) -> Fold | None:
    """Return how values are combined: whoever wrote the branch says so, or its only op shows it."""
    said = said_folds(branch)
    if said is not None:
        fold = Fold.of(said[0], loads[0].res.type, branch)
        return Fold.of(said[0], fold.definition.element, branch) if fold.definition else fold
    combine = stores[0].value.owner
    if len(stores) > 1 or not isinstance(combine, Operation):
        return None
    fold = free_fold(combine)
    used = [operand for operand in combine.operands if operand is loads[0].res]
    alone = len(used) == 1 and len(list(loads[0].res.uses)) == 1
    return fold if alone and len(list(combine.results[0].uses)) == 1 else None


def order_scatters(function: func.FuncOp) -> None:
    """Rewrite the loops of a function that combine at computed places where order matters."""
    for op in list(function.body.block.ops):
        if not isinstance(op, scf.ForOp):
            continue
        scatters = find_scatters(op)
        if scatters and not all(scatter.is_free for scatter in scatters):
            for scatter in scatters:
                function.body.block.insert_ops_before(_ordered(scatter), op)
            op.detach()
            op.erase()


def _ordered(scatter: Scatter) -> Sequence[Operation]:
    """Return what takes the place of the loops of one scatter."""
    if scatter.is_free:
        return [scatter.alone()]
    e = IndexWriter(scatter.loops[0])
    buffer = scatter.buffers[0]
    rank = len(scatter.place)
    sizes = [e.add(memref.DimOp(buffer, e.index(axis))) for axis in range(rank)]
    bins = reduce(e.product, sizes)
    # Without any place there is no thread that has one.
    few = e.compare(e.difference(bins, e.index(1)), "ult", e.index(MOST_OWNED))
    owned = Block([scatter.alone(), scf.YieldOp()])
    sorted_ = e.inner()
    _Ordered(scatter, sorted_, sizes, bins).write()
    sorted_.put(scf.YieldOp())
    e.put(scf.IfOp(few, [], Region(owned), Region(sorted_.block)))
    ops = list(e.block.ops)
    for op in ops:
        op.detach()
    return ops


@dataclass
class _Ordered:
    """Writes the loops for one scatter that sort."""

    scatter: Scatter
    e: IndexWriter
    sizes: Sequence[SSAValue]
    bins: SSAValue

    def write(self) -> None:
        """Append them."""
        loops = self.scatter.loops
        e, bins = self.e, self.bins
        self.zero, self.one = e.index(0), e.index(1)
        self.extents = [e.greatest(e.difference(loop.ub, loop.lb), self.zero) for loop in loops]
        count = reduce(e.product, self.extents)
        self.keys, self.places = self._line(i64, count, "keys"), self._line(None, count, "places")
        e.loop(self.zero, count, self.one, [], lambda e, p, _: self._key(e, p), "p")
        # The number behind the last bin is that of what has no place.
        zeros = e.add(math.CountLeadingZerosOp(e.add(arith.IndexCastOp(bins, i64))))
        whole = e.index(64)
        bits = e.difference(whole, e.add(arith.IndexCastOp(zeros, IndexType())))
        e.put(SortOp(self.keys, self.places, bits))
        self.starts = self._line(None, e.sum(bins, self.one), "starts")
        e.loop(
            self.zero,
            e.sum(bins, self.one),
            self.one,
            [],
            lambda e, bin, _: self._start(e, bin, count),
            "bin",
        )
        self._fold(e, [])

    def _line(self, element: Attribute | None, size: SSAValue, hint: str) -> SSAValue:
        type = MemRefType(element or IndexType(), [DYNAMIC_INDEX])
        alloc = memref.AllocOp([size], [], type)
        return self.e.add(alloc, hint)

    def _key(self, e: IndexWriter, number: SSAValue) -> list[SSAValue]:
        inside = self.scatter.point(e, number, self.extents, _SAME_FUNCTION)
        has_place, place = self.scatter.linear(e, inside, self.sizes, _SAME_FUNCTION)
        key = e.add(arith.SelectOp(has_place, place, self.bins))
        e.put(memref.StoreOp.get(e.add(arith.IndexCastOp(key, i64)), self.keys, [number]))
        e.put(memref.StoreOp.get(number, self.places, [number]))
        return []

    def _start(self, e: IndexWriter, bin: SSAValue, count: SSAValue) -> list[SSAValue]:
        """Append a search for the first key that is not less than `bin`."""
        test = e.inner([IndexType(), IndexType()])
        low, high = test.block.args
        test.put(scf.ConditionOp(test.compare(low, "slt", high), low, high))
        step = e.inner([IndexType(), IndexType()])
        low, high = step.block.args
        middle = step.quotient(step.sum(low, high), step.index(2))
        key = step.add(memref.LoadOp.get(self.keys, [middle]))
        less = step.compare(step.add(arith.IndexCastOp(key, IndexType())), "slt", bin)
        above = step.sum(middle, step.index(1))
        step.put(
            scf.YieldOp(
                step.add(arith.SelectOp(less, above, low)),
                step.add(arith.SelectOp(less, high, middle)),
            )
        )
        types = [IndexType(), IndexType()]
        search = scf.WhileOp([self.zero, count], types, Region(test.block), Region(step.block))
        e.put(search)
        e.put(memref.StoreOp.get(search.results[0], self.starts, [bin]))
        return []

    def _fold(self, e: IndexWriter, place: Sequence[SSAValue]) -> list[SSAValue]:
        """Append the loops over the elements, and what is combined with each of them."""
        if len(place) < len(self.sizes):
            size = self.sizes[len(place)]
            e.loop(self.zero, size, self.one, [], lambda e, i, _: self._fold(e, [*place, i]), "bin")
            return []
        fold, buffers = self.scatter.fold, self.scatter.buffers
        bin = place[0]
        for index, size in zip(place[1:], self.sizes[1:], strict=True):
            bin = e.sum(e.product(bin, size), index)
        begin = e.add(memref.LoadOp.get(self.starts, [bin]))
        end = e.add(memref.LoadOp.get(self.starts, [e.sum(bin, self.one)]))
        held = [e.add(memref.LoadOp.get(buffer, place)) for buffer in buffers]
        neutral = fold.identity(e.block, e.op)
        sums = e.loop(begin, end, self.one, neutral, self._step, "j")
        loop = sums[0].owner
        assert isinstance(loop, scf.ForOp)
        say_folds(loop, [fold.monoid])
        for value, buffer in zip(fold.combine(e.block, e.op, held, sums), buffers, strict=True):
            e.put(memref.StoreOp.get(value, buffer, place))
        return []

    def _step(self, e: IndexWriter, j: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
        """Append what an iteration combines with what is `held`."""
        number = e.add(memref.LoadOp.get(self.places, [j]), "p")
        inside = self.scatter.point(e, number, self.extents, _SAME_FUNCTION)
        return self.scatter.step(e, inside, held, _SAME_FUNCTION)
