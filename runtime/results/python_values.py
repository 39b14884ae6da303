"""From columns to Python's values, as callers get them.

    python_values(TupleKind((I64, STRING)), (array([1, 2]), array(["a", "b"])))
        ->  [(1, "a"), (2, "b")]

A record is a named tuple, a list a list, a map a dictionary, an array one of NumPy's, a
character a string of one.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from keyword import iskeyword
from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import OBJECT, storage
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import plain_column
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
    field_paths,
    has_names,
    is_character,
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
            return list(map(chr, values)) if is_character(kind) else values
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
    return chr(value) if is_character(kind) else value


def python_array(kind: ArrayKind, array: Any) -> Any:
    """An array as NumPy holds it: its characters as strings of one, its lists as Python's."""
    whole = array.toarray() if isinstance(array, SparseTile) else array
    if is_character(kind.element):
        codes = np.ascontiguousarray(whole, np.int32)
        if not codes.all():  # NumPy's strings end before a NUL.
            return _objects([chr(code) for code in codes.reshape(-1)]).reshape(whole.shape)
        return codes.view("U1").reshape(whole.shape)
    parts = list(leaves(kind.element))
    dtype = python_dtype(kind.element)
    if len(parts) > 1 and not any(map(_is_remade, parts)):
        return renamed(whole, dtype.names or ())
    if dtype.names is None and not _is_remade(parts[0]):
        return whole
    columns = [
        _objects(_leaf_values(part, column)) if _is_remade(part) else column
        for part, column in zip(
            parts, unpack(whole.reshape(-1), element_code(kind.element)), strict=True
        )
    ]
    if dtype.names is None:
        return columns[0].reshape(whole.shape)
    result = np.empty(whole.shape, dtype)
    for name, column in zip(dtype.names, columns, strict=True):
        result[name] = column.reshape(whole.shape)
    return result


def is_as_callers_see_it(element: Kind) -> bool:
    """Return whether an array of such elements is for callers what it is for programs."""
    return isinstance(element, ScalarKind) and not is_character(element)


def python_dtype(element: Kind) -> np.dtype[Any]:
    """The type of the elements of an array as callers get it: a record has its fields.

    `outer.inner` is a field of a record that is in another; tuples have f0, f1, …
    """
    parts = list(leaves(element))
    types = [OBJECT if _is_remade(part) else storage(code_of_kind(part)) for part in parts]
    if isinstance(element, TupleKind) and (len(parts) > 1 or has_names(element)):
        return np.dtype(list(zip(field_paths(element), types, strict=True)))
    return storage(code_of_kind(element)) if is_character(element) else types[0]


def _is_remade(part: Kind) -> bool:
    """Return whether a caller sees other objects than the cells that a program computes with."""
    if isinstance(part, ArrayKind):
        return has_names(part.element) or any(map(_is_remade, leaves(part.element)))
    return isinstance(part, ListKind | MapKind) or is_character(part)


def renamed(array: Any, names: tuple[str, ...]) -> Any:
    """A structured array over the same memory whose fields have other names."""
    types = [(name, array.dtype[name]) for name in array.dtype.names]
    view = array.view(np.dtype(types))
    # No view of objects may have a dtype with other names, but this one is the view's own.
    view.dtype.names = names
    return view


def named_columns(row: TupleKind, batch: Sequence[Any], outer: str = "") -> dict[str | int, Any]:
    """A column of Python's values, or an array of numbers, for each part of the rows.

    A record in a record is taken apart, as pandas' `json_normalize` does.
    """
    columns = iter(batch)
    found: dict[str | int, Any] = {}
    for number, item in enumerate(row.items):
        own = tuple(islice(columns, len(codes_of(item))))
        name = number if row.names is None else f"{outer}{row.names[number]}"
        if isinstance(item, TupleKind) and item.names is not None:
            found |= named_columns(item, own, f"{name}.")
        elif isinstance(item, ScalarKind) and not is_character(item):
            found[name] = plain_column(own[0])
        else:
            found[name] = python_values(item, own)
    return found


def _objects(values: list[Any]) -> Any:
    return np.fromiter(values, OBJECT, len(values))


def record(names: tuple[str, ...], fields: Iterable[Any]) -> Any:
    """A named tuple."""
    return _record_class(names)._make(fields)


@lru_cache(maxsize=1024)
def _record_class(names: tuple[str, ...]) -> Any:
    """The class of the records with these fields, whose values can be pickled."""
    made: Any = namedtuple("record", names, rename=True)  # pyright: ignore[reportUntypedNamedTuple]
    for name, attribute in zip(names, made._fields, strict=True):
        if iskeyword(name):  # Which was renamed: `from`.
            setattr(made, name, getattr(made, attribute))
    made._fields = names
    made.__reduce__ = _reduced_record
    return made


def _reduced_record(fields: Any) -> tuple[Any, ...]:
    return record, (fields._fields, tuple(fields))
