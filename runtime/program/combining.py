"""Combining two tiles, or two scalars, elementwise with a monoid.

totals = partial.reduceByKey(combine("add"), partitions)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.monoid_table import monoid_named
from diablo.runtime.arrays.sparse_tile import SparseTile, in_scipy
from diablo.runtime.device.device_arrays import DeviceArray, combined, on_host
from diablo.runtime.monoid_ufuncs import Monoid, UserMonoid, combine_values, ufunc


class combine:
    """For `reduceByKey` and `fold`: joins two values of a monoid."""

    def __init__(self, monoid: Monoid):
        self.monoid = monoid

    def __call__(self, a: Any, b: Any) -> Any:
        """The two as one."""
        method = "" if isinstance(self.monoid, UserMonoid) else monoid_named(self.monoid).sparse
        sparse = isinstance(a, SparseTile) and isinstance(b, SparseTile)
        if method and sparse and in_scipy(a.dtype):
            # An element that is not stored is zero, on both sides.
            joined = getattr(a.csr(), method)(b.csr())
            return SparseTile.from_csr(joined, a.shape, a.dense_rank)
        return _combined_dense(self.monoid, a, b)


class combine_each:
    """For `fold`: joins tuples, each part by a monoid of its own."""

    def __init__(self, *monoids: Monoid):
        self.parts = [combine(monoid) for monoid in monoids]

    def __call__(self, a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, ...]:
        """The two tuples as one."""
        return tuple([part(x, y) for part, x, y in zip(self.parts, a, b, strict=True)])


def _combined_dense(monoid: Monoid, a: Any, b: Any) -> Any:
    """Return two values, of which tiles are made dense; of two sparse ones the result is sparse."""
    if isinstance(a, DeviceArray) and isinstance(b, DeviceArray) and isinstance(monoid, str):
        there = combined(ufunc(monoid), a, b)
        if there is not None:
            return there
    a, b = on_host(a), on_host(b)
    tiles = [value for value in (a, b) if isinstance(value, SparseTile)]
    dense = [value.toarray() if isinstance(value, SparseTile) else value for value in (a, b)]
    joined = combine_values(monoid, *dense)
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
                ufunc(self.monoid)(self.value, value, out=self.value)
        else:
            self.value = combine(self.monoid)(self.value, value)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0
