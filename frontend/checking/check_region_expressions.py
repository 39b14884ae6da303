"""Checks expressions that stand for regions, and what is known of their bounds.

R1 && R2   ->   IndexSet("R1 && R2", bounds in both, Combined("&&", R1, R2))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from diablo.diagnostics import Span
from diablo.frontend.checking.check_operators import OperatorChecker
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import (
    Alias,
    Bounds,
    Box,
    Combined,
    IndexSet,
    Making,
    Sliced,
    Strided,
    is_slice,
)
from diablo.frontend.checking.linear import Linear
from diablo.frontend.checking.quantities import quantity
from diablo.frontend.checking.region_bounds import combined_bounds, sliced_bounds, strided_bounds
from diablo.frontend.parsing import syntax


class RegionExpressionChecker(OperatorChecker, ABC):
    """The part of the checker that knows expressions that stand for regions."""

    def __init__(self) -> None:
        super().__init__()
        # The lines of the program, to name a region that has no name.
        self.lines: Sequence[str] = ()

    def text_of(self, span: Span) -> str:
        """The text of the program in a span of one line."""
        if span.line > len(self.lines):
            return "…"
        return self.lines[span.line - 1][span.column - 1 : span.end_column - 1]

    @abstractmethod
    def region_of_clauses(self, expr: syntax.RegionExpr) -> IndexSet | None:
        """The region that clauses make of another one; anything wrong is reported."""

    # --- Expressions -----------------------------------------------------------------------

    def region_of(self, expr: syntax.Expr) -> IndexSet | None:
        """The region that an expression stands for, if it is one."""
        if expr not in self.checked.regions:
            region = self._region_of(expr)
            if region is None:
                return None
            self.checked.regions[expr] = region
        return self.checked.regions[expr]

    def _region_of(self, expr: syntax.Expr) -> IndexSet | None:
        match expr:
            case syntax.Name():
                symbol = self.scope.find(expr.name)
                if symbol is None or symbol.kind != "region":
                    return None
                symbol.use()
                self.checked.symbols[expr] = symbol
                return symbol.region
            case syntax.TupleExpr() if all(isinstance(i, syntax.Range) for i in expr.items):
                return self.make_box(expr.span, expr.items, "")
            case syntax.Binary(op="&&" | "||" | "-"):
                lhs = self.region_of(expr.lhs)
                rhs = self.region_of(expr.rhs) if lhs is not None else None
                if lhs is None or rhs is None:
                    return None
                return self.combine_regions(expr.span, expr.op, lhs, rhs)
            case syntax.RegionExpr():
                return self.region_of_clauses(expr)
            case syntax.Index() if any(map(is_slice, expr.indices)):
                base = self.region_of(expr.base)
                return None if base is None else self._slice(expr, base)
            case _:
                return None

    def make_region(
        self,
        name: str,
        span: Span,
        bounds: Sequence[Bounds | None],
        made: Making,
        sparse: bool,
    ) -> IndexSet:
        """A region that has no name of its own yet."""
        return IndexSet(name, span, tuple(bounds), made, sparse, named=False)

    def make_box(self, span: Span, items: Sequence[syntax.Expr], name: str) -> IndexSet | None:
        """The region of the ranges `items`; anything wrong is reported."""
        ranges: list[syntax.Range | None] = []
        bounds: list[Bounds | None] = []
        for item in items:
            if isinstance(item, syntax.Wildcard) and item.text == "*":
                ranges.append(None)
                bounds.append(None)
            elif isinstance(item, syntax.Range):
                self.check_int(item.lower, "the lower bound of a region")
                self.check_int(item.upper, "the upper bound of a region")
                ranges.append(item)
                bounds.append(Bounds(self.linear(item.lower), self.linear(item.upper)))
            else:
                message = "a dimension of a region is a range, or `*`"
                self.error(item.span, message, "write for example 0..n-1")
                return None
        if not any(ranges):
            self.error(span, "a region needs a dimension other than `*`")
            return None
        return self.make_region(name or self.text_of(span), span, bounds, Box(ranges), sparse=False)

    def combine_regions(self, span: Span, op: str, lhs: IndexSet, rhs: IndexSet) -> IndexSet | None:
        """The intersection, union or difference of two regions."""
        if lhs.rank != rhs.rank:
            what = {"&&": "intersection", "||": "union", "-": "difference"}[op]
            dimensions = quantity(lhs.rank, "dimension")
            message = (
                f"the {what} needs regions of one rank, "
                f"and `{lhs.name}` has {dimensions}, `{rhs.name}` {rhs.rank}"
            )
            self.error(span, message)
            return None
        for side in (lhs, rhs):
            if side.has_flood:
                self.refuse_flood(span, side)
                return None
        if op == "||" and is_within(rhs, lhs):
            return self.make_region(lhs.name, span, lhs.bounds, Alias(lhs), lhs.sparse)
        if op == "||" and is_within(lhs, rhs):
            return self.make_region(rhs.name, span, rhs.bounds, Alias(rhs), rhs.sparse)
        bounds, dense = combined_bounds(op, lhs, rhs)
        name = f"{lhs.name} {op} {rhs.name}"
        return self.make_region(name, span, bounds, Combined(op, lhs, rhs), not dense)

    def refuse_flood(self, span: Span, region: IndexSet) -> None:
        """Report that a flood dimension stands where indices are needed."""
        message = f"`{region.name}` has a flood dimension `*`, which has no indices of its own"
        self.error(span, message, "give that dimension a range")

    def _slice(self, expr: syntax.Index, base: IndexSet) -> IndexSet | None:
        if len(expr.indices) != base.rank:
            dimensions = quantity(base.rank, "dimension")
            message = f"`{base.name}` has {dimensions}, not {len(expr.indices)}"
            self.error(expr.span, message)
            return None
        for part, bounds in zip(expr.indices, base.bounds, strict=True):
            if isinstance(part, syntax.Slice):
                for bound in (part.start, part.stop, part.step):
                    if bound is not None:
                        self.check_int(bound, "the bound of a slice")
            elif not isinstance(part, syntax.Wildcard):
                self.check_int(part, "an index")
            whole = isinstance(part, syntax.Wildcard)
            if not whole and bounds is not None and bounds.step != Linear.of(1):
                self.unsupported(part.span, "slices of strided dimensions are")
                return None
            if isinstance(part, syntax.Slice) and bounds is None:
                self.refuse_flood(part.span, base)
                return None
        bounds = sliced_bounds(base.bounds, expr.indices, self.linear)
        name, made = self.text_of(expr.span), Sliced(base, expr.indices)
        sliced = self.make_region(name, expr.span, bounds, made, base.sparse)
        steps = [
            (part.step if isinstance(part, syntax.Slice) else None)
            or syntax.Literal(part.span, "Int", 1)
            for part in expr.indices
            if is_slice(part)
        ]
        if all(constant_of(step) == 1 for step in steps):
            return sliced
        return self.strided(sliced, expr.span, steps, name)

    def strided(
        self, base: IndexSet, span: Span, steps: list[syntax.Expr], name: str
    ) -> IndexSet | None:
        """Every so many-th index of a region in each dimension."""
        for step in steps:
            number = constant_of(step)
            if number is not None and number <= 0:
                self.error(step.span, "the step of a region must be positive")
                return None
        amounts = list(map(self.linear, steps))
        bounds = base.bounds if base.sparse else strided_bounds(base.bounds, amounts)
        return self.make_region(name, span, bounds, Strided(base, steps, amounts), base.sparse)

    # --- Comparable integers ---------------------------------------------------------------

    def linear(self, expr: syntax.Expr) -> Linear:
        """What is known of an Int expression, wherever it is evaluated."""
        constant = constant_of(expr)
        if isinstance(constant, int) and not isinstance(constant, bool):
            return Linear.of(constant)
        match expr:
            case syntax.Name():
                symbol = self.scope.find(expr.name)
                fixed = symbol is not None and expr.name not in self.assigned
                return Linear.unknown(symbol if fixed else None)
            case syntax.Binary(op="+"):
                return self.linear(expr.lhs) + self.linear(expr.rhs)
            case syntax.Binary(op="-"):
                return self.linear(expr.lhs) - self.linear(expr.rhs)
            case syntax.Binary(op="*"):
                lhs, rhs = self.linear(expr.lhs), self.linear(expr.rhs)
                if rhs.number is not None:
                    return lhs.scaled(rhs.number)
                if lhs.number is not None:
                    return rhs.scaled(lhs.number)
                return Linear.unknown(("*", lhs, rhs))
            case syntax.Binary(op="/" | "%"):
                # Unknown, but the same wherever it stands.
                return Linear.unknown((expr.op, self.linear(expr.lhs), self.linear(expr.rhs)))
            case _:
                return Linear.unknown()
