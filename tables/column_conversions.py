"""The types that expressions of columns have in common, and expressions as others of a type.

converted(x : int32, float64)    ->    convert(x)
converted("12" : str, int64)     ->    to_int("12")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.array.scalar_code import scalar_row
from diablo.diagnostics import InputError
from diablo.table.column_values import INT64, TEXT, ColumnType
from diablo.table.time_expressions import common_time_type, count_of, in_type, of_count
from diablo.table.typed_expressions import Typed


def holds(dtype: np.dtype[Any], value: Any) -> bool:
    """Return whether a number of Python's is one of a type: it fits, if that is one of integers."""
    row = scalar_row(dtype)
    return row is None or not row.is_integer or row.holds(value)


def common_type(types: Sequence[ColumnType]) -> ColumnType:
    """Return the type that several are brought to; an `InputError` if there is none."""
    nullable = any(type.nullable for type in types)
    if all(type.is_text for type in types):
        return TEXT.with_nulls(nullable)
    time = common_time_type(types)
    if time is not None:
        return ColumnType(time, nullable)
    kinds = {(type.is_text, type.is_truth) for type in types}
    if len(kinds) > 1 or any(type.is_time or type.is_text for type in types):
        shown = " and ".join(dict.fromkeys(map(str, types)))
        raise InputError(f"{shown} have no type in common")
    return ColumnType(np.result_type(*[type.dtype for type in types]), nullable)


def _is_written_as(literal: Typed, type: ColumnType) -> bool:
    """Return whether a number of Python's is one of another type as it is."""
    if not (type.is_number and literal.type.is_number):
        return False
    if type.dtype.kind not in "iu":
        return literal.type.dtype.kind in "iu" or type.dtype.itemsize >= 8
    return literal.type.dtype.kind in "iu" and holds(type.dtype, literal.value)


def converted(operand: Typed, type: ColumnType) -> Typed:
    """Return an expression as one of another type."""
    type = type.with_nulls(operand.type.nullable)
    if operand.type == type:
        return operand
    if operand.type.is_time or type.is_time:
        return _converted_time(operand, type)
    if operand.kind == "literal" and _is_written_as(operand, type):
        return Typed("literal", type, (), operand.value)
    if operand.type.is_text != type.is_text:
        return _spelled(operand, type)
    return Typed("convert", type, (operand,))


def _converted_time(operand: Typed, type: ColumnType) -> Typed:
    """Return a time in another unit, or the number that it is held as; a time of a number."""
    if operand.type.dtype.kind == type.dtype.kind:
        return in_type(operand, type.dtype)
    if operand.type.is_time and type.dtype.kind in "iuf":
        return converted(count_of(operand), type)
    if type.is_time and operand.type.dtype.kind in "iu":
        return of_count(converted(operand, INT64), type.dtype)
    raise InputError(f"{operand.type} is not cast to {type}")


def _spelled(operand: Typed, type: ColumnType) -> Typed:
    """Return the number that a string spells, or the string that spells a number."""
    nullable = operand.type.nullable
    if type.is_text:
        kind = operand.type.dtype.kind
        name, wide = {
            "b": ("from_boolean", "bool"),
            "i": ("from_int", "int64"),
            "u": ("from_unsigned", "uint64"),
            "f": ("from_double", "float64"),
            "c": ("from_complex", "complex128"),
        }[kind]
        widened = converted(operand, ColumnType(np.dtype(wide)))
        return Typed("text", TEXT.with_nulls(nullable), (widened,), name)
    if nullable:
        raise InputError("strings of which some are null are no numbers: fill_null() comes first")
    if type.dtype.kind not in "iuf":
        raise InputError(f"strings are not cast to {type}")
    name, wide = ("to_double", "float64") if type.dtype.kind == "f" else ("to_int", "int64")
    number = Typed("text", ColumnType(np.dtype(wide)), (operand,), name)
    return converted(number, type)
