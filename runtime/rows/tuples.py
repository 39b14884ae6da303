"""Packed tuples: one structured column instead of several columns.

pack((array([1, 2]), array(["a", "b"])), ("tuple", "i8", "U"))  ->  array([(1, "a"), (2, "b")])

A part that is an array is held as an object, and so is a list: a *cell* (rows, begin, length), the
part of a batch that the lists of a column share. To make cells of a column, and a column of cells,
costs no work for the rows of the lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import repeat
from math import prod
from typing import Any, cast

import numpy as np

from diablo.runtime.column_types import (
    NOTHING,
    OBJECT,
    Code,
    form_of,
    is_cell,
    is_list,
    list_columns,
    storage,
)
from diablo.runtime.memory_limit import reserve
from diablo.runtime.rows.batches import empty, length
from diablo.runtime.rows.columns import concat_columns
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings

_SCALARS = frozenset((int, float, bool, str, np.int64, np.float64, np.bool_))
"""The types of single values that NumPy takes for a part of a tuple as they are."""

_tuple_storage = cache(storage)


def pack(columns: Sequence[Any], code: Code) -> Any:
    """Columns, or scalars, as one structured column; scalars alone as one packed tuple.

    A column alone, of a code that is no tuple's, stays as it is.
    """
    if form_of(code) != "tuple":
        (column,) = columns
        return column
    if _SCALARS.issuperset(map(type, columns)):
        return np.array(tuple(columns), _tuple_storage(code))[()]
    cells = [_cells(column, part) for column, part in zip(columns, code[1:], strict=True)]
    dtype = storage(code)
    shape = np.broadcast_shapes(*[np.shape(column) for column in cells])
    reserve(prod(shape) * dtype.itemsize, "tuples of {} rows", prod(shape))
    result = np.empty(shape, dtype)
    for name, column in zip(dtype.names or (), cells, strict=True):
        result[name] = column
    return result if shape else result[()]


def unpack(column: Any, code: Code = None) -> tuple[Any, ...]:
    """The parts of a structured column as columns of their own, of a packed tuple as scalars.

    `code` is that of the tuples, needed only where a part is a list, and where there is one column.
    """
    if code is not None and form_of(code) != "tuple":
        return (column,)
    parts = [column[name] for name in column.dtype.names]
    codes = [None] * len(parts) if code is None else code[1:]
    if not isinstance(column, np.ndarray) or column.ndim == 0:
        return tuple([_scalar(part, own) for part, own in zip(parts, codes, strict=True)])
    reserve(column.nbytes, "the columns of {} tuples", column.size)
    parts = [np.ascontiguousarray(part) for part in parts]
    return tuple([_column(part, own) for part, own in zip(parts, codes, strict=True)])


def is_packed(array: Any, code: Code) -> bool:
    """Whether a structured array holds cells wherever `code` has a list, of which there is one."""
    if form_of(code) != "tuple" or array.dtype != storage(code):
        return False
    parts = [array[f"f{i}"] for i, part in enumerate(code[1:]) if is_list(part)]
    return bool(parts) and all(map(_is_cells, parts))


def _is_cells(part: Any) -> bool:
    cells = part.reshape(-1).tolist()
    if not (set(map(type, cells)) <= {tuple} and set(map(len, cells)) <= {3}):
        return False
    return all(map(_is_batch, {id(cell[0]): cell[0] for cell in cells}.values()))


def _is_batch(value: Any) -> bool:
    columns = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (None,)
    return all(isinstance(column, np.ndarray | Lists | Strings) for column in columns)


def compact(column: Any) -> Any:
    """A structured column whose lists share their rows with no other column.

    To be sent elsewhere: a cell takes all rows of its batch along.
    """
    dtype: Any = getattr(column, "dtype", OBJECT)
    for name in dtype.names or ():
        part = column[name].reshape(-1)
        if dtype[name] != OBJECT or not len(part) or not is_cell(part[0]):
            continue
        lists = _lists(part.tolist())
        if lists is not None:
            column = column.copy()
            column[name] = _lists_as_cells(lists).reshape(column.shape)
    return column


def _cells(column: Any, code: Code) -> Any:
    """A part as it is held: each list and each array an object of its own."""
    if form_of(code) == "scalar":
        return column
    if isinstance(column, Lists):
        return _lists_as_cells(column)
    value: Any = column
    if isinstance(column, np.ndarray) and value.dtype == OBJECT:
        return value
    cell = np.empty((), OBJECT)
    cell[()] = (value, 0, length(value)) if is_list(code) else value
    return cell


def _lists_as_cells(lists: Lists) -> Any:
    batch, starts = lists.shared()
    cells = zip(repeat(batch), starts.tolist(), lists.lengths.tolist(), strict=False)
    return np.fromiter(cells, OBJECT, len(lists))


def _scalar(part: Any, code: Code) -> Any:
    """A list as a batch; what is none stays as it is."""
    if code is None or not is_list(code):
        return part
    batch, begin, count = part or NOTHING
    return tuple([c[begin : begin + count] for c in batch]) or empty(list_columns(code))


def _column(cells: Any, code: Code) -> Any:
    """Return what `_cells` made objects of, as a column again."""
    if code is None or not is_list(code):
        return cells
    lists = _lists(cells.tolist())
    if lists is None:
        lists = Lists(empty(list_columns(code)), np.zeros(len(cells) + 1, np.int64))
    return lists


def _lists(cells: list[Any]) -> Lists | None:
    """The lists of some cells; None if no cell has rows."""
    if "" in cells:  # What no type was known for.
        cells = [cell or NOTHING for cell in cells]
    batches, begins, lengths = zip(*cells, strict=True) if cells else ((), (), ())
    distinct = dict(zip(map(id, batches), batches, strict=True))
    held = {key: batch for key, batch in distinct.items() if batch and len(batch[0])}
    if not held:
        return None
    starts = np.fromiter(begins, np.int64, len(cells))
    if len(held) == 1:
        (joined,) = held.values()
    else:
        firsts = np.cumsum([0, *[len(batch[0]) for batch in held.values()]]).tolist()
        offsets = dict.fromkeys(distinct, 0)
        offsets.update(zip(held, firsts, strict=False))
        starts += np.fromiter(map(offsets.__getitem__, map(id, batches)), np.int64, len(cells))
        joined = tuple([concat_columns(columns) for columns in zip(*held.values(), strict=True)])
    return Lists.at(joined, starts, np.fromiter(lengths, np.int64, len(cells)))
