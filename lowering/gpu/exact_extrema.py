"""How the greatest or the least float is found at computed places in any order: as an integer.

    scf.for %i … {                          1. %word[%k]   the greatest word that is met there
      %k = …                                2. the float of that word, and %h[%k]
      scf.if %k is a place of %h {     =>
        memref.store max(%old, %x), %h[%k]
    } }

The bits of floats that are not negative are in their order as integers; those of others are in the
other order, and below them where all but the sign are turned. So memory compares in one step
(`kernel_mappings.py`). NaN is beyond the end that is asked for, so that it is what comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import Float64Type, IntegerAttr, IntegerType, i32, i64
from xdsl.ir import Operation, SSAValue

from diablo.dialects.monoids import combine
from diablo.lowering.gpu.computed_places import Scatter
from diablo.lowering.gpu.kernel_writer import IndexWriter
from diablo.lowering.gpu.place_tables import PlaceTables

_NAN = {32: 0x7FC00000, 64: 0x7FF8000000000000}
"""The bits of NaN, which are above those of all numbers."""


def exact_extrema(scatter: Scatter) -> Sequence[Operation]:
    """Return the loops that find the greatest or the least float at computed places."""
    e = IndexWriter(scatter.loops[0])
    _Extrema(scatter, e).write()
    return e.detached()


@dataclass
class _Extrema:
    """Writes the loops for one scatter with `e`."""

    scatter: Scatter
    e: IndexWriter
    word: IntegerType = field(init=False)

    def __post_init__(self) -> None:
        self.word = i64 if isinstance(self.scatter.fold.element, Float64Type) else i32
        self.tables = PlaceTables(self.e, self.scatter)
        self.table = self.tables.add(self.word, "word")

    def write(self) -> None:
        """Append them."""
        self.tables.each_place(self._clear)
        self.e.block.add_op(
            self.scatter.with_addends(lambda e, parts, place: self._meet(e, parts[0], place))
        )
        self.tables.each_place(self._leave)

    def _constant(self, e: IndexWriter, value: int) -> SSAValue:
        return e.add(arith.ConstantOp(IntegerAttr(value, self.word)))

    def _turned(self, e: IndexWriter, word: SSAValue) -> SSAValue:
        """Append a word of which all bits but the sign are turned where that is set."""
        all_ = (1 << (self.word.width.data - 1)) - 1
        turned = e.add(arith.XOrIOp(word, self._constant(e, all_)))
        is_below = e.compare(word, "slt", self._constant(e, 0))
        return e.add(arith.SelectOp(is_below, turned, word))

    def _word(self, e: IndexWriter, value: SSAValue) -> SSAValue:
        """Append the word of a float."""
        width = self.word.width.data
        is_greatest = self.scatter.fold.float_monoid.extremum == ">"
        beyond = _NAN[width] if is_greatest else -(1 << (width - 1))
        is_nan = e.add(arith.CmpfOp(value, value, "uno"))
        word = self._turned(e, e.add(arith.BitcastOp(value, self.word)))
        return e.add(arith.SelectOp(is_nan, self._constant(e, beyond), word))

    def _clear(self, e: IndexWriter, place: Sequence[SSAValue]) -> None:
        (neutral,) = self.scatter.fold.identity(e.block, e.op)
        e.put(memref.StoreOp.get(self._word(e, neutral), self.table, place))

    def _meet(self, e: IndexWriter, value: SSAValue, place: Sequence[SSAValue]) -> None:
        own = self._word(e, value)
        before = e.add(memref.LoadOp.get(self.table, place))
        after = e.add(combine(self.scatter.fold.monoid, before, own))
        e.put(memref.StoreOp.get(after, self.table, place))

    def _leave(self, e: IndexWriter, place: Sequence[SSAValue]) -> None:
        """Append that the element is combined with the float that was found."""
        fold, (buffer,) = self.scatter.fold, self.scatter.buffers
        word = self._turned(e, e.add(memref.LoadOp.get(self.table, place)))
        found = e.add(arith.BitcastOp(word, fold.element))
        before = e.add(memref.LoadOp.get(buffer, place))
        (after,) = fold.combine(e.block, e.op, [before], [found])
        e.put(memref.StoreOp.get(after, buffer, place))
