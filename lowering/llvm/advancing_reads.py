"""Which elements of its inputs an op reads in rows along its innermost loop, and how they advance.

%U[d0 - 1, d1, (d2 + 1) mod s0]    is row [d0 - 1, d1] of %U, at d2 mod s0, 1 further on
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation, SSAValue

from diablo.dialects.access_maps import LinearIndex
from diablo.lowering.llvm.loop_plan import LoopPlan
from diablo.passes.analyses.loops.iterations import Iteration

Row = tuple[SSAValue, tuple[LinearIndex, ...]]
"""An array, and the indices of all of its axes but the last."""
MOST_TURNING = 16
"""How many rows may be copied because they wrap around."""


class RowReads:
    """The reads of `op` along dimension `d`.

    `reads` are the row of an element, how it advances, and how far it is ahead; `numbers` the
    inputs that read a row so; `wrapped` the elements whose place in their row wraps around.
    """

    def __init__(self, op: Iteration, plan: LoopPlan, d: int):
        self.op = op
        self.d = d
        self.reads: dict[SSAValue, tuple[Row, LinearIndex, int]] = {}
        self.numbers: dict[tuple[Row, LinearIndex], int] = {}
        self.wrapped: set[SSAValue] = set()
        self._inputs: dict[SSAValue, int] = {}
        elements = op.elements
        for number, (element, axes) in enumerate(zip(elements, plan.inputs, strict=True)):
            if not axes or not element.uses:
                continue
            *outer, last = axes
            factor = last.factor(d)
            if last.period is not None and factor:
                self.wrapped.add(element)
            if factor < 1 or any(d in index.dimensions for index in outer):
                continue
            if isinstance(element.type, AnyFloat):
                self._inputs[element] = number
                row = op.inputs[number], tuple(outer)
                self.reads[element] = row, last.without_constant, last.constant

    def turn(self, inside: Collection[Operation], factors: Collection[SSAValue]) -> bool:
        """Let reads that do not wrap around run along with those that do; whether all can.

        `inside` are the ops whose elements may be read in copies of their rows.
        """
        turning = self._can_turn(inside, factors)
        # A row is read as its first read that wraps around does, if there is one.
        ordered = sorted(self.reads.items(), key=lambda read: read[0] not in self.wrapped)
        for element, (row, index, offset) in ordered:
            if turning:
                index = self._turned(row[0], index, offset) or index
            elif not index.outside.terms and len(index.dimensions) == 1:
                # In the middle of the row, the remainder is the index itself.
                index = replace(index, period=None)
            self.reads[element] = row, index, offset
            self.numbers.setdefault((row, index), self._inputs[element])
        return turning

    def _can_turn(self, inside: Collection[Operation], factors: Collection[SSAValue]) -> bool:
        if not self.wrapped or len(self.wrapped) > 2 * MOST_TURNING:
            return False
        for element in self.wrapped:
            if element not in self.reads or element in factors:
                return False
            if any(use.operation not in inside for use in element.uses):
                return False
        return all(
            self._turned(row[0], index, offset) is not None
            for row, index, offset in self.reads.values()
            if index.period is None and self._periods(row[0])
        )

    def _periods(self, array: SSAValue) -> list[LinearIndex]:
        """Return how an array's rows are read where they wrap around."""
        return [
            index
            for row, index, _ in self.reads.values()
            if row[0] is array and index.period is not None
        ]

    def _turned(self, array: SSAValue, index: LinearIndex, offset: int) -> LinearIndex | None:
        """The same index as one that wraps around, if its array is read so.

        That is right up to the period, where the middle part of the loop ends.
        """
        if index.period is not None:
            return index
        if offset or index.alone != self.d:
            return None
        return next((other for other in self._periods(array) if other.sum == index), None)
