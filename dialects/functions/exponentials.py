"""The machine code of exponential and hyperbolic functions.

All begin with x = k ln 2 + r for an integer k and |r| <= ln 2 / 2. With C = cosh(r), S = sinh(r),

    exp(x) = 2^k (C + S)        2 sinh(x) = 2^k ((C + S) - 2^-2k (C - S))

and so on. Where terms of different signs meet, the larger ones are added up with what rounding
takes from them, so that the result is within a unit in the last place.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

from diablo.dialects.functions.formulas import (
    Formula,
    Pair,
    Word,
    nearest,
    power_of_two,
    scaled,
    sum_and_error,
)

LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
"""ln 2 in two parts; the first has zeros at its end, so that an integer times it is exact."""
LN2_LOW = 1.90821492927058770002e-10

_LOWEST, _HIGHEST = -746.0, 710.0
"""Beyond these exp is 0 and infinity."""
_EXP = [1 / factorial(power) for power in range(14)]
# Of f up to 1/2: (2^f - 1) / f, and of r up to ln 2 / 2: (exp(r) - 1 - r) / r^2.
_EXP2 = (
    0.6931471805599453,
    0.24022650695910072,
    0.055504108664821625,
    0.00961812910762848,
    0.001333355814640647,
    0.00015403530393370734,
    1.5252733841556773e-05,
    1.3215486808705563e-06,
    1.0178057087733941e-07,
    7.0548973041554995e-09,
    4.4558179083360645e-10,
    2.5729324177362305e-11,
)
_EXP_CURVED = (
    0.5,
    0.16666666666666666,
    0.04166666666666668,
    0.008333333333333333,
    0.0013888888888878269,
    0.00019841269841262761,
    2.4801587338565345e-05,
    2.7557319248633827e-06,
    2.755726102934377e-07,
    2.5052069594795685e-08,
    2.0918961837795778e-09,
    1.6087177234380782e-10,
)
# Of r^2 up to (ln 2 / 2)^2: (sinh(r) / r - 1) / r^2 and (cosh(r) - 1) / r^2.
_SINH = (
    0.16666666666666669,
    0.008333333333330062,
    0.0001984126986305611,
    2.7557268456677055e-06,
    2.510038687728531e-08,
)
_COSH = (
    0.5,
    0.04166666666666668,
    0.0013888888888879073,
    2.4801587336444964e-05,
    2.7557263276494666e-07,
    2.091813860127328e-09,
)


def exp(x: Formula) -> Formula:
    """exp(x) = 2^k exp(r), where exp(r) is a polynomial of degree 13.

    NaN passes through every comparison and product.
    """
    x = x.at_least(_LOWEST).at_most(_HIGHEST)
    k, power = nearest(x * LOG2_E)
    r = k.near(-LN2_LOW, k.near(-LN2_HIGH, x))
    return scaled(r.polynomial(_EXP), power)


def exp2(x: Formula) -> Formula:
    """2^x = 2^k 2^f, whose f is exact."""
    x = x.at_least(-1080.0).at_most(1030.0)
    k, power = nearest(x)
    f = x - k
    return scaled(f.near(f.polynomial(_EXP2), 1.0), power)


def exp_of_pair(x: Formula, rest: Formula) -> Formula:
    """exp(x + rest), where `rest` is what `x` lacks.

    A large result has no digit less than a small one then, as a power needs it.
    """
    far = abs(x) > 1000.0
    rest = far.choose(x.number(0.0), rest)
    x = x.at_least(-1000.0).at_most(1000.0)
    k, power = nearest(x * LOG2_E)
    high, low = k.fma(-LN2_HIGH, x), k.fma(-LN2_LOW, rest)
    r = high + low
    rest = (high - r) + low
    head, error = sum_and_error(r, 1.0)
    tail = (r * r).near(r.polynomial(_EXP_CURVED), rest.near(r, rest))
    return scaled(head + (error + tail), power)


@dataclass(frozen=True)
class _Parts:
    """x = k ln 2 + r, with cosh(r) = 1 + `cosh` and sinh(r) = r + `sinh`."""

    k: Word
    r: Formula
    cosh: Formula
    sinh: Formula


def _parts(x: Formula) -> _Parts:
    k, power = nearest(x * LOG2_E)
    high, low = k.fma(-LN2_HIGH, x), k * -LN2_LOW
    r = high + low
    rest = (high - r) + low
    square = r * r
    cosh = square.near(square.polynomial(_COSH), r * rest)
    sinh = (square * r).near(square.polynomial(_SINH), rest)
    return _Parts(power, r, cosh, sinh)


def _sinh_and_cosh(x: Formula) -> tuple[Pair, Pair, Word]:
    """sinh(x) and cosh(x) times 2^(1-k), and k, for `x` from 0 on."""
    parts = _parts(x)
    r, k = parts.r, parts.k
    few = k.choose(k < 500, 500)
    t = power_of_two(few.number(0) - few - few)
    less, more = 1 - t, 1 + t
    less_rest, more_rest = (1 - less) - t, t - (more - 1)

    def sum_of(constant: Formula, factor: Formula, constant_rest: Formula, rest: Formula) -> Pair:
        product = factor * r
        head, error = sum_and_error(constant, product)
        lost = error + factor.fma(r, -product)
        lost = lost + constant_rest + rest * r
        return head, lost + constant.near(parts.cosh, factor * parts.sinh)

    sinh = sum_of(less, more, less_rest, more_rest)
    cosh = sum_of(more, less, more_rest, less_rest)
    return sinh, cosh, k


def sinh(x: Formula) -> Formula:
    """The hyperbolic sine."""
    (head, rest), _, k = _sinh_and_cosh(abs(x).at_most(_HIGHEST + 1))
    return scaled(head + rest, k - 1).with_sign_of(x)


def cosh(x: Formula) -> Formula:
    """The hyperbolic cosine."""
    _, (head, rest), k = _sinh_and_cosh(abs(x).at_most(_HIGHEST + 1))
    return scaled(head + rest, k - 1)


def sinh_and_cosh(x: Formula) -> tuple[Formula, Formula]:
    """The hyperbolic sine and cosine, which have most steps in common."""
    (sinh, sinh_rest), (cosh, cosh_rest), k = _sinh_and_cosh(abs(x).at_most(_HIGHEST + 1))
    sine = scaled(sinh + sinh_rest, k - 1).with_sign_of(x)
    return sine, scaled(cosh + cosh_rest, k - 1)


def tanh(x: Formula) -> Formula:
    """The hyperbolic tangent: a quotient, and what is missing from it. Beyond 22 it is 1."""
    (dividend, more), (divisor, less), _ = _sinh_and_cosh(abs(x).at_most(22.0))
    above, below = dividend + more, divisor + less
    inverse = 1 / below
    quotient = above * inverse
    rest = (dividend - above) + more - quotient * ((divisor - below) + less)
    missing = (-quotient).fma(below, above) + rest
    return missing.near(inverse, quotient).with_sign_of(x)


def expm1(x: Formula) -> Formula:
    """exp(x) - 1 = 2^k ((1 - 2^-k) + r + …)."""
    parts = _parts(x.at_least(-40.0).at_most(_HIGHEST))
    few = parts.k.choose(parts.k < 1000, 1000)
    constant, lost = sum_and_error(-power_of_two(few.number(0) - few), 1.0)
    head, error = sum_and_error(constant, parts.r)
    value = head + ((error + lost) + (parts.cosh + parts.sinh))
    return scaled(value, parts.k).with_sign_of(x)
