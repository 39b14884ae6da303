"""Matrices in blocks: four operations on them, written as functions of single numbers.

import diablo.blocks as blocks
u = blocks.from_numpy(x, block_size=512)
v = blocks.map(u, lambda e, i, j: np.where(i == j, 1.0, e))
w = blocks.contract(u, v, lambda l, r: blocks.sum(l * r))    # u @ v
w.to_numpy()
"""

from __future__ import annotations

from diablo.blocks.aggregations import all, any, max, mean, min, prod, sum
from diablo.blocks.block_entries import Entries
from diablo.blocks.block_matrix import (
    BlockMatrix,
    contract,
    fill,
    from_numpy,
    map,
    map2,
    random,
    read,
    select_globals,
)

__all__ = [
    "BlockMatrix",
    "Entries",
    "all",
    "any",
    "contract",
    "fill",
    "from_numpy",
    "map",
    "map2",
    "max",
    "mean",
    "min",
    "prod",
    "random",
    "read",
    "select_globals",
    "sum",
]
