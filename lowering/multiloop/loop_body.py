"""The body of a loop in loops over buffers: emits become stores, inner loops `scf.for`.

    multiloop.loop rows(%C : bag<f64>) -> f64 {      scf.for %i = %zero to %length step %one {
    ^bb0(%c: f64, %least: !multiloop.reduce<…>):       %c = memref.load %column[%i]
      …                                         ==>    …
      multiloop.emit %least(%d : f64)                  memref.store %least, %acc[%zero]
    }                                                }

Bags are the columns of the function's arguments, arrays its buffers, tuples their parts. A list of
a row is a part of the columns that all lists of its column share. What is read of it at a position
is tested (list_reads.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from xdsl.dialects import arith, memref, scf, tensor
from xdsl.dialects.builtin import IndexType, i8, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import monoids
from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import ElementOp, LengthOp
from diablo.dialects.multiloop import CollectType, EmitOp, LoopOp, ReduceType, ScanType
from diablo.dialects.number_constants import ConstantOps
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.llvm.tuple_parts import TupleParts
from diablo.lowering.multiloop.generator_code import (
    Accumulator,
    CollectCode,
    Emits,
    Frame,
    MadeLists,
    ReduceCode,
    Register,
    RowsCode,
)
from diablo.lowering.multiloop.list_reads import (
    collects_numbers,
    put_limit,
    put_read,
    put_test,
    tested_ahead,
)
from diablo.lowering.multiloop.match_index import MatchIndex, Row
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.passes.analyses.refused import Refused

MOST_IN_ANY_CASE = 8
"""How many operations are done rather in any case than behind a branch."""


Matched = tuple[SSAValue, tuple[int, ...]]
"""A bag, and the columns by which rows of it are found."""


MOST_STORED = 2
"""How many columns are loaded and stored rather in any case."""


@dataclass(frozen=True)
class ListColumn:
    """The buffers of a column of lists: where each begins, how long it is, and all their columns.

    None stands for those that are not read.
    """

    starts: SSAValue
    lengths: SSAValue
    columns: Sequence[SSAValue | None]


@dataclass(frozen=True)
class Columns:
    """The buffers of a bag: how many rows it has, and a column each; None for those not read."""

    length: SSAValue
    columns: Sequence[SSAValue | None]
    lists: Mapping[int, ListColumn] = field(default_factory=dict[int, "ListColumn"])
    """The columns that hold lists, by their numbers."""
    begin: SSAValue | None = None
    """Where its rows begin in the columns, if that is not their beginning."""


@dataclass
class LoopBody(TupleParts):
    """Copies the ops of a loop's body to blocks of the function."""

    frame: Frame | None = None
    bags: dict[SSAValue, Columns] = field(default_factory=dict[SSAValue, Columns])
    arrays: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    emits: dict[SSAValue, Emits] = field(default_factory=dict[SSAValue, Emits])
    folded: dict[LoopOp, Sequence[Register]] = field(
        default_factory=dict[LoopOp, "Sequence[Register]"]
    )
    """What inner loops have come to that were done before, for each of their generators."""
    indexes: dict[Matched, MatchIndex] = field(default_factory=dict["Matched", MatchIndex])
    rows: dict[SSAValue, tuple[SSAValue, Row]] = field(
        default_factory=dict[SSAValue, "tuple[SSAValue, Row]"]
    )
    """The column and the row of each element of an outermost loop over rows."""
    looks_ahead: bool = False
    """Whether what later rows match is asked for, where `keys_known_ahead` says so."""
    inside: set[ElementOp] = field(default_factory=set[ElementOp])
    """What is read at positions that were tested before the loop that it stands in."""

    def apart(
        self,
        *,
        bags: Mapping[SSAValue, Columns] | None = None,
        emits: dict[SSAValue, Emits] | None = None,
        looks_ahead: bool | None = None,
    ) -> Self:
        """Return what writes the body once more, in one arm of two."""
        return replace(
            self,
            values=dict(self.values),
            tuples=dict(self.tuples),
            bags=dict(self.bags if bags is None else bags),
            emits=self.emits if emits is None else emits,
            looks_ahead=self.looks_ahead if looks_ahead is None else looks_ahead,
        )

    def copy(self, ops: Iterable[Operation], block: Block) -> None:
        """Append what the ops become to `block`.

        Raises
        ------
        Refused
            If one of them has no form over buffers.
        """
        for op in ops:
            writer = OpWriter(op, block)
            match op:
                case EmitOp():
                    code = self.emits[op.generator]
                    keys, values = map(self.parts, op.keys), map(self.parts, op.values)
                    code.emit(writer, list(keys), list(values))
                    for given in op.given:
                        self.bind(given, code.so_far(writer))
                case LoopOp() if op in self.folded:
                    for result, register in zip(op.made, self.folded[op], strict=True):
                        self.bind(result, register.read(writer))
                case LoopOp():
                    self._inner_loop(op, writer)
                case tensor.ExtractOp():
                    indices = [self.values.get(index, index) for index in op.indices]
                    load = memref.LoadOp.get(self.array(op.tensor), indices)
                    self.bind(op.result, [writer.add(load, op.result.name_hint)])
                case tensor.DimOp():
                    axis = self.values.get(op.index, op.index)
                    dim = memref.DimOp(self.array(op.source), axis)
                    self.bind(op.result, [writer.add(dim, op.result.name_hint)])
                case LengthOp():
                    length = self.bag(op.bag).length
                    self.bind(op.result, [writer.add(arith.IndexCastOp(length, i64))])
                case ElementOp():
                    self._element(op, writer)
                case scf.IfOp() if (emits := _free_emits(op, self.emits)) is not None:
                    self._emit_if(op, emits, writer)
                case _ if op.regions:
                    self.carry(op, block)
                case _:
                    super().copy([op], block)

    def _emit_if(self, op: scf.IfOp, emits: Sequence[EmitOp], writer: OpWriter) -> None:
        """Rows that are stored in any case, and counted on a condition; values, or the identity."""
        block = op.true_region.block
        self.copy((inner for inner in block.ops if _is_little(inner)), writer.block)
        condition = self.values.get(op.cond, op.cond)
        for emit in emits:
            code = self.emits[emit.generator]
            assert isinstance(code, CollectCode | ReduceCode | Accumulator)
            code.emit_if(writer, condition, [self.parts(value) for value in emit.values])

    def _element(self, op: ElementOp, writer: OpWriter) -> None:
        """What a bag has at a position, unless it ends before."""
        assert self.frame is not None
        bag = self.bag(op.bag)
        position = writer.add(
            arith.IndexCastOp(self.values.get(op.position, op.position), IndexType())
        )
        place = position
        if bag.begin is not None:
            place = writer.add(arith.AddiOp(bag.begin, position))
        columns = [
            column if value.uses else None
            for value, column in zip(op.values, bag.columns, strict=True)
        ]
        inside = None if op in self.inside else (position, bag.length)
        read = put_read(writer, self.frame, columns, place, inside)
        for value, part in zip(op.values, read, strict=True):
            if part is not None and part.type == i8 and value.type == i32:
                part = writer.add(arith.ExtUIOp(part, i32))  # A character of ASCII.
            if part is not None:
                part.name_hint = value.name_hint
                self.bind(value, [part])

    def bag(self, value: SSAValue) -> Columns:
        """The buffers of a bag.

        Raises
        ------
        Refused
            If it is no argument of the function.
        """
        if value not in self.bags:
            raise Refused("it goes through rows that it makes")
        return self.bags[value]

    def array(self, value: SSAValue) -> SSAValue:
        """The buffer of an array.

        Raises
        ------
        Refused
            If it is no argument of the function.
        """
        if value not in self.arrays:
            raise Refused("it reads an array that it makes")
        return self.arrays[value]

    def bind_row(self, op: LoopOp, writer: OpWriter, row: SSAValue) -> None:
        """Append what the source has for the iteration with number `row`."""
        if op.source.data == "range":
            lower, upper = (self.values.get(value, value) for value in op.inputs)
            if op.reverse is None:
                index = arith.AddiOp(lower, row)
            else:
                last = writer.add(arith.SubiOp(upper, writer.index(1)))
                index = arith.SubiOp(last, row)
            self.bind(op.elements[0], [writer.add(index, "index")])
            return
        bag = self.bag(op.inputs[0])
        if bag.begin is not None:
            row = writer.add(arith.AddiOp(bag.begin, row))
        for number, lists in bag.lists.items():
            start = writer.add(memref.LoadOp.get(lists.starts, [row]), "start")
            length = writer.add(memref.LoadOp.get(lists.lengths, [row]), "length")
            self.bags[op.elements[number]] = Columns(length, lists.columns, begin=start)
        for number, (element, column) in enumerate(zip(op.elements, bag.columns, strict=True)):
            if element.uses and number not in bag.lists:
                assert column is not None
                if op.source.data == "rows" and not isinstance(op.parent_op(), LoopOp):
                    self.rows[element] = column, Row(row, bag.length)
                load = memref.LoadOp.get(column, [row])
                self.bind(element, [writer.add(load, element.name_hint)])

    def _inner_loop(self, op: LoopOp, writer: OpWriter) -> None:
        """A loop within another: what it makes are values, or nothing."""
        assert self.frame is not None
        accumulators: list[Accumulator] = []
        made: list[tuple[SSAValue, MadeLists, SSAValue]] = []
        for generator, result in zip(op.generators, op.made, strict=True):
            if isinstance(generator.type, CollectType):
                lists = self._column_of(result)
                self.emits[generator] = lists
                made.append((result, lists, lists.count(writer)))
                continue
            if not isinstance(generator.type, ReduceType | ScanType):
                raise Refused("a loop for each row makes rows of its own")
            fold = Fold.of(generator.type.monoid.data, generator.type.element, op)
            accumulator = Accumulator.of(self.frame, fold)
            accumulator.clear(writer)
            self.emits[generator] = accumulator
            accumulators.append(accumulator)
        if op.source.data == "matches":
            bag, *keys = op.inputs
            index = self.indexes[bag, op.matched]
            given = [part for key in keys for part in self.parts(key)]
            if self.looks_ahead and keys_known_ahead(op):
                self._prefetch(op, writer, index)
            index.each(writer, given, lambda inner, row: self._iteration(op, inner, row))
        else:
            inner = writer.inner([IndexType()])
            inner.block.args[0].name_hint = "row"
            trips = self.trips(op, writer)
            if collects_numbers(op):
                lower, upper = (self.values.get(value, value) for value in op.inputs)
                trips = put_limit(writer, self.frame, (lower, upper), trips)
            trips = self._tested(op, writer, trips)
            self._iteration(op, inner, inner.block.args[0])
            inner.put(scf.YieldOp())
            zero = writer.index(0)
            writer.put(scf.ForOp(zero, trips, writer.index(1), [], inner.block))
        folded = [made for made in op.made if not isinstance(made.type, BagType)]
        for result, accumulator in zip(folded, accumulators, strict=True):
            self.bind(result, accumulator.register.read(writer))
        for result, lists, begin in made:
            end = lists.count(writer)
            self.bind(result, [begin, writer.add(arith.SubiOp(end, begin), "length")])

    def _tested(self, op: LoopOp, writer: OpWriter, trips: SSAValue) -> SSAValue:
        """Append tests of what the iterations of a loop read in any case, before the loop.

        Returns how many iterations it has: none if there is something that they cannot read.
        """
        assert self.frame is not None
        for read in tested_ahead(op):
            bag = self.bags.get(read.element.bag)
            if bag is None:
                continue
            lower, upper = (self.values.get(value, value) for value in op.inputs)
            rest = read.rest.renamed(self._known_ahead)
            trips = put_test(writer, self.frame, read, rest, (lower, upper, trips), bag.length)
            self.inside.add(read.element)
        return trips

    def _known_ahead(self, value: SSAValue) -> SSAValue:
        """The value before a loop that a value in it is, such as the length of a list."""
        if isinstance(value.owner, LengthOp):
            return self.bag(value.owner.bag).length
        return self.values.get(value, value)

    def _column_of(self, made: SSAValue) -> MadeLists:
        """The column of lists that has what a loop for a row collects, and nothing else has."""
        uses = list(made.uses)
        emit = uses[0].operation if len(uses) == 1 else None
        code = self.emits.get(emit.generator) if isinstance(emit, EmitOp) else None
        if not isinstance(code, RowsCode):
            raise Refused("a loop for each row makes rows of its own")
        return code.lists[uses[0].index - 1]

    def _prefetch(self, op: LoopOp, writer: OpWriter, index: MatchIndex) -> None:
        """Append that what later rows match is asked for."""
        bag, *keys = op.inputs
        columns, rows = zip(*[self.rows[key] for key in keys], strict=True)
        elements = zip(op.elements, self.bag(bag).columns, strict=True)
        read = [column for element, column in elements if column and element.uses]
        index.prefetch(writer, rows[0], columns, read)

    def _iteration(self, op: LoopOp, inner: OpWriter, row: SSAValue) -> None:
        self.bind_row(op, inner, row)
        self.copy(op.body.block.ops, inner.block)

    def trips(self, op: LoopOp, writer: OpWriter) -> SSAValue:
        """Append how many iterations a loop has."""
        if op.source.data == "rows":
            return self.bag(op.inputs[0]).length
        lower, upper = (self.values.get(value, value) for value in op.inputs)
        return writer.add(arith.MaxSIOp(writer.add(arith.SubiOp(upper, lower)), writer.index(0)))


