"""Columns of tables as lazy arrays, and expressions of such arrays as expressions of columns.

    t["x"] * 2 > t["y"]    =    col("x") * 2 > col("y"),  for `t` alone

What is computed of the columns of a table element by element, and is asked of the same table, is
part of the query then, and no array is made of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from diablo.array.elementwise_operations import CONVERT, ELEMENTWISE, Elementwise
from diablo.array.expression_graph import CONSTANT, NUMBER, Node, Operation
from diablo.array.lazy_array import Array
from diablo.array.view_operations import broadcasted
from diablo.table.column_expressions import Expression
from diablo.table.column_values import ColumnValues

_DEEPEST = 64
"""How deep an expression of arrays is looked into."""


class HasColumns(Protocol):
    """A table that computes its columns."""

    def column_values(self, name: str) -> ColumnValues:
        """Return a column, computed if it is not."""
        ...

    def is_large_with_spark(self, name: str) -> bool:
        """Return whether Spark has a column, and the driver needs not."""
        ...

    def column_with_spark(self, name: str) -> Any:
        """Return a column that Spark has as a vector."""
        ...


class TableColumn(Operation):
    """A column of a table: `parameters` are the table and the name."""

    __slots__ = ()

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Compute the table."""
        table, name = node.parameters
        return table.column_values(name).without_nulls(name)

    def is_with_spark(self, node: Node) -> bool:
        """Ask the table."""
        table, name = node.parameters
        return table.is_large_with_spark(name)

    def value_with_spark(self, node: Node) -> Any:
        """Take the column where it is."""
        table, name = node.parameters
        return table.column_with_spark(name)


TABLE_COLUMN = TableColumn("column of a table")


def column_array(table: HasColumns, name: str, length: int, dtype: Any) -> Array:
    """Return the lazy array of a column."""
    return Array(Node(TABLE_COLUMN, (), (table, name), (length,), dtype))


def expression_of(array: Array, table: HasColumns, length: int) -> Expression | None:
    """Return an array as an expression of the columns of a table, None if it reads none of them."""
    return _Reading(table, length).read(array.node)


class _Reading:
    def __init__(self, table: HasColumns, length: int):
        self._table = table
        self._length = length
        self._known: dict[Node, tuple[Expression, bool]] = {}

    def read(self, root: Node) -> Expression | None:
        expression, has_column = self._expression(root, 0)
        return expression if has_column else None

    def _expression(self, node: Node, depth: int) -> tuple[Expression, bool]:
        """Return an expression, and whether there is a column in it."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._made(node, depth)
        return found

    def _made(self, node: Node, depth: int) -> tuple[Expression, bool]:
        operation = node.operation
        if operation is TABLE_COLUMN and node.parameters[0] is self._table:
            return Expression("column", value=node.parameters[1]), True
        if operation in (NUMBER, CONSTANT) and node.value is not None:
            return Expression("literal", value=node.value[()]), False
        is_known = operation is CONVERT or ELEMENTWISE.get(operation.name) is operation
        if is_known and depth < _DEEPEST and node.value is None:
            parts = [self._expression(operand, depth + 1) for operand in node.operands]
            if any(has_column for _, has_column in parts):
                operands = [part for part, _ in parts]
                return self._applied(operation, operands, node), True
        if node.shape == ():
            return Expression("array", value=Array(broadcasted(node, (self._length,)))), False
        return Expression("array", value=Array(node)), False

    def _applied(
        self, operation: Operation, operands: Sequence[Expression], node: Node
    ) -> Expression:
        if operation is CONVERT:
            return Expression("cast", operands, node.dtype)
        if operation.name == "where":
            return Expression("choose", operands)
        assert isinstance(operation, Elementwise)
        return Expression("call", operands, operation.name)
