"""Ranges of numbers: between which ones a value lies. They say nothing of NaN."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True)
class Interval:
    """The numbers from `low` to `high`."""

    low: float = -inf
    high: float = inf

    def __or__(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def __and__(self, other: Interval) -> Interval:
        return Interval(max(self.low, other.low), min(self.high, other.high))

    def __contains__(self, other: Interval) -> bool:
        return self.low <= other.low and other.high <= self.high


ANYTHING = Interval()
NOT_NEGATIVE = Interval(low=0)


def absolute(a: Interval) -> Interval:
    """Return where the magnitudes of the numbers of `a` lie."""
    low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return Interval(low, max(abs(a.low), abs(a.high)))


def least(a: Interval, b: Interval) -> Interval:
    """Return where the smaller of two numbers lies."""
    return Interval(min(a.low, b.low), min(a.high, b.high))


def greatest(a: Interval, b: Interval) -> Interval:
    """Return where the greater of two numbers lies."""
    return Interval(max(a.low, b.low), max(a.high, b.high))


def masked(a: Interval, b: Interval) -> Interval:
    """Return the range of the bits that two integers share: a mask of at least 0 bounds them."""
    masks = [side.high for side in (a, b) if side.low >= 0]
    return Interval(0, min(masks)) if masks else ANYTHING


def power(base: Interval, exponent: Interval) -> Interval:
    """Return where a power lies."""
    return NOT_NEGATIVE if base.low >= 0 else ANYTHING
