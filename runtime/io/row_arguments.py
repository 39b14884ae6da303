"""Lists and maps that a caller gives, checked: Python's, NumPy's, data frames, results.

check_rows([(0, "a"), (1, "b")], WantedRows(("i64", "string")), "G")
    ->  (array([0, 1]), array(["a", "b"]))
check_map({"a": 1}, WantedMap(1, ("string", "i64")), "M")
    ->  (array(["a"]), array([1]))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError, quantity
from diablo.runtime.arrays.elements import Array, Place, convert, without_mask
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.column_types import OBJECT, Code, zeros
from diablo.runtime.io.arrow_lists import arrow_lists, column_of_lists
from diablo.runtime.io.arrow_strings import arrow_strings
from diablo.runtime.io.arrow_tables import ArrowColumn, column_of, nulls_in, table_of
from diablo.runtime.io.field_names import carried_names, fields_in, fields_of, refuse_others
from diablo.runtime.io.nested_values import (
    PLAIN_ROWS,
    columns_of,
    common_length,
    describe,
    distinct_keys,
    entry_columns,
    given_tile,
    in_process,
    map_columns,
    strings_of,
    wrong_rank,
)
from diablo.runtime.io.object_columns import columns_of_objects
from diablo.runtime.io.wanted import Wanted, WantedMap, WantedRows
from diablo.runtime.results.result_types import DistributedArray, Map, Rows, RowsOfSpark
from diablo.runtime.rows.batches import Batch
from diablo.runtime.rows.columns import AnyColumn, as_column
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.string_column import Strings, plain_column
from diablo.runtime.rows.tuples import pack, unpack
from diablo.runtime.value_kinds import (
    Kind,
    ListKind,
    ScalarKind,
    TupleKind,
    code_of_kind,
    codes_of,
    leaves,
    map_codes,
    same_names,
)
from diablo.scalar_table import BY_ELEMENT


def are_as_wanted(value: Any, wanted: WantedRows) -> bool:
    """Return whether it is columns of NumPy's with nothing to change, or to find fault with."""
    dtypes = wanted.plain_dtypes
    columns = cast("tuple[Any, ...]", value)
    if dtypes is None or type(value) is not tuple or len(columns) != len(dtypes):
        return False
    return all(
        type(column) is np.ndarray
        and column.dtype == dtype
        and column.ndim == 1
        and column.flags.c_contiguous
        and len(column) == len(columns[0])
        for column, dtype in zip(columns, dtypes, strict=True)
    )


def are_rows(value: Any, wanted: Wanted) -> bool:
    """Return whether it is a list that begins with a tuple, or a list, where rows are wanted.

    What kind of thing the others are is looked at when their parts are.
    """
    if type(value) is not list or not isinstance(wanted, WantedRows):
        return False
    values = cast("list[Any]", value)
    return isinstance(wanted.kind.row, TupleKind) and type(next(iter(values), None)) in PLAIN_ROWS


def check_plain(value: Any, wanted: WantedRows) -> Batch | None:
    """A list of many strings, or of numbers, which are looked at once; None of anything else."""
    row = wanted.kind.row
    if not isinstance(value, list):
        return None
    values = cast("list[Any]", value)
    read = columns_of_objects(values, row)
    if read is None and isinstance(row, ScalarKind) and row.type.domain == "text":
        strings = strings_of(values)
        return None if strings is None else (strings,)
    return None if read is None else tuple(read)


