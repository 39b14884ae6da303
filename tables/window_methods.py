"""The methods of expressions that look at other rows: shifts, running and rolling folds, ranks.

col("x").cum_sum().over("k", order_by="day")
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from operator import index
from typing import Any, Literal, Self

import numpy as np

from diablo.diagnostics import InputError

Rank = Literal["average", "min", "max", "dense", "ordinal"]
_RANKS = ("average", "min", "max", "dense", "ordinal")


class WindowMethods:
    """Functions of the rows around a row, as methods of expressions.

    The rows are all rows of the table, or those of the groups of `over`, in the order that they
    have, or that `over` gives them. In `group_by(…).agg(…)` they are those of the groups.
    """

    __slots__ = ()

    @abstractmethod
    def _window(self, name: str, *options: Any, operands: Sequence[Any] = ()) -> Self:
        """Return a function of windows of the expression."""

    def shift(self, n: int = 1, fill_value: Any = None) -> Self:
        """Return the values `n` rows before, those behind if it is negative.

        Where there is no such row it is `fill_value`, or null.
        """
        n = whole_number("shift", n)
        operands = [] if fill_value is None else [fill_value]
        return self._window("shift", n, operands=operands)

    lag = shift

    def lead(self, n: int = 1, fill_value: Any = None) -> Self:
        """Return the values `n` rows behind: `shift(-n)`."""
        return self.shift(-whole_number("lead", n), fill_value)

    def diff(self, n: int = 1) -> Self:
        """Return by how much values differ from those `n` rows before."""
        return self._window("diff", whole_number("diff", n))

    def pct_change(self, n: int = 1) -> Self:
        """Return by what part of the values `n` rows before values differ from them."""
        return self._window("pct_change", whole_number("pct_change", n))

    def cum_sum(self, *, reverse: bool = False) -> Self:
        """Return the sum of the values up to each row, or from it on; null where values are."""
        return self._window("cumulative", "sum", reverse)

    def cum_prod(self, *, reverse: bool = False) -> Self:
        """Return the product of the values up to each row, or from it on."""
        return self._window("cumulative", "prod", reverse)

    def cum_min(self, *, reverse: bool = False) -> Self:
        """Return the least value up to each row, or from it on."""
        return self._window("cumulative", "min", reverse)

    def cum_max(self, *, reverse: bool = False) -> Self:
        """Return the greatest value up to each row, or from it on."""
        return self._window("cumulative", "max", reverse)

    def cum_count(self, *, reverse: bool = False) -> Self:
        """Return how many values there are up to each row, or from it on."""
        return self._window("cumulative", "count", reverse)

    cumsum, cumprod, cummin, cummax = cum_sum, cum_prod, cum_min, cum_max

    def rolling_sum(self, window_size: int, min_samples: int | None = None) -> Self:
        """Return the sum of the last `window_size` rows, the row itself included.

        It is null where fewer than `min_samples` of them have a value: all, unless it is given.
        """
        return self._rolling("sum", window_size, min_samples)

    def rolling_mean(self, window_size: int, min_samples: int | None = None) -> Self:
        """Return the mean of the last rows, as `rolling_sum` has the sum."""
        return self._rolling("mean", window_size, min_samples)

    def rolling_min(self, window_size: int, min_samples: int | None = None) -> Self:
        """Return the least value of the last rows, as `rolling_sum` has the sum."""
        return self._rolling("min", window_size, min_samples)

    def rolling_max(self, window_size: int, min_samples: int | None = None) -> Self:
        """Return the greatest value of the last rows, as `rolling_sum` has the sum."""
        return self._rolling("max", window_size, min_samples)

    def rolling_std(
        self, window_size: int, min_samples: int | None = None, *, ddof: int = 1
    ) -> Self:
        """Return the standard deviation of the last rows, as `rolling_sum` has the sum."""
        ddof = whole_number("rolling_std", ddof, 0)
        return self._rolling("std", window_size, min_samples, ddof)

    def rolling_var(
        self, window_size: int, min_samples: int | None = None, *, ddof: int = 1
    ) -> Self:
        """Return the variance of the last rows, as `rolling_sum` has the sum."""
        ddof = whole_number("rolling_var", ddof, 0)
        return self._rolling("var", window_size, min_samples, ddof)

    def _rolling(self, function: str, size: int, least: int | None, *options: int) -> Self:
        method = f"rolling_{function}"
        size = whole_number(method, size, 1)
        least = size if least is None else whole_number(method, least, 0)
        return self._window("rolling", function, size, least, *options)

    def rank(self, method: Rank = "average", *, descending: bool = False) -> Self:
        """Return the places of values, from 1 on, in their order; nulls have none, NaN comes last.

        Equal values have the mean of their places, as floats, or the `"min"` or `"max"` of them;
        `"dense"` counts equal ones once, and `"ordinal"` as they stand.
        """
        if method not in _RANKS:
            raise InputError(f"rank() is one of {', '.join(_RANKS)}, and not {method!r}")
        return self._window("rank", method, descending)

    def forward_fill(self) -> Self:
        """Return the values, and where there is none the last one before."""
        return self._window("fill", False)

    def backward_fill(self) -> Self:
        """Return the values, and where there is none the next one behind."""
        return self._window("fill", True)

    ffill, bfill = forward_fill, backward_fill


def whole_number(method: str, value: Any, least: int | None = None) -> int:
    """Return a number of rows as Python's; an `InputError` if it is none, or too small."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise InputError(f"{method}() takes a whole number of rows, and not {value!r}")
    found = index(value)
    if least is not None and found < least:
        raise InputError(f"{method}() takes a number that is {least} or more, and not {found}")
    if not -(2**63) < found < 2**63:
        raise InputError(f"{found} does not fit in 64 bits")
    return found
