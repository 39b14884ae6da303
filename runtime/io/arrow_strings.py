"""Strings as Arrow holds them: the bytes are read where they lie, without a Python object for each.

    arrow_strings(pandas.Series(["a", "b"], dtype="str"))   ->   Strings(["a", "b"])

pandas holds its own strings so where pyarrow is installed, and Parquet files are read so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.runtime.rows import string_spans
from diablo.runtime.rows.adjacent_strings import AdjacentStrings
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.rows.string_spans import bytes_of

_TYPES = {"str", "string", "large_string", "string_view"}
"""What pandas, and Arrow, call strings."""
_OFFSETS = {"string": np.int32, "large_string": np.int64}
"""The type of the places where strings begin."""


def arrow_strings(column: Any) -> Strings | None:
    """The strings of a column of a data frame; None if Arrow does not hold them, or they are few.

    A column that lacks a value is none either.
    """
    exported = getattr(getattr(column, "array", column), "__arrow_array__", None)
    if exported is None or str(getattr(column, "dtype", None)) not in _TYPES:
        return None
    if not string_spans.available(len(column)):
        return None
    try:
        array = exported()
    except ImportError:  # pandas has a type of its own where pyarrow is not installed.
        return None
    if array.null_count:
        return None
    chunks = getattr(array, "chunks", [array])
    parts = [_strings(chunk) for chunk in chunks if len(chunk)]
    return Strings.concat(parts) if parts else None


def _strings(array: Any) -> Strings:
    """The strings of an array, whose offsets have 32 bits or 64, or become such."""
    if str(array.type) not in _OFFSETS:
        array = array.cast("large_string")
    _, ends, content = array.buffers()
    offsets = np.frombuffer(ends, _OFFSETS[str(array.type)])
    offsets = offsets[array.offset : array.offset + len(array) + 1]
    first, end = int(offsets[0]), int(offsets[-1])
    # Nobody writes to what Arrow holds.
    return AdjacentStrings(bytes_of(content, first, end), offsets, first)
