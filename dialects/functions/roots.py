"""The machine code of roots."""

from __future__ import annotations

from math import inf

from diablo.dialects.functions.formulas import (
    Formula,
    power_of_two,
    product_and_error,
    sum_and_error,
)

# The cube root from 1 to 8, within a thousandth.
_CBRT = (
    0.5871060605973989,
    0.5261731113397572,
    -0.13454106706053937,
    0.024185983208285806,
    -0.0023085352472706675,
    8.813725863433583e-05,
)


def cbrt(x: Formula) -> Formula:
    """cbrt(x) = 2^k cbrt(m) for m from 1 to 8: one step of Halley's and one of Newton's method."""
    a = abs(x)
    small = a < 2.0**-1022
    bits = small.choose(a * 2.0**54, a).bits()
    k = ((((bits >> 52) + 2049) * 21846) >> 16) - 1024  # The exponent by 3, rounded down.
    m = (bits - ((k + k + k) << 52)).as_bits()
    root = m.polynomial(_CBRT)
    cube = root * root * root
    root = root * (cube + (m + m)) / ((cube + cube) + m)
    square, square_rest = product_and_error(root, root)
    missing = (-square).fma(root, m) - square_rest * root
    root = root + missing / (3 * square)
    root = root * power_of_two(k) * small.choose(x.number(2.0**-18), 1.0)
    same = a.equals(0.0) | a.equals(inf) | a.is_nan()
    return same.choose(x, root.with_sign_of(x))


def hypot(x: Formula, y: Formula) -> Formula:
    """sqrt(x^2 + y^2), whose squares neither overflow nor vanish."""
    one = x.number(1.0)
    x, y = abs(x), abs(y)
    less = x < y
    a, b = less.choose(y, x), less.choose(x, y)
    large, small = a > 2.0**500, a < 2.0**-500
    scale = large.choose(one.number(2.0**-600), small.choose(one.number(2.0**600), one))
    back = large.choose(one.number(2.0**600), small.choose(one.number(2.0**-600), one))
    a, b = a * scale, b * scale
    first, first_rest = product_and_error(a, a)
    second, second_rest = product_and_error(b, b)
    total, lost = sum_and_error(first, second)
    root = total.sqrt()
    missing = (-root).fma(root, total) + (lost + (first_rest + second_rest))
    root = (root + missing / (root + root).at_least(1e-300)) * back
    infinite = x.equals(inf) | y.equals(inf)
    return infinite.choose(one.number(inf), root)
