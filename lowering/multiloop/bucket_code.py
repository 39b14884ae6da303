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

What buckets collect is stored as it comes, each row beside the number of its bucket, and buckets
count their rows; those of the table have the first numbers. The rows of each are brought together
when all have come, which is no part of the function (`runtime/rows/collected_lists.py`).

    multiloop.emit %lists[%k : i64](%x : f64)
  =>
    %s = the place of %k, as above;  counts[%s] = counts[%s] + 1
    numbers[emitted] = %s; values[emitted] = %x; emitted = emitted + 1
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, math, memref, scf
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Region, SSAValue

from diablo.dialects.monoids import ANY, is_user_defined
from diablo.dialects.multiloop import BucketCollectType, BucketReduceType
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


class KeyedCode(GeneratorCode):
    """What becomes of the emits to a generator that has a bucket for each key."""

    is_limited = True
    _keys: Sequence[SSAValue]
    """The columns of the keys so far."""
    _slots: SSAValue
    _bounds: Sequence[SSAValue]
    """From where on keys have a table, and how many, for each column; none where it has no table.
    """

    def _begin_keys(self, frame: Frame, number: int) -> None:
        """Append that there are no keys, or that those of a call before are in the new slots."""
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
        if not self._bounds:
            self._emit_hashed(writer, given, words, values)
            return
        place, test = self._place(writer, words, self._bounds)
        inside, outside = writer.inner(), writer.inner()
        self._add_in_table(inside, place, values)
        self._emit_hashed(outside, given, words, values)
        for branch in (inside, outside):
            branch.put(scf.YieldOp())
        writer.put(scf.IfOp(test, [], Region(inside.block), Region(outside.block)))

    @abstractmethod
    def _add_in_table(self, writer: OpWriter, place: SSAValue, values: Sequence[Parts]) -> None:
        """Append that values go to the bucket at a place of the table."""

    @abstractmethod
    def _add(
        self,
        writer: OpWriter,
        given: Sequence[SSAValue],
        words: Sequence[SSAValue],
        hash: SSAValue,
        values: Sequence[Parts],
    ) -> None:
        """Append that values go to the bucket of a key in the hash table, or begin one."""

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

    def _new_bucket(self, writer: OpWriter, given: Sequence[SSAValue], at: SSAValue) -> SSAValue:
        """Append that a key has the place behind the others, and its slot that; return the place.

        That there is one more is not counted yet.
        """
        place = self._rows.read(writer)
        number = writer.add(arith.IndexCastOp(place, i32))
        writer.put(memref.StoreOp.get(number, self._slots, [at]))
        for column, key in zip(self._keys, given, strict=True):
            writer.put(memref.StoreOp.get(key, column, [place]))
        return place

    def end(self, writer: OpWriter) -> None:
        """Say how many keys there are."""
        self._rows.save(writer)

    def rooms(self, writer: OpWriter) -> list[tuple[SSAValue, SSAValue]]:
        """Return what is left of the columns."""
        return [self._rows.room(writer, self._keys[0])]

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


