"""Numbers for values, the same in every process: for buckets and for random numbers by value.

hash_values(array([3, 4]))         ->  array([3, 4])
hash_values(array(["a"], object))  ->  array([-5808556873153909620])    # FNV-1a
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

_OFFSET, _PRIME = 0xCBF29CE484222325, 0x100000001B3
_MASK = 2**64 - 1
# Below so many strings Python's integers are faster than NumPy's calls.
_FEW = 16


def hash_values(column: Any) -> Any:
    """An int64 for each value of a column, or for a scalar; equal values have equal numbers.

    An integer, a Boolean or a character is its own number; a float has its bits as a double
    (-0.0 those of 0.0, every NaN the same), a string its 64-bit FNV-1a hash over UTF-8.
    """
    if isinstance(column, str):
        return _wrapped(_fnv(column.encode(errors="surrogatepass")))
    values = np.asarray(column)
    if values.dtype.kind == "O":
        return _hash_strings(values)
    if values.dtype.kind == "f":
        result = np.asarray(as_key(values.astype(np.float64))).view(np.int64)
    else:
        result = values.astype(np.int64)
    return result if values.ndim else int(result)


def as_key(column: NDArray[Any]) -> NDArray[Any]:
    """A column with one number for all that is one key: 0.0 for -0.0, and one NaN."""
    if column.dtype.kind != "f":
        return column  # Strings, too, whatever holds them.
    keys = np.asarray(column + column.dtype.type(0.0))
    keys[np.isnan(keys)] = np.nan
    return keys


def _hash_strings(column: NDArray[Any]) -> NDArray[np.int64]:
    """Distinct strings are hashed once, byte by byte but all strings at a time."""
    count = len(column)
    first: dict[str, int] = {}
    places = np.fromiter(map(first.setdefault, column.tolist(), range(count)), np.int64, count)
    hashes = np.empty(count, np.int64)
    distinct = [text.encode(errors="surrogatepass") for text in first]
    hashes[np.fromiter(first.values(), np.int64, len(first))] = _fnv_of_all(distinct)
    return hashes.take(places)


def _fnv_of_all(texts: list[bytes]) -> NDArray[np.int64]:
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    data = np.frombuffer(b"".join(texts), np.uint8)
    hashes = np.full(len(texts), _OFFSET, np.uint64)
    starts = np.cumsum(lengths) - lengths
    # The longest first: those that still have a byte are always the first ones.
    order = np.argsort(-lengths, kind="stable")
    starts, ends = starts.take(order), lengths.take(order)
    place = 0
    while True:
        active = int(np.searchsorted(-ends, -place, "left"))
        if active < _FEW:
            break
        hashes[:active] ^= data[starts[:active] + place]
        hashes[:active] *= np.uint64(_PRIME)
        place += 1
    result = np.empty(len(texts), np.uint64)
    result[order] = hashes
    for position in cast("list[int]", order[:active].tolist()):
        result[position] = _fnv(texts[position][place:], int(result[position]))
    return result.view(np.int64)


def _fnv(data: bytes, state: int = _OFFSET) -> int:
    for byte in data:
        state = ((state ^ byte) * _PRIME) & _MASK
    return state


def _wrapped(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number
