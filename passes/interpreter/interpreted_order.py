"""Rows in an order, in the interpreter: for ordered loops, and to tell which is the last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from xdsl.ir import Attribute

from diablo.dialects import diablo
from diablo.dialects.bags import sorted_columns
from diablo.dialects.comprehension import BagType
from diablo.passes.interpreter.interpreted_values import Row, Value
from diablo.passes.interpreter.scalar_evaluation import EvaluationError

_NO_ORDER = "two rows of the list differ in nothing that has an order"


def loop_rows(op: diablo.ForOp | diablo.ForeachOp, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows of an ordered loop as it goes through them."""
    if not isinstance(op, diablo.ForeachOp) or not isinstance(op.collection.type, BagType):
        return rows
    type = op.collection.type
    return ascending(rows, list(type.columns), sorted_columns(type, op.sorted))


def ascending(rows: Sequence[Row], columns: Sequence[Attribute], count: int) -> Sequence[Row]:
    """Rows that ascend by their first columns, in which they must differ if there are others."""
    if not count:
        return rows
    ordered = sorted(rows, key=lambda row: _key(row[:count]))
    if count < len(columns):
        for one, other in pairwise(ordered):
            if _key(one[:count]) == _key(other[:count]):
                raise EvaluationError(_NO_ORDER)
    return ordered


def in_order(rows: Sequence[Row], columns: Iterable[int]) -> Sequence[Row]:
    """Rows that ascend by some of their columns; those that agree in these stay in their order."""
    by = list(columns)
    return sorted(rows, key=lambda row: _key(tuple(row[c] for c in by))) if by else rows


def sorted_rows(rows: Sequence[Row], by: Iterable[tuple[int, bool]]) -> Sequence[Row]:
    """Rows sorted by columns, those that are marked from the greatest value to the least.

    NaN comes last in either direction, and rows that agree in all columns stay in their order.
    """

    def compare(one: Row, other: Row) -> int:
        for column, descending in by:
            a: Any = one[column]
            b: Any = other[column]
            if a != a or b != b:
                if (a != a) != (b != b):
                    return 1 if a != a else -1
            elif a != b:
                return -1 if (a < b) != descending else 1
        return 0

    by = list(by)
    return sorted(rows, key=cmp_to_key(compare))


def _key(row: Row) -> list[tuple[bool, Value]]:
    """Return what compares as the rows do: NaN comes after all numbers."""
    parts: list[tuple[bool, Value]] = []
    for value in row:
        # Complex numbers have an order where any will do, by their two parts.
        numbers = (value.real, value.imag) if isinstance(value, complex) else (value,)
        parts += [(True, 0.0) if number != number else (False, number) for number in numbers]
    return parts
