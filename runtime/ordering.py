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

from diablo.runtime.memory_limit import reserve

Column = NDArray[Any]
_CODE_LIMIT = 2**62
_CHUNK = 1 << 16
_CODE = 8
"""Bytes of a code, and of a position."""


def is_ascending(column: Column, *, strictly: bool = False) -> bool:
    """Return whether the elements of `column` are in ascending order."""
    if len(column) > _CHUNK and not is_ascending(column[:_CHUNK], strictly=strictly):
        return False
    if strictly:
        return bool((column[1:] > column[:-1]).all())
    return bool((column[1:] >= column[:-1]).all())


def stable_order(codes: Column) -> Column:
    """The permutation that sorts integers, equal ones in the order in which they stand."""
    if len(codes) < 2:
        return np.arange(len(codes))
    _reserve(len(codes))
    packed = _packed(codes)
    if packed is None:
        return np.argsort(codes, kind="stable")
    order, _, bits = packed
    order.sort()
    order &= (1 << bits) - 1
    return order


def sorted_with_places(codes: Column) -> tuple[Column, Column]:
    """Integers in order, and where each stood; equal ones stay in the order in which they stand."""
    if len(codes) < 2:
        return codes, np.arange(len(codes))
    _reserve(2 * len(codes))
    packed = _packed(codes)
    if packed is None:
        order = np.argsort(codes, kind="stable")
        return codes.take(order), order
    ordered, low, bits = packed
    ordered.sort()
    order = ordered & ((1 << bits) - 1)
    ordered >>= bits
    ordered += low
    return ordered, order


def _reserve(rows: int) -> None:
    """Check that there is memory for the order of rows."""
    reserve(rows * _CODE, "to sort {} rows", rows)


def _packed(codes: Column) -> tuple[Column, int, int] | None:
    """The codes less the lowest one, shifted by some bits that hold their positions.

    NumPy's plain sort of int64 is vectorised and ten times faster than its stable argsort.
    None where both do not fit in 63 bits.
    """
    count = len(codes)
    low, high = int(codes.min()), int(codes.max())
    bits = (count - 1).bit_length()
    if (high - low).bit_length() + bits > 62:
        return None
    packed = _above(codes, low, copy=True)
    packed <<= bits
    for start in range(0, count, _CHUNK):
        part = packed[start : start + _CHUNK]
        part |= np.arange(start, start + len(part))
    return packed, low, bits


def _above(column: Column, low: int, *, copy: bool = False) -> Column:
    """Return how far integers lie above the lowest, as int64: unsigned ones may be greater."""
    if column.dtype.kind == "u":
        return (column - column.dtype.type(low)).astype(np.int64, copy=False)
    wide = column.astype(np.int64, copy=copy)
    if copy:
        wide -= low
        return wide
    return wide - low if low else wide


def taken(column: Column, places: Column) -> Column:
    """`column.take(places)`, which does not make all of narrow places wide at once."""
    reserve(len(places) * column.itemsize, "{} elements in another order", len(places))
    result = np.empty(len(places), column.dtype)
    for start in range(0, len(places), _CHUNK):
        end = start + _CHUNK
        result[start:end] = column.take(places[start:end])
    return result


def search(ascending: Column, values: Column, side: Literal["left", "right"] = "left") -> Column:
    """Return where each of `values`, which are integers, belongs in an ascending column.

    Unsorted values are sorted first: a search that jumps about waits for memory, and takes
    five times as long as the sort and an orderly search together.
    """
    if is_ascending(values):
        return np.searchsorted(ascending, values, side)
    order = stable_order(values)
    _reserve(2 * len(values))
    places = np.empty(len(values), np.int64)
    places[order] = np.searchsorted(ascending, values.take(order), side)
    return places


def ascending_order(columns: Sequence[Column]) -> Column | None:
    """The permutation that sorts rows by some columns, the first one foremost.

    Rows that agree in them stay in their order; NaN comes last. None if the rows stand so.
    """
    if len(columns) == 0 or len(columns[0]) < 2:
        return None
    if len(columns) == 1 and columns[0].dtype.kind in "iub":
        codes = columns[0]
    elif len(columns) == 1 and (order := _order_of_distinct(columns[0])) is not None:
        return None if is_ascending(order) else order
    else:
        codes = encode(columns).codes
    return None if is_ascending(codes) else stable_order(codes)


