"""Aggregates of groups: on which types there are, and what they give."""

from __future__ import annotations

import numpy as np

from diablo.diagnostics import InputError
from diablo.table.column_values import FLOAT64, INT64, TRUTH, ColumnType
from diablo.table.expression_binding import converted
from diablo.table.query_plans import Aggregate
from diablo.table.time_expressions import averaged, count_of, of_count
from diablo.table.typed_expressions import Typed


def aggregated(operand: Typed | None, function: str, *, whole: bool) -> Aggregate:
    """Return an aggregate of an operand; `whole` says that it is one of all rows.

    Of no rows, which all rows may be and no group is, there is no least value.
    """
    if operand is None:
        return Aggregate("len", None, INT64)
    type = operand.type
    nullable = type.nullable or whole
    match function:
        case "count" | "n_unique":
            if function == "n_unique" and type.dtype.kind == "c":
                raise InputError("complex numbers have no order, by which n_unique() tells them")
            return Aggregate(function, operand, INT64)
        case "sum":
            if type.is_text or type.is_moment:
                raise _refused(function, type)
            if type.is_time:
                return Aggregate(function, count_of(operand), INT64)
            wide = ColumnType(np.sum(np.empty(0, type.dtype)).dtype)
            return Aggregate(function, converted(operand, wide), wide)
        case "mean":
            if type.is_text:
                raise _refused(function, type)
            wide = type.with_nulls(False) if type.dtype.kind == "c" else FLOAT64
            widened = converted(count_of(operand) if type.is_time else operand, wide)
            return Aggregate(function, widened, wide.with_nulls(nullable))
        case "any" | "all":
            if not type.is_truth:
                raise _refused(function, type)
            return Aggregate(function, operand, TRUTH)
        case "min" | "max":
            if type.dtype.kind == "c":
                raise _refused(function, type)
            return Aggregate(function, operand, type.with_nulls(nullable))
        case _:
            return Aggregate(function, operand, type.with_nulls(nullable))


def finished(function: str, type: ColumnType, found: Typed) -> Typed:
    """Return an aggregate of values of a type, of what was folded: means and sums of that type."""
    if function not in ("mean", "sum"):
        return found
    if type.is_time:
        return averaged(found, type.dtype) if function == "mean" else of_count(found, type.dtype)
    if function == "mean" and type.dtype == np.float32:
        return converted(found, ColumnType(type.dtype))
    return found


def _refused(function: str, type: ColumnType) -> InputError:
    return InputError(f"there is no {function}() of a column of {type}")
