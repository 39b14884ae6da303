"""The functions that every program may call: the table that checker and importer read."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, math
from xdsl.ir import Operation


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
    "log": BuiltinFunction(1, math.LogOp),
    "sin": BuiltinFunction(1, math.SinOp),
    "cos": BuiltinFunction(1, math.CosOp),
    "tanh": BuiltinFunction(1, math.TanhOp),
    "floor": BuiltinFunction(1, math.FloorOp),
    "ceil": BuiltinFunction(1, math.CeilOp),
    "pow": BuiltinFunction(2, math.PowFOp),
    "min": BuiltinFunction(2, arith.MinimumfOp, arith.MinSIOp),
    "max": BuiltinFunction(2, arith.MaximumfOp, arith.MaxSIOp),
}
