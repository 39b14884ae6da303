"""The machine code of inverse hyperbolic and circular functions of complex numbers.

asinh(x + iy), of positive parts, by the distances r and s of the number from -i and from i (Hull,
Fairgrieve and Tang, Implementing the Complex Arcsine and Arccosine Functions Using Exception
Handling, ACM TOMS 23, 1997):

    a = (r + s) / 2, real part log(a + sqrt(a^2 - 1)), imaginary part asin(y / a)

where what a exceeds 1 or y by is computed without a difference of near numbers. The others are
turned or mirrored. Branch cuts, signs of zeros and what becomes of infinities are those of C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log, pi

from diablo.dialects.functions import angles, logarithms, roots
from diablo.dialects.functions.complex_functions import (
    ComplexFormula,
    is_nan,
    log_of_distance,
)
from diablo.dialects.functions.formulas import Condition, Formula

_FAR = 2.0**52
"""Beyond this, asinh(z) is log(2 z)."""
_EPSILON = 2.0**-52
_TINY = 2.0**-500
"""Squares of what is smaller may vanish."""


def _excess(a: Formula, b: Formula, distance: Formula) -> Formula:
    """(`distance` - b) / 2, for the distance of (a, b) from 0."""
    below = distance + abs(b)
    below = below.equals(0.0).choose(a.number(1.0), below)
    return (b < 0.0).choose(below * 0.5, a * (a / below) * 0.5)


@dataclass(frozen=True)
class _Ellipse:
    """Of a number with positive parts: asinh's real part, and two sides with the other as angle."""

    re: Formula
    side: Formula
    """sqrt(a^2 - y^2), or a multiple of it."""
    y: Formula
    """y, or that multiple of it."""


def _ellipse(x: Formula, y: Formula) -> _Ellipse:
    one = x.number(1.0)
    above, below = y + 1.0, y - 1.0
    to_lower, to_upper = roots.hypot(x, above), roots.hypot(x, below)
    a = ((to_lower + to_upper) * 0.5).at_least(one)
    outer = _excess(x, above, to_lower)
    is_high = y > 1.0
    # Beside the axis of the branch points x decides nothing but how near they are.
    is_beside = x < abs(below) * _EPSILON
    product = (abs(below) * above).sqrt()
    over_one = outer + _excess(x, -below, to_upper)
    near = logarithms.log1p(over_one + (over_one * (a + 1.0)).sqrt())
    low = x / product.equals(0.0).choose(one, product)
    high = logarithms.log1p(is_high.choose(below, one) + is_high.choose(product, one))
    re = is_beside.choose(is_high.choose(high, low), near)
    over_y = outer + _excess(x, below, to_upper)
    # Of what lies beside the axis above, the sides are too small, and their multiple is taken.
    thin = is_beside & is_high
    large = x.number(2.0**106)
    side = (over_y * (a + y)).sqrt()
    side = thin.choose(x * large * (y / product.at_least(_TINY)), side)
    side = (is_beside & (y < 1.0)).choose(product, side)
    return _Ellipse(re, side, thin.choose(y * large, y))


def _is_far(z: ComplexFormula) -> Condition:
    return (abs(z.re) > _FAR) | (abs(z.im) > _FAR)


def _near(z: ComplexFormula) -> tuple[Formula, Formula]:
    """The parts without signs, or ones where the number is far."""
    far, one = _is_far(z), z.re.number(1.0)
    return far.choose(one, abs(z.re)), far.choose(one, abs(z.im))


def _odd(z: ComplexFormula, re: Formula, im: Formula) -> ComplexFormula:
    """The value of an odd function from its parts for a number of the first quadrant: a tiny number
    is its own."""
    tiny = (abs(z.re) < _TINY) & (abs(z.im) < _TINY)
    re, im = tiny.choose(abs(z.re), re), tiny.choose(abs(z.im), im)
    return ComplexFormula(re.with_sign_of(z.re), im.with_sign_of(z.im))


