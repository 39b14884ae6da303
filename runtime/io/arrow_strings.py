"""Strings as Arrow holds them: the bytes are read where they lie, without a Python object for each.

    arrow_strings(pandas.Series(["a", "b"], dtype="str"))   ->   Strings(["a", "b"])

pandas holds its own strings so where pyarrow is installed, and Parquet files are read so.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.elements import has_surrogates
from diablo.runtime.rows import string_spans
from diablo.runtime.rows.adjacent_strings import AdjacentStrings
from diablo.runtime.rows.coded_strings import coded_strings
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.rows.string_spans import bytes_of

_TYPES = {"str", "string", "large_string", "string_view"}
"""What pandas, and Arrow, call strings."""
_OFFSETS = {"string": np.int32, "large_string": np.int64}
"""The type of the places where strings begin."""


def arrow_strings(column: Any) -> Strings | None:
    """The strings of a column of a data frame; None if Arrow does not hold them, or they are few.

    Those of categories, and of a dictionary, stay numbers. A column that lacks a value is none.
    """
    held, dtype = getattr(column, "array", column), getattr(column, "dtype", None)
    if not (str(dtype) in _TYPES or is_coded(dtype)):
        return None
    if not string_spans.available(len(column), held.nbytes):
        return None
    if hasattr(dtype, "categories"):
        return _of_categories(held)
    exported = getattr(held, "__arrow_array__", None)
    if exported is None:
        return None
    try:
        array = exported()
    except ImportError:  # pandas has a type of its own where pyarrow is not installed.
        return None
    if array.null_count:
        return None
    if is_coded(dtype):
        return _of_dictionary(array)
    chunks = getattr(array, "chunks", [array])
    parts = [_strings(chunk) for chunk in chunks if len(chunk)]
    return Strings.concat(parts) if parts else None


def is_coded(dtype: Any) -> bool:
    """Return whether a type is that of strings by their numbers: Arrow's, or pandas' categories."""
    if hasattr(dtype, "categories"):
        return str(dtype.categories.dtype) in {*_TYPES, "object"}
    return hasattr(dtype, "index_type") and str(dtype.value_type) in _TYPES


def _of_categories(held: Any) -> Strings | None:
    """The strings of a column of pandas' categories; None if some are none, or no text."""
    texts = cast("list[Any]", held.categories.tolist())
    if not all(isinstance(text, str) for text in texts) or has_surrogates("".join(texts)):
        return None
    return coded_strings(np.asarray(held.codes), Strings.of_any(texts))


def _of_dictionary(array: Any) -> Strings | None:
    """The strings of an array of Arrow's that has a dictionary, or several: one in each chunk."""
    if hasattr(array, "chunks"):
        array = array.unify_dictionaries().combine_chunks()
    chunks = getattr(array, "chunks", [array])
    if len(chunks) != 1 or chunks[0].dictionary.null_count:
        return None
    (one,) = chunks
    return coded_strings(one.indices.to_numpy(), _strings(one.dictionary))


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
