"""From columns to Python's values, as callers get them.

    python_values(TupleKind((I64, STRING)), (array([1, 2]), array(["a", "b"])))
        ->  [(1, "a"), (2, "b")]

A record is a named tuple, a list a list, a map a dictionary, an array one of NumPy's, a
character a string of one.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import OBJECT
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.tuples import unpack
from diablo.runtime.value_kinds import (
    ArrayKind,
    Kind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    code_of_kind,
    codes_of,
    element_code,
    leaves,
)


def python_values(kind: Kind, columns: Sequence[Any]) -> list[Any]:
    """The rows of a batch as values of a kind."""
    return _values(kind, iter(columns))


def _values(kind: Kind, columns: Iterator[Any]) -> list[Any]:
    """The values of a kind, from as many columns as it takes."""
    if isinstance(kind, TupleKind):
        parts = [_values(item, columns) for item in kind.items]
        rows = zip(*parts, strict=True)
        return list(rows) if kind.names is None else [record(kind.names, row) for row in rows]
    return _leaf_values(kind, next(columns))


def _leaf_values(kind: Kind, column: Any) -> list[Any]:
    match kind:
        case ScalarKind():
            values = column.tolist()
            return list(map(chr, values)) if kind.element == "i32" else values
        case ListKind():
            return _cut(python_values(kind.row, column.values), column)
        case MapKind():
            return [dict(pairs) for pairs in _cut(python_items(kind, column.values), column)]
        case ArrayKind():
            return [python_array(kind, array) for array in column]
        case TupleKind():
            return packed_values(kind, column)


def _cut(values: list[Any], lists: Lists) -> list[list[Any]]:
    """The part of the values that belongs to each list."""
    ends = np.append(lists.starts, len(values)).tolist()
    return [values[a:b] for a, b in pairwise(ends)]


def packed_values(kind: Kind, column: Any) -> list[Any]:
    """The values of one column, in which tuples are packed."""
    if isinstance(kind, TupleKind):
        return python_values(kind, unpack(column, code_of_kind(kind)))
    return _leaf_values(kind, column)


def python_items(kind: MapKind, columns: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The pairs of key and value of a map."""
    width = len(codes_of(kind.key))
    keys = python_values(kind.key, columns[:width])
    return list(zip(keys, packed_values(kind.value, columns[width]), strict=True))


def python_scalar(kind: Kind, value: Any) -> Any:
    """A scalar as Python's; arrays, lists and maps stay what they are."""
    if isinstance(value, np.generic | np.ndarray):
        array = cast(Any, value)
        value = array if array.ndim else array.item()
    return chr(value) if kind == ScalarKind("i32") else value


def python_array(kind: ArrayKind, array: Any) -> Any:
    """An array as NumPy holds it: its characters as strings of one, its lists as Python's."""
    whole = array.toarray() if isinstance(array, SparseTile) else array
    if kind.element == ScalarKind("i32"):
        codes = np.ascontiguousarray(whole, np.int32)
        if not codes.all():  # NumPy's strings end before a NUL.
            return _objects([chr(code) for code in codes.reshape(-1)]).reshape(whole.shape)
        return codes.view("U1").reshape(whole.shape)
    parts = list(leaves(kind.element))
    if not any(isinstance(part, ListKind | MapKind) for part in parts):
        return whole
    columns = unpack(whole.reshape(-1), element_code(kind.element))
    if len(parts) == 1:
        return _objects(_leaf_values(parts[0], columns[0])).reshape(whole.shape)
    result = cast(Any, whole.copy())
    for number, (part, column) in enumerate(zip(parts, columns, strict=True)):
        if isinstance(part, ListKind | MapKind):
            result[f"f{number}"] = _objects(_leaf_values(part, column)).reshape(whole.shape)
    return result


def _objects(values: list[Any]) -> Any:
    return np.fromiter(values, OBJECT, len(values))


def record(names: tuple[str, ...], fields: Iterable[Any]) -> Any:
    """A named tuple."""
    return _record_class(names)._make(fields)


@cache
def _record_class(names: tuple[str, ...]) -> Any:
    """The class of the records with these fields, whose values can be pickled."""
    made: Any = namedtuple("record", names, rename=True)  # pyright: ignore[reportUntypedNamedTuple]
    made.__reduce__ = _reduced_record
    return made


def _reduced_record(fields: Any) -> tuple[Any, ...]:
    return record, (fields._fields, tuple(fields))
