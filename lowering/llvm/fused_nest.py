"""Several ops over the same points in one nest of loops; folds to scalars are carried along.

    for i: z[i] = …;  r[i] = …;  sum = sum + r[i] * r[i]

Which ops can is said by `passes/analyses/one_loop.py`. What one op stores at a point, a later
one loads there, where LLVM knows it is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from xdsl.ir import Block, SSAValue

from diablo.dialects.tensor_block import IterationOps
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.loop_nest import LoopNest
from diablo.lowering.llvm.loop_plan import plan_loops
from diablo.lowering.llvm.loop_points import Indices


@dataclass
class FusedNest(LoopNest):
    """Writes the loops of `op` with those of `others`, which follow it, in them.

    The loops run in the order of the dimensions, the first of which `bounds` cuts.
    """

    others: Sequence[IterationOps] = ()

    def emit(self, block: Block) -> None:
        """Append the loops to `block` and record the results of the ops."""
        self.plan = replace(self.plan, split=0, tile=None, peel=None, unrolled={})
        nests = [self, *(self._nest_of(op) for op in self.others)]
        for nest in nests:
            nest._begin(block, None)
        folds = [nest for nest in nests if not is_tensor(nest.op.result.type)]
        identities = [nest._identity(block) for nest in folds]
        counts = [len(parts) for parts in identities]
        dimensions = list(range(len(self.op.extents)))

        def point(
            inner: Block, indices: Indices, carried: Sequence[SSAValue]
        ) -> Sequence[SSAValue]:
            sums: list[SSAValue] = []
            for nest in nests:
                parts = nest._points.point(inner, indices)
                if is_tensor(nest.op.result.type):
                    nest._store_at(inner, [indices[d] for d in dimensions], parts)
                else:
                    held = carried[len(sums) : len(sums) + len(parts)]
                    sums += nest._combine(inner, held, parts)
            return sums

        neutral = [part for parts in identities for part in parts]
        totals = self._loops(block, dimensions, {}, neutral, point)
        for nest, end, count in zip(folds, accumulate(counts), counts, strict=True):
            nest._bind(nest.op.result, totals[end - count : end])

    def _nest_of(self, op: IterationOps) -> LoopNest:
        return LoopNest(op, plan_loops(op), self.values, tuples=self.tuples)
