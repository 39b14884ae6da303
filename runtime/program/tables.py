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
from numpy.typing import NDArray

from diablo.runtime.column_types import OBJECT, Code, implicit, scalar, storage
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native import row_tables
from diablo.runtime.native.row_tables import RowTable
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


class Table:
    """What a map has for each key; reads and writes take the same time however many there are.

    It is a dictionary until a loop that is machine code takes it (`in_words`).
    """

    def __init__(self, rows: Batch, keys: Sequence[Code], values: Sequence[Code]):
        count = length(rows)
        reserve(count * _ENTRY_BYTES, "a hash table of {} keys", count)
        self._codes = (*keys, *values)
        self._keys = len(keys)
        self._words: RowTable | None = None
        nothing = tuple([scalar(implicit(code), code) for code in values])
        self._missing = (*nothing, False)
        columns = [_key_values(column) for column in rows[: self._keys]]
        found = [column_values(column) for column in rows[self._keys :]]
        pairs = zip(_joined(columns), _joined(found), strict=True) if count else ()
        self._rows: dict[Any, Any] = dict(pairs)
        self.find: Callable[[Any], tuple[Any, ...]] = (
            self._find_one if len(values) == 1 else self._find_several
        )
        """The values for a key, or the implicit ones, and whether the table has it."""

    def _find_one(self, key: Any) -> tuple[Any, ...]:
        rows = self._rows
        return (rows[key], True) if key in rows else self._missing

    def _find_several(self, key: Any) -> tuple[Any, ...]:
        rows = self._rows
        return (*rows[key], True) if key in rows else self._missing

    def __len__(self) -> int:
        return len(self._rows if self._words is None else self._words)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._words is None:
            self._rows[key] = value
            return
        row = [*self._parts(key, self._keys), *self._parts(value, len(self._codes) - self._keys)]
        self._words.put([word_of(part, code) for part, code in zip(row, self._codes, strict=True)])

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.entries(), self._codes[: self._keys], self._codes[self._keys :])

    def entries(self) -> Batch:
        """The rows, in columns that nothing changes any more."""
        count = len(self)
        if not count:
            return empty(self._codes)
        if self._words is not None:
            rows = self._words.rows()
            return tuple([of_words(rows[:, k], code) for k, code in enumerate(self._codes)])
        columns = [*_apart(list(self._rows), self._keys)]
        columns += _apart(list(self._rows.values()), len(self._codes) - self._keys)
        return tuple(
            [
                _column(column, code, count)
                for column, code in zip(columns, self._codes, strict=True)
            ]
        )

    # ---- in words ------------------------------------------------------------------

    def in_words(self) -> RowTable | None:
        """The table as machine code takes it, as it is from then on.

        None if it has strings, or there is no machine code.
        """
        if self._words is None:
            if not all(map(has_word, self._codes)) or not row_tables.possible():
                return None
            columns = self.entries()
            rows = np.empty((len(self), len(columns)), np.int64)
            for number, column in enumerate(columns):
                rows[:, number] = as_words(np.asarray(column))
            self._words = RowTable(self._keys, rows)
            self._rows = {}
            self.find = self._find_words
        return self._words

    def _find_words(self, key: Any) -> tuple[Any, ...]:
        assert self._words is not None
        # As a dictionary has it, -0.0 is 0.0, and a NaN no other one.
        keys = [k + 0.0 if isinstance(k, float) else k for k in self._parts(key, self._keys)]
        if any(k != k and k is not _NAN for k in self._parts(key, self._keys)):
            return self._missing
        try:
            found = self._words.find(
                [word_of(p, c) for p, c in zip(keys, self._codes, strict=False)]
            )
        except OverflowError:
            return self._missing
        if found is None:
            return self._missing
        values = np.array(found, np.int64)
        columns = [
            of_words(values[k : k + 1], code) for k, code in enumerate(self._codes[self._keys :])
        ]
        return (*[column_values(column)[0] for column in columns], True)

    @staticmethod
    def _parts(value: Any, width: int) -> Sequence[Any]:
        return (value,) if width == 1 else value


def has_word(code: Code) -> bool:
    """Whether values of a type are 64 bits or less that are equal where the values are."""
    dtype = storage(code)
    return dtype.kind in "iub" or dtype == np.float64


def as_words(column: NDArray[Any]) -> NDArray[np.int64]:
    """Values as words: integers and truth values as integers, floats as their bits."""
    return column.view(np.int64) if column.dtype.kind == "f" else column.astype(np.int64)


def of_words(words: NDArray[np.int64], code: Code) -> NDArray[Any]:
    """A column of the values that words stand for."""
    dtype = storage(code)
    plain = np.ascontiguousarray(words)
    return plain.view(dtype).copy() if dtype.kind == "f" else plain.astype(dtype)


def word_of(value: Any, code: Code) -> int:
    """The word of one value; raises OverflowError if that does not have 64 bits."""
    if storage(code).kind == "f":
        return int(as_words(np.array([value], np.float64))[0])
    return int(np.array([value]).astype(np.int64)[0]) if value >= 2**63 else int(value)


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
