"""Decides where ops go: into a comprehension, or before it.

What is known before a comprehension (the value of a variable, a dimension) is computed there:

[ x + V[i] | (i,x) <- A ]   ->   %v = diablo.load %V
                                 comprehension.collect { … tensor.extract %v[%i] … }
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import tensor
from xdsl.ir import Block, SSAValue

from diablo.frontend.emission.emitter import Emitter


class PlacementEmitter(Emitter):
    """The part of the importer that knows where ops may stand."""

    def __init__(self) -> None:
        super().__init__()
        # Inside a comprehension: the number of the frame around the outermost one, and the
        # variables that were read there.
        self.rows_from: int | None = None
        self.loads: dict[SSAValue, SSAValue] = {}
        # Inside the branches of an `if` with a value, in a comprehension or loop: the number of
        # the frame around the outermost branch.
        self.branches_from: int | None = None
        self.loops = 0
        # Loops around that run in order, and none that does not: what a statement in them reads
        # outside of an array drops the statement, and is otherwise as in no loop.
        self.stepwise = 0
        # How many `while` are around.
        self.whiles = 0
        # Blocks of a loop's statement that run only where a condition holds.
        self.required: list[tuple[Block, SSAValue, Block]] = []

    @property
    def in_rows(self) -> bool:
        """Whether what is emitted runs once per row of a comprehension, or per iteration."""
        return self.rows_from is not None or self.loops > 0

    @contextmanager
    def comprehension(self, block: Block) -> Generator[None]:
        """Append ops to the body of a comprehension."""
        outer = self.rows_from, self.loads, self.branches_from
        if self.rows_from is None:
            self.rows_from, self.loads = len(self.frames) - 1, {}
        self.branches_from = None
        try:
            with self.into(block):
                yield
        finally:
            self.rows_from, self.loads, self.branches_from = outer

    @contextmanager
    def around(self) -> Generator[None]:
        """Append ops before the outermost comprehension, if one is being imported."""
        if self.rows_from is None:
            yield
            return
        outer = self.rows_from, self.loads, self.branches_from
        frame = self.frames[self.rows_from]
        self.rows_from, self.loads, self.branches_from = None, {}, None
        try:
            with self.into(frame):
                yield
        finally:
            self.rows_from, self.loads, self.branches_from = outer

    @contextmanager
    def beside(self, *values: SSAValue) -> Generator[None]:
        """Append ops before the outermost comprehension, if `values` are known there."""
        start = self.rows_from
        rows = set[Block]() if start is None else {f.block for f in self.frames[start + 1 :]}
        if any(owner_block(value) in rows for value in values):
            yield
            return
        with self.around():
            yield

    def dimension(self, array: SSAValue, number: int) -> SSAValue:
        """One of the dimensions of an array."""
        return self.add(tensor.DimOp(array, self.index_constant(number))).result


def owner_block(value: SSAValue) -> Block | None:
    """The block in which a value is defined."""
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent
