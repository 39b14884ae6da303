"""Results that do not share memory with what the caller gave.

A program that gives back its input, or a part of it, would on the local engine hand out the
caller's own array: who writes into the result would change the input.

    detach(result of "A;", {"A": a})   ->   the same result over a copy of `a`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.given_tile import stored
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.variants import copied
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.results.result_types import DistributedArray
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings

_ARRAYS = (np.ndarray, SparseTile)
"""What a column of arrays holds."""


def detach(result: Any, inputs: Mapping[str, Any]) -> Any:
    """The result of a program, with copies of what it shares with the inputs."""
    given = list(_vectors(inputs.values()))
    if isinstance(result, DistributedArray) and result.is_one(partial(_is_apart, given)):
        return result  # Most are, and no other kind need be asked for.
    on_device = not given and any(isinstance(value, DeviceArray) for value in inputs.values())
    return _detached(result, given) if given or on_device else result


def _vectors(values: Iterable[Any]) -> Iterator[np.ndarray[Any, Any]]:
    """The NumPy arrays that inputs, tiles or columns consist of."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, DeviceArray):
            yield from value.vectors()
        elif isinstance(value, SparseTile):
            pattern, values = stored(value)
            yield from (*pattern.vectors(), values)
        elif isinstance(value, Strings):
            yield value.memory
        elif isinstance(value, Lists):
            yield value.offsets
            yield from _vectors(value.values)
        elif isinstance(value, tuple):
            yield from _vectors(cast("tuple[Any, ...]", value))


def _own_pattern(pattern: Pattern) -> Pattern:
    """A copy of a pattern, one for all arrays that share it."""
    return pattern.lend("copy", lambda: copied(pattern))


def _detached(value: Any, given: list[Any]) -> Any:
    if isinstance(value, tuple):
        return tuple([_detached(part, given) for part in cast("tuple[Any, ...]", value)])
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        if _holds_arrays(array):
            return _arrays_apart(array, given)
        return array.copy() if _is_shared(array, given) else array
    if isinstance(value, Strings):
        return value.apart(given)
    if isinstance(value, SparseTile):
        vectors = value.pattern.vectors()
        shared = any(_is_shared(vector, given) for vector in vectors)
        return replace(
            value,
            pattern=_own_pattern(value.pattern) if shared else value.pattern,
            elements=_detached(value.elements, given),
        )
    if isinstance(value, Lists):
        return Lists(_detached(value.values, given), value.offsets)

    if isinstance(value, DeviceArray):
        return value.detached() if value.shares_memory(given) else value
    if not hasattr(value, "over"):
        return value

    def detached_record(record: Any) -> Any:
        return _detached(record, given)

    return value if value.is_one(partial(_is_apart, given)) else value.over(detached_record)


def _is_apart(given: list[Any], record: Any) -> bool:
    """Return whether a record is seen to share nothing at once: it has NumPy's arrays alone."""
    waiting: list[Any] = [record]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += cast("tuple[Any, ...]", part)
        elif isinstance(part, np.ndarray):
            array = cast("np.ndarray[Any, Any]", part)
            if _holds_arrays(array) or _is_shared(array, given):
                return False
        elif not isinstance(part, int):
            return False
    return True


def _holds_arrays(column: np.ndarray[Any, Any]) -> bool:
    """Return whether a column has an array in each row."""
    return column.dtype.hasobject and isinstance(column.flat[0] if column.size else None, _ARRAYS)


def _arrays_apart(column: np.ndarray[Any, Any], given: list[Any]) -> np.ndarray[Any, Any]:
    """A column of arrays, with copies of those that share memory with what was given."""
    rows = column.reshape(-1)
    made: np.ndarray[Any, Any] = np.empty_like(rows)
    apart: dict[int, Any] = {}  # Many rows may have the same array.
    for place, array in enumerate(rows):
        if id(array) not in apart:
            apart[id(array)] = _detached(array, given)
        made[place] = apart[id(array)]
    return made.reshape(column.shape)


def _is_shared(array: np.ndarray[Any, Any], given: list[Any]) -> bool:
    # Each call asks, and a generator takes twice the time.
    return True in [np.may_share_memory(array, other) for other in given]
