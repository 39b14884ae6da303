"""Numbers that Python's lists and rows hold, read from the bytes that `marshal` writes of them.

    columns_of_numbers([(1, 2.5), (2, 3.0)], kind of (Int, Double))   ->   array([1, 2]), array(…)

It writes a list in one pass, each value behind a letter for its type, whatever NumPy would take it
for: `True` is no integer there. Rows of the same types are equally long, and each of their numbers
is at the same place in all of them. What is written otherwise (integers beyond 32 bits, numbers of
NumPy, rows that differ) is left to who looks at the values one by one.
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import InputError
from diablo.runtime.arrays.elements import PYTHON_TYPES, convert
from diablo.runtime.memory_limit import reserve
from diablo.runtime.value_kinds import Kind, ScalarKind, TupleKind

Array = NDArray[Any]

_VERSION = 2
"""Of the format: floats as binary numbers, and no references to what was written before."""
_HEADER = struct.Struct("<ci")
"""Before the parts of a tuple or a list: which of the two, and how many."""
_LETTERS: dict[type[object], bytes] = {tuple: b"(", list: b"["}
_NUMBERS: dict[type[object], tuple[bytes, str]] = {
    int: (b"i", "<i4"),
    float: (b"g", "<f8"),
    complex: (b"y", "<c16"),
}
"""The letter that a number is behind, and how it is written."""
_TRUTHS = b"TF"
"""The letters that Booleans are."""


def columns_of_numbers(given: Sequence[Any], kind: Kind) -> list[Array] | None:
    """The columns of a list of numbers, or of rows of them; None of anything else.

    Parameters
    ----------
    given : the list
    kind : of each of them
    """
    if not (isinstance(given, list) and given):
        return None
    layout, values = _Layout(), given
    if not layout.add(values[0], kind):
        return None
    reserve(2 * layout.size * len(values), "{} rows", len(values))
    try:
        written = marshal.dumps(values, _VERSION)
    except ValueError:  # There are values that it has no form for.
        return None
    if len(written) != _HEADER.size + layout.size * len(values):
        return None
    return layout.read(written, len(values))


class _Layout:
    """Where in the bytes of a row its parts lie."""

    def __init__(self) -> None:
        self.size = 0
        self._fixed: list[tuple[int, bytes]] = []
        """Bytes that are the same in all rows, and where."""
        self._columns: list[tuple[int, str, str]] = []
        """Where each number lies, how it is written, and its element type."""

    def add(self, value: object, kind: Kind) -> bool:
        """Lay out what is written of a value, which others are like; False if it is of no kind."""
        found = type(value)
        match kind:
            case ScalarKind():
                return self._add_scalar(found, kind)
            case TupleKind() if (letter := _LETTERS.get(found)) is not None:
                parts = cast("Sequence[Any]", value)
                self._fix(_HEADER.pack(letter, len(parts)))
                same = len(parts) == len(kind.items)
                return same and all(map(self.add, parts, kind.items))
            case _:
                return False

    def _add_scalar(self, found: type[object], kind: ScalarKind) -> bool:
        if found not in PYTHON_TYPES.get(kind.type.domain, ()):
            return False
        written = "u1"
        if found is not bool:
            letter, written = _NUMBERS[found]
            self._fix(letter)
        self._columns.append((self.size, written, kind.element))
        self.size += np.dtype(written).itemsize
        return True

    def _fix(self, letters: bytes) -> None:
        self._fixed.append((self.size, letters))
        self.size += len(letters)

    def read(self, written: bytes, rows: int) -> list[Array] | None:
        """The columns of so many rows; None if some are not like the first."""

        def each(place: int, dtype: str) -> Array:
            """Return what lies at a place of all rows."""
            return np.ndarray(rows, dtype, written, _HEADER.size + place, (self.size,))

        for begin, letters in self._fixed:
            for place, letter in enumerate(letters, begin):
                if not bool((each(place, "u1") == letter).all()):
                    return None
        columns: list[Array] = []
        for place, dtype, element in self._columns:
            column = each(place, dtype)
            if dtype == "u1":
                truths = column == _TRUTHS[0]
                if not bool((truths | (column == _TRUTHS[1])).all()):
                    return None
                column = truths
            try:
                made = convert(column, element, "")
            except InputError:  # Whoever looks at each says which.
                return None
            columns.append(np.ascontiguousarray(made, made.dtype.newbyteorder("=")))
        return columns
