"""Values that are written out in the source: `3`, `-2.5`, `true`, `"text"`, `(0.0, -1)`."""

from __future__ import annotations

from math import copysign, fmod, inf, isfinite, isnan, nan

from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Constant
from diablo.frontend.checking.types import RecordType, TupleType, Type, is_complex, is_floating
from diablo.frontend.parsing import syntax

_LEAST = -(2**63)


def constant_of(expr: syntax.Expr) -> int | float | bool | None:
    """The value of a number or truth value that is written out, with its sign."""
    if isinstance(expr, syntax.Unary) and expr.op == "-":
        value = constant_of(expr.operand)
        if value == _LEAST and isinstance(value, int):
            return value  # As integers of 64 bits wrap around.
        return None if value is None or isinstance(value, bool) else -value
    if isinstance(expr, syntax.Literal) and not isinstance(expr.value, str):
        return expr.value
    return None


def weak_value(expr: syntax.Expr) -> int | float | bool | None:
    """Return as `constant_of`, or the Double that is computed of such numbers alone: `1.0/3.0`."""
    value = constant_of(expr)
    if value is None and isinstance(value := _computed(expr), int):
        return None  # Integers that are computed are Ints.
    return value


def _computed(expr: syntax.Expr) -> int | float | None:
    match expr:
        case syntax.Literal(value=int() | float() as value, kind="Int" | "Double"):
            return value
        case syntax.Unary(op="-"):
            value = _computed(expr.operand)
            if isinstance(value, int):
                return operator_value("-", 0, value)
            return None if value is None else -value
        case syntax.Binary(op="+" | "-" | "*" | "/"):
            left, right = _computed(expr.lhs), _computed(expr.rhs)
            if left is None or right is None:
                return None
            return operator_value(expr.op, left, right)
        case _:
            return None


def operator_value(op: str, left: float, right: float) -> int | float | None:
    """Return the value of an arithmetic operator on two numbers.

    None of other operators, and of integers that have no such Int.
    """
    if not (isinstance(left, int) and isinstance(right, int)):
        left, right = float(left), float(right)
    match op:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "%" if not isinstance(left, int):
            result = fmod(left, right) if right and isfinite(left) else nan
        case "/" if right == 0:
            if isinstance(left, int):
                return None
            result = nan if not left or isnan(left) else copysign(inf, left) * copysign(1, right)
        case "/" if isinstance(left, int) and isinstance(right, int):
            result = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        case "/":
            result = left / right
        case _:
            return None
    return None if isinstance(result, int) and not _LEAST <= result < -_LEAST else result


def complex_constant(checked: Checked, expr: syntax.Expr) -> complex | None:
    """The value of `complex(a, b)`, or `2j`, of two numbers that are written out, with its sign."""
    if isinstance(expr, syntax.Unary) and expr.op == "-":
        value = complex_constant(checked, expr.operand)
        return None if value is None else -value
    if not isinstance(expr, syntax.Call) or expr.function != "complex" or expr.method:
        return None
    if expr in checked.functions or expr in checked.applications:
        return None  # It is a function of the program's own.
    parts = [constant_of(argument) for argument in expr.arguments]
    numbers = [part for part in parts if part is not None and not isinstance(part, bool)]
    return complex(*numbers) if len(numbers) == len(parts) == 2 else None


def literal_of(expr: syntax.Expr) -> int | float | bool | str | None:
    """The value of a scalar that is written out: as `constant_of`, or a string or character."""
    if isinstance(expr, syntax.Literal):
        return expr.value
    return constant_of(expr)


def constant_value(checked: Checked, expr: syntax.Expr, type: Type) -> Constant | None:
    """The value, as `type`, of a constant of any type; `inf` is the name of infinity."""
    match expr:
        case syntax.TupleExpr() if isinstance(type, TupleType | RecordType):
            return _all(checked, expr.items, type.items)
        case syntax.RecordExpr() if isinstance(type, RecordType):
            values = dict(expr.fields)
            if values.keys() != set(type.names):
                return None
            return _all(checked, [values[name] for name in type.names], type.items)
        case syntax.Name() if expr.name == "inf":
            return inf
        case syntax.Unary() if expr.op == "-" and isinstance(expr.operand, syntax.Name):
            return -inf if expr.operand.name == "inf" else None
        case _:
            value = literal_of(expr)
            if value is None and is_complex(type):
                return complex_constant(checked, expr)
            if is_floating(type) and isinstance(value, int):
                return float(value)
            return value


def _all(checked: Checked, exprs: list[syntax.Expr], types: tuple[Type, ...]) -> Constant | None:
    if len(exprs) != len(types):
        return None
    values: list[Constant] = []
    for expr, type in zip(exprs, types, strict=True):
        value = constant_value(checked, expr, type)
        if value is None:
            return None
        values.append(value)
    return tuple(values)
