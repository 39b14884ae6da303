"""What emitted programs do with tiles: functions for `map`, `flatMap` and `reduceByKey`.

Each is a small object with its settings, so that it pickles as cheaply as its kernel:

    B = A.map(on_tiles(kernel_0, (n, m), block_size, alpha))
    C = (
        A.flatMap(rekey((0, -1), (n, m), block_size))
        .cogroup(B.flatMap(rekey((-1, 1), (n, m), block_size)), partitions)
        .map(on_groups(kernel_1, [moved(0, 2), moved(2, 1)], (n, m, k), block_size, monoid="add"))
    )

A record of an array is (tile coordinates, tile).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import OutOfMemory, size_text
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Coordinates, tile_box, tile_count
from diablo.runtime.column_types import Code
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.spark_statistics import timed
from diablo.runtime.memory_limit import check, free_memory
from diablo.runtime.monoid_ufuncs import Monoid
from diablo.runtime.program.combining import Accumulator
from diablo.runtime.rows.batches import concat
from diablo.runtime.source_lines import with_place

Kernel = Callable[..., Any]
Record = tuple[Coordinates, Any]


def whole_value(capture: Any) -> Any:
    """Return what a kernel gets for a capture: the value of a broadcast, anything else itself."""
    return capture.value if hasattr(capture, "unpersist") else capture


def crop(array: Any, origins: Sequence[int], extents: Sequence[int]) -> Any:
    """The part of a whole array that a tile covers; dense parts share its memory."""
    if not any(origins) and tuple(extents) == array.shape:
        return array
    box = tuple([slice(o, o + e) for o, e in zip(origins, extents, strict=True)])
    if isinstance(array, DeviceArray):
        return array.cut(box)
    if isinstance(array, np.ndarray):
        return cast("NDArray[Any]", array)[box]
    coordinates = [c - o for c, o in zip(array.coordinates(), origins, strict=True)]
    inside = np.ones(array.nnz, bool)
    for column, extent in zip(coordinates, extents, strict=True):
        inside &= (column >= 0) & (column < extent)
    return SparseTile.from_coordinates(
        [column[inside] for column in coordinates],
        array.values[inside],
        tuple(extents),
        array.dense_rank,
    )


class _OnPlace:
    """A kernel that is told its place in the iteration space, and given its captures."""

    def __init__(
        self,
        kernel: Kernel,
        dims: Sequence[int],
        block_size: int | None,
        captures: Sequence[Any],
        crops: Sequence[Sequence[int]],
        to_keys: Sequence[int] | None,
    ):
        self.kernel = timed(kernel)
        self.dims = tuple(dims)
        self.block_size = block_size
        self.captures = tuple(captures)
        self.crops = tuple(crops)
        self.to_keys = to_keys

    def run(self, place: Coordinates, values: Sequence[Any]) -> Any:
        """The kernel's result at the given coordinates of the iteration space."""
        origins, extents = tile_box(place, self.dims, self.block_size)
        captures = [whole_value(capture) for capture in self.captures]
        for position, dimensions in enumerate(self.crops):
            captures[position] = crop(
                captures[position],
                [origins[d] for d in dimensions],
                [extents[d] for d in dimensions],
            )
        try:
            result = self.kernel(*origins, *extents, *values, *captures)
            check(data_size(result), "the blocks of an array" if self.dims else "rows")
        except (MemoryError, OutOfMemory) as error:
            raise self._out_of_memory(error) from None
        return result

    def _out_of_memory(self, error: MemoryError | OutOfMemory) -> OutOfMemory:
        """Return what is said if a kernel has no memory: of which statement, and what would fit."""
        message = str(error)
        if isinstance(error, MemoryError):
            message = f"out of memory: {_what_had_no_room(error)}"
        if self.block_size is not None and self.dims:
            fitting = _fitting(self.block_size, len(self.dims), error)
            message += f"; a block size of {fitting} needs less (it is {self.block_size})"
        return OutOfMemory(with_place(message, self.kernel))

    def record(self, key: Coordinates, value: Any) -> Any:
        """The record of a result: under its key, under a part of it, or by itself."""
        if self.to_keys is None:
            return key, value
        return (tuple([key[p] for p in self.to_keys]), value) if self.to_keys else value


