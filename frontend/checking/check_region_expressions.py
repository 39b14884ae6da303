"""Checks expressions that stand for regions, and what is known of their bounds.

R1 && R2   ->   IndexSet("R1 && R2", bounds in both, Combined("&&", R1, R2))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from diablo.diagnostics import Span, quantity
from diablo.frontend.checking.check_operators import check_int
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import (
    Alias,
    Bounds,
    Box,
    Combined,
    IndexSet,
    Linear,
    Making,
    Sliced,
    Strided,
    is_slice,
    unknown,
)
from diablo.frontend.checking.region_bounds import combined_bounds, sliced_bounds, strided_bounds
from diablo.frontend.parsing import syntax


def make_region(
    checker: Checker,
    name: str,
    span: Span,
    bounds: Sequence[Bounds | None],
    made: Making,
    sparse: bool,
) -> IndexSet:
    """A region that has no name of its own yet."""
    return IndexSet(name, span, tuple(bounds), made, sparse, named=False)


def make_box(
    checker: Checker, span: Span, items: Sequence[syntax.Expr], name: str
) -> IndexSet | None:
    """The region of the ranges `items`; anything wrong is reported."""
    ranges: list[syntax.Range | None] = []
    bounds: list[Bounds | None] = []
    for item in items:
        if isinstance(item, syntax.Wildcard) and item.text == "*":
            ranges.append(None)
            bounds.append(None)
        elif isinstance(item, syntax.Range):
            check_int(checker, item.lower, "the lower bound of a region")
            check_int(checker, item.upper, "the upper bound of a region")
            ranges.append(item)
            bounds.append(Bounds(linear(checker, item.lower), linear(checker, item.upper)))
        else:
            message = "a dimension of a region is a range, or `*`"
            checker.error(item.span, message, "write for example 0..n-1")
            return None
    if not any(ranges):
        checker.error(span, "a region needs a dimension other than `*`")
        return None
    return make_region(
        checker, name or checker.text_of(span), span, bounds, Box(ranges), sparse=False
    )


def combine_regions(
    checker: Checker, span: Span, op: str, lhs: IndexSet, rhs: IndexSet
) -> IndexSet | None:
    """The intersection, union or difference of two regions."""
    if lhs.rank != rhs.rank:
        what = {"&&": "intersection", "||": "union", "-": "difference"}[op]
        dimensions = quantity(lhs.rank, "dimension")
        message = (
            f"the {what} needs regions of one rank, "
            f"and `{lhs.name}` has {dimensions}, `{rhs.name}` {rhs.rank}"
        )
        checker.error(span, message)
        return None
    for side in (lhs, rhs):
        if side.has_flood:
            refuse_flood(checker, span, side)
            return None
    if op == "||" and is_within(rhs, lhs):
        return make_region(checker, lhs.name, span, lhs.bounds, Alias(lhs), lhs.sparse)
    if op == "||" and is_within(lhs, rhs):
        return make_region(checker, rhs.name, span, rhs.bounds, Alias(rhs), rhs.sparse)
    bounds, dense = combined_bounds(op, lhs, rhs)
    name = f"{lhs.name} {op} {rhs.name}"
    return make_region(checker, name, span, bounds, Combined(op, lhs, rhs), not dense)


def refuse_flood(checker: Checker, span: Span, region: IndexSet) -> None:
    """Report that a flood dimension stands where indices are needed."""
    message = f"`{region.name}` has a flood dimension `*`, which has no indices of its own"
    checker.error(span, message, "give that dimension a range")


def sliced_region(checker: Checker, expr: syntax.Index, base: IndexSet) -> IndexSet | None:
    """The region that the slice of a region is."""
    if len(expr.indices) != base.rank:
        dimensions = quantity(base.rank, "dimension")
        message = f"`{base.name}` has {dimensions}, not {len(expr.indices)}"
        checker.error(expr.span, message)
        return None
    for part, bounds in zip(expr.indices, base.bounds, strict=True):
        if isinstance(part, syntax.Slice):
            for bound in (part.start, part.stop, part.step):
                if bound is not None:
                    check_int(checker, bound, "the bound of a slice")
        elif not isinstance(part, syntax.Wildcard):
            check_int(checker, part, "an index")
        whole = isinstance(part, syntax.Wildcard)
        if not whole and bounds is not None and bounds.step.number != 1:
            checker.unsupported(part.span, "slices of strided dimensions are")
            return None
        if isinstance(part, syntax.Slice) and bounds is None:
            refuse_flood(checker, part.span, base)
            return None
    bounds = sliced_bounds(base.bounds, expr.indices, partial(linear, checker))
    name, made = checker.text_of(expr.span), Sliced(base, expr.indices)
    sliced = make_region(checker, name, expr.span, bounds, made, base.sparse)
    steps = [
        (part.step if isinstance(part, syntax.Slice) else None)
        or syntax.Literal(part.span, "Int", 1)
        for part in expr.indices
        if is_slice(part)
    ]
    if all(constant_of(step) == 1 for step in steps):
        return sliced
    return strided(checker, sliced, expr.span, steps, name)


def strided(
    checker: Checker, base: IndexSet, span: Span, steps: list[syntax.Expr], name: str
) -> IndexSet | None:
    """Every so many-th index of a region in each dimension."""
    for step in steps:
        number = constant_of(step)
        if number is not None and number <= 0:
            checker.error(step.span, "the step of a region must be positive")
            return None
    amounts = list(map(partial(linear, checker), steps))
    bounds = base.bounds if base.sparse else strided_bounds(base.bounds, amounts)
    return make_region(checker, name, span, bounds, Strided(base, steps, amounts), base.sparse)


def linear(checker: Checker, expr: syntax.Expr) -> Linear:
    """Return what is known of an Int expression, wherever it is evaluated."""
    constant = constant_of(expr)
    if isinstance(constant, int) and not isinstance(constant, bool):
        return Linear(constant=constant)
    match expr:
        case syntax.Name():
            symbol = checker.scope.find(expr.name)
            fixed = symbol is not None and expr.name not in checker.assigned
            return unknown(symbol if fixed else None)
        case syntax.Binary(op="+"):
            return linear(checker, expr.lhs) + linear(checker, expr.rhs)
        case syntax.Binary(op="-"):
            return linear(checker, expr.lhs) - linear(checker, expr.rhs)
        case syntax.Binary(op="*"):
            lhs, rhs = linear(checker, expr.lhs), linear(checker, expr.rhs)
            if rhs.number is not None:
                return lhs * rhs.number
            if lhs.number is not None:
                return rhs * lhs.number
            return unknown(("*", lhs, rhs))
        case syntax.Binary(op="/" | "%"):
            # Unknown, but the same wherever it stands.
            return unknown((expr.op, linear(checker, expr.lhs), linear(checker, expr.rhs)))
        case _:
            return unknown()
