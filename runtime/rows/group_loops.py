"""Functions of the rows of groups as machine code, which goes through the rows as they stand.

    scanned("add", codes, order, values, groups)        running sums of each group

Rows are not sorted by their groups: a table holds for each of these what has been seen of it, so
that one pass is enough, in whatever order the rows come. Folds of the last rows, which look at a
group several times, need the rows of each together; these are brought there by counting.

Groups are numbers below `groups`, int64, one behind the other in memory, and an order is the places
of rows, int32, which is asked for only if it is needed. What has no machine code, or is not worth
it yet, is None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.monoid_table import MONOIDS, extremum_monoid
from diablo.runtime.column_types import element_name
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import identity
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.counted_places import places_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import cut, share
from diablo.runtime.native.written_loops import is_written, repaid_loop

Column = NDArray[Any]
Order = Callable[[], Column]

_MOST_HELD = 4
"""How many rows may be held at a time for each that there is."""
_INT32_MAX = int(np.iinfo(np.int32).max)


def numbered(codes: Column, order: Order, groups: int) -> Column | None:
    """Return the places of rows among those of their group."""
    loop = _compiled("number_groups", len(codes))
    if loop is None:
        return None
    seen, out = np.zeros(groups, np.int64), np.empty(len(codes), np.int64)
    _run(loop, codes, order(), seen, out, 0, len(codes))
    return out


def shifted(
    codes: Column, order: Order, groups: int, by: int, longest: int
) -> tuple[Column, Column] | None:
    """Return which rows stand `by` rows before others in their groups, and whether there are such.

    Where there is none it is the first row of the group, or the last one. `longest` is how many
    rows a group has at most.
    """
    back = min(abs(by), longest)
    loop = None
    if 0 < back * groups <= _MOST_HELD * len(codes):
        loop = _compiled("shift_groups", len(codes))
    if loop is None:
        return None
    ring, next = np.full(back * groups, -1, np.int32), np.zeros(groups, np.int32)
    sources, there = np.empty(len(codes), np.int32), np.empty(len(codes), np.bool_)
    first, step = (0, 1) if by > 0 else (len(codes) - 1, -1)
    _run(loop, codes, order(), ring, next, back, sources, there, first, step, len(codes))
    return sources, there


def scanned(monoid: str, codes: Column, order: Order, values: Column, groups: int) -> Column | None:
    """Return what values and those of their groups before them fold to."""
    folding = _Folding.of("scan_groups", monoid, values)
    if folding is None:
        return None
    held = np.full(groups, folding.neutral, folding.values.dtype)
    out = np.empty_like(folding.values)
    _run(folding.loop, codes, order(), folding.values, held, out, 0, len(codes))
    return out.astype(values.dtype, copy=False)


def folded(monoid: str, order: Order, starts: Column, values: Column, size: int) -> Column | None:
    """Return what values and the `size - 1` before them in their groups fold to.

    Group g has the rows at `starts[g]` to `starts[g + 1]` of the order.
    """
    folding = _Folding.of("fold_groups", monoid, values)
    if folding is None:
        return None
    size = min(size, int(np.diff(starts).max()))
    rows, out = order(), np.empty_like(folding.values)
    pieces = cut(len(starts) - 1, len(values))
    # Each thread has some of its own, in cache lines of its own, and touches what it needs.
    ends = np.empty((len(pieces), size + 1 + 8), out.dtype)
    ends[:, size] = folding.neutral
    given = [address_of(each) for each in (starts, rows, folding.values)]
    calls = [
        (*given, address_of(own), address_of(out), size, *piece)
        for own, piece in zip(ends, pieces, strict=True)
    ]
    share(folding.loop, calls, len(values))
    return out.astype(values.dtype, copy=False)


def together(codes: Column, order: Order, groups: int) -> Column | None:
    """Return an order in which the rows of each group follow each other, by the groups' numbers.

    In each group rows stand as they do in the order that is given.
    """
    count, place = _compiled("count_keys", len(codes)), _compiled("place_in_order", len(codes))
    if count is None or place is None:
        return None
    reserve(4 * groups, "a place for each of {} groups", groups)
    table = np.empty((1, groups), np.int32)
    _run(count, codes, table, groups, 0, len(codes))
    places_of(table)
    out = np.empty(len(codes), np.int32)
    _run(place, codes, order(), table, out, 0, len(codes))
    return out


def selected(
    values: Column, codes: Column | None, counts: Column, places: Column
) -> tuple[Column, Column] | None:
    """Return the values at places in the order of each group, and the next ones.

    Without codes all values are one group. Both are NaN for groups with a NaN or without rows;
    what comes next to the last value says nothing.
    """
    count, groups = len(values), len(counts)
    select = _compiled("select_in_groups", count)
    if select is None:
        return None
    starts = np.zeros(groups + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    own = np.empty(2 * count, np.float64)
    if codes is None:
        own[:count] = values
    else:
        place = _compiled("place_values", count)
        if place is None:
            return None
        _run(place, codes, starts[:-1].copy(), np.ascontiguousarray(values), own, 0, count)
    lows, highs = np.empty(groups, np.float64), np.empty(groups, np.float64)
    addresses = [address_of(each) for each in (starts, places, own, lows, highs)]
    pieces = cut(groups, count)
    share(select, [(*addresses[:3], count, *addresses[3:], *piece) for piece in pieces], count)
    return lows, highs


class _Folding:
    """The loop by which values are folded, and these as it takes them."""

    def __init__(self, loop: Entry, values: Column, neutral: Any):
        self.loop = loop
        self.values = values
        self.neutral = neutral

    @classmethod
    def of(cls, name: str, monoid: str, values: Column) -> _Folding | None:
        """Return how values are folded; None without machine code for them."""
        dtype = wide = values.dtype
        step, record = monoid, MONOIDS[monoid]
        if dtype.kind == "b" and record.idempotent:  # False is the lesser one.
            step = extremum_monoid("<" if record.identity > 0 else ">").name
        if dtype.kind in "biu":
            if dtype == np.uint64 and not record.is_sum:
                return None
            wide = np.dtype(np.int64)
        kind = f"{step}.{element_name(wide)}"
        if dtype.kind == "c" or not is_written(name, kind):
            return None
        loop = _compiled(name, len(values), kind)
        if loop is None:
            return None
        given = np.ascontiguousarray(values).astype(wide, copy=False)
        return cls(loop, given, np.asarray(identity(monoid, dtype)).astype(wide))


def _compiled(name: str, count: int, kind: str | None = None) -> Entry | None:
    """The machine code of a loop, once it is worth it."""
    return repaid_loop(count, name, kind) if 0 < count < _INT32_MAX else None


def _run(loop: Entry, *arguments: Column | int) -> None:
    loop(*[a if isinstance(a, int) else address_of(a) for a in arguments])
