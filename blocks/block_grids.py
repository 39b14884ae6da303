"""Indices of rows and columns, and the grids of the blocks that they are in.

composed(range(10, 90, 2), range(5, 8))    ->    range(20, 26, 2): places of places
rectangles([[1, 1, 0], [1, 1, 2]])    ->    (0, 2, 0, 2) and (1, 2, 2, 3): blocks that are alike

A grid has a number for each block: 0 where there is none, and equal ones where all is computed
alike. Without a grid, all blocks are there and alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = range | NDArray[np.int64]
"""Which rows, or columns: in steps, or one by one."""

Grid = NDArray[np.int64]

Rectangle = tuple[int, int, int, int]
"""The first row, the row behind the last, and the same of columns: of blocks, or of elements."""


def block_count(extent: int, block_size: int) -> int:
    """Return how many blocks so many rows, or columns, are in."""
    return -(-extent // block_size)


def composed(outer: Indices, inner: Indices) -> Indices:
    """Return the places that `inner` chooses among the places `outer`."""
    if isinstance(outer, range) and isinstance(inner, range):
        if not inner:
            return range(0)
        start, step = outer.start + outer.step * inner.start, outer.step * inner.step
        return range(start, start + step * len(inner), step)
    return np.asarray(outer, np.int64)[np.asarray(inner, np.int64)]


def key_of(indices: Indices) -> Any:
    """Return what is equal for equal indices."""
    return indices if isinstance(indices, range) else indices.tobytes()


def positions(indices: Indices) -> NDArray[np.int64]:
    """Return indices as an array."""
    return np.asarray(indices, np.int64)


def blocks_of(indices: Indices, block_size: int) -> NDArray[np.int64]:
    """Return the block that each of the indices is in."""
    return positions(indices) // block_size


def bounds(indices: Indices) -> tuple[int, int]:
    """Return the least of some indices, and the greatest; there are any."""
    if isinstance(indices, range):
        return min(indices[0], indices[-1]), max(indices[0], indices[-1])
    return int(indices.min()), int(indices.max())


def touched(indices: Indices, block_size: int, count: int) -> NDArray[np.bool_]:
    """Return which of so many blocks some of the indices are in."""
    found = np.zeros(count, np.bool_)
    if isinstance(indices, range) and abs(indices.step) <= block_size and len(indices):
        first, last = bounds(indices)
        found[first // block_size : last // block_size + 1] = True
    elif len(indices):
        found[blocks_of(indices, block_size)] = True
    return found


def regridded(
    grid: Grid | None,
    rows: Indices,
    columns: Indices,
    source_size: int,
    block_size: int,
) -> Grid | None:
    """Return the grid of what is chosen of a matrix: 1 where a block has one of its blocks' parts.

    Rows and columns are places in the matrix, whose blocks have the edge `source_size`.
    """
    if grid is None:
        return None
    kept = (grid != 0).astype(np.int64)
    left = _parts(rows, source_size, block_size, grid.shape[0])
    right = _parts(columns, source_size, block_size, grid.shape[1])
    return simplified(((left @ kept @ right.T) != 0).astype(np.int64))


def _parts(indices: Indices, source_size: int, block_size: int, count: int) -> NDArray[np.int64]:
    """Return for each block of the result which blocks of the source it has parts of."""
    places = blocks_of(indices, source_size)
    found = np.zeros((block_count(len(places), block_size), count), np.int64)
    found[np.arange(len(places)) // block_size, places] = 1
    return found


def simplified(grid: Grid | None) -> Grid | None:
    """Return a grid, none where all blocks are there and alike."""
    if grid is None or not grid.size or (grid[0, 0] != 0 and bool(np.all(grid == grid[0, 0]))):
        return None
    return grid


def combined(grids: Sequence[Grid | None], shape: tuple[int, int]) -> tuple[Grid, list[Any]]:
    """Return a grid that tells apart what any of the others does, from 0, and their numbers.

    The second is for each of the numbers that the blocks have in the grids.
    """
    given = [np.ones(shape, np.int64) if grid is None else grid for grid in grids]
    stacked = np.stack([grid.reshape(-1) for grid in given], axis=1)
    rows, numbers = np.unique(stacked, axis=0, return_inverse=True)
    return numbers.reshape(shape).astype(np.int64), list(rows)


def rectangles(grid: Grid | None, shape: tuple[int, int]) -> list[Rectangle]:
    """Return rectangles of blocks that are there and alike, each block in one of them."""
    if grid is None:
        return [(0, shape[0], 0, shape[1])] if shape[0] and shape[1] else []
    found: list[Rectangle] = []
    # Runs in a row of blocks go on downwards as long as the next row has the same.
    open_runs: dict[tuple[int, int, int], int] = {}
    for row in range(shape[0] + 1):
        runs = set(_runs(grid[row])) if row < shape[0] else set[tuple[int, int, int]]()
        for run in [run for run in open_runs if run not in runs]:
            found.append((open_runs.pop(run), row, run[0], run[1]))
        for run in runs:
            open_runs.setdefault(run, row)
    return sorted(found)


def _runs(line: NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """Generate the runs of equal numbers other than 0: first, behind the last, number."""
    if not len(line):
        return
    edges = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
    for first, last in pairwise(edges):
        if line[first]:
            yield first, last, int(line[first])


def segments(there: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the runs of blocks that are there: first, and behind the last."""
    return [(first, last) for first, last, _ in _runs(there.astype(np.int64))]


def elements_of(rectangle: Rectangle, block_size: int, shape: tuple[int, int]) -> Rectangle:
    """Return the rows and columns of a rectangle of blocks."""
    first, last, left, right = rectangle
    rows, columns = shape
    return (
        first * block_size,
        min(last * block_size, rows),
        left * block_size,
        min(right * block_size, columns),
    )


def strips(
    found: Sequence[Rectangle], block_size: int, shape: tuple[int, int], most: int
) -> Iterator[Rectangle]:
    """Generate rectangles of blocks cut so that none has more than `most` elements, if it can be.

    They are cut between rows of blocks, and where a row of blocks has more, between its blocks.
    """
    for first, last, left, right in found:
        wide = block_size * (min(right * block_size, shape[1]) - left * block_size)
        high = max(1, most // max(1, wide))
        across = right - left
        if wide > most:
            across = max(1, most // (block_size * block_size))
        for row in range(first, last, high):
            for column in range(left, right, across):
                yield row, min(row + high, last), column, min(column + across, right)


def indices_of(given: Any, extent: int, what: str) -> Indices:
    """Return the places that a slice, or a sequence of integers or truth values, chooses."""
    from diablo.diagnostics import InputError

    if isinstance(given, slice):
        return range(*given.indices(extent))
    if isinstance(given, range):
        if given and not (min(given[0], given[-1]) >= 0 and max(given[0], given[-1]) < extent):
            raise InputError(f"{what} {given} are not all among the {extent} that there are")
        return given
    found: Any = np.asarray(given)
    if found.ndim == 1 and not found.size:
        return np.zeros(0, np.int64)
    if found.ndim != 1 or found.dtype.kind not in "biu":
        raise InputError(f"{what} are chosen by a slice, integers or truth values")
    if found.dtype.kind == "b":
        if len(found) != extent:
            raise InputError(f"{len(found)} truth values choose among {extent} {what}")
        return np.flatnonzero(found).astype(np.int64)
    found = found.astype(np.int64)
    wrong = found[(found < -extent) | (found >= extent)]
    if len(wrong):
        raise InputError(f"{what} have no index {wrong[0]}: there are {extent}")
    found[found < 0] += extent
    return found
