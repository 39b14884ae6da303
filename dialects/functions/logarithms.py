"""The machine code of logarithms and of inverse hyperbolic functions.

log(u) = k ln 2 + log(1 + f) for an integer k and 1 + f from sqrt(1/2) to sqrt(2). With s = f /
(2 + f), log(1 + f) = f - (f^2/2 - s (f^2/2 + R)) for a polynomial R in s^2. The larger terms are
added up with what rounding takes from them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan

from diablo.dialects.functions.exponentials import LN2_HIGH, LN2_LOW
from diablo.dialects.functions.formulas import (
    Condition,
    Formula,
    Word,
    product_and_error,
    small_float,
    sum_and_error,
)

_HALF_ROOT_BITS = 0x3FE6A09E667F3BCD
"""The bits of sqrt(1/2)."""
_LOG2_E, _LOG2_E_REST = 1.4426950408889634, 2.0355273740931033e-17
"""1 / ln 2 in two parts."""
_LOG10_E, _LOG10_E_REST = 0.4342944819032518, 1.098319650216765e-17
"""1 / ln 10 in two parts."""
_LOG10_2 = 0.30102999566361177
"""ln 2 / ln 10 in two parts; the first ends with zeros, so that an integer times it is exact."""
_LOG10_2_REST = 3.694239077158931e-13
_LARGE = 2.0**28
"""Beyond this, x + sqrt(x^2 + 1) is 2 x."""
# Of s^2: (log((1 + s) / (1 - s)) / s - 2) / s^2.
_LOG = (
    0.6666666666666666,
    0.400000000000009,
    0.2857142857079088,
    0.22222222394481655,
    0.18181795354765554,
    0.15386254752140285,
    0.1326838084857783,
    0.13090631973202976,
)


def split(x: Formula) -> tuple[Formula, Formula]:
    """Return `k` and 1 + f with x = 2^k (1 + f), for a positive `x`."""
    small = x < 2.0**-1022
    k, scaled = _split(small.choose(x * 2.0**54, x))
    return small_float(k) - small.choose(x.number(54.0), 0.0), scaled


def _split(u: Formula) -> tuple[Word, Formula]:
    """`k` and 1 + f with u = 2^k (1 + f), for a positive normal `u`."""
    bits = u.bits()
    k = (bits - _HALF_ROOT_BITS) >> 52
    return k, (bits - (k << 52)).as_bits()


def _curve(f: Formula) -> tuple[Formula, Formula, Formula]:
    """`half`, its rest and `curved` with log(1 + f) = f - (half + rest - curved)."""
    s = f / (f + 2)
    square = s * s
    half = (f * 0.5) * f
    half_rest = (f * 0.5).fma(f, -half)
    return half, half_rest, s * square.near(square.polynomial(_LOG), half)


def _log(k: Formula, f: Formula, rest: Formula | float) -> Formula:
    """k ln 2 + log(1 + f) + `rest`."""
    half, half_rest, curved = _curve(f)
    head, error = sum_and_error(k * LN2_HIGH, f)
    tail = k.near(LN2_LOW, rest) + (error - half_rest)
    return head + (tail - (half - curved))


def _logarithm(x: Formula, of_parts: Callable[[Formula, Formula], Formula]) -> Formula:
    """A logarithm, of which `of_parts` is that of 2^k (1 + f)."""
    k, scaled = split(x)
    value = of_parts(k, scaled - 1)
    value = x.equals(inf).choose(x, value)
    value = x.equals(0.0).choose(x.number(-inf), value)
    return ((x < 0.0) | x.is_nan()).choose(x.number(nan), value)


def log(x: Formula) -> Formula:
    """The natural logarithm."""
    return _logarithm(x, lambda k, f: _log(k, f, 0.0))


def _of_other_base(
    k: Formula, f: Formula, two: tuple[float, float], e: tuple[float, float]
) -> Formula:
    """k `two` + log(1 + f) `e`, where these are the logarithms of 2 and of e."""
    half, half_rest, curved = _curve(f)
    head, error = sum_and_error(f, -half)
    tail = curved + (error - half_rest)
    product, lost = product_and_error(head, head.number(e[0]))
    lost = lost + head.near(e[1], tail * e[0])
    total, error = sum_and_error(k * two[0], product)
    return total + (error + k.near(two[1], lost))


def log2(x: Formula) -> Formula:
    """The logarithm to the base 2, which is exact for powers of 2."""
    e = (_LOG2_E, _LOG2_E_REST)
    return _logarithm(x, lambda k, f: _of_other_base(k, f, (1.0, 0.0), e))


def log10(x: Formula) -> Formula:
    """The logarithm to the base 10, which is exact for powers of 10."""
    two, e = (_LOG10_2, _LOG10_2_REST), (_LOG10_E, _LOG10_E_REST)
    return _logarithm(x, lambda k, f: _of_other_base(k, f, two, e))


def _log_of_sum(x: Formula, rest: Formula, large: Condition | None, huge: Formula) -> Formula:
    """log(1 + x + rest), or log(2 huge) where `huge` is large."""
    u, lost = sum_and_error(x, 1.0)
    lost = lost + rest
    if large is not None:
        u, lost = large.choose(huge, u), large.choose(u.number(0.0), lost)
    k, scaled = _split(u)
    near_one = k.equals(0)
    f = near_one.choose(x, scaled - 1)
    missing = near_one.choose(rest, lost) / u
    power = small_float(k)
    if large is not None:
        power = power + large.choose(u.number(1.0), 0.0)
    return _log(power, f, missing)


def log_of_one_more(x: Formula, rest: Formula) -> Formula:
    """log(1 + x + rest), where `rest` is what `x` lacks, for a positive finite sum."""
    return _log_of_sum(x, rest, None, x)


def log1p(x: Formula) -> Formula:
    """log(1 + x)."""
    value = _log_of_sum(x, x.number(0.0), None, x)
    value = (x.equals(0.0) | x.equals(inf)).choose(x, value)
    value = x.equals(-1.0).choose(x.number(-inf), value)
    return ((x < -1.0) | x.is_nan()).choose(x.number(nan), value)


def _root(square: Formula, rest: Formula) -> tuple[Formula, Formula]:
    """The square root of `square` + `rest`, and what it lacks."""
    root = square.sqrt()
    return root, ((-root).fma(root, square) + rest) / (root + root)


def asinh(x: Formula) -> Formula:
    """asinh(x) = log(1 + (x + x^2 / (1 + sqrt(1 + x^2)))) for positive x."""
    a = abs(x)
    square, square_rest = product_and_error(a, a)
    total, lost = sum_and_error(square, 1.0)
    root, root_rest = _root(total, lost + square_rest)
    divisor, lost = sum_and_error(root, 1.0)
    quotient = square / divisor
    missing = (-quotient).fma(divisor, square) + square_rest - quotient * (lost + root_rest)
    head, error = sum_and_error(a, quotient)
    value = _log_of_sum(head, error + missing / divisor, a > _LARGE, a)
    value = a.equals(0.0).choose(a, value)
    return (a.is_nan() | a.equals(inf)).choose(a, value).with_sign_of(x)


def acosh(x: Formula) -> Formula:
    """acosh(1 + t) = log(1 + (t + sqrt(2 t + t^2)))."""
    t = x - 1
    square, square_rest = product_and_error(t, t)
    total, lost = sum_and_error(t + t, square)
    root, root_rest = _root(total, lost + square_rest)
    head, error = sum_and_error(t, root)
    value = _log_of_sum(head, error + root_rest, x > _LARGE, x)
    value = x.equals(inf).choose(x, x.equals(1.0).choose(x.number(0.0), value))
    return ((x < 1.0) | x.is_nan()).choose(x.number(nan), value)


def atanh(x: Formula) -> Formula:
    """atanh(x) = log(1 + 2 x / (1 - x)) / 2 for positive x."""
    a = abs(x)
    twice = a + a
    divisor, lost = sum_and_error(-a, 1.0)
    quotient = twice / divisor
    missing = ((-quotient).fma(divisor, twice) - quotient * lost) / divisor
    value = 0.5 * _log_of_sum(quotient, missing, None, a)
    value = a.equals(0.0).choose(a, a.equals(1.0).choose(a.number(inf), value))
    return ((a > 1.0) | a.is_nan()).choose(a.number(nan), value).with_sign_of(x)
