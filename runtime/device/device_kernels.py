"""Kernels of a program that a device runs, with what runs them on the processor beside them.

    kernel_0 = DeviceKernel(kernel_0, source)
    y = kernel_0(n, x)             # a DeviceArray, which nobody has waited for
    z = into(y, kernel_0, n, y)    # in the memory of y

A call goes to the processor where there is no code, where the arguments are not what it takes, or
where the device has no room; its arrays are copied then, and are as good as before. Numbers that a
kernel folds stay on the device as well, and kernels that take them read them there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Signature, Slot
from diablo.row_kernel_signature import RowSignature
from diablo.runtime.arrays.memory import into, is_split
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.cost_model import Work
from diablo.runtime.device.device import Device, OutOfDeviceMemoryError, Raw
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber, OnDevice, on_host
from diablo.runtime.device.device_code import DeviceCode, DeviceSource
from diablo.runtime.device.device_rows import accepted_rows, rows_on_device, work_of_rows
from diablo.runtime.device.device_run import DeviceRun, current_run, running
from diablo.runtime.device.library_products import sparse_product_of
from diablo.runtime.kernels.signature import ELEMENTS, dtype_of, joined, scalar_of_slot
from diablo.runtime.kernels.sparse_signature import accepts_tile, fits, passed_values, stored_layout
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot


class DeviceKernel(OnDevice):
    """A kernel as a program calls it.

    Parameters
    ----------
    on_processor : the kernel as this process runs it otherwise
    source : what becomes of it on a device
    """

    def __init__(self, on_processor: Callable[..., Any], source: DeviceSource):
        self.on_processor = on_processor
        self.source = source

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        return self.into(None, arguments)

    def into(self, array: Any, arguments: Sequence[Any]) -> Any:
        """Run the kernel, whose result may take the memory of an array that dies with it."""
        run = current_run()
        if run is None:
            return self.here(*arguments)
        result = NotImplemented
        if not self.source.refusal:
            try:
                result = self._on_device(run, array, arguments)
            except OutOfDeviceMemoryError:
                result = self._with_less_memory(run, array, arguments)
        if result is NotImplemented:
            given = [on_host(value) for value in arguments]
            with running(None):
                made = into(on_host(array), self.on_processor, *given)
            return _kept(run.device, made)
        return result

    def on_host(self) -> Any:
        """The kernel as functions of this process call it: one over rows runs there all the
        same."""
        code = None if self.source.refusal else self.source.code()
        run = current_run()
        if run is None or code is None or not isinstance(code.signature, RowSignature):
            return self.here

        def call(*arguments: Any) -> Any:
            # Tasks may be run by other threads.
            with running(run):
                return on_host(self(*arguments))

        return call

    def here(self, *arguments: Any) -> Any:
        """Run the kernel on the processor; what it gives is this process's."""
        with running(None):
            return self.on_processor(*[on_host(value) for value in arguments])

    def _with_less_memory(self, run: DeviceRun, array: Any, arguments: Sequence[Any]) -> Any:
        """Try again without what else could be done without on the device."""
        run.forget_vectors()
        for value in arguments:
            if isinstance(value, DeviceArray) and value.is_on_host:
                value.leave_device()
        try:
            return self._on_device(run, array, arguments)
        except OutOfDeviceMemoryError as error:
            message = (
                f"'{self.source.name}' runs on the processor: the device has "
                f"{run.device.total_bytes} bytes, of which {run.device.live_bytes} are in use "
                f"({error})"
            )
            run.remark(f"{self.source.name} memory", message, self.source.span)
            return NotImplemented

    def _on_device(self, run: DeviceRun, array: Any, arguments: Sequence[Any]) -> Any:
        code = self.source.code()
        if code is None:
            return NotImplemented
        if isinstance(code.signature, RowSignature):
            return self._rows_on_device(run, code, arguments)
        values = _accepted(run.device, code.on_arrays, arguments)
        if values is None:
            return NotImplemented
        code = self._for_values(run, code, values)
        if code is None:
            return NotImplemented
        passed = passed_vectors(code.on_arrays, values)
        if passed is None:
            return NotImplemented
        if run.mode == "auto" and not self._repays(run, *_work(run, code, values, passed)):
            return NotImplemented
        if code.is_library:
            return self._by_library(run, code, values)
        product = sparse_product_of(code, values)
        if product is not None:
            matrix, vector = product
            parts = [run.vector(part) for part in matrix[:3]]
            starts, indices, stored = parts
            raw = run.device.sparse_product(starts, indices, stored, matrix[3], vector.on_device())
            return DeviceArray.there(run.device, raw)
        return _launched(run, code, array, values, passed)

    def _repays(self, run: DeviceRun, work: Work, missing: Sequence[int]) -> bool:
        """Return whether a call is the device's, and say so if it is."""
        if not run.repays(work, missing):
            return False
        run.remark(
            self.source.name,
            f"'{self.source.name}' runs on the GPU from here on: {_bytes(sum(missing))} to "
            f"copy, {work.on_processor * 1e3:.2g} ms of work here and "
            f"{work.on_device * 1e3:.2g} ms there",
            self.source.span,
        )
        return True

    def _rows_on_device(self, run: DeviceRun, code: DeviceCode, arguments: Sequence[Any]) -> Any:
        """Run a kernel over rows, whose columns are this process's."""
        encoded = accepted_rows(code, [on_host(value) for value in arguments])
        if encoded is None:
            return NotImplemented
        if run.mode == "auto" and not self._repays(run, *work_of_rows(run, code, encoded)):
            return NotImplemented
        return rows_on_device(run, code, encoded, _launches(code.launches))

    def _for_values(self, run: DeviceRun, code: DeviceCode, values: list[Any]) -> DeviceCode | None:
        """The code for the layouts of sparse arguments, or for numbers that are on the device."""
        if code.turned:
            values[:] = [run.turned(v) if isinstance(v, SparseTile) else v for v in values]
            return code
        tiles = [value for value in values if isinstance(value, SparseTile)]
        if tiles:
            return self.source.code(tuple(stored_layout(tile) for tile in tiles))
        resident = tuple(k for k, value in enumerate(values) if isinstance(value, DeviceNumber))
        return self.source.code((), resident) if resident else code

    def _by_library(self, run: DeviceRun, code: DeviceCode, values: Sequence[Any]) -> Any:
        """A product that the kernel's NumPy function makes of arrays of the device."""
        given = [v.on_device() if isinstance(v, DeviceArray) else on_host(v) for v in values]
        function = getattr(self.on_processor, "numpy_function", self.on_processor)
        with running(None):
            raw = run.device.call_library(function, given)
        (slot,) = code.on_arrays.outputs
        assert raw.dtype == dtype_of(cast(Slot, slot))
        return DeviceArray.there(run.device, raw)


