"""Loops along a row in strips, each after the sums over rows that it reads several times.

    for start in low .. high by a strip:
        for q in the strip and its borders: u1[q] = U[i-1,j,q] + U[i+1,j,q] + …
        for k in the strip:                 R[i,j,k] = … u1[k-1] + u1[k+1] …

The sums (line_sums.py) lie in buffers of a fixed size on the stack, which stay in the nearest
cache; a row that is longer takes several strips.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import FloatAttr, IndexType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, SSAValue

from diablo.dialects.access_maps import LinearIndex
from diablo.lowering.llvm.line_sums import Line, LineRead, LineSums, PlannedSum, Source
from diablo.lowering.llvm.loop_ops import HasLocation, append
from diablo.lowering.llvm.monoid_folds import FREE_ORDER
from diablo.lowering.llvm.wrapped_places import Indices, add, constant, scaled

ELEMENTS = 1024
"""How many sums a buffer holds."""
ALIGNMENT = 64
_FUSED = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])
"""What is multiplied is not multiplied out, nor is a difference taken apart."""

Loaded = Callable[[Block, int, SSAValue, bool], SSAValue]
"""Loads an input in the current row, at a place along it, which may have to be wrapped around."""
Period = Callable[[int], SSAValue | None]
"""At what the last index of an input wraps around."""
Start = Callable[[Block, int, SSAValue], SSAValue]
"""Where an input is read along its last axis for an index of the loop, less its constant."""
Body = Callable[[Block, SSAValue, SSAValue, Sequence[SSAValue]], Sequence[SSAValue]]
"""Writes a loop from one index to another, with what it carries."""


@dataclass
class LineBuffers:
    """The sums `plan` of `op`, whose innermost loop runs along `d`.

    While a strip is written, `_first` is its first index.
    """

    op: HasLocation
    plan: LineSums
    d: int
    buffers: list[SSAValue] = field(default_factory=list[SSAValue])
    _first: SSAValue | None = None

    def begin(self, block: Block, element: Attribute) -> None:
        """Append the buffers, before all loops."""
        for number, _ in enumerate(self.plan.lines):
            alloca = memref.AllocaOp.get(element, ALIGNMENT, [ELEMENTS])
            self.buffers.append(append(block, alloca, self.op, f"line{number}").results[0])

    def _factor(self, line: Line) -> int:
        return line.index.factor(self.d)

    def _families(self) -> dict[LinearIndex, list[int]]:
        """The lines by how they run along the loop."""
        families: dict[LinearIndex, list[int]] = {}
        for number, line in enumerate(self.plan.lines):
            families.setdefault(line.index, []).append(number)
        return families

    def _reach(self, numbers: Sequence[int]) -> tuple[int, int]:
        lines = [self.plan.lines[number] for number in numbers]
        return min(line.low for line in lines), max(line.high for line in lines)

    def strips(
        self,
        block: Block,
        low: SSAValue,
        high: SSAValue,
        carried: Sequence[SSAValue],
        start: Start,
        load: Loaded,
        period: Period,
        body: Body,
    ) -> Sequence[SSAValue]:
        """Append the loop from `low` to `high` in strips; return what it carries."""
        families = self._families()
        steps = min(
            (ELEMENTS - 1 - (reach[1] - reach[0])) // self._factor(self.plan.lines[numbers[0]]) + 1
            for numbers in families.values()
            for reach in [self._reach(numbers)]
        )
        strip = Block(arg_types=[IndexType(), *(value.type for value in carried)])
        first = self._first = strip.args[0]
        first.name_hint = "strip"
        width = constant(strip, steps)
        last = add(strip, arith.MinSIOp(add(strip, arith.AddiOp(first, width)), high))
        length = add(strip, arith.SubiOp(last, first))
        for numbers in families.values():
            self._fill(strip, numbers, length, start, load, period)
        strip.add_op(scf.YieldOp(*body(strip, first, last, strip.args[1:])))
        self._first = None
        loop = scf.ForOp(low, high, constant(block, steps), carried, strip)
        return append(block, loop, self.op).results

    def _fill(
        self,
        block: Block,
        numbers: Sequence[int],
        length: SSAValue,
        start: Start,
        load: Loaded,
        period: Period,
    ) -> None:
        """Append the loops that compute the lines of one family for a strip.

        Where what they read wraps around, there are three: the middle one goes straight.
        """
        assert self._first is not None
        lines = [self.plan.lines[number] for number in numbers]
        low, high = self._reach(numbers)
        factor = self._factor(lines[0])
        base = start(block, lines[0].inputs[0], self._first)
        base = add(block, arith.AddiOp(base, constant(block, low)))
        count = scaled(block, add(block, arith.SubiOp(length, constant(block, 1))), factor)
        count = add(block, arith.AddiOp(count, constant(block, high - low + 1)))
        zero = constant(block, 0)
        reads = [read for line in lines for read in line.inputs] if self.plan.turning else []
        found = dict.fromkeys(period(read) for read in reads)
        ends = [value for value in found if value is not None]
        if not ends:
            self._fill_part(block, numbers, base, zero, count, load, around=False)
            return
        end = ends[0]
        for other in ends[1:]:
            end = add(block, arith.MinSIOp(end, other))
        before = add(block, arith.MaxSIOp(add(block, arith.SubiOp(zero, base)), zero))
        before = add(block, arith.MinSIOp(before, count))
        after = add(block, arith.MinSIOp(add(block, arith.SubiOp(end, base)), count))
        after = add(block, arith.MaxSIOp(after, before))
        self._fill_part(block, numbers, base, zero, before, load, around=True)
        self._fill_part(block, numbers, base, before, after, load, around=False)
        self._fill_part(block, numbers, base, after, count, load, around=True)

    def _fill_part(
        self,
        block: Block,
        numbers: Sequence[int],
        base: SSAValue,
        begin: SSAValue,
        end: SSAValue,
        load: Loaded,
        around: bool,
    ) -> None:
        """Append the loop over a part of the lines of one family."""
        inner = Block(arg_types=[IndexType()])
        place = add(inner, arith.AddiOp(base, inner.args[0]))
        for number in numbers:
            total: SSAValue | None = None
            for read in self.plan.lines[number].inputs:
                element = load(inner, read, place, around)
                total = element if total is None else self._plus(inner, total, element)
            assert total is not None
            store = memref.StoreOp.get(total, self.buffers[number], [inner.args[0]])
            append(inner, store, self.op)
        inner.add_op(scf.YieldOp())
        append(block, scf.ForOp(begin, end, constant(block, 1), [], inner), self.op)

    def _plus(self, block: Block, left: SSAValue, right: SSAValue) -> SSAValue:
        return append(block, arith.AddfOp(left, right, FREE_ORDER), self.op).results[0]

    def read(self, block: Block, read: LineRead, indices: Indices) -> SSAValue:
        """An element of a line at a point of the current strip."""
        assert self._first is not None
        line = self.plan.lines[read.line]
        low, _ = self._reach(self._families()[line.index])
        steps = add(block, arith.SubiOp(indices[self.d], self._first))
        place = scaled(block, steps, self._factor(line))
        if read.offset != low:
            place = add(block, arith.AddiOp(place, constant(block, read.offset - low)))
        load = memref.LoadOp.get(self.buffers[read.line], [place])
        return append(block, load, self.op).results[0]

    def sum(
        self,
        block: Block,
        planned: PlannedSum,
        values: dict[SSAValue, SSAValue],
        indices: Indices,
    ) -> SSAValue:
        """Append a planned sum, whose other terms and coefficients are among `values`."""

        def term(source: Source) -> SSAValue:
            if isinstance(source, LineRead):
                return self.read(block, source, indices)
            return values.get(source, source)

        total: SSAValue | None = None
        for coefficient, sources in planned.groups:
            part: SSAValue | None = None
            for source in sources:
                part = term(source) if part is None else self._plus(block, part, term(source))
            assert part is not None
            for factor in coefficient.factors:
                value = self.plan.factors[factor]
                part = self._times(block, part, values.get(value, value))
            number = coefficient.number
            negative = total is not None and number < 0
            if negative:
                number = -number
            if number != 1.0:
                by = arith.ConstantOp(FloatAttr(number, planned.sum.root.type))  # pyright: ignore
                part = self._times(block, part, add(block, by))
            if total is None:
                total = part
            elif negative:
                difference = arith.SubfOp(total, part, _FUSED)
                total = append(block, difference, self.op).results[0]
            else:
                total = self._plus(block, total, part)
        assert total is not None
        return total

    def _times(self, block: Block, left: SSAValue, right: SSAValue) -> SSAValue:
        return append(block, arith.MulfOp(left, right, _FUSED), self.op).results[0]
