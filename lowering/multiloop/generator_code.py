"""What becomes of emits in loops over buffers: each generator has its buffers, and code for them.

    %total: !multiloop.reduce<add : f64>       =>   %total: memref<1xf64>
    multiloop.emit %total(%x : f64)                 %0 = memref.load %acc[%zero]
                                                    %1 = arith.addf %0, %x
                                                    memref.store %1, %acc[%zero]

A call of the function makes a part of the rows; a later call with the same buffers goes on, unless
it is `fresh`. What a reduction has come to stands in a buffer of its own on the stack, which
becomes a register; so does how many rows were collected.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType, i1, i64
from xdsl.ir import Attribute, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.multiloop import CollectType
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.llvm.tuple_parts import Parts, part_types
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.passes.analyses.refused import Refused

Argument = tuple[Attribute, str]
"""The type of an argument of the function, and what it is called."""


def column_type(element: Attribute) -> MemRefType[Attribute]:
    """The buffer of a column: elements side by side."""
    return MemRefType(element, [DYNAMIC_INDEX])


@dataclass
class Register:
    """A value that the loops change, in parts: a buffer of one element for each."""

    cells: Sequence[SSAValue]
    zero: SSAValue

    def read(self, writer: OpWriter) -> list[SSAValue]:
        """Append loads of the parts."""
        return [writer.add(memref.LoadOp.get(cell, [self.zero])) for cell in self.cells]

    def write(self, writer: OpWriter, parts: Parts) -> None:
        """Append stores of the parts."""
        for cell, part in zip(self.cells, parts, strict=True):
            writer.put(memref.StoreOp.get(part, cell, [self.zero]))


@dataclass
class Frame:
    """What the code of all generators of a function shares.

    `entry` writes the beginning of the function, `fresh` says that a call is the first one, and
    `state` holds from its second element on how many rows each generator has.
    """

    entry: OpWriter
    fresh: SSAValue
    state: SSAValue
    zero: SSAValue
    part: tuple[SSAValue, SSAValue] | None = None
    """Which part of the keys a call makes, and of how many; none if it makes all."""
    carried: SSAValue | None = None
    """Whether scans go on from what their buffers hold, though the call is the first one."""
    last: SSAValue | None = None
    """Where behind the numbers of rows the state says whether a row has failed."""

    @cached_property
    def failed(self) -> Register:
        """Whether a row has read outside of a list, in this call or one before."""
        assert self.last is not None
        register = self.register([IndexType()], "failed")
        register.write(self.entry, [self.entry.add(memref.LoadOp.get(self.state, [self.last]))])
        return register

    def register(self, types: Sequence[Attribute], hint: str) -> Register:
        """Append a register at the beginning of the function."""
        cells = [
            self.entry.add(memref.AllocaOp.get(type, shape=[1], alignment=8), hint)
            for type in types
        ]
        return Register(cells, self.zero)

    def choose(self, first: OpWriter, later: OpWriter, *, carries: bool = False) -> None:
        """Append what is done in the first call, and what in later ones, and if that `carries`."""
        begins = self.fresh
        if carries and self.carried is not None:
            no = self.entry.add(arith.ConstantOp(IntegerAttr(0, i1)))
            begins = self.entry.add(arith.SelectOp(self.carried, no, self.fresh))
        for writer in (first, later):
            writer.put(scf.YieldOp())
        self.entry.put(scf.IfOp(begins, [], Region(first.block), Region(later.block)))


class Emits(ABC):
    """What is done with the emits to a generator."""

    @abstractmethod
    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Append what is done with an emit."""

    def so_far(self, writer: OpWriter) -> list[SSAValue]:
        """Append what the values up to an emit are combined to; return its parts."""
        raise AssertionError("what is emitted is not scanned")


