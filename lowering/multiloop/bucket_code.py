"""Buckets in loops over buffers: a hash table of the places of keys, open and with linear probing.

    multiloop.emit %sum[%k : i64](%x : f64)
  =>
    %p, %s = the first slot from the hash of %k on that is empty (%s < 0) or has the place of %k
    if %s < 0:  slots[%p] = count; keys[count] = %k; sums[count] = %x; count = count + 1
    else:       sums[%s] = sums[%s] + %x

Keys and values are columns, in the order in which the keys were first met; a slot holds the place
of a key in them. There are a power of two of slots, at least twice as many as the columns have
room for rows. Where these are full, the caller gets back which row comes next, hands in larger
columns with the same rows and more slots, which are empty (-1), and goes on.

Where keys are integers, those from a base on that a caller gives have a table without hashes, whose
places the key itself says: to find them needs no load, so that many are on their way at once. The
table has the monoids' identities to begin with, and beside it is what keys were seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, math, memref, scf
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Region, SSAValue

from diablo.dialects.monoids import ANY, is_user_defined
from diablo.dialects.multiloop import BucketReduceType
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.llvm.tuple_parts import Parts
from diablo.lowering.multiloop.generator_code import (
    Argument,
    Frame,
    GeneratorCode,
    RowCount,
    column_type,
    store_row,
)
from diablo.lowering.multiloop.key_words import canonical, check_key, hash_of, word_of
from diablo.lowering.multiloop.op_writer import OpWriter


@dataclass
class BucketCode(GeneratorCode):
    """Combines what is emitted for each key."""

    generator: BucketReduceType
    folds: Sequence[Fold]
    arguments: list[Argument] = field(init=False)
    is_limited = True

    def __post_init__(self) -> None:
        for type in self.generator.key:
            check_key(type)
        self.arguments = [
            *[(column_type(type), "key") for type in self.generator.key],
            *[(column_type(type), "value") for fold in self.folds for type in fold.types],
            (column_type(i32), "slots"),
        ]
        if has_table(self.generator):
            self.arguments += [
                *[(column_type(type), "table") for fold in self.folds for type in fold.types],
                (column_type(i1), "seen"),
                *[(i64, name) for _ in self.generator.key for name in ("base", "extent")],
            ]

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin without keys, or put those of a call before in the new slots."""
        keys, values = len(self.generator.key), sum(len(fold.types) for fold in self.folds)
        self._keys, self._values = buffers[:keys], buffers[keys : keys + values]
        self._slots, *self._table = buffers[keys + values :]
        self._rows = RowCount(frame, number)
        self._part = frame.part
        entry = frame.entry
        size = entry.add(memref.DimOp(self._slots, entry.index(0)))
        self._mask = entry.add(arith.SubiOp(size, entry.index(1)), "mask")
        bits = entry.add(math.CountTrailingZerosOp(entry.add(arith.IndexCastOp(size, i64))))
        width = entry.add(arith.ConstantOp(IntegerAttr(64, i64)))
        self._shift = entry.add(arith.SubiOp(width, bits), "shift")
        row = entry.inner([IndexType()])
        (place,) = row.block.args
        words = [self._stored_word(row, key, place) for key in self._keys]
        at, _ = self._find(row, words, hash_of(row, words), wanted=False)
        row.put(memref.StoreOp.get(row.add(arith.IndexCastOp(place, i32)), self._slots, [at]))
        row.put(scf.YieldOp())
        count = self._rows.read(entry)
        entry.put(scf.ForOp(entry.index(0), count, entry.index(1), [], row.block))

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Find the bucket of a key, or begin one."""
        given = [canonical(writer, key) for (key,) in keys]
        words = [word_of(writer, key) for key in given]
        if not self._table:
            self._emit_hashed(writer, given, words, values)
            return
        bounds = 2 * len(words)
        *columns, seen = self._table[:-bounds]
        place, test = self._place(writer, words, self._table[-bounds:])
        inside, outside = writer.inner(), writer.inner()
        self._combine(inside, columns, place, values)
        true = inside.add(arith.ConstantOp(IntegerAttr(1, i1)))
        inside.put(memref.StoreOp.get(true, seen, [place]))
        self._emit_hashed(outside, given, words, values)
        for branch in (inside, outside):
            branch.put(scf.YieldOp())
        writer.put(scf.IfOp(test, [], Region(inside.block), Region(outside.block)))

    @staticmethod
    def _place(
        writer: OpWriter, words: Sequence[SSAValue], bounds: Sequence[SSAValue]
    ) -> tuple[SSAValue, SSAValue]:
        """Append the place of a key in the table, row by row, and whether it has one."""
        place: SSAValue | None = None
        inside: SSAValue | None = None
        for word, base, extent in zip(words, bounds[::2], bounds[1::2], strict=True):
            behind = writer.add(arith.SubiOp(word, base))
            # A key below the base is a large integer without a sign.
            test = writer.add(arith.CmpiOp(behind, extent, "ult"))
            inside = test if inside is None else writer.add(arith.AndIOp(inside, test))
            if place is not None:
                behind = writer.add(arith.AddiOp(writer.add(arith.MuliOp(place, extent)), behind))
            place = behind
        assert place is not None
        assert inside is not None
        return writer.add(arith.IndexCastOp(place, IndexType())), inside

    def _emit_hashed(
        self,
        writer: OpWriter,
        given: Sequence[SSAValue],
        words: Sequence[SSAValue],
        values: Sequence[Parts],
    ) -> None:
        """Append that values go to a bucket of the hash table."""
        hash = hash_of(writer, words)
        if self._part is None:
            self._add(writer, given, words, hash, values)
        else:
            writer.branch(
                self._is_mine(writer, hash, *self._part),
                lambda mine: self._add(mine, given, words, hash, values),
            )

    @staticmethod
    def _is_mine(writer: OpWriter, hash: SSAValue, part: SSAValue, parts: SSAValue) -> SSAValue:
        """Append whether a key is in the part of this call.

        The hash is hashed once more: its high bits say the slot, and its low bits do not depend on
        the high ones of a key, which are all that whole numbers have as floats.
        """
        half = writer.add(arith.ConstantOp(IntegerAttr(32, i64)))
        again = hash_of(
            writer, [writer.add(arith.XOrIOp(hash, writer.add(arith.ShRUIOp(hash, half))))]
        )
        high = writer.add(arith.ShRUIOp(again, half))
        scaled = writer.add(arith.MuliOp(high, writer.add(arith.IndexCastOp(parts, i64))))
        number = writer.add(arith.ShRUIOp(scaled, half))
        own = writer.add(arith.IndexCastOp(part, i64))
        return writer.add(arith.CmpiOp(number, own, "eq"))

    def _add(
        self,
        writer: OpWriter,
        given: Sequence[SSAValue],
        words: Sequence[SSAValue],
        hash: SSAValue,
        values: Sequence[Parts],
    ) -> None:
        """Append that values go to the bucket of a key, or begin one."""
        at, slot = self._find(writer, words, hash)
        zero = writer.add(arith.ConstantOp(IntegerAttr(0, i32)))
        new, old = writer.inner(), writer.inner()
        place = self._rows.read(new)
        new.put(memref.StoreOp.get(new.add(arith.IndexCastOp(place, i32)), self._slots, [at]))
        for column, key in zip(self._keys, given, strict=True):
            new.put(memref.StoreOp.get(key, column, [place]))
        # As in a table, which begins with identities: -0.0 alone comes to 0.0.
        first = [
            value
            if fold.monoid == ANY
            else fold.combine(new.block, new.op, fold.identity(new.block, new.op), value)
            for fold, value in zip(self.folds, values, strict=True)
        ]
        store_row(new, self._values, place, first)
        self._rows.increase(new, place)
        place = old.add(arith.IndexCastOp(slot, IndexType()))
        self._combine(old, self._values, place, values)
        for branch in (new, old):
            branch.put(scf.YieldOp())
        empty = writer.add(arith.CmpiOp(slot, zero, "slt"))
        writer.put(scf.IfOp(empty, [], Region(new.block), Region(old.block)))

    def end(self, writer: OpWriter) -> None:
        """Say how many keys there are."""
        self._rows.save(writer)

    def room(self, writer: OpWriter) -> tuple[SSAValue, SSAValue]:
        """Return what is left of the columns."""
        return self._rows.room(writer, self._keys[0])

    def _combine(
        self,
        writer: OpWriter,
        columns: Sequence[SSAValue],
        place: SSAValue,
        values: Sequence[Parts],
    ) -> None:
        """Append that values are combined with what columns have at a place."""
        kept: list[Parts] = []
        first = 0
        for fold, value in zip(self.folds, values, strict=True):
            own = columns[first : first + len(fold.types)]
            first += len(fold.types)
            if fold.monoid == ANY:
                kept.append(value)
                continue
            before = [writer.add(memref.LoadOp.get(column, [place])) for column in own]
            kept.append(fold.combine(writer.block, writer.op, before, value))
        store_row(writer, columns, place, kept)

    def _find(
        self,
        writer: OpWriter,
        words: Sequence[SSAValue],
        hash: SSAValue,
        *,
        wanted: bool = True,
    ) -> tuple[SSAValue, SSAValue]:
        """Append the search for the slot of a key; return it and what it holds.

        Of a key that is not `wanted` it is known that it is not there.
        """
        high = writer.add(arith.ShRUIOp(hash, self._shift))
        first = writer.add(arith.IndexCastOp(high, IndexType()), "slot")
        test = writer.inner([IndexType()])
        (at,) = test.block.args
        slot = test.add(memref.LoadOp.get(self._slots, [at]))
        zero = test.add(arith.ConstantOp(IntegerAttr(0, i32)))
        taken = test.add(arith.CmpiOp(slot, zero, "sge"))
        if wanted:
            # The key at an empty slot is not looked at; that at place 0 is there to be read.
            place = test.add(arith.IndexCastOp(test.add(arith.MaxSIOp(slot, zero)), IndexType()))
            other: SSAValue | None = None
            for column, word in zip(self._keys, words, strict=True):
                stored = self._stored_word(test, column, place)
                differs = test.add(arith.CmpiOp(stored, word, "ne"))
                other = differs if other is None else test.add(arith.OrIOp(other, differs))
            assert other is not None
            taken = test.add(arith.AndIOp(taken, other))
        test.put(scf.ConditionOp(taken, at, slot))
        step = writer.inner([IndexType(), i32])
        after = step.add(arith.AddiOp(step.block.args[0], step.index(1)))
        step.put(scf.YieldOp(step.add(arith.AndIOp(after, self._mask))))
        loop = scf.WhileOp([first], [IndexType(), i32], Region(test.block), Region(step.block))
        writer.put(loop)
        return loop.results[0], loop.results[1]

    def _stored_word(self, writer: OpWriter, column: SSAValue, place: SSAValue) -> SSAValue:
        return word_of(writer, writer.add(memref.LoadOp.get(column, [place])))


def has_table(generator: BucketReduceType) -> bool:
    """Return whether buckets may be those of a table with a place for each key of a range.

    The columns of the keys are integers then; a caller says from where on and how many.
    """
    return all(isinstance(key, IndexType | IntegerType) for key in generator.key) and not any(
        is_user_defined(monoid.data) for monoid in generator.monoids
    )
