"""What a caller gives to a program, checked and turned into what programs compute with.

    check_argument([(0, 1), (0, 2)], WantedRows(("i64", "i64")), "G")
        ->  (array([0, 0]), array([1, 2]))
    check_argument(scipy_matrix, WantedArray(2, "f64"), "A")   ->  SparseTile

Scalars stay Python scalars, arrays become C-order NumPy arrays or `SparseTile`s, lists of
rows become column batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.arrays.elements import DTYPES, NOUNS, SOURCE_NAMES, Array, convert, plural
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse, tile_of_scipy
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.results import DistributedArray, Rows
from diablo.runtime.rows.batches import Batch


@dataclass(frozen=True)
class WantedScalar:
    """One value of an element type (`"i64"`, `"f64"`, `"f32"`, `"i1"`)."""

    element: str

    def __str__(self) -> str:
        return SOURCE_NAMES[self.element]


@dataclass(frozen=True)
class WantedRows:
    """A list of rows, given the element type of each column."""

    columns: tuple[str, ...]

    def __str__(self) -> str:
        names = ", ".join(SOURCE_NAMES[c] for c in self.columns)
        return f"list[({names})]" if len(self.columns) != 1 else f"list[{names}]"


@dataclass(frozen=True)
class WantedArray:
    """An array of a rank and element type; how it is stored is the caller's choice."""

    rank: int
    element: str

    def __str__(self) -> str:
        kind = {1: "vector", 2: "matrix"}.get(self.rank, f"array{self.rank}")
        return f"{kind}[{SOURCE_NAMES[self.element]}]"


Wanted = WantedScalar | WantedRows | WantedArray


def check_argument(value: Any, wanted: Wanted, name: str) -> Any:
    """`value` in the form that programs take, or an `InputError` that calls it `name`."""
    if isinstance(wanted, WantedScalar):
        return check_scalar(value, wanted, name)
    if isinstance(wanted, WantedArray):
        return check_array(value, wanted, name)
    return check_rows(value, wanted, name)


def parse_scalar(text: str, wanted: WantedScalar, name: str) -> int | float | bool:
    """The scalar that a command line spells, `true` and `false` for Booleans."""
    text = text.strip()
    try:
        if wanted.element == "i1":
            return {"true": True, "false": False}[text.lower()]
        if wanted.element == "i64":
            return check_scalar(int(text), wanted, name)
        return float(text)
    except (ValueError, KeyError):
        raise InputError(f"{name}: {text!r} is not {NOUNS[wanted.element]}") from None


def check_scalar(value: Any, wanted: WantedScalar, name: str) -> int | float | bool:
    """A Python or NumPy scalar as the Python scalar of the wanted type."""
    value = _python_scalar(value)
    is_bool = isinstance(value, bool)
    if wanted.element == "i1" and is_bool:
        return value
    if wanted.element == "i64" and isinstance(value, int) and not is_bool:
        if not -(2**63) <= value < 2**63:
            raise InputError(f"{name}: {value} does not fit in 64 bits")
        return value
    if wanted.element in ("f64", "f32") and isinstance(value, int | float) and not is_bool:
        try:
            return float(value)
        except OverflowError:
            raise InputError(f"{name}: this number is too large for a Double") from None
    raise InputError(f"{name}: {_describe(value)} where {NOUNS[wanted.element]} is wanted")


def _python_scalar(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        array = cast("Array", value)
        return array.item() if array.ndim == 0 else array
    return value


def check_array(value: Any, wanted: WantedArray, name: str) -> Array | SparseTile:
    """Anything like an array as a NumPy array, or a `SparseTile` if it is stored sparsely."""
    if isinstance(value, DistributedArray):
        value = value.collect()
    if is_scipy_sparse(value) or isinstance(value, SparseTile):
        return _check_sparse(value, wanted, name)
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"{name}: the rows are of different lengths") from None
    if array.ndim == 0:
        raise InputError(f"{name}: {_describe(_python_scalar(value))} where {wanted} is wanted")
    if array.ndim != wanted.rank:
        raise _wrong_rank(array, wanted, name)

    def place(position: int) -> str:
        index = np.unravel_index(position, array.shape)
        return f"[{', '.join(str(int(i)) for i in index)}]"

    return np.ascontiguousarray(convert(array, wanted.element, name, place))


