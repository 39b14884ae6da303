"""Choosing between columns of any type, and putting the parts of a column together.

where([True, False], ["a", "b"], "-", "U")   ->  ["a", "-"]
scatter([True, False, True], [1, 2], 0, "i8")  ->  [1, 0, 2]
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from diablo.runtime.column_types import OBJECT, Code, form_of, is_list, repeated, storage
from diablo.runtime.memory_limit import reserve
from diablo.runtime.rows.columns import AnyColumn, Column, concat_columns, full
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import plain_column


def where(mask: Any, then: Any, otherwise: Any, code: Code) -> AnyColumn:
    """Row by row `then` where `mask` is true, else `otherwise`; scalars stand for all rows."""
    then, otherwise = plain_column(then), plain_column(otherwise)
    columns = [side for side in (then, otherwise) if _is_column(side, code)]
    shape = np.broadcast_shapes(np.shape(mask), *[column.shape for column in columns])
    mask = np.broadcast_to(mask, shape)
    if is_list(code):
        sides = [_lists(side, len(mask), code) for side in (then, otherwise)]
        return concat_columns(sides).take(np.arange(len(mask)) + np.where(mask, 0, len(mask)))
    reserve(mask.size * storage(code).itemsize, "a choice for each of {} rows", mask.size)
    result = np.empty(shape, storage(code))
    for side, chosen in ((then, mask), (otherwise, ~mask)):
        if _is_column(side, code):
            result[chosen] = np.broadcast_to(side, shape)[chosen]
        else:
            result[chosen] = _cell(side)
    return result


def scatter(mask: Column, then: Any, otherwise: Any, code: Code) -> AnyColumn:
    """The elements of `then` where `mask` is true, those of `otherwise` elsewhere, in order.

    Each has as many as there are such places, or is a scalar.
    """
    then, otherwise = plain_column(then), plain_column(otherwise)
    count = int(np.count_nonzero(mask))
    if is_list(code):
        sides = [_lists(then, count, code), _lists(otherwise, mask.size - count, code)]
        place = np.empty(mask.size, np.int64)
        place[mask] = np.arange(count)
        place[~mask] = np.arange(count, mask.size)
        return concat_columns(sides).take(place)
    reserve(mask.size * storage(code).itemsize, "a choice for each of {} rows", mask.size)
    result = np.empty(mask.shape, storage(code))
    for side, chosen in ((then, mask), (otherwise, ~mask)):
        result[chosen] = side if _is_column(side, code) else _cell(side)
    return result


def _is_column(side: Any, code: Code) -> bool:
    """Return whether it has a value for each row: an array may be the one value of them all."""
    if isinstance(side, Lists):
        return True
    if not isinstance(side, np.ndarray):
        return False
    array = cast("Column", side)
    return array.ndim > 0 and (form_of(code) != "tile" or array.dtype == OBJECT)


def _cell(value: Any) -> Any:
    """A scalar as it is assigned to many rows."""
    is_plain = isinstance(value, tuple | np.generic)
    return cast(Any, value) if is_plain else repeated(value, ())


def _lists(side: Any, count: int, code: Code) -> Lists:
    return side if isinstance(side, Lists) else full(count, side, code)
