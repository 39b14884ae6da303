"""Random queries of tables, each with what Python makes of the same rows one by one.

    query = RandomQuery(Random(7));  query.table, query.rows    ->    the same rows in the end

Rows are dictionaries, nulls None. Nothing of `diablo.table` is used to compute what is expected.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import numpy as np
import pandas as pd

import diablo.array as da

Row = dict[str, Any]
Rows = list[Row]

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
WORDS = ["", "a", "b", "ab", "B", "zä", "日本", "🙂", "long word", "a"]
TIMES = [
    datetime(1970, 1, 1), datetime(1969, 12, 31, 23, 59, 59), datetime(2024, 2, 29, 12, 30),
    datetime(1900, 3, 1), datetime(2100, 1, 1, 0, 0, 1),
]  # fmt: skip
FLOATS = [0.0, -0.0, 1.5, -2.0, 0.5, 4.0, math.nan, math.inf]


class Column:
    """What a random expression knows of a column: `kind` is b, i, f, s, or t for times."""

    def __init__(self, name: str, kind: str, nullable: bool):
        self.name = name
        self.kind = kind
        self.nullable = nullable


class Pair:
    """An expression of columns, and the function of a row that it is."""

    def __init__(self, expression: Any, function: Callable[[Row], Any], kind: str):
        self.expression = expression
        self.function = function
        self.kind = kind


One = Callable[[Any], Any]
Two = Callable[[Any, Any], Any]


class RandomQuery:
    """A random query of random tables."""

    def __init__(self, random: Random, steps: int = 4, most_rows: int = 12):
        self.random = random
        self.is_ordered = False
        self.text: list[str] = []
        self._names = 0
        self._most = most_rows
        self.table, self.rows, self.columns = self.new_table()
        for _ in range(random.randint(1, steps)):
            self.add_step()

    # ---- tables --------------------------------------------------------------------

    def new_name(self) -> str:
        self._names += 1
        return f"c{self._names}"

    def new_table(self) -> tuple[Any, Rows, list[Column]]:
        count = self.random.choice([0, 1, 2, self._most, self._most])
        columns: list[Column] = []
        given: dict[str, Any] = {}
        values: dict[str, list[Any]] = {}
        for kind in ["i", *self.random.choices("bifst", k=self.random.randint(1, 3))]:
            column = Column(self.new_name(), kind, self.random.random() < 0.3)
            found = [self.value(kind) for _ in range(count)]
            column.nullable = column.nullable and count > 0
            given[column.name] = self.given(column, found)
            if column.nullable:
                # Of nulls alone nobody knows that they are strings.
                missing = [row > 0 and self.random.random() < 0.4 for row in range(count)]
                found = [None if m else v for v, m in zip(found, missing, strict=True)]
                given[column.name] = self.with_nulls(given[column.name], missing)
            values[column.name] = found
            columns.append(column)
        self.text.append(f"table {values}")
        rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
        return da.table(given), rows, columns

    def value(self, kind: str) -> Any:
        match kind:
            case "b":
                return self.random.random() < 0.5
            case "i":
                return self.random.randint(0, 5)
            case "f":
                return self.random.choice(FLOATS)
            case "t":
                return self.random.choice(TIMES)
            case _:
                return self.random.choice(WORDS)

    def given(self, column: Column, values: list[Any]) -> Any:
        match column.kind:
            case "b":
                return np.array(values, np.bool_)
            case "i":
                return np.array(values, self.random.choice(INTEGERS))
            case "f":
                return np.array(values, self.random.choice(["float32", "float64", "float64"]))
            case "t":
                return np.array(values, self.random.choice(["M8[s]", "M8[ms]", "M8[us]"]))
            case _:
                form = self.random.choice([object, "U", "category"])
                if form != "category":
                    return np.array(values, form)
                whole = np.array(values, object)
                can_be = bool(values) and not column.nullable
                return pd.Series(pd.Categorical(whole)) if can_be else whole

    def with_nulls(self, array: Any, missing: Sequence[bool]) -> Any:
        if array.dtype == object:
            array = array.copy()
            array[np.array(missing, np.bool_)] = None
            return array
        return np.ma.masked_array(array, np.array(missing, np.bool_))

    # ---- expressions ---------------------------------------------------------------

    def pick(self, kinds: str) -> Column | None:
        found = [column for column in self.columns if column.kind in kinds]
        return self.random.choice(found) if found else None

    def leaf(self, kind: str) -> Pair:
        column = self.pick(kind)
        if column is None or self.random.random() < 0.2:
            value = self.value(kind)
            return Pair(da.lit(value), lambda row: value, kind)
        name = column.name
        return Pair(da.col(name), lambda row: row[name], kind)

    def expression(self, kind: str, depth: int = 2) -> Pair:
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf(kind)
        match kind:
            case "b":
                return self.truth(depth)
            case "i" | "f":
                return self.number(kind, depth)
            case "t":
                return self.time(depth)
            case _:
                return self.words(depth)

    def time(self, depth: int) -> Pair:
        one = self.expression("t", depth - 1)
        match self.random.randrange(4):
            case 0:
                return self.choice("t", depth)
            case 1:
                return self.filled("t", depth)
            case 2:
                by = timedelta(days=self.random.randint(-500, 500), seconds=7)
                return Pair(one.expression + by, self.of(lambda x: x + by, one), "t")
            case _:
                made = one.expression.dt.truncate("day")
                midnight = self.of(lambda x: datetime(x.year, x.month, x.day), one)
                return Pair(made, midnight, "t")

    def part(self, depth: int) -> Pair:
        """A part of a point in time."""
        one = self.expression("t", depth - 1)
        name = self.random.choice(["year", "month", "day", "hour", "minute", "second", "weekday"])
        made = getattr(one.expression.dt, name)()
        if name == "weekday":
            return Pair(made, self.of(datetime.weekday, one), "i")
        return Pair(made, self.of(operator.attrgetter(name), one), "i")

    def number(self, kind: str, depth: int) -> Pair:
        """A number; integers are converted first, so that none is too large."""
        choice = self.random.randrange(6)
        if choice == 0:
            return self.choice(kind, depth)
        if kind == "i" and choice == 5:
            return self.part(depth)
        if choice == 1:
            return self.filled(kind, depth)
        if kind == "i" and choice == 2:
            text = self.expression("s", depth - 1)
            return Pair(text.expression.str.len(), self.of(len, text), "i")
        one, other = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        dtype = "int64" if kind == "i" else "float64"
        a, b = one.expression.cast(dtype), other.expression.cast(dtype)
        operators: list[tuple[Any, Two]] = [
            (a + b, operator.add),
            (a - b, operator.sub),
            (a * b, operator.mul),
        ]
        made, function = self.random.choice(operators)
        return Pair(made, self.both(function, one, other), kind)

    def of(self, function: One, operand: Pair) -> Callable[[Row], Any]:
        """The function of a value, null of null."""

        def whole(row: Row) -> Any:
            value = operand.function(row)
            return None if value is None else function(value)

        return whole

    def both(self, function: Two, one: Pair, other: Pair) -> Callable[[Row], Any]:
        """The function of two values, null where one is."""

        def whole(row: Row) -> Any:
            a, b = one.function(row), other.function(row)
            return None if a is None or b is None else function(a, b)

        return whole

    def choice(self, kind: str, depth: int) -> Pair:
        condition = self.expression("b", depth - 1)
        one, other = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        made = da.when(condition.expression).then(one.expression).otherwise(other.expression)
        return Pair(
            made,
            lambda row: (one if condition.function(row) else other).function(row),
            kind,
        )

    def filled(self, kind: str, depth: int) -> Pair:
        one = self.expression(kind, depth - 1)
        value = self.value(kind)

        def function(row: Row) -> Any:
            found = one.function(row)
            return value if found is None else found

        return Pair(one.expression.fill_null(value), function, kind)

    def words(self, depth: int) -> Pair:
        one = self.expression("s", depth - 1)
        match self.random.randrange(4):
            case 0:
                return self.choice("s", depth)
            case 1:
                return Pair(one.expression.str.upper(), self.of(str.upper, one), "s")
            case 2:
                other = self.expression("s", depth - 1)
                made = one.expression + other.expression
                return Pair(made, self.both(operator.add, one, other), "s")
            case _:
                return self.filled("s", depth)

    def truth(self, depth: int) -> Pair:
        match self.random.randrange(5):
            case 0:
                one, other = self.expression("b", depth - 1), self.expression("b", depth - 1)
                if self.random.random() < 0.5:
                    return Pair(one.expression & other.expression, _kleene(one, other, False), "b")
                return Pair(one.expression | other.expression, _kleene(one, other, True), "b")
            case 1:
                one = self.expression("b", depth - 1)
                return Pair(~one.expression, self.of(lambda x: not x, one), "b")
            case 2:
                one = self.expression(self.random.choice("bifst"), depth - 1)
                return Pair(one.expression.is_null(), lambda row: one.function(row) is None, "b")
            case 3:
                one = self.expression("s", depth - 1)
                return Pair(one.expression.str.contains("a"), self.of(lambda x: "a" in x, one), "b")
            case _:
                kind = self.random.choice("ifst")
                one, other = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
                a, b = one.expression, other.expression
                operators: list[tuple[Any, Two]] = [
                    (a < b, operator.lt),
                    (a <= b, operator.le),
                    (a == b, operator.eq),
                    (a != b, operator.ne),
                    (a > b, operator.gt),
                ]
                made, function = self.random.choice(operators)
                return Pair(made, self.both(function, one, other), "b")

    # ---- steps ---------------------------------------------------------------------

    def add_step(self) -> None:
        step = self.random.choice(
            [
                self.filter,
                self.filter,
                self.compute,
                self.select,
                self.group,
                self.aggregate,
                self.join,
                self.join,
                self.order,
                self.distinct,
                self.union,
                self.window,
                self.window,
            ]
        )
        self.text.append(step.__name__)
        step()

    def filter(self) -> None:
        condition = self.expression("b")
        self.text.append(repr(condition.expression))
        self.table = self.table.where(condition.expression)
        self.rows = [row for row in self.rows if condition.function(row)]

    def compute(self) -> None:
        kind = self.random.choice("bifst")
        made, name = self.expression(kind), self.new_name()
        self.text.append(repr(made.expression))
        self.table = self.table.with_columns(**{name: made.expression})
        self.rows = [{**row, name: made.function(row)} for row in self.rows]
        self.columns = [*self.columns, Column(name, kind, True)]

    def select(self) -> None:
        kept = self.random.sample(self.columns, self.random.randint(1, len(self.columns)))
        self.columns = kept
        names = [column.name for column in kept]
        self.table = self.table.select(*names)
        self.rows = [{name: row[name] for name in names} for row in self.rows]

    def keys(self) -> list[Column]:
        return self.random.sample(self.columns, self.random.randint(1, min(2, len(self.columns))))

    def group(self) -> None:
        keys = self.keys()
        names = [key.name for key in keys]
        folds = self.folds()
        made = {name: fold for name, fold, _, _ in folds}
        self.text.append(f"{names} {made}")
        self.table = self.table.group_by(*names).agg(**made)
        groups: dict[Any, Rows] = {}
        for row in self.rows:
            groups.setdefault(tuple(map(_key, [row[name] for name in names])), []).append(row)
        self.rows = [
            {
                **{name: rows[0][name] for name in names},
                **{name: function(rows) for name, _, function, _ in folds},
            }
            for rows in groups.values()
        ]
        self.columns = [*keys, *[Column(name, kind, True) for name, _, _, kind in folds]]
        self.is_ordered = False

    def aggregate(self) -> None:
        folds = self.folds()
        made = {name: fold for name, fold, _, _ in folds}
        self.text.append(f"{made}")
        self.table = self.table.agg(**made)
        self.rows = [{name: function(self.rows) for name, _, function, _ in folds}]
        self.columns = [Column(name, kind, True) for name, _, _, kind in folds]
        self.is_ordered = True

    def folds(self) -> list[tuple[str, Any, Callable[[Rows], Any], str]]:
        return [self.fold() for _ in range(self.random.randint(1, 3))]

    def fold(self) -> tuple[str, Any, Callable[[Rows], Any], str]:
        name = self.new_name()
        column = self.random.choice(self.columns)
        functions = {
            "b": ["any", "all", "count", "min", "max", "n_unique", "sum"],
            "i": ["sum", "mean", "min", "max", "count", "n_unique", "std", "var", "median"],
            "f": ["sum", "mean", "min", "max", "count", "n_unique", "std", "var", "median"],
            "s": ["min", "max", "count", "n_unique"],
            "t": ["min", "max", "count", "n_unique"],
        }[column.kind]
        if self.is_known_order():
            functions = [*functions, "first", "last"]
        function = self.random.choice(functions)
        made = getattr(da.col(column.name), function)()
        kind = {
            "any": "b",
            "all": "b",
            "count": "i",
            "n_unique": "i",
            **dict.fromkeys(["mean", "std", "var", "median"], "f"),
            "sum": "f" if column.kind == "f" else "i",
        }.get(function, column.kind)
        return name, made, lambda rows: _folded(function, [r[column.name] for r in rows]), kind

    def window(self) -> None:
        """Add what is computed of the other rows of each row's group."""
        column, name = self.random.choice(self.columns), self.new_name()
        keys = [c.name for c in self.keys()] if self.random.random() < 0.7 else []
        made, function, kind = self.look(da.col(column.name), column.kind)
        self.text.append(f"{made!r} over {keys}")
        self.table = self.table.with_columns(**{name: made.over(*keys)})
        groups: dict[Any, list[int]] = {}
        for place, row in enumerate(self.rows):
            groups.setdefault(tuple(map(_key, [row[key] for key in keys])), []).append(place)
        found: list[Any] = [None] * len(self.rows)
        for places in groups.values():
            values = function([self.rows[place][column.name] for place in places])
            for place, value in zip(places, values, strict=True):
                found[place] = value
        self.rows = [{**row, name: value} for row, value in zip(self.rows, found, strict=True)]
        self.columns = [*self.columns, Column(name, kind, True)]

    def look(self, of: Any, kind: str) -> tuple[Any, Callable[[list[Any]], list[Any]], str]:
        """A function of the rows of a group, and what it gives of the values of these."""
        if not self.is_known_order() or self.random.random() < 0.3:
            names = ["count", "n_unique", *(["min", "max"] if kind in "ifst" else [])]
            names += ["sum", "std", "median"] if kind in "if" else []
            name = self.random.choice(names)
            results = {"count": "i", "n_unique": "i", "std": "f", "median": "f"}
            return (
                getattr(of, name)(),
                lambda values: [_folded(name, values)] * len(values),
                results.get(name, kind),
            )
        functions = ["shift", "forward_fill", "first", "last"]
        if kind in "ifst":
            functions += ["rank", "rank"]
        if kind in "if":
            functions += ["cum_sum", "cum_max", "rolling_sum", "rolling_mean", "rolling_min"]
        name, number = self.random.choice(functions), self.random.randint(-3, 4)
        match name:
            case "shift":
                return of.shift(number), lambda values: _shifted(values, number), kind
            case "rank":
                return of.rank("min", descending=number < 0), lambda v: _ranks(v, number < 0), "i"
            case "forward_fill" | "first" | "last":
                return getattr(of, name)(), lambda values: _carried(name, values), kind
            case "cum_sum" | "cum_max":
                made, back = getattr(of, name)(reverse=number < 0), number < 0
                return made, lambda values: _running(name[4:], values, back), kind
            case _:
                size = abs(number) + 1
                made = getattr(of, name)(size, min_samples=1)
                result = "f" if name == "rolling_mean" else kind
                return made, lambda values: _rolling(name[8:], values, size), result

    def is_known_order(self) -> bool:
        """Whether rows still stand as they were given, or were put in order."""
        return not any(step in self.text for step in ("group", "join", "distinct", "union"))

    def join(self) -> None:
        table, rows, columns = self.new_table()
        key = self.random.choice(self.columns)
        fitting = [c for c in columns if c.kind == key.kind]
        numbers = [c for c in columns if c.kind in "if"] if key.kind in "if" else []
        fitting = fitting or numbers
        if not fitting:
            return
        other = self.random.choice(fitting)
        how = self.random.choice(["inner", "left", "right", "outer", "semi", "anti"])
        self.text.append(f"{how} {key.name} {other.name}")
        self.table = self.table.join(table, left_on=key.name, right_on=other.name, how=how)
        right = [column for column in columns if column is not other]
        self.rows = _joined(
            self.rows,
            rows,
            (key.name, other.name),
            how,
            ([c.name for c in self.columns], [c.name for c in right]),
        )
        if how not in ("semi", "anti"):
            if key.kind != other.kind and how in ("right", "outer"):
                key.kind = "f"
            self.columns = [*self.columns, *right]
        self.is_ordered = False

    def order(self) -> None:
        """Put rows in the order of all columns, so that it is one order."""
        chosen = self.random.sample(self.columns, len(self.columns))
        down = [self.random.random() < 0.5 for _ in chosen]
        names = [column.name for column in chosen]
        self.table = self.table.order_by(*names, descending=down)
        for name, descending in reversed(list(zip(names, down, strict=True))):
            self.rows = _ordered(self.rows, name, descending)
        self.is_ordered = True
        if self.random.random() < 0.5:
            count = self.random.randint(0, 5)
            self.text.append(f"head {count}")
            self.table, self.rows = self.table.head(count), self.rows[:count]

    def distinct(self) -> None:
        self.table = self.table.distinct()
        found: dict[Any, Row] = {}
        for row in self.rows:
            found.setdefault(tuple(map(_key, row.values())), row)
        self.rows = list(found.values())
        self.is_ordered = False

    def union(self) -> None:
        self.table = self.table.concat(self.table)
        self.rows = [*self.rows, *self.rows]
        self.is_ordered = False


