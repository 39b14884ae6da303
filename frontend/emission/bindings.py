"""What a caller already knows of an input when the program is compiled.

A program that is compiled with bindings is specialised: a bound scalar becomes a constant,
and a bound array's type says how it is stored. Of numbers that are not known, it may be known
which of them are equal, and how small they can be.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

ElementName = str
"""The name of a scalar type in the IR, one of those of `diablo.scalar_table`."""


@dataclass(frozen=True)
class ScalarBinding:
    """The value of a scalar input; a character is a string of one."""

    value: bool | int | float | str


@dataclass(frozen=True)
class OpenBinding:
    """What is known of an Int whose value is not: it is `least` or more.

    With `size` it equals the extents of arrays that are named so.
    """

    least: int | None = None
    size: str | None = None


@dataclass(frozen=True)
class ArrayBinding:
    """The kind of an array input: of its `rank` dimensions the first `dense_rank` are dense.

    The elements are scalars, or else rows of columns. `shape`, where it is known, tells the
    compiler which extents agree: those that are equal numbers, and those of one name, which are
    not 0. Of others, `None`, nothing is known.
    """

    rank: int
    dense_rank: int
    element: ElementName | RowsBinding
    shape: tuple[int | str | None, ...] | None = None


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
Binding = ScalarBinding | OpenBinding | ArrayBinding | RowsBinding | MapBinding


def key_of(binding: Binding) -> Hashable:
    """Return what differs for bindings that differ, though 1, 1.0 and true are equal, NaNs not.

    Each call asks, and most inputs are arrays of scalars, which need no text.
    """
    if isinstance(binding, ArrayBinding) and isinstance(binding.element, ElementName):
        return binding.rank, binding.dense_rank, binding.element, binding.shape
    return repr(binding)