@dataclass
class Nothing(Emits):
    """What is emitted to a generator that a loop is not for.

    A scan gives the identity, which nothing that the loop is for hangs on.
    """

    fold: Fold | None = None

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Append nothing."""

    def so_far(self, writer: OpWriter) -> list[SSAValue]:
        """Return the identity."""
        assert self.fold is not None
        return self.fold.identity(writer.block, writer.op)


@dataclass
class Accumulator(Emits):
    """Combines what is emitted in a register."""

    fold: Fold
    register: Register

    @staticmethod
    def of(frame: Frame, fold: Fold) -> Accumulator:
        """Return one that holds nothing yet."""
        return Accumulator(fold, frame.register(fold.types, "acc"))

    def clear(self, writer: OpWriter) -> None:
        """Append that it holds the identity."""
        self.register.write(writer, self.fold.identity(writer.block, writer.op))

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Combine a value with what there is."""
        before, (value,) = self.register.read(writer), values
        self.register.write(writer, self.fold.combine(writer.block, writer.op, before, value))

    def so_far(self, writer: OpWriter) -> list[SSAValue]:
        """Return what there is."""
        return self.register.read(writer)

    def emit_if(self, writer: OpWriter, condition: SSAValue, values: Sequence[Parts]) -> None:
        """Combine a value, or the identity: several iterations may be done side by side so."""
        ((value,),) = values
        (neutral,) = self.fold.identity(writer.block, writer.op)
        self.emit(writer, [], [[writer.add(arith.SelectOp(condition, value, neutral))]])


class GeneratorCode(Emits):
    """What becomes of the emits to one generator of the outermost loop."""

    arguments: list[Argument]
    """The buffers that the function is given for it."""
    is_limited = False
    """Whether its buffers may be full before the rows end."""

    @abstractmethod
    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Append what is done before the rows; this is the generator with that number."""

    @abstractmethod
    def end(self, writer: OpWriter) -> None:
        """Append what is done behind the rows."""

    def saved(self, writer: OpWriter) -> Sequence[SSAValue]:
        """Append what there is before a row that may have to be done once more.

        Raises
        ------
        Refused
            If what a row did cannot be taken back.
        """
        raise Refused("rows with emits of a number of their own fill buckets")

    def take_back(self, writer: OpWriter, saved: Sequence[SSAValue]) -> None:
        """Append that it is as it was."""

    def is_over(self, writer: OpWriter) -> SSAValue | None:
        """Append whether more was emitted than there is room for, if that may be."""
        return None

    def rooms(self, writer: OpWriter) -> list[tuple[SSAValue, SSAValue]]:
        """Append for how many more emits there is room, and for how many in all.

        There are several pairs where buffers of different lengths are filled.
        """
        raise AssertionError("there is room for all")


@dataclass
class ReduceCode(GeneratorCode):
    """Combines what is emitted in a register, and stores it in the end.

    A scan `is_carried`: a call may go on from what the rows before come to.
    """

    fold: Fold
    is_carried: bool = False
    arguments: list[Argument] = field(init=False)

    def __post_init__(self) -> None:
        self.arguments = [(MemRefType(type, []), "result") for type in self.fold.types]

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin with the identity, or with what a call before has come to."""
        self._buffers = buffers
        self._accumulator = Accumulator.of(frame, self.fold)
        first, later = frame.entry.inner(), frame.entry.inner()
        self._accumulator.clear(first)
        loads = [later.add(memref.LoadOp.get(buffer, [])) for buffer in buffers]
        self._accumulator.register.write(later, loads)
        frame.choose(first, later, carries=self.is_carried)

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Combine a value with what there is."""
        self._accumulator.emit(writer, keys, values)

    def emit_if(self, writer: OpWriter, condition: SSAValue, values: Sequence[Parts]) -> None:
        """Combine a value on a condition, without a branch that may be mispredicted."""
        self._accumulator.emit_if(writer, condition, values)

    def so_far(self, writer: OpWriter) -> list[SSAValue]:
        """Return what there is."""
        return self._accumulator.so_far(writer)

    def saved(self, writer: OpWriter) -> Sequence[SSAValue]:
        """Return what it has come to so far."""
        return self._accumulator.register.read(writer)

    def take_back(self, writer: OpWriter, saved: Sequence[SSAValue]) -> None:
        """Go back to that."""
        self._accumulator.register.write(writer, saved)

    def end(self, writer: OpWriter) -> None:
        """Store what it has come to."""
        parts = self._accumulator.register.read(writer)
        for buffer, part in zip(self._buffers, parts, strict=True):
            writer.put(memref.StoreOp.get(part, buffer, []))


class MadeLists(Emits):
    """A column of lists that rows collect in loops of their own, one behind the other.

    A row stores where its list begins and how long it is, and all lists share the columns of their
    items.
    """

    def __init__(self, type: BagType):
        self.arguments: list[Argument] = [
            (MemRefType(IndexType(), []), "items"),
            *[(column_type(column), "item") for column in type.columns],
        ]

    def begin(self, frame: Frame, buffers: Sequence[SSAValue]) -> None:
        """Begin without items, or with those of a call before."""
        self._total, *self._columns = buffers
        self._count = frame.register([IndexType()], "items")
        first, later = frame.entry.inner(), frame.entry.inner()
        self._count.write(first, [first.index(0)])
        self._count.write(later, [later.add(memref.LoadOp.get(self._total, []))])
        frame.choose(first, later)

    def count(self, writer: OpWriter) -> SSAValue:
        """Append how many items there are."""
        return self._count.read(writer)[0]

    def restore(self, writer: OpWriter, count: SSAValue) -> None:
        """Append that there are so many."""
        self._count.write(writer, [count])

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Store an item behind the others; where there is no room, it is counted alone."""
        place = self.count(writer)
        size = writer.add(memref.DimOp(self._columns[0], writer.index(0)))
        writer.branch(
            writer.add(arith.CmpiOp(place, size, "slt")),
            lambda some: store_row(some, self._columns, place, values),
        )
        self.restore(writer, writer.add(arith.AddiOp(place, writer.index(1))))

    def is_over(self, writer: OpWriter) -> SSAValue:
        """Append whether there are more items than were stored."""
        size = writer.add(memref.DimOp(self._columns[0], writer.index(0)))
        return writer.add(arith.CmpiOp(self.count(writer), size, "sgt"))

    def end(self, writer: OpWriter) -> None:
        """Say how many items there are."""
        writer.put(memref.StoreOp.get(self.count(writer), self._total, []))


