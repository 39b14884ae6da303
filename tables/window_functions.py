"""What rows are computed of the rows around them, as windows of a plan and expressions of these.

    col("x").shift(1).over("k")
  ->  Windowed(plan, [k], [], [shift x by 1, shift (x is there) by 1])    and    only_if(x', there)

Functions of windows know of no nulls: their operands are values and truth values, of which what may
be null is made. Aggregates of groups that need an order, as quantiles, are found by windows too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from diablo.diagnostics import InputError
from diablo.monoid_table import MONOIDS, monoid_on
from diablo.runtime.monoid_ufuncs import identity
from diablo.table.column_conversions import converted
from diablo.table.column_values import FLOAT64, INT64, TEXT, TRUTH, ColumnType
from diablo.table.expression_binding import Partition, applied, choice
from diablo.table.query_plans import Plan, Windowed, WindowFunction
from diablo.table.table_aggregates import (
    AGGREGATES,
    ROW_COUNT,
    Aggregate,
    AggregateFunction,
    aggregated,
    refused,
)
from diablo.table.time_expressions import count_of, of_count
from diablo.table.typed_expressions import Typed, only_if, read

Keys = tuple[Typed, ...]


class Windows:
    """The windows that expressions need, on top of a plan.

    Parameters
    ----------
    plan : the plan, which gets further columns
    """

    def __init__(self, plan: Plan):
        self.plan = plan

    def found(self, partition: Partition, function: WindowFunction) -> list[Typed]:
        """Return the columns of a function, which are added if they are not there."""
        keys, order = partition.keys, partition.order
        below = self.plan
        while isinstance(below, Windowed):
            if (below.keys, below.order) == (keys, order) and function in below.functions:
                return _columns(below, below.functions.index(function))
            (below,) = below.inputs
        top = self.plan
        if isinstance(top, Windowed) and (top.keys, top.order) == (keys, order):
            (input,) = top.inputs
            operand = function.operand
            if operand is None or all(k < len(input.schema) for k in operand.reads):
                self.plan = Windowed(input, keys, order, [*top.functions, function])
                return _columns(self.plan, len(top.functions))
        self.plan = made = Windowed(top, keys, order, [function])
        return _columns(made, 0)

    def one(
        self, partition: Partition, name: str, operand: Typed | None = None, monoid: str = "",
        size: Typed | None = None,
    ) -> Typed:  # fmt: skip
        """Return the column of a function that has one."""
        (column,) = self.found(partition, WindowFunction(name, operand, monoid, size))
        return column

    # ---- functions -----------------------------------------------------------------

    def function(
        self, name: str, operands: Sequence[Typed], options: Sequence[Any], partition: Partition
    ) -> Typed:
        """Return a function of windows; an `InputError` if it takes no such operand."""
        return _FUNCTIONS[name](self, partition, *operands, *options)

    def shifted(self, partition: Partition, operand: Typed, *others: Any) -> Typed:
        """Return the values so many rows before, and others, or null, where there is no row."""
        *fill, by = others
        size = number(by)
        value, there = self.found(partition, WindowFunction("shift", operand, size=size))
        valid = there
        if operand.type.nullable:
            own, _ = self.found(partition, WindowFunction("shift", is_there(operand), size=size))
            valid = applied("bitwise_and", there, own)
        shifted = only_if(value, valid)
        if not fill:
            return shifted
        if not operand.type.nullable:
            shifted = value
        return choice(there, shifted, fill[0])

    def differing(self, partition: Partition, operand: Typed, by: int) -> Typed:
        """Return by how much values differ from those before."""
        if operand.type.is_text:
            raise refused("diff", operand.type)
        return applied("subtract", operand, self.shifted(partition, operand, by))

    def changed(self, partition: Partition, operand: Typed, by: int) -> Typed:
        """Return by what part values differ from those before."""
        if operand.type.is_text or operand.type.is_moment:
            raise refused("pct_change", operand.type)
        before = self.shifted(partition, operand, by)
        return applied("divide", applied("subtract", operand, before), before)

    def running(self, partition: Partition, operand: Typed, function: str, back: bool) -> Typed:
        """Return a fold of the values up to each row, or from it on; null where there is none."""
        if back:
            place = self.one(partition, "number")
            partition = Partition(partition.keys, ((place, True),))
        if function == "count":
            return self.one(partition, "scan", counted(operand), "add")
        folding = _Folding.of(function, operand, f"cum_{function}")
        found = self.one(partition, "scan", folding.values, folding.monoid)
        return folding.finished(with_nulls_of(found, operand))

    def rolling(
        self, partition: Partition, operand: Typed, function: str, size: int, least: int,
        *more: int,
    ) -> Typed:  # fmt: skip
        """Return a fold of the last values; null where there are too few."""
        rows = number(size)
        if operand.type.nullable:
            count = self.one(partition, "fold", counted(operand), "add", rows)
        else:
            place = applied("add", self.one(partition, "number"), number(1))
            count = applied("minimum", place, rows)
        enough = applied("greater_equal", count, number(max(least, 1)))
        if function in ("std", "var"):
            _check_takes(function, operand, f"rolling_{function}")
            varying = self._rolling_variance(partition, operand, rows, count, *more)
            found = only_if(varying, applied("greater", count, number(more[0])))
            found = applied("sqrt", found) if function == "std" else found
            return only_if(_narrowed(found, operand.type), enough)
        folding = _Folding.of(function, operand, f"rolling_{function}")
        found = self.one(partition, "fold", folding.values, folding.monoid, rows)
        if AGGREGATES[function].is_divided:
            found = applied("divide", found, converted(count, FLOAT64))
        return folding.finished(only_if(found, enough))

    def _rolling_variance(
        self, partition: Partition, operand: Typed, rows: Typed, count: Typed, ddof: int
    ) -> Typed:
        """Return the variance of the last values, of how they differ from the mean of the group.

        Sums of squares would leave little of small variances about large means.
        """
        values = filled(converted(operand, FLOAT64), 0.0)
        finite = applied("isfinite", values)
        if operand.type.nullable:
            finite = applied("bitwise_and", finite, is_there(operand))
        whole = partition.unordered
        total = self.one(whole, "whole", choice(finite, values, _ZERO), "add")
        some = self.one(whole, "whole", converted(finite, INT64), "add")
        mean = applied("divide", total, converted(applied("maximum", some, number(1)), FLOAT64))
        centred = applied("subtract", values, mean)
        if operand.type.nullable:
            centred = choice(is_there(operand), centred, _ZERO)
        first = self.one(partition, "fold", centred, "add", rows)
        second = self.one(partition, "fold", applied("multiply", centred, centred), "add", rows)
        n = converted(count, FLOAT64)
        moment = applied(
            "subtract", second, applied("divide", applied("multiply", first, first), n)
        )
        least = applied("maximum", moment, _ZERO)
        return applied("divide", least, applied("subtract", n, constant(float(ddof), FLOAT64)))

    def ranked(self, partition: Partition, operand: Typed, method: str, down: bool) -> Typed:
        """Return the places of values among those of the group, from 1 on; nulls have none."""
        if operand.type.dtype.kind == "c":
            raise InputError("complex numbers have no order, by which rank() counts")
        ranks = Partition(partition.keys, ((operand, down),))
        match method:
            case "ordinal":
                place = self.one(ranks, "number")
            case "min":
                place = self.one(ranks, "first_peer")
            case "max":
                place = self.one(ranks, "last_peer")
            case "dense":
                place = self.one(ranks, "peers_before")
            case _:
                ends = [self.one(ranks, name) for name in ("first_peer", "last_peer")]
                both = converted(applied("add", *ends), FLOAT64)
                half = applied("multiply", both, constant(0.5, FLOAT64))
                return with_nulls_of(applied("add", half, constant(1.0, FLOAT64)), operand)
        return with_nulls_of(applied("add", place, number(1)), operand)

    def numbered(self, partition: Partition) -> Typed:
        """Return the places of rows, from 1 on."""
        return applied("add", self.one(partition, "number"), number(1))

    def carried(self, partition: Partition, operand: Typed, back: bool) -> Typed:
        """Return the last value up to each row, or the next one, where there is none."""
        if not operand.type.nullable:
            return operand
        runs = self.running(partition, operand, "count", back)
        # A value and the rows to which it is carried are a run, which it begins, or ends.
        alike = Partition((*partition.keys, runs), partition.order)
        value = self.one(alike, "last" if back else "first", operand)
        return only_if(value, applied("greater", runs, number(0)))

    # ---- aggregates ----------------------------------------------------------------

    def aggregate(
        self, function: str, operand: Typed | None, options: Sequence[Typed], partition: Partition
    ) -> Typed:
        """Return an aggregate of the group of each row."""
        row, whole = AGGREGATES[function], partition.unordered
        if operand is None:
            return self.one(whole, "size")
        if not row.takes(operand.type):
            raise refused(function, operand.type)
        match row.way:
            case "count":
                return self.one(whole, "whole", counted(operand), "add")
            case "different":
                ordered = Partition(partition.keys, ((operand, False),))
                before = self.one(ordered, "peers_before")
                return applied("add", self.one(whole, "whole", before, "max"), number(1))
            case "row":
                return self._value_of_row(partition, function, operand)
            case "moments":
                return row.finished(operand.type, self._variance(whole, operand, options))
            case "quantile":
                return row.finished(operand.type, self._quantile(whole, operand, options))
            case _:
                pass
        if operand.type.is_text:
            down = MONOIDS[row.monoid].extremum == ">"
            order = ((operand, down),)
            return self._value_of_row(Partition(partition.keys, order), "first", operand)
        return self._fold(whole, row, operand)

    def _value_of_row(self, partition: Partition, place: str, operand: Typed) -> Typed:
        value = self.one(partition, place, operand)
        if not operand.type.nullable:
            return value
        return only_if(value, self.one(partition, place, is_there(operand)))

    def _fold(self, whole: Partition, row: AggregateFunction, operand: Typed) -> Typed:
        folding = _Folding.of(row.name, operand, row.name)
        found = self.one(whole, "whole", folding.values, folding.monoid)
        if row.is_divided:
            count = self.one(whole, "whole", counted(operand), "add")
            if not operand.type.nullable:
                count = self.one(whole, "size")
            found = applied("divide", found, converted(count, found.type))
        if row.null_of_none and operand.type.nullable:
            found = only_if(found, self.one(whole, "whole", is_there(operand), "or"))
        return folding.finished(found)

    def _variance(self, whole: Partition, operand: Typed, options: Sequence[Typed]) -> Typed:
        (ddof,) = options
        mean = self._fold(whole, AGGREGATES["mean"], converted(operand, FLOAT64))
        apart = applied("subtract", converted(operand, FLOAT64), mean)
        squares = filled(applied("multiply", apart, apart), 0.0)
        total = self.one(whole, "whole", squares, "add")
        count = self.one(whole, "size")
        if operand.type.nullable:
            count = self.one(whole, "whole", counted(operand), "add")
        left = applied("subtract", count, ddof)
        found = applied("divide", total, converted(left, FLOAT64))
        return only_if(found, applied("greater", left, number(0)))

    def _quantile(self, whole: Partition, operand: Typed, options: Sequence[Typed]) -> Typed:
        found = _quantile(self, whole.keys, operand, options)
        if not operand.type.nullable:
            return found
        return self._fold(whole, AGGREGATES["max"], found)  # For the rows without a value too.


class Groups:
    """The aggregates of the groups of a plan's rows.

    Parameters
    ----------
    plan : the rows, which get further columns for what needs their order
    keys : in what the rows of a group agree; without keys all rows are one group
    """

    def __init__(self, plan: Plan, keys: Sequence[Typed]):
        self._windows = Windows(plan)
        self._keys = tuple(keys)
        self.aggregates: list[Aggregate] = []

    @property
    def plan(self) -> Plan:
        """The rows, with all columns that the aggregates read."""
        return self._windows.plan

    def aggregate(self, function: str, operand: Typed | None, options: Sequence[Typed]) -> Typed:
        """Return an aggregate as an expression of the columns of the groups."""
        if operand is None:
            return self._column(ROW_COUNT)
        row = AGGREGATES[function]
        if row.way == "quantile":
            if not row.takes(operand.type):
                raise refused(function, operand.type)
            # All rows have the same, but for those without a value.
            found = _quantile(self._windows, self._keys, operand, options)
            return row.finished(operand.type, self._found("max", found))
        return row.finished(operand.type, self._found(function, operand, options))

    def _found(self, function: str, operand: Typed, options: Sequence[Typed] = ()) -> Typed:
        return self._column(aggregated(operand, function, options, whole=not self._keys))

    def _column(self, wanted: Aggregate) -> Typed:
        if wanted not in self.aggregates:
            self.aggregates.append(wanted)
        return read(len(self._keys) + self.aggregates.index(wanted), wanted.type)


def _quantile(windows: Windows, keys: Keys, operand: Typed, options: Sequence[Typed]) -> Typed:
    """Return a quantile of the rows of a group that have a value, for these rows."""
    part, interpolation = options or (constant(0.5, FLOAT64), constant("linear", TEXT))
    values = converted(operand, FLOAT64)
    # Those without a value are a group of their own.
    there = [is_there(values)] if values.type.nullable else []
    at = Typed("literal", FLOAT64, (), float(part.value))
    function = WindowFunction("quantile", values, size=at, interpolation=interpolation.value)
    (found,) = windows.found(Partition((*keys, *there)), function)
    return with_nulls_of(found, values)


@dataclass(frozen=True)
class _Folding:
    """Values that a monoid folds, its identity where there are none, and what the fold becomes."""

    values: Typed
    monoid: str
    finished: Callable[[Typed], Typed]

    @classmethod
    def of(cls, function: str, operand: Typed, method: str) -> _Folding:
        """Return what an aggregate that is a fold folds, for a method of that name."""
        _check_takes(function, operand, method)
        row, type = AGGREGATES[function], operand.type
        values, monoid = row.folded(operand), row.monoid
        if values.type.is_text:
            raise refused(method, type)
        is_time = values.type.is_time
        if is_time:
            values = count_of(values)
        if values.type.is_truth:
            monoid = monoid_on("boolean", monoid) or monoid
        made = filled(values, identity(monoid, values.type.dtype).item())

        def finished(found: Typed) -> Typed:
            return row.finished(type, of_count(found, type.dtype) if is_time else found)

        return cls(made, monoid, finished)


def _check_takes(function: str, operand: Typed, method: str) -> None:
    if not AGGREGATES[function].takes(operand.type):
        raise refused(method, operand.type)


def _columns(plan: Windowed, number: int) -> list[Typed]:
    first = len(plan.inputs[0].schema) + sum([len(f.types) for f in plan.functions[:number]])
    return [read(first + k, type) for k, type in enumerate(plan.functions[number].types)]


def _narrowed(found: Typed, type: ColumnType) -> Typed:
    return converted(found, ColumnType(type.dtype)) if type.dtype == np.float32 else found


def number(value: int) -> Typed:
    """Return a whole number as an argument of the program."""
    return Typed("literal", INT64, (), value)


def constant(value: Any, type: ColumnType) -> Typed:
    """Return a number that is written into the program."""
    return Typed("constant", type, (), value)


_ZERO = constant(0.0, FLOAT64)


def filled(operand: Typed, value: Any) -> Typed:
    """Return an expression with a number instead of nulls."""
    if not operand.type.nullable:
        return operand
    type = operand.type.with_nulls(False)
    return Typed("fill_null", type, (operand, constant(value, type)))


def is_there(operand: Typed) -> Typed:
    """Return whether there is a value."""
    if not operand.type.nullable:
        return constant(True, TRUTH)
    return Typed("call", TRUTH, (Typed("is_null", TRUTH, (operand,)),), "invert")


def counted(operand: Typed) -> Typed:
    """Return 1 where there is a value, and 0 elsewhere."""
    return converted(is_there(operand), INT64)


def with_nulls_of(found: Typed, operand: Typed) -> Typed:
    """Return an expression, and null where another one is."""
    return only_if(found, is_there(operand)) if operand.type.nullable else found


_FUNCTIONS: dict[str, Callable[..., Typed]] = {
    "shift": Windows.shifted,
    "diff": Windows.differing,
    "pct_change": Windows.changed,
    "cumulative": Windows.running,
    "rolling": Windows.rolling,
    "rank": Windows.ranked,
    "row_number": Windows.numbered,
    "fill": Windows.carried,
}
