"""How much memory data take.

data_size(np.zeros(1000))   ->  8000
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import OBJECT
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings

# What a short string takes besides the reference to it.
_OBJECT_SIZE = 64


def data_size(value: Any) -> int:
    """Bytes that an input takes in the memory of this process."""
    if isinstance(value, np.ndarray | SparseTile | DeviceArray | Lists):
        objects = value.size if getattr(cast(Any, value), "dtype", None) == OBJECT else 0
        if isinstance(value, DeviceArray) and not value.is_on_host:
            return 0
        return value.nbytes + _OBJECT_SIZE * objects
    if isinstance(value, Strings):
        return value.nbytes
    if is_scipy_sparse(value):
        return value.nnz * (value.dtype.itemsize + 8)
    if isinstance(value, tuple | list):
        return sum(data_size(item) for item in value)  # pyright: ignore[reportUnknownVariableType]
    return 32
