"""What is kept of each row of a matrix: the columns of an interval.

band(rows, columns, -1, 1)    ->    the three diagonals in the middle

A band, a triangle and intervals given row by row are the same here. The blocks that an interval
does not touch are not there; in those that it covers nothing has to be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import diablo.array as da
from diablo.blocks.block_grids import Grid, Indices, block_count, bounds, positions

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Intervals:
    """The columns that are kept of each row: from `starts`, to those before `stops`."""

    starts: Integers
    stops: Integers

    def grid(self, columns: int, block_size: int) -> Grid:
        """Return 0 for blocks that are left out, 2 for those kept whole, 1 for the others."""
        rows = len(self.starts)
        shape = block_count(rows, block_size), block_count(columns, block_size)
        is_some = self.starts < self.stops
        lines = np.flatnonzero(is_some) // block_size
        starts, stops = self.starts[is_some], self.stops[is_some]
        touched = _counts(shape, lines, starts // block_size, -(-stops // block_size))
        # The last block of a row is whole where its last column is kept.
        ends = np.where(stops == columns, shape[1], stops // block_size)
        whole = _counts(shape, lines, -(-starts // block_size), ends)
        heights = np.full(shape[0], block_size)
        if shape[0]:
            heights[-1] = rows - (shape[0] - 1) * block_size
        return np.where(whole == heights[:, None], 2, (touched > 0).astype(np.int64))

    def keeps_all(self, rows: Indices, columns: Indices) -> bool:
        """Return whether all of some rows and columns is kept."""
        if not len(rows) or not len(columns):
            return True
        first, last = bounds(columns)
        lines = positions(rows)
        return bool(np.all(self.starts[lines] <= first) and np.all(self.stops[lines] > last))

    def mask(self, rows: Indices, columns: Indices) -> tuple[Any, Any, Any]:
        """Return lazy arrays: columns, and from which on and before which they are kept."""
        lines = positions(rows)
        return (
            da.asarray(positions(columns)[None, :]),
            da.asarray(self.starts[lines][:, None]),
            da.asarray(self.stops[lines][:, None]),
        )


def _counts(shape: tuple[int, int], lines: Integers, first: Integers, behind: Integers) -> Grid:
    """Return for each block how many of its rows have it between two others."""
    is_some = first < behind
    steps = np.zeros((shape[0], shape[1] + 1), np.int64)
    np.add.at(steps, (lines[is_some], first[is_some]), 1)
    np.add.at(steps, (lines[is_some], behind[is_some]), -1)
    return np.cumsum(steps, axis=1)[:, : shape[1]]


def band(rows: int, columns: int, lower: int | None, upper: int | None) -> Intervals:
    """Return the diagonals from `lower` to `upper`; without a bound, all on that side.

    Diagonal 0 is the main one, those above it have positive numbers.
    """
    line = np.arange(rows, dtype=np.int64)
    first = np.zeros(rows, np.int64) if lower is None else np.clip(line + lower, 0, columns)
    behind = np.full(rows, columns) if upper is None else np.clip(line + upper + 1, 0, columns)
    return Intervals(first.astype(np.int64), behind.astype(np.int64))


def given(rows: int, columns: int, starts: Any, stops: Any) -> Intervals:
    """Return intervals given for each row; an `InputError` for what are none."""
    from diablo.diagnostics import InputError

    found: list[Integers] = []
    for name, values in (("starts", starts), ("stops", stops)):
        numbers: Any = np.asarray(values)
        if numbers.shape != (rows,) or (numbers.size and numbers.dtype.kind not in "iu"):
            raise InputError(f"{name} are {rows} integers, one for each row")
        if numbers.size and (numbers.min() < 0 or numbers.max() > columns):
            raise InputError(f"{name} are between 0 and {columns}, the number of columns")
        found.append(numbers.astype(np.int64))
    if np.any(found[0] > found[1]):
        row = int(np.flatnonzero(found[0] > found[1])[0])
        message = f"the interval of row {row} ends at {found[1][row]}"
        raise InputError(f"{message}, before it starts at {found[0][row]}")
    return Intervals(found[0], found[1])
