"""A GPU of this machine, by CuPy. All calls of CuPy are here, and in `staged_copies`.

Kernels run on one stream, and memory is that stream's: what it frees waits for what was launched
before. Large copies have a stream of their own. What is done for each launch is kept short: a loop
of small kernels takes as long as that.
"""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from math import prod
from struct import Struct, calcsize
from typing import Any

import numpy as np

from diablo.runtime.arrays.memory import apart
from diablo.runtime.device.device import (
    Array,
    Box,
    Device,
    Launch,
    NoDeviceError,
    OutOfDeviceMemoryError,
    is_wide,
    word_types,
    words_of,
)
from diablo.runtime.device.device_buffers import DeviceBuffer
from diablo.runtime.device.device_code import DeviceCode, LaunchedKernel
from diablo.runtime.device.staged_copies import StagedCopies
from diablo.runtime.kernels.device_memory import is_lent_by_device
from diablo.runtime.kernels.signature import ELEMENTS

_SMALL = 1 << 16
"""Bytes up to which the driver copies as fast from any memory."""


def gpu_count() -> int:
    """Return how many GPUs this machine has; a `NoDeviceError` if there is none, or no CuPy."""
    try:
        count = _cupy().cuda.runtime.getDeviceCount()
    except NoDeviceError:
        raise
    except Exception as error:
        # CuPy raises what its binding of the driver raises, of which nothing is promised.
        raise NoDeviceError(f"device 'gpu': CuPy finds no GPU: {error}") from None
    if not count:
        raise NoDeviceError("device 'gpu': CuPy finds no GPU")
    return count


def _cupy() -> Any:
    try:
        return import_module("cupy")
    except ImportError:
        raise NoDeviceError(
            "device 'gpu': CuPy is not installed; the package is cupy-cuda12x"
        ) from None