def _what_had_no_room(error: MemoryError) -> str:
    """Return what NumPy could not make, and how much was left for it."""
    shape, needed = getattr(error, "shape", None), getattr(error, "_total_size", None)
    if shape is None or needed is None:
        return str(error) or "an operation needs more than there is"
    extents = " x ".join(map(str, shape))
    left = size_text(free_memory())
    return f"an array of {extents} would take {size_text(needed)}, and a worker has {left} left"


_MOST_PARTS = 256.0
"""Into how many parts a tile is cut at most for want of memory: others may need less then."""


_AT_A_TIME = 4.0
"""How many arrays like that without room a task has at a time: what it reads, makes and sends."""


def _fitting(block_size: int, rank: int, error: MemoryError | OutOfMemory) -> int:
    """A block size with which what had no room has room, if that grows with the tiles."""
    needed = getattr(error, "needed", None) or getattr(error, "_total_size", None)
    left = getattr(error, "left", None)
    if left is None:
        left = free_memory()
    parts = min(max(4.0, _AT_A_TIME * (needed or 0) / max(1, left)), _MOST_PARTS)
    return max(1, int(block_size / parts ** (1 / min(2, rank))))


class on_tiles(_OnPlace):
    """For `map`: runs a kernel on every tile.

    The kernel is called with the origin of the tile in each dimension, its extents, the
    tile (nothing, if the records are bare keys) and the captures. `crops` says of the
    first captures which dimensions index them; they are cut to the tile. `to_keys` picks
    the positions of the result's key; without any the results have no key.
    """

    def __init__(
        self,
        kernel: Kernel,
        dims: Sequence[int],
        block_size: int | None,
        *captures: Any,
        crops: Sequence[Sequence[int]] = (),
        to_keys: Sequence[int] | None = None,
    ):
        super().__init__(kernel, dims, block_size, captures, crops, to_keys)

    def __call__(self, record: Record) -> Any:
        """The record of the kernel's result for a tile."""
        key, tile = record
        return self.record(key, self.run(key, () if tile is None else (tile,)))


class moved:
    """A group of tiles that `rekey` sent, with the iteration dimensions that index them."""

    def __init__(self, *dimensions: int):
        self.dimensions = dimensions


class batch:
    """A group of column batches, with the codes of the columns' types."""

    def __init__(self, *codes: Code):
        self.codes = codes


class _Here:
    """A group of the one tile that has the key."""


class _Keys:
    """A group of bare keys: it says that the key is there."""


here, keys = _Here(), _Keys()

Group = moved | batch | _Here | _Keys


class on_groups(_OnPlace):
    """For `map` after `cogroup`: runs a kernel on the groups of every key.

    `groups` says what each group holds: the tile with the key (`here`), bare keys (`keys`),
    rows (`batch`), which become one batch, or tiles that `rekey` sent (`moved`): the kernel
    runs on every choice of them whose coordinates agree on the iteration dimensions, and
    the results are combined with `monoid`.
    """

    def __init__(
        self,
        kernel: Kernel,
        groups: Sequence[Group],
        dims: Sequence[int] = (),
        block_size: int | None = None,
        *captures: Any,
        monoid: Monoid | None = None,
        crops: Sequence[Sequence[int]] = (),
        to_keys: Sequence[int] | None = None,
    ):
        super().__init__(kernel, dims, block_size, captures, crops, to_keys)
        self.groups = tuple(groups)
        self.monoid = monoid

    def __call__(self, record: tuple[Coordinates, Sequence[Iterable[Any]]]) -> Any:
        """The record of the kernel's result for a key."""
        key, found = record
        return self.record(key, self._result(key, found))

    def _result(self, key: Coordinates, found: Sequence[Any]) -> Any:
        place = tuple(range(min(len(key), len(self.dims))))
        choices: list[tuple[Coordinates, tuple[Any, ...]]] = [(key[: len(place)], ())]
        for group, records in zip(self.groups, found, strict=True):
            if isinstance(group, moved):
                place, choices = _joined(place, choices, group.dimensions, records)
            elif isinstance(group, batch):
                whole = concat(list(records), group.codes)
                choices = [(coords, (*values, whole)) for coords, values in choices]
            elif isinstance(group, _Here):
                (tile,) = records
                choices = [(coords, (*values, tile)) for coords, values in choices]
        # Dimensions without a coordinate come last: the tile has the whole of them.
        order = [place.index(d) for d in range(len(place))]
        if self.monoid is None:
            ((coords, values),) = choices
            return self.run(tuple([coords[p] for p in order]), values)
        results = Accumulator(self.monoid)
        for coords, values in choices:
            results.add(self.run(tuple([coords[p] for p in order]), values))
        return results.value