class RowsCode(GeneratorCode):
    """Collects rows in columns."""

    generator: CollectType
    lists: dict[int, MadeLists]
    """The columns of lists, by their numbers."""
    _buffers: Sequence[SSAValue]
    """For each column one, or two for where lists begin and how long they are."""

    def _add_arguments(self) -> None:
        """Find the buffers."""
        columns = self.generator.columns
        self.lists = {n: MadeLists(t) for n, t in enumerate(columns) if isinstance(t, BagType)}
        self.arguments = []
        for number, type in enumerate(columns):
            if number in self.lists:
                self.arguments += [(column_type(IndexType()), n) for n in ("starts", "lengths")]
            else:
                self.arguments.append((column_type(type), "column"))
        for lists in self.lists.values():
            self.arguments += lists.arguments

    def _begin_lists(self, frame: Frame, buffers: Sequence[SSAValue]) -> None:
        """Append what is done before the rows; the columns are the first of the buffers."""
        first = len(self.generator.columns) + len(self.lists)
        self._buffers = buffers[:first]
        for lists in self.lists.values():
            lists.begin(frame, buffers[first : first + len(lists.arguments)])
            first += len(lists.arguments)

    def saved(self, writer: OpWriter) -> Sequence[SSAValue]:
        """Return how many items the lists have."""
        return [lists.count(writer) for lists in self.lists.values()]

    def take_back(self, writer: OpWriter, saved: Sequence[SSAValue]) -> None:
        """Have so many again."""
        for lists, count in zip(self.lists.values(), saved, strict=True):
            lists.restore(writer, count)

    def is_over(self, writer: OpWriter) -> SSAValue | None:
        """Return whether there are more than were stored."""
        tests = [lists.is_over(writer) for lists in self.lists.values()]
        if not tests:
            return None
        return reduce(lambda one, other: writer.add(arith.OrIOp(one, other)), tests)

    def end(self, writer: OpWriter) -> None:
        """Say how many items the lists have."""
        for lists in self.lists.values():
            lists.end(writer)


@dataclass
class PlacedCode(RowsCode):
    """Collects what is emitted once for each row: at the place of the row.

    `row` is set by who writes the loop over the rows. A row is written over if it is done again.
    """

    generator: CollectType
    arguments: list[Argument] = field(init=False)
    row: SSAValue | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._add_arguments()

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin the lists of the rows."""
        self._begin_lists(frame, buffers)

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Store a row."""
        assert self.row is not None
        store_row(writer, self._buffers, self.row, values)


@dataclass
class VectorCode(GeneratorCode):
    """Stores what is emitted at its index."""

    element: Attribute
    arguments: list[Argument] = field(init=False)

    def __post_init__(self) -> None:
        self.arguments = [(column_type(part), "vector") for part in part_types(self.element)]

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Nothing is to be done."""
        self._buffers = buffers

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Store a value."""
        ((index,),) = keys
        store_row(writer, self._buffers, index, values)

    def saved(self, writer: OpWriter) -> Sequence[SSAValue]:
        """Nothing: an element is written over."""
        return ()

    def end(self, writer: OpWriter) -> None:
        """Nothing is to be done."""


