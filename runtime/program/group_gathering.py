"""Groups of rows that the driver alone reads, brought together there if they are few.

    sums = gather_groups(partial, kernel_1, (0,), partitions, ("i8", "f8"), ("i8", "f8"))

The rows of each batch are groups already: as many come to the driver as there are groups in all
batches. Where that is much, they are shuffled, and the driver collects what becomes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from weakref import WeakValueDictionary

from diablo.costs import MOST_COMBINED_BYTES
from diablo.runtime.column_types import Code
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.job_names import name_job
from diablo.runtime.program.data import gather_rows
from diablo.runtime.program.row_functions import hash_rows, on_rows
from diablo.runtime.program.shuffle import cogroup
from diablo.runtime.program.tile_functions import batch, on_groups
from diablo.runtime.rows.batches import Batch, concat

_shuffled: WeakValueDictionary[int, Any] = WeakValueDictionary()
"""The kernels that were given too many rows for the driver, by identity: others will be as many."""


def gather_groups(
    rdd: Any,
    kernel: Callable[..., Batch],
    columns: Sequence[int],
    partitions: int,
    given: Sequence[Code],
    codes: Sequence[Code],
    *captures: Any,
) -> Batch:
    """Return what `kernel` makes of all rows, those that agree in `columns` together."""
    if id(kernel) not in _shuffled:
        most = MOST_COMBINED_BYTES // max(1, rdd.getNumPartitions())
        name_job(rdd.ctx)
        found = rdd.mapPartitions(_few(most)).collect()
        if not any(one is None for one in found):
            return on_rows(kernel, *captures)(concat(found, given))
        _shuffled[id(kernel)] = kernel
    together = cogroup(partitions, rdd.flatMap(hash_rows(columns, partitions)))
    run = on_groups(kernel, [batch(*given)], (), None, *captures, to_keys=())
    return gather_rows(together.map(run), *codes)


class _few:
    """For `mapPartitions`: the batches, or `None` if they are larger than that."""

    def __init__(self, most: int):
        self.most = most

    def __call__(self, batches: Iterable[Batch]) -> Iterator[Batch | None]:
        found: list[Batch] = []
        size = 0
        for rows in batches:
            found.append(rows)
            size += data_size(rows)
            if size > self.most:
                yield None
                return
        yield from found
