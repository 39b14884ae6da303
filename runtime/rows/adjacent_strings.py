"""`AdjacentStrings`: a column of which each string ends where the next one begins, as Arrow has it.

    ends    0, 6, 7     of the bytes "a wordb"     ->    "a word", "b"

Where all of them begin, and how long they are, is found out when somebody asks for it: not of those
that are taken from the column alone, nor to compare or to number them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.rows.string_column import Ascii, Strings
from diablo.runtime.rows.string_spans import Adjacent, Spans

Array = NDArray[Any]


class AdjacentStrings(Strings):
    """Strings one behind the other, in bytes and between places that nobody writes to.

    Parameters
    ----------
    data : the bytes, with room behind them
    ends : where each begins and the last one ends, of 32 or 64 bits
    first : the place in the bytes' own numbers where they begin
    """

    __slots__ = ("_adjacent", "_is_ascii")

    def __init__(self, data: Array, ends: Array, first: int):
        self._adjacent = Adjacent(data, ends, first)
        self._is_ascii = Ascii(data)
        self._made = None
        self._forget()

    def _bytes(self) -> tuple[Spans, bool | Ascii]:
        if self._made is None:
            self._made = self._adjacent.spans(), self._is_ascii
        return self._made

    @property
    def _ascii(self) -> Ascii:
        """Whether all bytes are ASCII, for which nobody has to know where the strings lie."""
        return self._is_ascii

    @property
    def places(self) -> Spans | Adjacent:
        """Where the strings lie, as that is known."""
        return self._adjacent if self._made is None else self._made[0]

    @property
    def memory(self) -> Array:
        """The vector that holds what is in the strings."""
        return self._adjacent.data

    @property
    def nbytes(self) -> int:
        """The bytes that the vectors take in memory."""
        return self._adjacent.data.nbytes + self._adjacent.ends.nbytes

    def __len__(self) -> int:
        return self._adjacent.rows

    def take(self, positions: Any) -> Strings:
        """The strings at `positions`, in that order."""
        if self._made is not None or not isinstance(positions, np.ndarray):
            return super().take(positions)
        return Strings(self._adjacent.take(positions), is_ascii=self._is_ascii)

    def matched(self, other: Any, *, part: bool = False, at_end: bool = False) -> Array | None:
        """Return which strings are another one, or begin or end with it, as for any column."""
        if self._made is None and isinstance(other, str):
            return self._adjacent.matched(other, part=part, at_end=at_end)
        return super().matched(other, part=part, at_end=at_end)
