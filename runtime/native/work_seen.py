"""How much work what can be compiled has done, by which it is found when machine code repays it.

worth_compiling("a kernel", 1 << 21)   ->  False
worth_compiling("a kernel", 1 << 21)   ->  True
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from diablo.runtime.native.compile_mode import has_seen_enough

WORTH_COMPILING = 1 << 22
"""From how many points on, over all calls in a process, a kernel is compiled.

A point with many reads counts several times, as its signature says. Counting points and not
seconds, equal runs take equal ways and give equal bits.
"""

LEAST_OF_CALL = 1 << 10
"""As how many points a call counts that has fewer: NumPy takes as long for each of its steps."""

_points_seen: OrderedDict[Hashable, int] = OrderedDict()
_MOST_SEEN = 4096
"""Of how many kernels it is known how much they have done: those that ran last."""


def worth_compiling(key: Hashable, points: int) -> bool:
    """Return whether the kernel known as `key` has seen enough, `points` more counted."""
    return pays_from(key, max(points, LEAST_OF_CALL), WORTH_COMPILING)


def pays_from(key: Hashable, points: int, enough: int) -> bool:
    """Return whether what is known as `key` has seen enough, `points` more counted."""
    return has_seen_enough(seen_by(key, points), enough)


def seen_by(key: Hashable, points: int) -> int:
    """Return how many points what is known as `key` has seen, `points` more counted."""
    seen = _points_seen[key] = _points_seen.pop(key, 0) + points
    while len(_points_seen) > _MOST_SEEN:
        _points_seen.popitem(last=False)
    return seen


def left_to_see(key: Hashable, enough: int) -> int:
    """Return how many points more what is known as `key` has to see to have seen enough."""
    return max(0, enough - _points_seen.get(key, 0))
