"""Checks the declarations of regions.

region Tri = R where (i,j) => abs(i-j) < 2   ->   IndexSet("Tri", …, Filtered(R, …), sparse)
"""

from __future__ import annotations

from abc import ABC

from diablo.diagnostics import Span
from diablo.frontend.checking.check_region_expressions import RegionExpressionChecker
from diablo.frontend.checking.index_sets import (
    Alias,
    Bounds,
    Box,
    Combined,
    Filtered,
    IndexSet,
    Listed,
    Making,
    Open,
    Patterned,
    Shifted,
)
from diablo.frontend.checking.quantities import quantity
from diablo.frontend.checking.scope import did_you_mean
from diablo.frontend.checking.types import (
    BOOLEAN,
    INT,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ListType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
)
from diablo.frontend.parsing import statements, syntax

_SHAPE = "a region is made of ranges, (0..n-1, 0..m-1), or of other regions"


class RegionChecker(RegionExpressionChecker, ABC):
    """The part of the checker that knows declarations of regions."""

    # --- Declarations ----------------------------------------------------------------------

    def check_region(self, statement: statements.RegionDef) -> None:
        """Check and declare a region."""
        name = statement.name.name
        if self.loops:
            message = "a region cannot be declared inside a `for`"
            self.error(statement.span, message, "declare it before the loop")
        region = self._base(statement.base, name)
        for word, expr in statement.clauses:
            if region is not None:
                region = self._clause(region, word, expr, name)
        if region is None:
            self.declare(statement.name, "region", UNKNOWN)
            return
        if not statement.clauses and region.named:
            region = self.make_region(
                name, statement.span, region.bounds, Alias(region), region.sparse
            )
        region.name, region.named = name, True
        depend(region, f"`{name}` is made of it", statement.span)
        symbol = self.declare(statement.name, "region", ArrayType(BOOLEAN, region.rank))
        symbol.region = region

    def _base(self, expr: syntax.Expr, name: str) -> IndexSet | None:
        known = len(self.errors)
        if isinstance(expr, syntax.Range | syntax.Wildcard):
            return self.make_box(expr.span, [expr], name)
        if isinstance(expr, syntax.TupleExpr):
            return self.make_box(expr.span, expr.items, name)
        region = self.region_of(expr)
        if region is None and len(self.errors) == known:
            self._no_region(expr)
        return region

    def _no_region(self, expr: syntax.Expr) -> None:
        if not isinstance(expr, syntax.Name):
            self.error(expr.span, "this is no region", _SHAPE)
            return
        symbol = self.scope.find(expr.name)
        if symbol is not None:
            if not has_unknown(symbol.type):
                message = f"`{expr.name}` is no region, it is {symbol.type}"
                self.error(expr.span, message, _SHAPE)
            return
        later = self.declared_later(expr.name)
        if later is not None:
            self.error(expr.span, f"the region `{expr.name}` is not declared yet", later)
            return
        regions = [s.name for scope in self.scope for s in scope.symbols.values() if s.region]
        hint = did_you_mean(expr.name, regions) or f"declare it: region {expr.name} = (0..n-1);"
        self.error(expr.span, f"there is no region `{expr.name}`", hint)

    def wanted_region(self, expr: syntax.Expr) -> IndexSet | None:
        """The region that an expression must stand for; anything else is reported."""
        return self.region_of(expr) if isinstance(expr, syntax.RegionExpr) else self._base(expr, "")

    def region_of_clauses(self, expr: syntax.RegionExpr) -> IndexSet | None:
        """The region that clauses make of another one; anything wrong is reported."""
        name = self.text_of(expr.span)
        region = self._base(expr.base, name)
        for word, clause in expr.clauses:
            if word == "where" and isinstance(clause, syntax.Wildcard) and clause.text == "?":
                hint = "declare it: region S = R where ?;"
                self.error(clause.span, "a region that the program fills needs a name", hint)
                return None
            if region is not None:
                region = self._clause(region, word, clause, name)
        return region

    # --- Clauses ---------------------------------------------------------------------------

    def _clause(self, base: IndexSet, word: str, expr: syntax.Expr, name: str) -> IndexSet | None:
        if word == "where":
            return self._where(base, expr, name)
        items: list[syntax.Expr] = [expr]
        if isinstance(expr, syntax.TupleExpr):
            items = expr.items
        for item in items:
            self.check_int(item, f"what stands behind `{word}`")
        if len(items) != base.rank:
            dimensions = quantity(base.rank, "dimension")
            message = f"the region has {dimensions}, and `{word}` gives {len(items)}"
            self.error(expr.span, message)
            return None
        if word == "at":
            amounts = [self.linear(item) for item in items]
            bounds = [b and b.shifted(a) for b, a in zip(base.bounds, amounts, strict=True)]
            made = Shifted(base, items, amounts)
            return self.make_region(name, expr.span, bounds, made, base.sparse)
        return self.strided(base, expr.span, items, name)

    def _where(self, base: IndexSet, expr: syntax.Expr, name: str) -> IndexSet | None:
        if base.has_flood:
            self.refuse_flood(expr.span, base)
            return None
        made = self.pattern_of(base, expr)
        if made is None:
            return None
        if isinstance(made, IndexSet):
            return self.combine_regions(expr.span, "&&", base, made)
        bounds = [b and Bounds(b.lower, b.upper) for b in base.bounds]
        return self.make_region(name, expr.span, bounds, made, sparse=True)

    def pattern_of(self, base: IndexSet, expr: syntax.Expr) -> Making | IndexSet | None:
        """What `where expr` chooses of `base`: by a predicate, an array, a list or a region."""
        if isinstance(expr, syntax.Wildcard):
            if expr.text == "?":
                return Open(base)
            self.error(expr.span, "`*` is a dimension of a region, and chooses no indices")
            return None
        if isinstance(expr, syntax.Call) and expr.function == "read" and not expr.method:
            return self._read(base, expr)
        region = self.region_of(expr)
        if region is not None:
            return region
        known = len(self.errors)
        predicate = FunctionType((INT,) * base.rank, BOOLEAN)
        names_function = isinstance(expr, syntax.Name) and self.scope.find(expr.name) is None
        if names_function or isinstance(expr, syntax.Lambda):
            type = self.check(expr, predicate)
            return Filtered(base, expr) if len(self.errors) == known else None
        type = self.check(expr)
        if isinstance(type, UnknownType) or len(self.errors) > known:
            return None
        index: Type = INT if base.rank == 1 else TupleType((INT,) * base.rank)
        if isinstance(type, ListType) and fits(type.element, index):
            return Listed(base, expr)
        if type == ArrayType(BOOLEAN, base.rank):
            return Patterned(base, expr)
        letters = ",".join("ijklmn"[: base.rank])
        hint = f"write a predicate: ({letters}) => …" if base.rank > 1 else "write i => …"
        if isinstance(type, ArrayType) and type.element == BOOLEAN:
            message = (
                f"the region has {quantity(base.rank, 'dimension')}, and this pattern {type.rank}"
            )
            self.error(expr.span, message)
            return None
        message = (
            f"`where` takes a predicate, an {ArrayType(BOOLEAN, base.rank)}, a list of indices, "
            f"a region or `?`, not {type}"
        )
        self.error(expr.span, message.replace("an matrix", "a matrix"), hint)
        return None

    def _read(self, base: IndexSet, expr: syntax.Call) -> Making | None:
        """`read("pattern.mtx")`: an input whose value is a file."""
        path = expr.arguments[0] if len(expr.arguments) == 1 else None
        if not isinstance(path, syntax.Literal) or not isinstance(path.value, str):
            hint = 'write it out: read("pattern.mtx")'
            self.error(expr.span, "`read` takes the path of a file as a string", hint)
            return None
        type = ArrayType(BOOLEAN, base.rank)
        known = self.checked.files.setdefault(path.value, type)
        if known != type:
            self.error(expr.span, f"this file is already read as a {known}")
            return None
        self.checked.types[expr] = type
        return Patterned(base, expr)


def depend(region: IndexSet, what: str, span: Span) -> None:
    """Note that a declaration depends on the indices of all open regions in `region`."""
    made = region.made
    parts: list[IndexSet] = []
    if isinstance(made, Combined):
        parts = [made.lhs, made.rhs]
    elif not isinstance(made, Box):
        parts = [made.base]
    for part in parts:
        if part.is_open and part.fixed_by is None:
            part.fixed_by = what, span
        depend(part, what, span)
