"""Checks the declarations of regions.

region Tri = R where (i,j) => abs(i-j) < 2   ->   IndexSet("Tri", …, Filtered(R, …), sparse)
"""

from __future__ import annotations

from diablo.diagnostics import Span, quantity, with_article
from diablo.frontend.checking.check_operators import check_int
from diablo.frontend.checking.check_region_expressions import (
    combine_regions,
    linear,
    make_box,
    make_region,
    refuse_flood,
    sliced_region,
    strided,
)
from diablo.frontend.checking.checker import Checker
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
    is_slice,
)
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
from diablo.frontend.parsing.tree_walk import walk


def region_of(checker: Checker, expr: syntax.Expr) -> IndexSet | None:
    """The region that an expression stands for, if it is one."""
    if expr not in checker.checked.regions or _is_bound_anew(checker, expr):
        region = _region_of(checker, expr)
        if region is None:
            return None
        checker.checked.regions[expr] = region
    return checker.checked.regions[expr]


def _is_bound_anew(checker: Checker, expr: syntax.Expr) -> bool:
    """Return whether a name in `expr` is another variable than when it was checked before.

    An expression that is checked twice, for its type and with the type that is wanted, declares
    its variables twice.
    """
    for name in walk(expr):
        if isinstance(name, syntax.Name) and name in checker.checked.symbols:
            symbol = checker.scope.find(name.name)
            if symbol is not None and symbol is not checker.checked.symbols[name]:
                return True
    return False


def _region_of(checker: Checker, expr: syntax.Expr) -> IndexSet | None:
    match expr:
        case syntax.Name():
            symbol = checker.scope.find(expr.name)
            if symbol is None or symbol.kind != "region":
                return None
            symbol.use()
            checker.checked.symbols[expr] = symbol
            return symbol.region
        case syntax.TupleExpr() if all(isinstance(i, syntax.Range) for i in expr.items):
            return make_box(checker, expr.span, expr.items, "")
        case syntax.Binary(op="&&" | "||" | "-"):
            lhs = checker.region_of(expr.lhs)
            rhs = checker.region_of(expr.rhs) if lhs is not None else None
            if lhs is None or rhs is None:
                return None
            return combine_regions(checker, expr.span, expr.op, lhs, rhs)
        case syntax.RegionExpr():
            return region_of_clauses(checker, expr)
        case syntax.Index() if any(map(is_slice, expr.indices)):
            base = checker.region_of(expr.base)
            return None if base is None else sliced_region(checker, expr, base)
        case _:
            return None


_SHAPE = "a region is made of ranges, (0..n-1, 0..m-1), or of other regions"


def check_region(checker: Checker, statement: statements.RegionDef) -> None:
    """Check and declare a region."""
    name = statement.name.name
    if checker.loops:
        message = "a region cannot be declared inside a `for`"
        checker.error(statement.span, message, "declare it before the loop")
    region = _base(checker, statement.base, name)
    for word, expr in statement.clauses:
        if region is not None:
            region = _clause(checker, region, word, expr, name)
    if region is None:
        checker.declare(statement.name, "region", UNKNOWN)
        return
    if not statement.clauses and region.named:
        region = make_region(
            checker, name, statement.span, region.bounds, Alias(region), region.sparse
        )
    region.name, region.named = name, True
    depend(region, f"`{name}` is made of it", statement.span)
    symbol = checker.declare(statement.name, "region", ArrayType(BOOLEAN, region.rank))
    symbol.region = region


def _base(checker: Checker, expr: syntax.Expr, name: str) -> IndexSet | None:
    known = len(checker.errors)
    if isinstance(expr, syntax.Range | syntax.Wildcard):
        return make_box(checker, expr.span, [expr], name)
    if isinstance(expr, syntax.TupleExpr):
        return make_box(checker, expr.span, expr.items, name)
    region = checker.region_of(expr)
    if region is None and len(checker.errors) == known:
        _no_region(checker, expr)
    return region


def _no_region(checker: Checker, expr: syntax.Expr) -> None:
    if not isinstance(expr, syntax.Name):
        checker.error(expr.span, "this is no region", _SHAPE)
        return
    symbol = checker.scope.find(expr.name)
    if symbol is not None:
        if not has_unknown(symbol.type):
            message = f"`{expr.name}` is no region, it is {symbol.type}"
            checker.error(expr.span, message, _SHAPE)
        return
    later = checker.declared_later(expr.name)
    if later is not None:
        checker.error(expr.span, f"the region `{expr.name}` is not declared yet", later)
        return
    regions = [s.name for scope in checker.scope for s in scope.symbols.values() if s.region]
    hint = did_you_mean(expr.name, regions) or f"declare it: region {expr.name} = (0..n-1);"
    checker.error(expr.span, f"there is no region `{expr.name}`", hint)