def keys_known_ahead(op: LoopOp) -> bool:
    """Return whether what later rows look for lies in columns of the outermost loop's rows."""
    if op.source.data != "matches":
        return False
    around = op.parent_op()
    while isinstance(outer := around.parent_op() if around else None, LoopOp | scf.IfOp):
        around = outer
    if not isinstance(around, LoopOp) or around.source.data != "rows":
        return False
    return all(key in around.elements for key in op.inputs[1:])


def _free_emits(op: scf.IfOp, codes: Mapping[SSAValue, Emits]) -> list[EmitOp] | None:
    """The emits of a branch that does nothing else than to collect and to fold; None if it does.

    What is computed for them may be computed in any case, and is little.
    """
    if op.results or (op.false_region.blocks and len(op.false_region.block.ops) > 1):
        return None
    emits: list[EmitOp] = []
    others = stored = 0
    for inner in op.true_region.block.ops:
        code = codes.get(inner.generator) if isinstance(inner, EmitOp) else None
        may_emit = _stores_in_any_case(code) or _folds_identities(code)
        if isinstance(inner, EmitOp) and may_emit and not inner.given:
            emits.append(inner)
            stored += len(inner.values) if _stores_in_any_case(code) else 0
        elif _is_little(inner):
            others += 1
        elif not isinstance(inner, scf.YieldOp):
            return None
    return emits if emits and others <= MOST_IN_ANY_CASE and stored <= MOST_STORED else None


def _stores_in_any_case(code: Emits | None) -> bool:
    return isinstance(code, CollectCode) and not code.is_tested


def _folds_identities(code: Emits | None) -> bool:
    """Return whether a fold of the language's own takes the identity as well as nothing."""
    if not isinstance(code, ReduceCode | Accumulator):
        return False
    return code.fold.definition is None and code.fold.monoid != monoids.ANY


def _is_little(op: Operation) -> bool:
    """Return whether an op costs next to nothing, and does not fail."""
    divides = isinstance(op, arith.DivSIOp | arith.DivUIOp | arith.RemSIOp | arith.RemUIOp)
    return isinstance(op, ConstantOps) or (op.name.startswith("arith.") and not divides)
