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

from diablo.runtime.arrays import memory
from diablo.runtime.memory_limit import reserve

Array = NDArray[Any]


class Lists:
    """A column of lists: the batch `values`, and `offsets`, where each list begins and ends.

    What is taken from a column shares its batch, in which the lists then stand anywhere:
    rows that are repeated (by `unnest`, say) do not repeat their lists. Only who asks for
    `values` gets them one after the other.
    """

    __slots__ = ("_compacted", "_view", "lengths")
    ndim = 1

    def __init__(self, values: Sequence[Any], offsets: Array):
        # Each pair is replaced as a whole: threads may share a column.
        self._view: tuple[tuple[Any, ...], Array] = tuple(values), offsets[:-1]
        self._compacted: tuple[tuple[Any, ...], Array] | None = None
        self.lengths: Array = np.diff(offsets)
        """How long each list is."""

    @staticmethod
    def of_lengths(values: Sequence[Any], lengths: Array) -> Lists:
        """Lists of the given lengths, one after the other in `values`."""
        return Lists(values, _offsets(lengths))

    @staticmethod
    def at(batch: tuple[Any, ...], starts: Array, lengths: Array) -> Lists:
        """Lists that begin anywhere in a batch."""
        lists = Lists(batch, np.zeros(1, np.int64))
        lists._view, lists.lengths = (batch, starts), lengths
        return lists

    @property
    def values(self) -> tuple[Any, ...]:
        """The batch of the rows of all lists, in their order."""
        return self._compact()[0]

    @property
    def offsets(self) -> Array:
        """Where in `values` each list begins, and where the last one ends."""
        return self._compact()[1]

    @property
    def starts(self) -> Array:
        """Where in `values` each list begins."""
        return self.offsets[:-1]

    def shared(self) -> tuple[tuple[Any, ...], Array]:
        """A batch, and where in it each list begins: the lists alone, unless they are repeated."""
        batch, starts = self._view
        if int(self.lengths.sum()) > len(batch[0]):
            return batch, starts
        batch, offsets = self._compact()
        return batch, offsets[:-1]

    def _compact(self) -> tuple[tuple[Any, ...], Array]:
        """The lists one after the other, with the offsets; from then on they stand so."""
        if self._compacted is None:
            batch, starts = self._view
            offsets = _offsets(self.lengths)
            first = int(starts[0]) if len(starts) else 0
            if np.array_equal(starts, offsets[:-1] + first):
                part = slice(first, first + int(offsets[-1]))
                batch = tuple([column[part] for column in batch])
            else:
                size = int(offsets[-1])
                reserve(size * (self.row_size + 16), "{} lists of {} rows", len(starts), size)
                place = runs(starts, self.lengths)
                batch = tuple([column.take(place) for column in batch])
            self._compacted = batch, offsets
            self._view = batch, offsets[:-1]
        return self._compacted

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
        """The bytes that the vectors take in memory."""
        batch, starts = self._view
        return 2 * starts.nbytes + sum(column.nbytes for column in batch)

    @property
    def row_size(self) -> int:
        """Bytes that a row of a list takes, but for lists and objects in it."""
        batch, _ = self._view
        return sum([getattr(column, "dtype", self.lengths.dtype).itemsize for column in batch])

    def __len__(self) -> int:
        return len(self.lengths)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, index: slice | Array) -> Lists: ...
    def __getitem__(self, index: Any) -> Any:
        batch, starts = self._view
        if isinstance(index, int | np.integer):
            start = int(starts[index])
            part = slice(start, start + int(self.lengths[index]))
            return tuple([column[part] for column in batch])
        index = cast("slice | Array", index)
        return Lists.at(batch, starts[index], self.lengths[index])

    def take(self, positions: Array) -> Lists:
        """The lists at `positions`, in that order."""
        batch, starts = self._view
        return Lists.at(
            batch, memory.taken(starts, positions), memory.taken(self.lengths, positions)
        )

    def rows_at(self, positions: Array) -> tuple[Any, ...]:
        """Return the row at a position inside of each list."""
        batch, starts = self._view
        place = starts + positions
        return tuple([column.take(place) for column in batch])

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return (self[i] for i in range(len(self)))

    def tolist(self) -> list[list[Any]]:
        """Python lists, of tuples if there are several columns."""
        columns = [column.tolist() for column in self.values]
        rows = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        return [rows[a:b] for a, b in pairwise(self.offsets.tolist())]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lists) and self.tolist() == other.tolist()

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[Any, ...]:
        # What the lists do not show stays here, but lists that are repeated are sent once.
        batch, starts = self._view
        if int(self.lengths.sum()) <= len(batch[0]):
            return Lists, self._compact()
        return Lists.at, (batch, starts, self.lengths)

    def __repr__(self) -> str:
        return f"Lists({self.tolist()!r})"


def _offsets(lengths: Array) -> Array:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def runs(starts: Array, lengths: Array) -> Array:
    """The integers `start`, `start + 1`, … of each run, one run after the other.

    runs([5, 0], [2, 3])  ->  [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    place = np.repeat(starts - (ends - lengths), lengths)
    place += np.arange(len(place))
    return place
