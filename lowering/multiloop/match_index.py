"""What finds the rows of a bag that match a key: chains of the rows whose keys have one hash.

    multiloop.loop matches[1](%R, %k : !comprehension.bag<f64, i64>, i64) { body }
  =>
    %row = heads[the high bits of the hash of %k]
    while %row >= 0:  if keys[%row] == %k: body;  %row = next[%row]

A call that is to `build` puts the rows into chains, the last one first, so that a chain has them
in their order. The heads, which are a power of two, are -1 before. A row whose key has a NaN is in
none: nothing matches it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, math, memref, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, i32, i64
from xdsl.ir import Region, SSAValue

from diablo.lowering.multiloop.key_words import canonical, hash_of, word_of
from diablo.lowering.multiloop.op_writer import OpWriter


@dataclass
class MatchIndex:
    """The chains of a bag's rows by some of its columns: `keys`."""

    length: SSAValue
    keys: Sequence[SSAValue]
    heads: SSAValue
    next: SSAValue

    def begin(self, entry: OpWriter, build: SSAValue) -> None:
        """Append that the chains are made, if the call is to do so."""
        size = entry.add(memref.DimOp(self.heads, entry.index(0)))
        bits = entry.add(math.CountTrailingZerosOp(entry.add(arith.IndexCastOp(size, i64))))
        width = entry.add(arith.ConstantOp(IntegerAttr(64, i64)))
        self._shift = entry.add(arith.SubiOp(width, bits), "shift")
        zero, one = entry.index(0), entry.index(1)
        count = entry.add(arith.SelectOp(build, self.length, zero))
        last = entry.add(arith.SubiOp(self.length, one))
        loop = entry.inner([IndexType()])
        row = loop.add(arith.SubiOp(last, loop.block.args[0]), "row")
        keys = [loop.add(memref.LoadOp.get(column, [row])) for column in self.keys]
        numbers = self._are_numbers(loop, keys)
        if numbers is None:
            self._insert(loop, keys, row)
        else:
            loop.branch(numbers, lambda some: self._insert(some, keys, row))
        loop.put(scf.YieldOp())
        entry.put(scf.ForOp(zero, count, one, [], loop.block))

    @staticmethod
    def _are_numbers(writer: OpWriter, keys: Sequence[SSAValue]) -> SSAValue | None:
        """Append whether no column of a key is NaN, if one may be."""
        found: SSAValue | None = None
        for key in keys:
            if isinstance(key.type, AnyFloat):
                test = writer.add(arith.CmpfOp(key, key, "ord"))
                found = test if found is None else writer.add(arith.AndIOp(found, test))
        return found

    def _insert(self, writer: OpWriter, keys: Sequence[SSAValue], row: SSAValue) -> None:
        place = self._place(writer, self._words(writer, keys))
        before = writer.add(memref.LoadOp.get(self.heads, [place]))
        writer.put(memref.StoreOp.get(before, self.next, [row]))
        number = writer.add(arith.IndexCastOp(row, i32))
        writer.put(memref.StoreOp.get(number, self.heads, [place]))

    @staticmethod
    def _words(writer: OpWriter, keys: Sequence[SSAValue]) -> list[SSAValue]:
        return [word_of(writer, canonical(writer, key)) for key in keys]

    def _place(self, writer: OpWriter, words: Sequence[SSAValue]) -> SSAValue:
        high = writer.add(arith.ShRUIOp(hash_of(writer, words), self._shift))
        return writer.add(arith.IndexCastOp(high, IndexType()), "place")

    def each(
        self,
        writer: OpWriter,
        keys: Sequence[SSAValue],
        body: Callable[[OpWriter, SSAValue], None],
    ) -> None:
        """Append a loop over the rows that match a key; `body` is given each row."""
        words = self._words(writer, keys)
        first = writer.add(memref.LoadOp.get(self.heads, [self._place(writer, words)]))
        test = writer.inner([i32])
        zero = test.add(arith.ConstantOp(IntegerAttr(0, i32)))
        more = test.add(arith.CmpiOp(test.block.args[0], zero, "sge"))
        test.put(scf.ConditionOp(more, test.block.args[0]))
        step = writer.inner([i32])
        row = step.add(arith.IndexCastOp(step.block.args[0], IndexType()), "match")
        same: SSAValue | None = None
        for column, word in zip(self.keys, words, strict=True):
            stored = canonical(step, step.add(memref.LoadOp.get(column, [row])))
            test_ = step.add(arith.CmpiOp(word_of(step, stored), word, "eq"))
            same = test_ if same is None else step.add(arith.AndIOp(same, test_))
        assert same is not None
        step.branch(same, lambda matching: body(matching, row))
        step.put(scf.YieldOp(step.add(memref.LoadOp.get(self.next, [row]))))
        writer.put(scf.WhileOp([first], [i32], Region(test.block), Region(step.block)))
