"""Products of sparse arrays that are broadcast: where both have elements, and nowhere else.

    s * row    8 elements, and 10    ->    at most 8, and not 10 in each row

What one of them is repeated to may be much larger than both. Elements meet whose indices along the
axes that both have are equal: a join.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from diablo.array.elementwise_operations import Elementwise, elementwise
from diablo.array.expression_graph import Node
from diablo.array.lazy_array import Array
from diablo.array.sparse_entries import Entries, taken
from diablo.array.sparse_pattern import coordinates_of, from_coordinates
from diablo.runtime.arrays.patterns.boxes import flat_positions
from diablo.runtime.rows.joins import join

MEETING = frozenset({"multiply", "logical_and", "bitwise_and"})
"""What gives 0 of 0 and anything, but for a product with what is infinite or NaN."""


_MOST_ZEROS = 1 << 20
"""So many elements may be stored for zeros that have a sign."""


def meets(entries: Entries, shape: Sequence[int], dtype: np.dtype[Any]) -> bool:
    """Return whether zeros times the elements, repeated to a shape, are zeros that need no place.

    `dtype` is that of the product.

    Infinity and NaN have products with zero that are none; a negative number has one with a sign,
    which is an element if there are not too many of these.
    """
    if dtype.kind not in "fc":
        return True
    values = Array(entries.values).to_numpy()
    if not np.isfinite(values).all():
        return False
    copies = prod(shape) // max(1, prod(entries.shape))
    if len(values) * copies > _MOST_ZEROS:
        return True
    if entries.dtype.kind in "biu":
        return not (values < 0).any()
    return entries.dtype.kind == "f" and not np.signbit(values).any()


def met(operation: Elementwise, one: Entries, other: Entries, shape: Sequence[int]) -> Entries:
    """Return a function of elements of two arrays whose shapes are broadcast, where both have some.

    Parameters
    ----------
    operation : one of `MEETING`
    one, other : with the fill value 0
    shape : of the result
    """
    rank = len(shape)
    rows = [_rows(entries, rank) for entries in (one, other)]
    own = [[k for k in range(rank) if each[k] is not None] for each in rows]
    shared = [k for k in own[0] if k in own[1]]
    extents = [shape[k] for k in shared]
    sides: list[tuple[Any, Any]] = []
    for entries, each in zip((one, other), rows, strict=True):
        count = len(entries.pattern)
        keys = flat_positions([each[k] for k in shared], extents, count)
        sides.append((keys, np.arange(count)))
    keyed = [0] if shared else []
    at = join(sides[0], sides[1], keyed, keyed)[1::2]
    places = np.zeros((rank, len(at[0])), np.int64)
    for side in (1, 0):
        for axis in own[side]:
            places[axis] = rows[side][axis].take(at[side])
    pattern, order, _ = from_coordinates(tuple(shape), places)
    values: list[Node] = []
    for entries, entry in zip((one, other), at, strict=True):
        values.append(taken(entries.values, entry if order is None else entry.take(order)))
    made = elementwise(operation, *values)
    return Entries(pattern, made, np.zeros((), made.dtype))


def _rows(entries: Entries, rank: int) -> list[Any]:
    """Return the index of each entry along each axis of the result, None for what is repeated."""
    added = rank - len(entries.shape)
    own = coordinates_of(entries.pattern)
    found: list[Any] = [None] * added
    for row, extent in zip(own, entries.shape, strict=True):
        found.append(None if extent == 1 else row)
    return found
