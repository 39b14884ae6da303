"""Python's operators, each with the ufunc that it is on arrays, columns and elements.

OPERATORS: Operator("truediv", "divide", "/")    __truediv__ and __rtruediv__ are np.divide
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Operator:
    """An operator: what its method is called, its ufunc in NumPy, and how it is written."""

    method: str
    ufunc: str
    symbol: str

    @property
    def apply(self) -> Callable[..., Any]:
        """Python's function that applies it."""
        return getattr(operator, f"__{self.method}__")


OPERATORS = (
    Operator("add", "add", "+"),
    Operator("sub", "subtract", "-"),
    Operator("mul", "multiply", "*"),
    Operator("truediv", "divide", "/"),
    Operator("floordiv", "floor_divide", "//"),
    Operator("mod", "remainder", "%"),
    Operator("pow", "power", "**"),
    Operator("and", "bitwise_and", "&"),
    Operator("or", "bitwise_or", "|"),
    Operator("xor", "bitwise_xor", "^"),
    Operator("lshift", "left_shift", "<<"),
    Operator("rshift", "right_shift", ">>"),
)
"""Those of two values, which may also be the other way round: `__radd__`."""

COMPARISONS = (
    Operator("eq", "equal", "=="),
    Operator("ne", "not_equal", "!="),
    Operator("lt", "less", "<"),
    Operator("le", "less_equal", "<="),
    Operator("gt", "greater", ">"),
    Operator("ge", "greater_equal", ">="),
)


def comparable(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return what elements of a type are compared with for a number of Python's.

    An integer that none of them can be is beyond all of them, as an infinity is.
    """
    if type(value) is int and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            return inf if value > 0 else -inf
    return value


UNARY = (
    Operator("neg", "negative", "-"),
    Operator("pos", "positive", "+"),
    Operator("abs", "absolute", "abs"),
    Operator("invert", "invert", "~"),
)
