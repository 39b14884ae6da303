"""Checks arrays over regions as a whole, and open regions: declarations and assignments.

var A: matrix[Double] over Tri fill 1.0;     A = 2.0*A;     Rd = [ (i,i) | i <- 0..n-1 ];
"""

from __future__ import annotations

from diablo.diagnostics import quantity
from diablo.frontend.checking.check_region_expressions import combine_regions, make_region
from diablo.frontend.checking.check_regions import depend, pattern_of, wanted_region
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import IndexSet, Open
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import (
    UNKNOWN,
    ArrayType,
    ListType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    row_type,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import walk


def check_region_array(
    checker: Checker, statement: statements.Var, over: syntax.Expr, type: Type | None
) -> None:
    """Check and declare `var A: T over R fill v = init`."""
    name = statement.name.name
    region = wanted_region(checker, over)
    assert statement.type is not None
    if checker.loops:
        message = "an array over a region cannot be declared inside a `for`"
        checker.error(statement.span, message, "declare it before the loop")
    if region is None or not isinstance(type, ArrayType):
        if type is not None and not isinstance(type, ArrayType | UnknownType):
            message = f"`{name}` is over a region, and {type} is no array"
            checker.error(statement.type.span, message, "write vector[T], matrix[T], array3[T]")
        checker.declare(statement.name, "variable", UNKNOWN)
        return
    if type.rank != region.rank:
        dimensions = quantity(type.rank, "dimension")
        message = f"{type} has {dimensions}, and the region `{region.name}` {region.rank}"
        checker.error(statement.type.span, message)
        checker.declare(statement.name, "variable", UNKNOWN)
        return
    if statement.fill is not None:
        _check_fill(checker, name, statement.fill, type)
    if statement.init is not None:
        _check_whole_value(checker, name, statement.init, type, region)
    depend_on(region, f"`{name}` is an array over it", statement)
    symbol = checker.declare(statement.name, "variable", type)
    symbol.region = region


def _check_fill(checker: Checker, name: str, fill: syntax.Expr, type: ArrayType) -> None:
    found = checker.check(fill, type.element)
    if not fits(found, type.element):
        message = f"the elements of `{name}` are {type.element}, and this fill value is {found}"
        checker.error(fill.span, message)
    elif not isinstance(type.element, ScalarType | TupleType | RecordType | UnknownType):
        checker.unsupported(fill.span, f"fill values of type {type.element} are")


def _check_whole_value(
    checker: Checker, name: str, value: syntax.Expr, type: ArrayType, region: IndexSet
) -> None:
    """Check a value for all of an array: an array, a list of its elements, or one scalar."""
    known = len(checker.errors)
    flooded = _is_flooded_alike(checker, value, region)
    if flooded:
        checker.parted.add(value)
    found = checker.check(value, type.element)
    if has_unknown(found) or len(checker.errors) > known:
        return
    if flooded and fits(found, type):
        return
    stored = ArrayType(type.element, sum(b is not None for b in region.bounds))
    rows = ListType(row_type(stored))
    if any(fits(found, wanted) for wanted in (stored, rows, type.element)):
        return
    message = f"`{name}` is {type} over {region}, and this is {found}"
    if region.has_flood and found == type:
        checker.error(value.span, message, f"give its values along the other dimensions: {stored}")
        return
    checker.error(value.span, message)


def _is_flooded_alike(checker: Checker, value: syntax.Expr, region: IndexSet) -> bool:
    """Return whether a value is an array whose flood dimensions are those of `region`."""
    symbol = checker.scope.find(value.name) if isinstance(value, syntax.Name) else None
    if symbol is None or symbol.region is None or not region.has_flood:
        return False
    return [b is None for b in symbol.region.bounds] == [b is None for b in region.bounds]


def check_region_assignment(checker: Checker, statement: statements.Assign) -> bool:
    """Check an assignment to all of a region or an array over one; false if it is none."""
    target = statement.target
    symbol = checker.scope.find(target.name) if isinstance(target, syntax.Name) else None
    if symbol is None or symbol.region is None or not isinstance(target, syntax.Name):
        return False
    checker.parted.add(target)
    checker.check(target)
    region = symbol.region
    if symbol.kind == "region":
        _check_open_assignment(checker, statement, target, region)
        return True
    if statement.monoid is not None:
        if region.sparse or region.has_flood:
            _refuse_whole(checker, statement, symbol, region)
            return True
        return False
    type = symbol.type
    if isinstance(type, ArrayType):
        _check_whole_value(checker, symbol.name, statement.value, type, region)
        found = checker.checked.types.get(statement.value)
        if region.sparse and isinstance(found, ArrayType) and type == found:
            _check_patterns(checker, statement, symbol, region)
    return True


def _check_patterns(
    checker: Checker, statement: statements.Assign, symbol: Symbol, region: IndexSet
) -> None:
    """Check that what is assigned to a sparse array is stored within its region."""
    arrays = [
        node
        for node in walk(statement.value)
        if isinstance(node, syntax.Name)
        and isinstance(checker.checked.types.get(node), ArrayType)
        and node in checker.checked.symbols
    ]
    regions = [checker.checked.symbols[array].region for array in arrays]
    simple = isinstance(statement.value, syntax.Name)
    for other in regions:
        if other is None or not is_within(other, region):
            _refuse_whole(checker, statement, symbol, region, other)
            return
        if not simple and other.bounds != region.bounds:
            _refuse_whole(checker, statement, symbol, region, other)
            return
    if not arrays:
        _refuse_whole(checker, statement, symbol, region)


def _refuse_whole(
    checker: Checker,
    statement: statements.Assign,
    symbol: Symbol,
    region: IndexSet,
    other: IndexSet | None = None,
) -> None:
    what = "an array that is over no region" if other is None else f"values over {other}"
    message = f"`{symbol.name}` is over {region}, and this writes {what} to it"
    if statement.monoid is not None:
        message = f"`{symbol.name}` is over {region}, and this writes all of its box"
    letters = ",".join("ijklmn"[: region.rank])
    pattern = f"({letters})" if region.rank > 1 else letters
    op = f"{statement.monoid or ''}="
    hint = f"loop over its region: for {pattern} in {region.name} do {symbol.name}[{letters}] "
    if region.has_flood:
        hint = f"compute the new values and assign them: {symbol.name} = …"
        checker.error(statement.target.span, message, hint)
        return
    note = f"`{symbol.name}` is declared here", symbol.span
    checker.error(statement.target.span, message, f"{hint}{op} …", note=note)


def check_open(checker: Checker, target: syntax.Name, region: IndexSet) -> bool:
    """Check that the indices of a region can be changed here."""
    name = target.name
    if not region.is_open:
        hint = f"declare it to be filled while the program runs: region {name} = … where ?;"
        message = f"the region `{name}` is fixed and cannot be assigned"
        checker.error(target.span, message, hint)
    elif region.fixed_by is not None:
        what, span = region.fixed_by
        message = f"the indices of `{name}` cannot change any more: {what}"
        checker.error(
            target.span,
            message,
            "fill the region before that",
            note=("it is declared here", span),
        )
    else:
        return True
    return False


def _check_open_assignment(
    checker: Checker, statement: statements.Assign, target: syntax.Name, region: IndexSet
) -> None:
    """Check `Rd = e`: e is what may stand behind `where`."""
    if not check_open(checker, target, region):
        return
    assert isinstance(region.made, Open)
    if statement.monoid is not None:
        message = "the indices of a region are assigned, not accumulated"
        checker.error(statement.target.span, message, f"write {target.name} = …")
        return
    base = region.made.base
    made = pattern_of(checker, base, statement.value)
    if isinstance(made, IndexSet):
        made = combine_regions(checker, statement.value.span, "&&", base, made)
        if made is None:
            return
        checker.checked.regions[statement.value] = made
    elif made is not None:
        chosen = make_region(checker, target.name, statement.span, region.bounds, made, True)
        checker.checked.regions[statement.value] = chosen


def depend_on(region: IndexSet, what: str, statement: statements.Var) -> None:
    """Note that a declaration depends on the indices of a region."""
    if region.is_open and region.fixed_by is None:
        region.fixed_by = what, statement.name.span
    depend(region, what, statement.name.span)