def wanted_region(checker: Checker, expr: syntax.Expr) -> IndexSet | None:
    """The region that an expression must stand for; anything else is reported."""
    return (
        checker.region_of(expr) if isinstance(expr, syntax.RegionExpr) else _base(checker, expr, "")
    )


def region_of_clauses(checker: Checker, expr: syntax.RegionExpr) -> IndexSet | None:
    """The region that clauses make of another one; anything wrong is reported."""
    name = checker.text_of(expr.span)
    region = _base(checker, expr.base, name)
    for word, clause in expr.clauses:
        if word == "where" and isinstance(clause, syntax.Wildcard) and clause.text == "?":
            hint = "declare it: region S = R where ?;"
            checker.error(clause.span, "a region that the program fills needs a name", hint)
            return None
        if region is not None:
            region = _clause(checker, region, word, clause, name)
    return region


def _clause(
    checker: Checker, base: IndexSet, word: str, expr: syntax.Expr, name: str
) -> IndexSet | None:
    if word == "where":
        return _where(checker, base, expr, name)
    items: list[syntax.Expr] = [expr]
    if isinstance(expr, syntax.TupleExpr):
        items = expr.items
    for item in items:
        check_int(checker, item, f"what stands behind `{word}`")
    if len(items) != base.rank:
        dimensions = quantity(base.rank, "dimension")
        message = f"the region has {dimensions}, and `{word}` gives {len(items)}"
        checker.error(expr.span, message)
        return None
    if word == "at":
        amounts = [linear(checker, item) for item in items]
        bounds = [b and b.shifted(a) for b, a in zip(base.bounds, amounts, strict=True)]
        made = Shifted(base, items, amounts)
        return make_region(checker, name, expr.span, bounds, made, base.sparse)
    return strided(checker, base, expr.span, items, name)


def _where(checker: Checker, base: IndexSet, expr: syntax.Expr, name: str) -> IndexSet | None:
    if base.has_flood:
        refuse_flood(checker, expr.span, base)
        return None
    made = pattern_of(checker, base, expr)
    if made is None:
        return None
    if isinstance(made, IndexSet):
        return combine_regions(checker, expr.span, "&&", base, made)
    bounds = [b and Bounds(b.lower, b.upper) for b in base.bounds]
    return make_region(checker, name, expr.span, bounds, made, sparse=True)


def pattern_of(checker: Checker, base: IndexSet, expr: syntax.Expr) -> Making | IndexSet | None:
    """Return what `where expr` chooses of `base`: by a predicate, an array, a list or a region."""
    if isinstance(expr, syntax.Wildcard):
        if expr.text == "?":
            return Open(base)
        checker.error(expr.span, "`*` is a dimension of a region, and chooses no indices")
        return None
    if isinstance(expr, syntax.Call) and expr.function == "read" and not expr.method:
        return _read(checker, base, expr)
    region = checker.region_of(expr)
    if region is not None:
        return region
    known = len(checker.errors)
    predicate = FunctionType((INT,) * base.rank, BOOLEAN)
    names_function = isinstance(expr, syntax.Name) and checker.scope.find(expr.name) is None
    if names_function or isinstance(expr, syntax.Lambda):
        type = checker.check(expr, predicate)
        return Filtered(base, expr) if len(checker.errors) == known else None
    type = checker.check(expr)
    if isinstance(type, UnknownType) or len(checker.errors) > known:
        return None
    index: Type = INT if base.rank == 1 else TupleType((INT,) * base.rank)
    if isinstance(type, ListType) and fits(type.element, index):
        return Listed(base, expr)
    if type == ArrayType(BOOLEAN, base.rank):
        return Patterned(base, expr)
    letters = ",".join("ijklmn"[: base.rank])
    hint = f"write a predicate: ({letters}) => …" if base.rank > 1 else "write i => …"
    if isinstance(type, ArrayType) and type.element == BOOLEAN:
        message = f"the region has {quantity(base.rank, 'dimension')}, and this pattern {type.rank}"
        checker.error(expr.span, message)
        return None
    message = (
        f"`where` takes a predicate, {with_article(ArrayType(BOOLEAN, base.rank))}, "
        f"a list of indices, a region or `?`, not {type}"
    )
    checker.error(expr.span, message, hint)
    return None


def _read(checker: Checker, base: IndexSet, expr: syntax.Call) -> Making | None:
    """`read("pattern.mtx")`: an input whose value is a file."""
    path = expr.arguments[0] if len(expr.arguments) == 1 else None
    if not isinstance(path, syntax.Literal) or not isinstance(path.value, str):
        hint = 'write it out: read("pattern.mtx")'
        checker.error(expr.span, "`read` takes the path of a file as a string", hint)
        return None
    type = ArrayType(BOOLEAN, base.rank)
    known = checker.checked.files.setdefault(path.value, type)
    if known != type:
        checker.error(expr.span, f"this file is already read as a {known}")
        return None
    checker.checked.types[expr] = type
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
