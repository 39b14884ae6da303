"""Whether all that an op reads at a point lies inside its inputs: one test, and no other behind it.

    %A[(d0 + 1) mod s0, d1 - 1] and %A[(d0 - 1) mod s0, d1 + 1] at %i, %j
  =>
    %i >= 0  and  %i < period  and  %j - 1 >= 0  and  %j + 1 < columns of %A

An index that is less than a turn away from one inside takes no test of its own: it is chosen
(`wrapped_places.py`), as threads at the edges would all be waited for that did something else.

It is for threads, each of which is at a point of its own; a processor cuts the loop along a row
instead (inner_ranges.py).
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith, memref
from xdsl.ir import Block, SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices, picks_dimensions
from diablo.lowering.llvm.inner_ranges import all_of
from diablo.lowering.llvm.loop_points import Points
from diablo.lowering.llvm.wrapped_places import Indices, add, constant, is_near, linear_value


def inner_test(block: Block, points: Points, indices: Indices) -> SSAValue | None:
    """Append whether all is inside, at all points that are written out; None if that is known."""
    limits: dict[tuple[SSAValue, int], SSAValue] = {}
    bounds: dict[tuple[LinearIndex, SSAValue], list[int]] = {}
    turns: dict[SSAValue, int] = {}
    op = points.op
    for number, (value, map) in enumerate(zip(op.inputs, op.indexing_maps, strict=True)):
        if picks_dimensions(map.data):
            continue
        array = points.buffers(value)[0]
        for axis, index in enumerate(linear_indices(map.data)):
            if index.period is not None:
                if (number, axis) in points.wrapped.settled:
                    continue
                limit = points.wrapped.period((number, axis))
                if points.is_turned(index):
                    bounds.setdefault((index.sum.without_constant, limit), []).append(0)
                    turns[limit] = max(turns.get(limit, 1), abs(index.constant))
                    continue
            else:
                if (array, axis) not in limits:
                    size = memref.DimOp(array, constant(block, axis))
                    limits[array, axis] = add(block, size)
                limit = limits[array, axis]
            base, shifts = _written_out(index.sum, points.plan.unrolled, indices)
            bounds.setdefault((base, limit), []).extend(shifts)
    # What is inside one place is at least as long.
    tests = [
        add(block, arith.CmpiOp(constant(block, turn), limit, "sle"))
        for limit, turn in turns.items()
        if turn > 1
    ]
    for (index, limit), shifts in bounds.items():
        near = is_near(index, shifts)
        places = [
            linear_value(block, index + shift, indices, points.wrapped.symbols)
            for shift in sorted({min(shifts), max(shifts)} if near else set(shifts))
        ]
        lows, highs = (places[:1], places[-1:]) if near else (places, places)
        zero = constant(block, 0)
        tests += [add(block, arith.CmpiOp(place, zero, "sge")) for place in lows]
        tests += [add(block, arith.CmpiOp(place, limit, "slt")) for place in highs]
    return all_of(block, tests) if tests else None


def _written_out(
    index: LinearIndex, unrolled: Mapping[int, int], indices: Indices
) -> tuple[LinearIndex, list[int]]:
    """Return an index without dimensions whose points are written out, and what it is then."""
    base, shifts = index.without_constant, [index.constant]
    for d in [d for d in index.dimensions if d not in indices]:
        steps = [index.factor(d) * number for number in range(unrolled[d])]
        base, shifts = base.without(d), [shift + step for shift in shifts for step in steps]
    return base, shifts