@dataclass
class CollectCode(RowsCode):
    """Collects what is emitted, one row after the other."""

    generator: CollectType
    is_limited: bool
    is_tested: bool = False
    """Whether each emit looks whether there is room, since rows emit as many as they like."""
    arguments: list[Argument] = field(init=False)

    def __post_init__(self) -> None:
        self._add_arguments()

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin with no rows, or with those of a call before."""
        self._begin_lists(frame, buffers)
        self._rows = RowCount(frame, number)

    def emit(self, writer: OpWriter, keys: Sequence[Parts], values: Sequence[Parts]) -> None:
        """Store a row behind the others; where there is no room, it is counted alone."""
        place = self._rows.read(writer)
        if self.is_tested:
            size = writer.add(memref.DimOp(self._buffers[0], writer.index(0)))
            writer.branch(
                writer.add(arith.CmpiOp(place, size, "slt")),
                lambda some: store_row(some, self._buffers, place, values),
            )
        else:
            store_row(writer, self._buffers, place, values)
        self._rows.increase(writer, place)

    def saved(self, writer: OpWriter) -> Sequence[SSAValue]:
        """Return how many rows there are, and items of their lists."""
        return [self._rows.read(writer), *super().saved(writer)]

    def take_back(self, writer: OpWriter, saved: Sequence[SSAValue]) -> None:
        """Have so many again."""
        rows, *items = saved
        self._rows.write(writer, rows)
        super().take_back(writer, items)

    def is_over(self, writer: OpWriter) -> SSAValue | None:
        """Return whether there are more rows than were stored."""
        ((left, _),) = self.rooms(writer)
        rows = writer.add(arith.CmpiOp(left, writer.index(0), "slt"))
        items = super().is_over(writer)
        return rows if items is None else writer.add(arith.OrIOp(rows, items))

    def emit_if(self, writer: OpWriter, condition: SSAValue, values: Sequence[Parts]) -> None:
        """Store a row, and count it on a condition: there is no branch that may be mispredicted.

        There is room for it where another iteration may emit one.
        """
        place = self._rows.read(writer)
        store_row(writer, self._buffers, place, values)
        one = writer.add(arith.ExtUIOp(condition, i64))
        self._rows.increase(writer, place, writer.add(arith.IndexCastOp(one, IndexType())))

    def end(self, writer: OpWriter) -> None:
        """Say how many rows there are, and items of their lists."""
        self._rows.save(writer)
        super().end(writer)

    def rooms(self, writer: OpWriter) -> list[tuple[SSAValue, SSAValue]]:
        """Return what is left of the columns."""
        return [self._rows.room(writer, self._buffers[0])]


class RowCount:
    """How many rows a generator has: a register, and a place in the state of the call."""

    def __init__(self, frame: Frame, number: int):
        self._frame = frame
        self._number = number + 1
        self._register = frame.register([IndexType()], "count")
        first, later = frame.entry.inner(), frame.entry.inner()
        self._register.write(first, [first.index(0)])
        place = later.index(self._number)
        self._register.write(later, [later.add(memref.LoadOp.get(frame.state, [place]))])
        frame.choose(first, later)

    def read(self, writer: OpWriter) -> SSAValue:
        """Append the number of rows."""
        return self._register.read(writer)[0]

    def write(self, writer: OpWriter, count: SSAValue) -> None:
        """Append that there are so many."""
        self._register.write(writer, [count])

    def increase(self, writer: OpWriter, before: SSAValue, by: SSAValue | None = None) -> None:
        """Append that there is one more than `before`, or that there are `by` more."""
        more = writer.index(1) if by is None else by
        self._register.write(writer, [writer.add(arith.AddiOp(before, more))])

    def save(self, writer: OpWriter) -> None:
        """Append that the number goes to the state."""
        place = writer.index(self._number)
        writer.put(memref.StoreOp.get(self.read(writer), self._frame.state, [place]))

    def room(self, writer: OpWriter, column: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Append for how many more rows a column has room, and for how many in all."""
        size = writer.add(memref.DimOp(column, writer.index(0)))
        return writer.add(arith.SubiOp(size, self.read(writer))), size


def store_row(
    writer: OpWriter, columns: Sequence[SSAValue], place: SSAValue, values: Sequence[Parts]
) -> None:
    """Append a row of columns."""
    parts = [part for value in values for part in value]
    for column, part in zip(columns, parts, strict=True):
        writer.put(memref.StoreOp.get(part, column, [place]))