class CuPyDevice(Device):
    """A GPU that CuPy uses, with a pool of memory and streams of its own."""

    def __init__(self, number: int = 0) -> None:
        super().__init__()
        cupy = _cupy()
        self._cupy: Any = cupy
        self._cuda: Any = cupy.cuda
        self._device: Any = self._cuda.Device(number)
        properties = self._cuda.runtime.getDeviceProperties(number)
        self.name = properties["name"].decode()
        self._total = int(properties["totalGlobalMem"])
        self._pool: Any = self._cuda.MemoryPool()
        self._allocating = threading.Lock()
        try:
            with self._device:
                self._stream: Any = self._cuda.Stream(non_blocking=True)
                self._copies = StagedCopies(self._cuda, self._device)
        except Exception as error:  # as where other processes have all of its memory
            raise NoDeviceError(f"device 'gpu': CuPy cannot use {self.name}: {error}") from None
        self.number = number
        self._leaving: deque[tuple[Any, DeviceBuffer]] = deque()
        """What is being copied from other devices, with the event after which it has been."""
        self._out_of_memory: Any = self._cuda.memory.OutOfMemoryError

    @contextmanager
    def current(self) -> Generator[None]:
        """Let CuPy use the device, its stream and its memory in this thread."""
        before = _HERE.device
        if before is self:
            yield
            return
        with self._device, self._cuda.using_allocator(self._malloc), self._stream:
            _HERE.device = self
            try:
                yield
            finally:
                _HERE.device = before

    @contextmanager
    def _computing(self) -> Generator[None]:
        """Let CuPy use the device, and tell what fails for want of memory."""
        try:
            with self.current():
                yield
        except self._out_of_memory as error:
            raise OutOfDeviceMemoryError(str(error)) from None

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> DeviceBuffer:
        """An array in the pool."""
        if _HERE.device is not self:
            with self.current():
                return self.empty(shape, dtype)
        try:
            memory = self._malloc(prod(shape) * dtype.itemsize)
        except self._out_of_memory as error:
            raise OutOfDeviceMemoryError(str(error)) from None
        return DeviceBuffer(memory, tuple(shape), dtype)

    def _malloc(self, size: int) -> Any:
        with self._allocating:
            return self._pool.malloc(size)

    def _landing(self, shape: Sequence[int], dtype: np.dtype[Any]) -> tuple[DeviceBuffer, bool]:
        """An array for what is copied here, and whether its memory is fresh: no kernel knows it."""
        size = prod(shape) * dtype.itemsize
        try:
            with self.current(), self._allocating:
                before = self._pool.total_bytes()
                memory = self._pool.malloc(size)
                is_fresh = self._pool.total_bytes() >= before + size
        except self._out_of_memory as error:
            raise OutOfDeviceMemoryError(str(error)) from None
        return DeviceBuffer(memory, tuple(shape), dtype), is_fresh

    def zeros(self, shape: Sequence[int], dtype: np.dtype[Any]) -> DeviceBuffer:
        """An array of zeros in the pool."""
        raw = self.empty(shape, dtype)
        with self._device:
            raw.memory.memset_async(0, raw.nbytes, self._stream)
        return raw

    def copied(self, raw: DeviceBuffer, box: Box | None = None) -> DeviceBuffer:
        """A copy, made on the stream of the kernels."""
        array = self.handed_out(raw)
        if box is not None:
            array = array[box]
        with self._computing():
            return self._held(self._cupy.array(array, order="C"))

    def write(self, raw: DeviceBuffer, box: Box, part: DeviceBuffer) -> None:
        """Copy on the stream of the kernels."""
        with self._computing():
            self.handed_out(raw)[box] = self.handed_out(part)

    def copy_from(self, peer: Device, raw: DeviceBuffer) -> DeviceBuffer:
        """A copy on the way, from memory to memory, on the stream for copies.

        It is let go there when it has been copied: the other device's kernels do not wait for that,
        as they would for all that this one's do before.
        """
        assert isinstance(peer, CuPyDevice)
        target, is_fresh = self._landing(raw.shape, raw.dtype)
        self.traffic.peer_copies += 1
        self.traffic.peer_bytes += raw.nbytes
        if not raw.nbytes:
            return target
        with peer._device:
            made = peer._stream.record()
        with self._device:
            self._reach(peer.number)
            stream = self._copies.stream
            stream.wait_event(made)
            if not is_fresh:
                stream.wait_event(self._stream.record())
            self._cuda.runtime.memcpyPeerAsync(
                target.memory.ptr, self.number, raw.memory.ptr, peer.number, raw.nbytes, stream.ptr
            )
            copied = stream.record()
            self._stream.wait_event(copied)
        with self._noting:
            while self._leaving and self._leaving[0][0].done:
                self._leaving.popleft()
            self._leaving.append((copied, raw))
        return target

    def _reach(self, number: int) -> None:
        """Let copies from another GPU go by the bus between them, if there is one."""
        if number == self.number or (self.number, number) in _REACHED:
            return
        _REACHED.add((self.number, number))
        runtime = self._cuda.runtime
        if runtime.deviceCanAccessPeer(self.number, number):
            try:
                runtime.deviceEnablePeerAccess(number)
            except Exception as error:
                # Another library of this process may have done so; of others the copy will tell.
                if "AlreadyEnabled" not in str(error):
                    raise

    def handed_out(self, raw: DeviceBuffer) -> Any:
        """The array as CuPy has it."""
        return self._cupy.ndarray(raw.shape, raw.dtype, raw.memory)

    def _held(self, array: Any) -> DeviceBuffer:
        """A contiguous array of CuPy's."""
        return DeviceBuffer(array.data, array.shape, array.dtype)

    def copy_in(self, array: Array) -> DeviceBuffer:
        """A copy on the way: kernels that are launched from now on wait for it."""
        array = np.asarray(array, order="C")
        self.traffic.copies_in += 1
        self.traffic.bytes_in += array.nbytes
        if array.nbytes > _SMALL:
            target, is_fresh = self._landing(array.shape, array.dtype)
            with self._device:
                copies = self._copies
                if not is_fresh:  # A kernel may still use what had this memory before.
                    copies.stream.wait_event(self._stream.record())
                copies.to_device(target.memory, array)
                self._stream.wait_event(copies.stream.record())
            return target
        target = self.empty(array.shape, array.dtype)
        if array.nbytes:
            with self._device:
                # The driver has taken what is not page-locked when it returns.
                target.memory.copy_from_host_async(array.ctypes.data, array.nbytes, self._stream)
        return target

    def copy_out(self, raw: DeviceBuffer) -> Array:
        """A copy of what the kernels that were launched so far leave."""
        self.traffic.copies_out += 1
        result = apart(raw.shape, raw.dtype)
        self.traffic.bytes_out += result.nbytes
        with self._device:
            if result.nbytes > _SMALL:
                self._copies.stream.wait_event(self._stream.record())
                self._copies.to_host(result, raw.memory)
            elif result.nbytes:
                raw.memory.copy_to_host_async(result.ctypes.data, result.nbytes, self._stream)
                self._stream.synchronize()
        return result

    def adopted(self, value: Any) -> DeviceBuffer | None:
        """An array of CuPy's, or of another library whose memory is this GPU's."""
        if isinstance(value, np.ndarray | DeviceBuffer):
            return value if isinstance(value, DeviceBuffer) else None
        with self._device:
            # What makes its elements may still be running on the caller's stream.
            self._stream.wait_event(self._cuda.get_current_stream().record())
        if hasattr(value, "__cuda_array_interface__"):
            with self._computing():
                return self._own(self._cupy.asarray(value, order="C"))
        if not is_lent_by_device(value):
            return None
        with self._computing():
            return self._own(self._cupy.asarray(self._cupy.from_dlpack(value), order="C"))

    def _own(self, array: Any) -> DeviceBuffer | None:
        """An array of CuPy's, if it is in the memory of this GPU.

        Its elements lie at multiples of their size, as kernels load them: of complex numbers in
        somebody else's memory that is a copy, if only their parts do.
        """
        number = getattr(getattr(array, "device", None), "id", self.number)
        if number != self.number:
            return None
        shifted = array.data.ptr % array.dtype.itemsize if array.size else 0
        return self._held(array.copy() if shifted else array)

    def _load(self, code: DeviceCode) -> Launch:
        kernels = self._kernels(code, 32)
        wide = cache(partial(self._kernels, code, 64))
        start, stream = self._cuda.driver.launchKernel, self._stream.ptr

        def launch(
            number: int, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any]
        ) -> None:
            self.traffic.launches += 1
            kernel = kernels[number]
            if kernel.is_wide(*arguments):
                kernel = wide()[number]
            words = kernel.words(*arguments)
            try:
                place = kernel.places.pop()
            except IndexError:
                place = _Place(kernel)
            kernel.layout.pack_into(place.memory, 0, *words)
            start(kernel.function.ptr, *grid, *block, kernel.shared, stream, place.address, 0)
            kernel.places.append(place)

        return launch

    def _kernels(self, code: DeviceCode, index_bitwidth: int) -> list[_Kernel]:
        """Load the kernels of a code."""
        with self._computing():
            module = self._cuda.function.Module()
            module.load(code.write_ptx(index_bitwidth).encode())
            kernels = [_Kernel(module.get_function(each.name), each) for each in code.kernels]
            for kernel in kernels:
                if kernel.shared:
                    self._cuda.driver.funcSetAttribute(
                        kernel.function.ptr, _SHARED_BYTES, kernel.shared
                    )
        return kernels

    def mark(self) -> Any:
        """An event on the stream of the kernels."""
        event = self._cuda.Event()
        event.record(self._stream)
        return event

    def seconds_between(self, begin: Any, end: Any) -> float:
        """The time between two events."""
        return self._cuda.get_elapsed_time(begin, end) / 1e3

    def computed(
        self, function: Callable[..., Any], arguments: Sequence[Any]
    ) -> Sequence[DeviceBuffer]:
        """Return what a function gives: NumPy's functions are CuPy's for its arrays."""
        self.traffic.library_calls += 1
        with self._computing():
            given = [self.handed_out(a) if isinstance(a, DeviceBuffer) else a for a in arguments]
            made = function(*given)
            return [self._held(self._cupy.asarray(array, order="C")) for array in made]

    def sparse_product(
        self,
        starts: DeviceBuffer,
        indices: DeviceBuffer,
        values: DeviceBuffer,
        shape: tuple[int, ...],
    ) -> Callable[[Any], Any]:
        """Return what multiplies by cuSPARSE."""
        library: Any = import_module("cupyx.scipy.sparse")
        parts = [self.handed_out(part) for part in (values, indices, starts)]
        with self._computing():
            matrix = library.csr_matrix(tuple(parts), shape=shape)
        matrix.has_canonical_format = True
        return lambda vector: matrix @ vector

    def synchronize(self) -> None:
        """Wait for the stream of the kernels."""
        self._stream.synchronize()

    @property
    def shared_bytes(self) -> int:
        """What blocks may share, if a launch asks for more than for all of them."""
        return int(self._device.attributes.get("MaxSharedMemoryPerBlockOptin", 0))

    @property
    def live_bytes(self) -> int:
        """The bytes that arrays take of the pool."""
        return int(self._pool.used_bytes())

    @property
    def total_bytes(self) -> int:
        """The memory of the GPU."""
        return self._total


