"""A device that is this processor, so that what runs on a GPU can be tested without one.

Its memory is apart from NumPy's arrays: nothing of it is seen without a copy. A launch runs the
kernel's blocks and threads as loops (`convert-gpu-to-loops`). It is slow, and counts all it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from time import perf_counter
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from diablo.runtime.device.device import (
    Array,
    Box,
    Device,
    Launch,
    OutOfDeviceMemoryError,
    words_of,
)
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.native.machine_code import Entry, machine_code


class _Block:
    """Memory of the device, counted while it lives."""

    def __init__(self, device: StandIn, size: int):
        self.device = device
        self.size = size
        device.count(size)

    def __del__(self) -> None:
        self.device.count(-self.size)


class StandInArray(NDArrayOperatorsMixin):
    """An array in the memory of the device, of which only the device's library sees elements."""

    def __init__(self, memory: Array, block: _Block):
        self._memory = memory
        self._block = block
        self.shape = memory.shape
        self.dtype = memory.dtype
        self.strides = memory.strides
        self.ndim = memory.ndim
        self.size = memory.size
        self.nbytes = memory.nbytes

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self._memory.__array_interface__, "version": 3}

    def __dlpack__(self, **options: Any) -> Any:
        return self._memory.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._memory.__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        raise TypeError("an array of the device is not looked at without a copy")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return self._computed(lambda *given: getattr(ufunc, method)(*given, **options), inputs)

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        arguments: Sequence[Any],
        options: Mapping[str, Any],
    ) -> Any:
        return self._computed(lambda *given: function(*given, **options), arguments)

    def _computed(self, function: Callable[..., Any], arguments: Sequence[Any]) -> StandInArray:
        device = self._block.device
        return device.made(np.asarray(function(*[device.seen(a) for a in arguments])))

    @property
    def device(self) -> StandIn:
        """The device in whose memory it is."""
        return self._block.device

    def _view(self, memory: Array) -> StandInArray:
        return StandInArray(memory, self._block)

    def __getitem__(self, index: Any) -> StandInArray:
        return self._view(self._memory[_memory_of(index)])

    @property
    def words(self) -> tuple[int, ...]:
        """What kernels are passed: the address and the extents."""
        assert self._memory.flags.c_contiguous
        return (self._memory.__array_interface__["data"][0], *self.shape)

    @property
    def T(self) -> StandInArray:
        """The transposed array."""
        return self._view(self._memory.T)

    def astype(self, dtype: Any) -> StandInArray:
        """The same elements of another type."""
        return self._block.device.made(self._memory.astype(dtype))

    def reshape(self, *shape: Any) -> StandInArray:
        """The same elements in another shape."""
        return self._view(self._memory.reshape(*shape))


