"""Dot products of arrays that do not disturb the threads of other kernels.

    dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))   ->   11.0

BLAS starts threads of its own for vectors of ten thousand elements, which go on waiting for
work when they have done theirs, on processors that kernels want. Longer vectors are multiplied
in machine code here, the longest by the threads of all kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.written_loops import written_loop

BLAS_LENGTH = 8192
"""The longest vectors that are left to BLAS, which multiplies these on one thread."""


def dot(left: Array, right: Array) -> Any:
    """The sum of the products of the elements of two arrays of one shape, at equal places."""
    if left.ndim > 1 and left.shape == right.shape:
        left, right = left.reshape(-1), right.reshape(-1)
    length = len(left)
    entry = None
    if length == len(right) and left.dtype == right.dtype == np.float64:
        entry = written_loop("dot") if pays(length, BLAS_LENGTH + 1) else None
    if entry is None:
        return np.dot(left, right)
    left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
    pieces = cut(length, length)
    parts = np.empty((len(pieces), 8))  # A cache line each.
    first, step = address_of(parts), parts.strides[0]
    addresses = (address_of(left), address_of(right))
    share(entry, [(*addresses, first + k * step, *piece) for k, piece in enumerate(pieces)], length)
    return parts[:, 0].sum()
