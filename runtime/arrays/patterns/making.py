"""Patterns from indices, from CSR's vectors, and of whole boxes and diagonals.

of_coordinates([[0, 1, 1], [1, 0, 2]], (2, 3))
diagonals((n, n), [-1, 0, 1])                      nothing is tested: O(diagonals)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from diablo.runtime.arrays.patterns.band import Band
from diablo.runtime.arrays.patterns.boxes import (
    Array,
    check_size,
    flat_positions,
    index_type,
    row_major,
    turned,
    unflatten,
)
from diablo.runtime.arrays.patterns.cells import Full
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form_choice import best_list_rank, build, plain
from diablo.runtime.arrays.patterns.layout import Layout, Order
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.statistics import diagonal_length


def of_positions(
    flat: Array,
    shape: Sequence[int],
    list_rank: int | None = None,
    layout: Layout | None = None,
    order: Order | None = None,
) -> Pattern:
    """The pattern of strictly ascending flat positions.

    Parameters
    ----------
    flat : int64 positions in the box turned to `order`, which is row-major if not given
    shape : of the box, not turned
    list_rank : how many leading dimensions number lists, where lists are made
    layout : how it is stored; without one as lists, in `order`

    Raises
    ------
    RunError
        If the box has more than 2**63 - 1 indices.
    """
    shape = tuple([int(extent) for extent in shape])
    check_size(shape)
    given = order or row_major(len(shape))
    wanted = given if layout is None else layout.orders_of(len(shape))[0]
    if wanted != given:
        axes = [given.index(d) for d in wanted]
        columns = turned(unflatten(flat, turned(shape, given)), axes)
        flat = np.sort(flat_positions(columns, turned(shape, wanted), len(flat)))
    box = turned(shape, wanted)
    rank = best_list_rank(box) if list_rank is None else list_rank
    form = plain(flat, box, rank) if layout is None else build(lambda: flat, box, rank, layout)
    return Pattern(shape, form, rank, wanted, layout)


def of_coordinates(
    coordinates: Sequence[Array],
    shape: Sequence[int],
    list_rank: int | None = None,
    layout: Layout | None = None,
) -> Pattern:
    """The pattern of indices inside `shape`, given in any order and any number of times."""
    columns = [np.asarray(column) for column in coordinates]
    count = len(columns[0]) if columns else 0
    flat = np.unique(flat_positions(columns, shape, count))
    return of_positions(flat, shape, list_rank, layout)


def of_rows(starts: Array, indices: Array, shape: Sequence[int], list_rank: int) -> Pattern:
    """The pattern over the vectors of compressed rows, which are in order and unique.

    The vectors are shared if they are of the type that the pattern's size asks for.
    """
    shape = tuple([int(extent) for extent in shape])
    lists, length = prod(shape[:list_rank]), prod(shape[list_rank:])
    index = index_type(max(lists, length, len(indices)))
    starts, indices = starts.astype(index, copy=False), indices.astype(index, copy=False)
    return Pattern(shape, Compressed(shape, list_rank, starts, indices), list_rank)


def empty(shape: Sequence[int], list_rank: int | None = None) -> Pattern:
    """The pattern without indices."""
    return of_positions(np.zeros(0, np.int64), shape, list_rank)


def full(shape: Sequence[int]) -> Pattern:
    """The pattern of every index; it takes no memory."""
    check_size(shape)
    return Pattern(shape, Full(tuple(shape)))


def diagonals(shape: tuple[int, int], offsets: Sequence[int]) -> Pattern:
    """The pattern of all (i, j) of a matrix with j - i among `offsets`."""
    check_size(shape)
    inside = sorted({o for o in offsets if diagonal_length(shape, o)})
    return Pattern(shape, Band(shape, np.array(inside, np.int64)))
