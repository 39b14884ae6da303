"""What a caller gives to a program, checked and turned into what programs compute with.

    check_argument([(0, 1), (0, 2)], WantedRows(("i64", "i64")), "G")
        ->  (array([0, 0]), array([1, 2]))
    check_argument(scipy_matrix, WantedArray(2, "f64"), "A")   ->  SparseTile

Scalars stay Python scalars (a character becomes its code point), arrays become C-order NumPy
arrays or `SparseTile`s, lists of rows and maps become column batches.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays.elements import (
    HALF_OF_A_PAIR,
    Array,
    has_surrogates,
    is_character_code,
    shown,
    without_mask,
)
from diablo.runtime.engines.job_names import naming_for_caller
from diablo.runtime.io.frame_arguments import frame_errors, is_spark_frame, rows_of_frame
from diablo.runtime.io.nested_values import (
    array_with_spark,
    check_array,
    describe,
    in_process,
    is_as_wanted,
)
from diablo.runtime.io.row_arguments import (
    are_as_wanted,
    are_rows,
    check_map,
    check_plain,
    check_rows,
    rows_with_spark,
)
from diablo.runtime.io.wanted import Wanted, WantedArray, WantedMap, WantedRows, WantedScalar
from diablo.runtime.results.result_types import DistributedArray, Map, Rows, RowsOfSpark
from diablo.runtime.value_kinds import TupleKind

__all__ = [
    "Wanted",
    "WantedArray",
    "WantedMap",
    "WantedRows",
    "WantedScalar",
    "check_argument",
    "check_array",
    "check_map",
    "check_rows",
    "check_scalar",
    "parse_scalar",
]


_PLAIN = frozenset([bool, int, float, complex, str])
"""Python's own scalars."""


def check_argument(value: Any, wanted: Wanted, name: str, on_spark: bool = False) -> Any:
    """`value` in the form that programs take, or an `InputError` that calls it `name`.

    Programs on Spark take an array, or rows, that Spark has as they are.
    """
    if isinstance(wanted, WantedArray) and is_as_wanted(value, wanted):
        return value  # Most are, and calls on small arrays take no longer than that.
    if isinstance(wanted, WantedScalar) and type(value) in _PLAIN:
        return check_scalar(value, wanted, name)
    if isinstance(value, DistributedArray | Rows | Map) and value.records.why_gone is not None:
        raise RunError(f"{name}: {value.records.why_gone}")
    if isinstance(value, RowsOfSpark):
        return value  # Of a file, and read of it as they are wanted.
    if isinstance(wanted, WantedRows) and are_as_wanted(value, wanted):
        return value
    if hasattr(value, "program_tile"):
        value = _tile_of(value, name)
    if on_spark and (array := array_with_spark(value, wanted, name)) is not None:
        return array
    if on_spark and (rows := rows_with_spark(value, wanted, name)) is not None:
        return rows
    if is_spark_frame(value):
        if isinstance(wanted, WantedRows):
            rows = rows_of_frame(value, wanted, name)
            return RowsOfSpark(rows) if on_spark else rows.batch
        value = _of_frame(value, wanted, name)
    if isinstance(wanted, WantedRows) and (batch := check_plain(value, wanted)) is not None:
        return batch
    if isinstance(wanted, WantedArray):
        return check_array(value, wanted, name)
    if not are_rows(value, wanted):
        value = without_mask(value, name)
    match wanted:
        case WantedScalar():
            return check_scalar(value, wanted, name)
        case WantedRows():
            return check_rows(_columns_of(value, wanted, name), wanted, name)
        case WantedMap():
            return check_map(value, wanted, name)


def _of_frame(frame: Any, wanted: Wanted, name: str) -> Any:
    """Return what a data frame of Spark's is in this process where a map is wanted."""
    if isinstance(wanted, WantedMap):
        with frame_errors(frame, name), naming_for_caller(frame.sparkSession.sparkContext):
            return frame.toArrow()
    if isinstance(wanted, WantedArray):
        shape = ", ".join("nmklij"[d] for d in range(wanted.rank))
        raise InputError(
            f"{name}: the rows of a data frame of Spark have no order that makes them {wanted};"
            f" `diablo.distribute(frame, shape=({shape}{',' if wanted.rank == 1 else ''}))` takes"
            " them as entries, each of its indices and its value"
        )
    raise InputError(f"{name}: a data frame of Spark where {wanted} is wanted")


def _tile_of(value: Any, name: str) -> Any:
    """Return what a sparse array stores, as programs take it."""
    try:
        return value.program_tile()
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def _columns_of(value: Any, wanted: WantedRows, name: str) -> Any:
    """Return the columns of a lazy table, those that are wanted; anything else as it is."""
    if not hasattr(value, "program_columns"):
        return value
    row = wanted.kind.row
    names = row.names if isinstance(row, TupleKind) else None
    try:
        return value.program_columns(names)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def parse_scalar(text: str, wanted: WantedScalar, name: str) -> int | float | complex | bool | str:
    """The scalar that a command line spells, `true` and `false` for Booleans."""
    scalar = wanted.type
    if scalar.is_text:
        return check_scalar(text, wanted, name)
    text = text.strip()
    try:
        if scalar.domain == "boolean":
            return {"true": True, "false": False}[text.lower()]
        if scalar.is_integer:
            return check_scalar(int(text), wanted, name)
        return scalar.python(text)
    except (ValueError, KeyError):
        raise InputError(f"{name}: {text!r} is not {scalar.noun}") from None


def check_scalar(value: Any, wanted: WantedScalar, name: str) -> int | float | complex | bool | str:
    """A Python or NumPy scalar as the Python scalar of the wanted type."""
    if type(value) is float and wanted.type.domain == "floating":
        return value
    value = _python_scalar(value)
    domain, is_bool = wanted.type.domain, isinstance(value, bool)
    if domain == "boolean" and is_bool:
        return value
    if wanted.type.is_text and isinstance(value, str) and has_surrogates(value):
        raise InputError(f"{name}: {shown(value)} {HALF_OF_A_PAIR}")
    if domain == "text" and isinstance(value, str):
        return value
    if domain == "character" and isinstance(value, str) and len(value) == 1:
        return ord(value)
    if domain == "character" and isinstance(value, int) and not is_bool:
        if not is_character_code(value):
            raise InputError(f"{name}: {shown(value)} is not the number of a character")
        return value
    if wanted.type.is_integer and isinstance(value, int) and not is_bool:
        if not wanted.type.holds(value):
            raise InputError(f"{name}: {shown(value)} does not fit in {wanted.type.room}")
        return value
    numbers = int | float | complex if domain == "complex" else int | float
    if domain in ("floating", "complex") and isinstance(value, numbers) and not is_bool:
        try:
            return complex(value) if domain == "complex" else float(cast(float, value))
        except OverflowError:
            raise InputError(f"{name}: this number is too large for a Double") from None
    raise InputError(f"{name}: {describe(value)} where {wanted.type.noun} is wanted")


def _python_scalar(value: Any) -> Any:
    value = in_process(value)
    if isinstance(value, np.ndarray | np.generic):
        array = cast("Array", value)
        return array.item() if array.ndim == 0 else array
    return value