def _memory_of(value: Any) -> Any:
    if isinstance(value, list):
        return [_memory_of(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
    return value._memory if isinstance(value, StandInArray) else value  # pyright: ignore


class StandIn(Device):
    """The processor as a device; `limit` is how many bytes its memory has."""

    name = "stand-in"

    def __init__(self, limit: int | None = None):
        super().__init__()
        self._counting = RLock()  # What dies while it counts counts as well.
        self.used = 0
        self.peak = 0
        self.limit = limit

    def count(self, size: int) -> None:
        """Count bytes that arrays take, or negative ones that they leave."""
        with self._counting:
            self.used += size

    def seen(self, value: Any) -> Any:
        """The memory of an array as this device sees it: it has to be its own."""
        if isinstance(value, list):
            return [self.seen(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
        if isinstance(value, StandInArray):
            assert value.device is self, "an array of another device"
        return _memory_of(value)

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> StandInArray:
        """An array of what is no result of a kernel, but by chance."""
        memory = np.empty(tuple(shape), dtype)
        memory.view(np.uint8).fill(0x5A) if memory.ndim else memory.fill(0x5A)
        return self._owned(memory)

    def zeros(self, shape: Sequence[int], dtype: np.dtype[Any]) -> StandInArray:
        """An array of zeros."""
        return self._owned(np.zeros(tuple(shape), dtype))

    def made(self, result: Array) -> StandInArray:
        """An array that the device's library has made."""
        return self._owned(np.array(result))

    def _owned(self, memory: Array) -> StandInArray:
        if self.limit is not None and self.used + memory.nbytes > self.limit:
            raise OutOfDeviceMemoryError(f"{memory.nbytes} bytes do not fit")
        block = _Block(self, memory.nbytes)
        self.peak = max(self.peak, self.used)
        return StandInArray(memory, block)

    def copied(self, raw: StandInArray, box: Box | None = None) -> StandInArray:
        """A copy within the memory of the device."""
        memory = self.seen(raw)
        if box is not None:
            memory = memory[box]
        return self.made(np.array(memory, order="C"))

    def write(self, raw: StandInArray, box: Box, part: StandInArray) -> None:
        """Write within the memory of the device."""
        self.seen(raw)[box] = self.seen(part)

    def copy_from(self, peer: Device, raw: StandInArray) -> StandInArray:
        """A copy from the memory of another one."""
        assert isinstance(peer, StandIn)
        self.traffic.peer_copies += 1
        self.traffic.peer_bytes += raw.nbytes
        return self.made(peer.seen(raw))

    def handed_out(self, raw: StandInArray) -> StandInArray:
        """The array itself."""
        return raw

    def copy_in(self, array: Array) -> StandInArray:
        """A copy of an array of this process."""
        self.traffic.copies_in += 1
        self.traffic.bytes_in += array.nbytes
        return self.made(array)

    def copy_out(self, raw: StandInArray) -> Array:
        """A copy for this process."""
        self.traffic.copies_out += 1
        self.traffic.bytes_out += raw.nbytes
        return np.array(self.seen(raw))

    def adopted(self, value: Any) -> StandInArray | None:
        """An array that is this device's."""
        if not isinstance(value, StandInArray) or value.device is not self:
            return None
        return value if _memory_of(value).flags.c_contiguous else self.copied(value)

    def _load(self, code: DeviceCode) -> Launch:
        entries = _Entries(code)
        words = [words_of(kernel) for kernel in code.kernels]

        def launch(
            number: int, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any]
        ) -> None:
            self.traffic.launches += 1
            for argument in arguments:
                self.seen(argument)
            entries[number](*grid, *words[number](*arguments))

        return launch

    def mark(self) -> float:
        """The time of now, since all that was launched is done."""
        return perf_counter()

    def seconds_between(self, begin: float, end: float) -> float:
        """Their difference."""
        return end - begin

    def computed(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Sequence[Any]:
        """Return what a function gives, whose arrays see NumPy's functions as this device's."""
        self.traffic.library_calls += 1
        return function(*arguments)

    def sparse_product(
        self,
        starts: StandInArray,
        indices: StandInArray,
        values: StandInArray,
        shape: tuple[int, ...],
    ) -> Callable[[Any], Any]:
        """Return what multiplies by SciPy."""
        from scipy import sparse

        parts = [self.seen(part) for part in (values, indices, starts)]
        matrix: Any = sparse.csr_array(tuple(parts), shape=shape)
        return lambda vector: self.made(matrix @ self.seen(vector))

    def synchronize(self) -> None:
        """Nothing is ever left to be done."""
        self.traffic.waits += 1

    @property
    def shared_bytes(self) -> int:
        """As much as large GPUs have."""
        return 227 << 10

    @property
    def live_bytes(self) -> int:
        """How many bytes its arrays have."""
        return self.used

    @property
    def total_bytes(self) -> int:
        """The bytes that it was given, or many."""
        return 1 << 40 if self.limit is None else self.limit


class _Entries:
    """The machine code of the kernels of a code; one that is never launched is not compiled."""

    def __init__(self, code: DeviceCode):
        self._loops = code.loops()
        self._made: dict[int, Entry] = {}

    def __getitem__(self, number: int) -> Entry:
        entry = self._made.get(number)
        if entry is None:
            # The same kernel of another program is not compiled once more.
            identity, write = self._loops[number]
            entry = machine_code(f"device loops {identity}", write, quick=True)
            assert entry is not None, "the stand-in needs llvmlite"
            self._made[number] = entry
        return entry
