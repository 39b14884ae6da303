"""How much memory this process may use, and how much data take.

machine_memory()            ->  25769803776
data_size(np.zeros(1000))   ->  8000
"""

from __future__ import annotations

import os
from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import OBJECT
from diablo.runtime.rows.lists import Lists

_CGROUP_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)

# What a short string takes besides the reference to it.
_OBJECT_SIZE = 64


def machine_memory() -> int:
    """Bytes of memory of the machine, or of the container if it has less."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        total = 8 * 2**30
    for path in _CGROUP_LIMITS:
        try:
            with open(path) as file:
                total = min(total, int(file.read()))
        except (OSError, ValueError):
            continue
    return total


def data_size(value: Any) -> int:
    """Bytes that an input takes in memory."""
    if isinstance(value, np.ndarray | SparseTile | Lists):
        objects = value.size if getattr(cast(Any, value), "dtype", None) == OBJECT else 0
        return value.nbytes + _OBJECT_SIZE * objects
    if is_scipy_sparse(value):
        return value.nnz * (value.dtype.itemsize + 8)
    if isinstance(value, tuple | list):
        return sum(data_size(item) for item in value)  # pyright: ignore[reportUnknownVariableType]
    return 32
