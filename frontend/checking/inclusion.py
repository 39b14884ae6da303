"""Which regions are known to lie within which, whatever the inputs are.

region Diag = Tri where (i,j) => i == j     ->   Diag is within Tri, Tri not within Diag
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.frontend.checking.index_sets import (
    Alias,
    Bounds,
    Box,
    Combined,
    Filtered,
    IndexSet,
    Linear,
    Listed,
    Open,
    Patterned,
    Shifted,
    Sliced,
    Strided,
)

Offsets = Sequence[Linear]


def is_within(inner: IndexSet, outer: IndexSet, offsets: Offsets | None = None) -> bool:
    """Return whether every index of `inner`, moved by `offsets`, is known to be one of `outer`."""
    if inner.rank != outer.rank:
        return False
    zeros = [Linear()] * inner.rank
    return _within(inner, zeros if offsets is None else offsets, outer, zeros)


def _within(inner: IndexSet, moved: Offsets, outer: IndexSet, by: Offsets) -> bool:
    if inner is outer and list(moved) == list(by):
        return True
    if not outer.sparse and _box_within(inner, moved, outer, by):
        return True
    match outer.made:
        case Alias(base):
            return _within(inner, moved, base, by)
        case Shifted(base, _, amounts):
            return _within(inner, moved, base, _sum(by, amounts))
        case Combined("&&", lhs, rhs):
            if _within(inner, moved, lhs, by) and _within(inner, moved, rhs, by):
                return True
        case Combined("||", lhs, rhs):
            if _within(inner, moved, lhs, by) or _within(inner, moved, rhs, by):
                return True
        case Combined("-", lhs, rhs) if isinstance(made := inner.made, Combined) and made.op == "-":
            # What is left of a part, if at least as much is taken off.
            if _within(made.lhs, moved, lhs, by) and _within(rhs, by, made.rhs, moved):
                return True
        case Strided(base, _, amounts) if isinstance(made := inner.made, Strided):
            # The same indices, written twice.
            if made.base is base and made.amounts == amounts and list(moved) == list(by):
                return True
        case _:
            pass
    match inner.made:
        case Shifted(base, _, amounts):
            return _within(base, _sum(moved, amounts), outer, by)
        case Alias(base) | Strided(base) | Filtered(base) | Patterned(base) | Listed(base):
            return _within(base, moved, outer, by)
        case Open(base):
            return _within(base, moved, outer, by)
        case Sliced(base) if base.rank == inner.rank:
            return _within(base, moved, outer, by)
        case Combined("&&", lhs, rhs):
            return _within(lhs, moved, outer, by) or _within(rhs, moved, outer, by)
        case Combined("-", lhs):
            return _within(lhs, moved, outer, by)
        case Combined("||", lhs, rhs):
            return _within(lhs, moved, outer, by) and _within(rhs, moved, outer, by)
        case Box() | Sliced() | Combined():
            return False


def _sum(first: Offsets, second: Offsets) -> list[Linear]:
    return [a + b for a, b in zip(first, second, strict=True)]


def _box_within(inner: IndexSet, moved: Offsets, outer: IndexSet, by: Offsets) -> bool:
    return all(
        into is None or (bounds is not None and bounds_within(bounds.shifted(offset - back), into))
        for bounds, offset, into, back in zip(inner.bounds, moved, outer.bounds, by, strict=True)
    )


def bounds_within(inner: Bounds, outer: Bounds) -> bool:
    """Return whether the indices `inner` are known to be among `outer`."""
    before, after = (inner.lower - outer.lower).number, (outer.upper - inner.upper).number
    if before is None or after is None or before < 0 or after < 0:
        return False
    if outer.step.number == 1:
        return True
    step = outer.step.number
    if step is None:
        return inner.step == outer.step and before == 0
    steps = inner.step.number
    return before % step == 0 and steps is not None and (steps % step == 0 or inner.is_flat)


def bounds_outside(inner: Bounds, outer: Bounds) -> bool:
    """Return whether some index of `inner`, if it has any, is known not to be among `outer`."""
    before, after = (inner.lower - outer.lower).number, (outer.upper - inner.upper).number
    if (before is not None and before < 0) or (after is not None and after < 0):
        return True
    if inner.is_flat or outer.is_flat:
        return not inner.is_flat
    step, steps = outer.step.number, inner.step.number
    return step is not None and steps is not None and steps % step != 0