@dataclass
class BucketCode(KeyedCode):
    """Combines what is emitted for each key."""

    generator: BucketReduceType
    folds: Sequence[Fold]
    arguments: list[Argument] = field(init=False)

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
                *bound_arguments(self.generator),
            ]

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin without keys, or with those of a call before."""
        keys, values = len(self.generator.key), sum(len(fold.types) for fold in self.folds)
        self._keys, self._values = buffers[:keys], buffers[keys : keys + values]
        self._slots, *table = buffers[keys + values :]
        self._table, self._bounds = table[: -2 * keys], table[-2 * keys :]
        self._begin_keys(frame, number)

    def _add_in_table(self, writer: OpWriter, place: SSAValue, values: Sequence[Parts]) -> None:
        *columns, seen = self._table
        self._combine(writer, columns, place, values)
        true = writer.add(arith.ConstantOp(IntegerAttr(1, i1)))
        writer.put(memref.StoreOp.get(true, seen, [place]))

    def _add(
        self,
        writer: OpWriter,
        given: Sequence[SSAValue],
        words: Sequence[SSAValue],
        hash: SSAValue,
        values: Sequence[Parts],
    ) -> None:
        at, slot = self._find(writer, words, hash)
        zero = writer.add(arith.ConstantOp(IntegerAttr(0, i32)))
        new, old = writer.inner(), writer.inner()
        place = self._new_bucket(new, given, at)
        # As in a table, which begins with identities: -0.0 alone comes to 0.0.
        first = [
            value
            if fold.monoid == ANY or fold.definition is not None
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


@dataclass
class BucketCollectCode(KeyedCode):
    """Stores what is emitted beside the number of the bucket of its key."""

    generator: BucketCollectType
    arguments: list[Argument] = field(init=False)

    def __post_init__(self) -> None:
        for type in self.generator.key:
            check_key(type)
        counts = (column_type(i32), "counts")
        self.arguments = [
            *[(column_type(type), "key") for type in self.generator.key],
            counts,
            (column_type(i32), "slots"),
        ]
        if has_table(self.generator):
            self.arguments += [counts, *bound_arguments(self.generator)]
        self.arguments += [
            (MemRefType(IndexType(), []), "emitted"),
            (column_type(i32), "numbers"),
            *[(column_type(type), "value") for type in self.generator.values],
        ]

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin without keys and rows, or with those of a call before."""
        keys = len(self.generator.key)
        self._keys, (self._counts, self._slots, *rest) = buffers[:keys], buffers[keys:]
        self._table: SSAValue | None = None
        self._bounds = ()
        if has_table(self.generator):
            self._table, self._bounds, rest = rest[0], rest[1 : 1 + 2 * keys], rest[1 + 2 * keys :]
        self._total, *self._stored = rest
        self._begin_keys(frame, number)
        entry = frame.entry
        self._emitted = frame.register([IndexType()], "emitted")
        first, later = entry.inner(), entry.inner()
        self._emitted.write(first, [first.index(0)])
        self._emitted.write(later, [later.add(memref.LoadOp.get(self._total, []))])
        frame.choose(first, later)
        self._first = entry.add(arith.ConstantOp(IntegerAttr(0, i32)))
        if self._table is not None:
            size = entry.add(memref.DimOp(self._table, entry.index(0)))
            self._first = entry.add(arith.IndexCastOp(size, i32), "first")

    def _add_in_table(self, writer: OpWriter, place: SSAValue, values: Sequence[Parts]) -> None:
        assert self._table is not None
        self._count(writer, self._table, place)
        self._store(writer, writer.add(arith.IndexCastOp(place, i32)), values)

    def _add(
        self,
        writer: OpWriter,
        given: Sequence[SSAValue],
        words: Sequence[SSAValue],
        hash: SSAValue,
        values: Sequence[Parts],
    ) -> None:
        at, slot = self._find(writer, words, hash)
        zero = writer.add(arith.ConstantOp(IntegerAttr(0, i32)))
        new, old = writer.inner(), writer.inner()
        place = self._new_bucket(new, given, at)
        new.put(memref.StoreOp.get(zero, self._counts, [place]))
        self._rows.increase(new, place)
        new.put(scf.YieldOp(new.add(arith.IndexCastOp(place, i32))))
        old.put(scf.YieldOp(slot))
        empty = writer.add(arith.CmpiOp(slot, zero, "slt"))
        found = writer.add(scf.IfOp(empty, [i32], Region(new.block), Region(old.block)), "bucket")
        self._count(writer, self._counts, writer.add(arith.IndexCastOp(found, IndexType())))
        self._store(writer, writer.add(arith.AddiOp(found, self._first)), values)

    @staticmethod
    def _count(writer: OpWriter, counts: SSAValue, place: SSAValue) -> None:
        """Append that a bucket has one more row."""
        before = writer.add(memref.LoadOp.get(counts, [place]))
        one = writer.add(arith.ConstantOp(IntegerAttr(1, i32)))
        writer.put(memref.StoreOp.get(writer.add(arith.AddiOp(before, one)), counts, [place]))

    def _store(self, writer: OpWriter, number: SSAValue, values: Sequence[Parts]) -> None:
        """Append a row of the bucket with a number."""
        (place,) = self._emitted.read(writer)
        store_row(writer, self._stored, place, [[number], *values])
        self._emitted.write(writer, [writer.add(arith.AddiOp(place, writer.index(1)))])

    def end(self, writer: OpWriter) -> None:
        """Say how many keys and rows there are."""
        super().end(writer)
        writer.put(memref.StoreOp.get(self._emitted.read(writer)[0], self._total, []))

    def rooms(self, writer: OpWriter) -> list[tuple[SSAValue, SSAValue]]:
        """Return what is left of the columns of keys, and of those of rows."""
        size = writer.add(memref.DimOp(self._stored[0], writer.index(0)))
        left = writer.add(arith.SubiOp(size, self._emitted.read(writer)[0]))
        return [*super().rooms(writer), (left, size)]


def bound_arguments(generator: BucketReduceType | BucketCollectType) -> list[Argument]:
    """The arguments that say from where on keys have a table, and how many, for each column."""
    return [(i64, name) for _ in generator.key for name in ("base", "extent")]


def has_table(generator: BucketReduceType | BucketCollectType) -> bool:
    """Return whether buckets may be those of a table with a place for each key of a range.

    The columns of the keys are integers then; a caller says from where on and how many.
    """
    if not all(isinstance(key, IndexType | IntegerType) for key in generator.key):
        return False
    return isinstance(generator, BucketCollectType) or not any(
        is_user_defined(monoid.data) for monoid in generator.monoids
    )
