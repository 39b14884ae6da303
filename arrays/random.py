"""Random arrays: numbers that depend on a seed and on where they are, and on nothing else.

    rng = da.random.default_rng(7)
    rng.normal(size=(1000, 1000))[:10]      # computes ten rows

Every engine and block size gives the same numbers, and a part of an array is the same as that part
computed alone. Each call has numbers of its own. They are those of a counter-based generator made
of splitmix64's finalizer (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
OOPSLA 2014), the same as `random()` of the language.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from diablo.array import elementwise_functions as elementwise
from diablo.array.data_types import astype
from diablo.array.generated_operations import randoms
from diablo.array.lazy_array import Array, node_of
from diablo.array.statistical_functions import argsort
from diablo.array.view_operations import broadcasted

__all__ = ["Generator", "default_rng"]

_CIRCLE = 6.283185307179586
_MOST = 1 << 53
"""How many numbers a generator of 53 bits chooses among."""


def _shape(size: Any) -> tuple[int, ...]:
    if size is None:
        return ()
    return tuple(map(int, size)) if hasattr(size, "__iter__") else (int(size),)


class Generator:
    """Makes random arrays, each other ones: the same for a seed in each process.

    The methods are named as those of NumPy's generators, and take the same arguments.
    """

    def __init__(self, seed: int | None = None):
        self._state = secrets.randbits(63) if seed is None else int(seed)
        self._calls = 0

    def random(self, size: Any = None) -> Array:
        """Return numbers in [0, 1), of type float64."""
        self._calls += 1
        # A seed for each call, far from those of other seeds: the product is a bijection.
        seed = (self._state * 0x9E3779B97F4A7C15 + self._calls * 0xD1B54A32D192ED03) % (1 << 64)
        return Array(randoms(seed - (1 << 64) if seed >> 63 else seed, _shape(size)))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Array:
        """Return numbers in [low, high), of type float64; the bounds may be arrays."""
        bottom, top = Array(node_of(low)), Array(node_of(high))
        return bottom + (top - bottom) * self.random(self._broadcast(size, bottom, top))

    def standard_normal(self, size: Any = None) -> Array:
        """Return numbers of the normal distribution of mean 0 and variance 1 (Box and Muller)."""
        distance = elementwise.sqrt(-2.0 * elementwise.log1p(-self.random(size)))
        return distance * elementwise.cos(_CIRCLE * self.random(size))

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Array:
        """Return numbers of a normal distribution; mean and deviation may be arrays."""
        middle, spread = Array(node_of(loc)), Array(node_of(scale))
        return middle + spread * self.standard_normal(self._broadcast(size, middle, spread))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Array:
        """Return numbers of the exponential distribution of a mean, which may be an array."""
        mean = Array(node_of(scale))
        return mean * -elementwise.log1p(-self.random(self._broadcast(size, mean)))

    def integers(
        self,
        low: int,
        high: int | None = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Array:
        """Return integers from `low` to `high`, which is one of them with `endpoint` alone.

        Raises
        ------
        ValueError
            If there is none, or there are more than 2^53.
        """
        first, behind = (0, int(low)) if high is None else (int(low), int(high))
        count = behind + bool(endpoint) - first
        if not 0 < count <= _MOST:
            raise ValueError(f"there are {count} integers to choose among, not 1 to 2^53")
        chosen = elementwise.floor(self.random(size) * float(count))
        return astype(astype(chosen, np.dtype(np.int64)) + first, dtype)

    def permutation(self, count: int) -> Array:
        """Return the numbers from 0 to a count, exclusive, in a random order."""
        return argsort(self.random(count))

    def _broadcast(self, size: Any, *arrays: Array) -> tuple[int, ...]:
        """Return the shape that is asked for, else that of arrays beside each other."""
        wanted = np.broadcast_shapes(*[array.shape for array in arrays])
        if size is None:
            return wanted
        shape = _shape(size)
        for array in arrays:
            broadcasted(array.node, shape)  # An error is found now.
        return shape


def default_rng(seed: int | None = None) -> Generator:
    """Return a generator of random arrays; without a seed one of its own each time."""
    return Generator(seed)
