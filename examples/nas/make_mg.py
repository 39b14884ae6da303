"""The inputs of NAS MG: twenty charges in a cube, as NPB's `zran3` places them.

    problem = CLASSES["S"]
    mg(V=sparse_charges(problem), **inputs(problem))        # V as its 20 points
    mg(V=dense_charges(problem), **inputs(problem))         # the whole cube

The charges are at the ten largest and the ten smallest of n^3 numbers of NPB's generator,
x' = 5^13 x mod 2^46.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.sparse_tile import SparseTile

Numbers = NDArray[np.uint64]

A = (-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0)
"""The stencil: the weights of a point and of its neighbours at faces, edges and corners."""
_SMALL = (-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0)
_LARGE = (-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0)
_FACTOR, _SEED = 5**13, 314159265
_HALF, _BITS = 23, 46


@dataclass(frozen=True)
class MGClass:
    """One problem class: 2^levels points a side, the smoother, and the norm that verifies it."""

    levels: int
    iterations: int
    c: tuple[float, float, float, float]
    norm: float

    @property
    def n(self) -> int:
        """How many points the cube has a side."""
        return 1 << self.levels


CLASSES = {
    "S": MGClass(5, 4, _SMALL, 0.5307707005734e-04),
    "W": MGClass(7, 4, _SMALL, 0.6467329375339e-05),
    "A": MGClass(8, 4, _SMALL, 0.2433365309069e-05),
    "B": MGClass(8, 20, _LARGE, 0.1800564401355e-05),
    "C": MGClass(9, 20, _LARGE, 0.5706732285740e-06),
}


def _times(x: Numbers, factor: int) -> Numbers:
    """`x * factor` modulo 2^46, in halves that fit."""
    half = (1 << _HALF) - 1
    high, low = np.uint64(factor >> _HALF), np.uint64(factor & half)
    x_high, x_low = x >> np.uint64(_HALF), x & np.uint64(half)
    middle = (high * x_low + low * x_high) & np.uint64(half)
    return ((middle << np.uint64(_HALF)) + low * x_low) & np.uint64((1 << _BITS) - 1)


def random_numbers(count: int) -> Numbers:
    """The first numbers of the generator, as integers below 2^46."""
    numbers = np.empty(count, np.uint64)
    numbers[0] = _SEED * _FACTOR % (1 << _BITS)
    done, factor = 1, _FACTOR
    while done < count:
        more = min(done, count - done)
        numbers[done : done + more] = _times(numbers[:more], factor)
        factor = factor * factor % (1 << _BITS)
        done += more
    return numbers


def charges(problem: MGClass) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The points (i3, i2, i1) of the 20 charges, shape (20, 3), and the charges."""
    numbers = random_numbers(problem.n**3)
    least = np.argpartition(numbers, 10)[:10]
    most = np.argpartition(numbers, -10)[-10:]
    points = np.unravel_index(np.concatenate([least, most]), (problem.n,) * 3)
    return np.column_stack(points).astype(np.int64), np.repeat([-1.0, 1.0], 10)


def dense_charges(problem: MGClass) -> NDArray[np.float64]:
    """The right side as an array of n^3 numbers."""
    points, values = charges(problem)
    v = np.zeros((problem.n,) * 3)
    v[tuple(points.T)] = values
    return v


def sparse_charges(problem: MGClass) -> SparseTile:
    """The right side as an array that is sparse in all three dimensions."""
    points, values = charges(problem)
    return SparseTile.from_coordinates(list(points.T), values, (problem.n,) * 3, 0)


def inputs(problem: MGClass) -> dict[str, Any]:
    """The inputs of mg.diablo but for V."""
    return {
        "n": problem.n,
        "levels": problem.levels,
        "iterations": problem.iterations,
        "a": np.array(A),
        "c": np.array(problem.c),
    }
