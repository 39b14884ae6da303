"""From Python's values to columns: tuples, records, lists, maps and arrays, nested as they like.

    columns_of([(1, ("a", [2, 3])), …], kind of (Int, (String, list[Int])), "G", place)
        ->  array([1, …]), array(["a", …]), Lists([[2, 3], …])

`place(position)` says, in an error message, where a value stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.arrays.elements import Array, Place, convert, numbers_of, plural
from diablo.runtime.column_types import OBJECT
from diablo.runtime.io.field_names import (
    Names,
    carried_names,
    fields_in,
    fields_of,
    refuse_others,
)
from diablo.runtime.rows.columns import AnyColumn, empty_column
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.maps import update
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.rows.tuples import pack
from diablo.runtime.value_kinds import (
    ArrayKind,
    Kind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    code_of_kind,
    codes_of,
    element_code,
    leaves,
    map_codes,
)


def columns_of(values: Sequence[Any], kind: Kind, name: str, place: Place) -> list[AnyColumn]:
    """The columns that hold values of a kind, one for each leaf of it.

    Raises
    ------
    InputError
        For the first value that is not of the kind; it calls the whole `name`.
    """
    if isinstance(kind, TupleKind):
        return _columns_of_tuples(values, kind, name, place)
    if not len(values):
        return [empty_column(code_of_kind(kind))]
    match kind:
        case ScalarKind():
            return [_scalars(values, kind, name, place)]
        case ListKind():
            return [_lists(values, kind, name, place)]
        case MapKind():
            return [_maps(values, kind, name, place)]
        case ArrayKind():
            return [_arrays(values, kind, name, place)]


def packed_column(values: Sequence[Any], kind: Kind, name: str, place: Place) -> AnyColumn:
    """The one column that holds values of a kind, in which tuples are packed."""
    columns = columns_of(values, kind, name, place)
    return pack(columns, code_of_kind(kind)) if isinstance(kind, TupleKind) else columns[0]


def _columns_of_tuples(
    values: Sequence[Any], kind: TupleKind, name: str, place: Place
) -> list[AnyColumn]:
    width = len(kind.items)
    if not len(values):
        return [empty_column(code) for code in codes_of(kind)]
    flat = tuple(leaves(kind))
    fields: list[Names] = [(own,) for own in kind.names or ()]
    whole = kind
    if len(flat) != width and _length(values[0]) == len(flat):
        fields = fields_of(kind)
        kind, width = TupleKind(flat), len(flat)  # A tuple may be given flat, as in a table.
    if fields and not set(map(type, values)) <= {tuple, list}:
        values = _by_names(values, fields, whole, name, place)
    if common_length(values) != width and any(_length(value) != width for value in values):
        position = next(p for p, value in enumerate(values) if _length(value) != width)
        raise _no_tuple(values[position], kind, name, place(position))
    columns: list[AnyColumn] = []
    for number, item in enumerate(kind.items):
        part = list(map(itemgetter(number), values))
        where = f"column {number + 1}" if kind.names is None else f"field {kind.names[number]}"
        columns += columns_of(part, item, name, lambda p, where=where: f"{place(p)}, {where}")
    return columns


def common_length(values: Sequence[Any]) -> int | None:
    """How long all the values are, if they are tuples and lists of one length: a quick look."""
    if set(map(type, values)) <= {tuple, list}:
        lengths = set(map(len, values))
        return lengths.pop() if len(lengths) == 1 else None
    return None


def _length(value: object) -> int | None:
    """How many parts a tuple has; None of what is no tuple."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray | np.void):
        return None
    return len(cast("Sequence[Any]", value))


def _no_tuple(value: Any, kind: TupleKind, name: str, where: str) -> InputError:
    length = _length(value)
    if length is None:
        what = "a tuple" if kind.names is None else f"a record {kind}"
        return InputError(f"{name}: {where} is {describe(value)}, not {what}")
    return InputError(f"{name}: {where} has {plural(length, 'column')} where {kind} is wanted")


def _by_names(
    values: Sequence[Any], fields: Sequence[Names], kind: TupleKind, name: str, place: Place
) -> list[Any]:
    """Rows that carry names with their parts in the order of the fields; others as they are."""
    known: tuple[list[Any], Sequence[int]] | None = None

    def order(position: int) -> Sequence[int] | None:
        """Where the fields are in the row at a position, if it carries names."""
        nonlocal known
        found = carried_names(values[position])
        if found is None:
            return None
        if known is None or found != known[0]:
            where = f"{name}: {place(position)}"
            is_object = isinstance(values[position], Mapping)
            places = fields_in(found, fields, where, "field", kind, numbered=not is_object)
            if not is_object:  # A JSON file may hold more than a program asks for, as tables do.
                refuse_others(found, places[: len(fields)], where, "field", kind)
            known = found, places
        return known[1]

    if len(set(map(type, values))) == 1 and isinstance(values[0], tuple):
        places = order(0)  # That of all: named tuples of one class.
        if places is not None:
            return list(zip(*[map(itemgetter(k), values) for k in places], strict=True))
    result: list[Any] = []
    for position, value in enumerate(values):
        places = order(position)
        if places is not None:
            if isinstance(value, Mapping):
                value = list(cast("Mapping[Any, Any]", value).values())
            value = tuple([value[k] for k in places])
        result.append(value)
    return result


