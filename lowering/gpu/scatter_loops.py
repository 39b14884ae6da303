"""How values are combined at computed places where the order of threads would show.

Sums of floats are made sums of integers, which any order leaves the same (`exact_sums.py`), and the
greatest and the least of floats are those of integers (`exact_extrema.py`). Products round, and
monoids of the program's own have no step in memory: what threads would combine in another order
each time is combined in the order of the iterations, so that equal runs give equal bits. It is
sorted by place, and folded for each then:

    scf.for %i … {                            scf.for %p … { keys[%p] = %k(%p)  places[%p] = %p }
      %k = …                                  simt.sort %keys, %places
      scf.if %k is a place of %h {            scf.for %k … { starts[%k] = the first such key }
        %old = memref.load %h[%k]        =>   scf.for %k … {
        memref.store %old * %x, %h[%k]          %all = scf.for %j = starts[%k] to starts[%k + 1] {
    } }                                           … * %x(places[%j])
                                                }
                                                memref.store %h[%k] * %all, %h[%k]
                                              }

Where there are few places nothing is sorted (`owned_places.py`); how many there are shows when the
program runs, so that both ways stand in a branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects import arith, func, math, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects.simt import SortOp, say_folds
from diablo.lowering.gpu.computed_places import SAME_FUNCTION, Scatter, find_scatters
from diablo.lowering.gpu.exact_extrema import exact_extrema
from diablo.lowering.gpu.exact_sums import exact_sums
from diablo.lowering.gpu.kernel_writer import IndexWriter

MOST_OWNED = 256
"""How many places there are at most of which each is one thread's."""


def order_scatters(function: func.FuncOp) -> None:
    """Rewrite the loops of a function that combine at computed places where order matters."""
    _order(function.body.block)


def _order(block: Block) -> None:
    """Rewrite the loops of a block, and those between which whoever launches kernels chooses."""
    for op in list(block.ops):
        if isinstance(op, scf.IfOp):
            for region in op.regions:
                for inner in region.blocks:
                    _order(inner)
        if not isinstance(op, scf.ForOp):
            continue
        scatters = find_scatters(op)
        if scatters and not all(scatter.is_free for scatter in scatters):
            for scatter in scatters:
                block.insert_ops_before(_ordered(scatter), op)
            op.detach()
            op.erase()


def _ordered(scatter: Scatter) -> Sequence[Operation]:
    """Return what takes the place of the loops of one scatter."""
    if scatter.is_free:
        return [scatter.alone()]
    monoid = scatter.fold.float_monoid
    if monoid.is_sum:
        return exact_sums(scatter)
    if monoid.extremum:
        return exact_extrema(scatter)
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
    return e.detached()


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
        inside = self.scatter.point(e, number, self.extents, SAME_FUNCTION)
        has_place, place = self.scatter.linear(e, inside, self.sizes, SAME_FUNCTION)
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
        inside = self.scatter.point(e, number, self.extents, SAME_FUNCTION)
        return self.scatter.step(e, inside, held, SAME_FUNCTION)
