"""Lists of many constants, which become one op that holds the data.

[ (1,"a",[0.5]), (2,"b",[]), … ]   ->   comprehension.constant_list
    [array<i64: 1, 2, …>, ["a", "b", …], [array<i64: 0, 1, 1, …>, [array<f64: 0.5, …>]]]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    IntegerType,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import ConstantListOp
from diablo.dialects.string_functions import character
from diablo.frontend.checking.constants import literal_of
from diablo.frontend.checking.types import CHAR, STRING, ListType, ScalarType, Type
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.ir_types import column_types, parts_of
from diablo.frontend.parsing import syntax

FEWEST = 64
"""Lists of fewer rows are written row by row, where passes look at each value."""

Leaf = int | float | str | list[syntax.Expr]


def constant_list(
    build: Builder, items: Sequence[syntax.Expr], element: Type
) -> ConstantListOp | None:
    """The op for the rows of a list, if they are many and all constants."""
    if len(items) < FEWEST:
        return None
    columns = _columns(build, items, element)
    if columns is None:
        return None
    return ConstantListOp(columns, BagType(column_types(element)))


def _columns(build: Builder, items: Iterable[syntax.Expr], row: Type) -> list[Attribute] | None:
    """The data of each column of rows of this type; none if some value is no constant."""
    rows: list[list[Leaf]] = []
    for item in items:
        leaves = _leaves(build, item, row)
        if leaves is None:
            return None
        rows.append(leaves)
    columns: list[Attribute] = []
    for position, type in enumerate(_leaf_types(row)):
        data = _column(build, [leaves[position] for leaves in rows], type)
        if data is None:
            return None
        columns.append(data)
    return columns


def _leaf_types(row: Type) -> list[Type]:
    parts = parts_of(row)
    return [row] if parts is None else [leaf for part in parts for leaf in _leaf_types(part)]


def _leaves(build: Builder, expr: syntax.Expr, type: Type) -> list[Leaf] | None:
    """The scalars of one row, and for each list its items; none if something is no constant."""
    if isinstance(type, ScalarType):
        value = literal_of(expr)
        if value is None or (isinstance(value, str) and type not in (STRING, CHAR)):
            return None
        return [value]
    expr = build.resolved(expr)
    if isinstance(type, ListType):
        return [expr.items] if isinstance(expr, syntax.ListExpr) else None
    parts = parts_of(type)
    match expr:
        case syntax.TupleExpr() if parts is not None:
            values = expr.items
        case syntax.RecordExpr() if parts is not None:
            values = [value for _, value in expr.fields]
        case _:
            return None
    leaves: list[Leaf] = []
    for value, part in zip(values, parts, strict=True):
        found = _leaves(build, value, part)
        if found is None:
            return None
        leaves += found
    return leaves


def _column(build: Builder, leaves: Sequence[Leaf], type: Type) -> Attribute | None:
    if isinstance(type, ListType):
        lists = [leaf for leaf in leaves if isinstance(leaf, list)]
        offsets = [0, *accumulate(map(len, lists))]
        columns = _columns(build, (item for items in lists for item in items), type.element)
        if columns is None:
            return None
        return ArrayAttr([DenseArrayBase.from_list(i64, offsets), ArrayAttr(columns)])
    if type == STRING:
        return ArrayAttr([StringAttr(str(leaf)) for leaf in leaves])
    (kind,) = column_types(type)
    numbers = [
        ord(leaf) if isinstance(leaf, str) else leaf
        for leaf in leaves
        if not isinstance(leaf, list)
    ]
    match kind:
        case _ if isinstance(kind, AnyFloat):
            return DenseArrayBase.from_list(kind, [float(number) for number in numbers])
        case IntegerType():
            held = i32 if kind == character else kind
            return DenseArrayBase.from_list(held, [int(number) for number in numbers])
        case _:
            return None
