"""The columns of tables: their types, and their values with what is missing among them.

    ColumnValues(INT64, array([1, 0, 3]), array([True, False, True]))    =    1, null, 3

Values are NumPy's, strings `Strings` or objects; where there is none the implicit value stands.
Points in time and durations are whole numbers of their unit, points from 1970 on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.scalar_code import scalar_row
from diablo.diagnostics import InputError
from diablo.runtime.column_types import OBJECT
from diablo.runtime.io.nested_values import strings_of
from diablo.runtime.rows.string_column import plain_column

Array = NDArray[Any]


_MANY = 1 << 10
"""How many strings a column has at least that are worth to be looked at again."""
_COUNTS = np.dtype(np.int64)
UNITS = ("D", "s", "ms", "us", "ns")
"""The units of points in time and durations."""


@dataclass(frozen=True)
class ColumnType:
    """What a column holds: numbers, truth values, strings, points in time or durations, and whether
    some may be missing.
    """

    dtype: np.dtype[Any]
    nullable: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it holds strings."""
        return self.dtype == OBJECT

    @property
    def is_truth(self) -> bool:
        """Whether it holds truth values."""
        return self.dtype.kind == "b"

    @property
    def is_number(self) -> bool:
        """Whether it holds numbers."""
        return self.dtype.kind in "iufc"

    @property
    def is_time(self) -> bool:
        """Whether it holds points in time, or durations."""
        return self.dtype.kind in "Mm"

    @property
    def is_moment(self) -> bool:
        """Whether it holds points in time: dates too."""
        return self.dtype.kind == "M"

    @property
    def storage(self) -> np.dtype[Any]:
        """The type that the values are held and computed as."""
        return _COUNTS if self.is_time else self.dtype

    def with_nulls(self, nullable: bool = True) -> ColumnType:
        """Return the type with or without nulls."""
        return self if self.nullable is nullable else replace(self, nullable=nullable)

    def __str__(self) -> str:
        return "str" if self.is_text else self.dtype.name

    def __repr__(self) -> str:
        return f"{self}{'?' * self.nullable}"


TRUTH = ColumnType(np.dtype(np.bool_))
INT64 = ColumnType(np.dtype(np.int64))
FLOAT64 = ColumnType(np.dtype(np.float64))
TEXT = ColumnType(OBJECT)


def type_of(dtype: Any) -> ColumnType | None:
    """Return the type of a column of NumPy's values, None if tables have none."""
    dtype = np.dtype(dtype)
    if dtype == OBJECT or dtype.kind in "UT":
        return TEXT
    dtype = dtype.newbyteorder("=")
    if dtype.kind in "Mm":
        unit, count = np.datetime_data(dtype)
        return ColumnType(dtype) if unit in UNITS and count == 1 else None
    return None if scalar_row(dtype) is None else ColumnType(dtype)


@dataclass
class ColumnValues:
    """The values of a column; `valid` says where there are any, None stands for everywhere."""

    type: ColumnType
    values: Any
    valid: Array | None = None

    def __len__(self) -> int:
        return len(self.values)

    def take_bytes(self) -> None:
        """Hold strings in bytes where that repays: what many queries have read are many strings."""
        held: Any = self.values
        if isinstance(held, np.ndarray) and len(self) >= _MANY:
            strings = strings_of(cast("Any", held))
            self.values = held if strings is None else strings

    def without_nulls(self, name: str) -> Any:
        """Return the values; an `InputError` if some are missing."""
        if self.valid is not None and not self.valid.all():
            row = int(self.valid.argmin()) + 1
            raise InputError(
                f"column {name!r} has no value in row {row}: "
                "fill_null() gives it one, drop_nulls() leaves the row out"
            )
        return self.values

    def to_numpy(self) -> Array:
        """Return the values as NumPy has them, nobody may write to; nulls are NaN, NaT or None."""
        values: Array = plain_column(self.values)
        if self.type.is_time:
            values = self._times(values)
        elif self.valid is not None and not self.valid.all():
            if self.type.dtype.kind in "fc":
                values = np.where(self.valid, values, values.dtype.type(np.nan))
            elif self.type.dtype.kind in "iu":
                values = np.where(self.valid, values.astype(np.float64), np.nan)
            else:
                values = values.astype(OBJECT)
                values[~self.valid] = None
        if values.flags.writeable:
            values = values.view()
            values.flags.writeable = False
        return values

    def _times(self, values: Array) -> Array:
        """Return points in time and durations as NumPy's, which are no time where there is none."""
        times = values.view(self.type.dtype)
        if self.valid is None or self.valid.all():
            return times
        return np.where(self.valid, times, self.type.dtype.type("NaT"))

    def to_list(self) -> list[Any]:
        """Return the values as Python's, and None for nulls.

        Of nanoseconds, which Python does not have, they are NumPy's.
        """
        values = cast("list[Any]", self.values.tolist())
        if self.type.is_time:
            times = self.values.view(self.type.dtype)
            in_nanoseconds = np.datetime_data(self.type.dtype)[0] == "ns"
            values = list(times) if in_nanoseconds else times.tolist()
        if self.valid is None:
            return values
        return [v if there else None for v, there in zip(values, self.valid.tolist(), strict=True)]

    def taken(self, index: Any) -> ColumnValues:
        """Return the values that a slice or an array of places chooses."""
        valid = None if self.valid is None else self.valid[index]
        return ColumnValues(self.type, self.values[index], valid)
