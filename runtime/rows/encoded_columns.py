"""Numbers in the place of columns that machine code has no values of, and back again.

    encoded = encode(signature, arguments)     "b", "a", "b"  ->  0, 1, 0
    encoded.arguments                          what the machine code is given
    decode(encoded, elements, batch)            1, 0           ->  "a", "b"

A signature says which columns that are (`diablo.row_kernel_signature`): strings of which the length
alone is asked are their lengths. Others are numbered by a dictionary, which several columns may
share, and what is only collected is known by its row. Where rows are looked for by strings that no
result has, those among which they are looked for are numbered, and the others found in that table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import numpy as np

from diablo.row_kernel_signature import (
    LENGTH,
    ROW,
    BagSlot,
    RowSignature,
    dictionary_of,
    place_of,
)
from diablo.runtime.arrays import memory
from diablo.runtime.kernels.signature import ELEMENTS
from diablo.runtime.memory_limit import reserve
from diablo.runtime.ordering import is_ascending
from diablo.runtime.rows import strings
from diablo.runtime.rows.batches import Batch, length, project, taken
from diablo.runtime.rows.columns import AnyColumn
from diablo.runtime.rows.string_column import Strings

NUMBER = np.dtype(np.int32)
"""The type of numbers that stand for values."""
MOST_NUMBERS = 1 << 31


@dataclass(frozen=True)
class Encoded:
    """The arguments of a call, and what the numbers in them stand for."""

    arguments: Sequence[Any]
    given: Sequence[Any]
    """The arguments as the program gave them."""
    dictionaries: Mapping[int, Strings]
    """The strings that numbers of the results stand for."""


def column_dtype(element: str) -> np.dtype[Any]:
    """The NumPy type of a column that is made."""
    found = ELEMENTS.get(element)
    return NUMBER if found is None else found.dtype


def encode(signature: RowSignature, arguments: Sequence[Any]) -> Encoded | None:
    """The arguments with numbers in place of values; None if there are more than numbers."""
    slots = signature.arguments
    if not signature.encodes or len(slots) != len(arguments):
        return Encoded(arguments, arguments, {})
    bags = [
        (number, slot)
        for number, (slot, value) in enumerate(zip(slots, arguments, strict=True))
        if isinstance(slot, BagSlot) and isinstance(value, tuple)
    ]
    if any(length(arguments[number]) >= MOST_NUMBERS for number, _ in bags):
        return None
    columns: dict[int, list[tuple[int, int]]] = {}
    changed: dict[int, list[Any]] = {}
    for number, slot in bags:
        batch = cast(Batch, arguments[number])
        if len(batch) != len(slot.given):
            return None
        changed[number] = list(batch)
        for column, element in enumerate(slot.columns):
            dictionary = dictionary_of(element)
            if dictionary is not None:
                columns.setdefault(dictionary, []).append((number, column))
            elif element == LENGTH:
                lengths = strings.length(batch[column])
                changed[number][column] = np.ascontiguousarray(lengths, np.int64)
            elif element == ROW:
                changed[number].append(_rows(length(batch)))
    dictionaries: dict[int, Strings] = {}
    returned = {dictionary_of(element) for o in signature.outputs for element in o.columns}
    matched = {match.argument for match in signature.matched}
    for dictionary, places in columns.items():
        given = [arguments[number][column] for number, column in places]
        among = [k for k, (number, _) in enumerate(places) if number in matched]
        if dictionary not in returned and len(among) == 1:
            parts = _found_among(given, *among)
        elif (shared := numbered(given)) is not None:
            parts, dictionaries[dictionary] = shared
        else:
            parts = None
        if parts is None:
            return None
        for (number, column), codes in zip(places, parts, strict=True):
            changed[number][column] = codes
    made = [tuple(changed[n]) if n in changed else value for n, value in enumerate(arguments)]
    return Encoded(made, arguments, dictionaries)


def _rows(count: int) -> np.ndarray[Any, Any]:
    reserve(NUMBER.itemsize * count, "the numbers of {} rows", count)
    return memory.numbers(count, NUMBER)


def _found_among(columns: Sequence[AnyColumn], place: int) -> list[Any] | None:
    """The numbers of the strings of the column at a place, and in the other columns those of them.

    What is no string of that column has -1 in the others, which no row is found by.
    """
    given = _strings(columns)
    found = given[place].indexed()
    if found is None:
        return None
    codes, index = found
    made = [
        codes if number == place else column.codes_in(index) for number, column in enumerate(given)
    ]
    return None if any(part is None for part in made) else made


def _strings(columns: Sequence[AnyColumn]) -> list[Strings]:
    return [c if isinstance(c, Strings) else Strings.of_any(c.tolist()) for c in columns]


def numbered(columns: Sequence[AnyColumn]) -> tuple[list[Any], Strings] | None:
    """The numbers of the strings of each column, and the distinct ones; None if there are more."""
    given = _strings(columns)
    if len(given) > 1 and any(column.has_few() for column in given):
        return _numbered_apart(given)
    found = (given[0] if len(given) == 1 else Strings.concat(given)).numbered()
    if found is None:
        return None
    codes, distinct = found
    return _split(codes, given), distinct


def _numbered_apart(columns: Sequence[Strings]) -> tuple[list[Any], Strings] | None:
    """The same, where columns have few distinct strings: these alone are brought together."""
    found = [column.numbered() for column in columns]
    if None in found:
        return None
    codes = [numbers for numbers, _ in filter(None, found)]
    distinct = [own for _, own in filter(None, found)]
    whole = Strings.concat(distinct).numbered()
    if whole is None:
        return None
    # Those of the first column keep their numbers, as they come first.
    parts = zip(codes[1:], _split(whole[0], distinct)[1:], strict=True)
    return [codes[0], *[memory.taken(new, old) for old, new in parts]], whole[1]


def _split(codes: Any, columns: Sequence[Strings]) -> list[Any]:
    ends = np.cumsum([len(column) for column in columns])
    return np.split(codes, ends[:-1])


def decode(encoded: Encoded, elements: Sequence[str], batch: Batch) -> Batch:
    """The columns that those of an output with some elements are meant to be."""
    made = [
        _decoded(encoded, element, column) for element, column in zip(elements, batch, strict=True)
    ]
    return tuple(chain.from_iterable(made))


def _decoded(encoded: Encoded, element: str, column: Any) -> Batch:
    dictionary, place = dictionary_of(element), place_of(element)
    wholes: Batch
    if dictionary is not None:
        wholes = (encoded.dictionaries[dictionary],)
    elif place is not None:
        argument, numbers = place
        wholes = project(encoded.given[argument], numbers)
    else:
        return (column,)
    if len(column) == length(wholes) and is_ascending(column, strictly=True):
        return wholes
    return tuple([taken(whole, column) for whole in wholes])
