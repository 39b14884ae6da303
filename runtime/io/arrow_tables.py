"""Tables and columns of others that can be had as Arrow's, and single columns of data frames.

    table_of(polars.DataFrame(…), "L")   ->  with the columns that a data frame has
    column_of(pandas.Series(…), "L")     ->  with `to_numpy()`, and strings as Arrow holds them
    nulls_in(pyarrow.array([1.5, None]))   ->   array([False, True])

PyArrow's, Polars' and DuckDB's tables hand their memory over by Arrow's C interface; PyArrow reads
that.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.arrays.elements import Array

_STREAM, _ARRAY = "__arrow_c_stream__", "__arrow_c_array__"


class ArrowTable:
    """A table of pyarrow's with as much of a data frame as is asked for."""

    def __init__(self, table: Any):
        self.columns: list[str] = list(table.column_names)
        self.iloc = self
        self._table = table

    def __getitem__(self, index: tuple[slice, int]) -> ArrowColumn:
        return ArrowColumn(self._table.column(index[1]))


class ArrowColumn:
    """A column of pyarrow's with as much of a data frame's as is asked for."""

    def __init__(self, column: Any):
        self._column = column

    @property
    def dtype(self) -> Any:
        """The name that Arrow has for the type of the column."""
        return self._column.type

    def __len__(self) -> int:
        return len(self._column)

    @property
    def nbytes(self) -> int:
        """How many bytes its values take."""
        return self._column.nbytes

    @property
    def null_count(self) -> int:
        """How many values the column lacks."""
        return self._column.null_count

    def is_null(self) -> Any:
        """Return where the column lacks a value."""
        return self._column.is_null()

    def to_numpy(self) -> Any:
        """The column as NumPy holds it; decimals without a fraction are integers."""
        return _integers(self._column) if _is_whole(self._column.type) else self._column.to_numpy()

    def __arrow_array__(self) -> Any:
        """The column itself, as data frames export theirs."""
        return self._column


def _is_whole(type: Any) -> bool:
    """Return whether a type of Arrow's is that of decimals with no digits after the point."""
    return str(type).startswith("decimal") and type.scale == 0


def _integers(column: Any) -> Array:
    """The integers that a column of decimals holds, Python's where 64 bits are too few."""
    invalid: Any = import_module("pyarrow").ArrowInvalid
    for type in ("int64", "uint64"):
        try:
            return column.cast(type).to_numpy()
        except invalid:
            pass
    return np.array([int(value) for value in column.to_pylist()], object)


def is_frame(value: Any) -> bool:
    """Return whether a value is a data frame as pandas has them."""
    return hasattr(value, "iloc") and hasattr(value, "columns")


def table_of(value: Any, name: str) -> Any:
    """Return what has named columns as a data frame of pandas has them; None of all else."""
    if is_frame(value):
        return value
    if not hasattr(value, _STREAM) or not _has_names(value):
        return None
    return ArrowTable(_pyarrow(value, name).table(value))


def _has_names(value: Any) -> bool:
    """Return whether what Arrow takes is a table: it says what its columns are called."""
    return hasattr(value, "columns") or hasattr(value, "column_names")


def column_of(value: Any, name: str) -> Any:
    """A column of a data frame or of Arrow's, with `to_numpy()`; None of anything else."""
    if hasattr(value, "iloc") and hasattr(value, "to_numpy") and not hasattr(value, "columns"):
        return value
    if _has_names(value):
        return None
    if hasattr(value, _STREAM):
        return ArrowColumn(_pyarrow(value, name).chunked_array(value))
    if hasattr(value, _ARRAY):
        return ArrowColumn(_pyarrow(value, name).chunked_array([value]))
    return None


def nulls_in(column: Any) -> Array | None:
    """Return where a column of Arrow's, Polars' or pandas' lacks a value; None if it lacks none.

    A NaN is a value, also where pandas' own functions take it for a lack of one: in NumPy's arrays.
    """
    count: Any = getattr(column, "null_count", None)
    if count is not None:
        number = cast(int, count() if callable(count) else count)
        return np.asarray(column.is_null(), np.bool_) if number else None
    if not hasattr(column, "isna") or isinstance(getattr(column, "dtype", None), np.dtype):
        return None
    nulls = np.asarray(column.isna(), np.bool_)
    return nulls if nulls.any() else None


def columns_within(value: Any) -> Iterator[Any]:
    """The columns that an array is given as: those of a table, several in a list, or itself."""
    if isinstance(value, list | tuple):
        parts = cast("list[Any] | tuple[Any, ...]", value)
        # Numbers are not gone through: only what holds columns is asked for their nulls.
        yield from parts if parts and _may_lack_values(parts[0]) else ()
    elif is_frame(value):
        yield from (value.iloc[:, number] for number in range(len(value.columns)))
    elif hasattr(value, "get_columns"):
        yield from value.get_columns()
    elif _has_names(value):
        yield from getattr(value, "columns", ())
    else:
        yield value


def _may_lack_values(value: Any) -> bool:
    return hasattr(value, "null_count") or hasattr(value, "isna")


def _pyarrow(value: Any, name: str) -> Any:
    try:
        return import_module("pyarrow")
    except ImportError:
        kind = type(value).__name__
        raise InputError(
            f"{name}: to read a {kind} needs pyarrow, which is not installed"
        ) from None
