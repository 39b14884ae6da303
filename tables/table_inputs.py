"""What callers give as tables: data frames, dictionaries of columns, files, results of programs.

    read_table({"k": [1, 2], "x": array([0.5, 1.5])})    ->    Source of two columns

Numbers and strings are taken where they are, if tables hold them so. Nulls are kept: `None`, a null
of Arrow or of pandas' nullable types. A NaN is a value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.lazy_array import Array
from diablo.diagnostics import InputError
from diablo.runtime.column_types import OBJECT
from diablo.runtime.io.arrow_strings import arrow_strings
from diablo.runtime.io.arrow_tables import ArrowColumn, column_of, is_frame
from diablo.runtime.io.nested_values import strings_of
from diablo.runtime.results.result_types import DistributedArray, Map, Rows
from diablo.runtime.results.row_vectors import rows_of
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.value_kinds import (
    Kind,
    ScalarKind,
    TupleKind,
    field_paths,
    is_character,
    leaves,
)
from diablo.table.column_values import FLOAT64, TEXT, TRUTH, ColumnType, ColumnValues, type_of
from diablo.table.expression_binding import Field
from diablo.table.held_columns import HeldColumns, RowsColumns
from diablo.table.query_plans import Source
from diablo.table.time_expressions import times_of, with_known_unit

NumPyArray = NDArray[Any]
_STREAM = "__arrow_c_stream__"
_HAS_ZONE = re.compile(r"^(timestamp|datetime64)\[\w+, ?")


def read_table(given: Any) -> Source:
    """Return what a caller gives as a table; an `InputError` if it is none."""
    if isinstance(given, str | os.PathLike):
        return _read_file(Path(cast("str", given)))
    if isinstance(given, Rows | Map):
        return _of_result(given)
    if isinstance(given, Mapping):
        columns = cast("Mapping[Any, Any]", given)
        return _source({_name(k): column_values(v, _name(k)) for k, v in columns.items()})
    if isinstance(given, DistributedArray | np.ndarray):
        array: NumPyArray = np.asarray(cast("Any", given))
        names = array.dtype.names if array.ndim == 1 else None
        if names is not None:
            fields = {name: np.ascontiguousarray(array[name]) for name in names}
            return _source({name: column_values(v, name) for name, v in fields.items()})
    if is_frame(given):
        return _of_frame(given)
    if hasattr(cast("Any", given), _STREAM):
        pyarrow = _pyarrow("a table of Arrow's")
        try:
            return _of_arrow(pyarrow.table(given))
        except pyarrow.ArrowInvalid:
            what = cast("object", given).__class__.__name__
            raise InputError(
                f"a {what} is one column: a table of it is {{'name': column}}"
            ) from None
    if cast("object", given).__class__.__name__ == "LazyFrame":
        raise InputError("a LazyFrame has no rows yet: collect() makes a data frame of it")
    if isinstance(given, list) and all(
        isinstance(row, Mapping) for row in cast("list[Any]", given)
    ):
        return _of_dictionaries(cast("list[Mapping[str, Any]]", given))
    raise InputError(
        f"{cast('object', given).__class__.__name__} is no table: "
        "it is a data frame, a table of Arrow's, a dictionary of columns, or the path of a file"
    )


def _name(name: Any) -> str:
    return name if isinstance(name, str) else str(name)


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"there are several columns {name!r}: a table has one of each name")


def _source(columns: Mapping[str, ColumnValues | Array]) -> Source:
    """Return the table of some columns."""
    if not columns:
        raise InputError("a table has one column or more")
    lengths = {name: len(column) for name, column in columns.items()}
    (first, length), *others = lengths.items()
    for name, other in others:
        if other != length:
            raise InputError(
                "the columns are of different lengths: "
                f"{first!r} has {_rows(length)}, and {name!r} {_rows(other)}"
            )
    fields = [Field(name, _type(column)) for name, column in columns.items()]
    rows = _rows_with_spark(list(columns.values()))
    if rows is not None:
        return Source(RowsColumns(rows, [field.type for field in fields]), fields)
    return Source(HeldColumns(list(columns.values())), fields)


def _rows_with_spark(columns: Sequence[ColumnValues | Array]) -> Rows | None:
    """Return columns that Spark has all as rows there; None of others."""
    vectors: list[DistributedArray] = []
    for column in columns:
        value = column.node.value if isinstance(column, Array) else None
        if not isinstance(value, DistributedArray):
            return None
        vectors.append(value)
    return rows_of(vectors)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _type(column: ColumnValues | Array) -> ColumnType:
    return ColumnType(column.dtype) if isinstance(column, Array) else column.type


def _of_frame(frame: Any) -> Source:
    names = [_name(name) for name in frame.columns]
    _check_names(names)
    return _source({n: column_values(frame.iloc[:, k], n) for k, n in enumerate(names)})


def _of_dictionaries(rows: list[Mapping[str, Any]]) -> Source:
    """Return the table of rows that are dictionaries; what one lacks is null."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return _source({n: column_values([row.get(n) for row in rows], n) for n in names})


