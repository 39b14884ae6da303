"""Lists as Arrow holds them: what is in them is read where it lies, one column for all lists.

    arrow_lists(pyarrow.array([[1.5], [], [2.0, 3.0]]), …)   ->   Lists([[1.5], [], [2.0, 3.0]])

Tables of Arrow's, Polars' and DuckDB's hold lists so, and Parquet files are read so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from diablo.diagnostics import InputError, quantity
from diablo.runtime.arrays.elements import Place
from diablo.runtime.io.arrow_tables import ArrowColumn
from diablo.runtime.io.field_names import fields_in
from diablo.runtime.io.nested_values import element_places
from diablo.runtime.rows.columns import AnyColumn, empty_column
from diablo.runtime.rows.lists import Lists
from diablo.runtime.value_kinds import Kind, ListKind, TupleKind, codes_of

_LISTS = ("list<", "large_list<", "fixed_size_list<")
"""How the names of Arrow's types of lists begin."""

Read = Callable[[ArrowColumn, Kind, Place], AnyColumn]
"""What makes a column of one of Arrow's."""


def column_of_lists(column: Any) -> ArrowColumn | None:
    """Return a column of a data frame or of Arrow's as Arrow's, if it holds lists."""
    if not str(getattr(column, "dtype", "")).startswith(_LISTS):
        return None
    if isinstance(column, ArrowColumn):
        return column
    exported = getattr(getattr(column, "array", column), "__arrow_array__", None)
    return None if exported is None else ArrowColumn(exported())


def arrow_lists(column: ArrowColumn, kind: ListKind, name: str, place: Place, read: Read) -> Lists:
    """Return the lists of a column that lacks none.

    Raises
    ------
    InputError
        If a list lacks a value, or has one that is not of the kind.
    """
    held = column.__arrow_array__()
    if hasattr(held, "chunks"):  # Arrow would copy a single one.
        held = held.chunk(0) if held.num_chunks == 1 else held.combine_chunks()
    found = import_module("pyarrow.compute").list_value_length(held).to_numpy()
    lengths, inner = element_places(found, place)
    return Lists.of_lengths(_columns(held.flatten(), kind.row, name, inner, read), lengths)


def _columns(held: Any, kind: Kind, name: str, place: Place, read: Read) -> list[AnyColumn]:
    """Return the columns of what lists hold, one for each part of a tuple that Arrow has too."""
    if not len(held):
        return [empty_column(code) for code in codes_of(kind)]
    if held.null_count:
        position = int(np.asarray(held.is_null()).argmax())
        raise InputError(f"{name}: there is no value in {place(position)}")
    if not isinstance(kind, TupleKind):
        return [read(ArrowColumn(import_module("pyarrow").chunked_array([held])), kind, place)]
    if not str(held.type).startswith("struct<"):
        raise InputError(f"{name}: {place(0)} is of type {held.type}, not a tuple")
    found = [held.type.field(k).name for k in range(held.type.num_fields)]
    order: Sequence[int] = range(len(found))
    if kind.names is not None:
        fields = [(own,) for own in kind.names]
        order = fields_in(found, fields, f"{name}: {place(0)}", "field", kind, numbered=False)
    elif len(found) != len(kind.items):
        columns = quantity(len(found), "column")
        raise InputError(f"{name}: {place(0)} has {columns} where {kind} is wanted")
    parts = held.flatten()
    made: list[AnyColumn] = []
    for number, item in zip(order, kind.items, strict=False):
        where = f"field {found[number]}"
        made += _columns(
            parts[number], item, name, lambda p, where=where: f"{place(p)}, {where}", read
        )
    return made
