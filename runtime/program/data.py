"""Data to and from the workers, and how finely it is cut.

    block_size = choose_block_size(sc, block_size, dense=[(n, m)])
    A = distribute(sc, A, block_size)
    whole = broadcast(sc, gather(A, (n, m), block_size, np.float64))

`block_size` is the extent of a tile in each dimension of all arrays that meet; `None` makes every
array one tile.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, prod
from types import MappingProxyType
from typing import Any

import numpy as np

from diablo.costs import (
    FEW_ROWS,
    LARGEST_TILE,
    LATER_TILE,
    MOST_IN_TASK,
    common_edge,
    largest_edge,
)
from diablo.diagnostics import RunError
from diablo.runtime.arrays.memory import copied
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import (
    Array,
    Tile,
    assemble,
    expect_array,
    split,
    tile_coordinates,
    tile_count,
)
from diablo.runtime.block_sizes import BlockSize, size_for
from diablo.runtime.column_types import (
    Code,
    implicit,
    is_list,
    list_columns,
    repeated,
    scalar,
    storage,
    zeros_like,
)
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.given_records import given
from diablo.runtime.engines.heap_errors import note_tiles
from diablo.runtime.engines.job_names import name_job
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.local_rdd import LocalRDD
from diablo.runtime.program.layouts import with_layout
from diablo.runtime.program.recut_tiles import recut, starts_of
from diablo.runtime.program.tile_placement import are_sent_in_tasks, in_slices
from diablo.runtime.results.result_types import DistributedArray, RowsOfSpark
from diablo.runtime.rows.batches import Batch, concat, empty, index_range, length, take
from diablo.runtime.rows.tuples import compact

_LONGEST_KEY = 60
"""Characters of a part of a key that an error message shows."""


NO_LINES: Mapping[int, int] = MappingProxyType({})


def choose_block_size(
    sc: Any,
    block_size: BlockSize,
    dense: Sequence[Sequence[int]] = (),
    sparse: Sequence[Any] = (),
    strips: Sequence[Sequence[int]] = (),
    points: Sequence[Sequence[int]] = (),
    later: Sequence[int] = (),
    lines: Mapping[int, int] = NO_LINES,
    of: Sequence[str] = (),
) -> int | None:
    """The block size that the caller wants, or one for these arrays; in one process its own.

    The caller may want one for each of some arrays: those of `of` get that of the first of them
    that is named there.

    A Python task costs tens of milliseconds, so tiles are large and few: such that those of the
    array with most elements that run at a time are done soonest (`common_edge`), more only where a
    tile would store over LARGEST_TILE elements. How many a sparse array stores is known where
    `sparse` has that itself. Arrays with the extents of `strips` are cut along the first dimension
    alone. `points` are the extents of what is iterated over, `later` the ranks of arrays whose
    extents are not known yet. A negative extent is an error, whose line is that of the statement;
    for arrays of another one `lines` has it, by their numbers, the dense ones first.
    """
    extents = (*dense, *map(_extents_of, sparse))
    for number, dims in enumerate(extents):
        if min(dims, default=0) < 0:
            error = RunError(f"an array cannot have {min(dims)} elements in a dimension")
            error.line = lines.get(number)
            raise error
    block_size = size_for(block_size, of)
    if isinstance(sc, LocalContext) and not sc.cuts_arrays:
        return sc.tile_edge(block_size)
    if block_size is None:
        block_size = _best_edge(sc, extents, dense, sparse, strips, points, later)
    note_tiles(block_size, [*extents, *strips, *points])
    return block_size


def _best_edge(
    sc: Any,
    extents: Sequence[Sequence[int]],
    dense: Sequence[Sequence[int]],
    sparse: Sequence[Any],
    strips: Sequence[Sequence[int]],
    points: Sequence[Sequence[int]],
    later: Sequence[int],
) -> int:
    """Return the edge of tiles for the arrays of `choose_block_size`."""
    tasks = int(sc.defaultParallelism)
    cut = [(dims, prod(dims)) for dims in (*dense, *points)]
    cut += [(_extents_of(a), a.nnz if isinstance(a, SparseTile) else 0) for a in sparse]
    cut += [((extent,), prod((extent, *rest))) for extent, *rest in strips]
    wanted = common_edge(cut, tasks)
    if later and all(prod(dims) < LATER_TILE for dims in (*extents, *strips, *points)):
        # Small ones need not be divided for a later one to be.
        wanted = max(wanted, min(int(LATER_TILE ** (1 / max(1, rank)) + 1e-9) for rank in later))
    limits = [largest_edge(dims) for dims in (*dense, *points)]
    limits += [max(1, LARGEST_TILE // max(1, prod(rest))) for _, *rest in strips]
    limits += [largest_edge(a.shape, _room(a)) for a in sparse if isinstance(a, SparseTile)]
    return max(1, min([wanted, *[limit for limit in limits if limit is not None]]))


def _extents_of(array: Any) -> Sequence[int]:
    return getattr(array, "shape", array)


def _room(array: SparseTile) -> int:
    """Return how many elements a tile may have to store LARGEST_TILE if all are alike."""
    return LARGEST_TILE * prod(array.shape) // max(1, array.nnz)


def partition_count(sc: Any, block_size: int | None) -> int:
    """Return how many partitions a shuffle makes."""
    return 1 if block_size is None else max(1, int(sc.defaultParallelism))


def distribute(
    sc: Any,
    array: Tile | DistributedArray,
    block_size: int | None,
    dense_rank: int | None = None,
    layout: str | None = None,
) -> Any:
    """The tiles of an array, dense unless it has fewer dense dimensions, in a layout if any.

    Those of an array that Spark has in tiles of this size stay where they are; workers cut what
    it has in others anew.
    """
    rank = array.ndim if dense_rank is None else dense_rank
    if (
        block_size is None
        and layout is None
        and type(array) is np.ndarray
        and array.ndim == rank
        and array.flags.c_contiguous
        and isinstance(sc, LocalContext)
    ):
        return LocalRDD(sc, [[((0,) * rank, array)]])  # It is its own tile.
    if isinstance(array, DistributedArray):
        found = _on_workers(sc, array, block_size) if rank == array.dense_rank else None
        if found is not None:
            return found if layout is None else found.mapValues(_InLayout(layout))
        array = array.collect()
    if rank == array.ndim:
        array = array.toarray() if isinstance(array, SparseTile) else np.asarray(array)
    elif isinstance(array, SparseTile):
        array = array.with_dense_rank(rank)
    else:
        array = SparseTile.from_dense(np.asarray(array), rank)
    tiles = split(array, block_size)
    if len(tiles) > 1:
        tiles = [(coordinates, _alone(tile)) for coordinates, tile in tiles]
    if layout is not None:
        tiles = [(coordinates, with_layout(tile, layout)) for coordinates, tile in tiles]
    return _in_slices(sc, tiles, array.shape, block_size)


def _on_workers(sc: Any, array: DistributedArray, block_size: int | None) -> Any:
    """Return the tiles of an array without passing the driver; None, if that cannot be."""
    edge = array.block_size
    tiles = array.tiles_on(sc, edge)
    if tiles is None or edge == block_size:
        return tiles
    if edge is None or block_size is None or array.dtype.kind not in "biufc":
        return None
    starts = starts_of(array.shape, edge)
    return recut(tiles, starts, block_size, array.dense_rank, storage(array.code))


def _in_slices(sc: Any, records: Sequence[Any], dims: Sequence[int], block_size: int | None) -> Any:
    """The records of all tiles of an array, as its grid deals them out."""
    counts = [tile_count(extent, block_size) for extent in dims]
    return in_slices(sc, records, counts, int(sc.defaultParallelism))


class _InLayout:
    """For `mapValues`: the same tile in another layout."""

    def __init__(self, layout: str):
        self.layout = layout

    def __call__(self, tile: Tile) -> Tile:
        return with_layout(tile, self.layout)


def _alone(tile: Tile) -> Tile:
    """A tile whose lists share their rows with no other."""
    if isinstance(tile, SparseTile):
        return replace(tile, elements=compact(tile.elements))
    return compact(tile)


def distribute_rows(
    sc: Any, rows: Batch | RowsOfSpark, block_size: int | None, may_stay: bool = False
) -> Any:
    """The rows of a list in as many batches as run at a time; those of Spark stay there.

    There are more where a task would be sent more than `MOST_IN_TASK`.
    Few of them are one batch of this process if they `may_stay` here, since only the driver reads
    what is made of them.
    """
    if isinstance(rows, RowsOfSpark):
        found = rows.batches_on(sc)
        if found is not None:
            return found
        rows = tuple(rows)
    if may_stay and not isinstance(sc, LocalContext) and length(rows) <= FEW_ROWS:
        return LocalContext().parallelize([tuple(rows)], 1)
    count = 1 if block_size is None else max(1, min(int(sc.defaultParallelism), length(rows)))
    size = data_size(tuple(rows)) if are_sent_in_tasks(sc) else 0
    if block_size is not None:
        tasks = max(count, ceil(size / MOST_IN_TASK))
        count = max(1, min(tasks, length(rows)))
    if count == 1:  # What is known of its columns stays with them.
        return given(sc, [tuple(rows)], count, size)
    cuts = [length(rows) * i // count for i in range(count + 1)]
    parts = [[column[cuts[i] : cuts[i + 1]] for column in rows] for i in range(count)]
    return given(sc, [tuple(map(compact, part)) for part in parts], count, size)


def index_rows(sc: Any, lower: int, upper: int, step: int, block_size: int | None) -> Any:
    """The integers `lower`, `lower + step`, … up to `upper` as rows of one column."""
    require(step != 0, "the step of a range is zero")
    size = max(0, (upper - lower) // step + 1)
    count = 1 if block_size is None else max(1, min(int(sc.defaultParallelism), size))
    cuts = [size * i // count for i in range(count + 1)]
    ranges = [
        (lower + step * cuts[i], lower + step * (cuts[i + 1] - 1), step) for i in range(count)
    ]
    return sc.parallelize(ranges, count).map(_index_range)


def _index_range(bounds: tuple[int, int, int]) -> Batch:
    return index_range(*bounds)


def tiles(sc: Any, dims: Sequence[int], block_size: int | None) -> Any:
    """The coordinates of all tiles of an array, as keys without a value."""
    for extent in dims:
        require(extent >= 0, f"an array cannot have {extent} elements in a dimension")
    coordinates = [(coords, None) for coords in tile_coordinates(dims, block_size)]
    return _in_slices(sc, coordinates, dims, block_size)


def gather(
    rdd: Any,
    dims: Sequence[int],
    block_size: int | None,
    dtype: Code,
    dense_rank: int | None = None,
) -> Tile:
    """The whole array on the driver."""
    rank = len(dims) if dense_rank is None else dense_rank
    if rank == len(dims) and not isinstance(rdd.ctx, LocalContext):
        expect_array(dims, dtype)
    name_job(rdd.ctx)
    return assemble(rdd.collect(), dims, block_size, rank, dtype)


def element(
    rdd: Any, index: Sequence[int], dims: Sequence[int], block_size: int | None, at: str = ""
) -> Any:
    """One element of a distributed array, of which only its tile is looked at.

    Raises
    ------
    RunError
        If the index lies outside the dimensions; `at` is the place of the read.
    """
    _check_index(index, dims, at)
    size = block_size or max(dims)
    coords = tuple([int(i) // size for i in index])
    place = tuple([int(i) % size for i in index])
    name_job(rdd.ctx)
    (tile,) = rdd.filter(_HasKey(coords)).collect()
    return _element_of(tile[1], place)


def local_element(array: Tile, index: tuple[int, ...], at: str = "") -> Any:
    """One element of an array of the driver; raises as `element` does."""
    if type(array) is np.ndarray and len(index) == array.ndim and min(index) >= 0:
        try:
            found = array[index]
        except IndexError:
            pass
        else:
            # A tuple would be the array's memory, which a loop may write to.
            return found.copy() if isinstance(found, np.void) else found
    _check_index(index, array.shape, at)
    return _element_of(array, tuple([int(i) for i in index]))


def filled(dims: Sequence[int], element: Tile) -> Array:
    """An array of the driver whose elements are all the same array, of which it has references."""
    array = np.empty(tuple(dims), object)
    for index in np.ndindex(*array.shape):
        array[index] = element
    return array


def with_element(array: Array, index: tuple[int, ...], element: Any) -> Array:
    """A copy of an array, or that which `into` offers, with another element at `index`."""
    copy = copied(array)
    copy[index] = element
    return copy


def probe_element(
    rdd: Any, index: Sequence[int], dims: Sequence[int], block_size: int | None, code: Code
) -> tuple[Any, bool]:
    """`element`, or the implicit value outside; and whether the index lies inside."""
    if not _is_inside(index, dims):
        return scalar(implicit(code), code), False
    return element(rdd, index, dims, block_size), True


def probe_local(array: Tile, index: tuple[int, ...], code: Code) -> tuple[Any, bool]:
    """`probe_element` of an array of the driver."""
    if not _is_inside(index, array.shape):
        return scalar(implicit(code), code), False
    return local_element(array, index), True


def probe_map(rdd: Any, key: Sequence[Any], *codes: Code) -> tuple[Any, ...]:
    """The values for a key of a distributed map, of the given types; and whether it is there."""
    name_job(rdd.ctx)
    for batch in rdd.map(_RowsWith(tuple(key))).collect():
        if length(batch):
            return (*[column[0] for column in batch[len(key) :]], True)
    return (*[_nothing(code) for code in codes], False)


def _nothing(code: Code) -> Any:
    """The implicit value of a type: of a list, a batch without rows."""
    return empty(list_columns(code)) if is_list(code) else scalar(implicit(code), code)


class _RowsWith:
    """For `map`: the rows of a batch whose first columns are a given key."""

    def __init__(self, key: tuple[Any, ...]):
        self.key = key

    def __call__(self, rows: Batch) -> Batch:
        """These rows."""
        found = np.ones(length(rows), np.bool_)
        for column, value in zip(rows, self.key, strict=False):
            # Of a string alone NumPy would drop NULs at the end.
            found &= column == (repeated(value, ()) if isinstance(value, str) else value)
        return take(rows, np.flatnonzero(found))


def _is_inside(index: Sequence[int], dims: Sequence[int]) -> bool:
    return all(0 <= i < d for i, d in zip(index, dims, strict=True))


def _check_index(index: Sequence[int], dims: Sequence[int], at: str) -> None:
    if not _is_inside(index, dims):
        shown = ", ".join(str(int(i)) for i in index)
        where = " x ".join(str(int(d)) for d in dims)
        raise RunError(f"{at}: the index [{shown}] lies outside the dimensions {where}")


def _element_of(tile: Tile, place: tuple[int, ...]) -> Any:
    if isinstance(tile, SparseTile):
        entry = tile.pattern.find_one(place)
        return zeros_like(tile.elements, 1)[0] if entry < 0 else tile.elements[entry]
    return tile[place]


class _HasKey:
    """Whether a record has a given key."""

    def __init__(self, key: tuple[int, ...]):
        self.key = key

    def __call__(self, record: tuple[Any, Any]) -> bool:
        return record[0] == self.key


def require(condition: bool, message: str, key: Sequence[Any] = ()) -> None:
    """Fail with `message`, and the key that was sought, unless the condition holds.

    Raises
    ------
    RunError
        If it does not.
    """
    if not condition:
        raise RunError(f"{message}: {_key_text(key)}" if key else message)


def _key_text(key: Sequence[Any]) -> str:
    """A key as programs write it: `"x"`, `(1, 2.5)`."""
    # NumPy's scalars become Python's.
    texts = [
        json.dumps(part, ensure_ascii=False, default=lambda value: value.item()) for part in key
    ]
    texts = [text if len(text) <= _LONGEST_KEY else f"{text[:_LONGEST_KEY]}…" for text in texts]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def gather_rows(rdd: Any, *codes: Code) -> Batch:
    """All rows on the driver, as one batch with columns of the given types."""
    name_job(rdd.ctx)
    return concat(rdd.collect(), codes)


def extent(count: int, least: int, at: str = "") -> int:
    """Return how many elements a range has, `least` if its count is below that.

    Raises
    ------
    RunError
        If 64 bits do not count them; `at` is the place.
    """
    most = 2**63 - 1
    if count > most:
        where = f"{at}: " if at else ""
        raise RunError(f"{where}a range or an array here has {count} elements, more than {most}")
    return max(count, least)


def wrap(value: int) -> int:
    """The signed 64-bit integer that an exact one is, modulo 2**64.

    >>> wrap(2**63 - 1), wrap(2**63)
    (9223372036854775807, -9223372036854775808)
    """
    if -(2**63) <= value < 2**63:
        return value
    return ((value + 2**63) & (2**64 - 1)) - 2**63