def _of_result(result: Rows | Map) -> Source:
    """Return the table of a list or map that a program has made."""
    row: Kind
    if isinstance(result, Map):
        value = result.kind.value
        row = TupleKind((result.kind.key, value), ("key", "value"))
    else:
        row = result.row
    kinds = list(leaves(row))
    names = field_paths(row) if isinstance(row, TupleKind) else ("value",)
    if isinstance(result, Rows) and result.is_with_spark:
        types = [None if is_character(kind) else _type_of_kind(kind) for kind in kinds]
        known = [type for type in types if type is not None]
        if len(known) == len(types):
            fields = [Field(name, type) for name, type in zip(names, known, strict=True)]
            return Source(RowsColumns(result, known), fields)
    batch = result.batch
    if len(kinds) != len(batch) or not all(isinstance(kind, ScalarKind) for kind in kinds):
        raise InputError(f"a table has columns of numbers and strings, and no {row}")
    return _source(
        {
            name: column_values(_plain(column, kind), name)
            for name, column, kind in zip(names, batch, kinds, strict=True)
        }
    )


def _type_of_kind(kind: Kind) -> ColumnType | None:
    """Return what a column of such values is to tables, None if it is nothing."""
    if not isinstance(kind, ScalarKind):
        return None
    return TEXT if kind.type.domain == "text" else type_of(kind.type.dtype)


def _plain(column: Any, kind: Kind) -> Any:
    return [chr(code) for code in column.tolist()] if is_character(kind) else column


# ---- columns -----------------------------------------------------------------------


def column_values(given: Any, name: str) -> ColumnValues | Array:
    """Return what a caller gives as a column; an `InputError` if it is none."""
    if isinstance(given, Array):
        if given.ndim != 1 or type_of(given.dtype) is None:
            raise InputError(
                f"column {name!r} is an array of {given.ndim} dimensions of {given.dtype}: "
                "a column has one dimension"
            )
        return given
    if isinstance(given, Strings):
        return ColumnValues(TEXT, given)
    if isinstance(given, DistributedArray):
        given = given.to_numpy()
    if isinstance(given, np.ndarray):
        return _of_numpy(cast("NumPyArray", given), name)
    if isinstance(given, list | tuple | range):
        return _of_objects(list(cast("Sequence[Any]", given)), name)
    if isinstance(getattr(given, "dtype", None), np.dtype) and hasattr(given, "to_numpy"):
        return _of_numpy(given.to_numpy(), name)
    if hasattr(given, "to_series") and not hasattr(given, "iloc"):
        given = given.to_series()  # An index of pandas'.
    column = column_of(given, f"column {name!r}")
    if column is None:
        raise InputError(f"column {name!r} is {type(given).__name__}, and no array or list")
    return _of_column(column, name)


