"""Arguments of a call as machine code takes them, as the signature of a compiled kernel says.

f64[1] i64          an array of 64-bit floats with at least as many elements as the second says
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from diablo.kernel_signature import Signature
from diablo.scalar_table import SCALARS

Array = np.ndarray[Any, Any]


class Element(NamedTuple):
    """An element type: in NumPy, and how a scalar of it is read from any number."""

    dtype: np.dtype[Any]
    scalar: Callable[[Any], Any]


ELEMENTS = {
    scalar.element: Element(np.dtype(scalar.code), scalar.python)
    for scalar in SCALARS
    if scalar.in_machine_code
}


def accept(signature: Signature, arguments: Sequence[Any]) -> list[Any] | None:
    """The arguments as machine code takes them, or None if it does not."""
    if len(arguments) != len(signature.arguments):
        return None
    values: list[Any] = []
    for slot, value in zip(signature.arguments, arguments, strict=True):
        element = ELEMENTS[slot.element]
        if slot.dimensions is None:
            try:
                values.append(element.scalar(value))
            except (TypeError, ValueError, OverflowError):
                return None
            if slot.positive and values[-1] <= 0:
                return None  # NumPy says where a division fails.
            continue
        if not isinstance(value, np.ndarray):
            return None
        array = cast("Array", value)
        if array.ndim != len(slot.dimensions) or array.dtype != element.dtype:
            return None
        values.append(array if array.flags.carray else _reachable(array))
    for position, axis, dimension in signature.extents_read:
        if values[position].shape[axis] < dimension.of(values):
            return None  # NumPy says what is wrong with the shapes.
    return values


def _reachable(array: Array) -> Array:
    """An array whose rows may lie anywhere, but whose elements are side by side."""
    item = array.itemsize
    scattered = array.ndim > 0 and array.shape[-1] > 1 and array.strides[-1] != item
    if scattered or any(stride % item for stride in array.strides) or not array.flags.aligned:
        return np.ascontiguousarray(array)
    return array
