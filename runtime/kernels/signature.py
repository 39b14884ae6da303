"""Arguments of a call as machine code takes them, as the signature of a compiled kernel says.

f64[1] i64          an array of 64-bit floats with at least as many elements as the second says
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from diablo.kernel_signature import PIECE_LINE, Signature, Slot
from diablo.runtime.monoid_ufuncs import Monoid, UserMonoid, combine_values
from diablo.runtime.native.addresses import address_of
from diablo.scalar_table import SCALARS

Array = np.ndarray[Any, Any]


ROWS_FOR_AN_ELEMENT = 4
"""How many points there are at least for an element of a table that each thread has of its own."""


class Element(NamedTuple):
    """An element type: in NumPy, and how a scalar of it is read from any number."""

    dtype: np.dtype[Any]
    scalar: Callable[[Any], Any]


ELEMENTS = {
    scalar.element: Element(np.dtype(scalar.code), scalar.python)
    for scalar in SCALARS
    if scalar.in_machine_code
}


def dtype_of(slot: Slot) -> np.dtype[Any]:
    """The NumPy type of the elements of an argument or output; of tuples a structured one."""
    if not slot.is_tuple:
        return ELEMENTS[slot.element].dtype
    return np.dtype([(f"f{k}", ELEMENTS[name].dtype) for k, name in enumerate(slot.elements)])


def accept(signature: Signature, arguments: Sequence[Any]) -> list[Any] | None:
    """The arguments as machine code takes them, or None if it does not."""
    if len(arguments) != len(signature.arguments):
        return None
    values: list[Any] = []
    for slot, value in zip(signature.arguments, arguments, strict=True):
        if slot.dimensions is None:
            try:
                values.append(scalar_of_slot(slot, value))
            except (TypeError, ValueError, OverflowError):
                return None
            if slot.positive and values[-1] <= 0:
                return None  # NumPy says where a division fails.
            continue
        if not isinstance(value, np.ndarray):
            return None
        array = cast("Array", value)
        if array.ndim != len(slot.dimensions) or array.dtype != dtype_of(slot):
            return None
        if slot.is_tuple:
            values.append(array)
            continue
        values.append(array if array.flags.carray else _reachable(array))
    for position, axis, dimension in signature.extents_read:
        if values[position].shape[axis] < dimension.of(values):
            return None  # NumPy says what is wrong with the shapes.
    return values


def scalar_of_slot(slot: Slot, value: Any) -> Any:
    """A number as machine code takes it; of a tuple a list of its parts."""
    if not slot.is_tuple:
        return ELEMENTS[slot.element].scalar(value)
    return [ELEMENTS[name].scalar(value[position]) for position, name in enumerate(slot.elements)]


def parts_of(slot: Slot, value: Any) -> list[Any]:
    """The numbers, or the arrays, that an accepted value is for machine code."""
    if slot.is_complex and slot.dimensions is None:
        return [value.real, value.imag]
    if not slot.is_tuple:
        return [value]
    if slot.dimensions is None:
        return value
    return [np.ascontiguousarray(value[name]) for name in value.dtype.names]


def joined(slot: Slot, parts: Sequence[Array]) -> Array:
    """The array of an output, given those of its parts."""
    if not slot.is_tuple:
        return parts[0]
    array = np.empty(parts[0].shape, dtype_of(slot))
    for number, part in enumerate(parts):
        array[f"f{number}"] = part
    return array


def monoid_of(slot: Slot, own: Mapping[str, UserMonoid]) -> Monoid:
    """The monoid that combines what the pieces of the work give for an output."""
    return own[slot.monoid[1:]] if slot.monoid.startswith("@") else slot.monoid


def most_pieces(points: int, elements: int) -> int:
    """Return into how many pieces work is cut at most if each makes tables of so many elements."""
    return max(1, points // (ROWS_FOR_AN_ELEMENT * max(elements, 1)))


def joined_tables(slot: Slot, tables: Sequence[Array], own: Mapping[str, UserMonoid]) -> Array:
    """The table of an output, given for each of its parts those of the pieces in one array."""
    monoid = monoid_of(slot, own)
    pieces = [joined(slot, [part[k] for part in tables]) for k in range(len(tables[0]))]
    total = pieces[0]
    for piece in pieces[1:]:
        total = combine_values(monoid, total, piece)
    return total


def lines_for(pieces: int, dtype: np.dtype[Any]) -> Array:
    """The memory for what pieces of the work come to where they are scanned: a line each."""
    return np.empty(PIECE_LINE * pieces, dtype)


def _reachable(array: Array) -> Array:
    """An array whose rows may lie anywhere, but whose elements are side by side."""
    item = array.itemsize
    scattered = array.ndim > 0 and array.shape[-1] > 1 and array.strides[-1] != item
    if scattered or any(stride % item for stride in array.strides) or not array.flags.aligned:
        return np.ascontiguousarray(array)
    return array


def pass_tensor(array: Array) -> list[int]:
    """Pointer, sizes, and the strides of all dimensions but the last, in elements."""
    item = array.itemsize
    strides = [stride // item for stride in array.strides[:-1]]
    return [address_of(array), *array.shape, *strides]
