"""From Python's values to columns and arrays: tuples, records, lists, maps, nested as they like.

    columns_of([(1, ("a", [2, 3])), …], kind of (Int, (String, list[Int])), "G", place)
        ->  array([1, …]), array(["a", …]), Lists([[2, 3], …])
    check_array([[1, 2], [3, 4]], WantedArray(2, "f64"), "A")   ->   array([[1., 2.], [3., 4.]])

Rows hold arrays, and arrays hold tuples and lists, so that the two are one module.

`place(position)` says, in an error message, where a value stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, TypeVar, cast

import numpy as np

from diablo.costs import MOST_WITH_DRIVER
from diablo.diagnostics import InputError, quantity
from diablo.runtime.arrays.elements import (
    DTYPES,
    Array,
    Place,
    are_texts,
    convert,
    distinct,
    numbers_of,
    refuse_other_scalars,
    shown,
    without_mask,
)
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse, tile_of_scipy
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import OBJECT
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.io.arrow_tables import columns_within, nulls_in
from diablo.runtime.io.field_names import (
    Names,
    carried_names,
    fields_in,
    fields_of,
    refuse_others,
)
from diablo.runtime.io.object_columns import columns_of_objects
from diablo.runtime.io.wanted import Wanted, WantedArray
from diablo.runtime.kernels.device_memory import is_lent_by_device, is_on_device
from diablo.runtime.results.python_values import python_array
from diablo.runtime.results.result_types import DistributedArray
from diablo.runtime.rows.columns import AnyColumn, empty_column
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.maps import update
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.rows.tuples import is_packed, pack
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
    same_names,
)

PLAIN_ROWS: set[type] = {tuple, list}
"""The types of rows that are nothing more than their parts."""
_MOST_UNPACKED = 32
"""How many parts rows have at most that are unpacked: it costs more the more they are."""
_FIRST_HALF = 0xD800
"""The first of the code points that are half of a pair, 2048 of them: they are no characters."""


def columns_of(values: Sequence[Any], kind: Kind, name: str, place: Place) -> list[AnyColumn]:
    """The columns that hold values of a kind, one for each leaf of it.

    Raises
    ------
    InputError
        For the first value that is not of the kind; it calls the whole `name`.
    """
    read = columns_of_objects(values, kind)
    if read is not None:
        return read
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
    plain = distinct(map(type, values)) <= PLAIN_ROWS
    if not plain:
        values = cast("Sequence[Any]", without_mask(values, name))
        if fields:
            values = _by_names(values, fields, whole, name, place)
            plain = distinct(map(type, values)) <= PLAIN_ROWS
    first = _first_parts(values, width) if plain else None
    if first is None and any(_length(value) != width for value in values):
        position = next(p for p, value in enumerate(values) if _length(value) != width)
        raise _no_tuple(values[position], kind, name, place(position))
    columns: list[AnyColumn] = []
    for number, item in enumerate(kind.items):
        part = list(map(itemgetter(number), values)) if number or first is None else first
        where = f"column {number + 1}" if kind.names is None else f"field {kind.names[number]}"
        columns += columns_of(part, item, name, lambda p, where=where: f"{place(p)}, {where}")
    return columns


def _first_parts(values: Sequence[Any], width: int) -> list[Any] | None:
    """Return the first part of each row, if all have so many; they are tuples and lists.

    To unpack rows takes no longer than to look at one part, and says how long they are.
    """
    if not 0 < width <= _MOST_UNPACKED:
        return None
    try:
        return _unpacking(width)(values)
    except ValueError:
        return None


@cache
def _unpacking(width: int) -> Callable[[Sequence[Any]], list[Any]]:
    """A function that returns the first of so many parts of each row."""
    parts = "".join(f"part_{k}, " for k in range(width))
    return eval(f"lambda rows: [part_0 for {parts}in rows]")


def common_length(values: Sequence[Any]) -> int | None:
    """Return how long all values are, if they are tuples and lists of one length: a quick look."""
    if distinct(map(type, values)) <= {tuple, list}:
        lengths = distinct(map(len, values))
        return lengths.pop() if len(lengths) == 1 else None
    return None


def _length(value: object) -> int | None:
    """Return how many parts a tuple has; None of what is no tuple."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray | np.void):
        return None
    return len(cast("Sequence[Any]", value))


