"""Indices that wrap around, brought inside with as little work as where they stand allows.

    %A[(d0 - 1) mod s0, (d1 + 1) mod s0]      in a loop over d1, in row %i
  =>
    %row = %i - 1, or where that is outside a turn away           once per row
    %j + 1                                                        in the middle of the loop
    %j + 1, or where that is outside a turn away                  at its ends

An index is rarely more than a turn away; then, and only then, it takes a division.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects.access_maps import LinearIndex
from diablo.linear_sums import LinearSum
from diablo.passes.analyses.values.linear_forms import (
    linear_form_of,
    write_linear_form,
    write_remainder,
)

Indices = Mapping[int, SSAValue]
Compare = Literal["slt", "sge", "sgt"]
Read = tuple[int, int]
"""An axis of an input, by its number."""
_NEAR = 1 << 20
"""Multiples and constants up to this are far from what an index overflows at."""


_STAYS = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])


def add(block: Block, op: Operation) -> SSAValue:
    """Append `op`; return its result."""
    block.add_op(op)
    return op.results[0]


def constant(block: Block, value: int) -> SSAValue:
    """Append an index."""
    return add(block, arith.ConstantOp(IntegerAttr(value, IndexType())))


def scaled(block: Block, value: SSAValue, factor: int) -> SSAValue:
    """`factor` times `value`."""
    return value if factor == 1 else add(block, arith.MuliOp(value, constant(block, factor)))


def is_near(index: LinearIndex, shifts: Sequence[int]) -> bool:
    """Return whether a place cannot overflow, so that what lies between two inside is inside."""
    numbers = [*index.inside.terms.values(), *shifts]
    return not index.outside.terms and all(abs(number) <= _NEAR for number in numbers)


def linear_value(
    block: Block,
    index: LinearIndex,
    indices: Indices,
    symbols: Sequence[SSAValue],
    *,
    stays: bool = False,
) -> SSAValue:
    """Compute the sum of a linear index at a point; if it `stays`, nothing of it wraps around."""

    def add(op: Operation) -> None:
        if stays and isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
            op.properties["overflowFlags"] = _STAYS
        block.add_op(op)

    return write_linear_form(linear_form_of(index, indices, symbols), add)


def remainder(block: Block, value: SSAValue, period: SSAValue) -> SSAValue:
    """Return what is left of `value`, never negative, in whole turns of `period`."""
    zero = constant(block, 0)
    less = add(block, arith.SubiOp(value, period))
    more = add(block, arith.AddiOp(value, period))
    near = _chosen(
        block, value, "slt", zero, more, _chosen(block, value, "sge", period, less, value)
    )
    inside = add(
        block,
        arith.AndIOp(
            add(block, arith.CmpiOp(near, zero, "sge")),
            add(block, arith.CmpiOp(near, period, "slt")),
        ),
    )
    then, otherwise = Block([scf.YieldOp(near)]), Block()
    rest = write_remainder(value, period, lambda op: add(otherwise, op))
    otherwise.add_op(scf.YieldOp(rest))
    choice = scf.IfOp(inside, [IndexType()], Region(then), Region(otherwise))
    return add(block, choice)


def _beside(block: Block, value: SSAValue, shift: int, period: SSAValue) -> SSAValue:
    """Return what is left of `value`, which is `shift`, a turn at most, behind one inside."""
    if shift < 0:
        more = add(block, arith.AddiOp(value, period))
        return _chosen(block, value, "slt", constant(block, 0), more, value)
    less = add(block, arith.SubiOp(value, period))
    return _chosen(block, value, "sge", period, less, value) if shift else value


def centred(block: Block, value: SSAValue, period: SSAValue) -> SSAValue:
    """Return what is left of `value` in whole turns, as near to zero as may be."""
    rest = remainder(block, value, period)
    less = add(block, arith.SubiOp(rest, period))
    twice = add(block, arith.AddiOp(rest, rest))
    return _chosen(block, twice, "sgt", period, less, rest)


def _chosen(
    block: Block,
    value: SSAValue,
    predicate: Compare,
    limit: SSAValue,
    then: SSAValue,
    otherwise: SSAValue,
) -> SSAValue:
    test = add(block, arith.CmpiOp(value, limit, predicate))
    return add(block, arith.SelectOp(test, then, otherwise))


@dataclass
class WrappedPlaces:
    """The wrapped indices of an op: what of them is known where the loops are being written.

    `reads` are the indices by where they are read; `arrays` and `symbols` the values of the
    inputs and of the op's symbols. `settled` are the indices of the current row, `bases` what
    is added to the multiple of the current index along a loop, less the constant. Those of a
    loop in its `middle` lie inside without more ado. It `divides` at once where few points are
    that wrap around: little code counts more there.
    """

    reads: Mapping[Read, LinearIndex]
    arrays: Sequence[SSAValue]
    symbols: Sequence[SSAValue]
    settled: dict[Read, SSAValue] = field(default_factory=dict[Read, SSAValue])
    bases: dict[tuple[LinearIndex, SSAValue], SSAValue] = field(
        default_factory=dict[tuple[LinearIndex, SSAValue], SSAValue]
    )
    middle: bool = False
    divides: bool = False
    _periods: dict[tuple[LinearSum[int], SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[LinearSum[int], SSAValue, int], SSAValue]
    )

    _places: dict[tuple[Block, LinearIndex, SSAValue], SSAValue] = field(
        default_factory=dict[tuple[Block, LinearIndex, SSAValue], SSAValue]
    )

    _turned: dict[tuple[Block, SSAValue, SSAValue], SSAValue] = field(
        default_factory=dict[tuple[Block, SSAValue, SSAValue], SSAValue]
    )

    def begin(self, block: Block) -> None:
        """Append the periods before all loops, and what does not vary in any."""
        for (number, axis), index in self.reads.items():
            assert index.period is not None
            array = self.arrays[number]
            key = index.period, array, axis
            if key not in self._periods:
                period = linear_value(block, LinearIndex(outside=index.period), {}, self.symbols)
                # Arrays are as large as the period, which is positive where there is a point.
                size = add(block, memref.DimOp(array, constant(block, axis)))
                period = add(block, arith.MinSIOp(period, size))
                self._periods[key] = add(block, arith.MaxSIOp(period, constant(block, 1)))
        self.settle(block, {})

    def period(self, read: Read) -> SSAValue:
        """Return at what the index of a read wraps around."""
        index = self.reads[read]
        assert index.period is not None
        return self._periods[index.period, self.arrays[read[0]], read[1]]

    def settle(self, block: Block, indices: Indices) -> None:
        """Append the indices that are known from those of the loops so far."""
        found: dict[tuple[LinearIndex, SSAValue], SSAValue] = {}
        for read, index in self.reads.items():
            period = self.period(read)
            if read in self.settled or (index.without_constant, period) in self.bases:
                continue
            if any(d not in indices for d in index.dimensions):
                continue
            if (index, period) not in found:
                value = linear_value(block, index.sum, indices, self.symbols)
                found[index, period] = remainder(block, value, period)
            self.settled[read] = found[index, period]

    def base(self, block: Block, read: Read, d: int, indices: Indices) -> SSAValue | None:
        """Return what is added to the multiple of the index along `d`, and to the constant.

        `None` if it is not known before the loop along `d`, or the index does not vary in it.
        """
        index = self.reads[read]
        factor = index.factor(d)
        others = index.sum.without_constant.without(d)
        if not factor or any(other not in indices for other in others.dimensions):
            return None
        key = index.without_constant, self.period(read)
        if key not in self.bases:
            rest = linear_value(block, others, indices, self.symbols)
            # Upwards the middle begins near the first index, downwards it ends near the last.
            bring = centred if factor > 0 else remainder
            self.bases[key] = bring(block, rest, key[1])
        return self.bases[key]

    def place(self, block: Block, read: Read, d: int | None, indices: Indices) -> SSAValue:
        """The index of a read at a point, in the loop along `d`."""
        if read in self.settled:
            return self.settled[read]
        key = block, self.reads[read], self.period(read)
        if key not in self._places:
            self._places[key] = self._place(block, read, d, indices)
        return self._places[key]

    def beside(self, block: Block, read: Read, indices: Indices) -> SSAValue:
        """The index of a read at a point where it is a turn away at most, as its constant says."""
        index = self.reads[read]
        value = linear_value(block, index.sum, indices, self.symbols)
        return _beside(block, value, index.constant, self.period(read))

    def forget(self, d: int) -> None:
        """Take back what was computed at an index along `d`, which is about to be another one."""
        varying = [key for key in self._places if d in key[1].dimensions]
        for key in varying:
            del self._places[key]

    def _place(self, block: Block, read: Read, d: int | None, indices: Indices) -> SSAValue:
        index, period = self.reads[read], self.period(read)
        base = self.bases.get((index.without_constant, period))
        if base is None or d is None:
            value = linear_value(block, index.sum, indices, self.symbols)
            if self.divides:
                return write_remainder(value, period, lambda op: add(block, op))
            return remainder(block, value, period)
        value = self.start(block, read, d, indices)
        if index.constant:
            value = add(block, arith.AddiOp(value, constant(block, index.constant)))
        return value if self.middle else remainder(block, value, period)

    def turned(self, block: Block, place: SSAValue, period: SSAValue) -> SSAValue:
        """A place along a row, whole turns away from inside."""
        key = block, place, period
        if key not in self._turned:
            self._turned[key] = remainder(block, place, period)
        return self._turned[key]

    def start(self, block: Block, read: Read, d: int | None, indices: Indices) -> SSAValue:
        """The index of a read in the middle of the loop along `d`, less its constant."""
        index = self.reads[read]
        assert d is not None
        base = self.bases[index.without_constant, self.period(read)]
        value = scaled(block, indices[d], index.factor(d))
        return add(block, arith.AddiOp(value, base))
