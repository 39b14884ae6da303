"""What is aggregated for each row over iterations of its own, some of them at a time.

accumulate([1.0, 2.0], [[3.0, 4.0], [5.0, 6.0]], "add", (2, 2))   ->   [9.0, 12.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.runtime.monoid_ufuncs import Monoid, UserMonoid, combine_values, identity, ufunc
from diablo.runtime.rows.columns import Column


def accumulate(
    totals: Column, values: Any, monoid: Monoid, shape: tuple[int, ...], where: Any = None
) -> Column:
    """The totals of rows, each with the values of one iteration or more combined into it.

    `values` and `where` broadcast to `shape`, whose last dimension is that of the totals and whose
    first one, if there are two, that of iterations. Where `where` is false there is no value.
    """
    values = np.broadcast_to(np.asarray(values), shape)
    if where is not None:
        some = np.empty(shape, totals.dtype)
        some[...] = identity(monoid, totals.dtype)
        np.copyto(some, values, where=where)
        values = some
    if len(shape) > 1:
        if isinstance(monoid, UserMonoid):
            values = monoid.reduce(values, axis=0)
        else:
            with np.errstate(all="ignore"):
                values = ufunc(monoid).reduce(values, axis=0, dtype=totals.dtype)
    return combine_values(monoid, totals, values)
