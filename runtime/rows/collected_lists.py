"""Lists of what a kernel collects for each key: its rows, brought together bucket by bucket.

    rows as they come                      brought together
    numbers 0, 1, 0    values 5, 6, 7      5, 7 | 6        offsets 0, 2, 3

The machine code of a kernel (`lowering/multiloop/bucket_code.py`) stores each row that it emits
beside the number of its bucket, and counts the rows of each bucket. From the counts of all threads
come the places of buckets, and of each thread's rows in them, which threads then put there: a
counting sort, in which the rows of a bucket stay in the order of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from diablo.diagnostics import OutOfMemory
from diablo.row_kernel_signature import Output
from diablo.runtime.arrays import memory
from diablo.runtime.kernels.signature import Array, pass_tensor
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.counted_places import places_of
from diablo.runtime.native.thread_team import share
from diablo.runtime.native.written_loops import written_loop
from diablo.runtime.ordering import encode
from diablo.runtime.rows.batches import Batch
from diablo.runtime.rows.encoded_columns import column_dtype
from diablo.runtime.rows.lists import Lists

Ranges = Sequence[tuple[int, int]]
"""The least value of each column of the keys, and how many values from there on there are."""
COUNT = np.dtype(np.int32)
"""The type of the number of a bucket, and of how many rows it has."""
_MOST_ROWS = 1 << 31
_GROWTH = 2
"""How many times as many rows there is room for where there are too many."""
_MOVED = (1, 2, 4, 8)
"""The bytes of elements that machine code moves."""


class GrowingColumns:
    """Columns of which a call says how many rows it has written."""

    def __init__(self, dtypes: Sequence[np.dtype[Any]], room: int):
        self._dtypes = dtypes
        self._written = np.zeros(8, np.int64)[:1]
        self._columns = self._with_room(max(1, room))

    def _with_room(self, count: int) -> list[Array]:
        reserve(count * sum(dtype.itemsize for dtype in self._dtypes), "{} rows in lists", count)
        return [memory.empty([count], dtype) for dtype in self._dtypes]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int(self._written[0])

    @property
    def columns(self) -> list[Array]:
        """The rows."""
        return [column[: self.count] for column in self._columns]

    def words(self) -> list[Any]:
        """The arguments of a call."""
        columns = [word for column in self._columns for word in pass_tensor(column)]
        return [pass_tensor(self._written)[0], *columns]

    def is_full(self, spare_part: int) -> bool:
        """Return whether less than a part of the room is left."""
        capacity = len(self._columns[0])
        return spare_part * (capacity - self.count) < capacity

    def enlarge(self) -> None:
        """Make room for more rows."""
        larger = self._with_room(_GROWTH * len(self._columns[0]))
        for new, old in zip(larger, self._columns, strict=True):
            new[: self.count] = old[: self.count]
        self._columns = larger


class Collected:
    """What a call collects for keys: rows with the numbers of their buckets."""

    def __init__(self, output: Output, ranges: Ranges, room: int):
        self.ranges = ranges
        held = prod(extent for _, extent in ranges) if output.has_table else 0
        reserve(held * COUNT.itemsize, "a table of {} keys", held)
        self.table = np.zeros(held, COUNT)
        dtypes = [COUNT, *[column_dtype(element) for element in output.values]]
        self.rows = GrowingColumns(dtypes, room)
        self._has_table = output.has_table

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.rows.count

    @property
    def numbers(self) -> Array:
        """The numbers of their buckets."""
        return self.rows.columns[0]

    @property
    def values(self) -> list[Array]:
        """Their columns."""
        return self.rows.columns[1:]

    def words(self) -> list[Any]:
        """The arguments of a call, behind those for the keys."""
        words: list[Any] = []
        if self._has_table:
            bounds = [bound for span in self.ranges for bound in span]
            words += [*pass_tensor(self.table), *bounds]
        return [*words, *self.rows.words()]


@dataclass
class Part:
    """What one call has collected, with the keys of its hash table, and how many rows they have."""

    keys: Batch
    counts: Array
    collected: Collected


@dataclass
class _Buckets:
    """Parts whose buckets are to be brought together, each of which may have rows of any."""

    parts: Sequence[Part]
    keys: list[Batch]
    """The keys of the hash tables, all of which are distinct."""
    numbers: list[Array]
    """For each part which of these its own are."""
    tables: Array
    """How many rows each part has of each bucket, then the place of its first one."""

    @staticmethod
    def of(parts: Sequence[Part]) -> _Buckets:
        """Number the buckets of all parts: those of tables, and behind them all others."""
        first = parts[0]
        held = len(first.collected.table)
        if len(parts) == 1:
            numbers = [np.arange(len(first.counts), dtype=COUNT)]
            keys, count = [first.keys], len(first.counts)
        else:
            keys, numbers, count = _joined_keys([part.keys for part in parts])
        reserve(len(parts) * (held + count) * COUNT.itemsize, "a table of {} keys", held + count)
        tables = np.zeros((len(parts), held + count), COUNT)
        for table, part, own in zip(tables, parts, numbers, strict=True):
            table[:held] = part.collected.table
            table[held + own] = part.counts
        return _Buckets(parts, keys, numbers, tables)

    def places(self, number: int) -> Array:
        """The places of the buckets of a part, as that numbers them."""
        held = len(self.parts[0].collected.table)
        table = self.tables[number]
        return np.concatenate([table[:held], table[held:].take(self.numbers[number])])


def _joined_keys(parts: Sequence[Batch]) -> tuple[list[Batch], list[Array], int]:
    """The distinct keys of all parts, which of them each key is, and how many there are."""
    columns = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
    if not len(columns[0]):
        return [tuple(columns)], [np.zeros(0, COUNT) for _ in parts], 0
    codes = encode(columns).codes
    _, firsts, numbers = np.unique(codes, return_index=True, return_inverse=True)
    ends = list(accumulate(len(part[0]) for part in parts))
    split = np.split(numbers.astype(COUNT), ends[:-1])
    return [tuple([column.take(firsts) for column in columns])], split, len(firsts)


def lists_of(output: Output, parts: Sequence[Part], *, by_keys: bool) -> tuple[Batch, Batch, Array]:
    """The keys that calls have met, the columns of all lists, and where the list of each key is.

    `by_keys` says that no two calls have a key in common. Offsets have the end of the last list.
    """
    total = sum(part.collected.count for part in parts)
    if total >= _MOST_ROWS:
        raise OutOfMemory(f"{total} rows in groups")
    together = [_Buckets.of([part]) for part in parts] if by_keys else [_Buckets.of(parts)]
    keys: list[Batch] = []
    offsets: list[Array] = []
    base = 0
    moves: list[tuple[Part, Array]] = []
    for buckets in together:
        starts = places_of(buckets.tables)
        buckets.tables += COUNT.type(base)
        moves += [(part, buckets.places(n)) for n, part in enumerate(buckets.parts)]
        found = np.flatnonzero(np.diff(starts))
        keys.append(_keys(output, buckets, found))
        offsets.append(starts[:-1].take(found).astype(np.int64) + base)
        base += int(starts[-1])
    offsets.append(np.array([base]))
    columns = [np.concatenate(columns) for columns in zip(*keys, strict=True)]
    if len(keys) == 1:
        columns = list(keys[0])
    return tuple(columns), _filled(output, moves, total), np.concatenate(offsets)


def _keys(output: Output, buckets: _Buckets, found: Array) -> Batch:
    """The keys of the buckets that have rows, those of the hash tables behind those of tables."""
    collected = buckets.parts[0].collected
    held = len(collected.table)
    hashed = buckets.keys[0]
    if not held:
        return hashed
    dtypes = [column_dtype(element) for element in output.keys]
    near = found[: int(np.searchsorted(found, held))]
    keys = keys_at(collected.ranges, near, dtypes)
    if not len(hashed[0]):
        return tuple(keys)
    return tuple([np.concatenate(pair) for pair in zip(keys, hashed, strict=True)])


def keys_at(ranges: Ranges, places: Array, dtypes: Sequence[np.dtype[Any]]) -> list[Array]:
    """The keys at places of a table for those within ranges."""
    behind: Sequence[Array] = [places]
    if len(ranges) > 1:
        behind = np.unravel_index(places, [extent for _, extent in ranges])
    return [
        column.astype(dtype, copy=False) + dtype.type(base)
        for column, (base, _), dtype in zip(behind, ranges, dtypes, strict=True)
    ]


def _filled(output: Output, moves: Sequence[tuple[Part, Array]], total: int) -> Batch:
    """The columns of all rows, bucket by bucket, of what calls have collected.

    Beside each are the places of the first rows of its buckets.
    """
    made: list[Array] = []
    for column, element in enumerate(output.values):
        dtype = column_dtype(element)
        is_last = column == len(output.values) - 1
        if dtype.itemsize in _MOVED:
            given = [(part, places, part.collected.values[column]) for part, places in moves]
            made.append(_moved(given, dtype, total, kept=not is_last))
            continue
        ends = accumulate(part.collected.count for part, _ in moves)
        rows = [
            (part, places, np.arange(end - part.collected.count, end, dtype=COUNT))
            for (part, places), end in zip(moves, ends, strict=True)
        ]
        order = _moved(rows, COUNT, total, kept=not is_last)
        whole = np.concatenate([part.collected.values[column] for part, _ in moves])
        made.append(memory.taken(whole, order))
    return tuple(made)


def _moved(
    given: Sequence[tuple[Part, Array, Array]], dtype: np.dtype[Any], total: int, *, kept: bool
) -> Array:
    """The values of all parts, bucket by bucket; places are changed, unless they are `kept`."""
    reserve(total * dtype.itemsize, "{} rows in groups", total)
    out = memory.empty([total], dtype)
    entry = written_loop("place_in_buckets", f"i{8 * dtype.itemsize}")
    assert entry is not None  # There is machine code of the kernel.
    held = [
        (part.collected.numbers, places.copy() if kept else places, values)
        for part, places, values in given
    ]
    calls = [
        (*[address_of(array) for array in arrays], address_of(out), 0, len(arrays[0]))
        for arrays in held
    ]
    share(entry, calls, total)
    return out


def as_lists(columns: Batch, offsets: Array, widths: Sequence[int]) -> Batch:
    """Lists of so many of some columns each."""
    ends = list(accumulate(widths))
    return tuple(
        [
            Lists(columns[end - width : end], offsets)
            for width, end in zip(widths, ends, strict=True)
        ]
    )
