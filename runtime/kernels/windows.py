"""Reading a tile beside the point: its neighbours, its mirror image, every other element.

    cut(v, (-1,), (4,))                                     [0, v[0], v[1], v[2]]
    view(v, (n - 1,), ((-1,),), (n,))                       v backwards
    view(v, (0,), ((1, 1),), (n, 3))                        v[i], v[i + 1], v[i + 2] in row i
    around(v, (-1,), ((1,),), (n,), (n,))                   v[n - 1], v[0], … v[n - 2]

What lies outside of the tile reads as zero, unless indices wrap around. Where nothing does, the
result of the first two shares the tile's memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from diablo.runtime.kernels.signature import Array

MOST_TURNS = 4
"""How often an index goes around, that what it reads is put together of whole pieces."""


def cut(tile: Array, starts: Sequence[int], extents: Sequence[int]) -> Array:
    """The box of the given extents that begins at `starts`."""
    ends = [start + extent for start, extent in zip(starts, extents, strict=True)]
    inside = all(
        start >= 0 and end <= size
        for start, end, size in zip(starts, ends, tile.shape, strict=True)
    )
    if inside:
        return tile[tuple([slice(s, e) for s, e in zip(starts, ends, strict=True)])]
    box = np.zeros(tuple([max(0, extent) for extent in extents]), tile.dtype)
    target: list[slice] = []
    source: list[slice] = []
    for start, end, size in zip(starts, ends, tile.shape, strict=True):
        first, last = max(0, start), min(size, end)
        if first >= last:
            return box
        target.append(slice(first - start, last - start))
        source.append(slice(first, last))
    box[tuple(target)] = tile[tuple(source)]
    return box


def view(
    tile: Array,
    starts: Sequence[int],
    factors: Sequence[Sequence[int]],
    extents: Sequence[int],
) -> Array:
    """`tile` read at a linear index per axis, at every point of a space of the given extents.

    The index along axis `a` is `starts[a]` plus the sum of `factors[a][d]` times the point's
    index in dimension `d`.
    """
    if not all(extents):
        return np.zeros(tuple(extents), tile.dtype)
    lows: list[int] = []
    sizes: list[int] = []
    for start, row in zip(starts, factors, strict=True):
        reach = [factor * (extent - 1) for factor, extent in zip(row, extents, strict=True)]
        lows.append(start + sum(min(0, r) for r in reach))
        sizes.append(1 + sum(abs(r) for r in reach))
    box = cut(tile, lows, sizes)
    strides = [
        sum(row[d] * stride for row, stride in zip(factors, box.strides, strict=True))
        for d in range(len(extents))
    ]
    first = tuple([start - low for start, low in zip(starts, lows, strict=True)])
    corner: Any = box[tuple([slice(f, None) for f in first])]
    return as_strided(corner, tuple(extents), strides, writeable=False)


def around(
    tile: Array,
    starts: Sequence[int],
    factors: Sequence[Sequence[int]],
    extents: Sequence[int],
    periods: Sequence[int | None],
) -> Array:
    """`tile` read as by `view`, where the index along axis `a` is a remainder by `periods[a]`.

    An axis whose period is None does not wrap around: outside of it, the tile reads as zero.
    """
    if not all(extents):
        return np.zeros(tuple(extents), tile.dtype)
    if _are_turns(factors, extents, periods):
        turned = tile
        for axis, each in enumerate(zip(starts, extents, periods, strict=True)):
            turned = _turned(turned, axis, *each)
        return turned.copy() if np.may_share_memory(turned, tile) else turned
    steps = np.ogrid[tuple([slice(extent) for extent in extents])]
    places: list[Any] = []
    outside: Any = False
    for start, row, period, size in zip(starts, factors, periods, tile.shape, strict=True):
        place = start + sum(factor * step for factor, step in zip(row, steps, strict=True))
        if period is not None:
            place = place % period
        beside = (place < 0) | (place >= size)
        if np.any(beside):
            outside = outside | beside
            place = np.where(beside, 0, place)
        places.append(place)
    if outside is False:
        return tile[tuple(places)]
    if not tile.size:
        return np.zeros(tuple(extents), tile.dtype)
    return np.where(outside, tile.dtype.type(0), tile[tuple(places)])


def _are_turns(
    factors: Sequence[Sequence[int]], extents: Sequence[int], periods: Sequence[int | None]
) -> bool:
    """Return whether each axis is read along the dimension of its number, in few turns."""
    rank = len(extents)
    return len(factors) == rank and all(
        list(row) == [int(d == axis) for d in range(rank)]
        and (period is None or 0 < extent <= MOST_TURNS * period)
        for axis, (row, extent, period) in enumerate(zip(factors, extents, periods, strict=True))
    )


def _turned(tile: Array, axis: int, start: int, extent: int, period: int | None) -> Array:
    """`tile` from a place on along one axis, which wraps around if it has a period."""
    starts, sizes = [0] * tile.ndim, list(tile.shape)
    pieces: list[Array] = []
    at = start if period is None else start % period
    while extent:
        size = extent if period is None else min(extent, period - at)
        starts[axis], sizes[axis] = at, size
        pieces.append(cut(tile, starts, sizes))
        extent, at = extent - size, 0
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces, axis)


def limits(extent: int, lower: int, upper: int) -> tuple[int, int]:
    """Return where the points from `lower` to before `upper` begin and end in a dimension."""
    begin = min(max(0, lower), extent)
    return begin, max(begin, min(extent, upper))
