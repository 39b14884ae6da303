"""Checks comprehensions: generators, guards, group-by, heads.

[ (i,+/a) | ((i,j),a) <- A, group by i ]   with A: matrix[Double]   ->   list[(Int,Double)]
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.frontend.checking.check_operators import (
    NO_ORDER,
    bag_hint,
    check_condition,
    check_int,
    note_pairs,
)
from diablo.frontend.checking.check_region_accesses import note_source, region_behind
from diablo.frontend.checking.check_region_expressions import refuse_flood
from diablo.frontend.checking.check_typemaps import view_mapped
from diablo.frontend.checking.checked import Grouping
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.conversion_hints import group_hint
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.scope import Scope, Symbol, did_you_mean
from diablo.frontend.checking.types import (
    BOOLEAN,
    INT,
    STRING,
    UNKNOWN,
    ArrayType,
    ListType,
    MappedType,
    MapType,
    TupleType,
    Type,
    UnknownType,
    has_unknown,
    is_key,
    is_value,
    mentions_complex,
    row_type,
)
from diablo.frontend.parsing import syntax


def check_comprehension(
    checker: Checker, expr: syntax.Comprehension, wanted: Type | None = None
) -> Type:
    """The type of a comprehension, which should be `wanted`."""
    head = check_rows(checker, expr, wanted.element if isinstance(wanted, ListType) else None)
    if not is_value(head):
        return checker.error(expr.head.span, f"a list cannot hold {head}")
    return ListType(head)


def check_rows(checker: Checker, expr: syntax.Comprehension, wanted: Type | None = None) -> Type:
    """Check a comprehension; return the type of its head, which should be `wanted`."""
    outer = checker.guards
    with checker.inner_scope() as scope:
        for place, qualifier in enumerate(expr.qualifiers):
            _check_qualifier(checker, qualifier, scope, _keys_before(expr.qualifiers[:place]))
        for key in expr.order:
            _check_sort_key(checker, key)
        head = checker.check(expr.head, wanted)
    checker.guards = outer
    if expr.limit is not None:
        # It is one number for all rows, so that what is bound for each of them is not known to it.
        check_int(checker, expr.limit, "a limit")
    return head


def _check_sort_key(checker: Checker, key: syntax.SortKey) -> None:
    type = checker.check(key.value)
    if is_key(type) or has_unknown(type):
        return
    hint = bag_hint(checker, key.value)
    if hint is None and mentions_complex(type):
        hint = NO_ORDER
    checker.error(key.value.span, f"rows cannot be ordered by {type}", hint)


def _keys_before(qualifiers: Sequence[syntax.Qualifier]) -> list[str]:
    """Return the names that a group by, and bare names behind it, end some qualifiers with.

    `group by a, b` is how SQL writes two keys.
    """
    names: list[str] = []
    for qualifier in reversed(qualifiers):
        match qualifier:
            case syntax.Guard(condition=syntax.Name(name=name)):
                names.insert(0, name)
            case syntax.GroupBy(key=None, pattern=syntax.NamePattern(name=name)):
                return [name, *names]
            case _:
                break
    return []


def _check_qualifier(
    checker: Checker, qualifier: syntax.Qualifier, scope: Scope, keys: Sequence[str]
) -> None:
    """Check a qualifier that follows a group by `keys`, if it does."""
    match qualifier:
        case syntax.Generator():
            type = check_source(checker, qualifier.source, full=qualifier.full)
            checker.bind(qualifier.pattern, type, "bound variable")
            note_pairs(checker, qualifier.pattern, qualifier.source, "<-")
            note_source(checker, qualifier.pattern, qualifier.source)
        case syntax.Guard():
            hint = None
            if keys and isinstance(qualifier.condition, syntax.Name):
                name = qualifier.condition.name
                hint = f"to group by {name} as well, write group by ({', '.join([*keys, name])})"
            check_condition(checker, qualifier.condition, "a guard", hint)
            checker.guards += 1
        case syntax.Let():
            type = checker.check(qualifier.value)
            if not is_value(type) and not isinstance(type, MappedType):
                message = "a function cannot be the value of a variable"
                type = checker.error(qualifier.value.span, message)
            checker.rebind(qualifier.pattern)
            checker.bind(qualifier.pattern, type, "bound variable")
        case syntax.GroupBy():
            _check_group_by(checker, qualifier, scope)


def check_source(checker: Checker, expr: syntax.Expr, *, full: bool = False) -> Type:
    """The type of the rows of a generator's source."""
    if isinstance(expr, syntax.Range):
        check_int(checker, expr.lower, "the lower bound of a range")
        check_int(checker, expr.upper, "the upper bound of a range")
        checker.checked.types[expr] = ListType(INT)
        return INT
    known = len(checker.errors)
    region = checker.region_of(expr)
    if region is not None:
        return _check_region_source(checker, expr, region)
    if len(checker.errors) > known:
        return UNKNOWN
    checker.parted.add(expr)
    type = checker.check(expr)
    array_region = region_behind(checker, expr)
    if array_region is not None and array_region.has_flood:
        refuse_flood(checker, expr.span, array_region)
        return UNKNOWN
    if isinstance(type, MappedType):
        type = view_mapped(checker, expr, type)
    match type:
        case UnknownType():
            return type
        case ArrayType():
            return row_type(type)
        case ListType() | MapType():
            if full:
                message = f"`<=` goes through every index of an array, and this is {type}"
                checker.error(expr.span, message, "use `<-`")
            return type.element
        case _:
            hint = "to count, write a range: i <- 0..n-1" if type == INT else None
            if type == STRING:
                hint = 'split it: c <- s.split("")'
            message = f"a generator goes through an array, a list, a map or a range, not {type}"
            return checker.error(expr.span, message, hint)


