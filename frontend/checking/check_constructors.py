"""Checks storage constructors: `tensor(…)(…) e`, `list* e`, `map* e`.

tensor*(n)[ (i,+/v) | (i,v) <- L, group by i ]   with L: list[(Int,Double)]   ->   vector[Double]
"""

from __future__ import annotations

from diablo.diagnostics import quantity
from diablo.frontend.checking.check_comprehensions import check_rows
from diablo.frontend.checking.check_operators import check_int
from diablo.frontend.checking.check_typemaps import view_mapped
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.conversion_hints import conversion_hint, key_hint
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
    row_type,
)
from diablo.frontend.parsing import syntax

_WRITTEN = (syntax.ListExpr, syntax.Comprehension)
"""Lists that are written out where they are stored: numbers in them have no type of their own."""


def check_constructor(checker: Checker, expr: syntax.Constructor, wanted: Type | None) -> Type:
    """The type of `tensor(…) e` and the like; of no elements it is `wanted`."""
    for dimension in (*expr.dense, *expr.sparse):
        check_int(checker, dimension, "a dimension")
    type = _check_operand(checker, expr, wanted)
    if isinstance(type, UnknownType):
        return type
    if expr.kind == "map":
        return _check_map(checker, expr, type)
    if expr.kind == "list":
        if isinstance(type, ListType):
            return type
        if isinstance(type, MapType):
            # The rows of a map are a list of pairs.
            return ListType(type.element)
        return checker.error(expr.operand.span, f"`list*` distributes a list, not {type}")
    rank = len(expr.dense) + len(expr.sparse)
    if rank == 0:
        return checker.error(expr.span, "a tensor needs at least one dimension")
    if rank > MOST_DIMENSIONS:
        return checker.error(expr.span, f"an array has at most {MOST_DIMENSIONS} dimensions")
    row = row_type(type) if isinstance(type, ArrayType) else UNKNOWN
    if isinstance(type, ListType | MapType):
        row = type.element
    elif not isinstance(type, ArrayType):
        message = f"a tensor is built from a list of (index, value), not from {type}"
        return checker.error(expr.operand.span, message)
    return ArrayType(check_array_row(checker, expr.operand, row, rank), rank)


def _check_operand(checker: Checker, expr: syntax.Constructor, wanted: Type | None) -> Type:
    operand = expr.operand
    rows = None
    if expr.kind == "tensor" and isinstance(wanted, ArrayType):
        rows = ListType(row_type(wanted))
    elif expr.kind == "map" and isinstance(wanted, MapType):
        rows = ListType(wanted.element)
    elif expr.kind == "list":
        rows = wanted
    if expr.kind == "tensor" and isinstance(operand, syntax.Comprehension):
        # The value of an element gets a message of its own.
        row = rows.element if isinstance(rows, ListType) else None
        type: Type = ListType(check_rows(checker, operand, row))
        checker.checked.types[operand] = type
        return type
    is_empty = isinstance(operand, syntax.ListExpr) and not operand.items
    if expr.kind == "tensor" and is_empty and rows is None:
        hint = "declare the array's type: var V: vector[Double] = …;"
        return checker.error(operand.span, "the elements of this array have no type", hint)
    type = checker.check(operand, rows if isinstance(operand, _WRITTEN) else None)
    return view_mapped(checker, operand, type) if isinstance(type, MappedType) else type


def _check_map(checker: Checker, expr: syntax.Constructor, type: Type) -> Type:
    if isinstance(type, MapType):
        return type
    row = type.element if isinstance(type, ListType) else UNKNOWN
    if isinstance(type, ArrayType):
        row = row_type(type)
    elif not isinstance(type, ListType):
        message = f"a map is built from a list of (key, value), not from {type}"
        return checker.error(expr.operand.span, message)
    if has_unknown(row):
        return UNKNOWN
    if isinstance(row, NothingType):
        return MapType(row, row)
    head = _head(expr.operand)
    if not isinstance(row, TupleType) or len(row.items) != 2:
        hint = "the elements of the list are pairs: (key, value)"
        message = f"a map is built from pairs of a key and a value, not from {row}"
        return checker.error(head.span, message, hint)
    key, value = row.items
    if not is_key(key):
        span = head.items[0].span if isinstance(head, syntax.TupleExpr) else head.span
        hint = key_hint(key) or "keys are numbers, strings and tuples of these"
        return checker.error(span, f"{key} cannot be the key of a map", hint)
    return MapType(key, value)


def check_array_row(checker: Checker, operand: syntax.Expr, row: Type, rank: int) -> Type:
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
        return checker.error(head.span, message, hint)
    key, value = row.items
    span = head.items[0].span if isinstance(head, syntax.TupleExpr) else head.span
    parts = key.items if isinstance(key, TupleType) else (key,)
    if len(parts) != rank:
        message = (
            f"this tensor has {quantity(rank, 'dimension')}, "
            f"and its elements have {quantity(len(parts), 'index', 'indices')}"
        )
        return checker.error(span, message, hint)
    for part in parts:
        if not fits(part, INT):
            message = f"an index must be Int, not {part}"
            return checker.error(span, message, conversion_hint(part, INT))
    value_head = head.items[1] if isinstance(head, syntax.TupleExpr) else head
    if not is_value(value):
        return checker.error(value_head.span, f"a tensor cannot hold {value}")
    return value


def _head(operand: syntax.Expr) -> syntax.Expr:
    """The expression to mark when the rows are wrong."""
    return operand.head if isinstance(operand, syntax.Comprehension) else operand
