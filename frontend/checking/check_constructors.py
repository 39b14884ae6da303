"""Checks storage constructors: `tensor(…)(…) e`, `list* e`, `map* e`.

tensor*(n)[ (i,+/v) | (i,v) <- L, group by i ]   with L: list[(Int,Double)]   ->   vector[Double]
"""

from __future__ import annotations

from abc import ABC

from diablo.frontend.checking.check_comprehensions import ComprehensionChecker
from diablo.frontend.checking.quantities import quantity
from diablo.frontend.checking.types import (
    INT,
    MOST_DIMENSIONS,
    UNKNOWN,
    ArrayType,
    ListType,
    MappedType,
    MapType,
    NothingType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_key,
    is_value,
    mentions,
    row_type,
)
from diablo.frontend.parsing import syntax


class ConstructorChecker(ComprehensionChecker, ABC):
    """The part of the checker that knows storage constructors."""

    def check_constructor(self, expr: syntax.Constructor) -> Type:
        """The type of `tensor(…) e` and the like."""
        for dimension in (*expr.dense, *expr.sparse):
            self.check_int(dimension, "a dimension")
        type = self._check_operand(expr)
        if isinstance(type, UnknownType):
            return type
        if expr.kind == "map":
            return self._check_map(expr, type)
        if expr.kind == "list":
            if isinstance(type, ListType):
                return type
            if isinstance(type, MapType):
                # The rows of a map are a list of pairs.
                return ListType(type.element)
            return self.error(expr.operand.span, f"`list*` distributes a list, not {type}")
        rank = len(expr.dense) + len(expr.sparse)
        if rank == 0:
            return self.error(expr.span, "a tensor needs at least one dimension")
        if rank > MOST_DIMENSIONS:
            return self.error(expr.span, f"an array has at most {MOST_DIMENSIONS} dimensions")
        row = row_type(type) if isinstance(type, ArrayType) else UNKNOWN
        if isinstance(type, ListType | MapType):
            row = type.element
        elif not isinstance(type, ArrayType):
            message = f"a tensor is built from a list of (index, value), not from {type}"
            return self.error(expr.operand.span, message)
        return ArrayType(self.check_array_row(expr.operand, row, rank), rank)

    def _check_operand(self, expr: syntax.Constructor) -> Type:
        operand = expr.operand
        if expr.kind == "tensor" and isinstance(operand, syntax.Comprehension):
            # The value of an element gets a message of its own.
            type: Type = ListType(self.check_rows(operand))
            self.checked.types[operand] = type
            return type
        type = self.check(operand)
        return self.view_mapped(operand, type) if isinstance(type, MappedType) else type

    def _check_map(self, expr: syntax.Constructor, type: Type) -> Type:
        if isinstance(type, MapType):
            return type
        row = type.element if isinstance(type, ListType) else UNKNOWN
        if isinstance(type, ArrayType):
            row = row_type(type)
        elif not isinstance(type, ListType):
            message = f"a map is built from a list of (key, value), not from {type}"
            return self.error(expr.operand.span, message)
        if has_unknown(row):
            return UNKNOWN
        if isinstance(row, NothingType):
            return MapType(row, row)
        head = _head(expr.operand)
        if not isinstance(row, TupleType) or len(row.items) != 2:
            hint = "the elements of the list are pairs: (key, value)"
            message = f"a map is built from pairs of a key and a value, not from {row}"
            return self.error(head.span, message, hint)
        key, value = row.items
        if not is_key(key):
            span = head.items[0].span if isinstance(head, syntax.TupleExpr) else head.span
            hint = "keys are numbers, strings and tuples of these"
            return self.error(span, f"{key} cannot be the key of a map", hint)
        return MapType(key, value)

    def check_array_row(self, operand: syntax.Expr, row: Type, rank: int) -> Type:
        """Check that `row`, of the list `operand`, is an index of `rank` and a value.

        Return the value's type.
        """
        if isinstance(row, UnknownType):
            return row
        head = _head(operand)
        shape = "(i,value)" if rank == 1 else f"(({','.join('ijklmn'[:rank])}),value)"
        hint = f"with {quantity(rank, 'dimension')} the list's elements are {shape}"
        if not isinstance(row, TupleType) or len(row.items) != 2:
            message = f"a tensor is built from pairs of an index and a value, not from {row}"
            return self.error(head.span, message, hint)
        key, value = row.items
        span = head.items[0].span if isinstance(head, syntax.TupleExpr) else head.span
        parts = key.items if isinstance(key, TupleType) else (key,)
        if len(parts) != rank:
            message = (
                f"this tensor has {quantity(rank, 'dimension')}, "
                f"and its elements have {quantity(len(parts), 'index', 'indices')}"
            )
            return self.error(span, message, hint)
        for part in parts:
            if not fits(part, INT):
                return self.error(span, f"an index must be Int, not {part}")
        value_head = head.items[1] if isinstance(head, syntax.TupleExpr) else head
        if mentions(value, ListType, MapType):
            message = f"the value of a tensor's element must be one value, not {value}"
            return self.error(value_head.span, message, self.bag_hint(value_head))
        if not is_value(value):
            return self.error(value_head.span, f"a tensor cannot hold {value}")
        return value


def _head(operand: syntax.Expr) -> syntax.Expr:
    """The expression to mark when the rows are wrong."""
    return operand.head if isinstance(operand, syntax.Comprehension) else operand
