"""How floats are added at computed places in any order: as integers, on a scale of each place.

    scf.for %i … {                          1. %top[%k]    the greatest exponent that is added there
      %k = …                                2. %words[%k]  what is added, in fixed point below that,
      scf.if %k is a place of %h {     =>                  cut into two words
        memref.store %old + %x, %h[%k]      3. %h[%k] + (%words[%k,0] * 2**B + %words[%k,1]) * 2**e
    } }

Sums of integers are the same in any order, so threads meet in memory (`kernel_mappings.py`), and
equal runs give equal bits. A word has B bits of each addend, and room for the sum of all of them:
with fewer than 2**30 addends B is 32. What an addend has 64 bits below the greatest one, or further
down, is cut off, so that n addends of magnitudes up to m are wrong by less than n * m * 2**-63
together; adding one after the other allows for n * m * 2**-53. Infinities and NaN have the greatest
exponent of all; where that is met the words count them instead.

The idea is that of Demmel and Nguyen ("Parallel reproducible summation", 2015), with accumulators
of integers as those of Collange, Defour, Graillat and Iakymchuk ("Numerical reproducibility for the
parallel reduction on multi- and many-core architectures", 2015), of which two words suffice since
the scale is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import inf

from xdsl.dialects import arith, math, memref
from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    IntegerType,
    f64,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from diablo.dialects.simt import LookOp
from diablo.lowering.gpu.computed_places import Scatter
from diablo.lowering.gpu.kernel_writer import IndexWriter
from diablo.lowering.gpu.place_tables import PlaceTables

_FRACTION = 52
"""The bits of a float behind its first one; those of its exponent are above them."""
_SPECIAL = 0x7FF
"""The exponent of infinities and of NaN, the greatest, as a float has it."""
_BIAS = 1023
_WORD = 64
_BITS = _WORD // 2
"""How many bits of an addend each of both words has at most."""


def exact_sums(scatter: Scatter) -> Sequence[Operation]:
    """Return the loops that add floats up at computed places."""
    e = _BitWriter(scatter.loops[0])
    _ExactSums(scatter, e).write()
    return e.detached()


class _BitWriter(IndexWriter):
    """Appends ops on words of 64 bits."""

    def word(self, value: int, type: IntegerType = i64) -> SSAValue:
        """Append a constant."""
        return self.add(arith.ConstantOp(IntegerAttr(value, type)))

    def shifted(self, word: SSAValue, by: SSAValue | int, *, left: bool = False) -> SSAValue:
        """Append a word whose bits are moved down, or up; zeros take their place."""
        distance = self.word(by) if isinstance(by, int) else by
        return self.add((arith.ShLIOp if left else arith.ShRUIOp)(word, distance))

    def masked(self, word: SSAValue, mask: SSAValue | int) -> SSAValue:
        """Append the bits of a word that a mask has as well."""
        return self.add(arith.AndIOp(word, self.word(mask) if isinstance(mask, int) else mask))

    def either(self, condition: SSAValue, one: SSAValue, other: SSAValue) -> SSAValue:
        """Append the choice between two values."""
        return self.add(arith.SelectOp(condition, one, other))

    def both(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Append whether two conditions hold."""
        return self.add(arith.AndIOp(left, right))

    def power_of_two(self, exponent: SSAValue) -> SSAValue:
        """Append the float that is a power of two, of which no bit is lost."""
        biased = self.sum(exponent, self.word(_BIAS))
        bits = self.shifted(biased, _FRACTION, left=True)
        return self.add(arith.BitcastOp(bits, f64))

    def exponent(self, bits: SSAValue) -> SSAValue:
        """Append the exponent of a float, given its bits."""
        return self.masked(self.shifted(bits, _FRACTION), _SPECIAL)


def _bits_of(e: _BitWriter, value: SSAValue) -> SSAValue:
    """Append the bits of a float, if need be of a longer one that is equal to it."""
    if value.type != f64:
        value = e.add(arith.ExtFOp(value, f64))
    return e.add(arith.BitcastOp(value, i64))


