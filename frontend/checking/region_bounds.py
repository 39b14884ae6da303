"""The bounds of regions that are made of others, as far as they are known.

(0..n-1) && (1..n)   ->   1..n-1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from diablo.frontend.checking.index_sets import Bounds, IndexSet, Linear, unknown
from diablo.frontend.parsing import syntax


def strided_bounds(bounds: Sequence[Bounds | None], steps: Sequence[Linear]) -> list[Bounds | None]:
    """The bounds of a dense region of which every step-th index is taken."""
    result: list[Bounds | None] = []
    for bound, step in zip(bounds, steps, strict=True):
        if bound is None:
            result.append(None)
            continue
        number = bound.step.number
        strided = step * number if number is not None else unknown()
        result.append(Bounds(bound.lower, bound.upper, strided))
    return result


def sliced_bounds(
    bounds: Sequence[Bounds | None],
    parts: Sequence[syntax.Expr | syntax.Slice],
    linear: Callable[[syntax.Expr], Linear],
) -> list[Bounds | None]:
    """The bounds of a slice; an index drops its dimension."""
    result: list[Bounds | None] = []
    for bound, part in zip(bounds, parts, strict=True):
        if isinstance(part, syntax.Wildcard):
            result.append(bound)
        elif isinstance(part, syntax.Slice) and bound is not None:
            lower, upper = bound.lower, bound.upper
            if part.start is not None:
                lower = _extreme(lower, linear(part.start), largest=True)
            if part.stop is not None:
                upper = _extreme(upper, linear(part.stop) - 1, largest=False)
            result.append(Bounds(lower, upper))
    return result


def combined_bounds(op: str, lhs: IndexSet, rhs: IndexSet) -> tuple[list[Bounds | None], bool]:
    """The bounds of an intersection, union or difference, and whether all indices are in it."""
    dense = op == "&&" and not (lhs.sparse or rhs.sparse)
    result: list[Bounds | None] = []
    for left, right in zip(lhs.bounds, rhs.bounds, strict=True):
        assert left is not None
        assert right is not None
        dense = dense and left.step.number == 1 == right.step.number
        if op == "-" or (op == "&&" and lhs.sparse):
            bound = left
        elif op == "&&" and rhs.sparse:
            bound = right
        else:
            largest = op == "&&"
            lower = _extreme(left.lower, right.lower, largest=largest)
            upper = _extreme(left.upper, right.upper, largest=not largest)
            bound = Bounds(lower, upper)
        result.append(bound)
    if not dense:
        result = [bound and Bounds(bound.lower, bound.upper) for bound in result]
    return result, dense


def _extreme(first: Linear, second: Linear, *, largest: bool) -> Linear:
    """The larger or smaller of two, where that is known."""
    difference = (first - second).number
    if difference is None:
        return unknown()
    return first if (difference >= 0) == largest else second
