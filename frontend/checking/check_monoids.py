"""Checks reductions `op/e`, accumulations `d op= e` and the monoids that a program defines.

monoid argmin((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);
argmin/[ (v,i) | (i,v) <- V ]   ->   (Double,Int)
"""

from __future__ import annotations

from diablo.frontend.checking.check_annotations import resolve_value
from diablo.frontend.checking.check_operators import NO_ORDER, bag_hint
from diablo.frontend.checking.check_reductions import check_builtin_reduction, least_of_texts
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.constants import constant_value
from diablo.frontend.checking.extents import extent_of
from diablo.frontend.checking.scope import MonoidDefinition, did_you_mean
from diablo.frontend.checking.types import (
    BOOLEAN,
    STRING,
    ArrayType,
    ListType,
    MapType,
    NothingType,
    Type,
    UnknownType,
    fits,
    has_equality,
    has_unknown,
    is_complex,
    is_number,
    monoid_domain,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.builtin_reductions import FIRST, REDUCTIONS
from diablo.monoid_table import monoid_of_symbol, monoid_symbols


def check_reduction(checker: Checker, expr: syntax.Reduction) -> Type:
    """The type of `op/e`."""
    own = checker.scope.find_monoid(expr.monoid) is not None
    if expr.monoid in REDUCTIONS and monoid_of_symbol(expr.monoid) is None and not own:
        return check_builtin_reduction(checker, expr, expr.operand)
    type = checker.check(expr.operand)
    if expr.monoid in FIRST and isinstance(type, ListType):
        return type.element
    if isinstance(type, UnknownType):
        return type
    if not isinstance(type, ListType):
        hint = None
        if isinstance(type, ArrayType):
            key = "i" if type.rank == 1 else "(i,j)"
            hint = f"reduce its elements: {expr.monoid}/[ a | ({key},a) <- … ]"
        elif isinstance(type, MapType):
            hint = f"reduce its values: {expr.monoid}/[ v | (k,v) <- … ]"
        elif isinstance(expr.operand, syntax.Name):
            hint = "a variable is a bag only after a `group by` of something else"
        message = f"`{expr.monoid}/` reduces a bag of values, and this is {type}"
        return checker.error(expr.span, message, hint)
    monoid = None if own else monoid_of_symbol(expr.monoid)
    if monoid is not None and monoid.extremum and type.element == STRING:
        meant = least_of_texts(expr, monoid.extremum)
        checker.checked.desugared[expr] = meant
        return checker.check(meant)
    return check_monoid(checker, expr, expr.monoid, type.element)


def check_monoid(
    checker: Checker, expr: syntax.Reduction | statements.Assign, symbol: str, type: Type
) -> Type:
    """The type of the values that the monoid `symbol` makes of values of `type`."""
    if has_unknown(type):
        return UnknownType()
    if isinstance(type, NothingType):
        return checker.error(expr.span, "the elements of this empty list have no type")
    defined = checker.scope.find_monoid(symbol)
    if defined is not None:
        checker.checked.monoids[expr] = defined
        # What is accumulated into keeps its type; the rows of a reduction are promoted.
        reduces = isinstance(expr, syntax.Reduction)
        if not (fits(type, defined.type) if reduces else type == defined.type):
            message = f"`{symbol}` combines values of type {defined.type}, not {type}"
            return checker.error(expr.span, message)
        return defined.type
    monoid = monoid_of_symbol(symbol)
    if monoid is None:
        names = [*checker.scope.monoid_names(), *monoid_symbols(), *REDUCTIONS]
        hint = did_you_mean(symbol, names)
        if symbol in REDUCTIONS:
            hint = f"`{symbol}` reduces rows, as in {symbol}/e; it updates no variable"
        hint = hint or f"define it: monoid {symbol}({type}) = (zero, (x, y) => …);"
        return checker.error(expr.span, f"there is no monoid `{symbol}`", hint)
    if monoid_domain(type) in monoid.operations:
        return type
    if monoid.extremum and type == STRING:
        return type
    if not monoid.on_numbers:
        return checker.error(expr.span, f"`{symbol}` combines Boolean values, not {type}")
    if not is_number(type):
        hint = None
        if not isinstance(type, ArrayType | ListType | MapType) and type != BOOLEAN:
            hint = f"define a monoid: monoid op({type}) = (zero, (x, y) => …);"
        if isinstance(expr, syntax.Reduction) and isinstance(expr.operand, syntax.Comprehension):
            hint = bag_hint(checker, expr.operand.head) or hint
        return checker.error(expr.span, f"`{symbol}` combines numbers, not {type}", hint)
    if is_complex(type):
        wanted = "numbers that have an order" if monoid.extremum else "Ints"
        hint = NO_ORDER if monoid.extremum else None
        return checker.error(expr.span, f"`{symbol}` combines {wanted}, not {type}", hint)
    return checker.error(expr.span, f"`{symbol}` combines Ints, not {type}")


def check_monoid_definition(checker: Checker, statement: statements.MonoidDef) -> None:
    """Check `monoid op(T) = (zero, (x, y) => e);`."""
    name = statement.name.name
    before = checker.scope.monoids.get(name)
    if before is not None or monoid_of_symbol(name) is not None:
        checker.error(statement.name.span, f"the monoid `{name}` is declared twice")
    type = resolve_value(checker, statement.type)
    if not has_equality(type):
        message = f"a monoid combines numbers, strings or tuples of these, not {type}"
        checker.error(statement.type.span, message)
        return
    definition = statement.definition
    hint = f"monoid {name}({type}) = (zero, (x, y) => …);"
    pair = definition.items if isinstance(definition, syntax.TupleExpr) else []
    function = pair[1] if len(pair) == 2 else None
    if not isinstance(function, syntax.Lambda):
        message = "a monoid is defined by a pair of its zero and a function"
        checker.error(definition.span, message, hint)
        return
    zero, pattern = pair[0], function.parameter
    if not isinstance(pattern, syntax.TuplePattern) or len(pattern.items) != 2:
        message = f"the function of a monoid takes two values of type {type}"
        checker.error(pattern.span, message, hint)
        return
    _check_zero(checker, name, zero, type)
    _check_combination(checker, name, function, pattern, type)
    identity = constant_value(checker.checked, zero, type)
    if identity is not None:
        left, right = pattern.items
        checker.scope.monoids[name] = MonoidDefinition(
            name,
            type,
            identity,
            (left, right),
            function.body,
            statement.name.span,
            extent_of(function.body, checker.checked),
        )


def _check_zero(checker: Checker, name: str, zero: syntax.Expr, type: Type) -> None:
    found = checker.check(zero, type)
    if not fits(found, type):
        message = f"the zero of `{name}` must be {type}, not {found}"
        checker.error(zero.span, message)
    elif not has_unknown(found) and constant_value(checker.checked, zero, type) is None:
        hint = "write numbers, strings, `inf`, or tuples of these"
        checker.error(zero.span, "the zero of a monoid must be a constant", hint)


def _check_combination(
    checker: Checker, name: str, function: syntax.Lambda, pattern: syntax.TuplePattern, type: Type
) -> None:
    with checker.inner_scope():
        for item in pattern.items:
            checker.bind(item, type, "parameter")
        found = checker.check(function.body, type)
    if not fits(found, type):
        message = f"`{name}` must give {type}, and this is {found}"
        checker.error(function.body.span, message)
    span = function.body.span
    for node in checker.checked.evaluated(function.body):
        if isinstance(node, syntax.Name):
            symbol = checker.checked.symbols.get(node)
            if symbol is not None and symbol.kind in ("input", "variable", "loop variable"):
                where = node.span if node.span.line == span.line else span
                message = f"a monoid cannot use the variable `{symbol.name}`"
                checker.error(where, message, "it may use its two arguments only")
                return
        elif isinstance(node, syntax.Comprehension | syntax.Reduction | syntax.Constructor):
            message = "a monoid combines two values, and cannot go through a collection"
            checker.error(span, message)
            return
        elif isinstance(node, syntax.Call) and node.function == "random":
            checker.error(span, "a monoid cannot draw random numbers")
            return