@dataclass
class _ExactSums:
    """Writes the loops for one scatter with `e`."""

    scatter: Scatter
    e: _BitWriter
    bits: SSAValue = field(init=False)
    """How many bits of each addend a word has."""

    def __post_init__(self) -> None:
        self.tables = PlaceTables(self.e, self.scatter)
        self.top = self.tables.add(i32, "top")
        # Both words of a place are beside each other, so that threads go to one line of memory.
        self.words = self.tables.add(i64, "words", 2)

    def write(self) -> None:
        """Append them."""
        e, zero = self.e, self.e.index(0)
        loops = self.scatter.loops
        self.tables.each_place(self._clear)
        extents = [e.greatest(e.difference(loop.ub, loop.lb), zero) for loop in loops]
        self._find_bits(reduce(e.product, extents))
        for do in (self._raise_top, self._add):
            loop = self.scatter.with_addends(
                lambda e, parts, place, do=do: do(_BitWriter(e.op, e.block), parts[0], place)
            )
            e.block.add_op(loop)
        self.tables.each_place(self._leave)

    def _find_bits(self, count: SSAValue) -> None:
        """Append how many bits a word has of each of so many addends: it holds their sum."""
        e = self.e
        unused = e.add(math.CountLeadingZerosOp(e.add(arith.IndexCastOp(count, i64))))
        room = e.add(arith.IndexCastOp(e.difference(unused, e.word(2)), e.index(0).type))
        # Whoever launches kernels computes it.
        known = e.add(LookOp(e.least(room, e.index(_BITS))))
        self.bits = e.add(arith.IndexCastOp(known, i64), "bits")

    def _clear(self, e: IndexWriter, place: Sequence[SSAValue]) -> None:
        assert isinstance(e, _BitWriter)
        e.put(memref.StoreOp.get(e.word(0, i32), self.top, place))
        for number in range(2):
            e.put(memref.StoreOp.get(e.word(0), self.words, [*place, e.index(number)]))

    def _raise_top(self, e: _BitWriter, value: SSAValue, place: Sequence[SSAValue]) -> None:
        """Append that the greatest exponent of a place is no less than that of an addend."""
        own = e.add(arith.TruncIOp(e.exponent(_bits_of(e, value)), i32))
        before = e.add(memref.LoadOp.get(self.top, place))
        e.put(memref.StoreOp.get(e.greatest(before, own), self.top, place))

    def _top(self, e: _BitWriter, place: Sequence[SSAValue]) -> SSAValue:
        return e.add(arith.ExtUIOp(e.add(memref.LoadOp.get(self.top, place)), i64))

    def _add(self, e: _BitWriter, value: SSAValue, place: Sequence[SSAValue]) -> None:
        """Append that an addend is added, in fixed point, or counted where it is none."""
        bits = _bits_of(e, value)
        zero, one = e.word(0), e.word(1)
        own, top = e.exponent(bits), self._top(e, place)
        fraction = e.masked(bits, (1 << _FRACTION) - 1)
        negative = e.compare(bits, "slt", zero)
        # The least floats have the exponent above, and no first bit.
        first = e.either(e.compare(own, "eq", zero), zero, e.word(1 << _FRACTION))
        whole = e.add(arith.OrIOp(fraction, first))
        below = e.difference(e.greatest(top, one), e.greatest(own, one))
        aligned = e.shifted(e.shifted(whole, _WORD - _FRACTION - 1, left=True), below)
        # Nothing is left where all is moved out, which is no shift.
        aligned = e.either(e.compare(below, "ult", e.word(_WORD)), aligned, zero)
        high = e.shifted(aligned, e.difference(e.word(_WORD), self.bits))
        behind = e.shifted(aligned, e.difference(e.word(_WORD), e.sum(self.bits, self.bits)))
        low = e.masked(behind, e.difference(e.shifted(one, self.bits, left=True), one))
        high, low = (e.either(negative, e.difference(zero, w), w) for w in (high, low))
        # Where there are infinities, these alone are counted; NaN is what comes of both.
        special = e.compare(top, "eq", e.word(_SPECIAL))
        is_one = e.compare(own, "eq", e.word(_SPECIAL))
        unknown = e.compare(fraction, "ne", zero)
        up = e.add(arith.OrIOp(e.compare(bits, "sge", zero), unknown))
        down = e.add(arith.OrIOp(negative, unknown))
        for number, word, end in ((0, high, up), (1, low, down)):
            count = e.add(arith.ExtUIOp(e.both(is_one, end), i64))
            addend = e.either(special, count, word)
            at = [*place, e.index(number)]
            total = e.sum(e.add(memref.LoadOp.get(self.words, at)), addend)
            e.put(memref.StoreOp.get(total, self.words, at))

    def _leave(self, e: IndexWriter, place: Sequence[SSAValue]) -> None:
        """Append that the element is combined with the sum."""
        assert isinstance(e, _BitWriter)
        fold, (buffer,) = self.scatter.fold, self.scatter.buffers
        top = self._top(e, place)
        words = [
            e.add(memref.LoadOp.get(self.words, [*place, e.index(number)])) for number in range(2)
        ]
        high, low = (e.add(arith.SIToFPOp(word, f64)) for word in words)
        scaled = e.add(arith.MulfOp(high, e.power_of_two(self.bits)))
        total = e.add(arith.AddfOp(scaled, low))
        # An addend is below 2**(top - bias + 1), of which both words have as many bits each. Half
        # of the exponent at a time is one that a float may have.
        both = e.sum(self.bits, self.bits)
        exponent = e.difference(e.greatest(top, e.word(1)), e.sum(both, e.word(_BIAS - 1)))
        half = e.add(arith.ShRSIOp(exponent, e.word(1)))
        for part in (half, e.difference(exponent, half)):
            total = e.add(arith.MulfOp(total, e.power_of_two(part)))
        ends: list[SSAValue] = []
        nothing = e.add(arith.ConstantOp(FloatAttr(0.0, f64)))
        for word, end in zip(words, (inf, -inf), strict=True):
            infinite = e.add(arith.ConstantOp(FloatAttr(end, f64)))
            ends.append(e.either(e.compare(word, "ne", e.word(0)), infinite, nothing))
        special = e.compare(top, "eq", e.word(_SPECIAL))
        total = e.either(special, e.add(arith.AddfOp(ends[0], ends[1])), total)
        if fold.element != f64:
            total = e.add(arith.TruncFOp(total, fold.element))
        before = e.add(memref.LoadOp.get(buffer, place))
        (after,) = fold.combine(e.block, e.op, [before], [total])
        e.put(memref.StoreOp.get(after, buffer, place))
