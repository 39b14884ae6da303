"""What a caller already knows of an input when the program is compiled.

A program that is compiled with bindings is specialised: a bound scalar becomes a constant,
and a bound array's type says how it is stored.
"""

from __future__ import annotations

from dataclasses import dataclass

ElementName = str
"""The name of a scalar type in the IR, one of those of `diablo.scalar_table`."""


@dataclass(frozen=True)
class ScalarBinding:
    """The value of a scalar input; a character is a string of one."""

    value: bool | int | float | str


@dataclass(frozen=True)
class ArrayBinding:
    """The kind of an array input: of its `rank` dimensions the first `dense_rank` are dense.

    The elements are scalars, or else rows of columns. `shape`, where it is known, tells the
    compiler which extents agree.
    """

    rank: int
    dense_rank: int
    element: ElementName | RowsBinding
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True)
class RowsBinding:
    """The kind of a list input: the kind of each column, again such for a list or map in it.

    Tuples and records are flattened to a column for each scalar.
    """

    columns: tuple[ColumnBinding, ...]


@dataclass(frozen=True)
class MapBinding:
    """The kind of a map input: the columns of its keys, and those of its values."""

    keys: tuple[ElementName, ...]
    values: tuple[ColumnBinding, ...]


ColumnBinding = ElementName | ArrayBinding | RowsBinding
Binding = ScalarBinding | ArrayBinding | RowsBinding | MapBinding
