"""Single columns of any type: making, taking and joining them.

full(2, "x", "U")                       ->  array(["x", "x"], object)
concat_columns([["a"], ["b", "c"]], "U")  ->  array(["a", "b", "c"], object)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.joined_vectors import concatenated
from diablo.runtime.column_types import (
    OBJECT,
    Code,
    converted,
    is_list,
    list_columns,
    repeated,
    storage,
    zeros_like,
)
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings, plain_column

Array = NDArray[Any]
Column = Array
AnyColumn = Any
"""A NumPy column, `Lists` or `Strings`."""


def empty_column(code: Code) -> AnyColumn:
    """A column without rows."""
    if is_list(code):
        return Lists([empty_column(part) for part in list_columns(code)], np.zeros(1, np.int64))
    return np.zeros(0, storage(code))


def full(count: int, value: Any, code: Code) -> AnyColumn:
    """A column of `count` rows that all hold `value`.

    A list is given as a batch, a tuple as a Python tuple or a scalar of its NumPy type.
    """
    if is_list(code):
        once = Lists(value, np.array([0, len(value[0])], np.int64))
        return once.take(np.zeros(count, np.int64))
    dtype = storage(code)
    if dtype == OBJECT:
        return repeated(value, count)
    column = np.empty(count, dtype)
    column[:] = value
    return column


def constant_rows(data: Sequence[Any], codes: Sequence[Code]) -> tuple[AnyColumn, ...]:
    """The batch of rows that are written out: a list of values for each column.

    A column of lists is given as where each list begins and the last one ends, and their data.
    """
    return tuple([_constants(values, code) for values, code in zip(data, codes, strict=True)])


def _constants(values: Any, code: Code) -> AnyColumn:
    if is_list(code):
        offsets, data = values
        return Lists(constant_rows(data, list_columns(code)), np.array(offsets, np.int64))
    return np.array(values, storage(code))


def cell(array: Any) -> Array:
    """One array as a field of rows, which NumPy then takes for a scalar."""
    return repeated(array, ())


def as_column(column: Any, code: Code) -> AnyColumn:
    """A column in the storage of a type."""
    if not isinstance(column, Lists):
        return converted(column, code)
    values = [as_column(c, part) for c, part in zip(column.values, list_columns(code), strict=True)]
    same = all(a is b for a, b in zip(values, column.values, strict=True))
    return column if same else Lists.of_lengths(values, column.lengths)


def concat_columns(parts: Sequence[AnyColumn]) -> AnyColumn:
    """The rows of all columns, of which there is at least one, in their order."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, Strings) for part in parts):
        return Strings.concat(parts)
    if not isinstance(parts[0], Lists):
        return concatenated([plain_column(part) for part in parts])
    batches = [part.values for part in parts]
    values = [concat_columns(columns) for columns in zip(*batches, strict=True)]
    return Lists.of_lengths(values, concatenated([part.lengths for part in parts]))


def implicit_column(column: AnyColumn, count: int) -> AnyColumn:
    """`count` implicit values of a column's type."""
    if isinstance(column, Lists):
        nothing = [part[:0] for part in column.values]
        return Lists(nothing, np.zeros(count + 1, np.int64))
    return zeros_like(column, count)


def with_value(column: AnyColumn, value: Any, count: int) -> AnyColumn:
    """`count` rows of a column's type that all hold `value`."""
    if isinstance(column, Lists):
        once = Lists(value, np.array([0, len(value[0])], np.int64))
        return once.take(np.zeros(count, np.int64))
    return full(count, value, column.dtype)
