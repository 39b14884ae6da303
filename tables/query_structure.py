"""The structure of a query: all that decides what is compiled for it.

Two queries with one structure are computed by one program. Operations, types and which column is
which are in it; names, rows and literals are not: tables and literals are arguments. Of each table
the program takes the columns that the query needs.

    t.where(col("x") > 5).select("y")    =    the same of another table, with another number than 5
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from diablo.table.column_values import INT64, ColumnType
from diablo.table.query_plans import (
    Computed,
    Concatenated,
    Filtered,
    Grouped,
    Joined,
    Plan,
    Sorted,
    Source,
    Windowed,
    in_order,
)
from diablo.table.typed_expressions import Typed, moved, read


@dataclass(frozen=True)
class Step:
    """What a plan does, in terms of steps before: `operation` by the names of query plans."""

    operation: str
    inputs: tuple[int, ...]
    types: tuple[ColumnType, ...]
    """Those of its columns."""
    parameters: tuple[Any, ...] = ()


@dataclass
class Structure:
    """What `structure_of` finds.

    Parameters
    ----------
    steps : what is done, each behind what it needs; literals hold the number of their argument
    tables : the tables that are read, each with the positions of the columns that are needed
    literals : the values of the literals, in the order of the program's parameters
    """

    steps: tuple[Step, ...]
    tables: list[tuple[Source, tuple[int, ...]]]
    literals: list[Any]
    literal_types: tuple[ColumnType, ...]

    @property
    def key(self) -> Hashable:
        """The key that is equal for queries that one program computes."""
        return self.steps, self.literal_types


def structure_of(root: Plan) -> Structure:
    """Return the structure of a plan, all of whose columns are wanted."""
    return _Structuring(root).structure


class _Structuring:
    def __init__(self, root: Plan):
        order = in_order(root)
        self._needed = _needed_columns(order)
        self._steps: list[Step] = []
        self._tables: list[tuple[Source, tuple[int, ...]]] = []
        self._literals: list[Any] = []
        self._types: list[ColumnType] = []
        self._numbers: dict[Plan, int] = {}
        self._places: dict[Plan, dict[int, int]] = {}
        """For each plan where its columns are found in its step."""
        for plan in order:
            self._add(plan)
        wanted = tuple(range(len(root.schema)))
        places = self._places[root]
        if [places[k] for k in wanted] != list(range(len(self._steps[-1].types))):
            types = tuple([field.type for field in root.schema])
            reads = tuple([read(places[k], root.schema[k].type) for k in wanted])
            self._steps.append(Step("compute", (self._numbers[root],), types, reads))
        self.structure = Structure(
            tuple(self._steps), self._tables, self._literals, tuple(self._types)
        )

    def _add(self, plan: Plan) -> None:
        kept = sorted(self._needed[plan])
        inputs = tuple([self._numbers[input] for input in plan.inputs])
        match plan:
            case Source():
                self._tables.append((plan, tuple(kept)))
                self._step(plan, "table", (), kept)
            case Filtered():
                below = self._places[plan.inputs[0]]
                self._places[plan] = below
                types = self._steps[inputs[0]].types
                condition = self._expression(plan.condition, below)
                self._append(plan, Step("filter", inputs, types, (condition,)))
            case Computed():
                below = self._places[plan.inputs[0]]
                made = [self._expression(plan.expressions[k], below) for k in kept]
                self._step(plan, "compute", inputs, kept, *made)
            case Joined():
                self._join(plan, inputs)
            case Grouped():
                self._group(plan, inputs, kept)
            case Windowed():
                self._window(plan, inputs)
            case Sorted():
                below = self._places[plan.inputs[0]]
                self._places[plan] = below
                keys = tuple([(self._expression(key, below), desc) for key, desc in plan.keys])
                limit = None if plan.limit is None else self._literal(plan.limit, INT64)
                types = self._steps[inputs[0]].types
                self._append(plan, Step("sort", inputs, types, (keys, limit)))
            case Concatenated():
                sides = tuple(
                    [tuple([self._places[input][k] for k in kept]) for input in plan.inputs]
                )
                self._step(plan, "concat", inputs, kept, *sides)
            case _:
                raise AssertionError(plan)

    def _step(
        self, plan: Plan, operation: str, inputs: tuple[int, ...], kept: Sequence[int], *rest: Any
    ) -> None:
        """Add a step that makes the columns that are kept of a plan."""
        self._places[plan] = {position: place for place, position in enumerate(kept)}
        types = tuple([plan.schema[k].type for k in kept])
        self._append(plan, Step(operation, inputs, types, rest))

    def _append(self, plan: Plan, step: Step) -> None:
        self._numbers[plan] = len(self._steps)
        self._steps.append(step)

    def _join(self, plan: Joined, inputs: tuple[int, ...]) -> None:
        left, right = plan.inputs
        width = len(left.schema)
        lefts, rights = self._places[left], self._places[right]
        places = dict(lefts)
        behind = len(self._steps[inputs[0]].types)
        if plan.has_right:
            places |= {width + k: behind + place for k, place in rights.items()}
        self._places[plan] = places
        fields = {place: plan.schema[k].type for k, place in places.items()}
        types = tuple([fields[place] for place in range(len(fields))])
        keys = (
            tuple([lefts[k] for k in plan.left_keys]),
            tuple([rights[k] for k in plan.right_keys]),
        )
        self._append(plan, Step("join", inputs, types, (plan.kind, *keys)))

    def _group(self, plan: Grouped, inputs: tuple[int, ...], kept: Sequence[int]) -> None:
        below = self._places[plan.inputs[0]]
        count = len(plan.keys)
        keys = tuple([self._expression(key, below) for key in plan.keys])
        wanted = [plan.aggregates[k - count] for k in kept if k >= count]
        folds = [
            replace(
                a,
                operand=None if a.operand is None else self._expression(a.operand, below),
                options=tuple([self._expression(option, below) for option in a.options]),
            )
            for a in wanted
        ]
        chosen = [*range(count), *[k for k in kept if k >= count]]
        self._step(plan, "group", inputs, chosen, keys, tuple(folds))

    def _window(self, plan: Windowed, inputs: tuple[int, ...]) -> None:
        below = self._places[plan.inputs[0]]
        types = self._steps[inputs[0]].types
        keys = tuple([self._expression(key, below) for key in plan.keys])
        order = tuple([(self._expression(key, below), desc) for key, desc in plan.order])
        functions = tuple(
            [
                replace(
                    f,
                    operand=None if f.operand is None else self._expression(f.operand, below),
                    size=None if f.size is None else self._expression(f.size, below),
                )
                for f in plan.functions
            ]
        )
        width = len(plan.inputs[0].schema)
        made = tuple([field.type for field in plan.schema[width:]])
        behind = {width + k: len(types) + k for k in range(len(made))}
        self._places[plan] = below | behind
        self._append(plan, Step("window", inputs, (*types, *made), (keys, order, functions)))

    def _expression(self, expression: Typed, places: dict[int, int]) -> Typed:
        """Return an expression with columns where they are, and literals by number."""
        numbered = expression.mapped(
            lambda leaf: (
                replace(leaf, value=self._literal(leaf.value, leaf.type))
                if leaf.kind == "literal"
                else leaf
            )
        )
        return moved(numbered, places)

    def _literal(self, value: Any, type: ColumnType) -> int:
        self._literals.append(value)
        self._types.append(type)
        return len(self._literals) - 1


def _needed_columns(order: Sequence[Plan]) -> dict[Plan, set[int]]:
    """Return which columns of each plan the others need, of the last one all."""
    needed: dict[Plan, set[int]] = {plan: set() for plan in order}
    needed[order[-1]] = set(range(len(order[-1].schema)))
    for plan in reversed(order):
        wanted = needed[plan]
        if not wanted:  # The number of rows alone.
            wanted.add(_cheapest(plan))
        match plan:
            case Filtered():
                needed[plan.inputs[0]] |= wanted | plan.condition.reads
            case Computed():
                for k in wanted:
                    needed[plan.inputs[0]] |= plan.expressions[k].reads
            case Joined():
                left, right = plan.inputs
                width = len(left.schema)
                needed[left] |= {k for k in wanted if k < width} | set(plan.left_keys)
                needed[right] |= {k - width for k in wanted if k >= width} | set(plan.right_keys)
            case Grouped():
                found = needed[plan.inputs[0]]
                for key in plan.keys:
                    found |= key.reads
                for k in wanted:
                    if k >= len(plan.keys):
                        operand = plan.aggregates[k - len(plan.keys)].operand
                        found |= set() if operand is None else operand.reads
            case Windowed():
                (input,) = plan.inputs
                needed[input] |= {k for k in wanted if k < len(input.schema)} | plan.reads
            case Sorted():
                needed[plan.inputs[0]] |= wanted.union(*[key.reads for key, _ in plan.keys])
            case Concatenated():
                for input in plan.inputs:
                    needed[input] |= wanted
            case _:
                pass
    return needed


def _cheapest(plan: Plan) -> int:
    """Return a column that takes little room."""
    types = [field.type for field in plan.schema]
    return min(range(len(types)), key=lambda k: (types[k].is_text, types[k].nullable, k))