def _scalars(values: Sequence[Any], kind: ScalarKind, name: str, place: Place) -> AnyColumn:
    if kind.type.domain == "text" and (strings := strings_of(values)) is not None:
        return strings
    return convert(_object_free(values), kind.element, name, place)


def strings_of(values: Sequence[Any]) -> Strings | None:
    """The column of many strings; None of few, and where something is no string."""
    if isinstance(values, np.ndarray):
        array = cast(Array, values)
        if array.dtype.kind == "U":
            return Strings.of_array(array)
        values = array.tolist()
    try:
        return Strings.of(values)
    except TypeError:
        return None


def _object_free(values: Sequence[Any]) -> Array:
    """A column of scalars, in the type that NumPy finds for them; of objects if in none."""
    if isinstance(values, np.ndarray):
        return cast(Array, values)
    try:
        column = None if isinstance(values[0], str) else numbers_of(values)
    except ValueError:
        column = None
    if column is None or column.ndim != 1 or column.dtype.kind not in "biufc":
        # Keep the values as they are, for the message about the first that is wrong.
        column = np.empty(len(values), OBJECT)
        column[:] = values
    return column


def _members(
    values: Sequence[Any], what: Kind, name: str, place: Place
) -> tuple[list[Any], Array, Place]:
    """What all the lists hold, one after the other; their lengths; where each thing stands."""
    for position, value in enumerate(values):
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            found = describe(cast(object, value))
            raise InputError(f"{name}: {found} in {place(position)} where {what} is wanted")
    rows = [list(cast("Iterable[Any]", value)) for value in values]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    ends = np.cumsum(lengths)

    def inner_place(position: int) -> str:
        row = int(np.searchsorted(ends, position, "right"))
        return f"{place(row)}, element {position - int(ends[row] - lengths[row]) + 1}"

    return list(chain.from_iterable(rows)), lengths, inner_place


def _lists(values: Sequence[Any], kind: ListKind, name: str, place: Place) -> Lists:
    members, lengths, inner = _members(values, kind, name, place)
    return Lists.of_lengths(columns_of(members, kind.row, name, inner), lengths)


def _maps(values: Sequence[Any], kind: MapKind, name: str, place: Place) -> Lists:
    pairs = [
        cast("Mapping[Any, Any]", value).items() if isinstance(value, Mapping) else value
        for value in values
    ]
    members, lengths, inner = _members(pairs, kind, name, place)
    return Lists.of_lengths(map_columns(members, kind, name, inner), lengths)


def map_columns(pairs: Sequence[Any], kind: MapKind, name: str, place: Place) -> list[AnyColumn]:
    """The columns of pairs of key and value: the key's, and one for the value."""
    if not len(pairs):
        return [empty_column(code) for code in map_codes(kind)]
    if common_length(pairs) != 2:
        for position, pair in enumerate(pairs):
            if _length(pair) != 2:
                raise _no_tuple(pair, TupleKind((kind.key, kind.value)), name, place(position))
    keys, values = (list(map(itemgetter(number), pairs)) for number in (0, 1))
    columns = columns_of(keys, kind.key, name, lambda p: f"the key of {place(p)}")
    return [*columns, packed_column(values, kind.value, name, lambda p: f"the value of {place(p)}")]


def distinct_keys(columns: Sequence[AnyColumn], kind: MapKind) -> tuple[AnyColumn, ...]:
    """The batch of a map, with the last of the values that are given for a key."""
    batch = tuple(columns)
    return update(tuple([column[:0] for column in batch]), batch, len(codes_of(kind.key)))


def _arrays(values: Sequence[Any], kind: ArrayKind, name: str, place: Place) -> Array:
    from diablo.runtime.io.array_arguments import check_array
    from diablo.runtime.io.wanted import WantedArray

    wanted = WantedArray(kind.rank, element_code(kind.element), kind.element)
    column = np.empty(len(values), OBJECT)
    for position, value in enumerate(values):
        column[position] = check_array(value, wanted, f"{name}, {place(position)}")
    return column


def describe(value: Any) -> str:
    """A value that is not what is wanted, for a message."""
    if hasattr(value, "item") and np.ndim(value) == 0:
        value = value.item()
    if isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:40] + "…")
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
