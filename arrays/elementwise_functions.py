"""The standard's functions of the elements at one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import ELEMENTWISE, elementwise
from diablo.array.expression_graph import Node, scalar
from diablo.array.lazy_array import Array, is_sparse_operand, node_of, operands, powered

Function = Callable[..., Any]


def _unary(name: str, numpy_name: str = "") -> Function:
    operation = ELEMENTWISE[numpy_name or name]

    def function(x: Any, /) -> Any:
        if type(x) is not Array and is_sparse_operand(x):
            return operation.function(x)
        return Array(elementwise(operation, node_of(x)))

    return _named(function, name, f"Return `{numpy_name or name}` of each element.")


def _whole(name: str, numpy_name: str = "") -> Function:
    """Return a function that rounds, which leaves integers as they are."""
    operation = ELEMENTWISE[numpy_name or name]

    def function(x: Any, /) -> Any:
        if type(x) is not Array and is_sparse_operand(x):
            return x if x.dtype.kind in "biu" else operation.function(x)
        node = node_of(x)
        return Array(node if node.dtype.kind in "biu" else elementwise(operation, node))

    return _named(function, name, f"Return `{name}` of each element.")


def _binary(name: str, numpy_name: str = "") -> Function:
    operation = ELEMENTWISE[numpy_name or name]

    def function(x1: Any, x2: Any, /) -> Any:
        if is_sparse_operand(x1) or is_sparse_operand(x2):
            return operation.function(x1, x2)
        return Array(elementwise(operation, *operands(x1, x2)))

    return _named(function, name, f"Return `{numpy_name or name}` of the elements at each place.")


def _named(function: Function, name: str, text: str) -> Function:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


abs = _unary("abs", "absolute")
acos = _unary("acos", "arccos")
acosh = _unary("acosh", "arccosh")
asin = _unary("asin", "arcsin")
asinh = _unary("asinh", "arcsinh")
atan = _unary("atan", "arctan")
atanh = _unary("atanh", "arctanh")
bitwise_invert = _unary("bitwise_invert", "invert")
ceil = _whole("ceil")
conj = _unary("conj", "conjugate")
cos = _unary("cos")
cosh = _unary("cosh")
exp = _unary("exp")
expm1 = _unary("expm1")
floor = _whole("floor")
imag = _unary("imag")
isfinite = _unary("isfinite")
isinf = _unary("isinf")
isnan = _unary("isnan")
log = _unary("log")
log10 = _unary("log10")
log1p = _unary("log1p")
log2 = _unary("log2")
logical_not = _unary("logical_not")
negative = _unary("negative")
positive = _unary("positive")
real = _unary("real")
reciprocal = _unary("reciprocal")
round = _whole("round", "rint")
sign = _unary("sign")
signbit = _unary("signbit")
sin = _unary("sin")
sinh = _unary("sinh")
sqrt = _unary("sqrt")
square = _unary("square")
tan = _unary("tan")
tanh = _unary("tanh")
trunc = _whole("trunc")

add = _binary("add")
atan2 = _binary("atan2", "arctan2")
bitwise_and = _binary("bitwise_and")
bitwise_left_shift = _binary("bitwise_left_shift", "left_shift")
bitwise_or = _binary("bitwise_or")
bitwise_right_shift = _binary("bitwise_right_shift", "right_shift")
bitwise_xor = _binary("bitwise_xor")
copysign = _binary("copysign")
divide = _binary("divide")
equal = _binary("equal")
floor_divide = _binary("floor_divide")
greater = _binary("greater")
greater_equal = _binary("greater_equal")
hypot = _binary("hypot")
less = _binary("less")
less_equal = _binary("less_equal")
logaddexp = _binary("logaddexp")
logical_and = _binary("logical_and")
logical_or = _binary("logical_or")
logical_xor = _binary("logical_xor")
maximum = _binary("maximum")
minimum = _binary("minimum")
multiply = _binary("multiply")
nextafter = _binary("nextafter")
not_equal = _binary("not_equal")
remainder = _binary("remainder")
subtract = _binary("subtract")


def pow(x1: Any, x2: Any, /) -> Array:
    """Return the power of the elements at each place."""
    return Array(powered(*operands(x1, x2)))


def clip(x: Any, /, min: Any = None, max: Any = None) -> Array:
    """Return each element, or the bound that it is beyond."""
    node = node_of(x)
    if min is not None:
        node = elementwise(ELEMENTWISE["maximum"], node, _bound(min, node))
    if max is not None:
        node = elementwise(ELEMENTWISE["minimum"], node, _bound(max, node))
    return Array(node)


def _bound(value: Any, node: Node) -> Node:
    """Return a bound; a number that integers of the type do not reach is their last."""
    if isinstance(value, int) and node.dtype.kind in "iu":
        limits = np.iinfo(node.dtype)
        value = builtin_min(builtin_max(value, int(limits.min)), int(limits.max))
    return node_of(value, node.dtype)


builtin_min, builtin_max = min, max


def where(condition: Any, x1: Any, x2: Any, /) -> Array:
    """Return elements of one array where the condition is true, else of another one."""
    truth = node_of(condition)
    numbers = (bool, int, float, complex)
    if isinstance(x1, numbers) and isinstance(x2, numbers):
        one, other = np.asarray(x1), np.asarray(x2)
        dtype: Any = np.result_type(one, other)
        first, second = scalar(x1, dtype), scalar(x2, dtype)
    else:
        first, second = operands(x1, x2)
    return Array(elementwise(ELEMENTWISE["where"], truth, first, second))