def _order_of_distinct(column: Any) -> Column | None:
    """The permutation that sorts strings which are known to be distinct; None of other columns."""
    return column.order_of_distinct() if hasattr(column, "order_of_distinct") else None


class Codes(NamedTuple):
    """One int64 code per row of some key columns.

    `size` bounds the codes. They are numbers whose digits are the keys: `digits` has for each
    column the key that digit 0 stands for and the number of digits; it is `None` where keys
    are too far apart for that, or are floats or strings, and codes are ranks. Then `distinct`
    may be the key of each code, all of which there are.
    """

    codes: Column
    size: int
    digits: tuple[tuple[int, int], ...] | None
    distinct: Any = None

    @property
    def are_keys(self) -> bool:
        """Whether codes tell the keys that they stand for."""
        return self.digits is not None or self.distinct is not None

    def keys(self, codes: Column, columns: Sequence[Column]) -> list[Column] | None:
        """The keys that `codes` stand for, in the types of `columns`, if that is known."""
        if self.distinct is not None:
            return [self.distinct.take(codes)]
        if self.digits is None:
            return None
        keys: list[Column] = []
        given = codes
        pairs = zip(self.digits, columns, strict=True)
        for (low, extent), column in reversed(list(pairs)):
            digit = codes
            if len(keys) < len(columns) - 1:
                codes = codes // extent
                digit = codes * extent
                np.subtract(given, digit, out=digit)
                given = codes
            type = column.dtype.type if column.dtype.kind == "u" else np.int64
            digit = digit.astype(type, copy=False)
            keys.append((digit + type(low) if low else digit).astype(column.dtype, copy=False))
        return keys[::-1]


def encode(columns: Sequence[Column]) -> Codes:
    """Codes for the rows of the key `columns`, of which there is at least one."""
    first = _encode_column(columns[0])
    if len(columns) == 1:
        return first
    codes, size, digits, _ = first
    for column in columns[1:]:
        more = _encode_column(column)
        reserve(len(codes) * _CODE, "the codes of {} keys of several columns", len(codes))
        if size * more.size > _CODE_LIMIT:
            codes, size, digits, _ = _ranks(codes)
        if size * more.size > _CODE_LIMIT:
            more = _ranks(more.codes)
        codes = codes * more.size
        codes += more.codes
        size *= more.size
        digits = None if digits is None or more.digits is None else digits + more.digits
    return Codes(codes, size, digits)


def _by_position(columns: list[Column]) -> tuple[Column, Column]:
    """Positions in ascending order with their values; the columns are taken out of the list."""
    size = columns[0].itemsize + columns[1].itemsize
    reserve(len(columns[0]) * size, "to sort {} rows", len(columns[0]))
    packed = _packed(columns[0])
    if packed is None:
        order = np.argsort(columns[0], kind="stable")
        return columns.pop(0).take(order), columns.pop().take(order)
    flat, low, bits = packed
    del columns[0]
    flat.sort()
    given = columns.pop()
    values = np.empty(len(flat), given.dtype)
    for start in range(0, len(flat), _CHUNK):
        end = start + _CHUNK
        values[start:end] = given.take(flat[start:end] & ((1 << bits) - 1))
    flat >>= bits
    flat += low
    return flat, values


def _compress(column: Column, kept: Column) -> Column:
    """The elements that are kept, in the memory of the column if most are."""
    count = 0
    for start in range(0, len(column), _CHUNK):
        part = column[start : start + _CHUNK][kept[start : start + _CHUNK]]
        column[count : count + len(part)] = part
        count += len(part)
    result = column[:count]
    return result if count > len(column) // 8 * 7 else result.copy()


def encode_pair(left: Sequence[Column], right: Sequence[Column]) -> tuple[Column, Column, int]:
    """Codes for the key columns of two sides; equal keys of either side get the same code.

    Both sides of a column must be of the same kind (numbers compare with numbers).
    """
    if len(left) == 1 and (codes := _integers_pair(left[0], right[0])) is not None:
        return codes
    count = len(left[0])
    rows = count + len(right[0])
    reserve(rows * sum(column.itemsize for column in left), "the keys of {} rows", rows)
    joined = [_followed(a, b) for a, b in zip(left, right, strict=True)]
    codes, size, *_ = _equal_codes(joined[0]) if len(joined) == 1 else encode(joined)
    return codes[:count], codes[count:], size


