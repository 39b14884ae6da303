"""Launches of the kernels of a code, by its signature: what is passed, written, and given.

launched(run, code, None, (5, x), (5, x))    a DeviceArray, which nobody has waited for
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.kernel_signature import Signature, Slot
from diablo.runtime.arrays.memory import is_split
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device import Device, Raw
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber
from diablo.runtime.device.device_code import DeviceCode, launches_of
from diablo.runtime.device.device_run import DeviceRun
from diablo.runtime.kernels.signature import ELEMENTS, dtype_of, joined, parts_of
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot


def launched(
    run: DeviceRun, code: DeviceCode, into: Any, values: Sequence[Any], passed: Sequence[Any]
) -> Any:
    """Make the outputs, and launch what writes them."""
    device = run.device
    arguments = _expanded(run, code, values, passed)
    outputs = _outputs(device, code.on_arrays, into, values)
    written = [part for parts in outputs for part in parts]
    launches = launches_of(code.launches)
    launches(device.loaded(code), device.scratch, device.look, *arguments, *written)
    results = [
        _result(run, slot, output, values)
        for slot, output in zip(code.on_arrays.outputs, outputs, strict=True)
        if isinstance(slot, SparseSlot) or not slot.temporary
    ]
    return results[0] if len(results) == 1 else tuple(results)


def _expanded(
    run: DeviceRun, code: DeviceCode, values: Sequence[Any], passed: Sequence[Any]
) -> list[Any]:
    """Return what launches are given: arrays of the device, numbers, vectors, extents of tiles."""
    arguments: list[Any] = []
    for slot, value, given in zip(code.on_arrays.arguments, values, passed, strict=True):
        if isinstance(slot, SparseSlot):
            arguments += run.pass_tile(value, given, code.identity)
        elif isinstance(value, DeviceArray):
            arguments += value.parts
        elif isinstance(value, DeviceNumber):
            arguments.append(value.raw)
        else:
            arguments += parts_of(slot, value)
    return arguments


def _outputs(
    device: Device, signature: Signature | SparseSignature, into: Any, values: Sequence[Any]
) -> list[list[Raw]]:
    """Arrays for what the kernels write, as they are to begin: for each output its parts."""
    outputs: list[list[Raw]] = []
    for number, slot in enumerate(signature.outputs):
        if isinstance(slot, SparseSlot):
            tile: SparseTile = values[slot.over or 0]
            outputs.append([device.empty([tile.nnz], ELEMENTS[slot.element].dtype)])
            continue
        shape = [d.of(values) for d in slot.dimensions or () if d is not None]
        if slot.is_tuple:
            outputs.append([device.empty(shape, ELEMENTS[e].dtype) for e in slot.elements])
            continue
        dtype = dtype_of(slot)
        beginning = ""
        if isinstance(signature, SparseSignature):
            beginning = signature.beginnings[number]
        if beginning == "0":
            outputs.append([device.zeros(shape, dtype)])
        elif beginning:
            begun: DeviceArray = values[int(beginning.removeprefix("@"))]
            box = tuple([slice(extent) for extent in shape])
            outputs.append([device.copied(begun.on_device(), box)])
        elif (raw := taken(into, tuple(shape), dtype)) is not None:
            outputs.append([raw])
            into = None
        else:
            outputs.append([device.empty(shape, dtype)])
    return outputs


def taken(into: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Raw | None:
    """The memory of an array that dies, for an output of another shape; None if it does not fit."""
    if not isinstance(into, DeviceArray) or not into.is_on_device or not shape:
        return None
    if into.dtype != dtype or not is_split(into.shape, shape):
        return None
    return into.on_device() if into.shape == shape else into.on_device().reshape(shape)


def _result(
    run: DeviceRun, slot: Slot | SparseSlot, parts: Sequence[Raw], values: Sequence[Any]
) -> Any:
    """An output as the program holds it."""
    if isinstance(slot, Slot) and slot.is_tuple:
        if slot.dimensions is not None:
            return DeviceArray.of_parts(run.device, parts, dtype_of(slot))
        return joined(slot, [run.device.copy_out(part) for part in parts])[()]
    (raw,) = parts
    if isinstance(slot, SparseSlot):
        # What is zero is no entry, so somebody has to look.
        elements = run.device.copy_out(raw)
        tile = SparseTile.on_pattern(values[slot.over or 0].pattern, elements, slot.dense_rank)
        if tile.elements is elements:
            run.remember(elements, raw)
        return tile
    if slot.dimensions is not None:
        return DeviceArray.there(run.device, raw)
    if raw.dtype.kind in "fc":
        return DeviceNumber(run.device, raw)
    return run.device.copy_out(raw)[()]
