"""The lazy table: what users hold of a query.

    t = da.table(frame)
    t.where(da.col("x") > 0).group_by("k").agg(total=da.col("x").sum()).to_pandas()

Every method makes another table and computes nothing. What is computed is kept with the table, and
read by queries that are made of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from diablo.array.evaluation import DEFAULT, Options
from diablo.array.lazy_array import Array, options
from diablo.costs import MOST_WITH_DRIVER
from diablo.diagnostics import InputError
from diablo.runtime.device.device_names import DeviceName
from diablo.runtime.program.run_main import Engine
from diablo.runtime.results.result_types import RowsOfSpark
from diablo.table import table_outputs
from diablo.table.column_arrays import column_array, expression_of
from diablo.table.column_conversions import common_type, converted
from diablo.table.column_expressions import (
    Expression,
    aggregate_of,
    arrays_in,
    call,
    col,
    count,
    expression,
    row_number,
)
from diablo.table.column_values import ColumnType, ColumnValues
from diablo.table.expression_binding import Binding, Field, Partition, Schema, position_of
from diablo.table.held_columns import ColumnsBeside, HeldColumns, RowsColumns
from diablo.table.query_plans import (
    Columns,
    Computed,
    Concatenated,
    Filtered,
    Grouped,
    Joined,
    JoinKind,
    Plan,
    Sorted,
    Source,
    Windowed,
)
from diablo.table.table_aggregates import (
    ROW_COUNT,
    AggregateFunction,
    aggregate_named,
    aggregates_of_values,
)
from diablo.table.table_inputs import read_table
from diablo.table.typed_expressions import Typed, read
from diablo.table.window_functions import Groups, Windows
from diablo.table.window_methods import whole_number

How = Literal["inner", "left", "right", "outer", "full", "semi", "anti", "cross"]
_HOWS: dict[str, JoinKind] = {
    "inner": "inner",
    "left": "left",
    "right": "right",
    "outer": "outer",
    "full": "outer",
    "semi": "semi",
    "anti": "anti",
}


_KEY = "#key"
_MOST_COMPARED = 16
"""With how many values rows are compared one by one; more are a table that they are joined with."""


class Table:
    """A table that is computed when somebody looks at it."""

    __slots__ = ("__weakref__", "_length", "_plan")
    __hash__ = object.__hash__

    def __init__(self, plan: Plan):
        self._plan = plan
        self._length: int | None = None

    # ---- what it is ----------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan of the query, or the table that was computed of it."""
        return self._plan

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._plan.names

    @property
    def schema(self) -> dict[str, str]:
        """The types of the columns, `?` behind those that may hold nulls."""
        return {field.name: repr(field.type) for field in self._plan.schema}

    @property
    def dtypes(self) -> dict[str, Any]:
        """NumPy's types of the columns; strings are objects."""
        return {field.name: field.type.dtype for field in self._plan.schema}

    @property
    def is_computed(self) -> bool:
        """Whether its rows are there."""
        return isinstance(self._plan, Source)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, which is computed, and of columns."""
        return len(self), len(self._plan.schema)

    def __len__(self) -> int:
        if self._length is None:
            self._length = _known_length(self._plan)
        if self._length is None:
            counted = Grouped(self._plan, ["n"], [], [ROW_COUNT])
            columns, _ = _computed(counted, DEFAULT)
            self._length = int(columns.column(0).values[0])
        return self._length

    def __bool__(self) -> bool:
        raise InputError("a table is neither true nor false: ask len(t)")

    # ---- what computes -------------------------------------------------------------

    def collect(
        self,
        *,
        engine: Engine | None = None,
        master: str | None = None,
        block_size: int | None = None,
        memory: str | int | None = None,
        device: DeviceName = "cpu",
    ) -> Table:
        """Compute the rows, and return the table.

        Parameters
        ----------
        engine
            `"local"` computes in this process, `"spark"` on Spark, `"auto"` on Spark when `master`
            is given or the tables do not fit in memory.
        master
            Spark's master, such as `"local[4]"`.
        block_size
            How many rows are in a block on Spark.
        memory
            How much memory may be taken besides what this process has.
        device
            `"gpu"` has the GPU run the kernels that it takes, which are of numbers; `"auto"` where
            that repays to bring the columns there. What comes of it is brought back.

        Raises
        ------
        InputError
            For an engine or a device that there is not.
        """
        self._collected(options(engine, master, block_size, memory, device))
        return self

    compute = collect

    def _collected(self, wanted: Options = DEFAULT) -> Source:
        plan = self._plan
        if not isinstance(plan, Source):
            columns, types = _computed(plan, wanted)
            fields = [Field(name, type) for name, type in zip(plan.names, types, strict=True)]
            plan = self._plan = Source(columns, fields)
        return plan

    def column_values(self, name: str) -> ColumnValues:
        """Return the values of a column."""
        source = self._collected()
        return source.columns.column(position_of(name, source.schema))

    def _values(self) -> dict[str, ColumnValues]:
        source = self._collected()
        source.columns.load(range(len(source.schema)))
        return {f.name: source.columns.column(k) for k, f in enumerate(source.schema)}

    def to_pandas(self) -> Any:
        """Return the rows as a data frame of pandas', which shares numbers; nulls are NaN, None."""
        return table_outputs.to_pandas(self._values())

    def to_arrow(self) -> Any:
        """Return the rows as a table of Arrow's, which shares numbers."""
        return table_outputs.to_arrow(self._values())

    def to_polars(self) -> Any:
        """Return the rows as a data frame of Polars'."""
        return table_outputs.to_polars(self._values())

    def to_dict(self) -> dict[str, list[Any]]:
        """Return a list of Python's values for each column, and None for nulls."""
        return {name: column.to_list() for name, column in self._values().items()}

    def to_list(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        columns = self.to_dict()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_numpy(self) -> dict[str, Any]:
        """Return an array of NumPy's for each column."""
        return {name: column.to_numpy() for name, column in self._values().items()}

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the rows to a file of Parquet's, `.csv` or `.tsv`, by its suffix."""
        table_outputs.write(self._values(), Path(path))

    def program_columns(self, names: Sequence[str] | None = None) -> dict[str, Any]:
        """Return columns as programs take them: numbers where they are, strings in bytes.

        Without names it is all of them; those that the table does not have are left out.
        """
        source = self._collected()
        chosen = _for_programs(source, names)
        source.columns.load(chosen)
        return {
            source.names[k]: source.columns.column(k).without_nulls(source.names[k]) for k in chosen
        }

    def rows_with_spark(self, names: Sequence[str] | None = None) -> RowsOfSpark | None:
        """Return columns as programs on Spark take them, if Spark has the rows.

        None if it does not, or if values may be missing.
        """
        source = self._collected()
        columns = source.columns
        if not isinstance(columns, RowsColumns) or not columns.is_with_spark:
            return None
        chosen = _for_programs(source, names)
        if names is not None:
            if {*names} != {source.names[k] for k in chosen}:
                return None  # Which one is missing the check of the columns says.
            chosen = [position_of(name, source.schema) for name in names]
        if any(source.schema[k].type.nullable for k in chosen):
            return None
        return columns.with_spark(chosen)

    def is_large_with_spark(self, name: str) -> bool:
        """Return whether Spark has a column without nulls that the driver needs not."""
        source = self._plan
        if not isinstance(source, Source) or not isinstance(source.columns, RowsColumns):
            return False
        columns = source.columns
        if not columns.is_with_spark or columns.length <= MOST_WITH_DRIVER:
            return False
        return not source.schema[position_of(name, source.schema)].type.nullable

    def column_with_spark(self, name: str) -> Any:
        """Return a column that Spark has as a vector, whose blocks are there too."""
        source = self._collected()
        assert isinstance(source.columns, RowsColumns)
        return source.columns.vector(position_of(name, source.schema))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __repr__(self) -> str:
        return table_outputs.text_of(self._values(), len(self))

    def _repr_html_(self) -> str:
        return table_outputs.html_of(self._values(), len(self))

    def explain(self, level: Literal["tensor_block", "spark"] = "spark") -> str:
        """Return the program of the query in the IR."""
        return explained(self._plan, level)

    # ---- columns -------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        """Return a column by its name, columns by several, or rows by a condition or a slice.

        A column of numbers or truth values is a lazy array, others are expressions.
        """
        if isinstance(key, str):
            position = position_of(key, self._plan.schema)
            type = self._plan.schema[position].type
            if type.is_text or type.is_time:
                return col(key)
            return column_array(self, key, len(self), type.dtype)
        if isinstance(key, list) and all(isinstance(name, str) for name in cast("list[Any]", key)):
            return self.select(*cast("list[str]", key))
        if isinstance(key, slice):
            return self._sliced(cast("slice[Any, Any, Any]", key))
        return self.where(key)

    def _sliced(self, key: slice[Any, Any, Any]) -> Table:
        """Return the first rows; other slices are of the rows that are computed."""
        start: int | None = key.start
        stop: int | None = key.stop
        if start in (None, 0) and key.step in (None, 1):
            if stop is None:
                return self
            return self.head(max(len(self) + stop, 0) if stop < 0 else stop)
        if start is not None and start < 0 and stop is None and key.step in (None, 1):
            return self.tail(-start)
        columns = [column.taken(key) for column in self._values().values()]
        return Table(Source(HeldColumns(columns), self._plan.schema))

    def select(self, *columns: Any, **named: Any) -> Table:
        """Return other columns of the same rows: names, expressions, or arrays beside the rows.

        Examples
        --------
        >>> t.select("k", double=col("x") * 2)
        """
        chosen = _named(columns, named)
        if not chosen:
            raise InputError("select() needs a column")
        if any(_has_aggregate(e) for e in chosen.values()):
            return self.agg(**chosen)
        plan, made = self._bound(list(chosen.values()))
        return Table(Computed(plan, list(chosen), made))

    def with_columns(self, *columns: Any, **named: Any) -> Table:
        """Return the table with further columns, or others under names that it has."""
        chosen = _named(columns, named)
        plan, made = self._bound(list(chosen.values()))
        found = {field.name: read(k, field.type) for k, field in enumerate(self._plan.schema)}
        found |= dict(zip(chosen, made, strict=True))
        return Table(Computed(plan, list(found), list(found.values())))

    assign = with_columns

    def drop(self, *names: str) -> Table:
        """Return the table without some columns."""
        for name in names:
            position_of(name, self._plan.schema)
        kept = [name for name in self.columns if name not in names]
        return self.select(*kept)

    def rename(self, names: Mapping[str, str]) -> Table:
        """Return the table with other names for columns."""
        for name in names:
            position_of(name, self._plan.schema)
        found = [names.get(name, name) for name in self.columns]
        _check_distinct(found)
        return _of_columns(self._plan, found, range(len(found)))

    def cast(self, types: Mapping[str, Any]) -> Table:
        """Return the table with columns of other types."""
        return self.with_columns(**{name: col(name).cast(type) for name, type in types.items()})

    # ---- rows ----------------------------------------------------------------------

    def where(self, *conditions: Any) -> Table:
        """Return the rows for which all conditions hold; one that is null does not.

        A condition is an expression, or a Boolean array beside the rows.
        """
        if not conditions:
            raise InputError("where() needs a condition")
        given = [_condition(condition) for condition in conditions]
        among = [condition for condition in given if _is_long_list(condition)]
        plan, bound = self._bound([c for c in given if not _is_long_list(c)])
        for typed, condition in zip(bound, [c for c in given if not _is_long_list(c)], strict=True):
            if not typed.type.is_truth:
                raise InputError(f"a condition is true or false, and {condition!r} is {typed.type}")
            plan = Filtered(plan, typed)
        found = Table(_narrowed(plan, self._plan))
        for condition in among:
            found = found._among(condition)
        return found

    def _among(self, condition: Expression) -> Table:
        """Return the rows of which something is one of many values, or is none of them."""
        is_there = condition.kind == "is_in"
        (listed,) = (condition,) if is_there else condition.operands
        values = table({"value": listed.value})
        (operand,) = listed.operands
        keyed = self.with_columns(**{_KEY: operand})
        if not is_there:
            keyed = keyed.drop_nulls(_KEY)  # Of nulls nobody knows.
        kept = keyed.join(
            values, left_on=_KEY, right_on="value", how="semi" if is_there else "anti"
        )
        return kept.select(*self.columns)

    filter = where

    def drop_nulls(self, *names: str) -> Table:
        """Return the rows that have a value in all columns, or in some."""
        schema = self._plan.schema
        chosen = [position_of(name, schema) for name in names] or range(len(schema))
        plan = self._plan
        for k in chosen:
            if schema[k].type.nullable:
                plan = Filtered(plan, _is_there(read(k, schema[k].type)))
        if plan is self._plan:
            return self
        made = [read(k, field.type) for k, field in enumerate(schema)]
        for k in chosen:
            made[k] = _certain(made[k])
        return Table(Computed(plan, self.columns, made))

    def fill_null(self, value: Any) -> Table:
        """Return the table with a value for nulls, or one for each of some columns by name."""
        if isinstance(value, Mapping):
            given = cast("Mapping[str, Any]", value)
            return self.with_columns(**{name: col(name).fill_null(v) for name, v in given.items()})
        kind = _kind_of(Binding(self._plan.schema).bound(expression(value)).type)
        return self.with_columns(
            **{
                field.name: col(field.name).fill_null(value)
                for field in self._plan.schema
                if field.type.nullable and _kind_of(field.type) == kind
            }
        )

    def order_by(self, *keys: Any, descending: bool | Sequence[bool] = False) -> Table:
        """Return the rows in the order of some expressions, NaN and nulls last.

        `descending` is for all keys, or one for each. Rows that agree stay in their order.
        """
        given = [_expression(key) for key in _listed(keys)]
        if not given:
            raise InputError("order_by() needs a key")
        down = [descending] * len(given) if isinstance(descending, bool) else list(descending)
        if len(down) != len(given):
            raise InputError(f"{len(given)} keys, and {len(down)} say whether to descend")
        plan, bound = self._bound(given)
        for typed in bound:
            _check_comparable(typed.type, "rows are not ordered by")
        ordered = Sorted(plan, list(zip(bound, down, strict=True)))
        return Table(_narrowed(ordered, self._plan))

    sort = order_by

    def head(self, n: int = 5) -> Table:
        """Return the first rows, in the order that they have."""
        n = whole_number("head", n, 0)
        plan = self._plan
        if isinstance(plan, Sorted) and plan.limit is None:
            return Table(Sorted(plan.inputs[0], plan.keys, n))
        return Table(Sorted(plan, [], n))

    limit = head

    def tail(self, n: int = 5) -> Table:
        """Return the last rows, in the order that they have."""
        n = whole_number("tail", n, 0)
        return self.where(call("greater", row_number(), call("subtract", count().over(), n)))

    def with_row_index(self, name: str = "index", offset: int = 0) -> Table:
        """Return the table with the places of its rows, from `offset` on, as its first column."""
        if name in self.columns:
            raise InputError(f"the table has a column {name!r} already")
        places = call("add", row_number(), offset - 1)
        return self.select(places.alias(name), *self.columns)

    def distinct(self, *names: str) -> Table:
        """Return one of equal rows each; with names the first of those that agree in them."""
        schema = self._plan.schema
        chosen = [position_of(name, schema) for name in names]
        if not chosen:
            return self._grouped(self.columns).agg()
        others = [name for name in self.columns if name not in names]
        if not others:
            return self._grouped(names).agg()
        made = self._grouped(names).agg(**{name: col(name).first() for name in others})
        return made.select(*self.columns)

    unique = distinct

    def concat(self, *others: Table) -> Table:
        """Return the rows of this table and of others, which have columns of the same names."""
        result = self._plan
        for other in others:
            result = _concatenated(result, table(other)._plan)
        return Table(result)

    union = concat

    # ---- groups --------------------------------------------------------------------

    def group_by(self, *keys: Any, **named: Any) -> GroupBy:
        """Return the groups of rows that agree in some expressions; NaN agrees with NaN."""
        return self._grouped(keys, named)

    groupby = group_by

    def _grouped(self, keys: Sequence[Any], named: Mapping[str, Any] | None = None) -> GroupBy:
        chosen = _named(keys, named or {})
        if not chosen:
            raise InputError("group_by() needs a key; agg() of the table is of all rows")
        return GroupBy(self, chosen)

    def agg(self, *aggregates: Any, **named: Any) -> Table:
        """Return aggregates of all rows, as a table of one row."""
        return _aggregated(self, {}, aggregates, named)

    def _bound(
        self, expressions: Sequence[Expression], groups: int | None = None
    ) -> tuple[Plan, list[Typed]]:
        """Return expressions with types, and the plan whose columns they read.

        Lazy arrays in them are columns behind those of the table, and so is what is computed of
        other rows. If the first expressions are the keys of groups, what the others look at are
        the rows of these.
        """
        plan, placed = self._with_arrays(expressions)

        def column(array: Array) -> Typed:
            found = placed[id(array)]
            return found if isinstance(found, Typed) else binding.bound(found)

        windows = Windows(plan)
        binding = Binding(self._plan.schema, column, look=windows)
        typed = [binding.bound(e) for e in expressions[:groups]]
        if groups is not None:
            within = replace(binding, partition=Partition(tuple(typed)))
            typed += [within.bound(e) for e in expressions[groups:]]
        return windows.plan, typed

    def _with_arrays(
        self, expressions: Sequence[Expression]
    ) -> tuple[Plan, dict[int, Typed | Expression]]:
        """Return the plan with columns for the arrays in expressions, and what each of these is.

        What is computed of columns of the table is an expression of these.
        """
        placed: dict[int, Typed | Expression] = {}
        beside: list[Array] = []
        width = len(self._plan.schema)
        waiting = [array for e in expressions for array in arrays_in(e)]
        while waiting:
            array = waiting.pop(0)
            if id(array) in placed:
                continue
            if array.ndim != 1:
                raise InputError(f"a column has one dimension, and the array {array.ndim}")
            rows = len(self)
            if array.shape[0] != rows:
                raise InputError(
                    f"the array has {array.shape[0]} elements, and the table {rows} rows"
                )
            own = expression_of(array, self, rows)
            if own is None:
                placed[id(array)] = read(width + len(beside), ColumnType(array.dtype))
                beside.append(array)
            else:
                placed[id(array)] = own
                waiting += arrays_in(own)
        if beside and not _takes_arrays(self._plan):
            self._collected()
        return _beside(self._plan, beside) if beside else self._plan, placed

    # ---- joins ---------------------------------------------------------------------

    def join(
        self,
        other: Any,
        on: str | Sequence[str] | None = None,
        how: How = "inner",
        *,
        left_on: str | Sequence[str] | None = None,
        right_on: str | Sequence[str] | None = None,
        suffix: str = "_right",
    ) -> Table:
        """Return the rows of both tables that agree in their keys, beside each other.

        Parameters
        ----------
        other
            A table, or what `table` makes one of.
        on
            The names of the keys, `left_on` and `right_on` where the tables call them differently.
            They are columns of the result once. A null, and a NaN, agrees with nothing.
        how
            `"inner"`; `"left"`, `"right"` and `"outer"`, which keep rows of one side or both that
            find no other, with nulls; `"semi"` and `"anti"`, the rows on the left that find one, or
            none; `"cross"`, all pairs.
        suffix
            What is added to the names of columns on the right that the left side has too.
        """
        right = table(other)._plan
        left = self._plan
        if how == "cross":
            if on is not None or left_on is not None or right_on is not None:
                raise InputError("a cross join has no keys")
            return _side_by_side(Joined(left, right, (), (), "inner"), left, right, [], [], suffix)
        if how not in _HOWS:
            raise InputError(f"there is no join {how!r}: it is {', '.join(_HOWS)} or cross")
        ours, theirs = _join_keys(on, left_on, right_on)
        left_keys = [position_of(name, left.schema) for name in ours]
        right_keys = [position_of(name, right.schema) for name in theirs]
        lefts, rights = _alike(left, right, left_keys, right_keys)
        joined = Joined(lefts[0], rights[0], lefts[1], rights[1], _HOWS[how])
        if how in ("semi", "anti"):
            return _of_columns(joined, left.names, range(len(left.schema)))
        return _side_by_side(joined, left, right, left_keys, right_keys, suffix)


class GroupBy:
    """The groups of the rows of a table."""

    __slots__ = ("_keys", "_table")

    def __init__(self, table: Table, keys: Mapping[str, Expression]):
        self._table = table
        self._keys = dict(keys)
        _, bound = table._bound(list(self._keys.values()))  # pyright: ignore[reportPrivateUsage]
        for typed in bound:
            _check_comparable(typed.type, "rows are not grouped by")

    def agg(self, *aggregates: Any, **named: Any) -> Table:
        """Return a row for each group: the keys, and aggregates of its rows.

        An aggregate is an expression (`col("x").sum()`), or for names of columns the name of a
        function or a list of them: `agg(x="sum")`, `agg({"x": ["min", "max"]})`.
        """
        return _aggregated(self._table, self._keys, aggregates, named)

    def len(self) -> Table:
        """Return how many rows each group has, in a column `len`."""
        return self.agg(len=count())

    size = len

    def head(self, n: int = 5) -> Table:
        """Return the first rows of each group, all in the order that the table has."""
        n = whole_number("head", n, 0)
        return self._table.where(call("less_equal", self._over(row_number()), n))

    def tail(self, n: int = 5) -> Table:
        """Return the last rows of each group, all in the order that the table has."""
        n = whole_number("tail", n, 0)
        before = call("subtract", self._over(count()), n)
        return self._table.where(call("greater", self._over(row_number()), before))

    def _over(self, e: Expression) -> Expression:
        return e.over(*self._keys.values())

    def _each(self, row: AggregateFunction) -> Table:
        """Return an aggregate of each column that is no key."""
        schema = self._table.plan.schema
        keys = {key.value for key in self._keys.values() if key.kind == "column"}
        chosen = {
            field.name: aggregate_of(col(field.name), row)
            for field in schema
            if field.name not in keys and (row.takes(field.type) or not row.skips_others)
        }
        return self.agg(**chosen)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[[], Table]:
            """The aggregates of all columns, as methods (below)."""
            ...


def _of_each(row: AggregateFunction) -> Callable[[GroupBy], Table]:
    def aggregate(self: GroupBy) -> Table:
        return self._each(row)  # pyright: ignore[reportPrivateUsage]

    aggregate.__doc__ = f"Return {row.gives_of_each}."
    return aggregate


for _row in aggregates_of_values():
    if _row.gives_of_each:
        setattr(GroupBy, _row.name, _of_each(_row))


def table(given: Any) -> Table:
    """Return the lazy table of what holds columns, or of a file.

    Parameters
    ----------
    given
        A data frame of pandas' or Polars', a table of Arrow's or whatever hands itself over as one,
        a dictionary of columns (arrays, lists, lazy arrays), rows that are dictionaries, a list or
        map that a program has made, the path of a file of Parquet's (of which columns are read once
        they are needed) or of a `.csv` or `.tsv` with a header.

    Raises
    ------
    InputError
        It is no table, or a column is of a type that tables do not have, as dates.
    """
    if isinstance(given, Table):
        return given
    return Table(read_table(given))


def concat(tables: Iterable[Any]) -> Table:
    """Return the rows of several tables."""
    first, *others = [table(given) for given in tables]
    return first.concat(*others)


def explained(plan: Plan, level: str) -> str:
    """Return the program of a plan in the IR."""
    from diablo.compiler import module_text
    from diablo.table.filter_pushdown import push_filters
    from diablo.table.query_programs import program_for
    from diablo.table.query_structure import structure_of
    from diablo.table.query_to_tensor_block import write_query

    if level not in ("tensor_block", "spark"):
        raise InputError(f"there is no level {level!r}: it is 'tensor_block' or 'spark'")
    structure = structure_of(push_filters(plan))
    if level == "tensor_block":
        return module_text(write_query(structure.steps, structure.literal_types))
    return module_text(program_for(structure, distributed=False).module)


# ---- names -------------------------------------------------------------------------


def _condition(given: Any) -> Expression:
    """Return a condition as an expression; an `InputError` of a string, which is none."""
    if isinstance(given, str):
        raise InputError(
            f"{given!r} is a string, and no condition: "
            "conditions are made of columns, as col('x') > 1"
        )
    return expression(given)


def _is_long_list(condition: Expression) -> bool:
    """Return whether a condition is that something is one of many values, or none of them."""
    if condition.kind == "call" and condition.value == "invert":
        (condition,) = condition.operands
    return condition.kind == "is_in" and len(condition.value) > _MOST_COMPARED


def _expression(given: Any) -> Expression:
    """Return a column by its name, or an expression."""
    return col(given) if isinstance(given, str) else expression(given)


def _listed(given: Sequence[Any]) -> list[Any]:
    """Return arguments, of which some may be lists of them."""
    found: list[Any] = []
    for item in given:
        found += cast("list[Any]", item) if isinstance(item, list | tuple) else [item]
    return found


def _named(given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Expression]:
    """Return expressions by the names of the columns that they make."""
    found: dict[str, Expression] = {}
    for item in _listed(given):
        made = _expression(item)
        name = made.output_name
        if name is None:
            raise InputError(f"{made!r} needs a name: name=…, or alias()")
        if name in found:
            raise InputError(f"there are several columns {name!r}: alias() gives them others")
        found[name] = made
    for name, item in named.items():
        if name in found:
            raise InputError(f"there are several columns {name!r}")
        found[name] = expression(item)
    return found


def _check_distinct(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"there are several columns {name!r}")


def _has_aggregate(e: Expression) -> bool:
    """Return whether an expression is of groups; what is `over` groups is of rows."""
    return e.kind == "aggregate" or (e.kind != "over" and any(map(_has_aggregate, e.operands)))


def _kind_of(type: ColumnType) -> str:
    """Return what a column is of: numbers of all types are one kind."""
    return "number" if type.is_number else type.dtype.kind


def _check_comparable(type: ColumnType, what: str) -> None:
    if type.dtype.kind == "c":
        raise InputError(f"{what} complex numbers, which have no order")


# ---- plans -------------------------------------------------------------------------


def _computed(plan: Plan, wanted: Options) -> tuple[Columns, list[ColumnType]]:
    from diablo.table.query_programs import evaluated

    return evaluated(plan, wanted)


def _for_programs(source: Source, names: Sequence[str] | None) -> list[int]:
    """Return the columns of some names; an `InputError` if programs have no type for one."""
    chosen = [k for k, name in enumerate(source.names) if names is None or name in names]
    for k in chosen:
        if source.schema[k].type.is_time:
            raise InputError(
                f"column {source.names[k]!r} holds {source.schema[k].type}, for which programs "
                "have no type: cast('int64') makes numbers of it"
            )
    return chosen


def _known_length(plan: Plan) -> int | None:
    """Return how many rows a plan has, if that is known before they are computed."""
    while isinstance(plan, Computed | Windowed) or (
        isinstance(plan, Sorted) and plan.limit is None
    ):
        (plan,) = plan.inputs
    return plan.columns.length if isinstance(plan, Source) else None


def _takes_arrays(plan: Plan) -> bool:
    """Return whether arrays may stand beside the rows that a plan computes columns of."""
    while isinstance(plan, Computed):
        (plan,) = plan.inputs
    return isinstance(plan, Source)


def _beside(plan: Plan, arrays: Sequence[Array]) -> Plan:
    """Return a plan that keeps the rows of its table with arrays behind its columns."""
    fields = [Field(f"#{k}", ColumnType(array.dtype)) for k, array in enumerate(arrays)]
    if isinstance(plan, Source):
        columns = ColumnsBeside(plan.columns, len(plan.schema), arrays)
        return Source(columns, [*plan.schema, *fields])
    assert isinstance(plan, Computed)
    (below,) = plan.inputs
    width = len(below.schema)
    own = [read(width + k, field.type) for k, field in enumerate(fields)]
    names = [*plan.names, *[field.name for field in fields]]
    return Computed(_beside(below, arrays), names, [*plan.expressions, *own])


def _narrowed(plan: Plan, wanted: Plan) -> Plan:
    """Return a plan without the columns that another one does not have."""
    if len(plan.schema) == len(wanted.schema):
        return plan
    return _of_columns(plan, wanted.names, range(len(wanted.schema))).plan


def _of_columns(plan: Plan, names: Sequence[str], positions: Iterable[int]) -> Table:
    chosen = [read(k, plan.schema[k].type) for k in positions]
    if list(names) == plan.names and len(chosen) == len(plan.schema):
        return Table(plan)
    return Table(Computed(plan, names, chosen))


def _is_there(column: Typed) -> Typed:
    from diablo.table.column_values import TRUTH

    missing = Typed("is_null", TRUTH, (column,))
    return Typed("call", TRUTH, (missing,), "invert")


def _certain(column: Typed) -> Typed:
    """Return a column of which no value is missing as one that holds no nulls."""
    if not column.type.nullable:
        return column
    value: Any = "" if column.type.is_text else 0
    type = column.type.with_nulls(False)
    return Typed("fill_null", type, (column, Typed("constant", type, (), value)))


def _concatenated(one: Plan, other: Plan) -> Plan:
    """Return the rows of both, with columns of the names and in the order of the first."""
    if sorted(one.names) != sorted(other.names):
        missing = sorted({*one.names} ^ {*other.names})
        raise InputError(
            f"tables that are put together have the same columns: {missing[0]!r} is in one alone"
        )
    types: list[ColumnType] = []
    places: list[int] = []
    for field in one.schema:
        place = position_of(field.name, other.schema)
        try:
            types.append(common_type([field.type, other.schema[place].type]))
        except InputError as error:
            raise InputError(f"column {field.name!r}: {error}") from None
        places.append(place)
    sides = [
        _converted(plan, one.names, chosen, types)
        for plan, chosen in ((one, range(len(places))), (other, places))
    ]
    return Concatenated(*sides)


def _converted(
    plan: Plan, names: Sequence[str], places: Sequence[int], types: Sequence[ColumnType]
) -> Plan:
    made = [
        converted(read(k, plan.schema[k].type), type) for k, type in zip(places, types, strict=True)
    ]
    is_same = all(e.is_read and e.value == k for k, e in enumerate(made))
    if is_same and len(made) == len(plan.schema) and plan.names == list(names):
        return plan
    return Computed(plan, names, made)


def _join_keys(
    on: str | Sequence[str] | None,
    left_on: str | Sequence[str] | None,
    right_on: str | Sequence[str] | None,
) -> tuple[list[str], list[str]]:
    if on is not None:
        if left_on is not None or right_on is not None:
            raise InputError("join() takes on, or left_on and right_on")
        left_on = right_on = on
    if left_on is None or right_on is None:
        raise InputError("join() needs keys: on, or left_on and right_on")
    ours, theirs = _names_of_keys(left_on), _names_of_keys(right_on)
    if len(ours) != len(theirs) or not ours:
        raise InputError(f"{len(ours)} keys on the left, and {len(theirs)} on the right")
    return ours, theirs


def _names_of_keys(given: Any) -> list[str]:
    """Return the names of keys; an `InputError` of what is no name."""
    keys = cast("Sequence[Any]", given) if isinstance(given, list | tuple) else [given]
    for key in keys:
        if not isinstance(key, str):
            raise InputError(
                f"{key!r} is no name of a column: with_columns() makes one of it to be joined by"
            )
    return list(keys)


def _alike(
    left: Plan, right: Plan, left_keys: Sequence[int], right_keys: Sequence[int]
) -> tuple[tuple[Plan, list[int]], tuple[Plan, list[int]]]:
    """Return both sides with keys of equal types, behind their columns where they have none."""
    found: list[tuple[Plan, list[int]]] = []
    types: list[ColumnType] = []
    for a, b in zip(left_keys, right_keys, strict=True):
        one, other = left.schema[a], right.schema[b]
        _check_comparable(one.type, "rows are not joined by")
        try:
            types.append(common_type([one.type, other.type]))
        except InputError as error:
            raise InputError(f"keys {one.name!r} and {other.name!r}: {error}") from None
    for plan, keys in ((left, left_keys), (right, right_keys)):
        made = [read(k, field.type) for k, field in enumerate(plan.schema)]
        places: list[int] = []
        for k, type in zip(keys, types, strict=True):
            key = converted(made[k], type)
            if not key.is_read:
                made.append(key)
            places.append(k if key.is_read else len(made) - 1)
        extra = [f"#{k}" for k in range(len(made) - len(plan.schema))]
        found.append((Computed(plan, [*plan.names, *extra], made) if extra else plan, places))
    return found[0], found[1]


def _side_by_side(
    joined: Joined,
    left: Plan,
    right: Plan,
    left_keys: Sequence[int],
    right_keys: Sequence[int],
    suffix: str,
) -> Table:
    """Return the columns of both sides, keys once."""
    width = len(joined.inputs[0].schema)
    columns = [read(k, joined.schema[k].type) for k in range(len(left.schema))]
    for ours, theirs, a, b in zip(
        left_keys, right_keys, joined.left_keys, joined.right_keys, strict=True
    ):
        if joined.kind == "right":
            columns[ours] = read(width + theirs, joined.schema[width + theirs].type)
        elif joined.kind == "outer":
            nullable = left.schema[ours].type.nullable or right.schema[theirs].type.nullable
            sides = tuple([read(k, joined.schema[k].type) for k in (a, width + b)])
            type = sides[0].type.with_nulls(nullable)
            columns[ours] = Typed("fill_null", sides[0].type, sides)
            if not nullable:
                columns[ours] = _certain(Typed("fill_null", sides[0].type, sides))
            assert columns[ours].type == type
    names = list(left.names)
    for k, field in enumerate(right.schema):
        if k not in right_keys:
            names.append(f"{field.name}{suffix}" if field.name in left.names else field.name)
            columns.append(read(width + k, joined.schema[width + k].type))
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"there are several columns {name!r}: suffix=… gives them others")
    return Table(Computed(joined, names, columns))


def _aggregated(
    of: Table, keys: Mapping[str, Expression], given: Sequence[Any], named: Mapping[str, Any]
) -> Table:
    """Return the aggregates of groups, or of all rows if there are no keys."""
    chosen = _aggregates(given, named)
    if not keys and not chosen:
        raise InputError("agg() needs an aggregate")
    for name in chosen:
        if name in keys:
            raise InputError(f"{name!r} is a key of the groups: an aggregate needs another name")
    folds: list[Expression] = []
    for e in chosen.values():
        _collect_folds(e, keys, folds)
    operands = [fold.operands[0] for fold in folds if fold.operands]
    given_keys = list(keys.values())
    plan, bound = of._bound([*given_keys, *operands], len(keys))  # pyright: ignore[reportPrivateUsage]
    key_types, rest = bound[: len(keys)], iter(bound[len(keys) :])
    groups = Groups(plan, key_types)
    found = {
        id(fold): groups.aggregate(
            fold.value,
            next(rest) if fold.operands else None,
            [Binding([]).bound(option) for option in fold.operands[1:]],
        )
        for fold in folds
    }
    made = groups.aggregates
    grouped = Grouped(groups.plan, [*keys, *[f"#{k}" for k in range(len(made))]], key_types, made)

    def column(fold: Expression) -> Typed:
        return found[id(fold)]

    schema: Schema = grouped.schema[: len(keys)]
    binding = Binding(schema, None, column)
    results = [read(k, field.type) for k, field in enumerate(schema)]
    results += [binding.bound(e) for e in chosen.values()]
    names = [*keys, *chosen]
    is_whole = len(results) == len(grouped.schema)
    if is_whole and all(e.is_read and e.value == k for k, e in enumerate(results)):
        return Table(Grouped(groups.plan, names, key_types, made))
    return Table(Computed(grouped, names, results))


def _collect_folds(e: Expression, keys: Mapping[str, Expression], folds: list[Expression]) -> None:
    """Find the aggregates of an expression; columns beside them are keys."""
    if e.kind == "aggregate":
        if any(map(_has_aggregate, e.operands)):
            raise InputError(f"{e!r} is an aggregate of an aggregate")
        folds.append(e)
    elif e.kind == "over":
        raise InputError(
            "over() is of rows, and agg() of groups: it stands within an aggregate of these"
        )
    elif e.kind == "column" and e.value not in keys:
        raise InputError(
            f"column {e.value!r} is no key of the groups: an aggregate, as "
            f"col({e.value!r}).sum(), makes one value of many"
        )
    for operand in e.operands if e.kind != "aggregate" else ():
        _collect_folds(operand, keys, folds)


def _aggregates(given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Expression]:
    """Return aggregates by the names of their columns."""
    found: dict[str, Expression] = {}

    def add(name: str, made: Expression) -> None:
        if name in found:
            raise InputError(f"there are several columns {name!r}: alias() gives them others")
        found[name] = made

    def add_functions(column: str, functions: Any) -> None:
        if isinstance(functions, str):
            add(column, _function(column, functions))
            return
        for function in functions:
            add(f"{column}_{function}", _function(column, function))

    for item in _listed(given):
        if isinstance(item, Mapping):
            for column, functions in cast("Mapping[str, Any]", item).items():
                add_functions(column, functions)
            continue
        made = _expression(item)
        add(made.output_name or repr(made), made)
    for name, item in named.items():
        if isinstance(item, str):
            add(name, _function(name, item))
        elif isinstance(item, tuple):
            column, function = cast("tuple[str, str]", item)
            add(name, _function(column, function))
        else:
            add(name, expression(item))
    return found


def _function(column: str, function: str) -> Expression:
    return aggregate_of(col(column), aggregate_named(function))


__all__ = ["GroupBy", "Table", "concat", "table"]
