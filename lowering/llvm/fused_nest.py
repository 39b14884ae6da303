"""What one loop over points emits to several generators; folds to scalars are carried along.

    for i: z[i] = …;  r[i] = …;  sum = sum + r[i] * r[i]

Which ops are one loop is said by `passes/analyses/loops/one_loop.py`, and `fuse-multiloops` makes
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from xdsl.ir import Block, SSAValue

from diablo.lowering.llvm.fold_lanes import joined_apart, lanes_for
from diablo.lowering.llvm.loop_nest import LoopNest
from diablo.lowering.llvm.loop_plan import LoopPlan, plan_loops
from diablo.lowering.llvm.loop_points import Indices, Points
from diablo.lowering.llvm.monoid_folds import say_own_folds
from diablo.lowering.llvm.nested_loops import Body
from diablo.lowering.llvm.tuple_parts import Parts, part_types
from diablo.passes.analyses.loops.iterations import Iteration
from diablo.passes.analyses.loops.one_loop import run_in_one_loop, scatter_together


@dataclass
class FusedNest(LoopNest):
    """Writes the loops of all that one loop makes, of which `op` is the first and `others` follow.

    The loops run in the order of the dimensions, the first of which `bounds` cuts.
    """

    others: Sequence[Iteration] = ()
    _nests: Sequence[LoopNest] = field(default=(), init=False)

    def prepare(self, block: Block) -> None:
        """Append what is done before the loops; folds begin with `neutral`."""
        self.plan = _in_order(self.plan)
        self._nests = [self, *(self._nest_of(op) for op in self.others)]
        for nest in self._nests:
            nest._begin(block)
            if nest.op.kind == "scatter":
                nest._fill(block, [self.values[size] for size in nest.op.into])
        values = [value for nest in self._nests for value in nest.op.values]
        body = replace(self.op, values=values)
        self._points = Points(body, self.plan, self.values, None, self.tuples, starts=self.starts)
        self.neutral = [part for nest in self._folds for part in nest._identity(block)]

    @property
    def _folds(self) -> list[LoopNest]:
        return [nest for nest in self._nests if nest.folds_numbers]

    def run(self, block: Block, carried: Parts) -> Parts:
        """Append the loops; return what is folded to numbers, which is `carried` before."""
        dimensions = list(range(len(self.op.extents)))

        def point(
            inner: Block, indices: Indices, carried: Sequence[SSAValue]
        ) -> Sequence[SSAValue]:
            parts = iter(self._points.point(inner, indices))
            totals: list[SSAValue] = []
            for nest in self._nests:
                width = sum(len(part_types(value.type)) for value in nest.op.values)
                own = list(islice(parts, width))
                if nest.folds_numbers:
                    held = carried[len(totals) : len(totals) + width]
                    totals += nest._combine(inner, held, own)
                elif nest.op.kind == "scatter":
                    nest._scatter(inner, own)
                else:
                    nest._store(inner, indices, own)
            return totals

        return self._run(block, dimensions, carried, point)

    def bind(self, totals: Parts) -> None:
        """Record what has been folded."""
        left = iter(totals)
        for nest in self._folds:
            result = nest.op.result
            nest._bind(result, list(islice(left, len(part_types(result.type)))))

    def _run(
        self, block: Block, dimensions: list[int], carried: Parts, point: Body
    ) -> Sequence[SSAValue]:
        """The loops; in lanes if LLVM makes no vectors of what they fold, and they just fold."""
        nests, folds, neutral = self._nests, self._folds, self.neutral
        own = [nest._monoid() for nest in folds]
        in_order = any(monoid is not None and monoid.any_order is None for monoid in own)
        lanes = lanes_for(len(neutral), in_order=in_order)
        single = lanes == 1
        if self.plan.plain:
            totals = self._loops(block, dimensions, {}, carried, point)
            say_own_folds(totals, [nest.fold_of() for nest in folds])
            return totals
        if len(own) < len(nests) or all(m is None for m in own) or single:
            return self._loops(block, dimensions, {}, carried, point)
        join = joined_apart(
            [(len(part_types(nest.op.result.type)), nest._combine) for nest in nests]
        )

        def innermost(b: Block, outer: Indices, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return self._in_lanes(b, outer, carried, dimensions[-1], neutral, point, join, in_order)

        return self._loops(block, dimensions[:-1], {}, carried, innermost)

    def _nest_of(self, op: Iteration) -> LoopNest:
        plan = _in_order(plan_loops(op, plain=self.plan.plain))
        return LoopNest(op, plan, self.values, tuples=self.tuples, starts=self.starts)


def nests_of(
    ops: Sequence[Iteration],
    plan: Callable[[Iteration], LoopPlan],
    values: dict[SSAValue, SSAValue],
    bounds: tuple[SSAValue, SSAValue] | None = None,
    tuples: dict[SSAValue, list[SSAValue]] | None = None,
    starts: dict[SSAValue, SSAValue] | None = None,
) -> list[LoopNest]:
    """What writes the loops of all that a loop over points makes: one nest, if it can be one.

    What follows is that of a `LoopNest`.
    """
    shared = (values, bounds, {} if tuples is None else tuples, {} if starts is None else starts)
    first, *others = ops
    if others and (run_in_one_loop(ops) or scatter_together(ops)):
        return [FusedNest(first, plan(first), *shared, others=others)]
    return [LoopNest(op, plan(op), *shared) for op in ops]


def _in_order(plan: LoopPlan) -> LoopPlan:
    """A plan of whole loops."""
    return replace(plan, split=0, tile=None, peel=None, unrolled={}, domain=None)
