"""Tables that are there: their columns, of which some may be lazy arrays."""

from __future__ import annotations

from collections.abc import Sequence

from diablo.array.evaluation import compute
from diablo.array.lazy_array import Array
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
