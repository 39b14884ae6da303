"""How an op over an iteration space is looped over: the order of its loops, and what they cut.

The innermost loop runs along memory where it can; of `%A[d1, d0]` summed over d1,

    d0 outside, d1 inside, the sum in a register      jumps through %A
    d1 outside, d0 inside, the sums in the output     is chosen
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import cast

from diablo.dialects.access_maps import LinearIndex, linear_indices, picks_dimensions
from diablo.dialects.monoids import is_user_defined
from diablo.passes.analyses.loops.body_domains import Domain, find_bounds, find_folded
from diablo.passes.analyses.loops.common_rows import adds_rows_up, goes_by_rows
from diablo.passes.analyses.loops.iterations import Iteration
from diablo.passes.analyses.values.affine_values import constant_value


@dataclass(frozen=True)
class LoopPlan:
    """How an op is looped over.

    `inputs[k]` are the indices at which the axes of input k are read; `order` the loops from
    the outermost in; `in_memory` whether a reduction accumulates in its output; `split` the
    dimension that threads may share, if any; `tile` the two dimensions cut in squares, if any;
    `peel` the dimension whose loop is cut in three, if any; `unrolled` the dimensions inside that
    loop whose few points are written out, and how many these are. `domain` is the part of the space
    outside of which nothing is computed, if the loops go by it. One that `adds_up` is looped over
    several times, for parts of what is reduced, and folds all into its output. A `plain` one has a
    loop for each dimension, those of the result first, but for those that are written out, and
    nothing besides.
    """

    inputs: list[list[LinearIndex]]
    parallel: int
    order: list[int]
    in_memory: bool
    split: int | None
    tile: tuple[int, int] | None = None
    peel: int | None = None
    unrolled: Mapping[int, int] = field(default_factory=dict[int, int])
    domain: Domain | None = None
    adds_up: bool = False
    plain: bool = False


_MOST_UNROLLED = 8
"""How many points at most are written out in a loop."""
TILE = 128
"""The edge of the squares: one of doubles takes 128 KB, which a core keeps close by."""


def plan_loops(op: Iteration, *, plain: bool = False) -> LoopPlan:
    """Choose the loops of `op`."""
    inputs = [linear_indices(map.data) for map in op.indexing_maps]
    if plain:
        return _plain_loops(op, inputs)
    beside = not all(picks_dimensions(map.data) for map in op.indexing_maps)
    rank = len(op.extents)
    parallel = op.parallel
    if op.kind == "scatter":
        # Threads would add to the same elements, unless each has a table of its own.
        split = 0 if goes_by_rows(op) else None
        return LoopPlan(
            inputs, 0, list(range(rank)), True, split, None, rank - 1 if beside else None
        )
    dimensions = list(range(rank))
    if not rank:
        return LoopPlan(inputs, 0, [], False, None)

    def strided(d: int) -> int:
        """Return how many accesses jump if `d` is the innermost loop; stores count twice."""
        jumps = sum(_jumps(axes, d) for axes in inputs)
        return jumps + (2 if d < parallel - 1 else 0)

    # Of equals take the last: it keeps the sum of a reduction in a register.
    innermost = min(reversed(dimensions), key=strided)
    outer = [d for d in dimensions if d != innermost]
    order = [*outer, innermost]
    in_memory = innermost < parallel < rank
    shareable = [d for d in order if d < parallel] or order
    # The direction in which an input lies along memory that is not the innermost loop's.
    across = [
        axes[-1].alone
        for axes in inputs
        if any(axis.alone == innermost for axis in axes[:-1]) and axes[-1].alone != innermost
    ]
    tile = None
    if across and across[0] is not None and parallel == rank and not beside:
        tile = (across[0], innermost)
    kept = [d for d in order if d < parallel]
    domain = find_bounds(op) if op.kind == "map" else None
    peel, unrolled = None, dict[int, int]()
    if beside or (domain is not None and tile is None):
        peel = kept[-1] if kept else innermost
        if beside and op.kind == "map":
            unrolled = _few_points(op, order, domain)
            order = _with_few_inside(op, order, inputs, domain, unrolled)
            peel = next(d for d in reversed(order) if d not in unrolled)
    elif op.kind == "fold" and not is_user_defined(op.monoid):
        domain = find_folded(op, innermost)
        peel = None if domain is None else innermost
    return LoopPlan(inputs, parallel, order, in_memory, shareable[0], tile, peel, unrolled, domain)


def plan_strips(op: Iteration, rows: int) -> LoopPlan:
    """Choose the loops of `op` within a strip of its dimension `rows`.

    A fold for each row goes along the rows inside, where none of them is far from the next: so
    many folds run side by side in vectors, whatever monoid it is.
    """
    plan = replace(plan_loops(op), split=rows)
    if op.kind == "fold" and adds_rows_up(op, rows):
        rank = len(op.extents)
        order = [rows, *(d for d in range(plan.parallel, rank) if d != rows), *range(plan.parallel)]
        return replace(plan, order=order, in_memory=True, peel=None, domain=None, adds_up=True)
    if not _lie_along_rows(op, plan):
        return plan
    order = [*range(1, len(op.extents)), 0]
    domain = None if is_user_defined(op.monoid) else find_folded(op, 0)
    peel = None if domain is None else 0
    return replace(plan, order=order, in_memory=True, peel=peel, domain=domain)


def folds_side_by_side(op: Iteration) -> bool:
    """Return whether LLVM makes vectors of a fold in strips, and none of the fold alone."""
    if op.kind != "fold" or not is_user_defined(op.monoid):
        return False
    plan = plan_loops(op)
    return goes_by_rows(op) and not plan.in_memory and _lie_along_rows(op, plan)


def _lie_along_rows(op: Iteration, plan: LoopPlan) -> bool:
    """Return whether `op` folds for each row, and what it reads of rows lies side by side."""
    if plan.parallel != 1 or len(op.extents) == 1 or op.kind != "fold":
        return False
    return not any(_jumps(axes, 0) for axes in plan.inputs)


def _plain_loops(op: Iteration, inputs: list[list[LinearIndex]]) -> LoopPlan:
    rank = len(op.extents)
    parallel = op.parallel
    split = 0 if rank and op.kind != "scatter" else None
    order, unrolled = list(range(rank)), dict[int, int]()
    if op.kind == "map" and not all(picks_dimensions(map.data) for map in op.indexing_maps):
        unrolled = _few_points(op, order, None)
    return LoopPlan(inputs, parallel, order, False, split, unrolled=unrolled, plain=True)


def _few_points(op: Iteration, order: Sequence[int], domain: Domain | None) -> dict[int, int]:
    """The innermost dimensions that have few points, and how many; not all of them.

    Cut in three, a loop along them would have no middle to speak of. One with a bound of its own
    is cut all the same; one in a sum with others, as in `2 * %i + %p < %n`, leaves that to these.
    """
    bounds = domain.bounds if domain is not None else []
    bounded = {bound.dimension for bound in bounds}
    found: dict[int, int] = {}
    points = 1
    for d in reversed(order[1:]):
        size = constant_value(op.extents[d])
        if not isinstance(size, int) or d in bounded or not 0 < size * points <= _MOST_UNROLLED:
            break
        found[d] = size
        points *= size
    return found


def _with_few_inside(
    op: Iteration,
    order: Sequence[int],
    inputs: Sequence[Sequence[LinearIndex]],
    domain: Domain | None,
    unrolled: dict[int, int],
) -> list[int]:
    """Return `order` with further dimensions of few points inside, which `unrolled` gets as well.

    These are the dimensions beside those in it that most reads do not vary with, so that what is
    loaded for one of the points is there for the others:

        %A[d0], %A[d0 - 1] by (d0 < n, d1 < 2, d2 < m, d3 < 2)  =>  d0, d2 outside, d1, d3 inside
    """
    bounded = {bound.dimension for bound in domain.bounds} if domain is not None else set[int]()
    points = prod(unrolled.values())
    moved: list[int] = []
    for d in reversed(order[1:]) if unrolled else ():
        size = constant_value(op.extents[d])
        if d in unrolled or d in bounded or not isinstance(size, int):
            continue
        reads = [[axis for axis in axes if d in axis.dimensions] for axes in inputs]
        turned = any(axis.period is not None for axes in reads for axis in axes)
        if turned or 2 * sum(map(bool, reads)) >= len(reads):
            continue
        if 0 < size * points <= _MOST_UNROLLED:
            moved.insert(0, d)
            points *= size
    unrolled.update((d, cast("int", constant_value(op.extents[d]))) for d in moved)
    outside = [d for d in order if d not in unrolled]
    return [*outside, *moved, *(d for d in order if d in unrolled and d not in moved)]


def _jumps(axes: Sequence[LinearIndex], d: int) -> bool:
    """Return whether neighbours along `d` are not neighbours in an input read at `axes`."""
    factors = [axis.factor(d) for axis in axes]
    return any(factors[:-1]) or (bool(factors) and abs(factors[-1]) > 1)