def _no_tuple(value: Any, kind: TupleKind, name: str, where: str) -> InputError:
    length = _length(value)
    if length is None:
        what = "a tuple" if kind.names is None else f"a record {kind}"
        return InputError(f"{name}: {where} is {describe(value)}, not {what}")
    return InputError(f"{name}: {where} has {quantity(length, 'column')} where {kind} is wanted")


def _by_names(
    values: Sequence[Any], fields: Sequence[Names], kind: TupleKind, name: str, place: Place
) -> list[Any]:
    """Rows that carry names with their parts in the order of the fields; others as they are."""
    known: tuple[list[Any], Sequence[int]] | None = None

    def order(position: int) -> Sequence[int] | None:
        """Return where the fields are in the row at a position, if it carries names."""
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

    if len(types := distinct(map(type, values))) == 1:
        keys: Sequence[Any] | None = None
        if types == {dict}:
            orders = distinct(cast("Iterable[tuple[Any, ...]]", map(tuple, values)))
            keys = orders.pop() if len(orders) == 1 else None
        elif issubclass(types.pop(), tuple):
            keys = range(len(values[0]))  # Those of all: named tuples of one class.
        if keys is not None and (places := order(0)) is not None:
            columns = [map(itemgetter(keys[k]), values) for k in places]
            return list(zip(*columns, strict=True))
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
    if isinstance(values, list):
        refuse_other_scalars(values, kind.element, name, place)
    return convert(_object_free(values), kind.element, name, place)


def strings_of(values: Sequence[Any]) -> Strings | None:
    """The column of many strings; None of few, and where something is no string, or no text."""
    if isinstance(values, np.ndarray):
        array = cast(Array, values)
        if array.dtype.kind == "U":
            native = array.dtype.newbyteorder("=")
            codes = np.ascontiguousarray(array, native).view(np.uint32)
            # Of most texts the largest character shows that none is half of a pair.
            if codes.size and int(codes.max()) >= _FIRST_HALF:
                halves = (codes & 0xFFFFF800) == _FIRST_HALF
                if halves.any():
                    return None
            return Strings.of_array(array)
        values = array.tolist()
    try:
        return Strings.of_characters(values)
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
    """Return what all lists hold, one after the other; their lengths; where each thing stands."""
    for position, value in enumerate(values):
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            found = describe(cast(object, value))
            raise InputError(f"{name}: {found} in {place(position)} where {what} is wanted")
    rows = [list(cast("Iterable[Any]", value)) for value in values]
    return list(chain.from_iterable(rows)), *element_places([*map(len, rows)], place)


def element_places(lengths: Sequence[int] | Array, place: Place) -> tuple[Array, Place]:
    """Return how long lists are, and where each thing that they hold stands."""
    sizes = np.asarray(lengths, np.int64)
    ends = np.cumsum(sizes)

    def inner_place(position: int) -> str:
        row = int(np.searchsorted(ends, position, "right"))
        return f"{place(row)}, element {position - int(ends[row] - sizes[row]) + 1}"

    return sizes, inner_place


def _are_vectors_of_numbers(values: Sequence[Any]) -> bool:
    """Return whether all are vectors of NumPy's of one type of numbers or Booleans."""
    if distinct(map(type, values)) != {np.ndarray} or values[0].dtype.kind not in "biufc":
        return False
    return len({value.dtype for value in values}) == 1 and all(value.ndim == 1 for value in values)


def _lists(values: Sequence[Any], kind: ListKind, name: str, place: Place) -> Lists:
    if isinstance(kind.row, ScalarKind) and _are_vectors_of_numbers(values):
        lengths, inner = element_places([*map(len, values)], place)
        return Lists.of_lengths(
            [convert(np.concatenate(values), kind.row.element, name, inner)], lengths
        )
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
    if len(pairs) and common_length(pairs) != 2:
        for position, pair in enumerate(pairs):
            if _length(pair) != 2:
                raise _no_tuple(pair, TupleKind((kind.key, kind.value)), name, place(position))
    keys, values = (list(map(itemgetter(number), pairs)) for number in (0, 1))
    return entry_columns(keys, values, kind, name, place)