def _integers_pair(left: Column, right: Column) -> tuple[Column, Column, int] | None:
    """Codes of two columns of integers, which are their own if they begin at zero."""
    if not (left.dtype == right.dtype == np.int64 and len(left) and len(right)):
        return None
    low = min(int(left.min()), int(right.min()))
    extent = max(int(left.max()), int(right.max())) - low + 1
    if extent > _CODE_LIMIT:
        return None
    if low:
        reserve((len(left) + len(right)) * _CODE, "the codes of {} keys", len(left) + len(right))
    return (left - low, right - low, extent) if low else (left, right, extent)


def _followed(column: Any, other: Any) -> Any:
    """The elements of both: `Strings` know how they are put together."""
    both = None
    if hasattr(column, "beside"):
        both = column.beside(other)
    elif hasattr(other, "beside"):
        both = other.beside(column, last=True)
    return np.concatenate((np.asarray(column), np.asarray(other))) if both is None else both


def _equal_codes(column: Any) -> Codes:
    """Codes that are equal where the keys are, in any order."""
    codes = column.codes(ordered=False) if hasattr(column, "codes") else None
    return _encode_column(column) if codes is None else codes


def _encode_column(column: Any) -> Codes:
    if len(column) == 0:
        return Codes(np.zeros(0, np.int64), 1, None)
    if hasattr(column, "codes"):  # `Strings`, which are no array.
        codes = column.codes()
        return _ranks_of_strings(np.asarray(column)) if codes is None else codes
    if column.dtype.kind == "b":
        reserve(len(column) * _CODE, "the codes of {} keys", len(column))
        return Codes(column.astype(np.int64), 2, ((0, 2),))
    if column.dtype.kind in "iu":
        low, high = int(column.min()), int(column.max())
        extent = high - low + 1
        if extent <= _CODE_LIMIT:
            if low or column.dtype != np.int64:
                reserve(len(column) * _CODE, "the codes of {} keys", len(column))
            return Codes(_above(column, low), extent, ((low, extent),))
    if column.dtype.kind == "c":
        # They have no order of their own, and get one by their parts.
        return encode((np.real(column), np.imag(column)))
    return _ranks_of_strings(column) if column.dtype.kind == "O" else _ranks(column)


def without_gaps(codes: Column) -> Codes:
    """The ranks of integers among those that there are."""
    order = stable_order(codes)
    reserve(3 * len(codes) * _CODE, "the distinct ones of {} keys", len(codes))
    ascending = codes.take(order)
    ranks = np.zeros(len(codes), np.int64)
    np.cumsum(ascending[1:] != ascending[:-1], out=ranks[1:])
    size = int(ranks[-1]) + 1 if len(ranks) else 1
    result = np.empty_like(ranks)
    result[order] = ranks
    return Codes(result, size, None)


def _ranks(column: Column) -> Codes:
    if column.dtype.kind in "iu":
        return without_gaps(column)
    # Keys in order and their places, which become the codes; which are new, and how many so far.
    size = column.itemsize + 3 * _CODE + 1
    reserve(len(column) * size, "the distinct ones of {} keys", len(column))
    unique, inverse = np.unique(column, return_inverse=True)
    return Codes(inverse.astype(np.int64, copy=False), max(1, len(unique)), None)


def _ranks_of_strings(column: Column) -> Codes:
    """Each string is looked up in a dictionary: only the distinct ones are sorted."""
    count = len(column)
    reserve(3 * count * _CODE, "the distinct ones of {} strings", count)
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
    return distinct_of([flat, values], ufunc)


def distinct_of(
    columns: list[NDArray[Any]], ufunc: np.ufunc | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """`distinct` of two columns, which are taken out of the list as soon as they are not needed.

    The memory of each is then free for the next step, if nobody else has it.
    """
    if is_ascending(columns[0], strictly=True):
        return columns[0], columns[1]
    flat, values = _by_position(columns)
    new = flat[1:] != flat[:-1]
    if new.all():
        return flat, values
    if ufunc is None:
        last = np.append(new, True)
        del new
        return _compress(flat, last), _compress(values, last)
    starts = np.concatenate(([0], np.flatnonzero(new) + 1))
    values = ufunc.reduceat(values, starts, dtype=values.dtype)
    return flat.take(starts), values
