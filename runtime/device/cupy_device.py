"""A GPU of this machine, by CuPy. All calls of CuPy are here.

Kernels run on one stream, and memory is that stream's: what it frees waits for what was launched
before. Copies go through page-locked buffers on a stream of their own, a piece being filled while
another one is on its way.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from diablo.runtime.device.device import (
    Array,
    Device,
    Launch,
    NoDeviceError,
    OutOfDeviceMemoryError,
    words,
)
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.kernels.signature import ELEMENTS

_PIECE = 1 << 25
"""Bytes of a page-locked buffer, of which there are two each way."""


class CuPyDevice(Device):
    """A GPU that CuPy uses, with a pool of memory of its own; the number goes round."""

    def __init__(self, number: int = 0) -> None:
        super().__init__()
        try:
            cupy: Any = import_module("cupy")
        except ImportError:
            raise NoDeviceError(
                "device 'gpu': CuPy is not installed; the package is cupy-cuda12x"
            ) from None
        self._cupy: Any = cupy
        self._cuda: Any = cupy.cuda
        try:
            count = self._cuda.runtime.getDeviceCount()
        except Exception as error:
            # CuPy raises what its binding of the driver raises, of which nothing is promised.
            raise NoDeviceError(f"device 'gpu': CuPy finds no GPU: {error}") from None
        if not count:
            raise NoDeviceError("device 'gpu': CuPy finds no GPU")
        number %= count
        self._device: Any = self._cuda.Device(number)
        properties = self._cuda.runtime.getDeviceProperties(number)
        self.name = properties["name"].decode()
        self._total = int(properties["totalGlobalMem"])
        self._pool: Any = self._cuda.MemoryPool()
        self._stream: Any = self._cuda.Stream(non_blocking=True)
        self._copies: Any = self._cuda.Stream(non_blocking=True)
        self._buffers: list[Any] = []
        self._functions: dict[str, list[Any]] = {}

    @contextmanager
    def _computing(self) -> Generator[None]:
        """Let CuPy use the stream and the memory of this device."""
        memory_error: Any = self._cuda.memory.OutOfMemoryError
        try:
            with self._device, self._cuda.using_allocator(self._pool.malloc), self._stream:
                yield
        except memory_error as error:
            raise OutOfDeviceMemoryError(str(error)) from None

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
        """An array in the pool."""
        with self._computing():
            return self._cupy.empty(tuple(shape), dtype)

    def zeros(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
        """An array of zeros in the pool."""
        with self._computing():
            return self._cupy.zeros(tuple(shape), dtype)

    def copied(self, raw: Any) -> Any:
        """A copy, made on the stream of the kernels."""
        with self._computing():
            return self._cupy.array(raw, order="C")

    def copy_in(self, array: Array) -> Any:
        """A copy on the way: kernels that are launched from now on wait for it."""
        array = np.asarray(array, order="C")
        self.traffic.copies_in += 1
        self.traffic.bytes_in += array.nbytes
        target = self.empty(array.shape, array.dtype)
        if not array.nbytes:
            return target
        # What had this memory before may still be in use by a kernel.
        with self._device:
            self._copies.wait_event(self._stream.record())
            source = array.reshape(-1).view(np.uint8)
            for begin, size, buffer in self._pieces(array.nbytes):
                buffer.array[:size] = source[begin : begin + size]
                pointer = target.data + begin
                pointer.copy_from_host_async(buffer.address, size, self._copies)
                buffer.event = self._copies.record()
            self._stream.wait_event(self._copies.record())
        return target

    def copy_out(self, raw: Any) -> Array:
        """A copy of what the kernels that were launched so far leave."""
        self.traffic.copies_out += 1
        self.traffic.bytes_out += raw.nbytes
        if not raw.flags.c_contiguous:
            raw = self.copied(raw)
        result = np.empty(raw.shape, raw.dtype)
        if not raw.nbytes:
            return result
        target = result.reshape(-1).view(np.uint8)
        waiting: list[tuple[int, int, _Buffer]] = []

        def take() -> None:
            begin, size, buffer = waiting.pop(0)
            buffer.wait()
            target[begin : begin + size] = buffer.array[:size]

        with self._device:
            self._copies.wait_event(self._stream.record())
            for begin, size, buffer in self._pieces(raw.nbytes):
                while any(buffer is other for _, _, other in waiting):
                    take()
                pointer = raw.data + begin
                pointer.copy_to_host_async(buffer.address, size, self._copies)
                buffer.event = self._copies.record()
                waiting.append((begin, size, buffer))
            while waiting:
                take()
        return result

    def _pieces(self, size: int) -> Generator[tuple[int, int, _Buffer]]:
        """Return where each piece of a copy begins, how large it is, and the buffer for it."""
        if not self._buffers:
            self._buffers = [_Buffer(self._cuda) for _ in range(2)]
        for number, begin in enumerate(range(0, size, _PIECE)):
            buffer = self._buffers[number % len(self._buffers)]
            buffer.wait()
            yield begin, min(_PIECE, size - begin), buffer

    def adopted(self, value: Any) -> Any | None:
        """An array of CuPy's, or of another library whose memory is this GPU's."""
        if isinstance(value, np.ndarray):
            return None
        with self._device:
            # What makes its elements may still be running on the caller's stream.
            self._stream.wait_event(self._cuda.get_current_stream().record())
        if hasattr(value, "__cuda_array_interface__"):
            with self._computing():
                return self._cupy.asarray(value, order="C")
        kind = getattr(value, "__dlpack_device__", None)
        if kind is None or int(kind()[0]) != _CUDA:
            return None
        with self._computing():
            return self._cupy.asarray(self._cupy.from_dlpack(value), order="C")

    def loaded(self, code: DeviceCode) -> Launch:
        """Return what launches the kernels of a PTX, which the driver makes machine code of."""
        functions = self._functions.get(code.identity)
        if functions is None:
            with self._computing():
                module = self._cuda.function.Module()
                module.load(code.write_ptx().encode())
                functions = [module.get_function(kernel.name) for kernel in code.kernels]
            self._functions[code.identity] = functions

        def launch(
            number: int, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any]
        ) -> None:
            self.traffic.launches += 1
            passed = [
                _TYPES[type](word)
                for type, word in words(code.kernels[number], arguments, _address)
            ]
            with self._device:
                functions[number](tuple(grid), tuple(block), passed, stream=self._stream)

        return launch

    def call_library(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Return what a function gives: NumPy's functions are CuPy's for its arrays."""
        self.traffic.library_calls += 1
        with self._computing():
            return self._cupy.asarray(function(*arguments), order="C")

    def sparse_product(
        self, starts: Any, indices: Any, values: Any, shape: tuple[int, ...], vector: Any
    ) -> Any:
        """The product by cuSPARSE."""
        self.traffic.library_calls += 1
        library: Any = import_module("cupyx.scipy.sparse")
        with self._computing():
            matrix = library.csr_matrix((values, indices, starts), shape=shape)
            matrix.has_canonical_format = True
            return matrix @ vector

    def synchronize(self) -> None:
        """Wait for the stream of the kernels."""
        self._stream.synchronize()

    @property
    def live_bytes(self) -> int:
        """The bytes that arrays take of the pool."""
        return int(self._pool.used_bytes())

    @property
    def total_bytes(self) -> int:
        """The memory of the GPU."""
        return self._total


class _Buffer:
    """Page-locked memory, and the event after which the copy that uses it is done."""

    def __init__(self, cuda: Any):
        self._memory: Any = cuda.alloc_pinned_memory(_PIECE)
        self.address: int = self._memory.ptr
        self.array = np.frombuffer(self._memory, np.uint8, _PIECE)
        self.event: Any = None

    def wait(self) -> None:
        """Wait for the copy."""
        if self.event is not None:
            self.event.synchronize()
            self.event = None


_CUDA = 2
"""What DLPack calls NVIDIA's GPUs."""
_TYPES: dict[str, Callable[[Any], Any]] = {
    "ptr": np.uint64,
    **{element: row.dtype.type for element, row in ELEMENTS.items()},
}
"""What each type of a parameter is passed as."""


def _address(array: Any) -> int:
    return array.data.ptr
