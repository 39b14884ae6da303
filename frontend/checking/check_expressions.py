"""Checks expressions: finds the type of each, reports what is wrong.

(1 - b) / N   with b: Double, N: Int   ->   Double
"""

from __future__ import annotations

from math import inf

from diablo.dialects.functions.scalar_functions import FUNCTIONS
from diablo.frontend.checking.check_annotations import check_fields
from diablo.frontend.checking.check_calls import check_call, check_function_name, check_lambda
from diablo.frontend.checking.check_comprehensions import check_comprehension
from diablo.frontend.checking.check_constructors import check_constructor
from diablo.frontend.checking.check_monoids import check_reduction
from diablo.frontend.checking.check_operators import check_binary, check_condition, check_unary
from diablo.frontend.checking.check_parts import check_field, check_index
from diablo.frontend.checking.check_region_accesses import check_whole
from diablo.frontend.checking.check_typemaps import check_mapped_store
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.extents import MAX_DEPTH
from diablo.frontend.checking.literals import is_wide, joined, number_written, take, takes
from diablo.frontend.checking.scope import idiom_or_name
from diablo.frontend.checking.types import (
    NOTHING,
    SCALARS,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ListType,
    MapType,
    NothingType,
    RecordType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_number,
    is_value,
    mentions,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.builtin_reductions import REDUCTIONS


def check_expression(checker: Checker, expr: syntax.Expr, wanted: Type | None = None) -> Type:
    """Find, record and return the type of an expression, which should be `wanted`."""
    if expr in checker.settled:
        return checker.checked.types[expr]
    known = len(checker.errors)
    checker.depth += 1
    if checker.depth > MAX_DEPTH:
        message = "the program is nested too deeply here"
        type: Type = UNKNOWN
        if not any(e.message == message for e in checker.errors):
            hint = "compute parts of it in variables of their own"
            checker.error(expr.span, message, hint)
    else:
        type = _check(checker, expr, wanted)
    checker.depth -= 1
    checker.checked.types[expr] = type
    if isinstance(type, UnknownType) and len(checker.errors) > known:
        checker.settled.add(expr)  # What looks at it once more has nothing else to say.
    if wanted is not None and not has_unknown(type) and takes(checker, expr, wanted):
        type = take(checker, expr, wanted)
    if wanted is not None and mentions(type, NothingType) and fits(type, wanted):
        settle(checker, expr, wanted)
        return wanted
    return type


def _check(checker: Checker, expr: syntax.Expr, wanted: Type | None) -> Type:
    match expr:
        case syntax.Literal():
            return SCALARS[expr.kind]
        case syntax.Name():
            return _check_name(checker, expr, wanted)
        case syntax.TupleExpr():
            return _check_tuple(checker, expr, wanted)
        case syntax.RecordExpr():
            return _check_record(checker, expr, wanted)
        case syntax.ListExpr():
            return _check_list(checker, expr, wanted)
        case syntax.EmptyMap():
            return MapType(NOTHING, NOTHING)
        case syntax.Unary():
            return check_unary(checker, expr)
        case syntax.Binary():
            return check_binary(checker, expr)
        case syntax.Range():
            hint = "use it as a generator: [ i | i <- a..b ]"
            return checker.error(expr.span, "a range is no value by itself", hint)
        case syntax.Reduction():
            return check_reduction(checker, expr)
        case syntax.Call():
            return check_call(checker, expr)
        case syntax.Field():
            return check_field(checker, expr)
        case syntax.Index():
            return check_index(checker, expr)
        case syntax.IfExpr():
            return _check_if(checker, expr, wanted)
        case syntax.Lambda():
            return check_lambda(checker, expr, wanted)
        case syntax.Wildcard():
            message = f"`{expr.text}` stands in regions only"
            return checker.error(expr.span, message, "region R = (*, 0..n-1) where ?;")
        case syntax.RegionExpr():
            hint = "declare the region: region S = …;"
            return checker.error(expr.span, "a region without a name is no value", hint)
        case syntax.Comprehension():
            return check_comprehension(checker, expr, wanted)
        case syntax.Constructor():
            return check_constructor(checker, expr, wanted)
        case syntax.MappedStore():
            return check_mapped_store(checker, expr)
        case syntax.LetIn():
            type = checker.check(expr.value)
            with checker.inner_scope():
                checker.bind(expr.pattern, type, "bound variable")
                return checker.check(expr.body, wanted)


def _check_name(checker: Checker, expr: syntax.Name, wanted: Type | None) -> Type:
    name = expr.name
    symbol = checker.scope.find(name)
    if symbol is not None:
        symbol.use()
        checker.checked.symbols[expr] = symbol
        check_whole(checker, expr, symbol)
        return symbol.type
    if isinstance(wanted, FunctionType):
        type = check_function_name(checker, expr, wanted)
        if type is not None:
            return type
    if name == "inf":
        checker.checked.desugared[expr] = infinity = syntax.Literal(expr.span, "Double", inf)
        return checker.check(infinity)
    if checker.scope.find_monoid(name) is not None:
        hint = f"it reduces a list: {name}/e"
        return checker.error(expr.span, f"`{name}` is a monoid, not a value", hint)
    if checker.scope.find_function(name) or name in FUNCTIONS or name in REDUCTIONS:
        hint = f"call it: {name}(…)"
        return checker.error(expr.span, f"`{name}` is a function, not a value", hint)
    later = checker.declared_later(name)
    if later is not None:
        return checker.error(expr.span, f"`{name}` is not declared yet", later)
    scope = checker.scope
    names = [*scope.names(), *scope.function_names(), *FUNCTIONS, *scope.monoid_names()]
    names += ["true", "false"]
    hint = idiom_or_name(name, [n for n in names if "." not in n])
    hint = hint or f"declare it: input {name}: {checker.suggested_type(name)};"
    return checker.undeclared(expr, hint)


def _check_tuple(checker: Checker, expr: syntax.TupleExpr, wanted: Type | None) -> Type:
    items: list[Type | None] = [None] * len(expr.items)
    if isinstance(wanted, TupleType) and len(wanted.items) == len(expr.items):
        items = [*wanted.items]
    return TupleType(tuple(map(checker.check, expr.items, items)))


def _check_record(checker: Checker, expr: syntax.RecordExpr, wanted: Type | None) -> Type:
    names = [name for name, _ in expr.fields]
    if not check_fields(checker, expr.span, names):
        return UNKNOWN
    types: dict[str, Type] = {}
    if isinstance(wanted, RecordType):
        types = dict(wanted.fields)
    found = [(name, checker.check(value, types.get(name))) for name, value in expr.fields]
    order = list(wanted.names) if isinstance(wanted, RecordType) else names
    if names != order and sorted(names) == sorted(order):
        # The same fields in another order are brought to the order that is wanted.
        values, kinds = dict(expr.fields), dict(found)
        fields = [(name, values[name]) for name in order]
        checker.checked.desugared[expr] = ordered = syntax.RecordExpr(expr.span, fields)
        found = [(name, kinds[name]) for name in order]
        checker.checked.types[ordered] = RecordType(tuple(found))
    return RecordType(tuple(found))


def _check_list(checker: Checker, expr: syntax.ListExpr, wanted: Type | None) -> Type:
    element = wanted.element if isinstance(wanted, ListType) else None
    types = [checker.check(item, element) for item in expr.items]
    if element is not None and all(fits(type, element) for type in types):
        return ListType(element)
    common: Type = NOTHING
    rows = list(zip(expr.items, types, strict=True))
    if all(map(is_number, types)):
        # Numbers that are written out come last: they take the type of the others.
        rows.sort(key=lambda row: is_wide(checker, row[0]))
        rows.sort(key=lambda row: number_written(checker, row[0]) is not None)
    for item, type in rows:
        if not is_value(type):
            return checker.error(item.span, f"a list cannot hold {type}")
        found = joined(checker, None, common, item, type)
        if has_unknown(type) or found is None:
            if not has_unknown(type):
                message = f"this element is {type}, and those before it are {common}"
                checker.error(item.span, message, "the elements of a list have one type")
            return ListType(UNKNOWN)
        common = found
    for item in expr.items:
        settle(checker, item, common)
    return ListType(common)


def settle(checker: Checker, expr: syntax.Expr, type: Type) -> None:
    """Give the empty lists and maps in `expr` the type that is wanted of them."""
    found = checker.checked.types.get(expr)
    if found is None or not mentions(found, NothingType) or has_unknown(type):
        return
    checker.checked.types[expr] = type
    match expr, type:
        case syntax.ListExpr(), ListType():
            for item in expr.items:
                settle(checker, item, type.element)
        case syntax.TupleExpr(), TupleType():
            for item, part in zip(expr.items, type.items, strict=True):
                settle(checker, item, part)
        case syntax.RecordExpr(), RecordType():
            parts = dict(type.fields)
            for name, value in expr.fields:
                settle(checker, value, parts[name])
        case syntax.IfExpr(), _:
            settle(checker, expr.then, type)
            settle(checker, expr.otherwise, type)
        case syntax.Comprehension(), ListType():
            settle(checker, expr.head, type.element)
        case syntax.Constructor(), ArrayType():
            rows = checker.checked.types[expr.operand]
            if isinstance(rows, ListType) and isinstance(rows.element, TupleType):
                row = TupleType((rows.element.items[0], type.element))
                settle(checker, expr.operand, ListType(row))
        case syntax.LetIn(), _:
            settle(checker, expr.body, type)
        case syntax.Constructor(), ListType() | MapType():
            # What is stored may be of the other kind: a map of a list, a list of a map.
            operand = checker.checked.types.get(expr.operand)
            if isinstance(operand, ListType):
                type = ListType(type.element)  # The rows of a map are pairs.
            elif isinstance(operand, MapType) and isinstance(type, ListType):
                row = type.element
                type = MapType(*row.items) if isinstance(row, TupleType) else operand
            settle(checker, expr.operand, type)
        case _:
            pass
    if expr in checker.checked.desugared:
        settle(checker, checker.checked.desugared[expr], type)


def _check_if(checker: Checker, expr: syntax.IfExpr, wanted: Type | None) -> Type:
    check_condition(checker, expr.condition, "`if`")
    with checker.guarded():
        then, otherwise = checker.check(expr.then, wanted), checker.check(expr.otherwise, wanted)
    if isinstance(then, UnknownType) or isinstance(otherwise, UnknownType):
        return UNKNOWN
    type = joined(checker, expr.then, then, expr.otherwise, otherwise)
    if type is None:
        message = f"the branches of this `if` have types {then} and {otherwise}"
        hint = None
        if isinstance(then, ArrayType) and isinstance(otherwise, ArrayType):
            hint = "both need the same number of dimensions and the same elements"
        return checker.error(expr.span, message, hint)
    if mentions(type, FunctionType):
        return checker.error(expr.span, "a function cannot be chosen while the program runs")
    settle(checker, expr.then, type)
    settle(checker, expr.otherwise, type)
    return type
