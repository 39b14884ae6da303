"""Scans of arrays in emitted programs.

S = scan(A, "add", 0)
S = scan_tiles(A, "add", 0, (n, m), block_size)

Of an array in tiles the workers fold each tile along the axis, the driver scans these folds, and
the workers scan each tile from what comes before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.runtime.arrays.tiles import Coordinates, tile_count
from diablo.runtime.engines.job_names import name_job
from diablo.runtime.engines.keeping import persist_to_end
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.kernels.scans import scan
from diablo.runtime.kernels.signature import Array
from diablo.runtime.monoid_ufuncs import Monoid, UserMonoid, combine_values, ufunc
from diablo.runtime.program.loop import broadcast
from diablo.runtime.program.tile_functions import Record, whole_value

__all__ = ["scan", "scan_tiles"]


def scan_tiles(
    rdd: Any,
    monoid: Monoid,
    axis: int,
    dims: Sequence[int],
    block_size: int | None,
    *,
    reverse: bool = False,
) -> Any:
    """The tiles of the scan of an array with the dimensions `dims` along an axis."""
    if tile_count(dims[axis], block_size) <= 1:
        return rdd.map(scanned(monoid, axis, reverse, {}), preservesPartitioning=True)
    rdd = persist_to_end(rdd)
    name_job(rdd.ctx)
    folds = dict[Coordinates, Array](rdd.map(folded(monoid, axis)).collect())
    carries: dict[Coordinates, Array] = {}
    held: dict[Coordinates, Array] = {}
    for key in sorted(folds, key=lambda key: key[axis], reverse=reverse):
        line = key[:axis] + key[axis + 1 :]
        if line in held:
            carries[key] = held[line]
            held[line] = combine_values(monoid, held[line], folds[key])
        else:
            held[line] = folds[key]
    shared: Any = carries
    if not isinstance(rdd.ctx, LocalContext):
        shared = broadcast(rdd.ctx, carries)
    return rdd.map(scanned(monoid, axis, reverse, shared), preservesPartitioning=True)


class folded:
    """For `map`: folds a tile along an axis."""

    def __init__(self, monoid: Monoid, axis: int):
        self.monoid = monoid
        self.axis = axis

    def __call__(self, record: Record) -> tuple[Coordinates, Array]:
        """The tile without the axis, under its key."""
        key, tile = record
        if isinstance(self.monoid, UserMonoid):
            return key, np.asarray(self.monoid.reduce(tile, self.axis), tile.dtype)
        with np.errstate(all="ignore"):
            fold = ufunc(self.monoid).reduce(tile, axis=self.axis, dtype=tile.dtype)
        return key, np.asarray(fold)


class scanned:
    """For `map`: scans a tile from what comes before it."""

    def __init__(self, monoid: Monoid, axis: int, reverse: bool, carries: Any):
        self.monoid = monoid
        self.axis = axis
        self.reverse = reverse
        self.carries = carries

    def __call__(self, record: Record) -> Record:
        """The tile of the result."""
        key, tile = record
        carry = whole_value(self.carries).get(key)
        return key, scan(tile, self.monoid, self.axis, reverse=self.reverse, carry=carry)
