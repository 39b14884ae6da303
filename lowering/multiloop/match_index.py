"""What finds the rows of a bag that match a key: chains of the rows whose keys have one hash.

    multiloop.loop matches[1](%R, %k : !comprehension.bag<f64, i64>, i64) { body }
  =>
    %row = heads[the high bits of the hash of %k]
    while %row >= 0:  if keys[%row] == %k: body;  %row = next[%row]

A call that is to `build` puts the rows into chains, the last one first, so that a chain has them
in their order. The heads, which are a power of two, are -1 before. A row behind which others come
is stored as -2 less its number, so that the end of a chain is known without a look at what is next.
A row whose key has a NaN is in none: nothing matches it.

Where the key is one integer, the caller says where its chain begins: what is left of it without a
base, times a factor, shifted to the right. That is the hash, or, of keys that lie close together,
the key itself, for which the shift is 0: all rows of a chain have the same key then.

What is found lies anywhere, and a processor sees too few rows at once to wait for several of them
together. Of many rows heads are asked for some rows ahead, and what they lead to soon after:

    multiloop.prefetch heads[place(keys at row + 32)]
    multiloop.prefetch y[heads[place(keys at row + 16)]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, math, memref, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, i1, i32, i64
from xdsl.ir import Region, SSAValue

from diablo.dialects.multiloop import PrefetchOp
from diablo.lowering.multiloop.key_words import has_words, hash_of, words_of
from diablo.lowering.multiloop.op_writer import OpWriter

_EMPTY = -1
"""What the head of a chain without rows is."""
_FAR = 1 << 17
"""From how many heads on those are no longer in a near cache, where asking for them is a loss."""
_AHEAD = 16
"""How many rows ahead what a head leads to is asked for; the head is as many rows before that."""


@dataclass(frozen=True)
class Row:
    """A row of the bag that a loop goes through, which has so many."""

    place: SSAValue
    length: SSAValue

    def later(
        self, writer: OpWriter, count: int, columns: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """Append what columns have so many rows later, or in the last row."""
        last = writer.add(arith.SubiOp(self.length, writer.index(1)))
        place = writer.add(arith.AddiOp(self.place, writer.index(count)))
        there = writer.add(arith.MinSIOp(place, last), "later")
        return [writer.add(memref.LoadOp.get(column, [there])) for column in columns]


@dataclass
class MatchIndex:
    """The chains of a bag's rows by some of its columns: `keys`."""

    length: SSAValue
    keys: Sequence[SSAValue]
    heads: SSAValue
    next: SSAValue
    spread: Sequence[SSAValue] = ()
    """The base, the factor and the shift, of an integer."""

    def begin(self, entry: OpWriter, build: SSAValue) -> None:
        """Append that the chains are made, if the call is to do so."""
        self._size = size = entry.add(memref.DimOp(self.heads, entry.index(0)))
        self.is_far = entry.add(arith.CmpiOp(size, entry.index(_FAR), "uge"), "far")
        if self.spread:
            none = entry.add(arith.ConstantOp(IntegerAttr(0, i64)))
            self._exact = entry.add(arith.CmpiOp(self.spread[2], none, "eq"), "exact")
        else:
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
        place = self._place(writer, words_of(writer, keys))
        before = writer.add(memref.LoadOp.get(self.heads, [place]))
        writer.put(memref.StoreOp.get(before, self.next, [row]))
        number = writer.add(arith.IndexCastOp(row, i32))
        empty = writer.add(arith.ConstantOp(IntegerAttr(_EMPTY, i32)))
        behind = writer.add(arith.ConstantOp(IntegerAttr(_EMPTY - 1, i32)))
        followed = writer.add(arith.SubiOp(behind, number))
        is_last = writer.add(arith.CmpiOp(before, empty, "eq"))
        head = writer.add(arith.SelectOp(is_last, number, followed))
        writer.put(memref.StoreOp.get(head, self.heads, [place]))

    def _place(self, writer: OpWriter, words: Sequence[SSAValue]) -> SSAValue:
        if self.spread:
            base, factor, shift = self.spread
            hash = writer.add(arith.MuliOp(writer.add(arith.SubiOp(words[0], base)), factor))
        else:
            hash, shift = hash_of(writer, words), self._shift
        high = writer.add(arith.ShRUIOp(hash, shift))
        return writer.add(arith.IndexCastOp(high, IndexType()), "place")

    def _near(
        self, writer: OpWriter, words: Sequence[SSAValue]
    ) -> tuple[SSAValue, SSAValue | None]:
        """Append a place among the heads; whether the chain of a key begins there, if not sure."""
        place = self._place(writer, words)
        if not self.spread:
            return place, None
        inside = writer.add(arith.CmpiOp(place, self._size, "ult"))
        return writer.add(arith.SelectOp(inside, place, writer.index(0))), inside

    def _head(self, writer: OpWriter, words: Sequence[SSAValue]) -> SSAValue:
        """Append the head of the chain of a key, which may be none of those that heads are for."""
        place, inside = self._near(writer, words)
        head = writer.add(memref.LoadOp.get(self.heads, [place]))
        if inside is None:
            return head
        empty = writer.add(arith.ConstantOp(IntegerAttr(_EMPTY, i32)))
        return writer.add(arith.SelectOp(inside, head, empty))

    def _is_same(self, writer: OpWriter, words: Sequence[SSAValue], row: SSAValue) -> SSAValue:
        """Append whether a row of the chain of a key has that key."""
        if not self.spread:
            return has_words(writer, self.keys, words, row)
        exact, hashed = writer.inner(), writer.inner()
        exact.put(scf.YieldOp(exact.add(arith.ConstantOp(IntegerAttr(1, i1)))))
        hashed.put(scf.YieldOp(has_words(hashed, self.keys, words, row)))
        return writer.add(scf.IfOp(self._exact, [i1], [exact.block], [hashed.block]))

    def prefetch(
        self, writer: OpWriter, row: Row, columns: Sequence[SSAValue], read: Sequence[SSAValue]
    ) -> None:
        """Append that what later rows will match is asked for, if it is far.

        Their keys are in `columns`; of the rows that match, `read` are the columns that are read.
        """

        def write(far: OpWriter) -> None:
            keys = row.later(far, 2 * _AHEAD, columns)
            place, _ = self._near(far, words_of(far, keys))
            far.put(PrefetchOp(self.heads, place))
            head = self._head(far, words_of(far, row.later(far, _AHEAD, columns)))
            number, _ = self._number(far, head)
            zero = far.add(arith.ConstantOp(IntegerAttr(0, i32)))
            first = far.add(arith.IndexCastOp(far.add(arith.MaxSIOp(number, zero)), IndexType()))
            self._ask(far, read, first)
            others = [column for column in self.keys if column not in read]
            if self.spread and others:
                true = far.add(arith.ConstantOp(IntegerAttr(1, i1)))
                hashed = far.add(arith.XOrIOp(self._exact, true))
                far.branch(hashed, lambda some: self._ask(some, others, first))
            else:
                self._ask(far, others, first)

        writer.branch(self.is_far, write)

    @staticmethod
    def _ask(writer: OpWriter, columns: Sequence[SSAValue], row: SSAValue) -> None:
        for column in columns:
            writer.put(PrefetchOp(column, row))

    @staticmethod
    def _number(writer: OpWriter, found: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Append the number of a row that is stored in a chain; whether others are behind it."""
        zero = writer.add(arith.ConstantOp(IntegerAttr(0, i32)))
        behind = writer.add(arith.ConstantOp(IntegerAttr(_EMPTY - 1, i32)))
        is_followed = writer.add(arith.CmpiOp(found, zero, "slt"))
        other = writer.add(arith.SubiOp(behind, found))
        return writer.add(arith.SelectOp(is_followed, other, found)), is_followed

    def each(
        self,
        writer: OpWriter,
        keys: Sequence[SSAValue],
        body: Callable[[OpWriter, SSAValue], None],
    ) -> None:
        """Append a loop over the rows that match a key; `body` is given each row."""
        words = words_of(writer, keys)
        first = self._head(writer, words)
        test = writer.inner([i32])
        (found,) = test.block.args
        empty = test.add(arith.ConstantOp(IntegerAttr(_EMPTY, i32)))
        more = test.add(arith.CmpiOp(found, empty, "ne"))
        test.put(scf.ConditionOp(more, found))
        step = writer.inner([i32])
        (found,) = step.block.args
        number, is_followed = self._number(step, found)
        row = step.add(arith.IndexCastOp(number, IndexType()), "match")
        same = self._is_same(step, words, row)
        step.branch(same, lambda matching: body(matching, row))
        following, last = step.inner(), step.inner()
        following.put(scf.YieldOp(following.add(memref.LoadOp.get(self.next, [row]))))
        last.put(scf.YieldOp(last.add(arith.ConstantOp(IntegerAttr(_EMPTY, i32)))))
        after = scf.IfOp(is_followed, [i32], [following.block], [last.block])
        step.put(scf.YieldOp(step.add(after)))
        writer.put(scf.WhileOp([first], [i32], Region(test.block), Region(step.block)))
