"""Rows that a loop of the driver goes through in order.

people = sequence((names, ages), 0)
people.count            ->  3
people.row(1)           ->  ("Bob", 42)
people.column(1)        ->  array([37, 42, 51])
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import RunError
from diablo.runtime.ordering import encode, stable_order
from diablo.runtime.rows.batches import Batch, length, take
from diablo.runtime.rows.columns import AnyColumn
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings

_NO_ORDER = "two rows of the list differ in nothing that has an order"

_PLAIN = (np.int64, np.bool_, np.float64)
_READ_AHEAD = 4096
"""How many rows are made tuples at a time."""


def sequence(rows: Batch, sorted: int, at: str) -> Sequence:
    """Rows in their order, or ascending by some of their first columns.

    Raises
    ------
    RunError
        If rows agree in these, and have other columns; `at` is the place of the loop.
    """
    if not sorted:
        return Sequence(rows)
    count = length(rows)
    codes = encode(rows[:sorted]).codes if count else np.zeros(0, np.int64)
    order = stable_order(codes)
    if sorted < len(rows):
        ascending = codes.take(order)
        if bool((ascending[1:] == ascending[:-1]).any()):
            raise RunError(f"{at}: {_NO_ORDER}")
    return Sequence(take(rows, order))


class Sequence:
    """Rows, each at its place. Reading one after the other is fast."""

    def __init__(self, rows: Batch):
        self.count = length(rows)
        self._columns = rows
        self._first = 0
        self._ahead: list[tuple[Any, ...]] = []

    def row(self, place: int) -> tuple[Any, ...]:
        """The values of a row: integers, doubles and Booleans are Python's, lists batches."""
        offset = place - self._first
        if not 0 <= offset < len(self._ahead):
            self._first = place
            part = slice(place, place + _READ_AHEAD)
            self._ahead = list(
                zip(*[column_values(column[part]) for column in self._columns], strict=True)
            )
            offset = 0
        return self._ahead[offset]

    def column(self, number: int) -> NDArray[Any]:
        """A column of numbers or Booleans, contiguous in memory, which is not to be written to."""
        return np.ascontiguousarray(self._columns[number])


def column_values(column: AnyColumn) -> list[Any]:
    """The values of a column as the driver has them."""
    if isinstance(column, Strings) or (not isinstance(column, Lists) and column.dtype in _PLAIN):
        return column.tolist()
    return [column[place] for place in range(len(column))]
