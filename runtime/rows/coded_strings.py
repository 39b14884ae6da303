"""`CodedStrings`: a column of strings that are numbers of a dictionary, as Arrow's and pandas' are.

    codes   1, 0, 1     and the strings "a", "b"     ->     "b", "a", "b"

What is asked of every string is asked of those of the dictionary, and rows that are picked stay
codes. Where the strings lie row by row is found out when something else is computed with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.column_types import OBJECT
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.rows.string_column import Ascii, Strings
from diablo.runtime.rows.string_numbers import FEW_DISTINCT, StringIndex
from diablo.runtime.rows.string_spans import Spans, new_vector, string_loop

Array = NDArray[Any]


class CodedStrings(Strings):
    """Strings by their numbers.

    Parameters
    ----------
    codes : the number of each, int32, which nobody else writes to; all are in the dictionary
    dictionary : the strings, of which some may be equal, and some none's
    """

    __slots__ = ("_codes", "_dictionary")

    def __init__(self, codes: Array, dictionary: Strings):
        self._codes, self._dictionary = codes, dictionary
        self._made = None
        self._forget()

    def _bytes(self) -> tuple[Spans, bool | Ascii]:
        if self._made is None:
            spans, is_ascii = self._dictionary._bytes()
            self._made = spans.take(self._codes), is_ascii
        return self._made

    @property
    def memory(self) -> Array:
        """The codes, which only this column has."""
        return self._codes

    @property
    def nbytes(self) -> int:
        """The bytes that the vectors take in memory."""
        return self._codes.nbytes + self._dictionary.nbytes

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> str: ...
    @overload
    def __getitem__(self, index: slice | Array) -> Strings: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int | np.integer):
            return self._dictionary[int(self._codes[index])]
        return CodedStrings(np.ascontiguousarray(self._codes[index]), self._dictionary)

    def take(self, positions: Any) -> Strings:
        """The strings at `positions`, in that order."""
        return CodedStrings(memory.taken(self._codes, positions), self._dictionary)

    def wastes(self) -> bool:
        """Return whether far more strings are kept than there are rows."""
        return len(self._dictionary) > FEW_DISTINCT * (len(self) + 1) or self._dictionary.wastes()

    def tolist(self) -> list[str]:
        """Python's strings."""
        return np.asarray(self).tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """The strings as objects, one for each of the dictionary."""
        if self._objects is None:
            reserve(8 * len(self), "{} strings", len(self))
            self._objects = np.asarray(self._dictionary).take(self._codes)
        if dtype is not None and np.dtype(dtype) != OBJECT:
            return self._objects.astype(dtype)
        return self._objects.copy() if copy else self._objects

    def matched(self, other: Any, *, part: bool = False, at_end: bool = False) -> Array | None:
        """Whether each is the string of another column, or one for all; None of other columns."""
        if not isinstance(other, str):
            return super().matched(other, part=part, at_end=at_end)
        return self._spread(self._dictionary.matched(other, part=part, at_end=at_end))

    def compared(self, compare: Callable[[Any, Any], Any], other: Any) -> Array:
        """`compare`, an operator, of each string and that of another column, or one for all."""
        if not isinstance(other, str):
            return super().compared(compare, other)
        return self._spread(self._dictionary.compared(compare, other))

    def _spread(self, found: Any) -> Any:
        """Return for each row what was found of its string."""
        return None if found is None else memory.taken(found, self._codes)

    def numbered(self) -> tuple[Array, Strings] | None:
        """A number for each string, the same for equal ones, and the distinct strings."""
        if self._numbered is None:
            found = self._dictionary.numbered()
            if found is None:
                return None
            numbers, distinct = found
            codes = memory.taken(numbers, self._codes)
            # Of the dictionary some may be no row's.
            ranks = np.full(len(distinct), -1, np.int32)
            order = new_vector(len(distinct), np.int32)
            string_loop("rank_codes")(
                address_of(codes), len(codes), address_of(ranks), address_of(order)
            )
            used = int(np.count_nonzero(ranks >= 0))
            self._numbered = codes, distinct.distinct_ones(order[:used])
        return self._numbered

    def indexed(self) -> tuple[Array, StringIndex] | None:
        """A number for each string, and how others find these; None if they are too many."""
        if self._indexed is None and (found := self.numbered()) is not None:
            numbers, distinct = found
            of_distinct = distinct.indexed()
            if of_distinct is not None:
                codes, index = of_distinct
                self._indexed = memory.taken(codes, numbers), index
        return self._indexed

    def codes_in(self, index: StringIndex) -> Array | None:
        """The number that an index has for each string, -1 for none; None if they are too many."""
        self.numbered()  # By which those of the rows are found.
        return super().codes_in(index)

    def has_few(self) -> bool:
        """Return whether there are far fewer distinct strings than strings."""
        return FEW_DISTINCT * len(self._dictionary) <= len(self) or super().has_few()


def coded_strings(codes: Array, dictionary: Strings) -> CodedStrings | None:
    """The column of strings of a dictionary, by numbers of any type; None if these are none.

    The numbers are copied: pandas' may be written to.
    """
    if codes.dtype.kind not in "iu" or len(dictionary) > np.iinfo(np.int32).max:
        return None
    if len(codes) and not 0 <= int(codes.min()) <= int(codes.max()) < len(dictionary):
        return None
    return CodedStrings(codes.astype(np.int32), dictionary)
