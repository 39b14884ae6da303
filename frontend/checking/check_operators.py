"""Checks operators: which types they take, and what they give.

Int + Double -> Double      matrix[Double] * Int -> matrix[Double]      Int < Int -> Boolean
"""

from __future__ import annotations

from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.conversion_hints import conversion_hint
from diablo.frontend.checking.literals import joined
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    INT,
    STRING,
    UNKNOWN,
    ArrayType,
    ListType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_equality,
    has_unknown,
    is_complex,
    is_number,
    is_ordered,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tree_walk import walk

NO_ORDER = "complex numbers have no order: compare abs(z), or real(z)"
"""The hint for complex numbers where the lesser of two is asked for."""

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def check_condition(
    checker: Checker, expr: syntax.Expr, what: str, hint: str | None = None
) -> None:
    """Check that the condition of `what` is Boolean; a `hint` is better than those of its type."""
    type = checker.check(expr)
    if not fits(type, BOOLEAN):
        if hint is None and isinstance(expr, syntax.Name) and type == STRING:
            hint = "compare it with something: s == …"
        message = f"the condition of {what} must be Boolean, not {type}"
        hint = hint or bag_hint(checker, expr) or _zero_hint(expr, type, "!=")
        checker.error(expr.span, message, hint)


def _zero_hint(expr: syntax.Expr, type: Type, comparison: str) -> str | None:
    """A hint for a number that stands where a truth value is wanted."""
    if not is_number(type):
        return None
    written = expr.name if isinstance(expr, syntax.Name) else "…"
    return f"a number is no truth value: compare it, as in {written} {comparison} 0"


def check_int(checker: Checker, expr: syntax.Expr, what: str) -> None:
    """Check that `what` is Int."""
    type = checker.check(expr)
    if not fits(type, INT):
        hint = bag_hint(checker, expr) or conversion_hint(type, INT)
        checker.error(expr.span, f"{what} must be Int, not {type}", hint)


def check_unary(checker: Checker, expr: syntax.Unary) -> Type:
    """The type of `-e` or `!e`."""
    type = checker.check(expr.operand)
    if isinstance(type, UnknownType):
        return type
    if expr.op == "!":
        if type == BOOLEAN:
            return type
        hint = bag_hint(checker, expr.operand) or _zero_hint(expr.operand, type, "==")
        return checker.error(expr.span, f"`!` needs a Boolean, not {type}", hint)
    if is_number(type) or _is_numeric_array(checker, type):
        return type
    return checker.error(expr.span, f"`-` needs a number, not {type}")


def _is_numeric_array(checker: Checker, type: Type) -> bool:
    return isinstance(type, ArrayType) and is_number(type.element)


def check_binary(checker: Checker, expr: syntax.Binary) -> Type:
    """The type of `a op b`."""
    lhs, rhs = checker.check(expr.lhs), checker.check(expr.rhs)
    if has_unknown(lhs) or has_unknown(rhs):
        return BOOLEAN if expr.op in _COMPARISONS or expr.op in ("&&", "||") else UNKNOWN
    if expr.op in ("&&", "||"):
        if lhs == rhs == BOOLEAN:
            return BOOLEAN
    elif expr.op in _COMPARISONS:
        if _comparable(checker, expr, lhs, rhs):
            return BOOLEAN
        if isinstance(expr.lhs, syntax.Binary) and expr.lhs.op in _COMPARISONS:
            hint = "join two comparisons with `&&`"
            return checker.error(expr.span, "comparisons cannot be chained", hint)
    elif expr.op == "@":
        return _check_product(checker, expr, lhs, rhs)
    elif isinstance(lhs, ArrayType) or isinstance(rhs, ArrayType):
        return _check_cellwise(checker, expr, lhs, rhs)
    elif expr.op == "+" and STRING in (lhs, rhs):
        if isinstance(lhs, ScalarType) and isinstance(rhs, ScalarType):
            return STRING
    elif is_number(lhs) and is_number(rhs) and not _is_complex_remainder(expr, lhs, rhs):
        return joined(checker, expr.lhs, lhs, expr.rhs, rhs) or UNKNOWN
    hint = bag_hint(checker, expr.lhs, expr.rhs) or _region_hint(checker, expr)
    hint = hint or _operator_hint(expr.op, lhs, rhs)
    return checker.error(expr.span, f"`{expr.op}` cannot be applied to {lhs} and {rhs}", hint)


def note_pairs(checker: Checker, pattern: syntax.Pattern, source: syntax.Expr, word: str) -> None:
    """Note that a variable goes through an array, whose rows are pairs."""
    type = checker.checked.types.get(source)
    if isinstance(pattern, syntax.NamePattern) and isinstance(type, ArrayType):
        indices = ["i", "(i,j)"][type.rank - 1] if type.rank < 3 else "(i,j,…)"
        array = source.name if isinstance(source, syntax.Name) else "…"
        rows = f"({indices},{pattern.name}) {word} {array}"
        symbol = checker.checked.symbols[pattern]
        checker.pairs[symbol] = f"an array is gone through as pairs of index and element: {rows}"


