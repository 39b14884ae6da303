"""Folds in lanes: several side by side, since each step of one waits for the step before.

    for i in begin..end: acc = op(acc, f(i))
=>
    for i in begin..middle by 8: acc0 = op(acc0, f(i)); acc1 = op(acc1, f(i + 1)); …
    acc = op(op(acc0, acc1), …)
    for i in middle..end: acc = op(acc, f(i))

Where there are few indices, the last loop does all. LLVM makes vectors of the lanes. It does that
by itself for a built-in monoid, but knows nothing of one that a program defines. Of such a monoid
a program may count on that values are joined in the order of the source, as it does if of equal
ones the first is kept. Then each lane has a part of the points that lie together,

    for i in begin..begin + size/4: acc0 = op(acc0, f(i)); acc1 = op(acc1, f(i + size/4)); …

which leaves that order as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.lowering.llvm.loop_ops import HasLocation, append, append_constant
from diablo.lowering.llvm.tuple_parts import Parts

LANES = 8
"""How many folds run side by side: one vector of doubles of a wide processor, or two."""
LANES_IN_ORDER = 4
"""As many if each goes through a part of its own: of more, LLVM gathers vectors from afar."""
FEWEST_ROUNDS = 4
"""How often a lane has to go round at least: below, to join the lanes costs more than they save."""
MOST_CARRIED = 40
"""How many values a loop carries at most, before registers run out."""

Step = Callable[[Block, SSAValue, Parts], Parts]
"""Writes what is done at an index, given the values that are carried; returns these afterwards."""
Join = Callable[[Block, Parts, Parts], Parts]
"""Writes how two folds become one."""


def lanes_for(width: int, *, in_order: bool) -> int:
    """Return how many lanes there are for folds of so many values in all; 1 if they do not pay."""
    lanes = LANES_IN_ORDER if in_order else LANES
    while lanes * width > MOST_CARRIED:
        lanes //= 2
    return max(lanes, 1)


def fold_in_lanes(
    block: Block,
    source: HasLocation,
    bounds: tuple[SSAValue, SSAValue],
    carried: Parts,
    neutral: Parts,
    step: Step,
    join: Join,
    *,
    in_order: bool,
) -> tuple[Parts, SSAValue]:
    """Append the loop over most of the indices within `bounds`.

    Parameters
    ----------
    carried : what is folded so far
    neutral : what the other lanes begin with
    in_order : whether values are joined in the order of the indices

    Returns
    -------
    what is folded then, and the index from which on the rest is left to be done
    """
    begin, end = bounds
    width = len(carried)
    count = lanes_for(width, in_order=in_order)

    def add(op: Operation, into: Block = block) -> SSAValue:
        return append(into, op, source).results[0]

    size = add(arith.SubiOp(end, begin))
    test = add(arith.CmpiOp(size, _constant(block, count * FEWEST_ROUNDS, "few"), "sge"))
    then, otherwise = Block(), Block()
    otherwise.add_op(scf.YieldOp(*carried, begin))
    lanes = _constant(then, count, "lanes")
    share = add(arith.DivUIOp(size, lanes), then)
    middle = add(arith.AddiOp(begin, add(arith.MuliOp(share, lanes), then)), then)
    last, by = middle, lanes
    if in_order:
        last, by = add(arith.AddiOp(begin, share), then), append_constant(then, 1)
    starts = [*carried, *list(neutral) * (count - 1)]
    inner = Block(arg_types=[IndexType(), *[value.type for value in starts]])
    for argument in inner.args:
        argument.name_hint = "acc"
    index: SSAValue = inner.args[0]
    index.name_hint = "lane"
    totals: list[SSAValue] = []
    for lane in range(count):
        if lane:
            further = share if in_order else append_constant(inner, 1)
            index = add(arith.AddiOp(index, further), inner)
        held = inner.args[1 + lane * width : 1 + (lane + 1) * width]
        totals += step(inner, index, held)
    inner.add_op(scf.YieldOp(*totals))
    results = list(append(then, scf.ForOp(begin, last, by, starts, inner), source).results)
    folded: Parts = results[:width]
    for lane in range(1, count):
        folded = join(then, folded, results[lane * width : (lane + 1) * width])
    then.add_op(scf.YieldOp(*folded, middle))
    types = [*[value.type for value in carried], IndexType()]
    choice = append(block, scf.IfOp(test, types, Region(then), Region(otherwise)), source)
    *parts, rest = choice.results
    return parts, rest


def _constant(block: Block, value: int, hint: str) -> SSAValue:
    constant = append_constant(block, value)
    constant.name_hint = hint
    return constant


def joined_apart(joins: Sequence[tuple[int, Join]]) -> Join:
    """Return how folds of so many values each, one after the other, are joined."""

    def join(block: Block, left: Parts, right: Parts) -> Parts:
        parts: list[SSAValue] = []
        for width, own in joins:
            first = len(parts)
            parts += own(block, left[first : first + width], right[first : first + width])
        return parts

    return join
