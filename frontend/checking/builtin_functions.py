"""The functions that every program may call: the tables that checker and importer read."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, math
from xdsl.ir import Operation

from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    STRING,
    ListType,
    ScalarType,
    Type,
)


@dataclass(frozen=True)
class BuiltinFunction:
    """A function on numbers.

    `floating` is its op on `Float` and `Double`, `integer` on `Int`; without one an `Int`
    argument is promoted to `Double`.
    """

    arity: int
    floating: type[Operation]
    integer: type[Operation] | None = None


FUNCTIONS: dict[str, BuiltinFunction] = {
    "abs": BuiltinFunction(1, math.AbsFOp, math.AbsIOp),
    "sqrt": BuiltinFunction(1, math.SqrtOp),
    "exp": BuiltinFunction(1, math.ExpOp),
    "exp2": BuiltinFunction(1, math.Exp2Op),
    "log": BuiltinFunction(1, math.LogOp),
    "log2": BuiltinFunction(1, math.Log2Op),
    "log10": BuiltinFunction(1, math.Log10Op),
    "sin": BuiltinFunction(1, math.SinOp),
    "cos": BuiltinFunction(1, math.CosOp),
    "tan": BuiltinFunction(1, math.TanOp),
    "asin": BuiltinFunction(1, math.AsinOp),
    "acos": BuiltinFunction(1, math.AcosOp),
    "atan": BuiltinFunction(1, math.AtanOp),
    "sinh": BuiltinFunction(1, math.SinhOp),
    "cosh": BuiltinFunction(1, math.CoshOp),
    "tanh": BuiltinFunction(1, math.TanhOp),
    "cbrt": BuiltinFunction(1, math.CbrtOp),
    "floor": BuiltinFunction(1, math.FloorOp),
    "ceil": BuiltinFunction(1, math.CeilOp),
    "trunc": BuiltinFunction(1, math.TruncOp),
    "pow": BuiltinFunction(2, math.PowFOp),
    "atan2": BuiltinFunction(2, math.Atan2Op),
    "min": BuiltinFunction(2, arith.MinimumfOp, arith.MinSIOp),
    "max": BuiltinFunction(2, arith.MaximumfOp, arith.MaxSIOp),
}


@dataclass(frozen=True)
class StringFunction:
    """A function on strings, `f(s, …)` or `s.f(…)`; `name` is its name in the IR."""

    name: str
    parameters: tuple[ScalarType, ...]
    result: Type


STRING_FUNCTIONS: dict[str, StringFunction] = {
    "split": StringFunction("split", (STRING, STRING), ListType(STRING)),
    "contains": StringFunction("contains", (STRING, STRING), BOOLEAN),
    "startsWith": StringFunction("starts_with", (STRING, STRING), BOOLEAN),
    "endsWith": StringFunction("ends_with", (STRING, STRING), BOOLEAN),
    "substring": StringFunction("substring", (STRING, INT, INT), STRING),
    "charAt": StringFunction("char_at", (STRING, INT), CHAR),
    "indexOf": StringFunction("index_of", (STRING, STRING), INT),
    "replace": StringFunction("replace", (STRING, STRING, STRING), STRING),
    "toLower": StringFunction("lower", (STRING,), STRING),
    "toUpper": StringFunction("upper", (STRING,), STRING),
    "trim": StringFunction("trim", (STRING,), STRING),
}

CONVERSIONS: dict[str, dict[ScalarType, ScalarType]] = {
    "toInt": dict.fromkeys((STRING, CHAR, INT, FLOAT, DOUBLE), INT),
    "toDouble": dict.fromkeys((STRING, INT, FLOAT, DOUBLE), DOUBLE),
    "toString": dict.fromkeys((STRING, CHAR, INT, FLOAT, DOUBLE, BOOLEAN), STRING),
}
"""From the type of the argument to that of the result. A Char's Int is its code point, a
Double's is truncated; a string that is no number is an error while the program runs."""