def bag_hint(checker: Checker, *exprs: syntax.Expr) -> str | None:
    """A hint for the first of `exprs` that uses a variable which is not what it seems.

    A group-by made it a bag, or it goes through the pairs of an array.
    """
    for node in walk(exprs):
        if isinstance(node, syntax.Name):
            symbol = checker.checked.symbols.get(node)
            if symbol is not None and symbol in checker.pairs:
                return checker.pairs[symbol]
            if symbol is not None and symbol.kind == "bag":
                return _bag_hint(symbol)
    return None


def _region_hint(checker: Checker, expr: syntax.Binary) -> str | None:
    """A hint for operators on regions, which stand in declarations and generators only."""
    names = [side for side in (expr.lhs, expr.rhs) if isinstance(side, syntax.Name)]
    symbols = [checker.checked.symbols.get(name) for name in names]
    regions = [s.name for s in symbols if s is not None and s.kind == "region"]
    if len(regions) == 2 and expr.op in ("&&", "||", "-"):
        return f"give it a name: region S = {regions[0]} {expr.op} {regions[1]};"
    return f"`{regions[0]}` is a region: go through its indices" if regions else None


def _comparable(checker: Checker, expr: syntax.Binary, lhs: Type, rhs: Type) -> bool:
    type = joined(checker, expr.lhs, lhs, expr.rhs, rhs)
    if type is None:
        return False
    if expr.op in ("==", "!=") or has_unknown(type):
        return has_equality(type)
    return is_ordered(type)


def _check_cellwise(checker: Checker, expr: syntax.Binary, lhs: Type, rhs: Type) -> Type:
    ranks = {t.rank for t in (lhs, rhs) if isinstance(t, ArrayType)}
    cells = [t.element if isinstance(t, ArrayType) else t for t in (lhs, rhs)]
    if len(ranks) == 1 and all(map(is_number, cells)) and not _is_complex_remainder(expr, *cells):
        element = joined(checker, expr.lhs, cells[0], expr.rhs, cells[1])
        return ArrayType(element or UNKNOWN, ranks.pop())
    message = f"`{expr.op}` cannot be applied to {lhs} and {rhs}"
    hint = _region_hint(checker, expr) or _operator_hint(expr.op, *cells)
    return checker.error(expr.span, message, hint)


def _is_complex_remainder(expr: syntax.Binary, lhs: Type, rhs: Type) -> bool:
    """Return whether an operator asks for the remainder of a division of complex numbers."""
    return expr.op == "%" and (is_complex(lhs) or is_complex(rhs))


def _check_product(checker: Checker, expr: syntax.Binary, lhs: Type, rhs: Type) -> Type:
    if isinstance(lhs, ArrayType) and isinstance(rhs, ArrayType):
        element = joined(checker, None, lhs.element, None, rhs.element)
        rank = lhs.rank + rhs.rank - 2
        if element and is_number(element) and max(lhs.rank, rhs.rank) <= 2:
            return ArrayType(element, rank) if rank else element
    hint = "`@` multiplies matrices and vectors of numbers"
    return checker.error(expr.span, f"`@` cannot be applied to {lhs} and {rhs}", hint)


def _bag_hint(symbol: Symbol) -> str:
    name, type = symbol.name, symbol.type
    use = f"+/{name}"
    if isinstance(type, ListType) and not is_number(type.element):
        # A name for one value of the bag, which is not the name of the bag.
        one = name[0] if len(name) > 1 else name * 2
        use = f"[ … | {one} <- {name} ]"
    return f"after the group by `{name}` is the bag of its values: write {use}"


def _operator_hint(op: str, lhs: Type, rhs: Type) -> str | None:
    """Return what to do about operands that do not go together."""
    types = (lhs, rhs)
    if op in ("<", "<=", ">", ">=") and all(map(is_number, types)):
        return NO_ORDER
    if op == "%" and any(map(is_complex, types)):
        return "the division of complex numbers leaves no remainder"
    if op in _COMPARISONS and any(isinstance(t, ArrayType) for t in types):
        return "arrays are compared cell by cell, in a comprehension"
    if op in ("<", "<=", ">", ">=") and any(isinstance(t, TupleType | RecordType) for t in types):
        return "tuples have no order: compare their parts"
    if STRING in types and any(map(is_number, types)):
        return "convert the string: s.toInt, s.toDouble"
    if CHAR in types and STRING in types:
        return "a string is written with double quotes, a character with single ones"
    return None
