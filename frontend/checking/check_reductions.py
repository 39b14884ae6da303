"""Checks built-in reductions, `mean/e` and `mean(V)`, and writes them with monoids.

mean/[ v | (i,v) <- V ]   ->   let (a,b) = (+/[ 1.0*x | (i,v) <- V, let x = v ],
                                            +/[ 1 | (i,v) <- V, let x = v ]) in a / b
argmax(V)                 ->   let a = (>/[ (x._2, x._1) | x <= V ]) in a._2
"""

from __future__ import annotations

from diablo.diagnostics import Span
from diablo.frontend.checking.check_operators import NO_ORDER
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.types import (
    STRING,
    UNKNOWN,
    ArrayType,
    ListType,
    MapType,
    TupleType,
    Type,
    has_unknown,
    is_complex,
    is_inexact,
    is_key,
    is_ordered,
    monoid_domain,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.builtin_reductions import REDUCTIONS, BuiltinReduction
from diablo.frontend.parsing.parser import parse_expression_text
from diablo.frontend.parsing.tree_walk import walk
from diablo.monoid_table import monoid_of_symbol

_ROWS = "rows"
_ELEMENT = "x"
_FOLDS = "abc"


def check_builtin_reduction(
    checker: Checker, expr: syntax.Reduction | syntax.Call, operand: syntax.Expr
) -> Type:
    """The type of a built-in reduction of `operand`: a list, or in a call an array or map."""
    is_call = isinstance(expr, syntax.Call)
    name = expr.function if is_call else expr.monoid
    type = checker.check(operand)
    if has_unknown(type):
        return UNKNOWN
    element = _element(type)
    if element is None or not (is_call or isinstance(type, ListType)):
        wanted = "an array, a list or a map" if is_call else "a bag of values"
        hint = f"write {name}(…) for a whole array or map" if element is not None else None
        message = f"`{name}` reduces {wanted}, and this is {type}"
        return checker.error(expr.span, message, hint)
    reduction = REDUCTIONS[name]
    # A list of numbers is taken with the positions of its rows.
    numbered = reduction.keyed and is_call and isinstance(type, ListType)
    numbered = numbered and not isinstance(element, TupleType)
    if not numbered and not _suits(checker, expr, name, reduction, type):
        return UNKNOWN
    if numbered and not _is_comparable(element):
        message = f"`{name}` compares numbers or strings, not {element}"
        return checker.error(expr.span, message, NO_ORDER if is_complex(element) else None)
    meant = _meaning(checker, expr.span, operand, reduction, type, numbered=numbered)
    checker.checked.desugared[expr] = meant
    return checker.check(meant)


def least_of_texts(expr: syntax.Reduction, comparison: str) -> syntax.Expr:
    """`min/e` or `max/e` of strings, which have no greatest one: that of the first row of pairs."""
    span, rows = expr.span, expr.operand
    element = syntax.NamePattern(span, _ELEMENT)
    qualifiers: list[syntax.Qualifier] = [syntax.Generator(span, element, rows, False)]
    if isinstance(rows, syntax.Comprehension) and not rows.in_order:
        qualifiers = [*rows.qualifiers, syntax.Let(span, element, rows.head)]
    pairs = syntax.Comprehension(span, _written(span, f"({_ELEMENT}, 0)"), qualifiers)
    first = syntax.Reduction(span, comparison, pairs)
    return syntax.Field(span, first, "_1")


def _element(type: Type) -> Type | None:
    match type:
        case ListType() | ArrayType():
            return type.element
        case MapType():
            return type.value
        case _:
            return None


def _is_comparable(type: Type) -> bool:
    return is_ordered(type)


def _suits(
    checker: Checker,
    expr: syntax.Reduction | syntax.Call,
    name: str,
    reduction: BuiltinReduction,
    type: Type,
) -> bool:
    """Return whether the elements are what the reduction is for; reports it if they are not."""
    element = _element(type)
    assert element is not None
    if reduction.keyed:
        row = type.element if isinstance(type, ListType) else TupleType((STRING, element))
        pair = row.items if isinstance(row, TupleType) else ()
        if len(pair) == 2 and is_key(pair[0]) and _is_comparable(pair[1]):
            return True
        wanted, found = "pairs of a key and a number or string", row
        if not isinstance(type, ListType):
            wanted, found = "numbers or strings", element
        hint = f"write {name}/[ (key, value) | … ]"
        if is_complex(element) or (len(pair) == 2 and is_complex(pair[1])):
            hint = NO_ORDER
        checker.error(expr.span, f"`{name}` compares {wanted}, not {found}", hint)
        return False
    symbol, lift = reduction.folds[0]
    monoid = monoid_of_symbol(symbol)
    assert monoid is not None
    if _ELEMENT not in lift or monoid_domain(element) in monoid.operations:
        return True
    if monoid.extremum and element == STRING:
        return True
    wanted = "numbers" if monoid.on_numbers else "Boolean values"
    hint = NO_ORDER if monoid.extremum and is_complex(element) else None
    checker.error(expr.span, f"`{name}` combines {wanted}, not {element}", hint)
    return False


def _meaning(
    checker: Checker,
    span: Span,
    operand: syntax.Expr,
    reduction: BuiltinReduction,
    type: Type,
    *,
    numbered: bool,
) -> syntax.Expr:
    """Return what a reduction is short for; around what is folded it binds its own names alone."""
    rows, kept = operand, False
    several = len(reduction.folds) > 1
    if numbered or not isinstance(operand, syntax.Comprehension) or operand.in_order:
        kept = numbered or not isinstance(operand, syntax.Name)
    elif several:
        kept = any(
            isinstance(node, syntax.Call) and node.function == "random"
            for node in checker.checked.evaluated(operand)
        )
    if kept:
        rows = syntax.Name(span, _ROWS)
    folds: list[syntax.Expr] = [
        syntax.Reduction(span, symbol, _lifted(span, rows, lift, reduction, type, numbered))
        for symbol, lift in reduction.folds
    ]
    names: list[syntax.Pattern] = [syntax.NamePattern(span, _FOLDS[n]) for n in range(len(folds))]
    value = syntax.TupleExpr(span, folds) if several else folds[0]
    pattern = syntax.TuplePattern(span, names) if several else names[0]
    meant: syntax.Expr = folds[0]
    if reduction.finish != _FOLDS[0]:
        element, finish = _element(type), reduction.finish
        if reduction.narrow and element is not None and is_inexact(element):
            finish = f"to{element}({finish})"
        meant = syntax.LetIn(span, pattern, value, _written(span, finish))
    if kept:
        meant = syntax.LetIn(span, syntax.NamePattern(span, _ROWS), operand, meant)
    return meant


def _lifted(
    span: Span,
    rows: syntax.Expr,
    lift: str,
    reduction: BuiltinReduction,
    type: Type,
    numbered: bool,
) -> syntax.Expr:
    """The values that are folded: what `lift` makes of each element x."""
    element = syntax.NamePattern(span, _ELEMENT)
    if numbered:
        count = _written(span, f"[ (i, {_ROWS}[i]) | i <- 0..{_ROWS}.length-1 ]")
        assert isinstance(count, syntax.Comprehension)
        rows = count
    elif isinstance(type, ListType) and lift == _ELEMENT:
        return rows
    qualifiers: list[syntax.Qualifier]
    if isinstance(rows, syntax.Comprehension) and not rows.in_order:
        qualifiers = [*rows.qualifiers, syntax.Let(span, element, rows.head)]
    else:
        pattern: syntax.Pattern = element
        if not (isinstance(type, ListType) or reduction.keyed):
            pattern = syntax.TuplePattern(span, [syntax.NamePattern(span, "_"), element])
        full = isinstance(type, ArrayType)
        qualifiers = [syntax.Generator(span, pattern, rows, full)]
    return syntax.Comprehension(span, _written(span, lift), qualifiers)


def _written(span: Span, text: str) -> syntax.Expr:
    """An expression in the language, as if it stood at `span`."""
    expr = parse_expression_text(text)
    for node in walk(expr):
        if hasattr(node, "span"):
            node.span = span  # pyright: ignore[reportAttributeAccessIssue]
    return expr