def _kleene(one: Pair, other: Pair, deciding: bool) -> Callable[[Row], Any]:
    def function(row: Row) -> Any:
        values = [one.function(row), other.function(row)]
        if deciding in values:
            return deciding
        return None if None in values else not deciding

    return function


def _key(value: Any) -> Any:
    """Return what tells values of groups apart: NaN is NaN, -0.0 is 0.0, and true is not 1."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value + 0.0
    return (value,) if isinstance(value, str | bool) or value is None else value


def _folded(function: str, values: list[Any]) -> Any:
    there = [value for value in values if value is not None]
    match function:
        case "any":
            return any(there)
        case "all":
            return all(there)
        case "count":
            return len(there)
        case "n_unique":
            return len({_key(value) for value in values})
        case "sum":
            return sum(there)
        case "mean":
            return sum(there) / len(there) if there else None
        case "std" | "var":
            if len(there) < 2:
                return None
            with np.errstate(invalid="ignore"):
                return float(getattr(np, function)(np.array(there, np.float64), ddof=1))
        case "median":
            return _median(there)
        case "first" | "last":
            return values[0 if function == "first" else -1] if values else None
        case _:
            if any(isinstance(v, float) and math.isnan(v) for v in there):
                return math.nan
            return (min if function == "min" else max)(there) if there else None


def _median(values: list[Any]) -> Any:
    if not values:
        return None
    if any(isinstance(v, float) and math.isnan(v) for v in values):
        return math.nan
    ordered = sorted(values)
    one, other = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return one if one == other else (one + other) / 2


def _shifted(values: list[Any], by: int) -> list[Any]:
    places = [place - by for place in range(len(values))]
    return [values[place] if 0 <= place < len(values) else None for place in places]


def _ranks(values: list[Any], descending: bool) -> list[Any]:
    def comes_before(one: Any, other: Any) -> bool:
        if one is None or one != one:
            return False
        if other != other:
            return True
        return one > other if descending else one < other

    there = [value for value in values if value is not None]
    return [
        None if value is None else 1 + sum([comes_before(other, value) for other in there])
        for value in values
    ]


def _carried(name: str, values: list[Any]) -> list[Any]:
    if name != "forward_fill":
        return [values[0 if name == "first" else -1]] * len(values)
    found: list[Any] = []
    for value in values:
        found.append(found[-1] if value is None and found else value)
    return found


def _running(name: str, values: list[Any], back: bool) -> list[Any]:
    if back:
        return _running(name, values[::-1], False)[::-1]
    return [
        None if value is None else _folded(name, values[: place + 1])
        for place, value in enumerate(values)
    ]


def _rolling(name: str, values: list[Any], size: int) -> list[Any]:
    parts = [values[max(0, place + 1 - size) : place + 1] for place in range(len(values))]
    return [
        _folded(name, part) if any(value is not None for value in part) else None for part in parts
    ]


def _joined(
    left: Rows,
    right: Rows,
    keys: tuple[str, str],
    how: str,
    names: tuple[list[str], list[str]],
) -> Rows:
    def agree(one: Row, other: Row) -> bool:
        a, b = one[keys[0]], other[keys[1]]
        return a is not None and b is not None and a == b

    def beside(one: Row | None, other: Row | None) -> Row:
        ours = {name: None if one is None else one[name] for name in names[0]}
        if other is not None and (how == "right" or one is None):
            ours[keys[0]] = other[keys[1]]
        return {**ours, **{name: None if other is None else other[name] for name in names[1]}}

    if how in ("semi", "anti"):
        return [r for r in left if any(agree(r, other) for other in right) == (how == "semi")]
    rows = [beside(one, other) for one in left for other in right if agree(one, other)]
    if how in ("left", "outer"):
        rows += [beside(one, None) for one in left if not any(agree(one, o) for o in right)]
    if how in ("right", "outer"):
        rows += [beside(None, other) for other in right if not any(agree(o, other) for o in left)]
    return rows


def _ordered(rows: Rows, name: str, descending: bool) -> Rows:
    """The rows in an order that leaves those that agree as they are; NaN and nulls come last."""

    def rank(value: Any) -> int:
        if value is None:
            return 2
        return 1 if isinstance(value, float) and math.isnan(value) else 0

    some = [row for row in rows if rank(row[name]) == 0]
    rest = sorted([row for row in rows if rank(row[name])], key=lambda row: rank(row[name]))
    return [*sorted(some, key=lambda row: row[name], reverse=descending), *rest]


def comparable(rows: Rows) -> list[Any]:
    """Rows such that equal ones are equal for Python, floats rounded."""
    return [tuple([_rounded(value) for value in row.values()]) for row in rows]


def _rounded(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str | datetime):
        return repr(value)
    number = float(value)
    if math.isnan(number):
        return "nan"
    return "0" if number == 0 else f"{number:.5g}"


def difference(query: RandomQuery, found: Rows) -> str | None:
    """Return what is wrong with rows that were computed, None if nothing is."""
    expected, made = comparable(query.rows), comparable(found)
    if not query.is_ordered:
        expected, made = sorted(expected), sorted(made)
    same = expected == made
    return None if same else "\n".join([*query.text, f"expected {expected}", f"found    {made}"])