def _of_numpy(array: NumPyArray, name: str) -> ColumnValues:
    if array.ndim != 1:
        raise InputError(f"column {name!r} has {array.ndim} dimensions, and not one")
    mask = getattr(array, "mask", None)
    if mask is not None:
        made = _of_numpy(np.asarray(array), name)
        valid = ~np.broadcast_to(np.asarray(mask), array.shape)
        return made if valid.all() else ColumnValues(made.type.with_nulls(), made.values, valid)
    if array.dtype == OBJECT:
        return _of_objects(array.tolist(), name)
    if array.dtype.kind in "Mm":
        return _of_times(array, name)
    type = type_of(array.dtype)
    if type is None:
        raise _no_type(array.dtype, name)
    if type.is_text:
        strings = Strings.over_array(array) if array.dtype.kind == "U" else None
        return ColumnValues(TEXT, array.astype(OBJECT) if strings is None else strings)
    return ColumnValues(type, array.astype(type.dtype, copy=False))


def _of_times(array: NumPyArray, name: str) -> ColumnValues:
    """Return a column of points in time or durations; NaT is null."""
    times: Any = with_known_unit(array)
    type = None if times is None else type_of(times.dtype)
    if type is None:
        raise _no_type(array.dtype, name)
    missing: Any = np.isnat(cast("Any", times))
    counts: NumPyArray = np.ascontiguousarray(times).view(type.storage)
    if not missing.any():
        return ColumnValues(type, counts)
    return ColumnValues(type.with_nulls(), np.where(missing, 0, counts), ~missing)


def _no_type(type: Any, name: str) -> InputError:
    if _HAS_ZONE.search(str(type)):
        return InputError(
            f"column {name!r} holds {type}, and tables have no time zones: "
            "bring it to UTC and take its zone off, as pandas' dt.tz_convert(None) does"
        )
    return InputError(
        f"column {name!r} holds {type}, for which tables have no type: "
        "make numbers or strings of it, or leave it out"
    )


def _is_nothing(value: Any) -> bool:
    """Return whether a value is None, or what pandas has for nothing beside strings."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _of_objects(values: list[Any], name: str) -> ColumnValues:
    """Return the column of Python's values, of which some may be None."""
    missing = [_is_nothing(value) for value in values]
    some = [value for value, nothing in zip(values, missing, strict=True) if not nothing]
    if any(isinstance(value, str) for value in some):
        # Among strings NaN is what pandas has for nothing.
        missing = [
            nothing or (isinstance(value, float) and value != value)
            for value, nothing in zip(values, missing, strict=True)
        ]
        some = [value for value, nothing in zip(values, missing, strict=True) if not nothing]
    valid = ~np.asarray(missing, np.bool_) if any(missing) else None
    if all(isinstance(value, str) for value in some) and (some or not values):
        texts = values
        if valid is not None:
            texts = ["" if n else v for v, n in zip(values, missing, strict=True)]
        strings = strings_of(texts)
        column = np.fromiter(texts, OBJECT, len(texts)) if strings is None else strings
        return ColumnValues(TEXT.with_nulls(valid is not None), column, valid)
    times = times_of(some) if some else None
    if times is not None:
        if valid is None:
            return _of_times(times, name)
        padded: Any = np.full(len(values), "NaT", times.dtype)
        padded[valid] = times
        return _of_times(padded, name)
    try:
        found = np.asarray(some) if some else np.empty(0)
    except (ValueError, OverflowError):
        found = np.empty(0, OBJECT)
    type = type_of(found.dtype) if found.ndim == 1 and found.dtype.kind in "biufc" else None
    mixed = found.dtype.kind != "b" and any(isinstance(v, bool | np.bool_) for v in some)
    if type is None or mixed:
        kinds = sorted({value.__class__.__name__ for value in some})
        raise InputError(
            f"column {name!r} holds {' and '.join(kinds)}: a column is of numbers, "
            "of truth values or of strings"
        )
    if valid is None:
        return ColumnValues(type, found)
    whole = np.zeros(len(values), type.dtype)
    whole[valid] = found
    return ColumnValues(type.with_nulls(), whole, valid)


