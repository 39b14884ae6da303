"""The interpreter's own evaluation of the functions on numbers: Python's, on Python's numbers.

The compiled paths compute a function with NumPy, SciPy or machine code, as its row of the table
of functions says. Here it is what Python's `math` module says, or the tables below, so that a
wrong row is found by comparing. Where Python raises, IEEE 754 has an infinity at a pole and NaN
elsewhere. A function that is known by its row alone is computed as the row says.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from diablo.dialects.functions.function_values import value_at
from diablo.dialects.functions.scalar_functions import Overload

WORD = 64
"""How many bits a word has, on which functions of integers work."""


def _sign(x: float) -> float:
    return x if math.isnan(x) else float((x > 0) - (x < 0))


def _least(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else min(a, b)


def _greatest(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else max(a, b)


def _least_number(a: float, b: float) -> float:
    return b if math.isnan(a) else a if math.isnan(b) else min(a, b)


def _greatest_number(a: float, b: float) -> float:
    return b if math.isnan(a) else a if math.isnan(b) else max(a, b)


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    """Return a rounding that keeps infinities, NaN and the sign of zero."""

    def rounded(x: float) -> float:
        return math.copysign(float(function(x)), x) if math.isfinite(x) else x

    return rounded


_ON_FLOATS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "complex": complex,
    "sign": _sign,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "round": _whole(round),
    "min": _least,
    "max": _greatest,
    "fmin": _least_number,
    "fmax": _greatest_number,
}
"""Functions of floats that are not in Python's `math` by their name, or are not the same."""


def _sign_of_integer(n: int) -> int:
    return (n > 0) - (n < 0)


def _shift_left(n: int, bits: int) -> int:
    return n * 2**bits if 0 <= bits < WORD else 0


def _shift_right(n: int, bits: int) -> int:
    return n // 2 ** (bits if 0 <= bits < WORD else WORD)


def _shift_right_unsigned(n: int, bits: int) -> int:
    return _shift_right(n % 2**WORD, bits)


_ON_INTEGERS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "sign": _sign_of_integer,
    "min": min,
    "max": max,
    "bitnot": int.__invert__,
    "bitand": int.__and__,
    "bitor": int.__or__,
    "bitxor": int.__xor__,
    "shl": _shift_left,
    "shr": _shift_right,
    "ushr": _shift_right_unsigned,
}


def _pole(name: str, x: float, *others: float) -> float:
    """Return the value where Python's function has none: an infinity at a pole, or NaN."""
    match name:
        case "log" | "log2" | "log10" if x == 0:
            return -math.inf
        case "log1p" if x == -1:
            return -math.inf
        case "atanh" if abs(x) == 1:
            return math.copysign(math.inf, x)
        case "gamma" if x == 0:
            return math.copysign(math.inf, x)
        case "lgamma":
            return math.inf
        case "pow" if x == 0:
            return math.copysign(math.inf, x) if others[0] % 2 == 1 else math.inf
        case _:
            return math.nan


def _too_large(name: str, x: float, *others: float) -> float:
    """Return the infinity that a result is which no float holds."""
    if name == "pow":
        return -math.inf if x < 0 and others[0] % 2 == 1 else math.inf
    odd = name in ("sinh", "gamma")
    return math.copysign(math.inf, x) if odd else math.inf


def own_function(name: str, on_floats: bool) -> Callable[..., Any] | None:
    """Return the function that the interpreter itself knows by this name, if it does."""
    table = _ON_FLOATS if on_floats else _ON_INTEGERS
    return table.get(name) or getattr(math, name, None)


_ON_COMPLEX: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "real": attrgetter("real"),
    "imag": attrgetter("imag"),
    "conj": complex.conjugate,
    "arg": cmath.phase,
}


def complex_value(name: str, overload: Overload, *numbers: complex) -> Any:
    """Return the value of a function on complex numbers."""
    function = _ON_COMPLEX.get(name) or getattr(cmath, name, None)
    try:
        value = value_at(overload, *numbers) if function is None else function(*numbers)
    except (ValueError, OverflowError):
        value = value_at(overload, *numbers)
    return value.item() if hasattr(value, "item") else value


def function_value(name: str, overload: Overload, numbers: list[Any], on_floats: bool) -> Any:
    """Return the value of a function on floats, or on integers."""
    function = own_function(name, on_floats)
    if function is None:
        return value_at(overload, *numbers)
    try:
        return function(*numbers)
    except ValueError:
        return _pole(name, *numbers)
    except OverflowError:
        return _too_large(name, *numbers)