class _Here(threading.local):
    """The device that this thread works with."""

    device: CuPyDevice | None = None


_HERE = _Here()
_REACHED: set[tuple[int, int]] = set()
"""The pairs of GPUs of which the first has asked for the memory of the second."""


class _Kernel:
    """A kernel of the driver, and how it is passed its arguments."""

    def __init__(self, function: Any, kernel: LaunchedKernel):
        self.function = function
        self.shared = kernel.shared
        self.words = words_of(kernel)
        self.is_wide = is_wide(kernel)
        codes = [_CODES[type] for type in word_types(kernel)]
        self.layout = Struct("".join(codes))
        self.offsets = [calcsize("".join(codes[:k]) + "0" + code) for k, code in enumerate(codes)]
        self.places: list[_Place] = []
        """Those that no thread is using."""


class _Place:
    """Memory for the words of a launch, which the driver has read when it returns."""

    def __init__(self, kernel: _Kernel):
        self.memory = ctypes.create_string_buffer(max(1, kernel.layout.size))
        first = ctypes.addressof(self.memory)
        words = [first + offset for offset in kernel.offsets]
        self._pointers = (ctypes.c_void_p * len(words))(*words)
        self.address = ctypes.addressof(self._pointers)
        """Where the addresses of the words are."""


_SHARED_BYTES = 8
"""What the driver calls the most that a launch of a kernel may ask for (`CUfunction_attribute`)."""
_CODES = {"ptr": "Q", **{element: row.dtype.char for element, row in ELEMENTS.items()}}
"""What each type of a word is in a `Struct`, which aligns them as C does."""
