"""The machine code of functions of complex numbers, by functions of their parts.

    exp(x + iy) = exp(x) cos(y) + i exp(x) sin(y)

Branch cuts, signs of zeros and what becomes of infinities are those of C's library, and so NumPy's.
Where a factor overflows that another one makes small again, both are scaled.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp as exp_of
from math import inf, nan

from diablo.dialects.functions import angles, circular, exponentials, logarithms, roots
from diablo.dialects.functions.formulas import (
    Condition,
    Formula,
    product_and_error,
    sum_and_error,
)

_FAR = 700.0
"""From here on exp(x) is computed as exp(x - 600) exp(600): it may overflow where a product of it
does not."""
_BACK = 600.0
_MOST_SINGLE, _MOST_DOUBLE = 3.4028235677973366e38, 1.7976931348623157e308
"""What more than rounds to infinity, in 32 and in 64 bits."""
_LN_2 = 0.6931471805599453
_LOG2_E = 1.4426950408889634
_LOG10_E = 0.4342944819032518


@dataclass(frozen=True, eq=False)
class ComplexFormula:
    """A complex number, by its parts, which may be floats of 32 bits that are `widened`."""

    re: Formula
    im: Formula
    widened: bool = False

    def turned(self) -> ComplexFormula:
        """Return i times the number."""
        return ComplexFormula(-self.im, self.re)

    def turned_back(self) -> ComplexFormula:
        """Return -i times the number."""
        return ComplexFormula(self.im, -self.re)

    def scaled(self, factor: float | Formula) -> ComplexFormula:
        """Return both parts times a number."""
        return ComplexFormula(self.re * factor, self.im * factor)


def is_nan(z: ComplexFormula) -> Condition:
    """Return whether a part is no number."""
    return z.re.is_nan() | z.im.is_nan()


def is_infinite(z: ComplexFormula) -> Condition:
    """Return whether a part is an infinity."""
    return z.re.is_infinite() | z.im.is_infinite()


def absolute(z: ComplexFormula) -> Formula:
    """The distance from 0: squares of floats of 32 bits neither overflow nor vanish."""
    if not z.widened:
        return roots.hypot(z.re, z.im)
    root = (z.re * z.re + z.im * z.im).sqrt()
    return is_infinite(z).choose(root.number(inf), root)


def angle(z: ComplexFormula) -> Formula:
    """The angle, from -pi to pi."""
    return angles.atan2(z.im, z.re)


def _is_no_angle(y: Formula) -> Condition:
    """Return whether it has neither sine nor cosine: an infinity, or NaN."""
    return (y - y).is_nan()


def _hyperbolic_and_circular(
    z: ComplexFormula,
) -> tuple[Formula, Formula, Formula, Formula, Formula]:
    """Return sinh and cosh of `z.re`, sin and cos of `z.im`, and what the first two lack.

    Where `z.re` is far they are of what is `_BACK` nearer to 0, and lack exp(_BACK).
    """
    x = z.re
    far = abs(x) > _FAR
    near = far.choose((abs(x) - _BACK).with_sign_of(x), x)
    factor = far.choose(x.number(exp_of(_BACK)), 1.0)
    of_sinh, of_cosh = exponentials.sinh_and_cosh(near)
    sine, cosine = circular.sin_and_cos(z.im)
    return of_sinh, of_cosh, sine, cosine, factor


def exp(z: ComplexFormula) -> ComplexFormula:
    """exp(x) cos(y) + i exp(x) sin(y)."""
    x, y = z.re, z.im
    far = x > _FAR
    power = exponentials.exp(far.choose(x - _BACK, x))
    factor = far.choose(x.number(exp_of(_BACK)), 1.0)
    sine, cosine = circular.sin_and_cos(y)
    re, im = power * cosine * factor, power * sine * factor
    im = y.equals(0.0).choose(y, im)
    no_angle, zero = _is_no_angle(y), x.number(0.0)
    nothing = no_angle & x.equals(-inf)
    re = nothing.choose(zero, (no_angle & x.equals(inf)).choose(x, re))
    return ComplexFormula(re, nothing.choose(zero, im))


def log(z: ComplexFormula) -> ComplexFormula:
    """The logarithm of the distance from 0, and the angle."""
    return ComplexFormula(log_of_distance(z), angle(z))


def log_of_distance(z: ComplexFormula) -> Formula:
    """log(|z|); near 1 that is log(1 + (x^2 + y^2 - 1)) / 2, of which no digit is lost."""
    x, y = abs(z.re), abs(z.im)
    less = x < y
    a, b = less.choose(y, x), less.choose(x, y)
    near = (a > 0.5) & (a < 1.5)
    # Elsewhere the numbers may be any, so that products of them are none.
    one = a.number(1.0)
    a_near, b_near = near.choose(a, one), near.choose(b, one)
    square, square_rest = product_and_error(a_near, a_near)
    other, other_rest = product_and_error(b_near, b_near)
    head, lost = sum_and_error(square, -1.0)
    more, more_lost = sum_and_error(head, other)
    rest = lost + more_lost + (square_rest + other_rest)
    of_near = logarithms.log_of_one_more(more, rest) * 0.5
    if z.widened:
        return near.choose(of_near, logarithms.log(absolute(z)))
    large, small = a > 2.0**1000, a < 2.0**-900
    scale = large.choose(one.number(2.0**-10), small.choose(one.number(2.0**200), one))
    by = large.choose(one.number(10.0), small.choose(one.number(-200.0), 0.0))
    far = logarithms.log(roots.hypot(a * scale, b * scale)) + by * _LN_2
    return near.choose(of_near, far)


def log1p(z: ComplexFormula) -> ComplexFormula:
    """log(1 + z), whose real part is log(1 + (2x + x^2 + y^2)) / 2 near 0."""
    x, y, one = z.re, z.im, z.re.number(1.0)
    moved = ComplexFormula(x + 1.0, y, z.widened)
    near = (abs(x) < 0.5) & (abs(y) < 1.0)
    x_near, y_near = near.choose(x, one), near.choose(y, one)
    square, square_rest = product_and_error(x_near, x_near)
    other, other_rest = product_and_error(y_near, y_near)
    head, lost = sum_and_error(x_near + x_near, other)
    more, more_lost = sum_and_error(head, square)
    rest = lost + more_lost + (square_rest + other_rest)
    of_near = logarithms.log_of_one_more(more, rest) * 0.5
    return ComplexFormula(near.choose(of_near, log_of_distance(moved)), angle(moved))


def expm1(z: ComplexFormula) -> ComplexFormula:
    """exp(z) - 1: its real part is expm1(x) cos(y) - 2 sin(y / 2)^2."""
    sine, cosine = circular.sin_and_cos(z.im)
    half = circular.sin(z.im * 0.5)
    re = exponentials.expm1(z.re) * cosine - 2.0 * half * half
    return ComplexFormula(re, exponentials.exp(z.re) * sine)


def exp2(z: ComplexFormula) -> ComplexFormula:
    """2 to a power."""
    return exp(z.scaled(_LN_2))


def _product(a: ComplexFormula, b: ComplexFormula) -> ComplexFormula:
    return ComplexFormula(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)


def _chosen(condition: Condition, a: ComplexFormula, b: ComplexFormula) -> ComplexFormula:
    return ComplexFormula(condition.choose(a.re, b.re), condition.choose(a.im, b.im))


def _reciprocal(z: ComplexFormula) -> ComplexFormula:
    """1 / z, by the ratio of the smaller part to the larger one."""
    x, y, one = z.re, z.im, z.re.number(1.0)
    high = abs(x) < abs(y)
    large, small = high.choose(y, x), high.choose(x, y)
    ratio = small / large
    scale = one / (large + small * ratio)
    by_ratio = ratio * scale
    return ComplexFormula(high.choose(by_ratio, scale), -high.choose(scale, by_ratio))


_MOST_SQUARED = 100
"""Integers from here on are powers by a logarithm, as NumPy has it."""


def power(base: ComplexFormula, exponent: ComplexFormula) -> ComplexFormula:
    """exp(exponent log(base)); to a small integer by products."""
    one, zero = base.re.number(1.0), base.re.number(0.0)
    unit = ComplexFormula(one, zero)
    size = abs(exponent.re)
    flat = exponent.im.equals(0.0)
    by_products = flat & (size < _MOST_SQUARED) & size.equals(size.trunc())
    left = by_products.choose(size, zero)
    made, square = unit, base
    is_first = Condition((zero < 0.0).value, zero.steps)
    for bit in range(_MOST_SQUARED.bit_length()):
        half = (left * 0.5).trunc()
        is_set = left > half + half
        product = _chosen(is_first, _product(made, square), square)
        made = _chosen(is_set, product, made)
        is_first = is_first | is_set
        left = half
        if bit + 1 < _MOST_SQUARED.bit_length():
            square = _product(square, square)
    made = _chosen(exponent.re < 0.0, _reciprocal(made), made)
    general = exp(_product(exponent, log(base)))
    found = _chosen(by_products, made, general)
    nothing = base.re.equals(0.0) & base.im.equals(0.0)
    vanishes = nothing & (exponent.re > 0.0)
    none = ComplexFormula(one.number(nan), one.number(nan))
    found = _chosen(nothing, none, found)
    found = _chosen(vanishes, ComplexFormula(zero, zero), found)
    return _chosen(flat & exponent.re.equals(0.0), unit, found)


def sign(z: ComplexFormula) -> ComplexFormula:
    """z / |z|, of 0 itself; where |z| overflows, along an axis, the real one if x is infinite."""
    x, y, one = z.re, z.im, z.re.number(1.0)
    zero, none = x.number(0.0), x.number(nan)
    size = absolute(z)
    nothing = size.equals(0.0)
    below = nothing.choose(one, size)
    re, im = nothing.choose(zero, x / below), nothing.choose(zero, y / below)
    endless = size > (_MOST_SINGLE if z.widened else _MOST_DOUBLE)
    flat, high = x.is_infinite(), y.is_infinite()
    re = endless.choose(flat.choose(high.choose(none, one.with_sign_of(x)), zero), re)
    im = endless.choose(flat.choose(high.choose(none, zero), one.with_sign_of(y)), im)
    return ComplexFormula(re, im)


def log2(z: ComplexFormula) -> ComplexFormula:
    """The logarithm to the base 2."""
    return log(z).scaled(_LOG2_E)


def log10(z: ComplexFormula) -> ComplexFormula:
    """The logarithm to the base 10."""
    return log(z).scaled(_LOG10_E)


def sqrt(z: ComplexFormula) -> ComplexFormula:
    """t + i y / 2t for x from 0 on, with t = sqrt((|x| + |z|) / 2); else |y| / 2t + i t."""
    x, y, one = z.re, z.im, z.re.number(1.0)
    wide, high = abs(x), abs(y)
    largest = (wide < high).choose(high, wide)
    large, small = largest > 2.0**1000, largest < 2.0**-900
    scale = large.choose(one.number(2.0**-100), small.choose(one.number(2.0**200), one))
    back = large.choose(one.number(2.0**50), small.choose(one.number(2.0**-100), one))
    wide, high = wide * scale, high * scale
    root = ((wide + roots.hypot(wide, high)) * 0.5).sqrt()
    other = high / (root + root)
    root, other = root * back, other * back
    left = x < 0.0
    re, im = left.choose(other, root), left.choose(root, other)
    nothing = x.equals(0.0) & y.equals(0.0)
    re, im = nothing.choose(abs(x), re), nothing.choose(y, im)
    # Along the axis of an infinite part the other one vanishes.
    zero, infinite = x.number(0.0), x.number(inf)
    to_right, to_left = x.equals(inf), x.equals(-inf)
    re = to_right.choose(infinite, to_left.choose(y.is_nan().choose(y, zero), re))
    im = to_left.choose(infinite, to_right.choose(y.is_nan().choose(y, zero), im))
    upright = y.is_infinite()
    re, im = upright.choose(infinite, re), upright.choose(infinite, im)
    return ComplexFormula(re, im.with_sign_of(y))


def sinh(z: ComplexFormula) -> ComplexFormula:
    """sinh(x) cos(y) + i cosh(x) sin(y)."""
    x, y = z.re, z.im
    of_sinh, of_cosh, sine, cosine, factor = _hyperbolic_and_circular(z)
    re, im = of_sinh * cosine * factor, of_cosh * sine * factor
    im = y.equals(0.0).choose(y, im)
    no_angle = _is_no_angle(y)
    re = (no_angle & x.equals(0.0)).choose(x, (no_angle & x.is_infinite()).choose(abs(x), re))
    return ComplexFormula(re, im)


def cosh(z: ComplexFormula) -> ComplexFormula:
    """cosh(x) cos(y) + i sinh(x) sin(y)."""
    x, y = z.re, z.im
    of_sinh, of_cosh, sine, cosine, factor = _hyperbolic_and_circular(z)
    re, im = of_cosh * cosine * factor, of_sinh * sine * factor
    left = x.with_sign_of(x).bits() < 0
    im = y.equals(0.0).choose(left.choose(-y, y), im)
    no_angle = _is_no_angle(y)
    im = (no_angle & x.equals(0.0)).choose(x.number(0.0), im)
    return ComplexFormula((no_angle & x.is_infinite()).choose(abs(x), re), im)


def sin(z: ComplexFormula) -> ComplexFormula:
    """-i sinh(iz)."""
    return sinh(z.turned()).turned_back()


def cos(z: ComplexFormula) -> ComplexFormula:
    """cosh(iz)."""
    return cosh(z.turned())


def tanh(z: ComplexFormula) -> ComplexFormula:
    """(sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2).

    Beyond 22 the real part is 1, and what is below the other one exp(2 |x|) / 4.
    """
    x, y, one = z.re, z.im, z.re.number(1.0)
    of_sinh, of_cosh = exponentials.sinh_and_cosh(x.at_most(22.0).at_least(-22.0))
    sine, cosine = circular.sin_and_cos(y)
    below = of_sinh * of_sinh + cosine * cosine
    re, im = of_sinh * of_cosh / below, sine * cosine / below
    far = abs(x) > 22.0
    re = far.choose(one.with_sign_of(x), re)
    im = far.choose(4.0 * sine * cosine * exponentials.exp(-2.0 * abs(x)), im)
    no_angle = _is_no_angle(y)
    re = (no_angle & x.equals(0.0)).choose(x, (no_angle & far).choose(y - y, re))
    im = y.equals(0.0).choose(y, im)
    endless = x.is_infinite()
    nothing = no_angle.choose(x.number(0.0).with_sign_of(y), im)
    return ComplexFormula(endless.choose(one.with_sign_of(x), re), endless.choose(nothing, im))


def tan(z: ComplexFormula) -> ComplexFormula:
    """-i tanh(iz)."""
    return tanh(z.turned()).turned_back()