def rows_with_spark(value: Any, wanted: Any, name: str) -> RowsOfSpark | None:
    """Return rows, or a map, that Spark has, computed, if a program can take them where they are.

    Workers convert columns of numbers of other types, and put those with names in their order.
    """
    if isinstance(wanted, WantedMap):
        is_map = isinstance(value, Map) and value.is_with_spark
        fits = is_map and value.codes == map_codes(wanted.kind)
        return (
            RowsOfSpark(value.compute()) if fits and same_names(value.kind, wanted.kind) else None
        )
    if not isinstance(wanted, WantedRows):
        return None
    row = wanted.kind.row
    if hasattr(value, "rows_with_spark"):  # A lazy table.
        found = value.rows_with_spark(row.names if isinstance(row, TupleKind) else None)
        return found if found is not None and found.codes == codes_of(row) else None
    if not isinstance(value, Rows) or not value.is_with_spark:
        return None
    if value.codes == codes_of(row) and same_names(value.row, row):
        return RowsOfSpark(value.compute())
    columns = _names_of_columns(value.row)
    if columns is None or not all(isinstance(leaf, ScalarKind) for leaf in leaves(row)):
        return None
    kinds, examples = leaves(value.row), [example_of(code) for code in value.codes]
    # What is wrong with the types is said at once.
    wrong = wrong_type(columns, list(map(str, kinds)), examples, wanted, name)
    if wrong is not None:
        raise InputError(wrong)
    return RowsOfSpark(value.converted(_Converted(columns, wanted, name), wanted.columns, row))


def _names_of_columns(row: Kind) -> tuple[str, ...] | None:
    """Return what the columns of rows of scalars are called, if that is all that they are."""
    items = row.items if isinstance(row, TupleKind) else (row,)
    if not all(isinstance(item, ScalarKind) for item in items):
        return None
    return (row.names if isinstance(row, TupleKind) else None) or ()


def example_of(code: Code) -> AnyColumn:
    """Return a column of one value which is of every type that some of such values are of.

    >>> example_of("f8"), example_of("U")
    (array([0.]), array(['0'], dtype=object))
    """
    return np.array(["0"], OBJECT) if BY_ELEMENT["string"].code == code else zeros(1, code)


def columns_in(names: Sequence[str], wanted: WantedRows, name: str) -> Sequence[int]:
    """Return which columns of a table with these names are the fields of the rows that are wanted.

    Raises
    ------
    InputError
        There is none of some field, or more than one.
    """
    return _order(list(names), wanted.kind.row, wanted, name)


def wrong_type(
    names: Sequence[str],
    types: Sequence[str],
    examples: Sequence[AnyColumn | None],
    wanted: WantedRows,
    name: str,
) -> str | None:
    """Say which column is of a type whose values cannot be those that are wanted; None if none is.

    Parameters
    ----------
    names
        What the columns are called, or nothing.
    types
        What messages call the types of the columns.
    examples
        For each column one like `example_of`, None for what is no scalar that programs have.
    wanted
        The rows.
    name
        What messages call the whole.

    Raises
    ------
    InputError
        There are columns too many, or too few.
    """
    row = wanted.kind.row
    kinds = list(leaves(row))
    order = columns_in(names, wanted, name) if names else range(len(types))
    _check_count(len(order), kinds, wanted, name)
    for column, kind in zip(order, kinds, strict=True):
        if isinstance(kind, ScalarKind) and not _may_hold(examples[column], kind):
            what = repr(names[column]) if names else column + 1
            noun = kind.type.noun
            return f"{name}: column {what} is of type {types[column]} where {noun} is wanted"
    return None


def _may_hold(example: AnyColumn | None, kind: ScalarKind) -> bool:
    """Return whether a column with such an example may hold values of a kind."""
    if example is None:
        return False
    try:
        _check_column(example, kind, "", str)
    except InputError:
        return False
    return True


_ROW_NUMBER = re.compile(r" in row (\d+)")
_BEFORE_COLUMN = re.compile(r" in row \d+(?: of|,) column")


def row_number(message: str) -> int | None:
    """Return which row, counted from 1, a message of `check_rows` tells of, if it tells of one."""
    found = _ROW_NUMBER.search(message)
    return None if found is None else int(found[1])


def with_row_number(message: str, number: int) -> str:
    """Return what is wrong with a row, of which another number is known."""
    return _ROW_NUMBER.sub(f" in row {number}", message, 1)


def without_row_number(message: str) -> str:
    """Return what is wrong with a row of nobody knows which number.

    >>> without_row_number("there is no value in row 4 of column 'k'")
    "there is no value in column 'k'"
    >>> without_row_number("2.5 in row 2 is not an integer")
    '2.5 is not an integer'
    """
    return _ROW_NUMBER.sub("", _BEFORE_COLUMN.sub(" in column", message, count=1), count=1)


