"""The table of aggregates: on which types there are, what is folded of a group, what that gives.

    t.group_by("k").agg(col("x").mean())    ->    the sum of x and the number of values, divided

Methods of columns and groups, the names that `agg()` takes, types and the folds in the IR go by
what a row says: an aggregate more is a row more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.rows.quantiles import INTERPOLATIONS
from diablo.table.column_conversions import converted
from diablo.table.column_values import FLOAT64, INT64, ColumnType
from diablo.table.time_expressions import averaged, count_of, of_count
from diablo.table.typed_expressions import Typed

Way = Literal["rows", "count", "fold", "different", "row", "moments", "quantile"]
"""How an aggregate is found: how many rows there are, how many values that are no nulls, a fold of
these by a monoid, how many values differ, null being one more, the value of one row, their number
with their mean and how they differ from it, or the place among them in their order."""


@dataclass(frozen=True)
class AggregateOption:
    """What an aggregate is told: its name, what stands for it, what it is, and what may be it."""

    name: str
    default: Any
    what: str
    accepts: Callable[[Any], bool]


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
    options : what the method is told besides
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
    options: tuple[AggregateOption, ...] = ()

    def given(self, values: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """Return a value for each option; an `InputError` if there is none, or of another kind."""
        names = [option.name for option in self.options]
        if len(values) > len(names):
            most = f"the options {', '.join(names)}" if names else "no options"
            raise InputError(f"{self.name}() takes {most}, and not {len(values)}")
        found = dict(zip(names, values, strict=False))
        for name, value in named.items():
            if name not in names or name in found:
                raise InputError(f"{self.name}() has no option {name!r} left to be given")
            found[name] = value
        for option in self.options:
            value: Any = found.get(option.name, option.default)
            if isinstance(value, np.generic):
                value = cast("np.generic[Any]", value).item()
            found[option.name] = value
            if not option.accepts(value):
                raise InputError(f"{option.name} of {self.name}() is {option.what}, not {value!r}")
        return [found[name] for name in names]


@dataclass(frozen=True)
class Aggregate:
    """What is found of the rows of a group; without an operand how many they are."""

    function: str
    operand: Typed | None
    type: ColumnType
    options: tuple[Typed, ...] = ()

    @property
    def row(self) -> AggregateFunction:
        """The row of the table that it is of."""
        return AGGREGATES[self.function]


def aggregated(
    operand: Typed, function: str, options: Sequence[Typed] = (), *, whole: bool
) -> Aggregate:
    """Return an aggregate of an operand; `whole` says that it is one of all rows.

    Of no rows, which all rows may be and no group is, there is no least value. An `InputError`
    says that there is no such aggregate on the operand's type.
    """
    row, type = AGGREGATES[function], operand.type
    if not row.takes(type):
        raise refused(function, type)
    folded = row.folded(operand)
    if row.way in ("count", "different"):
        return Aggregate(function, folded, INT64)
    nullable = row.null_of_none and (type.nullable or whole or row.way == "moments")
    return Aggregate(function, folded, folded.type.with_nulls(nullable), tuple(options))


def refused(function: str, type: ColumnType) -> InputError:
    """Return the error that there is no such aggregate on a type."""
    return InputError(f"there is no {function}() of a column of {type}")


def _is_number_or_duration(type: ColumnType) -> bool:
    return not (type.is_text or type.is_moment)


def _has_mean(type: ColumnType) -> bool:
    return not type.is_text


def _has_order(type: ColumnType) -> bool:
    return type.dtype.kind != "c"


def _varies(type: ColumnType) -> bool:
    return type.is_number and type.dtype.kind != "c"


def _has_quantiles(type: ColumnType) -> bool:
    return not type.is_text and type.dtype.kind != "c"


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


def _root(type: ColumnType, found: Typed) -> Typed:
    return _narrowed_mean(type, Typed("call", found.type, (found,), "sqrt"))


def _narrowed_mean(type: ColumnType, found: Typed) -> Typed:
    if type.is_time:
        return averaged(found, type.dtype)
    return converted(found, ColumnType(type.dtype)) if type.dtype == np.float32 else found


_DDOF = AggregateOption(
    "ddof",
    1,
    "a whole number, which is taken from the number of values",
    lambda value: isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31,
)
_PART = AggregateOption(
    "q",
    0.5,
    "a number from 0 to 1",
    lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    ),
)
_INTERPOLATION = AggregateOption(
    "interpolation",
    "linear",
    f"one of {', '.join(INTERPOLATIONS)}",
    lambda value: isinstance(value, str) and value in INTERPOLATIONS,
)

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
        "prod",
        "the product of a group, 1 of none; that of integers has 64 bits",
        monoid="mul",
        takes=lambda type: type.is_number,
        folded=_widened,
        gives_of_each="the products of all columns of numbers",
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
    AggregateFunction(
        "std",
        "the standard deviation of a group, null of `ddof` values or fewer",
        "moments",
        null_of_none=True,
        takes=_varies,
        folded=_as_float,
        finished=_root,
        gives_of_each="the standard deviations of all columns of numbers",
        skips_others=True,
        options=(_DDOF,),
    ),
    AggregateFunction(
        "var",
        "the variance of a group, null of `ddof` values or fewer",
        "moments",
        null_of_none=True,
        takes=_varies,
        folded=_as_float,
        finished=_narrowed_mean,
        gives_of_each="the variances of all columns of numbers",
        skips_others=True,
        options=(_DDOF,),
    ),
    AggregateFunction(
        "median",
        "the value in the middle of a group, or the mean of both; NaN if there is one",
        "quantile",
        null_of_none=True,
        takes=_has_quantiles,
        finished=_narrowed_mean,
        gives_of_each="the medians of all columns of numbers",
        skips_others=True,
    ),
    AggregateFunction(
        "quantile",
        "the value below which a part `q` of a group lies; NaN if there is one",
        "quantile",
        null_of_none=True,
        takes=_has_quantiles,
        finished=_narrowed_mean,
        options=(_PART, _INTERPOLATION),
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