def _check_region_source(checker: Checker, expr: syntax.Expr, region: IndexSet) -> Type:
    """The type of the indices of a region."""
    checker.checked.types[expr] = ArrayType(BOOLEAN, region.rank)
    if region.has_flood:
        refuse_flood(checker, expr.span, region)
        return UNKNOWN
    return INT if region.rank == 1 else TupleType((INT,) * region.rank)


def _check_group_by(checker: Checker, qualifier: syntax.GroupBy, scope: Scope) -> None:
    grouping = checker.checked.groupings[qualifier] = Grouping()
    before = dict(scope.symbols)
    names = list(_names(qualifier.pattern))
    if qualifier.key is not None:
        key_type = checker.check(qualifier.key)
        if not is_key(key_type) and not has_unknown(key_type):
            message = f"{key_type} cannot be the key of a group by"
            hint = bag_hint(checker, qualifier.key) or group_hint(key_type)
            key_type = checker.error(qualifier.key.span, message, hint)
        scope.symbols = {}
        checker.bind(qualifier.pattern, key_type, "bound variable")
        grouping.keys = [(None, symbol) for symbol in scope.symbols.values()]
    else:
        scope.symbols = {}
        for name in names:
            _regroup_key(checker, name, before, grouping)
    for name, symbol in before.items():
        if name not in {n.name for n in names}:
            bag = Symbol(name, "bag", ListType(symbol.type), symbol.span, before=symbol)
            scope.symbols[name] = bag
            grouping.bags.append((symbol, bag))


def _regroup_key(
    checker: Checker, name: syntax.NamePattern, before: dict[str, Symbol], grouping: Grouping
) -> None:
    symbol = before.get(name.name)
    if symbol is None:
        outside = checker.scope.find(name.name) is not None
        hint = did_you_mean(name.name, list(before))
        if outside:
            hint = f"group by its value: group by k: {name.name}"
        checker.error(name.span, f"`{name.name}` is not bound before this group by", hint)
        checker.declare(name, "bound variable", UNKNOWN)
        return
    type = symbol.type
    if symbol.kind == "bag":
        type = checker.error(
            name.span,
            f"`{name.name}` is a bag since the group by before and cannot be a key",
        )
    elif not is_key(type) and not has_unknown(type):
        message = f"{type} cannot be the key of a group by"
        type = checker.error(name.span, message, group_hint(type, name.name))
    symbol.use()
    grouping.keys.append((symbol, checker.declare(name, "bound variable", type)))


def _names(pattern: syntax.Pattern) -> list[syntax.NamePattern]:
    if isinstance(pattern, syntax.NamePattern):
        return [pattern]
    return [name for item in pattern.items for name in _names(item)]
