"""Folds for each row of a loop, done for a strip of rows at a time.

    for row: acc = identity                     for start = begin to end step 256:
             for k: acc = acc + f(row, k)   =>    for row in the strip: acc[row - start] = identity
             out[row] = g(row, acc)               for k: for row in the strip:
                                                    acc[row - start] = acc[row - start] + f(row, k)
                                                  for row in the strip: out[row] = g(row, acc[…])

So the folds of neighbouring rows are a vector, whatever monoid it is, and each is in the order of
the inner loop as before. What an inner loop goes through must be the same for all rows, and so must
be what it reads. What it takes from its row is computed once for each row, and kept for the strip.

Several iterations of an inner loop are done at each row, so that what is folded is read and written
once for all of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref, scf, tensor
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.effects import has_no_effect
from diablo.dialects.multiloop import EmitOp, LoopOp, ReduceType
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.llvm.tuple_parts import part_types
from diablo.lowering.multiloop.generator_code import Accumulator, Register
from diablo.lowering.multiloop.loop_body import LoopBody
from diablo.lowering.multiloop.op_writer import OpWriter

STRIP = 256
"""How many rows a strip has: what a few values of each take stays in the nearest cache."""
TOGETHER = 4
"""How many iterations of an inner loop are done at a row."""
MOST_TOGETHER = 64
"""How many ops an iteration has at most, then: more would not find room in the registers."""


def strip_folds(loop: LoopOp) -> list[LoopOp]:
    """The loops in the body of `loop` that may be done for a strip of rows at a time."""
    found: list[LoopOp] = []
    if loop.source.data in ("rows", "range"):
        for op in loop.body.block.ops:
            if isinstance(op, LoopOp) and _is_fold(op, loop) and _is_known(op, loop, found):
                found.append(op)
    return found


def _is_known(fold: LoopOp, loop: LoopOp, before: Sequence[LoopOp]) -> bool:
    """Return whether what a fold takes from its row is known after the folds `before` it."""
    needed = _needed(loop, live_ins(fold, loop))
    return not any(
        isinstance(inner, LoopOp | EmitOp)
        for op in needed
        if op not in before
        for inner in op.walk()
    )


def _is_fold(op: LoopOp, loop: LoopOp) -> bool:
    """Return whether `op` folds what it computes of a row and of what all rows share."""
    if op.reverse is not None:
        return False
    if op.source.data not in ("rows", "range") or any(map(loop.is_ancestor, _owners(op.inputs))):
        return False
    if not all(isinstance(generator.type, ReduceType) for generator in op.generators):
        return False
    for inner in op.body.walk():
        if isinstance(inner, LoopOp | scf.ForOp | scf.WhileOp):
            return False
        if isinstance(inner, EmitOp):
            if inner.generator not in op.generators:
                return False
        elif not has_no_effect(inner) and not isinstance(inner, scf.IfOp):
            return False
        if any(isinstance(operand.type, BagType) for operand in inner.operands):
            return False
        if isinstance(inner, tensor.ExtractOp | tensor.DimOp) and _varies(inner, op, loop):
            return False
    return True


def _owners(values: Sequence[SSAValue]) -> list[Operation | Block]:
    return [value.owner for value in values]


def _varies(read: Operation, fold: LoopOp, loop: LoopOp) -> bool:
    """Return whether what is read in a fold is another for the next row."""
    pending, seen = list(read.operands), set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if fold.is_ancestor(owner):
            pending += owner.operands if isinstance(owner, Operation) else []
        elif loop.is_ancestor(owner):
            return True
    return False


def live_ins(fold: LoopOp, loop: LoopOp) -> list[SSAValue]:
    """Return what a fold takes from the row that it is for."""
    found: dict[SSAValue, None] = {}
    for inner in fold.body.walk():
        for value in inner.operands:
            if not fold.is_ancestor(value.owner) and loop.is_ancestor(value.owner):
                found[value] = None
    return list(found)


def _needed(loop: LoopOp, values: Sequence[SSAValue]) -> list[Operation]:
    """The ops of the body of `loop` that compute some values, in order."""
    block = loop.body.block
    wanted: set[Operation] = set()
    pending = list(values)
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and owner.parent is block and owner not in wanted:
            wanted.add(owner)
            pending += [value for op in owner.walk() for value in op.operands]
    return [op for op in block.ops if op in wanted]


def _size(fold: LoopOp, folds: Sequence[Fold]) -> int:
    """Return how many ops an iteration of an inner loop has."""
    own = [one.definition for one in folds if one.definition is not None]
    return sum(1 for op in (fold, *own) for _ in op.walk())


@dataclass
class RowStrips:
    """Writes the loop over rows of `loop` in strips, in which `folds` come first.

    `row` appends what is done with a row, `body` copies its ops.
    """

    loop: LoopOp
    body: LoopBody
    folds: Sequence[LoopOp]
    row: Callable[[OpWriter, SSAValue], None]
    _totals: dict[LoopOp, list[list[SSAValue]]] = field(
        default_factory=dict[LoopOp, list[list[SSAValue]]], init=False
    )

    def write(self, writer: OpWriter, begin: SSAValue, end: SSAValue) -> None:
        """Append the loop over the rows from `begin` to `end`."""
        step = writer.index(STRIP)
        strip = writer.inner([IndexType()])
        (start,) = strip.block.args
        start.name_hint = "strip"
        after = strip.add(arith.AddiOp(start, step))
        stop = strip.add(arith.MinSIOp(after, end))
        for fold in self.folds:
            self._fold(strip, fold, start, stop)
        self._each(strip, start, stop, self._finish)
        strip.put(scf.YieldOp())
        writer.put(scf.ForOp(begin, end, step, [], strip.block))

    def _fold(self, strip: OpWriter, fold: LoopOp, start: SSAValue, stop: SSAValue) -> None:
        """Append what folds for each row of a strip."""
        folds = [
            Fold.of(generator.type.monoid.data, generator.type.element, fold)
            for generator in fold.generators
            if isinstance(generator.type, ReduceType)
        ]
        totals = [self._buffers(one.types, "acc") for one in folds]
        taken = live_ins(fold, self.loop)
        kept = [self._buffers(part_types(value.type), value.name_hint) for value in taken]

        def begin(inner: OpWriter, row: SSAValue, place: SSAValue) -> None:
            self.body.bind_row(self.loop, inner, row)
            self.body.folded = self._known_at(place)
            self.body.copy(_needed(self.loop, taken), inner.block)
            self.body.folded = {}
            for value, cells in zip(taken, kept, strict=True):
                Register(cells, place).write(inner, self.body.parts(value))
            for one, cells in zip(folds, totals, strict=True):
                Register(cells, place).write(inner, one.identity(inner.block, fold))

        self._each(strip, start, stop, begin)

        def iterations(begin: SSAValue, end: SSAValue, together: int) -> None:
            """Append the inner loop from `begin` to `end`, a multiple of `together` apart."""
            around = strip.inner([IndexType()])
            (first,) = around.block.args

            def step(inner: OpWriter, _: SSAValue, place: SSAValue) -> None:
                for value, cells in zip(taken, kept, strict=True):
                    self.body.bind(value, Register(cells, place).read(inner))
                for further in range(together):
                    number = first
                    if further:
                        number = inner.add(arith.AddiOp(first, inner.index(further)))
                    self.body.bind_row(fold, inner, number)
                    for generator, one, cells in zip(fold.generators, folds, totals, strict=True):
                        self.body.emits[generator] = Accumulator(one, Register(cells, place))
                    self.body.copy(fold.body.block.ops, inner.block)

            self._each(around, start, stop, step)
            around.put(scf.YieldOp())
            strip.put(scf.ForOp(begin, end, strip.index(together), [], around.block))

        trips, rest = self.body.trips(fold, strip), strip.index(0)
        if _size(fold, folds) <= MOST_TOGETHER:
            mask = strip.index(-TOGETHER)
            middle = strip.add(arith.AndIOp(trips, mask))
            iterations(rest, middle, TOGETHER)
            rest = middle
        iterations(rest, trips, 1)
        self._totals[fold] = totals

    def _finish(self, inner: OpWriter, row: SSAValue, place: SSAValue) -> None:
        """Append what is done with a row whose folds are known."""
        self.body.folded = self._known_at(place)
        self.row(inner, row)
        self.body.folded = {}

    def _known_at(self, place: SSAValue) -> dict[LoopOp, Sequence[Register]]:
        """Return what the folds that are done have come to for the row at a place of the strip."""
        return {
            fold: [Register(cells, place) for cells in totals]
            for fold, totals in self._totals.items()
        }

    def _each(
        self,
        writer: OpWriter,
        start: SSAValue,
        stop: SSAValue,
        done: Callable[[OpWriter, SSAValue, SSAValue], None],
    ) -> None:
        """Append a loop over the rows of a strip; `done` is given the row, and its place there."""
        inner = writer.inner([IndexType()])
        (row,) = inner.block.args
        row.name_hint = "row"
        done(inner, row, inner.add(arith.SubiOp(row, start)))
        inner.put(scf.YieldOp())
        writer.put(scf.ForOp(start, stop, writer.index(1), [], inner.block))

    def _buffers(self, types: Sequence[Attribute], hint: str | None) -> list[SSAValue]:
        """Append buffers for a strip, one for each of some types."""
        frame = self.body.frame
        assert frame is not None
        return [
            frame.entry.add(memref.AllocaOp.get(type, shape=[STRIP], alignment=64), hint)
            for type in types
        ]
