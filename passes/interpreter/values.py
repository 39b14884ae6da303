"""The values of the interpreter: numbers, bags (lists of rows) and arrays.

An array is a dictionary of its entries, which is slow and obviously right. Here are also
the ways from a caller's data (Python, NumPy, SciPy) to these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import AnyFloat, Float32Type, TensorType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from diablo.diagnostics import InputError
from diablo.dialects.comprehension import BagType
from diablo.dialects.tensor_block import dense_rank
from diablo.passes.interpreter.scalar_evaluation import Number, to_type, width_of

Index = tuple[int, ...]
Row = tuple["Value", ...]


@dataclass(frozen=True)
class Array:
    """An array of any storage.

    `entries` holds the stored elements; an index without one has the implicit value, zero.
    A dense array (`dense` equals its rank) stores an element at every index, any other those
    that are not zero.
    """

    dims: Index
    dense: int
    element: Attribute
    entries: Mapping[Index, Number] = field(default_factory=dict[Index, Number])

    @property
    def implicit(self) -> Number:
        """The element at an index where nothing is stored."""
        return to_type(0, self.element)

    def contains(self, index: Index) -> bool:
        """Whether `index` lies inside the dimensions."""
        return all(0 <= i < d for i, d in zip(index, self.dims, strict=True))

    def at(self, index: Index) -> Number:
        """The element at an index inside the dimensions."""
        return self.entries.get(index, self.implicit)

    def indices(self) -> Iterator[Index]:
        """Every index, in row-major order."""
        return product(*(range(extent) for extent in self.dims))

    def stored(self) -> Iterator[Index]:
        """The indices of the stored elements, in row-major order."""
        if self.dense == len(self.dims):
            return self.indices()
        return iter(sorted(index for index, value in self.entries.items() if value != 0))

    def updated(self, entries: Mapping[Index, Number]) -> Array:
        """The array with some elements replaced."""
        return Array(self.dims, self.dense, self.element, {**self.entries, **entries})

    def to_numpy(self) -> npt.NDArray[Any]:
        """A dense copy."""
        result = np.full(self.dims, self.implicit, dtype=dtype_of(self.element))
        for index, value in self.entries.items():
            result[index] = value
        return result


Value = Number | Array | list[Row]


def dtype_of(type: Attribute) -> np.dtype[Any]:
    """The NumPy type of a scalar type."""
    if isinstance(type, Float32Type):
        return np.dtype(np.float32)
    if not isinstance(type, AnyFloat):
        return np.dtype({1: np.bool_, 32: np.int32}.get(width_of(type), np.int64))
    return np.dtype(np.float64)


def _array(data: Any, type: TensorType[Attribute]) -> Array:
    """An array from NumPy or SciPy data; of a sparse one only the nonzeros are stored."""
    rank, element, dense = type.get_num_dims(), type.get_element_type(), dense_rank(type)
    if isinstance(data, Array):
        return Array(data.dims, dense, element, data.entries)
    entries: dict[Index, Number] = {}
    if hasattr(data, "tocoo"):
        coordinates = data.tocoo()
        columns = [axis.tolist() for axis in coordinates.coords]
        for *index, value in zip(*columns, coordinates.data.tolist(), strict=True):
            old = entries.get(tuple(index), 0)
            entries[tuple(index)] = to_type(old + value, element)
        dims = tuple(int(extent) for extent in coordinates.shape)
    else:
        array = np.asarray(data)
        dims = array.shape
        for index in np.ndindex(*dims):
            value = to_type(array[index].item(), element)
            if dense == rank or value:
                entries[index] = value
    if len(dims) != rank:
        raise InputError(f"expected an array of {rank} dimensions, got one of {len(dims)}")
    return Array(dims, dense, element, entries)


def to_value(data: Any, type: Attribute) -> Value:
    """A caller's data as a value of `type`."""
    if isa(type, TensorType[Attribute]):
        return _array(data, type)
    if isinstance(type, BagType):
        rows: list[Row] = []
        for item in cast(Iterable[Any], data):
            fields = tuple(item) if np.ndim(item) else (item,)
            if len(fields) != len(type.columns):
                raise InputError(f"expected rows of {len(type.columns)} columns, got {item!r}")
            rows.append(
                tuple(
                    to_type(field.item() if hasattr(field, "item") else field, column)
                    for field, column in zip(fields, type.columns, strict=True)
                )
            )
        return rows
    return to_type(data.item() if hasattr(data, "item") else data, type)
