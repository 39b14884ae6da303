"""Checks what is read and written of arrays over regions: only what they have storage for.

for (i,j) in R do A[i,j] = 0.0   with A over Tri = R where …   ->   an error that names R and Tri
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from diablo.diagnostics import Span, quantity
from diablo.frontend.checking.check_region_expressions import linear, refuse_flood
from diablo.frontend.checking.checker import Checker, Membership
from diablo.frontend.checking.inclusion import bounds_outside, is_within
from diablo.frontend.checking.index_sets import Bounds, IndexSet, Linear, Open, unknown
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import INT, UNKNOWN, Type, UnknownType
from diablo.frontend.parsing import syntax


def note_range(checker: Checker, pattern: syntax.Pattern, bounds: Bounds) -> None:
    """Note which indices a variable goes through."""
    if isinstance(pattern, syntax.NamePattern):
        checker.ranges[checker.checked.symbols[pattern]] = bounds


def note_indices(checker: Checker, pattern: syntax.Pattern, region: IndexSet) -> None:
    """Note that the variables of `pattern` go through the indices of a region."""
    items = [pattern] if region.rank == 1 else getattr(pattern, "items", [])
    names = [item for item in items if isinstance(item, syntax.NamePattern)]
    if len(names) != region.rank:
        return
    for name, bounds in zip(names, region.bounds, strict=True):
        if bounds is not None:
            note_range(checker, name, bounds)
    index = tuple(unknown(checker.checked.symbols[name]) for name in names)
    checker.members.append(Membership(index, region))


def note_source(checker: Checker, pattern: syntax.Pattern, source: syntax.Expr) -> None:
    """Note what a generator says of the variables that it binds."""
    if isinstance(source, syntax.Range):
        bounds = Bounds(linear(checker, source.lower), linear(checker, source.upper))
        note_range(checker, pattern, bounds)
        return
    region = checker.checked.regions.get(source)
    if region is not None:
        note_indices(checker, pattern, region)
    elif isinstance(source, syntax.Name) and isinstance(pattern, syntax.TuplePattern):
        symbol = checker.checked.symbols.get(source)
        if symbol is not None and symbol.region is not None:
            note_indices(checker, pattern.items[0], symbol.region)


@contextmanager
def where(checker: Checker, condition: syntax.Expr) -> Generator[None]:
    """Know in this context that `condition` holds: `R[i,j]` says that (i,j) is in R."""
    known = len(checker.members)
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, syntax.Binary) and part.op == "&&":
            waiting += [part.lhs, part.rhs]
        elif isinstance(part, syntax.Index) and isinstance(part.base, syntax.Name):
            symbol = checker.checked.symbols.get(part.base)
            if symbol is not None and symbol.kind == "region" and symbol.region is not None:
                checker.members.append(Membership(_index(checker, part), symbol.region))
    with checker.guarded():
        yield
    del checker.members[known:]


def _index(checker: Checker, expr: syntax.Index) -> tuple[Linear, ...]:
    return tuple(
        unknown() if isinstance(i, syntax.Slice) else linear(checker, i) for i in expr.indices
    )


def check_base(checker: Checker, expr: syntax.Expr) -> Type:
    """The type of an expression of which a part is read: an array may have flood dimensions."""
    checker.parted.add(expr)
    return checker.check(expr)


def region_behind(checker: Checker, expr: syntax.Expr) -> IndexSet | None:
    """The region that a variable is, or that the array of a variable is over."""
    symbol = checker.checked.symbols.get(expr) if isinstance(expr, syntax.Name) else None
    return None if symbol is None else symbol.region


def check_whole(checker: Checker, expr: syntax.Name, symbol: Symbol) -> None:
    """Check that the value of a variable can be used as a whole."""
    region = symbol.region
    if region is not None and region.has_flood and expr not in checker.parted:
        what = "a region" if symbol.kind == "region" else "an array over a region"
        message = f"`{expr.name}` is {what} with a flood dimension, and no value as a whole"
        checker.error(expr.span, message, "read its elements")


def check_region_size(checker: Checker, expr: syntax.Field, type: Type, region: IndexSet) -> Type:
    """The type of `R.length`, the number of indices, and of `R.rows`, `R.cols`."""
    symbol = checker.checked.symbols[expr.base] if isinstance(expr.base, syntax.Name) else None
    if region.has_flood:
        refuse_flood(checker, expr.span, region)
        return UNKNOWN
    is_region = symbol is not None and symbol.kind == "region"
    fields = {1: ["length"], 2: ["rows", "cols"]}.get(region.rank, [])
    fields = [*fields, *(["length"] if is_region else [])]
    if expr.name in fields:
        return INT
    hint = f"it has {', '.join(f'.{f}' for f in dict.fromkeys(fields))}" if fields else None
    what = f"a region of {quantity(region.rank, 'dimension')}" if is_region else str(type)
    message = f"{what} has no field `{expr.name}`"
    return checker.error(expr.span, message, hint)


def check_region_index(
    checker: Checker, expr: syntax.Index, symbol: Symbol, region: IndexSet
) -> None:
    """Check the index of an element of an array over a region, read or written."""
    for number, (index, bounds) in enumerate(zip(expr.indices, region.bounds, strict=False)):
        if isinstance(index, syntax.Slice) or bounds is None:
            continue
        if isinstance(index, syntax.Wildcard):
            message = f"dimension {number + 1} of `{symbol.name}` is no flood dimension"
            checker.error(index.span, message, "`*` stands where the region has `*`")
            continue
        found = _range_of(checker, index)
        if (
            checker.guards == 0
            and bounds.is_flat
            and found is not None
            and bounds_outside(found, bounds)
        ):
            what = "index" if found.is_flat else "indices"
            message = (
                f"`{symbol.name}` is over {region}, which has one index in dimension "
                f"{number + 1}, and is used here at other {what}"
            )
            hint = "to repeat the values for all indices, make it a flood dimension: *"
            checker.error(expr.span, message, hint, note=_declared(symbol))


def check_region_write(checker: Checker, target: syntax.Index, symbol: Symbol) -> None:
    """Check that an array over a region has storage for an element that is written."""
    region = symbol.region
    assert region is not None
    if symbol.kind == "region" and isinstance(region.made, Open):
        region = region.made.base
    for number, (index, bounds) in enumerate(zip(target.indices, region.bounds, strict=False)):
        if bounds is None and not isinstance(index, syntax.Wildcard):
            message = (
                f"`{symbol.name}` has one value for all indices of its dimension "
                f"{number + 1}, and this writes it for one of them"
            )
            marks = ["*" if b is None else "ijklmn"[d] for d, b in enumerate(region.bounds)]
            hint = f"write it for all of them: {symbol.name}[{','.join(marks)}] = …"
            checker.error(target.span, message, hint, note=_declared(symbol))
            return
    if region.has_flood:
        return
    written = _index(checker, target)
    for member in checker.members:
        if len(member.index) == len(written):
            pairs = zip(written, member.index, strict=True)
            if is_within(member.region, region, [w - i for w, i in pairs]):
                return
    if region.sparse:
        _refuse_write(checker, target, symbol, region)
        return
    under = _controlling(checker, written)
    if checker.guards or under is None or under.sparse:
        return  # An index outside of the array drops the iteration while the program runs.
    controlled = any(m.region is under and m.index == written for m in checker.members)
    pairs = zip(under.bounds, region.bounds, strict=False)
    if controlled and any(a and b and bounds_outside(a, b) for a, b in pairs):
        _refuse_write(checker, target, symbol, region)


def _range_of(checker: Checker, index: syntax.Expr) -> Bounds | None:
    """The values that an index takes, if it is a number or a loop variable and a number."""
    value = linear(checker, index)
    ranged = [what for what in value.variables if what in checker.ranges]
    if not ranged:
        return Bounds(value, value)
    if len(ranged) > 1 or value.factor(ranged[0]) != 1:
        return None
    return checker.ranges[ranged[0]].shifted(value.without(ranged[0]))


def _refuse_write(checker: Checker, target: syntax.Index, symbol: Symbol, region: IndexSet) -> None:
    parts = [part for part in target.indices if not isinstance(part, syntax.Slice)]
    if any(isinstance(checker.checked.types.get(part), UnknownType) for part in parts):
        return  # What binds the index is wrong already.
    under = _controlling(checker, _index(checker, target))
    name = symbol.name
    owner = f"`{name}` is {'made of' if symbol.kind == 'region' else 'over'} {region}"
    indices = ",".join(checker.text_of(index.span) for index in target.indices)
    test = f"where the index is in it: if ({region.name}[{indices}]) …"
    if not region.named:
        test = "where the index is in it, which takes a name: region S = …"
    letters = ",".join("ijklmn"[: region.rank])
    pattern = f"({letters})" if region.rank > 1 else letters
    hint = f"write it under its own region: for {pattern} in {region.name} do …, or {test}"
    if under is None:
        message = f"{owner}, and this writes it where no region controls the indices"
    elif is_within(under, region):
        message = f"{owner}, and this writes it beside the index that `{under.name}` controls"
        hint = f"write it {test}"
    else:
        message = f"{owner}, and this writes it under {under}"
    checker.error(target.span, message, hint, note=_declared(symbol))


def _controlling(checker: Checker, index: tuple[Linear, ...]) -> IndexSet | None:
    """The innermost region that binds a variable of `index`."""
    used = {what for value in index for what in value.variables}
    for member in reversed(checker.members):
        if any(what in used for value in member.index for what in value.variables):
            return member.region
    return None


def _declared(symbol: Symbol) -> tuple[str, Span]:
    return f"`{symbol.name}` is declared here", symbol.span
