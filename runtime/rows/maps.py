"""Maps: batches whose rows have distinct keys in their first columns.

update(("a", 1), ("b", 2)   with rows ("b", 5), ("c", 7))         ->  a: 1, b: 5, c: 7
update(("a", 1), ("b", 2)   with rows ("b", 5), ("c", 7), "add")  ->  a: 1, b: 7, c: 7
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.runtime.column_types import Code, implicit, scalar
from diablo.runtime.monoids import Monoid
from diablo.runtime.rows.batches import Batch, concat_rows, length
from diablo.runtime.rows.grouping import ANY, group_reduce


def update(old: Batch, new: Batch, keys: int, monoid: Monoid | None = None) -> Batch:
    """The map `old` with rows (key…, value…) written into it, in ascending order of the keys.

    A row replaces the values of its key, or, with a monoid, is combined with its one value.
    Of several rows with equal keys the last is written.
    """
    values = max(len(old), len(new)) - keys
    return group_reduce(concat_rows(old, new), keys, [monoid or ANY] * values)


def find_in_map(batch: Batch, key: Sequence[Any], code: Code) -> tuple[Any, bool]:
    """The value of a key, and whether the map has that key; else the implicit value."""
    found = np.ones(length(batch), np.bool_)
    for column, part in zip(batch, key, strict=False):
        found &= column == part
    places = np.flatnonzero(found)
    if len(places) == 0:
        return scalar(implicit(code), code), False
    return batch[-1][int(places[-1])], True
