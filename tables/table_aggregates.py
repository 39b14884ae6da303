"""The table of aggregates: on which types there are, what is folded of a group, what that gives.

    t.group_by("k").agg(col("x").mean())    ->    the sum of x and the number of values, divided

Methods of columns and groups, the names that `agg()` takes, types and the folds in the IR go by
what a row says: an aggregate more is a row more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from diablo.diagnostics import InputError
from diablo.table.column_conversions import converted
from diablo.table.column_values import FLOAT64, INT64, ColumnType
from diablo.table.time_expressions import averaged, count_of, of_count
from diablo.table.typed_expressions import Typed

Way = Literal["rows", "count", "fold", "different", "row"]
"""How an aggregate is found: how many rows there are, how many values that are no nulls, a fold of
these by a monoid, how many values differ, null being one more, or the value of one row."""


@dataclass(frozen=True)
class AggregateFunction:
    """An aggregate.

    Parameters
    ----------
    name : its name: of the method, and in `agg()`
    gives : what it gives of a group, as the method's docstring says it
    way : how it is found
    monoid : of a fold what combines values; of a row what chooses among the numbers of rows
    is_divided : whether a fold is divided by the number of values that it is of
    null_of_none : whether it is null of no values; otherwise it is the monoid's identity
    takes : on which types there is the aggregate
    folded : what it is computed of, given the operand
    finished : what it is, given the type of the operand and what was found
    gives_of_each : what the method of groups gives of all columns; empty if there is none
    skips_others : whether that leaves out columns of types on which there is none
    also : another name that `agg()` takes
    """

    name: str
    gives: str
    way: Way = "fold"
    monoid: str = "add"
    is_divided: bool = False
    null_of_none: bool = False
    takes: Callable[[ColumnType], bool] = lambda _: True
    folded: Callable[[Typed], Typed] = lambda operand: operand
    finished: Callable[[ColumnType, Typed], Typed] = lambda _, found: found
    gives_of_each: str = ""
    skips_others: bool = False
    also: str = ""


@dataclass(frozen=True)
class Aggregate:
    """What is found of the rows of a group; without an operand how many they are."""

    function: str
    operand: Typed | None
    type: ColumnType

    @property
    def row(self) -> AggregateFunction:
        """The row of the table that it is of."""
        return AGGREGATES[self.function]


def aggregated(operand: Typed, function: str, *, whole: bool) -> Aggregate:
    """Return an aggregate of an operand; `whole` says that it is one of all rows.

    Of no rows, which all rows may be and no group is, there is no least value. An `InputError`
    says that there is no such aggregate on the operand's type.
    """
    row, type = AGGREGATES[function], operand.type
    if not row.takes(type):
        raise InputError(f"there is no {function}() of a column of {type}")
    folded = row.folded(operand)
    if row.way in ("count", "different"):
        return Aggregate(function, folded, INT64)
    nullable = row.null_of_none and (type.nullable or whole)
    return Aggregate(function, folded, folded.type.with_nulls(nullable))


def _is_number_or_duration(type: ColumnType) -> bool:
    return not (type.is_text or type.is_moment)


def _has_mean(type: ColumnType) -> bool:
    return not type.is_text


def _has_order(type: ColumnType) -> bool:
    return type.dtype.kind != "c"


def _is_truth(type: ColumnType) -> bool:
    return type.is_truth


def _widened(operand: Typed) -> Typed:
    """Return a number as one of the type of sums: integers have 64 bits there."""
    if operand.type.is_time:
        return count_of(operand)
    return converted(operand, ColumnType(np.sum(np.empty(0, operand.type.dtype)).dtype))


def _time_of_sum(type: ColumnType, found: Typed) -> Typed:
    return of_count(found, type.dtype) if type.is_time else found


def _as_float(operand: Typed) -> Typed:
    return operand if operand.type.dtype.kind == "c" else converted(operand, FLOAT64)


def _narrowed_mean(type: ColumnType, found: Typed) -> Typed:
    if type.is_time:
        return averaged(found, type.dtype)
    return converted(found, ColumnType(type.dtype)) if type.dtype == np.float32 else found


_ROWS = (
    AggregateFunction("len", "how many rows a group has", "rows", also="size"),
    AggregateFunction(
        "sum",
        "the sum of a group, 0 of none; that of integers has 64 bits",
        takes=_is_number_or_duration,
        folded=_widened,
        finished=_time_of_sum,
        gives_of_each="the sums of all columns of numbers",
        skips_others=True,
    ),
    AggregateFunction(
        "mean",
        "the mean of a group, null of none",
        is_divided=True,
        null_of_none=True,
        takes=_has_mean,
        folded=_as_float,
        finished=_narrowed_mean,
        gives_of_each="the means of all columns of numbers",
        skips_others=True,
    ),
    AggregateFunction(
        "min",
        "the least value of a group; NaN if there is one",
        monoid="min",
        null_of_none=True,
        takes=_has_order,
        gives_of_each="the least values of all columns",
    ),
    AggregateFunction(
        "max",
        "the greatest value of a group; NaN if there is one",
        monoid="max",
        null_of_none=True,
        takes=_has_order,
        gives_of_each="the greatest values of all columns",
    ),
    AggregateFunction("count", "how many values a group has, without nulls", "count"),
    AggregateFunction(
        "n_unique",
        "how many different values a group has; null is one of them",
        "different",
        takes=_has_order,
        also="nunique",
    ),
    AggregateFunction(
        "first",
        "the value of the first row of a group",
        "row",
        "min",
        null_of_none=True,
        gives_of_each="the first row of each group",
    ),
    AggregateFunction(
        "last",
        "the value of the last row of a group",
        "row",
        "max",
        null_of_none=True,
        gives_of_each="the last row of each group",
    ),
    AggregateFunction(
        "any", "whether one of the truth values of a group is true", monoid="or", takes=_is_truth
    ),
    AggregateFunction(
        "all", "whether all truth values of a group are true", monoid="and", takes=_is_truth
    ),
)
AGGREGATES: dict[str, AggregateFunction] = {row.name: row for row in _ROWS}
ROW_COUNT = Aggregate("len", None, INT64)
"""How many rows there are."""


def aggregates_of_values() -> list[AggregateFunction]:
    """Return the aggregates that are of a column, and not of rows alone."""
    return [row for row in AGGREGATES.values() if row.way != "rows"]


def aggregate_named(name: str) -> AggregateFunction:
    """Return the aggregate that `agg()` is given by a name; an `InputError` if there is none."""
    for row in AGGREGATES.values():
        if name in (row.name, row.also):
            return row
    known = ", ".join([row.name for row in aggregates_of_values()])
    raise InputError(f"there is no aggregate {name!r}: it is {known}")
