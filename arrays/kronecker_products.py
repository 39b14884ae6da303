"""Kronecker products of sparse matrices, in the order in which rows are stored.

    rows of one   [a at 1, b at 3]              row (i, j) of the product:
    rows of other [c at 0, d at 2], 5 columns   [ac at 5, ad at 7, bc at 15, bd at 17]

Each entry of a row of the first matrix stands in front of a copy of the second one's row, whose
columns ascend as they do there: so nothing is sorted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.array.elementwise_operations import elementwise, operation_of
from diablo.array.sparse_entries import Entries, taken
from diablo.array.sparse_pattern import check_size
from diablo.array.sparse_selection import columns_of
from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.boxes import index_type
from diablo.runtime.arrays.patterns.making import of_positions, of_rows
from diablo.runtime.memory_limit import reserve

Ints = NDArray[Any]

_PASSES = 4
"""How many vectors as long as the product there are at once, besides it."""
_EMPTY_ROWS = 2
"""Up to how many rows for each entry have a start each."""


class _Rows(NamedTuple):
    """The rows of a matrix that have entries."""

    rows: Ints
    starts: Ints
    """Where each begins among the entries."""
    lengths: Ints
    columns: Ints
    """Of each entry."""
    order: Ints | None
    """Which entry of the matrix each is, if they are in another order there."""


def kronecker_product(one: Entries, other: Entries) -> Entries:
    """Return the product of matrices that are 0 where they have no entries.

    Raises
    ------
    ValueError, OutOfMemory
        It has more elements than 64 bits can number, or entries than there is memory for.
    """
    shape = tuple(m * n for m, n in zip(one.shape, other.shape, strict=True))
    check_size(shape)
    count = len(one.pattern) * len(other.pattern)
    reserve(8 * _PASSES * count, "the {} entries of a Kronecker product", count)
    index = index_type(max(count, *shape))
    first, second = _stored_rows(one, index), _stored_rows(other, index)
    # A copy of a row of the second matrix for each row of it and each entry of the first, ordered
    # by rows of the first, rows of the second, and entries of the first.
    copies = first.lengths * index.type(len(second.rows))
    fronts, begins = (np.repeat(part, copies) for part in (first.lengths, first.starts))
    number = np.arange(len(fronts), dtype=index) - begins * index.type(len(second.rows))
    row = number // fronts
    begins += number - row * fronts
    lengths = gathered(second.lengths, row)
    offsets = np.cumsum(lengths, dtype=index) - lengths - gathered(second.starts, row)
    left = np.repeat(begins, lengths)
    right = np.arange(count, dtype=index) - np.repeat(offsets, lengths)
    columns = np.repeat(gathered(first.columns * index.type(other.shape[1]), begins), lengths)
    columns += gathered(second.columns, right)
    stored = np.add.outer(first.rows * index.type(other.shape[0]), second.rows).reshape(-1)
    sizes = np.outer(first.lengths, second.lengths).reshape(-1)
    if shape[0] <= _EMPTY_ROWS * count:
        starts = np.zeros(shape[0] + 1, index)
        starts[stored + 1] = sizes
        pattern = of_rows(np.cumsum(starts, dtype=index), columns, shape, 1)
    else:
        flat = np.repeat(stored * np.int64(shape[1]), sizes) + columns
        pattern = of_positions(flat, shape)
    factors = [
        taken(entries.values, at if rows.order is None else rows.order.take(at))
        for entries, rows, at in ((one, first, left), (other, second, right))
    ]
    operation = operation_of(np.multiply)
    assert operation is not None
    values = elementwise(operation, *factors)
    return Entries(pattern, values, values.dtype.type(0))


def _stored_rows(entries: Entries, index: np.dtype[Any]) -> _Rows:
    """Return the rows of a matrix, in a type of integers that all numbers fit in."""
    rows, columns = [column.astype(index, copy=False) for column in columns_of(entries.pattern)]
    order: Ints | None = None
    if entries.pattern.order != (0, 1):
        order = np.lexsort((columns, rows))
        rows, columns = rows.take(order), columns.take(order)
    starts = np.flatnonzero(np.diff(rows, prepend=index.type(-1))).astype(index)
    lengths = np.diff(starts, append=index.type(len(rows)))
    return _Rows(rows.take(starts), starts, lengths, columns, order)
