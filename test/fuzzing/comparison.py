"""Whether two results are the same: of an engine, of the interpreter, of another block size.

Both are brought to one form: numbers and strings as they are, tuples flattened to their parts,
arrays as nested lists of these, the rows of lists and maps in an order that depends on nothing
but their values. Numbers may differ as far as sums in another order do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np

from diablo.passes.interpreter.interpreted_values import Array

RELATIVE, ABSOLUTE = 1e-9, 1e-12


class Rows(list[Any]):
    """The rows of a list or a map, in order."""


def plain(value: Any) -> Any:
    """A result in the form that is compared."""
    if isinstance(value, Array):
        return plain(value.to_numpy())
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        return plain(array.item()) if array.ndim == 0 else [plain(element) for element in array]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, tuple):
        parts = _flat(cast("tuple[Any, ...]", value))
        # The interpreter packs a list that is the element of an array.
        alone = len(parts) == 1 and isinstance(parts[0], Rows)
        return parts[0] if alone else parts
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, complex):
        return value.real, value.imag
    if hasattr(value, "to_dict"):
        return _rows(value.to_dict().items())
    if isinstance(value, Mapping):
        return _rows(cast("Mapping[Any, Any]", value).items())
    if hasattr(value, "to_list"):
        return _rows(value.to_list())
    if isinstance(value, list):
        return _rows(cast("list[Any]", value))
    for method in ("to_numpy", "toarray"):
        if hasattr(value, method):
            return plain(getattr(value, method)())
    return value


def _flat(parts: Iterable[Any]) -> tuple[Any, ...]:
    """The parts of a tuple, those of tuples in it one by one."""
    result: list[Any] = []
    for part in map(plain, parts):
        if isinstance(part, tuple):
            result += cast("tuple[Any, ...]", part)
        else:
            result.append(part)
    return tuple(result)


def _rows(rows: Iterable[Any]) -> Rows:
    flat = [
        _flat(cast("tuple[Any, ...]", row)) if isinstance(row, tuple) else (plain(row),)
        for row in rows
    ]
    return Rows(sorted(flat, key=_sort_key))


def _sort_key(value: Any) -> Any:
    """Something to sort by that rounding hardly changes."""
    if isinstance(value, tuple | list):
        return tuple(_sort_key(part) for part in cast("list[Any]", value))
    if isinstance(value, str):
        return (1, 0.0, value)
    if isinstance(value, int):
        return (0, value, "")
    if math.isnan(value):
        return (2, 0.0, "")
    number = float(value)
    return (0, number if math.isinf(number) else float(f"{number:.6g}") + 0.0, "")


def difference(found: Any, expected: Any) -> str | None:
    """Return where two results in plain form differ, in one line."""
    if isinstance(expected, str) or isinstance(found, str):
        return None if found == expected else f"{found!r} instead of {expected!r}"
    if isinstance(expected, tuple | list):
        return _difference_of_parts(found, cast("list[Any]", expected))
    if isinstance(found, tuple | list):
        return f"{found!r} instead of {expected!r}"
    same = found == expected
    if isinstance(found, float) or isinstance(expected, float):
        same = same or math.isclose(found, expected, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if same or (math.isnan(found) and math.isnan(expected)):
        return None
    return f"{found!r} instead of {expected!r}"


def difference_of_results(found: tuple[Any, ...], expected: tuple[Any, ...]) -> str | None:
    """Return where the results of two calls differ.

    Large arrays that are equal are not brought to that form.
    """
    if len(found) == len(expected) and all(map(_are_equal, found, expected)):
        return None
    return difference(plain(found), plain(expected))


def copied_results(results: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a call has given, as it is now."""
    return tuple(np.array(np.asarray(r)) if hasattr(r, "to_numpy") else r for r in results)


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two arrays are the same."""
    if not all(
        hasattr(value, "to_numpy") or isinstance(value, np.ndarray) for value in (one, other)
    ):
        return plain(one) == plain(other)
    first, second = np.asarray(one), np.asarray(other)
    return np.array_equal(first, second, equal_nan=first.dtype.kind in "fc")


def _difference_of_parts(found: Any, expected: list[Any]) -> str | None:
    if not isinstance(found, tuple | list):
        return f"{found!r} instead of {expected!r}"
    parts = cast("list[Any]", found)
    if len(parts) != len(expected):
        return f"{len(parts)} parts, {parts!r}, instead of {len(expected)}, {expected!r}"
    for position, (part, wanted) in enumerate(zip(parts, expected, strict=True)):
        inner = difference(part, wanted)
        if inner is not None:
            return f"[{position}]{'' if inner.startswith('[') else ' '}{inner}"
    return None