def _check_sparse(value: Any, wanted: WantedArray, name: str) -> SparseTile:
    if value.ndim != wanted.rank:
        raise _wrong_rank(value, wanted, name)
    tile = value if isinstance(value, SparseTile) else tile_of_scipy(value)

    def place(position: int) -> str:
        index = [int(c[position]) for c in tile.coordinates()]
        return f"[{', '.join(map(str, index))}]"

    values = convert(tile.values, wanted.element, name, place)
    return SparseTile(tile.shape, tile.dense_rank, tile.indptr, tile.indices, values)


def _wrong_rank(value: Any, wanted: Wanted, name: str) -> InputError:
    shape = " x ".join(str(extent) for extent in value.shape)
    dimensions = plural(value.ndim, "dimension")
    return InputError(f"{name}: {dimensions} ({shape}) where {wanted} is wanted")


def check_rows(value: Any, wanted: WantedRows, name: str) -> Batch:
    """Anything like a list of rows as a column batch."""
    columns = _columns(value, wanted, name)
    count = len(wanted.columns)
    if len(columns) != count:
        raise InputError(f"{name}: {plural(len(columns), 'column')} where {wanted} is wanted")
    if len({len(column) for column in columns}) > 1:
        raise InputError(f"{name}: the columns are of different lengths")
    return tuple(
        [
            np.ascontiguousarray(
                convert(column, element, name, lambda row, c=number: _row_place(row, c, count))
            )
            for number, (column, element) in enumerate(zip(columns, wanted.columns, strict=True))
        ]
    )


def _row_place(row: int, column: int, columns: int) -> str:
    return f"row {row + 1}" + (f", column {column + 1}" if columns > 1 else "")


def _columns(value: Any, wanted: WantedRows, name: str) -> list[Array]:
    """The columns of anything like a table, in whatever type they have."""
    if isinstance(value, Rows):
        return list(value.to_numpy())
    if is_scipy_sparse(value):
        value = tile_of_scipy(value)
    if isinstance(value, SparseTile):
        entries = [*value.coordinates(), value.values]
        # A pattern: the indices alone are asked for.
        return entries[:-1] if len(wanted.columns) == value.ndim else entries
    if hasattr(value, "iloc") and hasattr(value, "columns"):  # a pandas DataFrame
        return [value.iloc[:, c].to_numpy() for c in range(len(value.columns))]
    if isinstance(value, tuple) and value:
        columns = cast("tuple[Any, ...]", value)
        if all(isinstance(c, np.ndarray) and c.ndim == 1 for c in columns):
            return list(columns)
    if isinstance(value, np.ndarray):
        return _columns_of_array(cast("Array", value), wanted, name)
    if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
        raise InputError(f"{name}: {_describe(cast(object, value))} where {wanted} is wanted")
    return _columns_of_rows(list(cast("Iterable[Any]", value)), wanted, name)


def _columns_of_array(array: Array, wanted: WantedRows, name: str) -> list[Array]:
    if array.dtype.names is not None:
        return [array[field] for field in array.dtype.names]
    if array.ndim == 1 and len(wanted.columns) == 1:
        return [array]
    if array.ndim != 2:
        raise _wrong_rank(array, wanted, name)
    return [array[:, c] for c in range(array.shape[1])]


def _columns_of_rows(rows: list[Any], wanted: WantedRows, name: str) -> list[Array]:
    count = len(wanted.columns)
    if not rows:
        return [np.zeros(0, DTYPES[element]) for element in wanted.columns]
    if count == 1 and not isinstance(rows[0], Sequence | np.ndarray):
        return [_column(rows)]
    for number, row in enumerate(rows):
        if not isinstance(row, Sequence | np.ndarray) or isinstance(row, str | bytes):
            raise InputError(f"{name}: row {number + 1} is {_describe(row)}, not a tuple")
        if len(cast("Sequence[Any]", row)) != count:
            length = plural(len(cast("Sequence[Any]", row)), "column")
            raise InputError(f"{name}: row {number + 1} has {length} where {wanted} is wanted")
    return [_column(column) for column in zip(*rows, strict=True)]


def _column(values: Sequence[Any]) -> Array:
    try:
        column = np.array(values)
    except ValueError:
        column = None
    if column is None or column.ndim != 1 or column.dtype.kind not in "biuf":
        # Keep the values as they are, for the message about the first that is wrong.
        column = np.empty(len(values), object)
        column[:] = values
    return column


def _describe(value: object) -> str:
    if isinstance(value, bool | int | float | str):
        return repr(value)
    return f"a {type(value).__name__}"
