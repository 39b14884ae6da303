"""Forms for regions that are nearly the whole box, and for lists of coordinates.

full            nothing: entry k is at position k
bitmap          words of 64 bits, lowest first, and how many bits the words before each have
coordinates     the ascending row-major positions
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override
from xdsl.dialects import arith, math, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import SSAValue

from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.kernel_form import Cursor, EntryBody, Form


def box_size(e: Emitter, extents: Values) -> SSAValue:
    """Return how many indices a box has."""
    size = e.index(1)
    for number, extent in enumerate(extents):
        size = e.multiply(size, extent) if number else extent
    return size


@dataclass
class Full(Form):
    """Every index of the box."""

    @override
    def count(self, e: Emitter) -> SSAValue:
        return box_size(e, self.extents)

    @override
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        return entry

    @override
    def lower_bound(self, e: Emitter, flat: SSAValue) -> SSAValue:
        return flat

    @override
    def walk(
        self,
        e: Emitter,
        prefix: Values,
        carried: Values,
        body: EntryBody,
        *,
        backwards: bool = False,
    ) -> Values:
        """A loop for each dimension."""

        def at(e: Emitter, rest: list[SSAValue], values: Values) -> Values:
            return body(e, rest, e.flatten([*prefix, *rest], self.extents), values)

        return e.nest(self.extents[len(prefix) :], carried, at, backwards=backwards)

    @override
    def find(self, e: Emitter, indices: Values) -> tuple[SSAValue, SSAValue]:
        return e.flatten(indices, self.extents), e.boolean(True)


@dataclass
class Coordinates(Form):
    """The ascending positions themselves."""

    flat: SSAValue

    @override
    def count(self, e: Emitter) -> SSAValue:
        return e.length(self.flat)

    @override
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        return e.load(self.flat, entry)

    @override
    def cursor(self, e: Emitter, prefix: Values) -> Cursor | None:
        """The positions ascend."""
        begin, end = self.range_of(e, prefix)
        base = e.multiply(e.flatten(prefix, self.extents[:-1]), self.extents[-1])

        def key(e: Emitter, entry: SSAValue) -> SSAValue:
            return e.subtract(e.load(self.flat, entry), base)

        return Cursor(begin, end, key if prefix else self.flat_at)


@dataclass
class Bitmap(Form):
    """A bit for each index; the number of those before gives the entry."""

    words: SSAValue
    ranks: SSAValue

    @override
    def count(self, e: Emitter) -> SSAValue:
        return e.load(self.ranks, e.length(self.words))

    def _bits(self, e: Emitter, flat: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
        """The place of the word of a position, the place of its bit in it, and the word."""
        place = e.value(arith.ShRUIOp(flat, e.index(6)))
        bit = e.value(arith.AndIOp(flat, e.index(63)))
        word = e.value(memref.LoadOp.get(self.words, [place]), "word")
        return place, e.value(arith.IndexCastOp(bit, i64)), word

    def _is_set(self, e: Emitter, word: SSAValue, bit: SSAValue) -> SSAValue:
        one = e.value(arith.ConstantOp(IntegerAttr(1, i64)))
        shifted = e.value(arith.ShRUIOp(word, bit))
        return e.value(arith.CmpiOp(e.value(arith.AndIOp(shifted, one)), one, "eq"))

    def _rank(self, e: Emitter, place: SSAValue, bit: SSAValue, word: SSAValue) -> SSAValue:
        """Return how many bits are set before one."""
        one = e.value(arith.ConstantOp(IntegerAttr(1, i64)))
        mask = e.value(arith.SubiOp(e.value(arith.ShLIOp(one, bit)), one))
        below = e.value(math.CtPopOp(e.value(arith.AndIOp(word, mask))))
        return e.add(
            e.load(self.ranks, place), e.value(arith.IndexCastOp(below, IndexType())), "rank"
        )

    @override
    def lower_bound(self, e: Emitter, flat: SSAValue) -> SSAValue:
        """The position behind the last has no word."""
        inside = e.compare("slt", flat, box_size(e, self.extents))
        return e.branch(
            inside, lambda e: [self._rank(e, *self._bits(e, flat))], lambda e: [self.count(e)]
        )[0]

    @override
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        """By halving: the last position before which there are no more bits than that."""
        one = e.index(1)
        return e.lower_bound(
            e.index(0),
            box_size(e, self.extents),
            lambda e, flat: e.compare("sle", self.lower_bound(e, e.add(flat, one)), entry),
        )

    @override
    def walk(
        self,
        e: Emitter,
        prefix: Values,
        carried: Values,
        body: EntryBody,
        *,
        backwards: bool = False,
    ) -> Values:
        """Every bit is tested; the entries are counted on the way."""
        begin, end = self.range_of(e, prefix)
        one = e.index(1)
        start = e.subtract(end, one) if backwards else begin

        def at(e: Emitter, rest: list[SSAValue], values: Values) -> Values:
            _, bit, word = self._bits(e, e.flatten([*prefix, *rest], self.extents))
            return self.counted(
                e,
                self._is_set(e, word, bit),
                values,
                lambda e, entry, others: body(e, rest, entry, others),
                one,
                backwards=backwards,
            )

        _, *results = e.nest(
            self.extents[len(prefix) :], [start, *carried], at, backwards=backwards
        )
        return results

    @override
    def find(self, e: Emitter, indices: Values) -> tuple[SSAValue, SSAValue]:
        place, bit, word = self._bits(e, e.flatten(indices, self.extents))
        return self._rank(e, place, bit, word), self._is_set(e, word, bit)
