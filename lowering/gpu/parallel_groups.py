"""Rows that have equal keys, folded: in tables of all keys that there may be, or sorted by key.

    keys 7, 5, 7, 9        places 2, 0, 2, 4 of a table of 5, as keys are 5 at least and 9 at most
    values 1.0, 2.0, …     what is folded meets there; places that some row has are groups

Integer keys that lie close together need no more places than there are rows, and threads meet there
if memory combines their values in one step, or if they are sums or ends of floats (`exact_sums.py`,
`exact_extrema.py`), or sums of complex numbers, whose parts meet apart. Others are sorted, and
folded for each run of equal ones in the order of rows. Which it is shows when the ends of the keys
are known. Groups are in the order of their keys either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import cast

from xdsl.dialects import arith, complex, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.complex_numbers import part_type
from diablo.dialects.monoids import ANY
from diablo.dialects.multiloop import BucketReduceType
from diablo.dialects.scalar_types import is_complex
from diablo.dialects.simt import LookOp, can_be_atomic, say_apart, say_folds
from diablo.lowering.gpu.key_order import (
    Ends,
    SortedKeys,
    Word,
    find_ends,
    line_of,
    loop_up_to,
    plus,
    sort_keys,
)
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.multiloop.generator_code import store_row
from diablo.lowering.multiloop.key_words import canonical, check_key, words_of
from diablo.lowering.multiloop.op_writer import OpWriter

_MOST_PLACES = 1 << 16
"""How many places a table has at most where there are fewer rows."""


def fold_groups(
    e: OpWriter,
    loop: Operation,
    type: BucketReduceType,
    columns: Sequence[SSAValue],
    count: SSAValue,
) -> list[SSAValue]:
    """Append that so many rows of keys and values are folded for each key.

    Returns the columns of the groups, and how many there are.
    """
    keys, values = columns[: len(type.key)], columns[len(type.key) :]
    for key in type.key:
        check_key(key)
    words = [_word_in(column) for column in keys]
    ends = [find_ends(e, count, word) for word in words]
    groups = _Groups(loop, type, keys, values, count, words, ends)
    return groups.in_tables_or_sorted(e) if groups.may_be_tables else groups.sorted(e)


def _word_in(column: SSAValue) -> Word:
    def word(e: OpWriter, row: SSAValue) -> SSAValue:
        (found,) = words_of(e, [e.add(memref.LoadOp.get(column, [row]))])
        return found

    return word


@dataclass(frozen=True)
class _Places:
    """Where the rows of a key are in tables: how far the places of two words of a column are apart,
    and how many places there are."""

    strides: Sequence[SSAValue]
    extents: Sequence[SSAValue]
    count: SSAValue


@dataclass(frozen=True)
class _Meeting:
    """What meets in one table: a value of the rows, or one part of it."""

    value: int
    fold: Fold
    take: type[complex.ReOp | complex.ImOp] | None = None

    @staticmethod
    def of(value: int, fold: Fold) -> list[_Meeting]:
        """Return the tables in which a value is folded."""
        if not is_complex(fold.element):
            return [_Meeting(value, fold)]
        of_part = Fold(fold.monoid, part_type(fold.element))
        return [_Meeting(value, of_part, take) for take in (complex.ReOp, complex.ImOp)]

    def load(self, e: OpWriter, column: SSAValue, row: SSAValue) -> SSAValue:
        """Append a load of what a row has."""
        loaded = e.add(memref.LoadOp.get(column, [row]))
        return loaded if self.take is None else e.add(self.take(loaded))


@dataclass
class _Groups:
    """Writes the loops that fold rows for each of their keys, one way or the other."""

    loop: Operation
    type: BucketReduceType
    keys: Sequence[SSAValue]
    values: Sequence[SSAValue]
    count: SSAValue
    words: Sequence[Word]
    ends: Sequence[Ends]
    folded: list[int] = field(init=False)
    """The values that are folded; of the others any one stands for all."""
    folds: list[Fold] = field(init=False)

    def __post_init__(self) -> None:
        monoids = [monoid.data for monoid in self.type.monoids]
        self.folded = [number for number, monoid in enumerate(monoids) if monoid != ANY]
        types = self.type.elements.data
        self.folds = [Fold.of(monoids[k], types[k], self.loop) for k in self.folded]

    @property
    def may_be_tables(self) -> bool:
        """Whether threads may fold values where they meet, and words say what their keys are."""
        is_whole = all(not isinstance(key, AnyFloat) for key in self.type.key)
        return is_whole and all(_may_meet(each.fold) for each in self.meetings)

    @property
    def meetings(self) -> list[_Meeting]:
        """What meets in tables, each in one."""
        pairs = zip(self.folded, self.folds, strict=True)
        return [meeting for value, fold in pairs for meeting in _Meeting.of(value, fold)]

    def _columns(self, e: OpWriter, count: SSAValue) -> list[SSAValue]:
        """Append memory for so many groups."""
        types = (*self.type.key, *self.type.elements)
        return [line_of(e, element, count, "column") for element in types]

    def in_tables_or_sorted(self, e: OpWriter) -> list[SSAValue]:
        """Append both ways, and what decides between them."""
        places, fits = self._places(e)
        tables, others = e.inner(), e.inner()
        tables.put(scf.YieldOp(*self._in_tables(tables, places)))
        made = self.sorted(others)
        others.put(scf.YieldOp(*made))
        types = [value.type for value in made]
        choice = scf.IfOp(fits, types, Region(tables.block), Region(others.block))
        e.put(choice)
        return list(choice.results)

    # In tables

    def _places(self, e: OpWriter) -> tuple[_Places, SSAValue]:
        """Append where keys are in tables, and whether these are no larger than the rows are many.

        Whoever launches kernels computes it, with integers that do not overflow.
        """
        most = e.add(arith.MaxSIOp(self.count, e.index(_MOST_PLACES)))
        total = e.index(1)
        fits = e.add(arith.CmpiOp(self.count, e.index(0), "sgt"))
        extents: list[SSAValue] = []
        for least, greatest in self.ends:
            apart = e.add(arith.IndexCastOp(e.add(arith.SubiOp(greatest, least)), IndexType()))
            extent = plus(e, apart, 1)
            extents.append(extent)
            total = e.add(arith.MuliOp(total, extent))
            fits = e.add(arith.AndIOp(fits, e.add(arith.CmpiOp(total, most, "ule"))))
        known = [e.add(LookOp(extent)) for extent in extents]
        strides = [e.index(1)]
        for extent in reversed(known[1:]):
            strides.insert(0, e.add(arith.MuliOp(strides[0], extent)))
        count = reduce(lambda a, b: e.add(arith.MuliOp(a, b)), known)
        return _Places(strides, known, count), fits

    def _place(self, e: OpWriter, places: _Places, row: SSAValue) -> SSAValue:
        """Append the place of a row."""
        place: SSAValue | None = None
        for word, (least, _), stride in zip(self.words, self.ends, places.strides, strict=True):
            apart = e.add(arith.SubiOp(word(e, row), least))
            part = e.add(arith.MuliOp(e.add(arith.IndexCastOp(apart, IndexType())), stride))
            place = part if place is None else e.add(arith.AddiOp(place, part))
        assert place is not None
        return place

    def _in_tables(self, e: OpWriter, places: _Places) -> list[SSAValue]:
        """Append that rows meet in tables, and that the places of which some has are groups."""
        seen, meetings = Fold("max", i64), self.meetings
        folds = [seen, *[meeting.fold for meeting in meetings]]
        tables = [line_of(e, fold.element, places.count, "table") for fold in folds]

        def clear(e: OpWriter, place: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            for fold, table in zip(folds, tables, strict=True):
                (neutral,) = fold.identity(e.block, self.loop)
                e.put(memref.StoreOp.get(neutral, table, [place]))
            return []

        loop_up_to(e, places.count, clear, hint="place")
        takes_any = len(self.folded) < len(self.values)

        def meet(e: OpWriter, row: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            place = self._place(e, places, row)
            # Of rows of which any one will do it is the last, as where they are sorted.
            number = row if takes_any else e.index(0)
            met = [e.add(arith.IndexCastOp(number, i64))]
            met += [meeting.load(e, self.values[meeting.value], row) for meeting in meetings]
            is_place = e.add(arith.CmpiOp(place, places.count, "ult"))
            for fold, table, value in zip(folds, tables, met, strict=True):

                def combine(
                    e: OpWriter,
                    fold: Fold = fold,
                    table: SSAValue = table,
                    value: SSAValue = value,
                ) -> None:
                    before = e.add(memref.LoadOp.get(table, [place]))
                    (after,) = fold.combine(e.block, self.loop, [before], [value])
                    e.put(memref.StoreOp.get(after, table, [place]))

                e.branch(is_place, combine)
            return []

        loop_up_to(e, self.count, meet)
        made = self._columns(e, places.count)
        last, *others = tables

        def number(e: OpWriter, place: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            row = e.add(memref.LoadOp.get(last, [place]))
            (none,) = seen.identity(e.block, self.loop)
            is_group = e.add(arith.CmpiOp(row, none, "ne"))

            def leave(e: OpWriter) -> None:
                rest, found = place, list[SSAValue]()
                pairs = zip(self.type.key, self.ends, places.strides, strict=True)
                for type, (least, _), stride in pairs:
                    apart = e.add(arith.DivUIOp(rest, stride))
                    rest = e.add(arith.RemUIOp(rest, stride))
                    word = e.add(arith.AddiOp(e.add(arith.IndexCastOp(apart, i64)), least))
                    found.append(_key_of(e, word, type))
                at = e.add(arith.IndexCastOp(row, IndexType()))
                for k, value in enumerate(self.values):
                    own = [t for m, t in zip(meetings, others, strict=True) if m.value == k]
                    reads = [(table, place) for table in own] or [(value, at)]
                    parts = [e.add(memref.LoadOp.get(table, [index])) for table, index in reads]
                    found.append(parts[0] if len(parts) == 1 else _joined(e, parts))
                store_row(e, made, held[0], [[value] for value in found])

            e.branch(is_group, leave)
            one = e.add(arith.SelectOp(is_group, e.index(1), e.index(0)))
            return [e.add(arith.AddiOp(held[0], one))]

        scan = loop_up_to(e, places.count, number, [e.index(0)], hint="place")
        say_folds(scan, ["add"])
        say_apart(scan)
        return [*made, e.add(LookOp(scan.results[0]))]

    # Sorted

    def sorted(self, e: OpWriter) -> list[SSAValue]:
        """Append that rows are sorted by key, and that each run of equal keys is folded."""
        count = self.count
        order: SortedKeys | None = None
        for word, ends in reversed(list(zip(self.words, self.ends, strict=True))):
            order = sort_keys(e, count, word, ends, None if order is None else order.rows)
        assert order is not None
        rows, first_keys = order.rows, order.keys
        starts = line_of(e, IndexType(), plus(e, count, 1), "starts")

        def start(e: OpWriter, place: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            # The first one is compared with itself, which says nothing.
            before = e.add(arith.MaxSIOp(plus(e, place, -1), e.index(0)))
            other = e.add(arith.CmpiOp(place, e.index(0), "eq"))
            both = (place, before)
            pair = [e.add(memref.LoadOp.get(first_keys, [each])) for each in both]
            other = e.add(arith.OrIOp(other, e.add(arith.CmpiOp(pair[0], pair[1], "ne"))))
            for word in self.words[1:]:
                pair = [word(e, e.add(memref.LoadOp.get(rows, [each]))) for each in both]
                other = e.add(arith.OrIOp(other, e.add(arith.CmpiOp(pair[0], pair[1], "ne"))))
            e.branch(other, lambda e: e.put(memref.StoreOp.get(place, starts, [held[0]])))
            one = e.add(arith.SelectOp(other, e.index(1), e.index(0)))
            return [e.add(arith.AddiOp(held[0], one))]

        scan = loop_up_to(e, count, start, [e.index(0)], hint="place")
        say_folds(scan, ["add"])
        say_apart(scan)
        groups = e.add(LookOp(scan.results[0]))
        e.put(memref.StoreOp.get(count, starts, [groups]))
        return [*self._fold_runs(e, rows, starts, groups), groups]

    def _fold_runs(
        self, e: OpWriter, order: SSAValue, starts: SSAValue, groups: SSAValue
    ) -> list[SSAValue]:
        made = self._columns(e, groups)

        def group(e: OpWriter, group: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            begin = e.add(memref.LoadOp.get(starts, [group]))
            end = e.add(memref.LoadOp.get(starts, [plus(e, group, 1)]))
            first = e.add(memref.LoadOp.get(order, [begin]))
            last = e.add(memref.LoadOp.get(order, [plus(e, end, -1)]))
            found = [canonical(e, e.add(memref.LoadOp.get(key, [first]))) for key in self.keys]
            results = [e.add(memref.LoadOp.get(value, [last])) for value in self.values]

            def add(e: OpWriter, place: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
                row = e.add(memref.LoadOp.get(order, [place]))
                sums: list[SSAValue] = []
                for number, fold, before in zip(self.folded, self.folds, held, strict=True):
                    value = e.add(memref.LoadOp.get(self.values[number], [row]))
                    sums += fold.combine(e.block, self.loop, [before], [value])
                return sums

            if self.folds:
                neutral = [v for f in self.folds for v in f.identity(e.block, self.loop)]
                sums = loop_up_to(e, end, add, neutral, begin, "place")
                say_folds(sums, [fold.monoid for fold in self.folds])
                for number, value in zip(self.folded, sums.results, strict=True):
                    results[number] = value
            store_row(e, made, group, [[value] for value in (*found, *results)])
            return []

        loop_up_to(e, groups, group, hint="group")
        return made


def _joined(e: OpWriter, parts: Sequence[SSAValue]) -> SSAValue:
    """Append the complex number that two parts are."""
    real, imaginary = parts
    return e.add(complex.CreateOp(real, imaginary, ComplexType(cast(AnyFloat, real.type))))


def _may_meet(fold: Fold) -> bool:
    """Return whether threads may fold values where they meet, in any order."""
    if fold.joins_parts:
        return False
    monoid = fold.float_monoid
    # Floats are added and compared such that no order shows.
    is_exact = monoid.is_sum or bool(monoid.extremum)
    return is_exact or can_be_atomic(fold.monoid, fold.element)


def _key_of(e: OpWriter, word: SSAValue, type: Attribute) -> SSAValue:
    """Append the integer whose word is given."""
    if isinstance(type, IndexType):
        return e.add(arith.IndexCastOp(word, type))
    assert isa(type, IntegerType)
    width = type.width.data
    bits = IntegerType(width)
    if width < 64:
        word = e.add(arith.TruncIOp(word, bits))
    return word if type in (bits, i1) else e.add(arith.BitcastOp(word, type))