def _turned(
    function: Callable[[ComplexFormula], ComplexFormula], z: ComplexFormula
) -> ComplexFormula:
    """-i f(iz), of a function that is odd and whose values of conjugate numbers are conjugate."""
    made = function(ComplexFormula(z.im, z.re, z.widened))
    return ComplexFormula(made.im, made.re)


def asinh(z: ComplexFormula) -> ComplexFormula:
    """log(z + sqrt(z^2 + 1))."""
    x, y = _near(z)
    far = _is_far(z)
    found = _ellipse(x, y)
    re = far.choose(log_of_distance(z) + log(2), found.re)
    im = far.choose(angles.atan2(abs(z.im), abs(z.re)), angles.atan2(found.y, found.side))
    # What is no number has no angle, but on the real axis.
    im = z.im.equals(0.0).choose(abs(z.im), im)
    return _odd(z, re, im)


def asin(z: ComplexFormula) -> ComplexFormula:
    """-i asinh(iz)."""
    return _turned(asinh, z)


def acos(z: ComplexFormula) -> ComplexFormula:
    """pi/2 - asin(z)."""
    far = _is_far(z)
    wide, high = _near(z)
    found = _ellipse(high, wide)
    re = far.choose(
        abs(angles.atan2(z.im, z.re)), angles.atan2(found.side, found.y.with_sign_of(z.re))
    )
    im = far.choose(log_of_distance(z) + log(2), found.re)
    no_number = z.im.is_nan() & z.re.equals(0.0)
    re = no_number.choose(re.number(pi / 2), re)
    return ComplexFormula(re, im.with_sign_of(-z.im))


def acosh(z: ComplexFormula) -> ComplexFormula:
    """i acos(z), or -i acos(z), whichever lies to the right."""
    turned = acos(z)
    im = turned.re.with_sign_of(z.im)
    return ComplexFormula(abs(turned.im), im)


def atanh(z: ComplexFormula) -> ComplexFormula:
    """log((1 + z) / (1 - z)) / 2."""
    one, zero = z.re.number(1.0), z.re.number(0.0)
    x, y = _near(z)
    far = _is_far(z)
    below = 1.0 - x
    # The squares of the distances from 1, and from the circle.
    distance = roots.hypot(below, y)
    is_pole = distance.equals(0.0)
    divisor = is_pole.choose(one, distance)
    re = logarithms.log1p(4.0 * (x / divisor) / divisor) * 0.25
    close = x.equals(1.0) & (y < _EPSILON)
    re = close.choose((log(2) - logarithms.log(is_pole.choose(one, y))) * 0.5, re)
    re = is_pole.choose(one.number(inf), re)
    height = below * (1.0 + x) - y * y
    im = angles.atan2(y + y, height) * 0.5
    im = x.equals(1.0).choose(angles.atan2(one + one, -y) * 0.5, im)
    # Far away it is 1 / z, a quarter turn on.
    wide, high = abs(z.re), abs(z.im)
    is_finite = high < inf
    largest = (wide < high).choose(high, wide)
    endless = largest.is_infinite()
    largest = (far & (endless | is_nan(z))).choose(one, far.choose(largest, one))
    wide, high = wide / largest, high / largest
    reciprocal = wide / (wide * wide + high * high).at_least(_TINY) / largest
    reciprocal = (z.re.is_infinite() | z.im.is_infinite()).choose(zero, reciprocal)
    re = far.choose(reciprocal, re)
    im = far.choose(one.number(pi / 2), im)
    im = (z.im.is_nan()).choose(z.im, im)
    im = z.im.equals(0.0).choose((abs(z.re) > 1.0).choose(one.number(pi / 2), zero), im)
    im = (z.re.is_nan() & is_finite).choose(z.re, im)
    re = z.re.equals(0.0).choose(zero, re)
    return _odd(z, re, im)


def atan(z: ComplexFormula) -> ComplexFormula:
    """-i atanh(iz)."""
    return _turned(atanh, z)
