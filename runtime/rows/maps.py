"""Maps: batches whose rows have distinct keys in their first columns.

update(("a", 1), ("b", 2)   with rows ("b", 5), ("c", 7))         ->  a: 1, b: 5, c: 7
update(("a", 1), ("b", 2)   with rows ("b", 5), ("c", 7), "add")  ->  a: 1, b: 7, c: 7
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.runtime.column_types import Code, implicit, is_list, list_columns, repeated
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import Monoid
from diablo.runtime.rows.batches import Batch, concat_rows, empty
from diablo.runtime.rows.columns import concat_columns, full
from diablo.runtime.rows.grouping import ANY, group_reduce
from diablo.runtime.rows.joins import join
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings


def update(old: Batch, new: Batch, keys: int, monoid: Monoid | None = None) -> Batch:
    """The map `old` with rows (key…, value…) written into it, in ascending order of the keys.

    A row replaces the values of its key, or, with a monoid, is combined with its one value.
    Of several rows with equal keys the last is written.
    """
    values = max(len(old), len(new)) - keys
    return group_reduce(concat_rows(old, new), keys, [monoid or ANY] * values)


def probe_map(batch: Batch, keys: Sequence[Any], *codes: Code) -> tuple[Any, ...]:
    """Return at every point the values of a map under the key there, and whether it has that key.

    `keys` are arrays that broadcast against each other, or scalars; where there is no such
    key the values, which are of the types `codes`, are the implicit ones.
    """
    shape = np.broadcast_shapes(*[np.shape(key) for key in keys])
    columns = [_column(key, shape) for key in keys]
    count, width = len(columns[0]), len(keys)
    reserve(3 * 8 * count, "to look up {} keys", count)
    place = np.arange(count)
    joined = join((*columns, place), batch, range(width), range(width))
    rows, values = joined[width], joined[2 * width + 1 :]
    found = np.zeros(count, np.bool_)
    found[rows] = True
    missing = [full(count - len(rows), _implicit(code), code) for code in codes]
    order = np.argsort(np.concatenate((rows, np.flatnonzero(~found))))
    whole = [concat_columns(parts).take(order) for parts in zip(values, missing, strict=True)]
    if not shape:
        return (*[column[0] for column in whole], bool(found[0]))
    if len(shape) > 1:
        whole = [column.reshape(shape) for column in whole]
    return (*whole, found.reshape(shape))


def probe_maps(maps: Lists, keys: Sequence[Any], *codes: Code) -> tuple[Any, ...]:
    """Return as `probe_map` where each row has a map of its own."""
    rows = np.arange(len(maps))
    batch = (np.repeat(rows, maps.lengths), *maps.values)
    return probe_map(batch, (rows, *keys), *codes)


def _column(key: Any, shape: tuple[int, ...]) -> Any:
    if isinstance(key, Strings) and key.shape == shape:
        return key
    values = repeated(key, ()) if isinstance(key, str) else np.asarray(key)
    return np.broadcast_to(values, shape).reshape(-1)


def _implicit(code: Code) -> Any:
    return empty(list_columns(code)) if is_list(code) else implicit(code)
