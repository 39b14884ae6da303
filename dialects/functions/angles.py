"""The machine code of inverse trigonometric functions.

atan(y) is an odd polynomial for |y| up to tan(pi/8); other arguments are rotated there by a
multiple of pi/4. Quotients and roots come with what rounding takes from them.
"""

from __future__ import annotations

from math import inf, pi, tan

from diablo.dialects.functions.formulas import Formula, sum_and_error

_EIGHTH = 0.7853981633974483
"""pi/4 in two parts; up to four times the first is exact."""
_EIGHTH_REST = 3.061616997868383e-17
# Of y^2: (atan(y) / y - 1) / y^2, and (asin(y) / y - 1) / y^2.
_ATAN = (
    -0.3333333333333333,
    0.19999999999999815,
    -0.1428571428566242,
    0.11111111105389475,
    -0.09090908764335447,
    0.07692296667786433,
    -0.0666642981897296,
    0.0587898240043536,
    -0.05230825713485277,
    0.04553197788402659,
    -0.0346097393088223,
    0.016327069857732326,
)
_ASIN = (
    0.16666666666666666,
    0.07500000000000133,
    0.04464285714251768,
    0.030381944478572794,
    0.02237215730325793,
    0.017352820386962772,
    0.013963712349508758,
    0.011567256494476404,
    0.009615424311511512,
    0.009355028438338634,
    0.002912655342210531,
    0.01987233068010033,
    -0.01968633368592963,
    0.02988712406051475,
)


def _turned(
    turns: Formula, above: Formula, above_rest: Formula, below: Formula, below_rest: Formula
) -> Formula:
    """`turns` pi/4 + atan(above / below), of a small quotient of numbers with what they lack."""
    y = above / below
    missing = ((-y).fma(below, above) + above_rest - y * below_rest) / below
    square = y * y
    tail = (y * square).near(square.polynomial(_ATAN), missing * (1 - square))
    head, error = sum_and_error(turns * _EIGHTH, y)
    return head + (turns.near(_EIGHTH_REST, error) + tail)


def atan(x: Formula) -> Formula:
    """The arc tangent."""
    a = abs(x).at_most(1e300)
    one, zero = a.number(1.0), a.number(0.0)
    middle, high = a > tan(pi / 8), a > tan(3 * pi / 8)
    less, less_rest = sum_and_error(a, -1.0)
    more, more_rest = sum_and_error(a, 1.0)
    value = _turned(
        high.choose(a.number(2.0), middle.choose(one, zero)),
        high.choose(a.number(-1.0), middle.choose(less, a)),
        high.choose(zero, middle.choose(less_rest, zero)),
        high.choose(a, middle.choose(more, one)),
        high.choose(zero, middle.choose(more_rest, zero)),
    )
    return value.with_sign_of(x)


def atan2(y: Formula, x: Formula) -> Formula:
    """The angle of the point (x, y), from -pi to pi."""
    one, zero = x.number(1.0), x.number(0.0)
    wide, high = abs(x), abs(y)
    steep = high > wide
    small, large = steep.choose(wide, high), steep.choose(high, wide)
    # Infinities are as far as ones, and zeros lie on the axis.
    both = small.equals(inf)
    small = both.choose(one, large.equals(inf).choose(zero, small))
    large = (both | large.equals(inf) | large.equals(0.0)).choose(one, large)
    scale = (large > 2.0**1000).choose(
        x.number(2.0**-100), (large < 2.0**-500).choose(x.number(2.0**500), one)
    )
    small, large = small * scale, large * scale
    middle = small > large * tan(pi / 8)
    less, less_rest = sum_and_error(small, -large)
    more, more_rest = sum_and_error(small, large)
    # The angle to the nearer axis; then mirrored at the diagonal and at the y axis.
    turns = middle.choose(one, zero)
    turns = steep.choose(2 - turns, turns)
    left = x.with_sign_of(x).bits() < 0
    turns = left.choose(4 - turns, turns)
    above = middle.choose(less, small)
    above_rest = middle.choose(less_rest, zero)
    flipped = steep.differs(left)
    value = _turned(
        turns,
        flipped.choose(-above, above),
        flipped.choose(-above_rest, above_rest),
        middle.choose(more, large),
        middle.choose(more_rest, zero),
    )
    value = (x.is_nan() | y.is_nan()).choose(x + y, value)
    return value.with_sign_of(y)


def _half(a: Formula) -> tuple[Formula, Formula, Formula]:
    """For `a` above 1/2: s = sqrt((1 - a) / 2), what it lacks, and asin(s) = s + s * rest."""
    square = (1 - a) * 0.5
    root = square.sqrt()
    lacks = (-root).fma(root, square) / (root + root).at_least(1e-300)
    return root, lacks, square


def asin(x: Formula) -> Formula:
    """asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)) above 1/2."""
    a = abs(x)
    large = a > 0.5
    root, lacks, half = _half(a)
    square = large.choose(half, a * a)
    curved = square * square.polynomial(_ASIN)
    head, error = sum_and_error(a.number(2 * _EIGHTH), -(root + root))
    rest = root.near(curved, lacks)
    value = head + ((error + 2 * _EIGHTH_REST) - (rest + rest))
    return large.choose(value, a.near(curved, a)).with_sign_of(x)


def acos(x: Formula) -> Formula:
    """The arc cosine."""
    a = abs(x)
    large, left = a > 0.5, x < 0.0
    root, lacks, half = _half(a)
    square = large.choose(half, a * a)
    curved = square * square.polynomial(_ASIN)
    turns = large.choose(left.choose(x.number(4.0), 0.0), 2.0)
    angle, rest = root + root, root.near(curved, lacks)
    rest = rest + rest
    angle = large.choose(left.choose(-angle, angle), -x)
    rest = large.choose(left.choose(-rest, rest), -(x * curved))
    head, error = sum_and_error(turns * _EIGHTH, angle)
    return head + (turns.near(_EIGHTH_REST, error) + rest)
