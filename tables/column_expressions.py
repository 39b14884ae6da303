"""Expressions of columns, as users write them: `col("x") * 2 > col("y")`.

They name columns and know of no table; what they are computed of, and their types, is found where
a table is given one (`expression_binding.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from diablo.array.creation_functions import asarray
from diablo.array.elementwise_operations import ELEMENTWISE, operation_of
from diablo.array.lazy_array import Array
from diablo.array.python_operators import COMPARISONS, OPERATORS
from diablo.diagnostics import InputError
from diablo.table.table_aggregates import ROW_COUNT, AggregateFunction, aggregates_of_values
from diablo.table.window_methods import WindowMethods

Kind = Literal[
    "column", "literal", "array", "call", "text", "time", "truncate", "slice", "cast", "choose",
    "only_if", "is_in", "is_null", "fill_null", "aggregate", "window", "over",
    "round",
]  # fmt: skip


Name = str
"""Inside of `Expression` and `TextFunctions` other things have the names of Python's functions."""


class Expression(WindowMethods):
    """What is computed of the columns of a row, or, with aggregates, of all rows of a group."""

    __slots__ = ("kind", "name", "operands", "value")
    __hash__ = None  # pyright: ignore  (expressions are compared row by row)
    __array_priority__ = 2000.0

    def __init__(
        self,
        kind: Kind,
        operands: Iterable[Expression] = (),
        value: Any = None,
        name: Name | None = None,
    ):
        self.kind: Kind = kind
        self.operands = tuple(operands)
        self.value = value
        self.name = name

    @property
    def output_name(self) -> Name | None:
        """The name of the column that it makes: its own, or that of the first column in it."""
        if self.name is not None:
            return self.name
        if self.kind == "column":
            return self.value
        found = (operand.output_name for operand in self.operands)
        return next((name for name in found if name is not None), None)

    def alias(self, name: Name) -> Expression:
        """Return the expression under a name for the column that it makes."""
        return Expression(self.kind, self.operands, self.value, name)

    def over(
        self,
        *keys: Any,
        order_by: Any = (),
        descending: bool | Sequence[bool] = False,
    ) -> Expression:
        """Return what is computed of all rows for the rows that agree in `keys` each.

        Aggregates are then values of each row, as the rows are not made fewer, and functions of
        the rows around a row see those of its group alone. These are in the order that they have,
        or in that of `order_by`, nulls last. A null is a key, and so is NaN.
        """
        groups = [_by_name(key) for key in _spread(keys)]
        order = [_by_name(key) for key in _spread([order_by])]
        downs = [descending] * len(order) if isinstance(descending, bool) else list(descending)
        if len(downs) != len(order):
            raise InputError(f"{len(order)} keys, and {len(downs)} say whether to descend")
        return Expression("over", [self, *groups, *order], (len(groups), tuple(downs)))

    def _window(self, name: Name, *options: Any, operands: Sequence[Any] = ()) -> Expression:
        return Expression("window", [self, *map(expression, operands)], (name, *options))

    # ---- operators -----------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options or operation_of(ufunc) is None:
            return NotImplemented
        return call(ufunc.__name__, *inputs)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Expression:
        found = _functions().get(function)
        if found is None:
            raise InputError(f"numpy.{function.__name__} is no function of column expressions")
        try:
            return found(*args, **kwargs)
        except TypeError:
            name = function.__name__
            raise InputError(f"numpy.{name} of column expressions takes no such options") from None

    def __bool__(self) -> bool:
        raise InputError(
            "a column expression is neither true nor false: conditions are joined by & and |, "
            "and negated by ~"
        )

    def __and__(self, other: Any) -> Expression:
        return call("bitwise_and", self, other)

    def __or__(self, other: Any) -> Expression:
        return call("bitwise_or", self, other)

    def __invert__(self) -> Expression:
        return call("invert", self)

    def __neg__(self) -> Expression:
        return call("negative", self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return call("absolute", self)

    def __eq__(self, other: object) -> Any:
        return call("equal", self, other)

    def __ne__(self, other: object) -> Any:
        return call("not_equal", self, other)

    # ---- values --------------------------------------------------------------------

    def cast(self, dtype: Any) -> Expression:
        """Return the values as others of a type, `"int32"`, `float`, `str`.

        Floats become the integers next to zero, strings the numbers that they spell; one that
        spells none is an error while the query runs.
        """
        return Expression("cast", [self], dtype)

    astype = cast

    def is_null(self) -> Expression:
        """Return whether there is no value. NaN is a value."""
        return Expression("is_null", [self])

    def is_not_null(self) -> Expression:
        """Return whether there is a value."""
        return ~self.is_null()

    def fill_null(self, value: Any) -> Expression:
        """Return the values, and others where there are none."""
        return Expression("fill_null", [self, expression(value)])

    def is_nan(self) -> Expression:
        """Return whether values are NaN."""
        return call("isnan", self)

    def is_in(self, values: Iterable[Any]) -> Expression:
        """Return whether values are among some."""
        if isinstance(values, Name):
            raise InputError(f"is_in() takes several values, as [{values!r}], and not a string")
        if isinstance(values, Array):
            values = values.ravel().tolist()
        return Expression("is_in", [self], list(dict.fromkeys(values)))

    def is_between(self, low: Any, high: Any) -> Expression:
        """Return whether values are at least `low` and at most `high`."""
        return (self >= low) & (self <= high)

    def abs(self) -> Expression:
        """Return the absolute values."""
        return call("absolute", self)

    def round(self, decimals: int = 0) -> Expression:
        """Return the nearest numbers with some decimals, halves to the even one, as NumPy does."""
        return Expression("round", [self], decimals)

    def clip(self, lower: Any = None, upper: Any = None) -> Expression:
        """Return the values, and the bounds where they are beyond these."""
        found = self if lower is None else call("maximum", self, lower)
        return found if upper is None else call("minimum", found, upper)

    @property
    def str(self) -> TextFunctions:
        """Functions of strings."""
        return TextFunctions(self)

    @property
    def dt(self) -> TimeFunctions:
        """Parts of points in time and durations."""
        return TimeFunctions(self)

    if TYPE_CHECKING:

        def __getattr__(self, name: Name) -> Callable[..., Expression]:
            """The aggregates, and NumPy's functions of one number, as methods (below)."""
            ...

    def __repr__(self) -> Name:
        text = self._text()
        return text if self.name is None else f"{text}.alias({self.name!r})"

    def _text(self) -> Name:
        parts = ", ".join(map(repr, self.operands))
        match self.kind:
            case "column":
                return f"col({self.value!r})"
            case "literal":
                return repr(self.value)
            case "array":
                return "an array"
            case "aggregate":
                return _as_method(self.value, self.operands)
            case "window":
                return _as_method(self.value[0], self.operands)
            case "over":
                return _as_method("over", self.operands)
            case "call" | "text":
                return f"{self.value}({parts})"
            case _:
                return f"{self.kind}({parts})"


def _as_method(name: str, operands: Sequence[Expression]) -> str:
    """Return how a method of the first operand is written."""
    first, *others = [*map(repr, operands), ""]
    return f"{first}{'.' if first else ''}{name}({', '.join(filter(None, others))})"


def _method(name: str, *, reflected: bool = False) -> Callable[..., Expression]:
    def operator(self: Expression, other: Any) -> Expression:
        return call(name, other, self) if reflected else call(name, self, other)

    return operator


def _function(name: str) -> Callable[[Expression], Expression]:
    def function(self: Expression) -> Expression:
        return call(name, self)

    function.__doc__ = f"Return what `numpy.{name}` gives of the values."
    return function


def _aggregate(row: AggregateFunction) -> Callable[[Expression], Expression]:
    def aggregate(self: Expression, *options: Any, **named: Any) -> Expression:
        return aggregate_of(self, row, *options, **named)

    aggregate.__doc__ = f"Return {row.gives}."
    return aggregate


for _operator in OPERATORS:
    setattr(Expression, f"__{_operator.method}__", _method(_operator.ufunc))
    setattr(Expression, f"__r{_operator.method}__", _method(_operator.ufunc, reflected=True))
for _operator in COMPARISONS:
    setattr(Expression, f"__{_operator.method}__", _method(_operator.ufunc))
for _row in aggregates_of_values():
    setattr(Expression, _row.name, _aggregate(_row))
for _short in ELEMENTWISE:
    _ufunc = getattr(np, _short, None)
    if isinstance(_ufunc, np.ufunc) and _ufunc.nin == 1 and not hasattr(Expression, _short):
        setattr(Expression, _short, _function(_short))


@lru_cache
def _functions() -> dict[Any, Callable[..., Expression]]:
    """Return NumPy's functions that are no ufuncs, and those of expressions for them."""

    def where(condition: Any, x: Any, y: Any) -> Expression:
        return when(condition).then(x).otherwise(y)

    def clip(a: Any, a_min: Any = None, a_max: Any = None, **named: Any) -> Expression:
        return expression(a).clip(**({"lower": a_min, "upper": a_max} | _renamed(named)))

    def _renamed(named: dict[str, Any]) -> dict[str, Any]:
        return {{"min": "lower", "max": "upper"}[name]: bound for name, bound in named.items()}

    def rounded(a: Expression, decimals: int = 0) -> Expression:
        return a.round(decimals)

    def aggregate(row: AggregateFunction, a: Expression, **options: Any) -> Expression:
        if row.name in ("std", "var"):
            options = {"ddof": 0} | options  # As NumPy has it, and not as pandas.
        return aggregate_of(a, row, **options)

    folds = {
        function: partial(aggregate, row)
        for row in aggregates_of_values()
        if (function := getattr(np, row.name, None)) is not None
    }
    return folds | {np.where: where, np.clip: clip, np.round: rounded, np.around: rounded}


class TextFunctions:
    """Functions of the strings of a column, by the names that Python and pandas have for them."""

    __slots__ = ("_of",)

    def __init__(self, of: Expression):
        self._of = of

    def _call(self, name: str, *others: Any) -> Expression:
        return Expression("text", [self._of, *map(expression, others)], name)

    def contains(self, part: Any) -> Expression:
        """Return whether `part`, which is no pattern, is in the strings."""
        return self._call("contains", part)

    def startswith(self, part: Any) -> Expression:
        """Return whether the strings begin with `part`."""
        return self._call("starts_with", part)

    def endswith(self, part: Any) -> Expression:
        """Return whether the strings end with `part`."""
        return self._call("ends_with", part)

    def lower(self) -> Expression:
        """Return the strings in small letters."""
        return self._call("lower")

    def upper(self) -> Expression:
        """Return the strings in capital letters."""
        return self._call("upper")

    def strip(self) -> Expression:
        """Return the strings without white space around them."""
        return self._call("trim")

    def len(self) -> Expression:
        """Return how many characters there are."""
        return self._call("length")

    def find(self, part: Any) -> Expression:
        """Return where `part` is first found, -1 where it is not."""
        return self._call("index_of", part)

    def replace(self, part: Any, by: Any) -> Expression:
        """Return the strings with `by` for each `part`, which is no pattern."""
        return self._call("replace", part, by)

    def slice(self, start: int, stop: int) -> Expression:
        """Return the characters from `start` up to `stop`, as far as there are any."""
        if start < 0 or stop < 0:
            raise InputError("the bounds of str.slice count from the beginning: they are 0 or more")
        return Expression("slice", [self._of], (start, stop))


class TimeFunctions:
    """Parts of the points in time and the durations of a column."""

    __slots__ = ("_of",)

    def __init__(self, of: Expression):
        self._of = of

    def truncate(self, unit: Name) -> Expression:
        """Return the beginning of the year, month, week, day, hour, minute or second."""
        return Expression("truncate", [self._of], unit)

    def _part(self, name: Name) -> Expression:
        return Expression("time", [self._of], name)

    def year(self) -> Expression:
        """Return the years."""
        return self._part("year")

    def quarter(self) -> Expression:
        """Return the quarters of the year, 1 to 4."""
        return self._part("quarter")

    def month(self) -> Expression:
        """Return the months, 1 to 12."""
        return self._part("month")

    def day(self) -> Expression:
        """Return the days of the month, from 1 on."""
        return self._part("day")

    def ordinal_day(self) -> Expression:
        """Return the days of the year, from 1 on."""
        return self._part("ordinal_day")

    def weekday(self) -> Expression:
        """Return the days of the week, 0 for Monday."""
        return self._part("weekday")

    def hour(self) -> Expression:
        """Return the hours of the day."""
        return self._part("hour")

    def minute(self) -> Expression:
        """Return the minutes of the hour."""
        return self._part("minute")

    def second(self) -> Expression:
        """Return the seconds of the minute."""
        return self._part("second")

    def millisecond(self) -> Expression:
        """Return the milliseconds of the second."""
        return self._part("millisecond")

    def microsecond(self) -> Expression:
        """Return the microseconds of the second."""
        return self._part("microsecond")

    def nanosecond(self) -> Expression:
        """Return the nanoseconds of the second."""
        return self._part("nanosecond")

    def date(self) -> Expression:
        """Return the dates: points in time whose unit is the day."""
        return self._of.cast("datetime64[D]")

    def total_days(self) -> Expression:
        """Return durations in days, as floats."""
        return self._part("total_days")

    def total_hours(self) -> Expression:
        """Return durations in hours, as floats."""
        return self._part("total_hours")

    def total_minutes(self) -> Expression:
        """Return durations in minutes, as floats."""
        return self._part("total_minutes")

    def total_seconds(self) -> Expression:
        """Return durations in seconds, as floats."""
        return self._part("total_seconds")


class Case:
    """A condition, and what was to be where others hold: `when(c).then(x)`."""

    __slots__ = ("_cases", "_condition")

    def __init__(self, condition: Any, cases: tuple[tuple[Expression, Expression], ...] = ()):
        self._condition = expression(condition)
        self._cases = cases

    def then(self, value: Any) -> Choice:
        """Return the choice with the value where the condition holds."""
        return Choice((*self._cases, (self._condition, expression(value))))


class Choice(Expression):
    """What is to be where conditions hold: `when(c).then(x).otherwise(y)`.

    Without `otherwise` there is no value where none holds.
    """

    __slots__ = ("_cases",)

    def __init__(self, cases: tuple[tuple[Expression, Expression], ...]):
        *others, last = cases
        self._cases = cases
        found = _chosen(others, Expression("only_if", last))
        super().__init__(found.kind, found.operands)

    def when(self, condition: Any) -> Case:
        """Return a further condition, for rows of which none before holds."""
        return Case(condition, self._cases)

    def otherwise(self, value: Any) -> Expression:
        """Return the expression, with a value, or none, where no condition holds."""
        if value is None:
            return Expression(self.kind, self.operands)
        return _chosen(self._cases, expression(value))


def _chosen(cases: Sequence[tuple[Expression, Expression]], otherwise: Expression) -> Expression:
    for condition, value in reversed(cases):
        otherwise = Expression("choose", [condition, value, otherwise])
    return otherwise


def col(name: str) -> Expression:
    """Return the column of a name, of the table that is given the expression."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"a column is named by a string, not by {type(name).__name__}")
    return Expression("column", value=name)


def lit(value: Any) -> Expression:
    """Return a column of one value."""
    return expression(value)


def when(condition: Any) -> Case:
    """Begin a choice: `when(col("x") > 0).then(1).otherwise(-1)`."""
    return Case(condition)


def count() -> Expression:
    """Return how many rows a group has."""
    return Expression("aggregate", value=ROW_COUNT.function, name="count")


def row_number() -> Expression:
    """Return the places of rows, from 1 on: of all rows, or with `over` among those of a group."""
    return Expression("window", value=("row_number",), name="row_number")


def aggregate_of(of: Expression, row: AggregateFunction, *options: Any, **named: Any) -> Expression:
    """Return an aggregate of the values of an expression, or of rows if it is of these alone."""
    operands = [] if row.way == "rows" else [of, *map(expression, row.given(options, named))]
    return Expression("aggregate", operands, row.name)


def arrays_in(e: Expression) -> list[Array]:
    """Return the arrays in an expression."""
    if e.kind == "array":
        return [e.value]
    return [array for operand in e.operands for array in arrays_in(operand)]


def _by_name(given: Any) -> Expression:
    """Return a column by its name, or an expression."""
    return col(given) if isinstance(given, str) else expression(given)


def _spread(given: Iterable[Any]) -> list[Any]:
    """Return arguments, of which some may be lists of them."""
    found: list[Any] = []
    for item in given:
        found += item if isinstance(item, list | tuple) else [item]
    return found


def expression(value: Any) -> Expression:
    """Return a value as an expression; an `InputError` of what is none."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, Case):
        raise InputError("when() needs a then()")
    if isinstance(value, Array):
        return Expression("array", value=value)
    if isinstance(value, np.ndarray):
        return Expression("array", value=asarray(value))
    if isinstance(value, bool | int | float | complex | str | np.generic | date | timedelta):
        return Expression("literal", value=value)
    if value is None:
        raise InputError("None stands for no value: ask is_null(), or fill_null()")
    raise InputError(
        f"{type(value).__name__} is no column: it is an expression, a number, a string or an array"
    )


def call(name: str, *operands: Any) -> Expression:
    """Return the expression of an elementwise function, by NumPy's name for it."""
    return Expression("call", map(expression, operands), name)