def entry_columns(
    keys: list[Any], values: list[Any], kind: MapKind, name: str, place: Place
) -> list[AnyColumn]:
    """The columns of keys and their values."""
    if not keys:
        return [empty_column(code) for code in map_codes(kind)]
    columns = columns_of(keys, kind.key, name, lambda p: f"the key of {place(p)}")
    return [*columns, packed_column(values, kind.value, name, lambda p: f"the value of {place(p)}")]


def distinct_keys(columns: Sequence[AnyColumn], kind: MapKind) -> tuple[AnyColumn, ...]:
    """The batch of a map, with the last of the values that are given for a key."""
    batch = tuple(columns)
    return update(tuple([column[:0] for column in batch]), batch, len(codes_of(kind.key)))


def _arrays(values: Sequence[Any], kind: ArrayKind, name: str, place: Place) -> Array:
    wanted = WantedArray(kind.rank, element_code(kind.element), kind.element)
    column = np.empty(len(values), OBJECT)
    for position, value in enumerate(values):
        column[position] = check_array(value, wanted, f"{name}, {place(position)}")
    return column


AnyArray = TypeVar("AnyArray", bound=Array | SparseTile | DeviceArray)


def array_with_spark(value: Any, wanted: Wanted, name: str) -> DistributedArray | None:
    """An array that Spark has, computed, if a program can take it where it is."""
    if not isinstance(wanted, WantedArray):
        return None
    if hasattr(value, "array_with_spark"):  # A lazy array.
        value = value.array_with_spark()
    if not isinstance(value, DistributedArray):
        return None
    if not value.is_with_spark or value.element != wanted.kind.element:
        return None
    if not value.is_sparse and value.size <= MOST_WITH_DRIVER:
        return None  # The driver may be who needs it.
    if value.ndim != wanted.rank:
        raise wrong_rank(value, wanted, name)
    return value.compute()


def check_array(value: Any, wanted: WantedArray, name: str) -> Array | SparseTile | DeviceArray:
    """Anything like an array as a NumPy array, or a `SparseTile` if it is stored sparsely.

    What a device has stays there, as a `DeviceArray`, if it has the right type.
    """
    element = wanted.kind.element
    if is_as_wanted(value, wanted):
        return value
    value = without_mask(value, name)
    if _is_there(value):
        there = _device_array(value)
        scalar = element.type if isinstance(element, ScalarKind) else None
        if scalar is not None and scalar.in_machine_code and there.dtype == np.dtype(scalar.code):
            return _of_rank(there, wanted, name)
        value = there.on_host()
    if isinstance(value, DistributedArray):
        given, tile = value, value.collect()
        if isinstance(element, ScalarKind):
            value = tile
        elif given.code == element_code(element) and same_names(given.element, element):
            return _of_rank(tile, wanted, name)
        elif isinstance(tile, SparseTile) and isinstance(element, TupleKind):
            entries = python_array(ArrayKind(1, given.element), tile.elements)
            vector = WantedArray(1, wanted.element, element)
            elements = _check_structured(entries, vector, name)
            return _of_rank(tile.with_elements(elements), wanted, name)
        else:
            value = given.to_numpy()
    if is_scipy_sparse(value) or isinstance(value, SparseTile):
        return _check_sparse(value, wanted, name)
    if not isinstance(element, ScalarKind):
        return _check_structured(value, wanted, name)
    is_text = element.type.domain == "text"
    listed = cast("list[Any]", value) if isinstance(value, list) else None
    if is_text and wanted.rank == 1 and listed is not None and are_texts(listed):
        value = np.array(listed, object)  # NumPy would make them as long as the longest first.
    _refuse_nulls(value, name)
    _refuse_other_scalars(value, wanted.rank, element.element, name)
    array = read_array(value, name)
    if array.dtype.kind in "US" and isinstance(value, list | tuple):
        array = np.asarray(value, object)  # NumPy would read a number beside a string as text.
    if array.ndim == 0:
        scalar: Any = cast("Any", value) if array.dtype.kind == "O" else array.item()
        raise InputError(f"{name}: {describe(scalar)} where {wanted} is wanted")
    if array.ndim != wanted.rank:
        raise wrong_rank(array, wanted, name)
    if is_text and not isinstance(value, np.ndarray):
        array = np.asarray(value, object)
    return np.ascontiguousarray(convert(array, element.element, name, _place_in(array.shape)))


