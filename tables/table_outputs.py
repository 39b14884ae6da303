"""Tables as others have them: data frames of pandas' and Polars', tables of Arrow's, text.

Numbers are handed out where they are, strings of Arrow's as one piece of bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.results.result_tables import html_table, shown
from diablo.runtime.rows.string_column import Strings
from diablo.table.column_values import ColumnValues

_SHOWN = 10


def _library(name: str, method: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"{method} needs {name}, which is not installed") from error


def to_pandas(columns: Mapping[str, ColumnValues]) -> Any:
    """Return the columns as a data frame, which shares numbers; nulls are NaN or None."""
    pandas = _library("pandas", "to_pandas")
    found: dict[str, Any] = {}
    for name, column in columns.items():
        if column.type.is_text and isinstance(column.values, Strings):
            found[name] = _pandas_strings(pandas, column)
        else:
            found[name] = column.to_numpy()
    return pandas.DataFrame(found, copy=False)


def _pandas_strings(pandas: Any, column: ColumnValues) -> Any:
    """Return strings as pandas holds them by Arrow, where it does, else as objects."""
    try:
        import_module("pyarrow")
    except ImportError:
        return column.to_numpy()
    return pandas.array(_arrow_strings(column), dtype="str")


def to_arrow(columns: Mapping[str, ColumnValues]) -> Any:
    """Return the columns as a table of Arrow's, which shares numbers."""
    pyarrow = _library("pyarrow", "to_arrow")
    return pyarrow.table({name: _arrow_column(column) for name, column in columns.items()})


def _arrow_column(column: ColumnValues) -> Any:
    pyarrow = import_module("pyarrow")
    if column.type.is_text:
        return _arrow_strings(column)
    values: Any = np.ascontiguousarray(column.values)
    if column.type.is_time:
        return _arrow_times(column, values)
    if values.dtype.kind == "c":
        parts = [pyarrow.array(part) for part in (values.real.copy(), values.imag.copy())]
        mask = None if column.valid is None else pyarrow.array(~column.valid)
        return pyarrow.StructArray.from_arrays(parts, ["re", "im"], mask=mask)
    if values.dtype.kind == "b":
        values = np.packbits(values, bitorder="little")
    type = pyarrow.from_numpy_dtype(column.type.dtype)
    buffers = [_bitmap(column), pyarrow.py_buffer(values)]
    return pyarrow.Array.from_buffers(type, len(column), buffers)


def _arrow_times(column: ColumnValues, values: Any) -> Any:
    """Return points in time and durations as Arrow's, which has days of 32 bits, and no durations
    of days.
    """
    pyarrow = import_module("pyarrow")
    unit = np.datetime_data(column.type.dtype)[0]
    if unit == "D" and column.type.is_moment:
        days = pyarrow.Array.from_buffers(
            pyarrow.int64(), len(column), [_bitmap(column), pyarrow.py_buffer(values)]
        )
        return days.cast(pyarrow.int32()).cast(pyarrow.date32())
    if unit == "D":
        unit, values = "s", values * 86_400
    type = pyarrow.timestamp(unit) if column.type.is_moment else pyarrow.duration(unit)
    buffers = [_bitmap(column), pyarrow.py_buffer(values)]
    return pyarrow.Array.from_buffers(type, len(column), buffers)


def _bitmap(column: ColumnValues) -> Any:
    if column.valid is None:
        return None
    pyarrow = import_module("pyarrow")
    return pyarrow.py_buffer(np.packbits(column.valid, bitorder="little"))


def _arrow_strings(column: ColumnValues) -> Any:
    """Return strings as Arrow has them: bytes one behind the other."""
    pyarrow = import_module("pyarrow")
    strings = column.values
    if not isinstance(strings, Strings):
        mask = None if column.valid is None else ~column.valid
        return pyarrow.array(strings, pyarrow.large_string(), mask=mask)
    data, offsets = strings.joined()
    buffers = [_bitmap(column), pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), len(column), buffers)


def to_polars(columns: Mapping[str, ColumnValues]) -> Any:
    """Return the columns as a data frame of Polars'."""
    polars = _library("polars", "to_polars")
    return polars.from_arrow(to_arrow(columns))


def write(columns: Mapping[str, ColumnValues], path: Path) -> None:
    """Write the columns to a file, in the format that its suffix says."""
    writers = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv"}
    name = writers.get(path.suffix.lower())
    if name is None:
        raise InputError(f"{path}: a table is written to .parquet, .csv or .tsv")
    table = to_arrow(columns)
    library = _library(f"pyarrow.{name}", "write")
    try:
        if name == "parquet":
            library.write_table(table, path)
        else:
            delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
            library.write_csv(table, path, library.WriteOptions(delimiter=delimiter))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def text_of(columns: Mapping[str, ColumnValues], length: int) -> str:
    """Return the first rows as text, below the names and types of the columns."""
    head = [[_cell(v) for v in c.taken(slice(0, _SHOWN)).to_list()] for c in columns.values()]
    types = [repr(column.type) for column in columns.values()]
    cells = [[name, type, *rows] for name, type, rows in zip(columns, types, head, strict=True)]
    widths = [max(map(len, column)) for column in cells]
    lines = [
        "  ".join([cell.rjust(width) for cell, width in zip(row, widths, strict=True)])
        for row in zip(*cells, strict=True)
    ]
    if length > _SHOWN:
        lines.append("  ".join(["…".rjust(width) for width in widths]))
    return "\n".join([*lines, f"[{length} rows x {len(columns)} columns]"])


def html_of(columns: Mapping[str, ColumnValues], length: int) -> str:
    """Return the table as HTML."""
    places = shown(length)
    chosen = np.asarray([k for k in places if k is not None], np.int64)
    cells = [iter(column.taken(chosen).to_list()) for column in columns.values()]
    rows: list[Sequence[Any] | None] = [
        None if k is None else [_cell(next(column)) for column in cells] for k in places
    ]
    return html_table(f"table of {length} rows", list(columns), rows)


def _cell(value: Any) -> str:
    match value:
        case None:
            return "null"
        case float():
            return f"{value:.6g}"
        case _:
            return str(value)