def _joined(
    place: tuple[int, ...],
    choices: list[tuple[Coordinates, tuple[Any, ...]]],
    dimensions: Sequence[int],
    records: Iterable[Record],
) -> tuple[tuple[int, ...], list[tuple[Coordinates, tuple[Any, ...]]]]:
    """Extend every choice by each tile whose coordinates agree with it.

    `place` lists the iteration dimensions that the coordinates of a choice stand for.
    """
    new = tuple(dict.fromkeys(d for d in dimensions if d not in place))
    shared = [(place.index(d), c) for c, d in enumerate(dimensions) if d in place]
    added = [dimensions.index(d) for d in new]
    index: dict[Coordinates, list[Record]] = {}
    # In the order of their coordinates, so that sums come out the same in every run.
    for coords, tile in sorted(records, key=lambda record: record[0]):
        extra = tuple([coords[c] for c in added])
        if all(coords[c] == extra[new.index(d)] for c, d in enumerate(dimensions) if d in new):
            index.setdefault(tuple([coords[c] for _, c in shared]), []).append((extra, tile))
    return (*place, *new), [
        ((*coords, *extra), (*values, tile))
        for coords, values in choices
        for extra, tile in index.get(tuple([coords[p] for p, _ in shared]), ())
    ]


class rekey:
    """For `flatMap`: sends each tile to the keys that need it, with its own coordinates.

    `positions[p]` is the coordinate that becomes position p of the key, or -1 where the
    tile is copied to all keys along dimension p, which has extent `dims[p]`. Tiles that
    lie outside `dims` go nowhere.
    """

    def __init__(self, positions: Sequence[int], dims: Sequence[int], block_size: int | None):
        self.positions = tuple(positions)
        self.counts = tuple([tile_count(d, block_size) for d in dims])

    def __call__(self, record: Record) -> list[tuple[Coordinates, Record]]:
        """The tile under each of its new keys."""
        coords, _ = record
        ranges = [
            range(count) if p < 0 else (coords[p],) if coords[p] < count else ()
            for p, count in zip(self.positions, self.counts, strict=True)
        ]
        return [(key, record) for key in product(*ranges)]


class replicate:
    """For `flatMap`: copies each tile to all keys that begin with its own.

    `dims` are the extents of the array in the dimensions behind.
    """

    def __init__(self, dims: Sequence[int], block_size: int | None):
        self.counts = tuple([tile_count(d, block_size) for d in dims])

    def __call__(self, record: Record) -> list[Record]:
        """The tile under each of its new keys."""
        key, tile = record
        return [((*key, *rest), tile) for rest in product(*map(range, self.counts))]


class inside:
    """For `filter`: whether a tile lies inside the given dimensions."""

    def __init__(self, dims: Sequence[int], block_size: int | None):
        self.counts = tuple([tile_count(d, block_size) for d in dims])

    def __call__(self, record: Record) -> bool:
        """Return whether the tile begins inside."""
        return all(c < count for c, count in zip(record[0], self.counts, strict=True))