def _of_column(column: Any, name: str) -> ColumnValues:
    """Return a column of Arrow's, or of one of pandas' own types."""
    if isinstance(column, ArrowColumn):
        return _of_arrow_column(column.__arrow_array__(), name)
    if str(column.dtype) == "category":
        strings = arrow_strings(column)
        if strings is not None:
            return ColumnValues(TEXT, strings)
        return _of_objects(column.astype(object).tolist(), name)
    exported = getattr(column.array, "__arrow_array__", None)
    if exported is None:
        raise _no_type(column.dtype, name)
    try:
        return _of_arrow_column(exported(), name)
    except ImportError:
        return _of_objects(column.astype(object).tolist(), name)


# ---- Arrow -------------------------------------------------------------------------


def _pyarrow(what: str) -> Any:
    try:
        return import_module("pyarrow")
    except ImportError:
        raise InputError(f"{what} needs pyarrow, which is not installed") from None


def _of_arrow(table: Any) -> Source:
    names: list[str] = list(table.column_names)
    _check_names(names)
    return _source({n: _of_arrow_column(table.column(k), n) for k, n in enumerate(names)})


_ARROW_TIMES = re.compile(r"^(date32|date64|timestamp|duration)\[(\w+)\]$")
_DAYS = {"day": "D"}


def arrow_type(type: Any) -> ColumnType | None:
    """Return what a type of Arrow's is to tables, None if it is nothing."""
    name = str(type)
    if name.startswith("dictionary"):
        return arrow_type(type.value_type)
    if name in ("string", "large_string", "string_view"):
        return TEXT
    if name == "bool":
        return TRUTH
    if name == "null":
        return FLOAT64
    time = _ARROW_TIMES.match(name)
    if time is not None:
        return type_of(f"{'m8' if time[1] == 'duration' else 'M8'}[{_DAYS.get(time[2], time[2])}]")
    name = {"float": "float32", "double": "float64"}.get(name, name)
    if name not in ("float32", "float64") and not name.removeprefix("u").startswith("int"):
        return None
    return type_of(name)


def _of_arrow_column(column: Any, name: str) -> ColumnValues:
    """Return a column of Arrow's, numbers where they are."""
    type = arrow_type(column.type)
    if type is None:
        raise _no_type(column.type, name)
    if str(column.type).startswith("dictionary"):
        strings = arrow_strings(ArrowColumn(column)) if type.is_text else None
        if strings is not None:
            return ColumnValues(type, strings)
        column = column.cast(column.type.value_type)
    if hasattr(column, "combine_chunks"):
        chunks = column.chunks
        column = chunks[0] if len(chunks) == 1 else column.combine_chunks()
    valid = None
    if column.null_count:
        valid = np.asarray(column.is_valid(), np.bool_)
        type = type.with_nulls()
    if str(column.type) == "null":
        return ColumnValues(type, np.zeros(len(column)), np.zeros(len(column), np.bool_))
    if type.is_text:
        if valid is not None:
            column = column.cast("large_string").fill_null("")  # Views have no such function.
        strings = arrow_strings(ArrowColumn(column))
        if strings is None:
            texts = column.to_pylist()
            strings = np.fromiter(texts, OBJECT, len(texts))
        return ColumnValues(type, strings, valid)
    if type.is_truth:
        if valid is not None:
            column = column.fill_null(False)
        return ColumnValues(type, column.to_numpy(zero_copy_only=False), valid)
    if hasattr(column, "chunks"):  # Several, too large for one.
        counts = column.cast("int64") if type.is_time and "32" not in str(column.type) else column
        whole: Any = np.asarray(counts.fill_null(0)) if counts is not column else None
        if whole is None:
            whole = np.asarray((column.cast("int32") if type.is_time else column).fill_null(0))
        return ColumnValues(type, whole.astype(type.storage, copy=False), valid)
    held = np.dtype(np.int32) if str(column.type).startswith("date32") else type.storage
    values = np.frombuffer(column.buffers()[1] or b"", held)
    values = values[column.offset : column.offset + len(column)]
    return ColumnValues(type, values.astype(type.storage, copy=False), valid)


