"""The loop over the rows of a source, as far as there is room for what they make.

    folds                           for begin <= row < end: what scans are of, and nothing else
    otherwise                       for begin <= row < end: all that the body does

It ends before the first row whose rows may find no room, and says which that is. Where rows look
for others it is there twice: once it asks ahead for what later rows match, if that is far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Operation, Region, SSAValue

from diablo.dialects.multiloop import LoopOp, ScanType
from diablo.lowering.multiloop.generator_code import (
    CollectCode,
    Emits,
    GeneratorCode,
    Nothing,
    PlacedCode,
    RowsCode,
)
from diablo.lowering.multiloop.loop_body import LoopBody, keys_known_ahead
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.lowering.multiloop.row_strips import RowStrips, strip_folds
from diablo.passes.analyses.refused import Refused
from diablo.row_kernel_signature import SPARE_PART


def near_or_far(
    loop: LoopOp,
    body: LoopBody,
    codes: Sequence[GeneratorCode],
    writer: OpWriter,
    rows: tuple[SSAValue, SSAValue],
) -> SSAValue:
    """Append a loop that asks for what later rows match, if that is far, and one that does not.

    There is the second alone if it is not known what later rows look for. Returns the row that
    comes next.
    """
    inner = [op for op in loop.walk() if isinstance(op, LoopOp) and keys_known_ahead(op)]
    if not inner:
        return _Rows(loop, body, codes, writer).write(*rows)
    flags = dict.fromkeys(body.indexes[op.inputs[0], op.matched].is_far for op in inner)
    is_far = reduce(lambda one, other: writer.add(arith.OrIOp(one, other)), flags)
    return writer.choose(
        is_far,
        lambda far: _Rows(loop, body.apart(looks_ahead=True), codes, far).write(*rows),
        lambda near: _Rows(loop, body.apart(looks_ahead=False), codes, near).write(*rows),
    )


def fold_or_all(
    loop: LoopOp,
    body: LoopBody,
    codes: Sequence[GeneratorCode],
    entry: OpWriter,
    folds: SSAValue,
    rows: tuple[SSAValue, SSAValue],
) -> SSAValue:
    """Append a loop over rows for scans alone if it `folds`, and otherwise the one for all of them.

    Returns the row that comes next.
    """
    emits: dict[SSAValue, Emits] = {
        generator: code if isinstance(generator.type, ScanType) else Nothing()
        for generator, code in zip(loop.generators, codes, strict=True)
    }
    begin, end = rows

    def fold(alone: OpWriter) -> SSAValue:
        folding = body.apart(emits=emits)
        row = alone.inner([IndexType()])
        row.block.args[0].name_hint = "row"
        folding.bind_row(loop, row, row.block.args[0])
        folding.copy(loop.body.block.ops, row.block)
        row.put(scf.YieldOp())
        alone.put(scf.ForOp(begin, end, alone.index(1), [], row.block))
        return end

    return entry.choose(folds, fold, lambda whole: near_or_far(loop, body, codes, whole, rows))


@dataclass
class _Rows:
    """Writes the loop over the rows from `begin` to `end`, as far as there is room."""

    loop: LoopOp
    body: LoopBody
    codes: Sequence[GeneratorCode]
    entry: OpWriter

    def write(self, begin: SSAValue, end: SSAValue) -> SSAValue:
        """Append the loop; return the row that comes next."""
        if any(_is_tested(code) for code in self.codes):
            return self._one_by_one(begin, end)
        limited = [
            (code, self._most_emits(generator))
            for code, generator in zip(self.codes, self.loop.generators, strict=True)
            if code.is_limited
        ]
        if not limited:
            self._rows(self.entry, begin, end)
            return end
        test = self.entry.inner([IndexType()])
        (row,) = test.block.args
        stop = left = test.add(arith.SubiOp(end, row))
        zero = test.index(0)
        more = test.add(arith.CmpiOp(left, zero, "sgt"))
        rooms = [(*each, most) for code, most in limited for each in code.rooms(test)]
        for room, size, most in rooms:
            rows = test.add(arith.DivSIOp(room, most))
            stop = test.add(arith.MinSIOp(stop, rows))
            # Towards the end steps would become small: larger buffers cost less.
            wide = test.add(arith.MuliOp(room, test.index(SPARE_PART)))
            enough = test.add(
                arith.OrIOp(
                    test.add(arith.CmpiOp(rows, left, "sge")),
                    test.add(arith.CmpiOp(wide, size, "sge")),
                )
            )
            more = test.add(arith.AndIOp(more, enough))
        more = test.add(arith.AndIOp(more, test.add(arith.CmpiOp(stop, zero, "sgt"))))
        test.put(scf.ConditionOp(more, row, test.add(arith.AddiOp(row, stop))))
        step = self.entry.inner([IndexType(), IndexType()])
        first, last = step.block.args
        self._rows(step, first, last)
        step.put(scf.YieldOp(last))
        types = [IndexType(), IndexType()]
        loop = scf.WhileOp([begin], types, Region(test.block), Region(step.block))
        self.entry.put(loop)
        return loop.results[0]

    def _one_by_one(self, begin: SSAValue, end: SSAValue) -> SSAValue:
        """Append a loop that takes back the row for which there is no room, and ends there."""
        entry = self.entry
        test = entry.inner([IndexType(), i1])
        next_row, goes_on = test.block.args
        more = test.add(arith.CmpiOp(next_row, end, "slt"))
        test.put(scf.ConditionOp(test.add(arith.AndIOp(more, goes_on)), next_row))
        step = entry.inner([IndexType()])
        (row,) = step.block.args
        row.name_hint = "row"
        saved = [code.saved(step) for code in self.codes]
        self._row(step, row)
        overs = [over for code in self.codes if (over := code.is_over(step)) is not None]
        over = reduce(lambda one, other: step.add(arith.OrIOp(one, other)), overs)
        back = step.inner()
        for code, before in zip(self.codes, saved, strict=True):
            code.take_back(back, before)
        back.put(scf.YieldOp())
        step.put(scf.IfOp(over, [], Region(back.block)))
        after = step.add(arith.AddiOp(row, step.index(1)))
        following = step.add(arith.SelectOp(over, row, after))
        true = step.add(arith.ConstantOp(IntegerAttr(1, i1)))
        step.put(scf.YieldOp(following, step.add(arith.XOrIOp(over, true))))
        always = entry.add(arith.ConstantOp(IntegerAttr(1, i1)))
        loop = scf.WhileOp([begin, always], [IndexType()], Region(test.block), Region(step.block))
        entry.put(loop)
        return loop.results[0]

    def _row(self, writer: OpWriter, row: SSAValue) -> None:
        """Append what is done with one row."""
        for code in self.codes:
            if isinstance(code, PlacedCode):
                code.row = row
        self.body.bind_row(self.loop, writer, row)
        self.body.copy(self.loop.body.block.ops, writer.block)

    def _rows(self, writer: OpWriter, begin: SSAValue, end: SSAValue) -> None:
        """Append the loop over rows for which there is room, in strips if there are such folds."""
        if folds := strip_folds(self.loop):
            RowStrips(self.loop, self.body, folds, self._row).write(writer, begin, end)
            return
        inner = writer.inner([IndexType()])
        (row,) = inner.block.args
        row.name_hint = "row"
        self._row(inner, row)
        inner.put(scf.YieldOp())
        writer.put(scf.ForOp(begin, end, writer.index(1), [], inner.block))

    def _most_emits(self, generator: SSAValue) -> SSAValue:
        """Append how many rows an iteration emits to a generator at most, at least one."""
        entry = self.entry
        most = entry.index(0)
        for use in generator.uses:
            emits = entry.index(1)
            for inner in loops_around(self.loop, use.operation):
                emits = entry.add(arith.MuliOp(emits, self.body.trips(inner, entry)))
            most = entry.add(arith.AddiOp(most, emits))
        return entry.add(arith.MaxSIOp(most, entry.index(1)))


def _is_tested(code: GeneratorCode) -> bool:
    """Return whether it shows behind a row alone whether there was room for it."""
    return (isinstance(code, CollectCode) and code.is_tested) or (
        isinstance(code, RowsCode) and bool(code.lists)
    )


def loops_around(loop: LoopOp, emit: Operation) -> list[LoopOp]:
    """The loops in `loop` that an emit stands in."""
    around: list[LoopOp] = []
    parent = emit.parent_op()
    while parent is not None and parent is not loop:
        if isinstance(parent, LoopOp):
            around.append(parent)
        elif isinstance(parent, scf.ForOp | scf.WhileOp):
            raise Refused("a row emits rows in a loop of its own")
        parent = parent.parent_op()
    return around
