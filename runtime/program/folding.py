"""Arrays that the driver gets in parts, several of each tile.

    q = gather_folded(A.map(on_tiles(…)), "add", partitions, (n,), block_size, np.float64)

Each worker combines what it has of a tile. What is left are as many partial arrays as there are
partitions. To reduce them by key takes another stage, and the driver collects the result after
that; few and small ones it combines itself, before Spark has planned that stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any

from diablo.costs import MOST_COMBINED_BYTES
from diablo.runtime.arrays.tiles import Coordinates, Tile, assemble
from diablo.runtime.column_types import Code, storage
from diablo.runtime.engines.job_names import name_job
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.monoid_ufuncs import Monoid
from diablo.runtime.program.combining import Accumulator, combine, combine_each
from diablo.runtime.program.data import gather
from diablo.runtime.program.tile_placement import by_grid


def gather_folded(
    rdd: Any,
    monoid: Monoid,
    partitions: int,
    dims: Sequence[int],
    block_size: int | None,
    dtype: Code,
    dense_rank: int | None = None,
) -> Tile:
    """The whole array on the driver, of which `rdd` has several tiles of a key to be combined."""
    if _is_small(rdd, dims, dtype):
        fold = folded_tiles(monoid)
        name_job(rdd.ctx)
        partial = rdd.mapPartitions(fold).collect()
        rank = len(dims) if dense_rank is None else dense_rank
        return assemble(fold(partial), dims, block_size, rank, dtype)
    whole = rdd.reduceByKey(combine(monoid), *by_grid(dims, block_size, partitions))
    return gather(whole, dims, block_size, dtype, dense_rank)


def fold_records(rdd: Any, zero: Any, *monoids: Monoid) -> Any:
    """All scalars of an RDD, folded to one on the driver; tuples, to one by a monoid for each."""
    name_job(rdd.ctx)
    return rdd.fold(zero, combine(*monoids) if len(monoids) == 1 else combine_each(*monoids))


def _is_small(rdd: Any, dims: Sequence[int], dtype: Code) -> bool:
    """Whether the driver may hold a part of each partition; in one process nothing is shuffled."""
    if isinstance(rdd.ctx, LocalContext):
        return False
    whole = prod(dims) * storage(dtype).itemsize
    return rdd.getNumPartitions() * whole <= MOST_COMBINED_BYTES


class folded_tiles:
    """For `mapPartitions`: one tile for each key."""

    def __init__(self, monoid: Monoid):
        self.monoid = monoid

    def __call__(
        self, records: Iterable[tuple[Coordinates, Any]]
    ) -> Iterator[tuple[Coordinates, Any]]:
        """The keys with their tiles combined in order."""
        found: dict[Coordinates, Accumulator] = {}
        for key, tile in records:
            if key not in found:
                found[key] = Accumulator(self.monoid)
            found[key].add(tile)
        for key, total in found.items():
            yield key, total.value
