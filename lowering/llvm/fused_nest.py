"""Several ops over the same points in one nest of loops; folds to scalars are carried along.

    for i: z[i] = …;  r[i] = …;  sum = sum + r[i] * r[i]

Which ops can is said by `passes/analyses/loops/one_loop.py`. What one op stores at a point, a later
one loads there, where LLVM knows it is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from xdsl.ir import Block, SSAValue

from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.fold_lanes import joined_apart, lanes_for
from diablo.lowering.llvm.loop_nest import LoopNest
from diablo.lowering.llvm.loop_plan import LoopPlan, plan_loops
from diablo.lowering.llvm.loop_points import Indices, Points
from diablo.lowering.llvm.monoid_folds import say_own_folds
from diablo.lowering.llvm.nested_loops import Body
from diablo.lowering.llvm.tuple_parts import Parts, part_types
from diablo.passes.analyses.loops.iterations import Iteration


@dataclass
class FusedNest(LoopNest):
    """Writes the loops of `op` with those of `others`, which follow it, in them.

    The loops run in the order of the dimensions, the first of which `bounds` cuts.
    """

    others: Sequence[Iteration] = ()
    _nests: Sequence[LoopNest] = field(default=(), init=False)

    def emit(self, block: Block) -> None:
        """Append the loops to `block` and record the results of the ops."""
        self.plan = _in_order(self.plan)
        nests = [self, *(self._nest_of(op) for op in self.others)]
        for nest in nests:
            nest._begin(block)
        self._nests = nests
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
        totals = self._run(block, dimensions, neutral, point, nests)
        for nest, end, count in zip(folds, accumulate(counts), counts, strict=True):
            nest._bind(nest.op.result, totals[end - count : end])

    def _run(
        self,
        block: Block,
        dimensions: list[int],
        neutral: Parts,
        point: Body,
        nests: Sequence[LoopNest],
    ) -> Sequence[SSAValue]:
        """The loops; in lanes if LLVM makes no vectors of what they fold, and they just fold."""
        own = [nest._monoid() for nest in nests if not is_tensor(nest.op.result.type)]
        in_order = any(monoid is not None and monoid.any_order is None for monoid in own)
        lanes = lanes_for(len(neutral), in_order=in_order)
        single = lanes == 1
        if self.plan.plain:
            totals = self._loops(block, dimensions, {}, neutral, point)
            say_own_folds(totals, [nest.fold_of() for nest in nests if nest.folds_numbers])
            return totals
        if len(own) < len(nests) or all(m is None for m in own) or single:
            return self._loops(block, dimensions, {}, neutral, point)
        join = joined_apart(
            [(len(part_types(nest.op.result.type)), nest._combine) for nest in nests]
        )

        def innermost(b: Block, outer: Indices, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return self._in_lanes(b, outer, carried, dimensions[-1], neutral, point, join, in_order)

        return self._loops(block, dimensions[:-1], {}, neutral, innermost)

    def _points_together(self) -> list[Points]:
        return [nest._points for nest in self._nests]

    def _nest_of(self, op: Iteration) -> LoopNest:
        plan = _in_order(plan_loops(op, plain=self.plan.plain))
        return LoopNest(op, plan, self.values, tuples=self.tuples)


def _in_order(plan: LoopPlan) -> LoopPlan:
    """A plan of whole loops."""
    return replace(plan, split=0, tile=None, peel=None, unrolled={}, domain=None)