# ---- files -------------------------------------------------------------------------


def _read_file(path: Path) -> Source:
    if not path.exists():
        raise InputError(f"there is no file {path}")
    suffix = path.suffix.lower()
    if suffix in (".parquet", ".pq") or path.is_dir():
        return _read_parquet(path)
    if suffix in (".csv", ".tsv", ".txt", ".gz"):
        return _of_arrow(_read_csv(path))
    raise InputError(f"{path}: a table is read from a file of Parquet's, or from .csv or .tsv")


def _read_csv(path: Path) -> Any:
    """Return the table of a file with a header; times of the day stay strings."""
    pyarrow = _pyarrow("to read a file of columns")
    csv = import_module("pyarrow.csv")
    delimiter = "\t" if ".tsv" in path.suffixes else ","
    parse = csv.ParseOptions(delimiter=delimiter)

    def read(types: Mapping[str, Any]) -> Any:
        options = csv.ConvertOptions(column_types=types, strings_can_be_null=True)
        try:
            return csv.read_csv(path, parse_options=parse, convert_options=options)
        except (pyarrow.ArrowInvalid, OSError) as error:
            raise InputError(f"{path}: {str(error).splitlines()[0]}") from None

    table = read({})
    others = {
        field.name: pyarrow.string() for field in table.schema if arrow_type(field.type) is None
    }
    return read(others) if others else table


class ParquetColumns:
    """The columns of a file of Parquet's, read once they are needed."""

    def __init__(self, path: Path):
        self._path = path
        parquet = import_module("pyarrow.parquet")
        pyarrow = import_module("pyarrow")
        try:
            self._dataset = parquet.ParquetFile(path, memory_map=True)
        except (pyarrow.ArrowInvalid, OSError) as error:
            raise InputError(f"{path}: {str(error).splitlines()[0]}") from None
        self.names: list[str] = list(self._dataset.schema_arrow.names)
        _check_names(self.names)
        self._columns: dict[int, ColumnValues] = {}

    @property
    def length(self) -> int:
        """The number of rows."""
        return self._dataset.metadata.num_rows

    def fields(self) -> list[Field]:
        """Return the columns, nullable where the file does not say that there are no nulls."""
        nulls = self._names_with_nulls()
        fields: list[Field] = []
        for field in self._dataset.schema_arrow:
            type = arrow_type(field.type)
            if type is None:
                raise _no_type(field.type, field.name)
            fields.append(Field(field.name, type.with_nulls(field.name in nulls)))
        return fields

    def _names_with_nulls(self) -> set[str]:
        metadata = self._dataset.metadata
        found: set[str] = set()
        for group in range(metadata.num_row_groups):
            for k in range(metadata.num_columns):
                column = metadata.row_group(group).column(k)
                statistics = column.statistics
                if statistics is None or not statistics.has_null_count or statistics.null_count:
                    found.add(column.path_in_schema)
        return found

    def load(self, positions: Sequence[int]) -> None:
        """Read those of some columns that were not read before."""
        missing = [k for k in positions if k not in self._columns]
        if missing:
            table = self._dataset.read(columns=[self.names[k] for k in missing])
            for k in missing:
                self._columns[k] = _of_arrow_column(table.column(self.names[k]), self.names[k])

    def column(self, position: int) -> ColumnValues:
        """Return a column, read if it was not."""
        self.load([position])
        return self._columns[position]


def _read_parquet(path: Path) -> Source:
    _pyarrow("to read a file of Parquet's")
    if path.is_dir():
        return _of_arrow(import_module("pyarrow.parquet").read_table(path))
    columns = ParquetColumns(path)
    return Source(columns, columns.fields())
