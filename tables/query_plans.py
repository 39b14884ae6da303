"""The plan of a query: what is done with the rows of tables, step by step.

    Sorted(Grouped(Filtered(Source, x > 0), [k], [sum x]), [sum x])

A plan knows its columns from the start, and computes nothing. Expressions read the columns of the
plan below by position. Plans are shared and never changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from diablo.table.column_values import INT64, TRUTH, ColumnType, ColumnValues
from diablo.table.expression_binding import Field
from diablo.table.table_aggregates import Aggregate
from diablo.table.typed_expressions import Typed

JoinKind = Literal["inner", "left", "right", "outer", "semi", "anti"]


class Columns(Protocol):
    """The columns of a table that is there, or can be read."""

    def column(self, position: int) -> ColumnValues:
        """Return a column."""
        ...

    def load(self, positions: Sequence[int]) -> None:
        """Have some columns there."""
        ...

    @property
    def length(self) -> int:
        """The number of rows."""
        ...


class Plan:
    """A step of a query, and all steps that it needs."""

    schema: tuple[Field, ...]
    inputs: tuple[Plan, ...]

    __slots__ = ("inputs", "schema")

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [field.name for field in self.schema]


class Source(Plan):
    """A table that is there, or can be read."""

    __slots__ = ("columns",)

    def __init__(self, columns: Columns, schema: Sequence[Field]):
        self.columns = columns
        self.schema = tuple(schema)
        self.inputs = ()


class Filtered(Plan):
    """The rows for which a condition holds."""

    __slots__ = ("condition",)

    def __init__(self, input: Plan, condition: Typed):
        self.condition = condition
        self.schema = input.schema
        self.inputs = (input,)


class Computed(Plan):
    """Other columns of the same rows."""

    __slots__ = ("expressions",)

    def __init__(self, input: Plan, names: Sequence[str], expressions: Sequence[Typed]):
        self.expressions = tuple(expressions)
        self.schema = tuple(
            [Field(name, e.type) for name, e in zip(names, expressions, strict=True)]
        )
        self.inputs = (input,)


class Joined(Plan):
    """The pairs of rows that agree in their keys: the columns of both, of some kinds the left's."""

    __slots__ = ("kind", "left_keys", "right_keys")

    def __init__(
        self,
        left: Plan,
        right: Plan,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        kind: JoinKind,
    ):
        self.kind: JoinKind = kind
        self.left_keys = tuple(left_keys)
        self.right_keys = tuple(right_keys)
        self.inputs = (left, right)
        first = _perhaps_missing(left.schema, missing=kind in ("right", "outer"))
        second = _perhaps_missing(right.schema, missing=kind in ("left", "outer"))
        self.schema = (*first, *second) if self.has_right else first

    @property
    def has_right(self) -> bool:
        """Whether the columns of the right side are there."""
        return self.kind not in ("semi", "anti")


def _perhaps_missing(schema: Sequence[Field], *, missing: bool) -> tuple[Field, ...]:
    if not missing:
        return tuple(schema)
    return tuple([Field(field.name, field.type.with_nulls()) for field in schema])


class Grouped(Plan):
    """A row for each group of equal keys: the keys, then the aggregates. Without keys one row."""

    __slots__ = ("aggregates", "keys")

    def __init__(
        self,
        input: Plan,
        names: Sequence[str],
        keys: Sequence[Typed],
        aggregates: Sequence[Aggregate],
    ):
        self.keys = tuple(keys)
        self.aggregates = tuple(aggregates)
        types = [*[key.type for key in keys], *[aggregate.type for aggregate in aggregates]]
        self.schema = tuple([Field(name, type) for name, type in zip(names, types, strict=True)])
        self.inputs = (input,)


@dataclass(frozen=True)
class WindowFunction:
    """What a row is given of the rows of its group, as `tensor_block.window` has it.

    Operands that may be missing are any value there; `size`, a number of rows or a part of these,
    is a literal.
    """

    function: str
    operand: Typed | None = None
    monoid: str = ""
    size: Typed | None = None
    interpolation: str = ""

    @property
    def types(self) -> tuple[ColumnType, ...]:
        """The types of the columns that it makes."""
        value = INT64 if self.operand is None else self.operand.type.with_nulls(False)
        return (value, TRUTH) if self.function == "shift" else (value,)


class Windowed(Plan):
    """The same rows, and behind their columns what they are given of the others of their group."""

    __slots__ = ("functions", "keys", "order")

    def __init__(
        self,
        input: Plan,
        keys: Sequence[Typed],
        order: Sequence[tuple[Typed, bool]],
        functions: Sequence[WindowFunction],
    ):
        self.keys = tuple(keys)
        self.order = tuple(order)
        self.functions = tuple(functions)
        self.inputs = (input,)
        types = [type for function in functions for type in function.types]
        made = [Field(f"#{len(input.schema) + k}", type) for k, type in enumerate(types)]
        self.schema = (*input.schema, *made)

    @property
    def reads(self) -> set[int]:
        """The columns that groups, their order and the functions read."""
        operands = [f.operand for f in self.functions if f.operand is not None]
        read = [*self.keys, *[key for key, _ in self.order], *operands]
        return {position for expression in read for position in expression.reads}


class Sorted(Plan):
    """The rows in an order, the first of them if there is a limit; without keys in their own."""

    __slots__ = ("keys", "limit")

    def __init__(self, input: Plan, keys: Sequence[tuple[Typed, bool]], limit: int | None = None):
        self.keys = tuple(keys)
        self.limit = limit
        self.schema = input.schema
        self.inputs = (input,)


class Concatenated(Plan):
    """The rows of both tables, whose columns have the same types but for nulls."""

    __slots__ = ()

    def __init__(self, one: Plan, other: Plan):
        self.schema = tuple(
            [
                Field(a.name, a.type.with_nulls(a.type.nullable or b.type.nullable))
                for a, b in zip(one.schema, other.schema, strict=True)
            ]
        )
        self.inputs = (one, other)


def in_order(root: Plan) -> list[Plan]:
    """Return a plan and all that it is made of, each behind its inputs; nothing recurses."""
    order: list[Plan] = []
    begun: set[Plan] = set()
    stack: list[tuple[Plan, bool]] = [(root, False)]
    while stack:
        plan, is_done = stack.pop()
        if is_done:
            order.append(plan)
        elif plan not in begun:
            begun.add(plan)
            stack.append((plan, True))
            stack += [(input, False) for input in reversed(plan.inputs)]
    return order


def with_inputs(plan: Plan, inputs: Sequence[Plan]) -> Plan:
    """Return the same step of other inputs, which have the same columns."""
    if tuple(inputs) == plan.inputs:
        return plan
    match plan:
        case Filtered():
            return Filtered(inputs[0], plan.condition)
        case Computed():
            return Computed(inputs[0], plan.names, plan.expressions)
        case Joined():
            left, right = inputs
            return Joined(left, right, plan.left_keys, plan.right_keys, plan.kind)
        case Grouped():
            return Grouped(inputs[0], plan.names, plan.keys, plan.aggregates)
        case Windowed():
            return Windowed(inputs[0], plan.keys, plan.order, plan.functions)
        case Sorted():
            return Sorted(inputs[0], plan.keys, plan.limit)
        case Concatenated():
            return Concatenated(*inputs)
        case _:
            return plan
