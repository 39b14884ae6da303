"""Integer codes for key columns, and stable sorting by them.

A key of several columns, of any type, becomes one int64 code such that equal keys have
equal codes and codes order as the keys do:

    encode([[10, 11, 10], [5, 5, 7]])  ->  codes [0, 3, 2], size 6, digits (10, 2), (5, 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Column = NDArray[Any]
_CODE_LIMIT = 2**62


def is_ascending(column: Column, *, strictly: bool = False) -> bool:
    """Whether the elements of `column` are in ascending order."""
    if strictly:
        return bool((column[1:] > column[:-1]).all())
    return bool((column[1:] >= column[:-1]).all())


def stable_order(codes: Column) -> Column:
    """The permutation that sorts integers, equal ones in the order in which they stand.

    The position is packed under the code where both fit in 63 bits: NumPy's plain sort of
    int64 is vectorised and ten times faster than its stable argsort.
    """
    count = len(codes)
    if count < 2:
        return np.arange(count)
    low, high = int(codes.min()), int(codes.max())
    bits = (count - 1).bit_length()
    if (high - low).bit_length() + bits > 62:
        return np.argsort(codes, kind="stable")
    packed = codes.astype(np.int64)
    packed -= low
    packed <<= bits
    packed |= np.arange(count)
    packed.sort()
    packed &= (1 << bits) - 1
    return packed


def search(ascending: Column, values: Column, side: Literal["left", "right"] = "left") -> Column:
    """Where each of `values`, which are integers, belongs in an ascending column.

    Unsorted values are sorted first: a search that jumps about waits for memory, and takes
    five times as long as the sort and an orderly search together.
    """
    if is_ascending(values):
        return np.searchsorted(ascending, values, side)
    order = stable_order(values)
    places = np.empty(len(values), np.int64)
    places[order] = np.searchsorted(ascending, values.take(order), side)
    return places


class Codes(NamedTuple):
    """One int64 code per row of some key columns.

    `size` bounds the codes. They are numbers whose digits are the keys: `digits` has for each
    column the key that digit 0 stands for and the number of digits; it is `None` where keys
    are too far apart for that, or are floats or strings, and codes are ranks.
    """

    codes: Column
    size: int
    digits: tuple[tuple[int, int], ...] | None

    def keys(self, codes: Column, columns: Sequence[Column]) -> list[Column] | None:
        """The keys that `codes` stand for, in the types of `columns`, if digits tell."""
        if self.digits is None:
            return None
        keys: list[Column] = []
        pairs = zip(self.digits, columns, strict=True)
        for (low, extent), column in reversed(list(pairs)):
            digit = codes
            if len(keys) < len(columns) - 1:
                codes = codes // extent
                digit = digit - codes * extent
            keys.append((digit + low).astype(column.dtype, copy=False))
        return keys[::-1]


def encode(columns: Sequence[Column]) -> Codes:
    """Codes for the rows of the key `columns`, of which there is at least one."""
    codes, size, digits = _encode_column(columns[0])
    for column in columns[1:]:
        more = _encode_column(column)
        if size * more.size > _CODE_LIMIT:
            codes, size, digits = _ranks(codes)
        if size * more.size > _CODE_LIMIT:
            more = _ranks(more.codes)
        codes = codes * more.size
        codes += more.codes
        size *= more.size
        digits = None if digits is None or more.digits is None else digits + more.digits
    return Codes(codes, size, digits)


def encode_pair(left: Sequence[Column], right: Sequence[Column]) -> tuple[Column, Column, int]:
    """Codes for the key columns of two sides; equal keys of either side get the same code.

    Both sides of a column must be of the same kind (numbers compare with numbers).
    """
    count = len(left[0])
    joined = [np.concatenate((a, b)) for a, b in zip(left, right, strict=True)]
    codes, size, _ = encode(joined)
    return codes[:count], codes[count:], size


def _encode_column(column: Column) -> Codes:
    if len(column) == 0:
        return Codes(np.zeros(0, np.int64), 1, None)
    if column.dtype.kind == "b":
        return Codes(column.astype(np.int64), 2, ((0, 2),))
    if column.dtype.kind in "iu":
        low, high = int(column.min()), int(column.max())
        extent = high - low + 1
        if extent <= _CODE_LIMIT:
            codes = column.astype(np.int64, copy=False)
            return Codes(codes - low if low else codes, extent, ((low, extent),))
    return _ranks_of_strings(column) if column.dtype.kind == "O" else _ranks(column)


def _ranks(column: Column) -> Codes:
    unique, inverse = np.unique(column, return_inverse=True)
    return Codes(inverse.astype(np.int64, copy=False), max(1, len(unique)), None)


def _ranks_of_strings(column: Column) -> Codes:
    """Each string is looked up in a dictionary: only the distinct ones are sorted."""
    count = len(column)
    first: dict[str, int] = {}
    # The position where each string occurs first.
    places = np.fromiter(map(first.setdefault, column.tolist(), range(count)), np.int64, count)
    ranks = np.empty(count, np.int64)
    ranks[np.fromiter(map(first.__getitem__, sorted(first)), np.int64, len(first))] = np.arange(
        len(first)
    )
    return Codes(ranks.take(places), len(first), None)


def distinct(
    flat: NDArray[Any], values: NDArray[Any], ufunc: np.ufunc | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The positions in strictly ascending order, and the values there.

    Of equal positions the last value is kept, or all are combined with `ufunc`.
    """
    if is_ascending(flat, strictly=True):
        return flat, values
    order = stable_order(flat)
    flat, values = flat.take(order), values.take(order)
    new = flat[1:] != flat[:-1]
    if new.all():
        return flat, values
    starts = np.concatenate(([0], np.flatnonzero(new) + 1))
    if ufunc is None:
        values = values.take(np.append(starts[1:], len(flat)) - 1)
    else:
        values = ufunc.reduceat(values, starts, dtype=values.dtype)
    return flat.take(starts), values
