"""The monoids at run time: the built-in ones, and those that programs define.

The built-in ones are those of `diablo.monoid_table`.

    reduce_all("min", np.array([3, 1]))   ->  1
    identity("min", np.dtype(np.float64)) ->  inf

A monoid of the program's own is a `UserMonoid`, and stands wherever a name does. Its values
are combined pairwise, many pairs at a time, in an order that depends on nothing but their
number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.monoid_table import MONOIDS, Domain
from diablo.runtime.column_types import OBJECT, Code, repeated, scalar, storage

Column = NDArray[Any]


def ufunc(monoid: str) -> np.ufunc:
    """The ufunc that combines arrays with a built-in monoid."""
    return getattr(np, MONOIDS[monoid].ufunc)


@dataclass(frozen=True)
class UserMonoid:
    """A commutative monoid that a program defines.

    `identity` is a Python value (a tuple, for tuples), `dtype` the code of the elements.
    `combine` takes two arrays of one dimension and equal length, and gives one such array.
    """

    name: str
    identity: Any
    combine: Callable[[Column, Column], Column]
    dtype: Code

    @cached_property
    def zero(self) -> Any:
        """The neutral element as a scalar of the elements' type."""
        return scalar(self.identity, self.dtype)

    def __call__(self, x: Any, y: Any) -> Any:
        """Return two scalars, or two arrays element by element, combined."""
        x, y = self._array(x), self._array(y)
        x, y = np.broadcast_arrays(x, y)
        shape = x.shape
        with np.errstate(all="ignore"):
            joined = self.combine(x.reshape(-1), y.reshape(-1))
        joined = joined.astype(storage(self.dtype), copy=False).reshape(shape)
        return joined if shape else joined[()]

    def _array(self, value: Any) -> Column:
        if isinstance(value, np.ndarray):
            return cast(Column, value)
        return repeated(value, ()) if isinstance(value, str) else np.asarray(value)

    def zeros(self, shape: int | Sequence[int]) -> Column:
        """An array that holds the neutral element everywhere."""
        dtype = storage(self.dtype)
        if dtype == OBJECT:
            return repeated(self.identity, shape)
        result = np.empty(shape, dtype)
        result[...] = self.zero
        return result

    def reduce_runs(self, values: Column, starts: Column) -> Column:
        """Return as `reduceat` of a ufunc: each run from one start to the next, combined.

        In each round the neighbours of every run are joined in pairs, the odd one stays.
        """
        lengths = np.diff(starts, append=len(values))
        while len(values) > len(lengths):
            ends = np.cumsum(lengths)
            place = np.arange(len(values)) - np.repeat(ends - lengths, lengths)
            first = place % 2 == 0
            paired = first & np.append(~first[1:], False)
            left = np.flatnonzero(paired)
            joined = self(values.take(left), values.take(left + 1))
            kept = np.flatnonzero(first)
            result = values.take(kept)
            result[np.flatnonzero(paired.take(kept))] = joined
            values = result
            lengths = (lengths + 1) // 2
        return values

    def reduce(self, values: Column, axis: int | Sequence[int] | None = None) -> Any:
        """An array with some of its axes (all of them by default) folded away."""
        axes = range(values.ndim) if axis is None else np.atleast_1d(axis).tolist()
        for one in sorted([a % values.ndim for a in axes], reverse=True):
            values = self._fold_axis(np.moveaxis(values, one, 0))
        return values[()]

    def _fold_axis(self, values: Column) -> Column:
        if len(values) == 0:
            return self.zeros(values.shape[1:])
        while len(values) > 1:
            pairs = len(values) // 2
            joined = self(values[: 2 * pairs : 2], values[1 : 2 * pairs : 2])
            values = np.concatenate((joined, values[2 * pairs :]))
        return values[0] if values.ndim > 1 else np.array(values[0], values.dtype)


Monoid = str | UserMonoid

_DOMAINS: dict[str, Domain] = {
    "f": "floating",
    "c": "complex",
    "b": "boolean",
    "i": "integer",
    "u": "unsigned",
}
"""What the monoids are defined on, by the kind of a NumPy type."""


def identity(monoid: Monoid, dtype: DTypeLike | Code) -> Any:
    """The neutral element of `monoid` as a NumPy scalar of `dtype`."""
    if isinstance(monoid, UserMonoid):
        return monoid.zero
    dtype = storage(dtype)
    domain = _DOMAINS[dtype.kind]
    return dtype.type(MONOIDS[monoid].identity_of(domain, 8 * dtype.itemsize))


def combine_values(monoid: Monoid, x: Any, y: Any) -> Any:
    """Return two scalars, or two arrays element by element, combined."""
    with np.errstate(all="ignore"):
        return monoid(x, y) if isinstance(monoid, UserMonoid) else ufunc(monoid)(x, y)


def reduce_all(monoid: Monoid, column: Column) -> Any:
    """All elements of a non-empty or empty column folded to a scalar of the column's type."""
    if column.size == 0:
        return identity(monoid, column.dtype)
    column = np.asarray(column)
    if isinstance(monoid, UserMonoid):
        return monoid.reduce(column)
    return ufunc(monoid).reduce(column, axis=None, dtype=column.dtype)


def reduce_runs(monoid: Monoid, values: Column, starts: Column) -> Column:
    """The values from each start to the next folded; `starts` ascend, and no run is empty."""
    values = np.asarray(values)
    if isinstance(monoid, UserMonoid):
        return monoid.reduce_runs(values, starts)
    return ufunc(monoid).reduceat(values, starts, dtype=values.dtype)


def reduce_at(monoid: str, codes: Column, values: Column, size: int) -> Column:
    """Return for every code in `range(size)` its values folded; the identity where there is none.

    Integer sums are exact (modulo 2**64); `values` may be of any type the monoid has.
    """
    record = MONOIDS[monoid]
    if record.is_sum and values.dtype == np.float64:
        return np.bincount(codes, values, size)
    if values.dtype.kind == "b" and record.idempotent:
        conjunction = record.identity > 0
        truth = np.full(size, conjunction)
        truth[codes[~values if conjunction else values]] = not conjunction
        return truth
    result = np.full(size, identity(monoid, values.dtype), values.dtype)
    ufunc(monoid).at(result, codes, values)
    return result
