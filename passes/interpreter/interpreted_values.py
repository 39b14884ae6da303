"""The values of the interpreter: numbers, strings, tuples, bags and maps (lists of rows), arrays.

An array is a dictionary of its entries, which is slow and obviously right. Here are also
the ways from a caller's data (Python, NumPy, SciPy) to these values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerType, TensorType, TupleType
from xdsl.ir import Attribute

from diablo.diagnostics import InputError, RunError
from diablo.dialects.comprehension import BagType, StringType
from diablo.dialects.scalar_types import scalar_of
from diablo.dialects.tensor_block import dense_rank
from diablo.passes.interpreter.scalar_evaluation import AnyNumber, to_type

Index = tuple[int, ...]
Row = tuple["Value", ...]

_END = object()


@dataclass(frozen=True)
class Array:
    """An array of any storage.

    `entries` holds the stored elements; an index without one has the implicit value. A dense
    array (`dense` equals its rank) stores an element at every index, any other those that are
    not implicit.
    """

    dims: Index
    dense: int
    element: Attribute
    entries: Mapping[Index, Value] = field(default_factory=dict[Index, "Value"])

    @property
    def implicit(self) -> Value:
        """The element at an index where nothing is stored."""
        return implicit_value(self.element)

    def contains(self, index: Index) -> bool:
        """Return whether `index` lies inside the dimensions."""
        return all(0 <= i < d for i, d in zip(index, self.dims, strict=True))

    def at(self, index: Index) -> Value:
        """The element at an index inside the dimensions."""
        value = self.entries.get(index)
        return self.implicit if value is None else value

    def indices(self) -> Iterator[Index]:
        """Every index, in row-major order."""
        return product(*(range(extent) for extent in self.dims))

    def stored(self) -> Iterator[Index]:
        """The indices of the stored elements, in row-major order."""
        if self.dense == len(self.dims):
            return self.indices()
        implicit = self.implicit
        return iter(sorted(index for index, value in self.entries.items() if value != implicit))

    def updated(self, entries: Mapping[Index, Value]) -> Array:
        """The array with some elements replaced."""
        return Array(self.dims, self.dense, self.element, {**self.entries, **entries})

    def to_numpy(self) -> npt.NDArray[Any]:
        """A dense copy; elements that are no numbers are Python's objects.

        Raises
        ------
        RunError
            A dimension is negative, which the engines refuse as well.
        """
        for extent in self.dims:
            if extent < 0:
                raise RunError(f"an array cannot have {extent} elements in a dimension")
        try:
            result = np.empty(self.dims, dtype=dtype_of(self.element))
        except (ValueError, MemoryError) as error:
            raise RunError(f"an array of {self.dims} elements is too large") from error
        for index in self.indices():
            result[index] = self.at(index)
        return result


Value = AnyNumber | str | tuple["Value", ...] | Array | list[Row]


def implicit_value(type: Attribute) -> Value:
    """Return what stands where nothing is stored: zero, no characters, no rows, tuples of these.

    Of arrays it is one without elements.
    """
    match type:
        case StringType():
            return ""
        case TupleType():
            return tuple(implicit_value(part) for part in type.types)
        case BagType():
            return []
        case TensorType():
            rank = type.get_num_dims()
            return Array((0,) * rank, dense_rank(type), type.get_element_type())
        case _:
            return to_type(0, type)


def dtype_of(type: Attribute) -> np.dtype[Any]:
    """The NumPy type of a scalar type; `object` for any other."""
    if isinstance(type, StringType | TupleType | BagType | TensorType):
        return np.dtype(object)
    row = scalar_of(type)
    return np.dtype(np.int64 if row is None else getattr(np, row.dtype))


def _array(data: Any, type: TensorType[Attribute]) -> Array:
    """An array from NumPy or SciPy data; of a sparse one only the nonzeros are stored."""
    rank, element, dense = type.get_num_dims(), type.get_element_type(), dense_rank(type)
    if isinstance(data, Array):
        return Array(data.dims, dense, element, data.entries)
    entries: dict[Index, Value] = {}
    if hasattr(data, "tocoo"):
        coordinates = data.tocoo()
        columns = [axis.tolist() for axis in coordinates.coords]
        for *index, value in zip(*columns, coordinates.data.tolist(), strict=True):
            old: Any = entries.get(tuple(index), 0)
            entries[tuple(index)] = to_type(old + value, element)
        dims = tuple(int(extent) for extent in coordinates.shape)
    else:
        is_nested = isinstance(element, TupleType) and not hasattr(data, "dtype")
        array: npt.NDArray[Any] = _nested(data, rank) if is_nested else np.asarray(data)
        dims = array.shape
        implicit = implicit_value(element)
        for index in np.ndindex(*dims):
            value = to_value(array[index], element)
            if dense == rank or value != implicit:
                entries[index] = value
    if len(dims) != rank:
        raise InputError(f"expected an array of {rank} dimensions, got one of {len(dims)}")
    return Array(dims, dense, element, entries)


def _nested(data: Any, rank: int) -> npt.NDArray[Any]:
    """Lists within lists as an array of `rank` dimensions, whose elements stay what they are."""
    dims: list[int] = []
    level = [data]
    for _ in range(rank):
        dims.append(len(level[0]) if level else 0)
        if any(len(row) != dims[-1] for row in level):
            raise InputError("the rows are of different lengths")
        level = [item for row in level for item in row]
    array = np.empty(len(level), dtype=object)
    array[:] = level
    return array.reshape(dims)


def _leaves(item: Any) -> Iterator[Any]:
    """The parts of a tuple that hold no tuples themselves."""
    if isinstance(item, tuple):
        for part in cast("tuple[Any, ...]", item):
            yield from _leaves(part)
    else:
        yield item


def _assembled(leaves: Iterator[Any], type: Attribute) -> Value:
    """The value of `type` that starts at the next leaf."""
    if isinstance(type, TupleType):
        return tuple([_assembled(leaves, part) for part in type.types])
    return to_value(next(leaves), type)


def _row(item: Any, types: Sequence[Attribute]) -> Row | None:
    """The values of `types` that the parts of `item` are; None if these are more or fewer."""
    leaves = _leaves(item)
    try:
        row = tuple([_assembled(leaves, type) for type in types])
    except StopIteration:
        return None
    return row if next(leaves, _END) is _END else None


def _rows(data: Any, type: BagType) -> list[Row]:
    """The rows of a list, or of a map that is given as a dictionary."""
    if isinstance(data, Mapping):
        data = cast("Mapping[Any, Any]", data).items()
    rows: list[Row] = []
    for item in data:
        is_list = isinstance(item, np.ndarray | list) and len(type.columns) > 1
        row = _row(tuple(cast("list[Any]", item)) if is_list else item, [*type.columns])
        if row is None:
            raise InputError(f"expected rows of {len(type.columns)} columns, got {item!r}")
        rows.append(row)
    return rows


def _tuple(data: Any, type: TupleType) -> Row:
    row = _row(data.item() if isinstance(data, np.void) else data, [*type.types])
    if row is None:
        raise InputError(f"expected a tuple of {len(type.types)} values, got {data!r}")
    return row


def to_value(data: Any, type: Attribute) -> Value:
    """A caller's data as a value of `type`."""
    match type:
        case TensorType():
            return _array(data, type)
        case BagType():
            return _rows(data, type)
        case IntegerType() if isinstance(data, str):
            return to_type(ord(data), type)
        case TupleType():
            return _tuple(data, type)
        case StringType():
            return str(data)
        case _:
            return to_type(data.item() if hasattr(data, "item") else data, type)


@dataclass(frozen=True)
class IndexSet:
    """A region: the position of each of its indices, in a box."""

    dims: Index
    positions: Mapping[Index, int]

    def ordered(self, order: Sequence[int]) -> list[Index]:
        """The indices, sorted by the dimensions in this order."""
        return sorted(self.positions, key=lambda index: [index[d] for d in order])
