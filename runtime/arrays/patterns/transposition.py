"""The entries of compressed rows by columns: a counting sort, on threads.

    by_columns(Compressed((2, 3), 1, starts [0, 1, 3], indices [1, 0, 2]))
        ->   starts [0, 1, 2, 3], rows [1, 0, 1], entries [1, 0, 2]

In machine code once there has been enough to sort; until then, and for indices of other widths,
as SciPy turns CSR into CSC.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from diablo.runtime.arrays.patterns.boxes import INT32_MAX, Array
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.counted_places import places_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import share, threads_for
from diablo.runtime.native.written_loops import CALL, repaid_loop


class ByColumns(NamedTuple):
    """Where each column begins, and of its entries, in order, the rows and the numbers."""

    starts: Array
    rows: Array
    entries: Array


def by_columns(rows: Compressed) -> ByColumns:
    """The columns of a compressed matrix whose rows are the lists."""
    loops = _compiled(rows)
    if loops is None:
        return _by_scipy(rows)
    count_indices, place_by_columns = loops
    count, width = rows.count, rows.length
    # Tables of counts are looked at as a whole, which must take less than it saves.
    threads = threads_for(count) if count > 2 * width else 1
    reserve(4 * (2 * count + (threads + 1) * width), "{} entries by columns", count)
    wanted = [count * k // threads for k in range(1, threads)]
    cuts = [0, *np.searchsorted(rows.starts, wanted).tolist(), len(rows.starts) - 1]
    bounds = rows.starts.take(cuts).tolist()
    tables = np.empty((threads, width), np.int32)
    addresses = [address_of(table) for table in tables]
    share(
        count_indices,
        [
            (address_of(rows.indices), table, width, *piece)
            for table, piece in zip(addresses, pairwise(bounds), strict=True)
        ],
        count,
    )
    starts = places_of(tables)
    turned, entries = np.empty(count, np.int32), np.empty(count, np.int32)
    vectors = [address_of(vector) for vector in (rows.starts, rows.indices)]
    outputs = [address_of(turned), address_of(entries)]
    share(
        place_by_columns,
        [
            (*vectors, table, *outputs, *piece)
            for table, piece in zip(addresses, pairwise(cuts), strict=True)
        ],
        count,
    )
    return ByColumns(starts, turned, entries)


def _by_scipy(rows: Compressed) -> ByColumns:
    from scipy import sparse  # Late, as in `scipy_checks.sparse_arrays`.

    numbers = np.arange(rows.count, dtype=rows.starts.dtype)
    shape = (len(rows.starts) - 1, rows.length)
    matrix: Any = sparse.csr_array((numbers, rows.indices, rows.starts), shape=shape).tocsc()
    return ByColumns(
        matrix.indptr.astype(rows.starts.dtype, copy=False), matrix.indices, matrix.data
    )


def _compiled(rows: Compressed) -> tuple[Entry, Entry] | None:
    """The machine code of both loops, once it is worth it, if it takes such rows."""
    vectors = (rows.starts, rows.indices)
    if any(vector.dtype != np.int32 or not vector.flags.c_contiguous for vector in vectors):
        return None
    if not 0 < rows.length < INT32_MAX or len(rows.starts) < 2:
        return None
    names = ("count_indices", "place_by_columns")
    first, second = (repaid_loop(rows.count + CALL, name) for name in names)
    return None if first is None or second is None else (first, second)
