"""Values that are written out in the source: `3`, `-2.5`, `true`, `"text"`, `(0.0, -1)`."""

from __future__ import annotations

from math import inf

from diablo.frontend.checking.scope import Constant
from diablo.frontend.checking.types import RecordType, TupleType, Type, is_floating
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


def literal_of(expr: syntax.Expr) -> int | float | bool | str | None:
    """The value of a scalar that is written out: as `constant_of`, or a string or character."""
    if isinstance(expr, syntax.Literal):
        return expr.value
    return constant_of(expr)


def constant_value(expr: syntax.Expr, type: Type) -> Constant | None:
    """The value, as `type`, of a constant of any type; `inf` is the name of infinity."""
    match expr:
        case syntax.TupleExpr() if isinstance(type, TupleType | RecordType):
            return _all(expr.items, type.items)
        case syntax.RecordExpr() if isinstance(type, RecordType):
            values = dict(expr.fields)
            if values.keys() != set(type.names):
                return None
            return _all([values[name] for name in type.names], type.items)
        case syntax.Name() if expr.name == "inf":
            return inf
        case syntax.Unary() if expr.op == "-" and isinstance(expr.operand, syntax.Name):
            return -inf if expr.operand.name == "inf" else None
        case _:
            value = literal_of(expr)
            if is_floating(type) and isinstance(value, int):
                return float(value)
            return value


def _all(exprs: list[syntax.Expr], types: tuple[Type, ...]) -> Constant | None:
    if len(exprs) != len(types):
        return None
    values: list[Constant] = []
    for expr, type in zip(exprs, types, strict=True):
        value = constant_value(expr, type)
        if value is None:
            return None
        values.append(value)
    return tuple(values)