@dataclass(frozen=True)
class _Table:
    """Columns, and their names if they have any."""

    columns: Sequence[Any]
    names: Sequence[Any] = ()


class _Converted:
    """The rows of a batch as a program wants them."""

    def __init__(self, names: tuple[str, ...], wanted: WantedRows, name: str):
        self.names = names
        self.wanted = wanted
        self.name = name

    def __call__(self, batch: Batch) -> Batch:
        given = dict(zip(self.names, batch, strict=True)) if self.names else batch
        try:
            return check_rows(given, self.wanted, self.name)
        except InputError as error:
            raise InputError(without_row_number(str(error))) from None


def check_rows(value: Any, wanted: WantedRows, name: str) -> Batch:
    """Anything like a list of rows as a column batch."""
    row = wanted.kind.row
    if isinstance(value, Rows) and not same_names(value.row, row):
        value = value.to_list()
    table = _table_by_name(value, row, wanted, name)
    if table is None:
        table = _table_of(value, row, wanted, name)
    if table is not None:
        return _check_columns(table, row, wanted, name)
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InputError(f"{name}: {describe(cast(object, value))} where {wanted} is wanted")
    given = cast("Iterable[Any]", value)
    rows: list[Any] = given if isinstance(given, list) else list(given)
    if rows and isinstance(row, ScalarKind) and all(_is_row_of_one(r) for r in rows):
        rows = [one for (one,) in rows]
    try:
        columns = columns_of(rows, row, name, lambda p: f"row {p + 1}")
    except InputError:
        if rows and isinstance(row, TupleKind):
            _check_lengths(rows, row, wanted, name)  # A row of another length says more.
        raise
    return tuple(map(_contiguous, columns))


def _is_row_of_one(row: object) -> bool:
    return isinstance(row, tuple | list | np.ndarray) and len(cast("Sequence[Any]", row)) == 1


def _check_lengths(rows: list[Any], row: TupleKind, wanted: WantedRows, name: str) -> None:
    """The rows are tuples of one length, that of the row or of the row without nesting."""
    allowed = {len(row.items), len(list(leaves(row)))}
    if common_length(rows) in allowed:
        return
    if row.names is not None and any(carried_names(found) is not None for found in rows):
        return  # The names say what is wrong.
    for number, found in enumerate(rows):
        if isinstance(found, str | bytes) or not isinstance(found, Sequence | np.ndarray | np.void):
            raise InputError(f"{name}: row {number + 1} is {describe(found)}, not a tuple")
        length = len(cast("Sequence[Any]", found))
        if length not in allowed or length != len(rows[0]):
            columns = quantity(length, "column")
            raise InputError(f"{name}: row {number + 1} has {columns} where {wanted} is wanted")


def check_map(value: Any, wanted: WantedMap, name: str) -> Batch:
    """A dictionary, or pairs of key and value, as the batch of a map."""
    kind = wanted.kind
    if isinstance(value, Map) and same_names(value.kind, kind):
        columns = value.to_numpy()
        if len(columns) == len(map_codes(kind)):
            return tuple(map(as_column, columns, map_codes(kind)))
    entry = TupleKind((kind.key, kind.value))
    if isinstance(value, Rows) and not same_names(value.row, entry):
        found = [names[-1] if names else None for names in fields_of(value.row)]
        order = fields_in(found, fields_of(entry), f"{name}: the list", "field", wanted)
        refuse_others(found, order, f"{name}: the list", "field", wanted)
        table = _Table([value.to_numpy()[k] for k in order])
    else:
        table = _table_of(value, entry, wanted, name)
    if table is not None:
        *before, last = table.columns
        if getattr(getattr(last, "dtype", None), "names", None) is not None:  # packed tuples
            table = _Table([*before, *unpack(last)])
        batch = _check_columns(table, entry, wanted, name)
        if isinstance(kind.value, TupleKind):
            width = len(codes_of(kind.key))
            batch = (*batch[:width], pack(batch[width:], code_of_kind(kind.value)))
        return distinct_keys(batch, kind)
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        columns = entry_columns(list(entries), list(entries.values()), kind, name, _entry_place)
    elif isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(f"{name}: {describe(cast(object, value))} where {wanted} is wanted")
    else:
        columns = map_columns(list(cast("Iterable[Any]", value)), kind, name, _entry_place)
    return distinct_keys(tuple(map(_contiguous, columns)), kind)


