"""What columns of strings spell in decimal digits, and the digits of columns of integers.

integers(Spans(["12", " 3"]))   ->   [12, …], [True, False]      the second is left to Python
digits(np.array([12, -3]))      ->   Strings(["12", "-3"])
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut_finely, share
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.rows.string_spans import PADDING, Spans, available, new_vector, string_loop

Array = NDArray[Any]

_SIZE = 8
"""What the digits of an integer are as work: so many elements of other loops."""


def integers(strings: Spans) -> tuple[Array, Array]:
    """The integers, and which strings spell one plainly: a sign or none, and 1 to 18 digits."""
    return _read(strings, "integers_of_strings", np.int64)


def doubles(strings: Spans) -> tuple[Array, Array]:
    """The doubles, and which strings spell one plainly: in so few digits that one rounding does."""
    return _read(strings, "doubles_of_strings", np.float64, address_of(_powers()))


@cache
def _powers() -> Array:
    """The powers of ten that doubles are."""
    return np.array([float(10**k) for k in range(23)])


def _read(strings: Spans, loop: str, dtype: DTypeLike, *more: int) -> tuple[Array, Array]:
    rows = len(strings.starts)
    reserve(9 * rows, "the numbers of {} strings", rows)
    out, spelt = new_vector(rows, dtype), new_vector(rows, np.bool_)
    given, made = [*strings.words, *more], [address_of(out), address_of(spelt)]
    work = rows * _SIZE
    share(string_loop(loop), [[*given, *span, *made] for span in cut_finely(rows, work)], work)
    return out, spelt


def digits(values: Array) -> Strings | None:
    """The decimal digits of a vector of integers; None of few, and of what needs more bits."""
    rows = len(values)
    if not rows or values.ndim != 1 or values.dtype.kind not in "iu" or not available(rows):
        return None
    if values.dtype == np.uint64 and int(values.max(initial=0)) >= 2**63:
        return None
    numbers = np.ascontiguousarray(values, np.int64)
    work = rows * _SIZE
    spans = cut_finely(rows, work)
    reserve(16 * rows, "{} strings", rows)
    sizes, ends = new_vector(rows, np.int64), new_vector(rows, np.int64)
    calls = [[address_of(numbers), *span, address_of(sizes)] for span in spans]
    share(string_loop("sizes_of_integers"), calls, work)
    np.cumsum(sizes, out=ends)
    size = int(ends[-1])
    reserve(size, "{} strings", rows)
    data = new_vector(size + PADDING, np.uint8)
    data[size:] = 0
    calls = [[address_of(numbers), address_of(ends), *span, address_of(data)] for span in spans]
    share(string_loop("digits_of_integers"), calls, work)
    np.subtract(ends, sizes, out=ends)
    return Strings(Spans(data, ends, sizes), is_ascii=True)
