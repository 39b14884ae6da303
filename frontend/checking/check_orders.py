"""Checks `sort(e)` and `argsort(e)` of vectors and lists, and writes them with `order by`.

argsort(V)   ->   let rows = V in let sorted = [ i | (i,x) <= rows, order by x ] in
                  tensor*(rows.length)[ (i, sorted[i]) | i <- 0..rows.length-1 ]
"""

from __future__ import annotations

from diablo.frontend.checking.check_operators import NO_ORDER
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.types import (
    UNKNOWN,
    ArrayType,
    ListType,
    Type,
    has_unknown,
    is_key,
    mentions_complex,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.parser import parse_expression_text
from diablo.frontend.parsing.tree_walk import walk

ORDERS: dict[str, tuple[str, str]] = {
    "sort": ("[ x | x <- rows, order by x ]", "[ x | (i,x) <= rows, order by x ]"),
    "argsort": (
        "[ i | i <- 0..rows.length-1, order by rows[i] ]",
        "[ i | (i,x) <= rows, order by x ]",
    ),
}
"""For each function what it is of a list, and of a vector, of which the rows become one again."""

_VECTOR = "tensor*(rows.length)[ (i, sorted[i]) | i <- 0..rows.length-1 ]"


def check_order(checker: Checker, expr: syntax.Call) -> Type:
    """The type of `sort(e)` or `argsort(e)`."""
    (operand,) = expr.arguments
    type = checker.check(operand)
    if has_unknown(type):
        return UNKNOWN
    is_vector = isinstance(type, ArrayType) and type.rank == 1
    if not (is_vector or isinstance(type, ListType)):
        message = f"`{expr.function}` puts a vector or a list in order, and this is {type}"
        hint = "sort its rows: [ x | …, order by x ]" if isinstance(type, ArrayType) else None
        return checker.error(operand.span, message, hint)
    assert isinstance(type, ArrayType | ListType)
    if not is_key(type.element):
        message = f"`{expr.function}` compares numbers, strings and the like, not {type.element}"
        hint = NO_ORDER if mentions_complex(type.element) else None
        return checker.error(operand.span, message, hint)
    of_list, of_vector = ORDERS[expr.function]
    if is_vector:
        rows = _written(expr, of_vector)
        meant = syntax.LetIn(expr.span, _name(expr, "sorted"), rows, _written(expr, _VECTOR))
    else:
        meant = _written(expr, of_list)
    meant = syntax.LetIn(expr.span, _name(expr, "rows"), operand, meant)
    checker.checked.desugared[expr] = meant
    return checker.check(meant)


def _name(expr: syntax.Call, name: str) -> syntax.NamePattern:
    return syntax.NamePattern(expr.span, name)


def _written(expr: syntax.Call, text: str) -> syntax.Expr:
    """An expression in the language, as if it stood where the call does."""
    written = parse_expression_text(text)
    for node in walk(written):
        if hasattr(node, "span"):
            node.span = expr.span  # pyright: ignore[reportAttributeAccessIssue]
    return written
