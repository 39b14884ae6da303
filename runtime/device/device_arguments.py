"""Arguments of a call as kernels of a device take them: arrays, numbers, tiles of a run.

accepted(device, signature, (5, array))      [5, a DeviceArray]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Signature, Slot
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.cost_model import Work
from diablo.runtime.device.device import Device
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.device.device_run import DeviceRun
from diablo.runtime.kernels.signature import ELEMENTS, dtype_of, scalar_of_slot
from diablo.runtime.kernels.sparse_signature import accepts_tile, fits, passed_values
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot


def kept(device: Device, value: Any) -> Any:
    """A value of this process as programs hold it: arrays of numbers may go to the device."""
    if type(value) is np.ndarray and value.ndim and _is_known(value.dtype):
        return DeviceArray.here(device, value)
    return value


def _is_known(dtype: np.dtype[Any]) -> bool:
    """Return whether the device may have elements of a type: numbers, or tuples of numbers."""
    if dtype.names:
        return all(dtype[name].kind in "biuf" for name in dtype.names)
    return dtype.kind in "biufc"


def kept_all(device: Device, result: Any) -> Any:
    """The results of a function of this process as programs hold them."""
    if isinstance(result, tuple):
        return tuple([kept(device, part) for part in cast("tuple[Any, ...]", result)])
    return kept(device, result)


def accepted(
    device: Device, signature: Signature | SparseSignature, arguments: Sequence[Any]
) -> list[Any] | None:
    """The arguments as the code takes them, or None if it does not."""
    if len(arguments) != len(signature.arguments):
        return None
    values: list[Any] = []
    sparse = isinstance(signature, SparseSignature)
    for slot, value in zip(signature.arguments, arguments, strict=True):
        if isinstance(slot, SparseSlot):
            if not accepts_tile(slot, value):
                return None
            values.append(value)
        elif slot.dimensions is None:
            number = number_of(slot, value, keep=not sparse)
            if number is None:
                return None
            values.append(number)
        else:
            array = kept(device, value)
            if not isinstance(array, DeviceArray) or array.dtype != dtype_of(slot):
                return None
            if array.ndim != len(slot.dimensions):
                return None
            values.append(array)
    if isinstance(signature, SparseSignature):
        return values if fits(signature, values) else None
    for position, axis, dimension in signature.extents_read:
        if values[position].shape[axis] < dimension.of(values):
            return None
    return values


def number_of(slot: Slot, value: Any, *, keep: bool) -> Any:
    """A number as kernels are passed it; one that is on the device may stay there."""
    if slot.is_tuple:
        try:
            return scalar_of_slot(slot, value)
        except (TypeError, ValueError, OverflowError):
            return None
    dtype = ELEMENTS[slot.element].dtype
    if isinstance(value, DeviceNumber):
        if keep and not value.is_known and value.dtype == dtype:
            return value
        value = value.on_host()
    try:
        number = ELEMENTS[slot.element].scalar(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if slot.positive and number <= 0 else number


def passed_vectors(
    signature: Signature | SparseSignature, values: Sequence[Any]
) -> list[Any] | None:
    """The values, of sparse tiles their vectors; None if a tile has none for the code."""
    if not isinstance(signature, SparseSignature):
        return list(values)
    return passed_values(signature, values)


def work_of(
    run: DeviceRun, code: DeviceCode, values: Sequence[Any], passed: Sequence[Any]
) -> tuple[Work, list[int]]:
    """Return what a call does, and how large each array is that would have to be copied for it."""
    total, missing = 0, list[int]()
    for value, given in zip(values, passed, strict=True):
        if isinstance(value, DeviceArray):
            total += value.nbytes
            if not value.is_on_device:
                missing.append(value.nbytes)
        elif isinstance(value, SparseTile):
            for vector in given:
                total += vector.nbytes
                if not run.has_vector(vector):
                    missing.append(vector.nbytes)
    for slot in code.on_arrays.outputs:
        if isinstance(slot, Slot) and slot.dimensions is not None:
            shape = [d.of(values) for d in slot.dimensions if d is not None]
            total += prod(shape) * dtype_of(slot).itemsize
    signature = code.on_arrays
    if isinstance(signature, SparseSignature):
        factors = prod(dimension.of(values) for dimension in signature.factors)
        return Work(total, values[signature.source].nnz * factors), missing
    points = prod(dimension.of(values) for dimension in signature.work)
    if code.is_library:
        return Work(total, 0, points), missing
    return Work(total, points * signature.weight), missing
