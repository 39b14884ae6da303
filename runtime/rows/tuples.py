"""Packed tuples: one structured column instead of several columns.

pack((array([1, 2]), array(["a", "b"])), ("tuple", "i8", "U"))  ->  array([(1, "a"), (2, "b")])

A part that is a list or an array is held as an object, a list as the batch of its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from diablo.runtime.column_types import OBJECT, Code, form_of, is_list, list_columns, storage
from diablo.runtime.rows.batches import concat, length
from diablo.runtime.rows.lists import Lists


def pack(columns: Sequence[Any], code: Code) -> Any:
    """Columns, or scalars, as one structured column; scalars alone as one packed tuple.

    A column alone, of a code that is no tuple's, stays as it is.
    """
    if form_of(code) != "tuple":
        (column,) = columns
        return column
    cells = [_cells(column, part) for column, part in zip(columns, code[1:], strict=True)]
    dtype = storage(code)
    shape = np.broadcast_shapes(*[np.shape(column) for column in cells])
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
    if not isinstance(column, np.ndarray) or column.ndim == 0:
        return tuple(parts)
    parts = [np.ascontiguousarray(part) for part in parts]
    if code is None:
        return tuple(parts)
    return tuple([_column(part, own) for part, own in zip(parts, code[1:], strict=True)])


def _cells(column: Any, code: Code) -> Any:
    """A part as it is held: each list and each array an object of its own."""
    if form_of(code) == "scalar" or _holds_objects(column):
        return column
    batches: list[Any] = list(column) if isinstance(column, Lists) else [column]
    cells = np.empty(len(batches), OBJECT)
    for row, batch in enumerate(batches):
        cells[row] = batch
    return cells if isinstance(column, Lists) else cells.reshape(())


def _holds_objects(column: Any) -> bool:
    return isinstance(column, np.ndarray) and cast("Any", column).dtype == OBJECT


def _column(cells: Any, code: Code) -> Any:
    """What `_cells` made objects of, as a column again."""
    if not is_list(code):
        return cells
    batches = list(cells)
    lengths = np.fromiter(map(length, batches), np.int64, len(batches))
    return Lists.of_lengths(concat(batches, list_columns(code)), lengths)
