"""Quantiles of groups, of which no more is put in order than the places that are asked for.

    values [3.0, 1.0, 2.0, 9.0], codes [0, 0, 0, 1], "linear", 0.5      ->      [2.0, 9.0]

The values of each group are brought together by counting, and one, or two that follow each other,
are selected among them (`group_loops.selected`). Without machine code the rows are sorted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.memory_limit import reserve
from diablo.runtime.rows.group_loops import selected
from diablo.runtime.rows.sorting import sorted_positions

Column = NDArray[Any]


def _midpoint(places: Column) -> Column:
    return (np.floor(places) + np.ceil(places)) * 0.5


INTERPOLATIONS: dict[str, Callable[[Column], Column]] = {
    "linear": np.positive,
    "lower": np.floor,
    "higher": np.ceil,
    "nearest": np.rint,
    "midpoint": _midpoint,
}
"""Where a quantile lies, in place of a place between two values."""


def quantiles(
    values: Column, codes: Column | None, counts: Column, interpolation: str, part: float
) -> Column:
    """Return for each group the value below which a part of its values lies.

    Parameters
    ----------
    values : float64, of rows
    codes : the group of each row, a number below that of groups, int64; None for a single group
    counts : how many rows each group has
    interpolation : what a quantile is that lies between two values, a key of `INTERPOLATIONS`
    part : from 0 to 1

    Returns
    -------
    float64 for each group: NaN for groups with a NaN or without rows.
    """
    reserve(3 * values.nbytes, "to find quantiles of {} rows", len(values))
    last = np.maximum(counts - 1, 0)
    wanted = INTERPOLATIONS[interpolation](min(max(part, 0.0), 1.0) * last)
    places = np.floor(wanted).astype(np.int64)
    share = wanted - places
    found = selected(values, codes, counts, places)
    lows, highs = _sorted(values, codes, counts, places) if found is None else found
    highs = np.where(share > 0, highs, lows)
    with np.errstate(all="ignore"):
        apart = highs - lows
        far = highs - apart * (1 - share)
        between = np.where(share < 0.5, lows + apart * share, far)
    return np.where(lows == highs, lows, between)


def _sorted(
    values: Column, codes: Column | None, counts: Column, places: Column
) -> tuple[Column, Column]:
    """The values at places in the order of each group, and the next ones; NaN if one is."""
    if codes is None:
        place = int(places[0])
        near = [place, min(place + 1, len(values) - 1)]
        ordered = np.partition(values, near)
        lows, highs = ordered[near[:1]], ordered[near[1:]]
        return (lows, highs) if not np.isnan(values).any() else (lows * np.nan, highs)
    order = sorted_positions((codes, values), [(0, False), (1, False)])
    ordered = values if order is None else values.take(order)
    ends = np.cumsum(counts)
    at = ends - counts + places
    final = ordered.take(np.maximum(ends - 1, 0))
    lows, highs = ordered.take(at, mode="clip"), ordered.take(at + 1, mode="clip")
    none = np.isnan(final) | (counts == 0)  # NaN comes last.
    return np.where(none, np.nan, lows), np.where(none, np.nan, highs)
