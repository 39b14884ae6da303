"""`Lists`: a column that holds a list of rows in every row.

The rows of all lists stand one after the other in one batch, and offsets tell them apart:

    [(1, "a"), (2, "b")], [], [(3, "c")]
        ->  values ([1, 2, 3], ["a", "b", "c"]), offsets [0, 2, 2, 3]

It is indexed as a NumPy column is. A list may itself have columns of lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Lists:
    """A column of lists: the batch `values`, and where in it each list begins and ends.

    `offsets` has one number more than there are lists; it need not begin with 0 nor end with
    the number of values, as slices share the values.
    """

    __slots__ = ("_values", "offsets")
    ndim = 1

    def __init__(self, values: Sequence[Any], offsets: Array):
        self._values = tuple(values)
        self.offsets = offsets

    @staticmethod
    def of_lengths(values: Sequence[Any], lengths: Array) -> Lists:
        """Lists of the given lengths, one after the other in `values`."""
        offsets = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return Lists(values, offsets)

    @property
    def values(self) -> tuple[Any, ...]:
        """The batch of the rows of all lists, in their order."""
        return self._compact()._values

    @property
    def lengths(self) -> Array:
        """How long each list is."""
        return np.diff(self.offsets)

    @property
    def starts(self) -> Array:
        """Where in `values` each list begins."""
        return self._compact().offsets[:-1]

    @property
    def shape(self) -> tuple[int]:
        """As of a NumPy column."""
        return (len(self),)

    @property
    def size(self) -> int:
        """The number of lists."""
        return len(self)

    @property
    def nbytes(self) -> int:
        """What the vectors take in memory."""
        return self.offsets.nbytes + sum(column.nbytes for column in self._values)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def _compact(self) -> Lists:
        """The same lists over a batch without anything before the first and after the last."""
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        if first == 0 and (not self._values or last == len(self._values[0])):
            return self
        part = tuple([column[first:last] for column in self._values])
        return Lists(part, self.offsets - first)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, index: slice | Array) -> Lists: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return self.take(np.arange(start, stop, step))
            return Lists(self._values, self.offsets[start : max(start, stop) + 1])
        if isinstance(index, int | np.integer):
            place = int(cast(int, index))
            place += len(self) if place < 0 else 0
            if not 0 <= place < len(self):
                raise IndexError(f"list {index} of {len(self)}")
            part = slice(int(self.offsets[place]), int(self.offsets[place + 1]))
            return tuple([column[part] for column in self._values])
        index = np.asarray(index)
        return self.take(np.flatnonzero(index) if index.dtype.kind == "b" else index)

    def take(self, positions: Array) -> Lists:
        """The lists at `positions`, in that order."""
        lengths = self.lengths.take(positions)
        place = runs(self.offsets[:-1].take(positions), lengths)
        return Lists.of_lengths([column.take(place) for column in self._values], lengths)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return (self[i] for i in range(len(self)))

    def tolist(self) -> list[list[Any]]:
        """Python lists, of tuples if there are several columns."""
        columns = [column.tolist() for column in self.values]
        rows = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        ends = self._compact().offsets.tolist()
        return [rows[a:b] for a, b in pairwise(ends)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lists) and self.tolist() == other.tolist()

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[Any, ...]:
        # A slice travels without what it does not show.
        compact = self._compact()
        return Lists, (compact._values, compact.offsets)

    def __repr__(self) -> str:
        return f"Lists({self.tolist()!r})"


def runs(starts: Array, lengths: Array) -> Array:
    """The integers `start`, `start + 1`, … of each run, one run after the other.

    runs([5, 0], [2, 3])  ->  [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    place = np.repeat(starts - (ends - lengths), lengths)
    place += np.arange(len(place))
    return place
