"""Hash tables of the driver: maps that a loop changes in place.

counts = table((names, numbers), ("U",), ("i8",))
counts.find("Bob")      ->  (2, True)
counts["Bob"] = 3
counts.entries()        ->  (names, numbers)

A key is a value of Python, or a tuple of them where a map has several columns of keys, and so is
what the table has for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from diablo.runtime.column_types import OBJECT, Code, implicit, scalar, storage
from diablo.runtime.memory_limit import reserve
from diablo.runtime.program.sequences import column_values
from diablo.runtime.rows.batches import Batch, empty, length
from diablo.runtime.rows.columns import AnyColumn
from diablo.runtime.rows.string_column import Strings

_NAN = float("nan")
"""The one NaN that is a key: Python finds it, as it is the same object."""

_ENTRY_BYTES = 200
"""About what a key and its values take."""


def float_key(key: Any) -> Any:
    """A float as a key: 0.0 for -0.0, and one NaN."""
    return key + 0.0 if key == key else _NAN


class Table(dict[Any, Any]):
    """What a map has for each key; reads and writes take the same time however many there are."""

    def __init__(self, rows: Batch, keys: Sequence[Code], values: Sequence[Code]):
        count = length(rows)
        reserve(count * _ENTRY_BYTES, "a hash table of {} keys", count)
        self._codes = (*keys, *values)
        self._keys = len(keys)
        nothing = tuple([scalar(implicit(code), code) for code in values])
        self._missing = (*nothing, False)
        columns = [_key_values(column) for column in rows[: self._keys]]
        found = [column_values(column) for column in rows[self._keys :]]
        if count:
            super().__init__(zip(_joined(columns), _joined(found), strict=True))
        self.find: Callable[[Any], tuple[Any, ...]] = (
            self._find_one if len(values) == 1 else self._find_several
        )
        """The values for a key, or the implicit ones, and whether the table has it."""

    def _find_one(self, key: Any) -> tuple[Any, ...]:
        return (self[key], True) if key in self else self._missing

    def _find_several(self, key: Any) -> tuple[Any, ...]:
        return (*self[key], True) if key in self else self._missing

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.entries(), self._codes[: self._keys], self._codes[self._keys :])

    def entries(self) -> Batch:
        """The rows, in columns that nothing changes any more."""
        if not self:
            return empty(self._codes)
        count = len(self)
        columns = [*_apart(list(self), self._keys)]
        columns += _apart(list(self.values()), len(self._codes) - self._keys)
        return tuple(
            [
                _column(column, code, count)
                for column, code in zip(columns, self._codes, strict=True)
            ]
        )


def table(rows: Batch, keys: Sequence[Code], values: Sequence[Code]) -> Table:
    """A hash table of the rows of a map, whose columns are of these types."""
    return Table(rows, keys, values)


def _joined(columns: Sequence[Sequence[Any]]) -> Any:
    return columns[0] if len(columns) == 1 else zip(*columns, strict=True)


def _apart(rows: list[Any], width: int) -> Sequence[Sequence[Any]]:
    return [rows] if width == 1 else list(zip(*rows, strict=True))


def _key_values(column: AnyColumn) -> list[Any]:
    if not isinstance(column, Strings) and column.dtype.kind == "f":
        values = column_values(column + column.dtype.type(0))
        return [_NAN if value != value else value for value in values]
    return column_values(column)


def _column(values: Sequence[Any], code: Code, count: int) -> AnyColumn:
    dtype = storage(code)
    column = np.empty(count, dtype)
    if dtype == OBJECT or dtype.names is not None:
        for place, value in enumerate(values):
            column[place] = value
        return column
    return np.fromiter(values, dtype, count)
