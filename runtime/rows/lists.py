"""`Lists`: a column that holds a list of rows in every row.

The rows of all lists stand one after the other in one batch, and offsets tell them apart:

    [(1, "a"), (2, "b")], [], [(3, "c")]
        ->  values ([1, 2, 3], ["a", "b", "c"]), offsets [0, 2, 2, 3]

It is indexed as a NumPy column is. A list may itself have columns of lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast, overload

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays import memory
from diablo.runtime.memory_limit import reserve

Array = NDArray[Any]


class _View(NamedTuple):
    """Where each list lies in a batch; or where those do that are still to be repeated."""

    batch: tuple[Any, ...]
    starts: Array
    lengths: Array
    counts: Array | None = None
    """How often each is there, if they are still to be repeated."""
    made: int = 0
    """How many lists that makes."""


class Lists:
    """A column of lists: the batch `values`, and `offsets`, where each list begins and ends.

    What is taken from a column shares its batch, in which the lists then stand anywhere:
    rows that are repeated (by `unnest`, say) do not repeat their lists. Only who asks for
    `values` gets them one after the other.
    """

    __slots__ = ("_compacted", "_view")
    ndim = 1

    def __init__(self, values: Sequence[Any], offsets: Array):
        # Each of these is replaced as a whole: threads may share a column.
        self._view = _View(tuple(values), offsets[:-1], np.diff(offsets))
        self._compacted: tuple[tuple[Any, ...], Array] | None = None

    @staticmethod
    def of_lengths(values: Sequence[Any], lengths: Array) -> Lists:
        """Lists of the given lengths, one after the other in `values`."""
        return Lists(values, _offsets(lengths))

    @staticmethod
    def at(batch: tuple[Any, ...], starts: Array, lengths: Array) -> Lists:
        """Lists that begin anywhere in a batch."""
        return Lists._of(_View(batch, starts, lengths))

    @staticmethod
    def _of(view: _View) -> Lists:
        lists = Lists(view.batch, np.zeros(1, np.int64))
        lists._view = view
        return lists

    def repeated(self, counts: Array, made: int) -> Lists:
        """Each list as often as its count says, `made` in all, which is done once it is asked for.

        Where the rows of lists are gone through, the lists are often not looked at any more.
        """
        return Lists._of(self._spans()._replace(counts=counts, made=made))

    def _spans(self) -> _View:
        """Where each list lies."""
        view = self._view
        if view.counts is not None:
            starts, lengths = [np.repeat(each, view.counts) for each in view[1:3]]
            view = self._view = _View(view.batch, starts, lengths)
        return view

    @property
    def lengths(self) -> Array:
        """How long each list is."""
        return self._spans().lengths

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

    def spans(self) -> tuple[tuple[Any, ...], Array, Array]:
        """A batch, where in it each list begins, and how long each is."""
        batch, starts, lengths, *_ = self._spans()
        return batch, starts, lengths

    def shared(self) -> tuple[tuple[Any, ...], Array]:
        """A batch, and where in it each list begins: the lists alone, unless they are repeated."""
        batch, starts, lengths, *_ = self._spans()
        if int(lengths.sum()) > len(batch[0]):
            return batch, starts
        batch, offsets = self._compact()
        return batch, offsets[:-1]

    def _compact(self) -> tuple[tuple[Any, ...], Array]:
        """The lists one after the other, with the offsets; from then on they stand so."""
        if self._compacted is None:
            batch, starts, lengths, *_ = self._spans()
            offsets = _offsets(lengths)
            first = int(starts[0]) if len(starts) else 0
            if np.array_equal(starts, offsets[:-1] + first):
                part = slice(first, first + int(offsets[-1]))
                batch = tuple([column[part] for column in batch])
            else:
                size = int(offsets[-1])
                reserve(size * (self.row_size + 16), "{} lists of {} rows", len(starts), size)
                place = runs(starts, lengths)
                batch = tuple([column.take(place) for column in batch])
            self._compacted = batch, offsets
            self._view = _View(batch, offsets[:-1], lengths)
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
        batch, starts, *_ = self._spans()
        return 2 * starts.nbytes + sum(column.nbytes for column in batch)

    @property
    def row_size(self) -> int:
        """Bytes that a row of a list takes, but for lists and objects in it."""
        batch, starts, *_ = self._view
        return sum([getattr(column, "dtype", starts.dtype).itemsize for column in batch])

    def __len__(self) -> int:
        view = self._view
        return len(view.starts) if view.counts is None else view.made

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, index: slice | Array) -> Lists: ...
    def __getitem__(self, index: Any) -> Any:
        batch, starts, lengths, *_ = self._spans()
        if isinstance(index, int | np.integer):
            start = int(starts[index])
            part = slice(start, start + int(lengths[index]))
            return tuple([column[part] for column in batch])
        index = cast("slice | Array", index)
        return Lists.at(batch, starts[index], lengths[index])

    def take(self, positions: Array) -> Lists:
        """The lists at `positions`, in that order."""
        batch, *sides = self._spans()[:3]
        return Lists.at(batch, *[memory.taken(side, positions) for side in sides])

    def rows_at(self, positions: Array) -> tuple[Any, ...]:
        """Return the row at a position inside of each list."""
        batch, starts, *_ = self._spans()
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
        batch, starts, lengths, *_ = self._spans()
        if int(lengths.sum()) <= len(batch[0]):
            return Lists, self._compact()
        return Lists.at, (batch, starts, lengths)

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
