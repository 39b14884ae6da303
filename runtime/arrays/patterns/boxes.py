"""Boxes of indices: flat positions, dimension orders, and the types that hold them.

flat_positions(([1], [2]), (3, 4), 1)   ->  [6]
unflatten([6], (3, 4))                  ->  [1], [2]
index_type(2**31)                       ->  int64
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import RunError
from diablo.runtime.native.addresses import address_of

Array = NDArray[Any]
INT32_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1


def index_type(largest: int, width: int = 0) -> np.dtype[Any]:
    """The signed integers for numbers up to `largest`: 32 bits where they do, or `width`."""
    return np.dtype(np.int32 if largest <= INT32_MAX and width != 64 else np.int64)


def narrowest_unsigned(largest: int) -> np.dtype[Any]:
    """The smallest unsigned integers that hold `largest`."""
    return np.min_scalar_type(max(0, largest))


def check_size(shape: Sequence[int]) -> None:
    """Raises `RunError` if a box is too large for 64-bit flat positions."""
    if prod(shape) > INT64_MAX:
        raise RunError(too_large(shape))


def too_large(shape: Sequence[int]) -> str:
    """Say that a box is too large for 64-bit flat positions."""
    return f"an array of dimensions {tuple(shape)} is too large for 64-bit positions"


def flat_positions(coordinates: Sequence[Array], shape: Sequence[int], count: int) -> Array:
    """The row-major int64 position in `shape` of each of `count` index tuples inside it."""
    check_size(shape)
    if not coordinates:
        return np.zeros(count, np.int64)
    flat = coordinates[0].astype(np.int64, copy=False)
    for index, extent in zip(coordinates[1:], shape[1:], strict=True):
        flat = flat * extent
        flat += index
    return flat


def unflatten(flat: Array, shape: Sequence[int]) -> tuple[Array, ...]:
    """The int64 index in each dimension of `shape` of flat row-major positions."""
    if not shape:
        return ()
    result: list[Array] = []
    for extent in reversed(shape[1:]):
        quotient = flat // extent
        result.append((flat - quotient * extent).astype(np.int64, copy=False))
        flat = quotient
    return (flat.astype(np.int64, copy=False), *reversed(result))


def turned(items: Sequence[Any], order: Sequence[int]) -> tuple[Any, ...]:
    """Return what belongs to the dimensions of a box, in another order of these."""
    return tuple([items[d] for d in order])


def row_major(rank: int) -> tuple[int, ...]:
    """The order of the dimensions in which positions are counted."""
    return tuple(range(rank))


def distinct_bytes(arrays: Iterable[Array]) -> int:
    """The bytes that vectors take in memory, those that are given twice counted once.

    A vector that repeats one element (a view with no stride) takes that one.
    """
    sizes: dict[int, int] = {}
    for array in arrays:
        size = array.itemsize if array.size and not any(array.strides) else array.nbytes
        address = address_of(array)
        if size:
            sizes[address] = max(size, sizes.get(address, 0))
    return sum(sizes.values())
