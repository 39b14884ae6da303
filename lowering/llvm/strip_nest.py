"""Several ops over the same rows in one loop over strips of these rows.

    d = reduce min  i | k   x[i], c[k]          for start = 0 to n step 512:
    s = scatter add i       k[i] -> d[i]  =>      for k: for i in the strip: d[i] = min(d[i], …)
                                                  for i in the strip: s[k[i]] += d[i]

Which ops can is said by `passes/analyses/loops/common_rows.py`. Each op does its own loops within a
strip, so that LLVM makes vectors of them as it does of one op alone, and what is made of the strip
is in the nearest cache when the next op reads it. An array that nothing else reads has room for one
strip, `starts` says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from diablo.dialects.locations import remark
from diablo.lowering.llvm.fused_nest import nests_of
from diablo.lowering.llvm.loop_nest import LoopNest
from diablo.lowering.llvm.loop_ops import append, append_constant
from diablo.lowering.llvm.loop_plan import plan_strips
from diablo.passes.analyses.loops.common_rows import row_dimensions
from diablo.passes.analyses.loops.iterations import Iteration
from diablo.passes.analyses.loops.products import is_blas_product

STRIP = 512
"""How many rows a strip has at most: what a few arrays have of them stays in the nearest cache."""
MOST_ELEMENTS = 1 << 14
"""How many elements of an array a strip has at most, but for the first rows."""
FEWEST_ROWS = 8


@dataclass
class StripNest:
    """Writes the loops of `ops`, in order; `values` and `tuples` are those of a `LoopNest`.

    Of the arrays in `passing` there is just a strip. The rows are those within `bounds`.
    """

    ops: Sequence[Iteration]
    values: dict[SSAValue, SSAValue]
    bounds: tuple[SSAValue, SSAValue] | None
    tuples: dict[SSAValue, list[SSAValue]]
    passing: Sequence[SSAValue]
    _starts: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue], init=False)

    def emit(self, block: Block) -> None:
        """Append the loops to `block` and record the results of the ops."""
        remark(
            self.ops[0].origin, f"{len(self.ops)} operations take turns at strips of {STRIP} rows"
        )
        rows_of = row_dimensions(self.ops)
        assert rows_of is not None
        nests = self._nests(rows_of)
        for nest in nests:
            nest.prepare(block)
        first = self.ops[0]
        rows = append_constant(block, 0), self.values[first.extents[0]]
        begin, end = self.bounds or rows
        step = self._length(block, rows_of)
        carried = [part for nest in nests for part in nest.neutral]
        inner = Block(arg_types=[IndexType(), *(part.type for part in carried)])
        start, *held = inner.args
        start.name_hint = "strip"
        after = append(inner, arith.AddiOp(start, step), first).results[0]
        stop = append(inner, arith.MinSIOp(after, end), first).results[0]
        self._starts.update(dict.fromkeys(self.passing, start))
        totals: list[SSAValue] = []
        for nest in nests:
            nest.bounds = (start, stop)
            width = len(nest.neutral)
            totals += nest.run(inner, held[len(totals) : len(totals) + width])
        inner.add_op(scf.YieldOp(*totals))
        folded = append(block, scf.ForOp(begin, end, step, carried, inner), first).results
        left = iter(folded)
        for nest in nests:
            nest.bind(list(islice(left, len(nest.neutral))))

    def _nests(self, rows_of: Sequence[int]) -> list[LoopNest]:
        """What writes the loops of each loop over points."""
        of = dict(zip(self.ops, rows_of, strict=True))
        return [
            nest
            for _, group in groupby(self.ops, key=lambda op: id(op.origin))
            for nest in nests_of(
                list(group),
                lambda op: plan_strips(op, of[op]),
                self.values,
                tuples=self.tuples,
                starts=self._starts,
            )
        ]

    def _length(self, block: Block, rows_of: Sequence[int]) -> SSAValue:
        """Append how many rows a strip has: fewer of longer ones."""
        length = append_constant(block, STRIP)
        for op, d in zip(self.ops, rows_of, strict=True):
            if op.kind == "scatter":
                continue
            end = op.parallel
            if is_blas_product(op):
                end = len(op.extents)  # The matrix, which others read as well, is to stay.
            further = [op.extents[k] for k in range(end) if k != d]
            if not further:
                continue
            rows = append_constant(block, MOST_ELEMENTS)
            for extent in further:
                one = append_constant(block, 1)
                size = append(block, arith.MaxSIOp(self.values[extent], one), op).results[0]
                rows = append(block, arith.DivUIOp(rows, size), op).results[0]
            least = append_constant(block, FEWEST_ROWS)
            rows = append(block, arith.MaxSIOp(rows, least), op).results[0]
            length = append(block, arith.MinSIOp(length, rows), op).results[0]
        return length
