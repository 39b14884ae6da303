"""The machine code of the sine, the cosine and the tangent.

x = k pi/2 + r for an integer k and |r| <= pi/4, which is a pair of floats. Up to 2^40 the product
is taken from x in three parts (Cody and Waite). Beyond, x = m 2^e is multiplied by the bits of 2/pi
whose product with it is neither a whole turn nor too small to count (Payne and Hanek), in a branch:
few arguments are so large.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf

from diablo.dialects.functions.formulas import (
    Formula,
    Pair,
    Word,
    nearest,
    product_and_error,
    small_float,
    sum_and_error,
    sum_of_pair,
)

_QUARTER = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)
"""pi/2 in three parts."""
_QUARTERS = 0.6366197723675814
"""2/pi."""
_LARGE = 2.0**40
# Of r^2: (sin(r) / r - 1) / r^2, and (cos(r) - 1 + r^2 / 2) / r^4.
_SIN = (
    -0.16666666666666666,
    0.008333333333330925,
    -0.00019841269836722437,
    2.755731608382574e-06,
    -2.505112794596564e-08,
    1.591784866512194e-10,
)
_COS = (
    0.041666666666666664,
    -0.0013888888888887382,
    2.480158729874308e-05,
    -2.755731726001471e-07,
    2.0876143829213935e-09,
    -1.1382456865840483e-11,
)

# -- Arguments ----------------------------------------------------------------------------

_BITS = (
    0x00028BE60DB93910,
    0x54A7F09D5F47D4D3,
    0x77036D8A5664F10E,
    0x4107F9458EAF7AEF,
    0x1586DC91B8E90937,
    0x4B801924BBA82746,
    0x4873F877AC72C4A6,
    0x9CFBA208D7D4BAED,
    0x1213A671C09AD17D,
    0xF904E64758E60D4C,
    0xE7D272117E2EF7E4,
    0xA0EC7FE25FFF7816,
    0x603FBCBC462D6829,
    0xB47DB4D9FB3C9F2C,
    0x26DD3D18FD9A797F,
    0xA8B5D49EEB1FAF97,
    0xC5ECF41CE7DE294A,
    0x4BA9AFED7EC47E35,
    0x7421580CC11BF1ED,
)
"""The bits of 2/pi behind the point, and fourteen zeros before them."""
_BEFORE = 12
"""How far before the bits of weight 2 those begin that the least large argument needs."""
_LIMB = (1 << 32) - 1


@dataclass(frozen=True)
class _Turned:
    """An argument as `quarters` of a turn, of which the last two bits count, and the rest."""

    quarters: Word
    angle: Formula
    rest: Formula


def _turned(x: Formula) -> _Turned:
    """A number that is not negative as quarters of a turn."""
    k, quarters = nearest(x * _QUARTERS)
    # Exact: multiples of 2^-52 up to 1.
    head = k.fma(-_QUARTER[0], x)
    product, product_rest = product_and_error(k, k.number(_QUARTER[1]))
    angle, error = sum_and_error(head, -product)
    rest = (error - product_rest) - k * _QUARTER[2]
    angle, rest = sum_of_pair(angle, rest)
    # An infinity is no large number: it has become NaN.
    large = (x > _LARGE) & (x < inf)
    made = large.branch(lambda steps: _turned_far(Formula(x.value, steps)), (quarters, angle, rest))
    return _Turned(Word(made[0], x.steps), *[Formula(part, x.steps) for part in made[1:]])


def _turned_far(x: Formula) -> tuple[Word, Formula, Formula]:
    """The same of a large number."""
    bits = x.bits()
    significand = (bits & ((1 << 52) - 1)) | (1 << 52)
    place = bits.shifted_down(52) - (1075 - _BEFORE)
    product = _times(significand, _window(place))
    # The first limb has two bits before the point; the nearest integer may be above.
    first = product[0]
    quarters = (first + (1 << 29)).shifted_down(30)
    limbs = [first - (quarters << 30), *product[1:]]
    terms = [small_float(limb) * 2.0 ** (-30 - 32 * n) for n, limb in enumerate(limbs[:5])]
    high, high_rest = sum_and_error(terms[0], terms[1])
    low, low_rest = sum_and_error(terms[2], terms[3])
    head, rest = sum_and_error(high, low)
    head, rest = sum_of_pair(head, rest + (high_rest + (low_rest + terms[4])))
    angle, error = product_and_error(head, head.number(_QUARTER[0]))
    return quarters, *sum_of_pair(angle, head.near(_QUARTER[1], rest.near(_QUARTER[0], error)))


def _window(place: Word) -> list[Word]:
    """The 192 bits of 2/pi from a place on, as limbs of 32, the first one first."""
    # As integers with a sign.
    words = [place.number(word - (word >> 63 << 64)) for word in _BITS]
    number = place.shifted_down(6)
    for step in (8, 4, 2, 1):
        # As many words are left as steps that follow may go on by, and four.
        moved = (number & step).equals(0)
        words = [words[n].choose(moved, words[n + step]) for n in range(3 + step)]
    shift = place & 63
    back = shift ^ 63
    made: list[Word] = []
    for word, following in pairwise(words):
        whole = (word << shift) | following.shifted_down(1).shifted_down(back)
        made += [whole.shifted_down(32), whole & _LIMB]
    return made


def _times(significand: Word, limbs: list[Word]) -> list[Word]:
    """The product of 53 bits and limbs, without what is more than these hold."""
    low, high = significand & _LIMB, significand.shifted_down(32)
    product = list(limbs)
    carry = low.number(0)
    for n in reversed(range(len(limbs))):
        partial = low * limbs[n] + carry
        product[n], carry = partial & _LIMB, partial.shifted_down(32)
    carry = low.number(0)
    for n in reversed(range(len(limbs) - 1)):
        partial = high * limbs[n + 1] + product[n] + carry
        product[n], carry = partial & _LIMB, partial.shifted_down(32)
    return product


# -- Functions ----------------------------------------------------------------------------


def _sin(t: _Turned, square: Formula) -> Pair:
    """The sine of the rest of a turn."""
    r, rest = t.angle, t.rest
    return r, (square * r).near(square.polynomial(_SIN), rest.near(square * -0.5, rest))


def _cos(t: _Turned, square: Formula, square_rest: Formula) -> Pair:
    """The cosine of the rest of a turn."""
    half = square * 0.5
    head = 1 - half
    lost = ((1 - head) - half) - square_rest * 0.5
    curved = (square * square).near(square.polynomial(_COS), lost)
    return head, t.angle.near(-t.rest, curved)


def _sine(t: _Turned) -> Formula:
    """The sine of quarters of a turn and the rest."""
    square, square_rest = product_and_error(t.angle, t.angle)
    sin, sin_rest = _sin(t, square)
    cos, cos_rest = _cos(t, square, square_rest)
    even = (t.quarters & 1).equals(0)
    value = even.choose(sin, cos) + even.choose(sin_rest, cos_rest)
    return (value.bits() ^ ((t.quarters & 2) << 62)).as_bits()


def sin(x: Formula) -> Formula:
    """The sine."""
    value = _sine(_turned(abs(x)))
    sign = x.bits() & (-1 << 63)
    return (value.bits() ^ sign).as_bits()


def cos(x: Formula) -> Formula:
    """The cosine, which is the sine of a quarter of a turn more."""
    t = _turned(abs(x))
    return _sine(_Turned(t.quarters + 1, t.angle, t.rest))


def tan(x: Formula) -> Formula:
    """The tangent: a quotient, and what is missing from it."""
    t = _turned(abs(x))
    square, square_rest = product_and_error(t.angle, t.angle)
    sin, sin_rest = _sin(t, square)
    cos, cos_rest = _cos(t, square, square_rest)
    even = (t.quarters & 1).equals(0)
    above, below = even.choose(sin, -cos), even.choose(cos, sin)
    above, above_rest = sum_of_pair(above, even.choose(sin_rest, -cos_rest))
    below, below_rest = sum_of_pair(below, even.choose(cos_rest, sin_rest))
    inverse = 1 / below
    quotient = above * inverse
    missing = (-quotient).fma(below, above) + (above_rest - quotient * below_rest)
    value = missing.near(inverse, quotient)
    sign = x.bits() & (-1 << 63)
    return (value.bits() ^ sign).as_bits()


def sin_and_cos(x: Formula) -> tuple[Formula, Formula]:
    """The sine and the cosine, for which the argument is turned once."""
    t = _turned(abs(x))
    sign = x.bits() & (-1 << 63)
    sine = (_sine(t).bits() ^ sign).as_bits()
    return sine, _sine(_Turned(t.quarters + 1, t.angle, t.rest))