def _entry_place(position: int) -> str:
    return f"entry {position + 1}"


def _contiguous(column: AnyColumn) -> AnyColumn:
    return column if isinstance(column, Lists | Strings) else np.ascontiguousarray(column)


def _check_columns(table: _Table, row: Kind, wanted: Any, name: str) -> Batch:
    """The columns of a table, converted to those of a row."""
    kinds, columns = list(leaves(row)), table.columns
    _check_count(len(columns), kinds, wanted, name)
    if len({len(column) for column in columns}) > 1:
        raise InputError(f"{name}: the columns are of different lengths")
    return tuple(
        [
            _check_column(column, kind, name, _row_place(number, table))
            for number, (column, kind) in enumerate(zip(columns, kinds, strict=True))
        ]
    )


def _check_count(columns: int, kinds: Sequence[Kind], wanted: Any, name: str) -> None:
    if columns != len(kinds):
        raise InputError(f"{name}: {quantity(columns, 'column')} where {wanted} is wanted")


def _check_column(column: Any, kind: Kind, name: str, place: Place) -> AnyColumn:
    if isinstance(column, ArrowColumn):  # of lists
        if isinstance(kind, ListKind):

            def read(part: ArrowColumn, of: Kind, at: Place) -> AnyColumn:
                return _check_column(_given_column(part, of, "it", name), of, name, at)

            return arrow_lists(column, kind, name, place, read)
        column = column.to_numpy()
    if isinstance(kind, ScalarKind) and not isinstance(column, Lists):
        is_text = kind.type.domain == "text"
        if is_text and isinstance(column, Strings):
            return column
        if isinstance(column, list):
            return columns_of(cast("list[Any]", column), kind, name, place)[0]
        column = plain_column(column)
        if is_text and (strings := strings_of(column)) is not None:
            return strings
        return np.ascontiguousarray(convert(column, kind.element, name, place))
    if isinstance(column, Lists):
        return as_column(column, code_of_kind(kind))
    return columns_of(list(column), kind, name, place)[0]


def _row_place(column: int, table: _Table) -> Place:
    which = f", column {column + 1}" if len(table.columns) > 1 else ""
    if table.names:
        which = f" of column {table.names[column]!r}"
    return lambda row: f"row {row + 1}{which}"


def _table_of(value: Any, row: Kind, wanted: Any, name: str) -> _Table | None:
    """The columns of a table, in whatever type they have; None of what is no table."""
    value = in_process(value)
    if isinstance(value, Rows):
        return _Table(value.to_numpy())
    if is_scipy_sparse(value):
        value = given_tile(value, name)
    if isinstance(value, SparseTile):
        entries = [*value.coordinates(), value.values]
        # A pattern: the indices alone are asked for.
        return _Table(entries[:-1] if len(list(leaves(row))) == value.ndim else entries)
    table = table_of(value, name)
    if table is not None:
        found = list(table.columns)
        kinds, order = _kinds(row, len(found)), _order(found, row, wanted, name)
        columns = [
            _given_column(table.iloc[:, c], kind, f"column {found[c]!r}", name)
            for c, kind in zip(order, kinds, strict=False)
        ]
        return _Table(columns, [found[c] for c in order])
    column = column_of(value, name) if isinstance(row, ScalarKind | ListKind) else None
    if column is not None and (isinstance(row, ScalarKind) or column_of_lists(column) is not None):
        return _Table([_given_column(column, _kinds(row, 1)[0], "it", name)])
    columns = None
    if isinstance(value, tuple) and value:
        columns = _columns_of_tuple(cast("tuple[Any, ...]", value), row, name)
    # An array of rows that are lists is gone through like any other list of them.
    elif isinstance(value, np.ndarray) and isinstance(row, ScalarKind | TupleKind):
        columns = _columns_of_array(cast("Array", value), row, wanted, name)
    return None if columns is None else _Table(columns)