def read_array(value: Any, name: str) -> Array:
    """Return anything like an array as NumPy reads it, or raise an `InputError`."""
    try:
        return np.asarray(value) if hasattr(value, "dtype") else numbers_of(value)
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise InputError(f"{name}: the rows are of different lengths") from None
        raise InputError(f"{name}: {describe(value)} gives no array: {error}") from None


def _refuse_other_scalars(
    value: Any, rank: int, element: str, name: str, index: tuple[int, ...] = ()
) -> None:
    """Refuse numbers of another type in lists; arrays, also in lists, go by their type."""
    if not isinstance(value, list | tuple):
        return
    parts = cast("Sequence[Any]", value)
    if rank == 1:
        place: Place = lambda p: f"[{', '.join(map(str, (*index, p)))}]"  # noqa: E731
        refuse_other_scalars(parts, element, name, place)
        return
    for position, part in enumerate(parts):
        _refuse_other_scalars(part, rank - 1, element, name, (*index, position))


def is_as_wanted(value: Any, wanted: WantedArray) -> bool:
    """Return whether it is an array of NumPy's with nothing to change, or to find fault with."""
    return (
        type(value) is np.ndarray
        and value.ndim == wanted.rank
        and value.dtype == wanted.plain_dtype
        and value.flags.c_contiguous
    )


def in_process(value: Any) -> Any:
    """Return an array that another library has on a device as NumPy's; anything else as it is."""
    is_other = not isinstance(value, DistributedArray) and _is_there(value)
    return _device_array(value).on_host() if is_other else value


def _is_there(value: Any) -> bool:
    """Return whether a device has an array; a result is not computed for that."""
    return is_on_device(value) or (
        not isinstance(value, DistributedArray) and is_lent_by_device(value)
    )


def _device_array(value: Any) -> DeviceArray:
    """Return what a caller has on a device, which it may still use."""
    there = value.on_device if isinstance(value, DistributedArray) else None
    if there is not None:
        return there.lent()
    from diablo.runtime.device.found_device import find_devices

    devices = find_devices("gpu:all")
    for device in devices:
        raw = device.adopted(value)
        if raw is not None:
            return DeviceArray.there(device, raw).lent()
    raise InputError(f"an array is in the memory of another device than {devices[0].name}")


def _refuse_nulls(value: Any, name: str) -> None:
    """Raise an `InputError` for the first null of the columns that an array is given as."""
    if isinstance(value, np.ndarray):
        return
    for number, column in enumerate(columns_within(value)):
        nulls = nulls_in(column)
        if nulls is not None:
            index = [int(nulls.argmax()), number]
            if column is value:
                index.pop()
            elif isinstance(value, list | tuple):
                index.reverse()  # They are rows of a matrix.
            place = ", ".join(map(str, index))
            raise InputError(f"{name}: there is no value in [{place}]")


def _of_rank(array: AnyArray, wanted: WantedArray, name: str) -> AnyArray:
    if array.ndim != wanted.rank:
        raise wrong_rank(array, wanted, name)
    return array


def _place_in(shape: tuple[int, ...]) -> Place:
    """Return how a message speaks of an element, given its row-major position."""

    def place(position: int) -> str:
        index = np.unravel_index(position, shape)
        return f"[{', '.join(str(int(i)) for i in index)}]"

    return place


