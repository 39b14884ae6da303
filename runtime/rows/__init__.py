"""Operations on column batches, as compiled kernels call them.

A batch is a tuple of NumPy columns of equal length. The operations live in four modules
(`batches`, `joins`, `grouping`, `tile_rows`); this one gathers them under the name that
emitted programs use:

    rows.group_reduce(rows.lookup(edges, ranks, [0]), 1, ["add"])
"""

from diablo.runtime.monoids import Column
from diablo.runtime.rows.batches import (
    Batch,
    concat,
    empty,
    expand,
    extend,
    filter,
    fold,
    index_range,
    length,
    project,
    take,
)
from diablo.runtime.rows.grouping import group_reduce
from diablo.runtime.rows.joins import join
from diablo.runtime.rows.tile_rows import from_rows, lookup, to_rows

__all__ = [
    "Batch",
    "Column",
    "concat",
    "empty",
    "expand",
    "extend",
    "filter",
    "fold",
    "from_rows",
    "group_reduce",
    "index_range",
    "join",
    "length",
    "lookup",
    "project",
    "take",
    "to_rows",
]
