"""What the rows of a value are, found from the value where no program says it.

row_kind([(1, 0.5), (2, 1.5)], "rows")                 ->  (Int, Double)
row_kind({"k": array([1, 2]), "x": [0.5, 1.5]}, "rows")   ->  <k: Int, x: Double>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.arrays.elements import Array
from diablo.runtime.io.arrow_strings import arrow_strings
from diablo.runtime.io.arrow_tables import column_of, table_of
from diablo.runtime.io.frame_arguments import code_of_column, is_spark_frame
from diablo.runtime.results.result_types import Rows
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.value_kinds import Kind, ScalarKind, TupleKind, kind_of, kind_of_dtype

_STRING = ScalarKind("string")


def are_rows(value: Any) -> bool:
    """Return whether a value is taken as rows rather than as an array.

    Rows are data frames, columns in a dictionary or a tuple, structured arrays, and lists of tuples
    or strings.
    """
    if isinstance(value, Rows) or is_spark_frame(value):
        return True
    if isinstance(value, np.ndarray):
        return cast("Array", value).dtype.names is not None
    if isinstance(value, list):
        rows = cast("list[Any]", value)
        return bool(rows) and isinstance(rows[0], tuple | str)
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)
        return bool(parts) and all(map(_is_column, parts))
    return isinstance(value, Mapping) or table_of(value, "rows") is not None


def row_kind(value: Any, name: str) -> Kind:
    """The kind of a row of what `are_rows` says is rows.

    Raises
    ------
    InputError
        They hold other than numbers, Booleans and strings, or are none at all.
    """
    if isinstance(value, Rows):
        return value.row
    if is_spark_frame(value):
        types = dict(cast("list[tuple[str, str]]", value.dtypes))
        kinds = [_of_sql(kind, column, name) for column, kind in types.items()]
        return TupleKind(tuple(kinds), tuple(types))
    names: Sequence[Any] | None = None
    if isinstance(value, np.ndarray):
        array = cast("Array", value)
        names = array.dtype.names or ()
        columns = [array[field] for field in names]
    elif isinstance(value, Mapping):
        given = cast("Mapping[Any, Any]", value)
        names, columns = list(given), list(given.values())
    elif isinstance(value, tuple):
        columns = list(cast("tuple[Any, ...]", value))
    elif isinstance(value, list):
        return _of_list(cast("list[Any]", value), name)
    else:
        table = table_of(value, name)
        names = list(table.columns)
        columns = [table.iloc[:, c] for c in range(len(names))]
    kinds = [_of_column(column, f"column {k + 1}", name) for k, column in enumerate(columns)]
    if not kinds:
        raise InputError(f"{name}: there is no column")
    is_named = names is not None and all(isinstance(n, str) and n.isidentifier() for n in names)
    if len(kinds) == 1 and not is_named:
        return kinds[0]
    return TupleKind(tuple(kinds), tuple(names) if is_named and names is not None else None)


def _is_column(part: Any) -> bool:
    if isinstance(part, np.ndarray):
        return cast("Array", part).ndim == 1
    return isinstance(part, Strings) or column_of(part, "rows") is not None


def _of_list(rows: list[Any], name: str) -> Kind:
    first: Any = rows[0]
    if isinstance(first, str):
        return _STRING
    width = len(first)
    if not all(isinstance(row, tuple) and len(cast("Any", row)) == width for row in rows):
        raise InputError(f"{name}: the rows are tuples of different lengths, or no tuples")
    columns = zip(*rows, strict=True)
    kinds = [_of_column(column, f"column {k + 1}", name) for k, column in enumerate(columns)]
    names = getattr(first, "_fields", None)
    return TupleKind(tuple(kinds), None if names is None else tuple(names))


def _of_column(column: Any, what: str, name: str) -> Kind:
    found = column_of(column, name)
    if isinstance(column, Strings) or (found is not None and arrow_strings(found) is not None):
        return _STRING
    try:
        values = np.asarray(column if found is None else found.to_numpy())
    except ValueError:
        values = np.zeros((0, 0))
    if values.ndim == 1:
        if values.dtype.kind in "biufc":
            return kind_of_dtype(values.dtype)
        first = values[0] if len(values) else None
        # Beside a string NumPy reads all else as text; what is none is found when it is converted.
        if values.dtype.kind == "U" or isinstance(first, str):
            return _STRING
    raise InputError(f"{name}: {what} holds other than numbers, Booleans or strings")


def _of_sql(kind: str, column: str, name: str) -> Kind:
    code = code_of_column(kind)
    if code is None:
        cast_it = f"; cast it: frame.withColumn('{column}', frame['{column}'].cast('double'))"
        raise InputError(
            f"{name}: column '{column}' is of type {kind}: numbers, Booleans and strings can stay"
            f" with Spark{cast_it if kind.startswith('decimal') else ''}"
        )
    return kind_of(code)