def kept(device: Device, value: Any) -> Any:
    """A value of this process as programs hold it: arrays of numbers may go to the device."""
    if type(value) is np.ndarray and value.ndim and _is_known(value.dtype):
        return DeviceArray.here(device, value)
    return value


def _is_known(dtype: np.dtype[Any]) -> bool:
    """Return whether the device may have elements of a type: numbers, or tuples of numbers."""
    if dtype.names:
        return all(dtype[name].kind in "biuf" for name in dtype.names)
    return dtype.kind in "biuf"


def _kept(device: Device, result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple([kept(device, part) for part in cast("tuple[Any, ...]", result)])
    return kept(device, result)


# -- Arguments ----------------------------------------------------------------------------


def _accepted(
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
            number = _number(slot, value, keep=not sparse)
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


def _number(slot: Slot, value: Any, *, keep: bool) -> Any:
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


def _work(
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


def _bytes(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


# -- Launches -----------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _launches(text: str) -> Callable[..., None]:
    """The function that launches the kernels of a code."""
    names: dict[str, Any] = {}
    exec(text, names)
    return names["launches"]


def _launched(
    run: DeviceRun, code: DeviceCode, into: Any, values: Sequence[Any], passed: Sequence[Any]
) -> Any:
    """Make the outputs, and launch what writes them."""
    device = run.device
    arguments = _expanded(run, code, values, passed)
    outputs = _outputs(device, code.on_arrays, into, values)
    written = [part for parts in outputs for part in parts]

    def empty(shape: Sequence[int], element: str) -> Raw:
        return device.empty(shape, ELEMENTS[element].dtype)

    def look(raw: Raw) -> Any:
        return device.copy_out(raw).item()

    _launches(code.launches)(device.loaded(code), empty, look, *arguments, *written)
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
            arguments += [run.vector(vector) for vector in given]
            arguments += value.shape
        elif isinstance(value, DeviceArray):
            arguments += value.parts
        elif isinstance(value, DeviceNumber):
            arguments.append(value.raw)
        elif slot.is_tuple:
            arguments += value
        else:
            arguments.append(value)
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
            raw = begun.on_device()
            if begun.shape != tuple(shape):
                raw = raw[tuple([slice(extent) for extent in shape])]
            outputs.append([device.copied(raw)])
        elif _takes(into, shape, dtype):
            outputs.append([into.on_device().reshape(tuple(shape))])
            into = None
        else:
            outputs.append([device.empty(shape, dtype)])
    return outputs


def _takes(into: Any, shape: Sequence[int], dtype: np.dtype[Any]) -> bool:
    """Return whether an output takes the memory of an array that dies."""
    if not isinstance(into, DeviceArray) or not into.is_on_device or not shape:
        return False
    return into.dtype == dtype and is_split(into.shape, tuple(shape))


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
    if raw.dtype.kind == "f":
        return DeviceNumber(run.device, raw)
    return run.device.copy_out(raw)[()]
