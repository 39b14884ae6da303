"""Packed tuples: one structured column instead of several columns.

pack((array([1, 2]), array(["a", "b"])), ("tuple", "i8", "U"))  ->  array([(1, "a"), (2, "b")])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.runtime.column_types import Code, storage


def pack(columns: Sequence[Any], code: Code) -> Any:
    """Columns, or scalars, as one structured column; scalars alone as one packed tuple."""
    dtype = storage(code)
    shape = np.broadcast_shapes(*[np.shape(column) for column in columns])
    result = np.empty(shape, dtype)
    for name, column in zip(dtype.names or (), columns, strict=True):
        result[name] = column
    return result if shape else result[()]


def unpack(column: Any) -> tuple[Any, ...]:
    """The parts of a structured column as columns of their own, of a packed tuple as scalars."""
    parts: list[Any] = [column[name] for name in column.dtype.names]
    return tuple([np.ascontiguousarray(part) if np.ndim(part) else part for part in parts])
