"""What a caller must give for an input of a program.

    str(WantedRows(("i64", "string")))   ->  list[(Int, String)]

Emitted programs name elements as the IR does (`column_types`). Where the caller's names and
nesting are known, `row`, `item` and `kind` have them: a row of a list may be a record, and
a tuple in a row is a tuple to the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from diablo.runtime.arrays.elements import DTYPES
from diablo.runtime.column_types import Code
from diablo.runtime.value_kinds import (
    ArrayKind,
    Kind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    codes_of,
    element_code,
    kind_of,
    leaves,
    map_codes,
    row_of,
)
from diablo.scalar_table import BY_ELEMENT, Scalar


@dataclass(frozen=True)
class WantedScalar:
    """One value of a scalar type, by its name in the IR: `"i64"`, `"string"`."""

    element: str

    @cached_property
    def type(self) -> Scalar:
        """The row of its type in the table of scalar types."""
        return BY_ELEMENT[self.element]

    def __str__(self) -> str:
        return str(ScalarKind(self.element))


@dataclass(frozen=True)
class WantedRows:
    """A list of rows, given the element type of each column."""

    columns: tuple[Code, ...]
    row: Kind | None = None

    @cached_property
    def kind(self) -> ListKind:
        """The kind of what the list is made of."""
        return ListKind(row_of(self.columns) if self.row is None else self.row)

    @cached_property
    def plain_dtypes(self) -> list[np.dtype[Any]] | None:
        """The types of NumPy's columns that need not be looked at, if all have one."""
        found = [_plain_dtype(leaf) for leaf in leaves(self.kind.row)]
        dtypes = [dtype for dtype in found if dtype is not None]
        return dtypes if len(dtypes) == len(found) else None

    def __str__(self) -> str:
        return str(self.kind)


@dataclass(frozen=True)
class WantedMap:
    """A map whose first columns are the key; the other one is the value."""

    keys: int
    columns: tuple[Code, ...]
    entry: MapKind | None = None

    @cached_property
    def kind(self) -> MapKind:
        """The kind of what the map is made of."""
        if self.entry is not None:
            return self.entry
        return MapKind(row_of(self.columns[: self.keys]), kind_of(self.columns[self.keys]))

    def __str__(self) -> str:
        return str(self.kind)


@dataclass(frozen=True)
class WantedArray:
    """An array of a rank and element type; how it is stored is the caller's choice."""

    rank: int
    element: Code
    item: Kind | None = None

    @cached_property
    def kind(self) -> ArrayKind:
        """The kind of what the array is made of."""
        return ArrayKind(self.rank, kind_of(self.element) if self.item is None else self.item)

    @cached_property
    def plain_dtype(self) -> np.dtype[Any] | None:
        """The type of the elements of NumPy's arrays that need not be looked at, if any."""
        return _plain_dtype(self.kind.element)

    def __str__(self) -> str:
        return str(self.kind)


def _plain_dtype(kind: Kind) -> np.dtype[Any] | None:
    """Return the type of values that are as they are given; text and characters are looked at."""
    if not isinstance(kind, ScalarKind) or kind.type.domain in ("text", "character"):
        return None
    return DTYPES[kind.element]


Wanted = WantedScalar | WantedRows | WantedMap | WantedArray


def wanted_of(kind: Kind) -> Wanted:
    """Return what a caller must give for an input of a kind.

    Raises
    ------
    ValueError
        If it is a tuple, which is no input.
    """
    match kind:
        case ScalarKind():
            return WantedScalar(kind.element)
        case ArrayKind():
            return WantedArray(kind.rank, element_code(kind.element), kind.element)
        case ListKind():
            return WantedRows(codes_of(kind.row), kind.row)
        case MapKind():
            return WantedMap(len(codes_of(kind.key)), map_codes(kind), kind)
        case TupleKind():
            raise ValueError(f"{kind} is no input")