def _check_sparse(value: Any, wanted: WantedArray, name: str) -> SparseTile:
    if value.ndim != wanted.rank:
        raise wrong_rank(value, wanted, name)
    tile = value if isinstance(value, SparseTile) else given_tile(value, name)

    def place(position: int) -> str:
        index = [int(c[position]) for c in tile.pattern.coordinates()]
        return f"[{', '.join(map(str, index))}]"

    element = wanted.kind.element
    if not isinstance(element, ScalarKind):
        raise InputError(f"{name}: a sparse array of numbers where {wanted} is wanted")
    if tile.dtype.kind == "f" and tile.dtype == DTYPES[element.element]:
        return tile  # Without a look at its elements, which may never be needed as such.
    values = convert(tile.elements, element.element, name, place)
    return tile if values is tile.elements else tile.with_elements(values)


def given_tile(matrix: Any, name: str) -> SparseTile:
    """A SciPy sparse array as a tile; an `InputError` if its vectors do not fit each other."""
    try:
        return tile_of_scipy(matrix)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def _check_structured(value: Any, wanted: WantedArray, name: str) -> Array:
    """An array of tuples, arrays or lists: NumPy's structured or object arrays, nested lists."""
    element, rank = wanted.kind.element, wanted.rank
    array = cast(Array, value) if isinstance(value, np.ndarray) else None
    if array is not None and array.dtype.names is not None:
        if array.ndim != rank:
            raise wrong_rank(array, wanted, name)
        if is_packed(array, element_code(element)):
            return array
        return _check_fields(array, wanted, name)
    level: list[Any] = [value]
    shape: tuple[int, ...] = ()
    for _ in range(rank):
        for part in level:
            if isinstance(part, str | bytes | dict) or not isinstance(part, Iterable):
                raise InputError(f"{name}: {describe(cast(object, part))} where {wanted} is wanted")
        rows = [list(cast("Iterable[Any]", part)) for part in level]
        lengths = {len(row) for row in rows}
        if len(lengths) > 1:
            raise InputError(f"{name}: the rows are of different lengths")
        shape = (*shape, lengths.pop() if lengths else 0)
        level = list(chain.from_iterable(rows))
    columns = columns_of(level, element, name, _place_in(shape))
    return cast(Array, pack(columns, element_code(element))).reshape(shape)


def _check_fields(array: Array, wanted: WantedArray, name: str) -> Array:
    element = wanted.kind.element
    kinds = list(leaves(element))
    names = list(array.dtype.names or ())
    place = _place_in(array.shape)
    if not isinstance(element, TupleKind):
        raise InputError(f"{name}: {quantity(len(names), 'field')} where {wanted} is wanted")
    if any(array.dtype[field].names is not None for field in names):
        nested = columns_of(list(array.reshape(-1)), element, name, place)
        return cast(Array, pack(nested, element_code(element))).reshape(array.shape)
    order = fields_in(names, fields_of(element), f"{name}: the array", "field", wanted)
    refuse_others(names, order, f"{name}: the array", "field", wanted)
    if len(order) != len(kinds):
        raise InputError(f"{name}: {quantity(len(names), 'field')} where {wanted} is wanted")
    columns: list[Any] = []
    for field, kind in zip([names[k] for k in order], kinds, strict=True):
        where: Place = lambda p, f=field: f"{place(p)}, field {f}"  # noqa: E731
        if isinstance(kind, ScalarKind):
            columns.append(convert(array[field].reshape(-1), kind.element, name, where))
        else:
            columns += columns_of(array[field].reshape(-1).tolist(), kind, name, where)
    return pack(columns, element_code(element)).reshape(array.shape)


def wrong_rank(value: Any, wanted: Wanted, name: str) -> InputError:
    """The error for an array of another rank than the wanted one."""
    shape = " x ".join(str(extent) for extent in value.shape)
    dimensions = quantity(value.ndim, "dimension")
    return InputError(f"{name}: {dimensions} ({shape}) where {wanted} is wanted")


def describe(value: Any) -> str:
    """A value that is not what is wanted, for a message."""
    if hasattr(value, "item") and np.ndim(value) == 0:
        value = value.item()
    if isinstance(value, bool | int | float | str):
        return shown(value)
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