def _table_by_name(value: Any, row: Kind, wanted: Any, name: str) -> _Table | None:
    """The columns that a dictionary has, each a list or an array; None of anything else."""
    if not isinstance(value, Mapping):
        return None
    given = cast("Mapping[Any, Any]", value)
    columns = [_named_column(column, key, name) for key, column in given.items()]
    if not columns or any(column is None for column in columns):
        return None
    names = list(given)
    order = _order(names, row, wanted, name)
    return _Table([columns[c] for c in order], [names[c] for c in order])


def _named_column(value: Any, key: Any, name: str) -> Any:
    """A column of a dictionary; None of what is none."""
    if isinstance(value, list):
        return cast("list[Any]", value)
    return _column(value, None, f"column {key!r}", name)


def _columns_of_tuple(parts: tuple[Any, ...], row: Kind, name: str) -> list[Any] | None:
    """The parts of a tuple, if all are columns."""
    columns: list[Any] = []
    for number, (part, kind) in enumerate(zip(parts, _kinds(row, len(parts)), strict=False)):
        column = _column(part, kind, f"column {number + 1}", name)
        if column is None:
            return None
        columns.append(column)
    return columns


def _column(value: Any, kind: Kind | None, what: str, name: str) -> Any:
    """A column of a table of its own; None of what is none."""
    value = value.to_numpy() if isinstance(value, DistributedArray) else in_process(value)
    if isinstance(value, Lists | Strings):
        return value
    if isinstance(value, np.ndarray):
        array = cast("Array", value)
        return without_mask(array, name) if array.ndim == 1 else None
    column = column_of(value, name)
    return None if column is None else _given_column(column, kind, what, name)


def _given_column(column: Any, kind: Kind | None, what: str, name: str) -> Any:
    """A column of a data frame, `what` it is: strings in bytes, Arrow's lists, or NumPy's array."""
    _refuse_missing(column, kind, what, name)
    lists = column_of_lists(column)
    if lists is not None:
        return lists
    strings = arrow_strings(column)
    return without_mask(column.to_numpy(), name) if strings is None else strings


def _kinds(row: Kind, columns: int) -> list[Kind | None]:
    """Return what each column of a table holds, as far as that is known."""
    return [*leaves(row), *[None] * columns]


def _refuse_missing(series: Any, kind: Kind | None, column: str, name: str) -> None:
    """Raise an `InputError` if a column of a data frame lacks a value; NaN is one of a float."""
    nulls = nulls_in(series)
    if nulls is not None:
        row = int(nulls.argmax()) + 1
        raise InputError(f"{name}: there is no value in row {row} of {column}")
    floats = isinstance(kind, ScalarKind) and kind.type.domain in ("floating", "complex")
    if kind is None or not hasattr(series, "isna") or (floats and series.dtype.kind in "fc"):
        return
    for row in np.flatnonzero(series.isna().to_numpy()).tolist():
        if not (floats and isinstance(series.iloc[row], float | complex)):
            raise InputError(f"{name}: there is no value in row {row + 1} of {column}")


def _order(found: list[Any], row: Kind, wanted: Any, name: str) -> Sequence[int]:
    """Return which columns of a table the fields of a row are; there may be others."""
    return fields_in(found, fields_of(row), f"{name}: the table", "column", wanted)


def _columns_of_array(array: Array, row: Kind, wanted: Any, name: str) -> list[Array] | None:
    fields = array.dtype.names
    if fields is not None:
        if any(array.dtype[field].names is not None for field in fields):
            return None
        return [array[fields[c]] for c in _order(list(fields), row, wanted, name)]
    if array.ndim == 1 and len(list(leaves(row))) == 1:
        return [array]
    if array.ndim != 2:
        raise wrong_rank(array, wanted, name)
    return [array[:, c] for c in range(array.shape[1])]
