"""Combining two tiles, or two scalars, elementwise with a monoid.

totals = partial.reduceByKey(combine("add"), partitions)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.monoids import UFUNCS, Monoid, UserMonoid, combine_values

# An element that is not stored is zero, on both sides.
_SPARSE: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a.multiply(b),
    "min": lambda a, b: a.minimum(b),
    "max": lambda a, b: a.maximum(b),
    "and": lambda a, b: a.multiply(b),
    "or": lambda a, b: a + b,
}


class combine:
    """For `reduceByKey` and `fold`: joins two values of a monoid."""

    def __init__(self, monoid: Monoid):
        self.monoid = monoid

    def __call__(self, a: Any, b: Any) -> Any:
        """The two as one."""
        if isinstance(self.monoid, UserMonoid):
            return _combined(self.monoid, a, b)
        if isinstance(a, SparseTile):
            if isinstance(b, SparseTile):
                joined = _SPARSE[self.monoid](a.csr(), b.csr())
                return SparseTile.from_csr(joined, a.shape, a.dense_rank)
            a = a.toarray()
        elif isinstance(b, SparseTile):
            b = b.toarray()
        return combine_values(self.monoid, a, b)


def _combined(monoid: UserMonoid, a: Any, b: Any) -> Any:
    """Two values of a monoid of the program's own, which may give what is not implicit."""
    tiles = [value for value in (a, b) if isinstance(value, SparseTile)]
    dense = [value.toarray() if isinstance(value, SparseTile) else value for value in (a, b)]
    joined = monoid(*dense)
    return SparseTile.from_dense(joined, tiles[0].dense_rank) if len(tiles) == 2 else joined


class Accumulator:
    """A running result, which reuses its memory as soon as it has memory of its own."""

    def __init__(self, monoid: Monoid):
        self.monoid = monoid
        self.value: Any = None
        self.count = 0

    def add(self, value: Any) -> None:
        """Combine one more value into the result."""
        self.count += 1
        if self.count == 1:
            self.value = value
        elif isinstance(self.monoid, UserMonoid):
            self.value = combine(self.monoid)(self.value, value)
        elif self.count > 2 and _is_array(self.value) and _is_array(value):
            with np.errstate(all="ignore"):
                UFUNCS[self.monoid](self.value, value, out=self.value)
        else:
            self.value = combine(self.monoid)(self.value, value)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0
