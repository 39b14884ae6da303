"""Tables that are there: their columns, of which some may be lazy arrays, or with Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diablo.array.evaluation import compute
from diablo.array.lazy_array import Array
from diablo.runtime.results.result_types import DistributedArray, Rows, RowsOfSpark
from diablo.runtime.results.row_vectors import vector_of
from diablo.table.column_values import ColumnType, ColumnValues
from diablo.table.query_plans import Columns


class HeldColumns:
    """Columns of one length; lazy arrays are computed, all together, once some are wanted."""

    def __init__(self, columns: Sequence[ColumnValues | Array]):
        self._columns = list(columns)

    @property
    def length(self) -> int:
        """The number of rows."""
        return len(self._columns[0])

    def column(self, position: int) -> ColumnValues:
        """Return a column, computed if it is not."""
        found = self._columns[position]
        if isinstance(found, Array):
            found = ColumnValues(ColumnType(found.dtype), found.to_numpy())
            self._columns[position] = found
        return found

    def load(self, positions: Sequence[int]) -> None:
        """Compute the lazy arrays among some columns together."""
        lazy = [c for c in (self._columns[k] for k in positions) if isinstance(c, Array)]
        if lazy:
            compute([array.node for array in lazy])


class RowsColumns:
    """Columns of rows that a program has made, which stay where they are until one is looked at.

    Parameters
    ----------
    rows : the rows; a column that may hold nulls is two, the second one of truth values
    types : the types of the columns
    """

    def __init__(self, rows: Rows, types: Sequence[ColumnType]):
        self._rows = rows
        self._types = types
        self._places: list[tuple[int, ...]] = []
        for type in types:
            first = sum(map(len, self._places))
            self._places.append((first, first + 1) if type.nullable else (first,))
        self._columns: dict[int, ColumnValues] = {}
        self._vectors: dict[int, DistributedArray] = {}
        self._length: int | None = None

    @property
    def length(self) -> int:
        """The number of rows, which are counted where they are."""
        if self._length is None:
            self._length = self._rows.count()
        return self._length

    @property
    def is_with_spark(self) -> bool:
        """Whether Spark has the rows."""
        return self._rows.is_with_spark

    def with_spark(self, positions: Sequence[int]) -> RowsOfSpark:
        """Return some columns as programs on Spark take them."""
        places = [place for k in positions for place in self._places[k]]
        return RowsOfSpark(self._rows.compute().with_columns(places))

    def vector(self, position: int) -> DistributedArray:
        """Return a column of numbers without nulls, which Spark has, as a vector that it has."""
        found = self._vectors.get(position)
        if found is None:
            (place,) = self._places[position]
            found = self._vectors[position] = vector_of(self._rows.compute(), place).compute()
        return found

    def column(self, position: int) -> ColumnValues:
        """Return a column, brought to this process if it is not there."""
        self.load([position])
        return self._columns[position]

    def load(self, positions: Sequence[int]) -> None:
        """Bring those of some columns to this process that are not there."""
        missing = [k for k in dict.fromkeys(positions) if k not in self._columns]
        if not missing:
            return
        places = [place for k in missing for place in self._places[k]]
        batch = iter(self._rows.with_columns(places).batch)
        for k in missing:
            values = next(batch)
            valid: Any = next(batch) if self._types[k].nullable else None
            self._columns[k] = ColumnValues(self._types[k], values, valid)


class ColumnsBeside:
    """The columns of a table, and lazy arrays beside its rows behind them."""

    def __init__(self, columns: Columns, width: int, arrays: Sequence[Array]):
        self._columns = columns
        self._width = width
        self._arrays = HeldColumns(arrays)

    @property
    def length(self) -> int:
        """The number of rows."""
        return self._columns.length

    def column(self, position: int) -> ColumnValues:
        """Return a column, or an array, computed if it is not."""
        if position < self._width:
            return self._columns.column(position)
        return self._arrays.column(position - self._width)

    def load(self, positions: Sequence[int]) -> None:
        """Have some columns and arrays there."""
        self._columns.load([k for k in positions if k < self._width])
        self._arrays.load([k - self._width for k in positions if k >= self._width])
