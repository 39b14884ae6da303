"""The built-in monoids at run time: the NumPy ufunc and the neutral element of each.

The table mirrors `diablo.dialects.monoids`, which workers do not load.

    reduce_all("min", np.array([3, 1]))   ->  1
    identity("min", np.dtype(np.float64)) ->  inf
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Column = NDArray[Any]

UFUNCS: dict[str, np.ufunc] = {
    "add": np.add,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.logical_and,
    "or": np.logical_or,
}


def identity(monoid: str, dtype: DTypeLike) -> Any:
    """The neutral element of `monoid` as a NumPy scalar of `dtype`."""
    dtype = np.dtype(dtype)
    if monoid in ("add", "or"):
        return dtype.type(0)
    if monoid in ("mul", "and"):
        return dtype.type(1)
    if dtype.kind == "f":
        return dtype.type(np.inf if monoid == "min" else -np.inf)
    if dtype.kind == "b":
        return np.bool_(monoid == "min")
    limits = np.iinfo(dtype)
    return dtype.type(limits.max if monoid == "min" else limits.min)


def reduce_all(monoid: str, column: Column) -> Any:
    """All elements of a non-empty or empty column folded to a scalar of the column's type."""
    if column.size == 0:
        return identity(monoid, column.dtype)
    return UFUNCS[monoid].reduce(column, axis=None, dtype=column.dtype)


def reduce_at(monoid: str, codes: Column, values: Column, size: int) -> Column:
    """For every code in `range(size)` its values folded; the identity where there is none.

    Integer sums are exact (modulo 2**64); `values` may be of any type the monoid has.
    """
    if monoid == "add" and values.dtype == np.float64:
        return np.bincount(codes, values, size)
    if values.dtype.kind == "b" and monoid in ("and", "or", "min", "max"):
        conjunction = monoid in ("and", "min")
        truth = np.full(size, conjunction)
        truth[codes[~values if conjunction else values]] = not conjunction
        return truth
    result = np.full(size, identity(monoid, values.dtype), values.dtype)
    UFUNCS[monoid].at(result, codes, values)
    return result
