"""Expressions of a row whose types are known: what plans are made of.

    (Read 0 + Literal 2.0) > Read 1    ->    Typed("call", bool, …, "greater")

A column is read by its position. A literal is an argument of the program, so that it serves all; a
constant is written into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from diablo.table.column_values import ColumnType

Kind = Literal[
    "read", "literal", "constant", "call", "convert", "text", "and", "or", "choose",
    "is_null", "fill_null", "only_if",
]  # fmt: skip
"""What an expression is: `call` computes with numbers, by NumPy's name of the function; `text` is
a function of strings; `and` and `or` are those of three truth values. `convert` of a point in time
or a duration gives the number that it is held as, and of such a number the time. `only_if` is a
value, and null where a condition does not hold."""


@dataclass(frozen=True)
class Typed:
    """An expression; `value` is the position, the number or the name of the function."""

    kind: Kind
    type: ColumnType
    operands: tuple[Typed, ...] = ()
    value: Any = None

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.type, self.operands, self.value))

    def __hash__(self) -> int:
        """Return what is computed once: operands may share parts of theirs."""
        return self._hash

    def walk(self) -> Iterator[Typed]:
        """Return it and all that it is made of, each part once."""
        seen: set[int] = set()
        left: list[Typed] = [self]
        while left:
            part = left.pop()
            if id(part) not in seen:
                seen.add(id(part))
                yield part
                left += part.operands

    def mapped(self, leaf: Callable[[Typed], Typed]) -> Typed:
        """Return the expression with other leaves; parts that it shares stay shared."""
        made: dict[int, Typed] = {}

        def of(part: Typed) -> Typed:
            found = made.get(id(part))
            if found is None:
                operands = tuple(map(of, part.operands))
                found = replace(part, operands=operands) if operands else leaf(part)
                made[id(part)] = found
            return found

        return of(self)

    @property
    def reads(self) -> frozenset[int]:
        """The positions of the columns that it reads."""
        return frozenset([part.value for part in self.walk() if part.kind == "read"])

    @property
    def is_read(self) -> bool:
        """Whether it is a column as it is."""
        return self.kind == "read"


def read(position: int, type: ColumnType) -> Typed:
    """Return a column as it is."""
    return Typed("read", type, (), position)


def moved(expression: Typed, places: Mapping[int, int]) -> Typed:
    """Return the expression with columns at other places."""
    return expression.mapped(
        lambda leaf: replace(leaf, value=places[leaf.value]) if leaf.kind == "read" else leaf
    )


def replaced(expression: Typed, columns: Mapping[int, Typed]) -> Typed:
    """Return the expression with other expressions instead of columns."""
    return expression.mapped(lambda leaf: columns[leaf.value] if leaf.kind == "read" else leaf)


def only_if(value: Typed, condition: Typed) -> Typed:
    """Return a value, and null where a condition does not hold, or is null."""
    return Typed("only_if", value.type.with_nulls(), (value, condition))


def conjuncts(condition: Typed) -> list[Typed]:
    """Return the conditions of which all have to hold."""
    if condition.kind != "and":
        return [condition]
    return [part for operand in condition.operands for part in conjuncts(operand)]


def conjunction(conditions: list[Typed]) -> Typed:
    """Return the condition that all of several hold."""
    result, *others = conditions
    for other in others:
        nullable = result.type.nullable or other.type.nullable
        result = Typed("and", result.type.with_nulls(nullable), (result, other))
    return result
