"""`AdjacentStrings`: a column of which each string ends where the next one begins, as Arrow has it.

    ends    0, 6, 7     of the bytes "a wordb"     ->    "a word", "b"

Where all of them begin, and how long they are, is found out when somebody asks for it; of those
that are taken from the column alone it is not, nor are they looked for in it.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.native.compile_mode import pays
from diablo.runtime.rows.string_column import Ascii, Strings
from diablo.runtime.rows.string_spans import (
    WORTH_TAKING,
    Spans,
    between_ends,
    matched_between_ends,
    taken_between_ends,
)

Array = NDArray[Any]

_FEW = 8
"""How many times as many strings there are as few of them."""


class AdjacentStrings(Strings):
    """Strings one behind the other, in bytes and between places that nobody writes to.

    Parameters
    ----------
    data : the bytes, with room behind them
    ends : where each begins and the last one ends, of 32 or 64 bits
    first : the place in the bytes' own numbers where they begin
    """

    __slots__ = ("_data", "_ends", "_first", "_is_ascii")

    def __init__(self, data: Array, ends: Array, first: int):
        self._data, self._ends, self._first = data, ends, first
        self._is_ascii = Ascii(data)
        self._made = None
        self._forget()

    def _bytes(self) -> tuple[Spans, bool | Ascii]:
        if self._made is None:
            self._made = between_ends(self._data, self._ends, self._first), self._is_ascii
        return self._made

    @property
    def memory(self) -> Array:
        """The vector that holds what is in the strings."""
        return self._data

    @property
    def nbytes(self) -> int:
        """The bytes that the vectors take in memory."""
        return self._data.nbytes + self._ends.nbytes

    def __len__(self) -> int:
        return len(self._ends) - 1

    def take(self, positions: Any) -> Strings:
        """The strings at `positions`, in that order."""
        if self._made is not None:
            return super().take(positions)
        if _are_plain(positions):
            spans = taken_between_ends(self._data, self._ends, self._first, positions)
        elif _are_few(positions, len(self)):
            starts = self._ends.take(positions).astype(np.int64)
            lengths = self._ends.take(positions + 1) - starts
            spans = Spans(self._data, starts - self._first, lengths)
        else:
            return super().take(positions)
        return Strings(spans, is_ascii=self._is_ascii)

    def matched(self, other: Any, *, part: bool = False, at_end: bool = False) -> Array | None:
        """Return which strings are another one, or begin or end with it, as for any column."""
        if self._made is None and isinstance(other, str):
            given = self._data, self._ends, self._first
            return matched_between_ends(*given, other, part=part, at_end=at_end)
        return super().matched(other, part=part, at_end=at_end)


def _are_few(positions: Any, count: int) -> bool:
    """Whether positions are so few that those of the other strings are not worth finding."""
    return isinstance(positions, np.ndarray) and _FEW * len(cast(Array, positions)) <= count


def _are_plain(positions: Any) -> bool:
    """Return whether positions are many of 32 bits, side by side."""
    if not isinstance(positions, np.ndarray):
        return False
    array = cast(Array, positions)
    is_plain = array.dtype == np.int32 and array.ndim == 1 and array.flags.c_contiguous
    return is_plain and pays(len(array), WORTH_TAKING)
