"""The machine code of powers.

x^y = exp(y log x), where the logarithm has some 15 bits more than a float: those of y, which may be
as large as 1075, would be missing from the result otherwise. With s = f / (2 + f), log(1 + f) =
2 s + s^3 (2/3 + s^2 (2/5 + …)); all but the last of these terms are pairs of floats.
"""

from __future__ import annotations

from math import inf, nan

from diablo.dialects.functions.exponentials import LN2_HIGH, LN2_LOW, exp_of_pair
from diablo.dialects.functions.formulas import (
    Formula,
    Pair,
    product_and_error,
    sum_and_error,
    sum_of_pair,
)
from diablo.dialects.functions.logarithms import split

_TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)
_TWO_FIFTHS = (0.4, -2.2204460492503132e-17)
# Of s^2 up to 0.0295: (log((1 + s) / (1 - s)) / s - 2 - 2/3 s^2 - 2/5 s^4) / s^6.
_REST = (
    0.285714285714286,
    0.22222222222140614,
    0.18181818226103133,
    0.1538460638538009,
    0.13334202317318575,
    0.11721803077704267,
    0.11566470570320757,
)


def _product(a: Pair, b: Pair) -> Pair:
    """The product of two pairs."""
    head, error = product_and_error(a[0], b[0])
    return head, a[0].near(b[1], a[1].near(b[0], error))


def _log(x: Formula) -> Pair:
    """log(x) for a positive finite `x`, within 2^-68 of itself."""
    k, scaled = split(x)
    f = scaled - 1
    divisor, lost = sum_and_error(f, 2.0)
    inverse = 1 / divisor
    quotient = f * inverse
    s = quotient, ((-quotient).fma(divisor, f) - quotient * lost) * inverse
    square = _product(s, s)
    head, error = sum_and_error(square[0] * square[0].polynomial(_REST), _TWO_FIFTHS[0])
    product, rest = _product(square, (head, error + _TWO_FIFTHS[1]))
    head, error = sum_and_error(product, _TWO_THIRDS[0])
    cubic, rest = _product(s, _product(square, (head, error + (rest + _TWO_THIRDS[1]))))
    head, error = sum_and_error(s[0] + s[0], cubic)
    rest = error + ((s[1] + s[1]) + rest)
    total, error = sum_and_error(k * LN2_HIGH, head)
    return sum_of_pair(total, error + k.near(LN2_LOW, rest))


def pow(x: Formula, y: Formula) -> Formula:
    """x^y; that of a negative number is one for integers y."""
    a, one, half = abs(x), x.number(1.0), y * 0.5
    log, log_rest = _log(a)
    log = a.equals(0.0).choose(x.number(-inf), a.equals(inf).choose(x.number(inf), log))
    exponent, error = product_and_error(log, y)
    value = exp_of_pair(exponent, log_rest.near(y, error))
    value = (a.equals(1.0) & y.is_infinite()).choose(one, value)
    broken = abs(y - y.trunc()) > 0.0
    odd = y.trunc().equals(y) & (abs(half - half.trunc()) > 0.0)
    value = (odd & (one.with_sign_of(x) < 0.0)).choose(-value, value)
    value = (broken & (x < 0.0) & (a < inf)).choose(x.number(nan), value)
    value = (x.is_nan() | y.is_nan()).choose(x + y, value)
    return (y.equals(0.0) | x.equals(1.0)).choose(one, value)
