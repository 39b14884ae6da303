"""Gives numbers that are written out the type that is asked of them, or that stands beside them.

x + 1     with x: Int8    ->   Int8
x * 2.0   with x: Float   ->   Float
x + 300   with x: Int8    ->   an error: 300 does not fit
x * (1.0/3.0)             ->   as x * 0.3333333333333333

As in NumPy an integer takes the type of any number beside it, and a number with a fraction that of
a float; beside an integer it is a Double. An integer that only UInt64 holds is an error where
nothing gives it a type, as it would be an Int then.
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.constants import complex_constant, weak_value
from diablo.frontend.checking.types import (
    INT,
    SCALARS,
    UNKNOWN,
    ScalarType,
    TupleType,
    Type,
    complex_type,
    has_unknown,
    is_complex,
    is_floating,
    is_inexact,
    is_integer,
    is_number,
    part_type,
    promote,
    scalar_row,
)
from diablo.frontend.parsing import syntax
from diablo.scalar_table import BY_NAME

_WEAK = ("Int", "Double")
_INT, _UINT64 = BY_NAME["Int"], BY_NAME["UInt64"]


def number_written(checker: Checker, expr: syntax.Expr) -> int | float | None:
    """The value of a number that is written out, with its sign; `inf` is one.

    So is a Double that is computed of such numbers alone.
    """
    if isinstance(expr, syntax.Unary) and expr.op == "-" and isinstance(expr.operand, syntax.Name):
        value = number_written(checker, expr.operand)
        return None if value is None else -value
    if isinstance(expr, syntax.Name):
        expr = checker.checked.desugared.get(expr, expr)
    inner = expr
    while isinstance(inner, syntax.Unary):
        inner = inner.operand
    # `1.5f` says itself which type it has.
    written = syntax.Literal | syntax.Binary
    has_type = not isinstance(inner, written) or getattr(inner, "kind", "Int") not in _WEAK
    value = weak_value(expr)
    return None if has_type or isinstance(value, bool) else value


def takes(checker: Checker, expr: syntax.Expr, type: Type) -> bool:
    """Return whether `expr` is a number that is written out and may be one of `type`."""
    if complex_constant(checker.checked, expr) is not None:
        return is_complex(type)
    value = number_written(checker, expr)
    if isinstance(value, int):
        return is_number(type)
    return value is not None and is_inexact(type)


def take(checker: Checker, expr: syntax.Expr, type: Type) -> Type:
    """Let a number that is written out be one of `type`, and report it if it is none of these."""
    value, row = number_written(checker, expr), scalar_row(type)
    assert row is not None
    if isinstance(value, int) and is_integer(type) and not row.holds(value):
        low, high = row.limits
        message = f"{value} does not fit in {type}, which holds {low} to {high}"
        hint = f"to{type}({value}) keeps its lowest {row.bits} bits"
        if type == INT:
            hint = _hint_for_wide(value)
        if checker.checked.types.get(expr) != UNKNOWN:
            checker.error(expr.span, message, hint)
        type = UNKNOWN
    inner: syntax.Expr | None = expr
    while inner is not None:
        checker.checked.types[inner] = type
        if isinstance(inner, syntax.Call):
            checker.checked.operands[inner] = part_type(type)
        if isinstance(inner, syntax.Unary):
            inner = inner.operand
        else:
            inner = checker.checked.desugared.get(inner)
    return type


def is_wide(checker: Checker, expr: syntax.Expr | None) -> bool:
    """Return whether `expr` is an integer that is written out and no Int."""
    value = None if expr is None else number_written(checker, expr)
    return isinstance(value, int) and not _INT.holds(value)


def take_converted(checker: Checker, expr: syntax.Expr, result: Type) -> Type:
    """The type of a number that a conversion to `result` is given, if it is written out and no Int.

    It is one without a sign, whose lowest bits are kept or which is rounded once.
    """
    value = number_written(checker, expr)
    if isinstance(value, int) and _UINT64.holds(value):
        return take(checker, expr, SCALARS[_UINT64.name])
    return take(checker, expr, result if is_inexact(result) else INT)


def check_integers(checker: Checker) -> None:
    """Report the integers that nothing gave a type which holds them."""
    types, (low, high) = checker.checked.types, _INT.limits
    negated = {e.operand for e in types if isinstance(e, syntax.Unary)}
    for expr, type in types.items():
        if type == INT and isinstance(expr, syntax.Literal) and is_wide(checker, expr):
            message = f"{expr.value} does not fit in Int, which holds {low} to {high}"
            # Behind a minus UInt64 would not help: its numbers wrap around.
            hint = None if expr in negated else _hint_for_wide(int(expr.value))
            checker.error(expr.span, message, hint)


def _hint_for_wide(value: int) -> str | None:
    """Return what to write for an integer that is no Int."""
    return f"write toUInt64({value}), or declare it UInt64" if _UINT64.holds(value) else None


def joined(
    checker: Checker, lhs: syntax.Expr | None, left: Type, rhs: syntax.Expr | None, right: Type
) -> Type | None:
    """The type to which both sides of an operator are brought, if there is one.

    A number that is written out on one side takes the type of the other, also as a part of a
    tuple. Without an expression, as the cells of an array, a side is no such number.
    """
    if isinstance(left, ScalarType) and isinstance(right, ScalarType):
        if _is_written(checker, lhs) != _is_written(checker, rhs):
            if lhs is not None and takes(checker, lhs, right):
                return take(checker, lhs, right)
            if rhs is not None and takes(checker, rhs, left):
                return take(checker, rhs, left)
            # Of a complex number that is written out the parts are as wide as the float beside it.
            if (
                lhs is not None
                and complex_constant(checker.checked, lhs) is not None
                and is_floating(right)
            ):
                return take(checker, lhs, complex_type(right))
            if (
                rhs is not None
                and complex_constant(checker.checked, rhs) is not None
                and is_floating(left)
            ):
                return take(checker, rhs, complex_type(left))
        result = promote(left, right)
        if result is not None and is_inexact(result):
            for expr in (lhs, rhs):
                if expr is not None and is_wide(checker, expr):
                    take(checker, expr, result)
        return result
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        if len(left.items) != len(right.items):
            return None
        items: list[Type] = []
        rows = zip(_parts(lhs, left), left.items, _parts(rhs, right), right.items, strict=True)
        for one, one_type, other, other_type in rows:
            item = joined(checker, one, one_type, other, other_type)
            if item is None:
                return None
            items.append(item)
        for expr in (lhs, rhs):
            _note_parts(checker, expr)
        return TupleType(tuple(items))
    return promote(left, right)


def _is_written(checker: Checker, expr: syntax.Expr | None) -> bool:
    if expr is None:
        return False
    return (
        number_written(checker, expr) is not None
        or complex_constant(checker.checked, expr) is not None
    )


def _parts(expr: syntax.Expr | None, type: TupleType) -> Sequence[syntax.Expr | None]:
    return expr.items if isinstance(expr, syntax.TupleExpr) else [None] * len(type.items)


def _note_parts(checker: Checker, expr: syntax.Expr | None) -> None:
    """Note the type of a tuple whose parts may have another one by now."""
    if isinstance(expr, syntax.TupleExpr):
        types = tuple(checker.checked.types[item] for item in expr.items)
        if not any(map(has_unknown, types)):
            checker.checked.types[expr] = TupleType(types)
