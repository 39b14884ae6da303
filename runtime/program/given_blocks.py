"""Arrays whose blocks Spark has, as RDDs of other programs hold them.

    rdd = sc.parallelize([((0, 0), a), ((0, 1), b)])   # blocks of NumPy's or SciPy's
    array_of_blocks(rdd, "A", None, kept)              # the DistributedArray of them

The driver looks at where blocks are and how large, which one job finds out that computes them as
well. Blocks with one edge, but for those at the ends, stay where they are; others are cut along
the edges of such blocks, by the workers that have them, and the pieces meet in a shuffle.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import InputError
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Coordinates, Tile
from diablo.runtime.engines.keeping import Kept, persist_to_end
from diablo.runtime.engines.spark_errors import as_run_errors
from diablo.runtime.io.arguments import check_array
from diablo.runtime.io.wanted import WantedArray
from diablo.runtime.program.data import choose_block_size
from diablo.runtime.program.recut_tiles import recut, starts_of
from diablo.runtime.results.result_types import DistributedArray
from diablo.runtime.value_kinds import element_code, kind_of, kind_of_dtype


def is_rdd(value: Any) -> bool:
    """Return whether a value is an RDD of Spark's."""
    module = sys.modules.get("pyspark")
    return module is not None and isinstance(value, module.RDD)


def array_of_blocks(rdd: Any, name: str, block_size: int | None, kept: Kept) -> DistributedArray:
    """Return the array that the blocks of an RDD make up; it is `kept` as Spark has it.

    Parameters
    ----------
    rdd
        Pairs of a position, with a number for each dimension, and a block: NumPy arrays of numbers
        or Booleans, SciPy's sparse ones, or the tiles of a result.
    name
        What messages call it.
    block_size
        The edge of the blocks that are wanted (default: that which they have, if it is one).

    Raises
    ------
    InputError
        The records are something else, or blocks are missing, there twice, or of extents or types
        that do not fit each other.
    """
    blocks = persist_to_end(rdd.map(_as_block))
    with as_run_errors():
        facts: list[_Fact] = blocks.map(_fact).collect()
    found = _Blocks.of(facts, name)
    edge = found.edge if block_size in (None, found.edge) else block_size
    if edge is None:
        is_dense = found.dense_rank == len(found.shape)
        dense, sparse = ([found.shape], []) if is_dense else ([], [found.shape])
        edge = choose_block_size(rdd.ctx, None, dense, sparse)
    assert edge is not None
    tiles = blocks
    if edge != found.edge:
        tiles = persist_to_end(recut(blocks, found.starts, edge, found.dense_rank, found.dtype))
        with as_run_errors():
            tiles.count()
        kept.forget(blocks)
        blocks.unpersist()
    element = element_code(kind_of(found.dtype))
    made = DistributedArray(tiles, found.shape, found.dense_rank, element, edge)
    made.records.stay(kept)
    return made


_Fact = tuple[Coordinates, Coordinates, int, str] | str
"""Of a block the position, extents, dense rank and type; or what is wrong with a record."""


def _as_block(record: Any) -> tuple[Coordinates, Tile] | str:
    """Return the position and the tile of a record; or what is wrong with it."""
    kind: str = type(record).__name__
    if not isinstance(record, tuple | list) or len(cast("Sequence[Any]", record)) != 2:
        return f"a record is of type {kind}, and no pair of a position and a block"
    position, block = cast("Sequence[Any]", record)
    several = isinstance(position, tuple | list)
    key: Sequence[Any] = cast("Sequence[Any]", position) if several else [position]
    if not key or not all(isinstance(k, int | np.integer) and k >= 0 for k in key):
        return f"{position!r} is no position: that is an integer for each dimension, from 0 on"
    if not is_scipy_sparse(block) and not isinstance(block, np.ndarray | SparseTile):
        return f"the block at {position} is of type {type(block).__name__}, and no array"
    given = cast("NDArray[Any]", block)
    if given.dtype.kind not in "biufc" or given.ndim != len(key):
        return (
            f"the block at {position} is an array of {given.dtype} with {given.ndim} dimensions:"
            f" one of numbers or Booleans with {len(key)} is wanted"
        )
    try:
        element = kind_of_dtype(given.dtype)
        wanted = WantedArray(given.ndim, element_code(element), element)
        tile = check_array(given, wanted, f"the block at {position}")
    except InputError as error:
        return str(error)
    if isinstance(tile, np.ndarray):
        tile = np.ascontiguousarray(tile)
    return tuple(map(int, key)), cast("Tile", tile)


def _fact(block: tuple[Coordinates, Tile] | str) -> _Fact:
    if isinstance(block, str):
        return block
    key, tile = block
    dense_rank = tile.dense_rank if isinstance(tile, SparseTile) else tile.ndim
    return key, tile.shape, dense_rank, tile.dtype.str


@dataclass(frozen=True)
class _Blocks:
    """What blocks make up."""

    starts: tuple[tuple[int, ...], ...]
    """Where the blocks begin along each dimension."""
    shape: Coordinates
    dense_rank: int
    dtype: np.dtype[Any]

    @staticmethod
    def of(facts: Iterable[_Fact], name: str) -> _Blocks:
        """Return what blocks make up; an `InputError` if that is no array."""
        blocks: dict[Coordinates, Coordinates] = {}
        forms: dict[tuple[int, int, str], Coordinates] = {}
        for fact in facts:
            if isinstance(fact, str):
                raise InputError(f"{name}: {fact}")
            key, shape, dense_rank, dtype = fact
            if key in blocks:
                raise InputError(f"{name}: there are two blocks at {key}")
            blocks[key] = shape
            forms.setdefault((len(key), dense_rank, dtype), key)
        if not blocks:
            raise InputError(f"{name}: there is no block, so that nobody knows its extents")
        if len(forms) > 1:
            (_, one), (_, other), *_ = forms.items()
            raise InputError(
                f"{name}: the blocks at {one} and at {other} differ in their dimensions, in the"
                " type of their elements, or in that one of them is sparse"
            )
        ((_, dense_rank, dtype),) = forms
        starts = tuple(map(tuple, _starts(blocks, name)))
        shape = tuple([start[-1] for start in starts])
        return _Blocks(starts, shape, dense_rank, np.dtype(dtype))

    @property
    def edge(self) -> int | None:
        """The edge of the blocks, if they have one, but for those at the ends."""
        edge = max(1, *[start[1] for start in self.starts])
        return edge if self.starts == starts_of(self.shape, edge) else None


def _starts(blocks: Mapping[Coordinates, Coordinates], name: str) -> Iterator[Iterable[int]]:
    """Yield where the blocks begin along each dimension, and where the last of them ends."""
    counts = [max(at) + 1 for at in zip(*blocks, strict=True)]
    if len(blocks) != prod(counts):
        missing = next(key for key in product(*map(range, counts)) if key not in blocks)
        raise InputError(f"{name}: there is no block at {missing}")
    for d, count in enumerate(counts):
        extents: dict[int, tuple[int, Coordinates]] = {}
        for key, shape in blocks.items():
            extent, first = extents.setdefault(key[d], (shape[d], key))
            if extent != shape[d]:
                raise InputError(
                    f"{name}: along dimension {d} the block at {first} has {extent} elements, and"
                    f" that at {key} has {shape[d]}"
                )
        yield accumulate([extents[k][0] for k in range(count)], initial=0)
