# What is asked of CuPy, by a module in its place that has the same names and NumPy's memory.
import ctypes
import sys
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from diablo.kernel_signature import Signature
from diablo.runtime.device import cupy_device, staged_copies
from diablo.runtime.device.cupy_device import CuPyDevice, gpu_count
from diablo.runtime.device.device import NoDeviceError, OutOfDeviceMemoryError
from diablo.runtime.device.device_buffers import DeviceBuffer
from diablo.runtime.device.device_code import DeviceCode, LaunchedKernel


class Pointer:
    """A place in the memory of the device, which it holds."""

    def __init__(self, held: Any, offset: int = 0):
        self.held = held
        self.ptr = held.ctypes.data + offset

    def __add__(self, offset: int) -> "Pointer":
        return Pointer(self.held, self.ptr - self.held.ctypes.data + offset)

    def memset_async(self, value: int, size: int, stream: Any) -> None:
        ctypes.memset(self.ptr, value, size)

    def copy_from_host_async(self, host: int, size: int, stream: Any) -> None:
        ctypes.memmove(self.ptr, host, size)

    def copy_to_host_async(self, host: int, size: int, stream: Any) -> None:
        ctypes.memmove(host, self.ptr, size)


class FakeArray(np.ndarray[Any, Any]):
    """An array of the device."""

    @property
    def data(self) -> Any:
        return Pointer(self)


class Pinned(bytearray):
    """Page-locked memory."""

    @property
    def ptr(self) -> int:
        return ctypes.addressof(ctypes.c_char.from_buffer(self))


STREAM = 77


class Stream:
    ptr = STREAM

    def __init__(self, non_blocking: bool):
        assert non_blocking
        self.waited: list[Any] = []

    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...

    def record(self) -> Any:
        return SimpleNamespace(synchronize=lambda: None, done=True)

    def wait_event(self, event: Any) -> None:
        self.waited.append(event)

    def synchronize(self) -> None: ...


class OutOfMemoryError(Exception): ...


LAUNCHED: list[Any] = []


class Module:
    def load(self, ptx: bytes) -> None:
        version, self.bits = ptx.split()
        assert version == b"6.0"

    def get_function(self, name: str) -> Any:
        return SimpleNamespace(ptr=name if self.bits == b"32" else f"{name} {self.bits.decode()}")


def ptx_of(index_bitwidth: int) -> str:
    return f"6.0 {index_bitwidth}"


ATTRIBUTES: list[Any] = []
SHARED_BYTES = 8


def launch_kernel(function: str, *given: int) -> None:
    """Note the addresses of the words of a launch."""
    *sizes, shared, stream, pointers, extra = given
    assert (stream, extra) == (STREAM, 0)
    assert shared == (70_000 if function == "shared" else 0)
    LAUNCHED.append((function, tuple(sizes[:3]), tuple(sizes[3:]), pointers))


def words(pointers: int, types: list[Any]) -> list[Any]:
    """What the driver reads for a launch."""
    addresses = (ctypes.c_void_p * len(types)).from_address(pointers)
    return [
        type.from_address(address).value for type, address in zip(types, addresses, strict=True)
    ]


@contextmanager
def using_allocator(allocate: Any):
    assert allocate(8) is not None
    yield


def fake_cupy(devices: int = 1, *, grows: bool = False) -> Any:
    taken: list[int] = []

    def malloc(size: int) -> Any:
        if size > 8 * 10**6:
            raise OutOfMemoryError("no room")
        if grows:
            taken.append(size)
        return Pointer(np.empty(size, np.uint8))

    def ndarray(shape: Any, dtype: Any, memory: Any) -> Any:
        count = int(np.prod(shape))
        held = np.asarray(memory.held).reshape(-1)
        return held.view(dtype)[:count].reshape(shape).view(FakeArray)

    cuda = SimpleNamespace(
        runtime=SimpleNamespace(
            getDeviceCount=lambda: devices,
            getDeviceProperties=lambda _: {"name": b"Fake 1", "totalGlobalMem": 1 << 30},
        ),
        Device=lambda _: nullcontext(),
        MemoryPool=lambda: SimpleNamespace(
            malloc=malloc, used_bytes=lambda: 17, total_bytes=lambda: sum(taken)
        ),
        Stream=Stream,
        using_allocator=using_allocator,
        alloc_pinned_memory=Pinned,
        memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
        function=SimpleNamespace(Module=Module),
        driver=SimpleNamespace(
            launchKernel=launch_kernel, funcSetAttribute=lambda *given: ATTRIBUTES.append(given)
        ),
        get_current_stream=lambda: Stream(True),
    )
    return SimpleNamespace(
        cuda=cuda,
        ndarray=ndarray,
        array=lambda raw, order: np.array(raw, order=order).view(FakeArray),
        asarray=lambda raw, order=None: np.asarray(raw, order=order).view(FakeArray),
    )


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> CuPyDevice:
    monkeypatch.setattr(cupy_device, "_SMALL", 64)
    monkeypatch.setattr(staged_copies, "PIECE", 16)
    monkeypatch.setattr(staged_copies, "_WORTH_SHARING", 2)
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy())
    LAUNCHED.clear()
    return CuPyDevice()


def test_the_device_has_a_name_and_memory(device: CuPyDevice):
    assert device.name == "Fake 1"
    assert (device.total_bytes, device.live_bytes) == (1 << 30, 17)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (8,), (9,), (100,), (7, 11)])
def test_copies_go_in_pieces_and_come_back(device: CuPyDevice, shape: tuple[int, ...]):
    array = np.asarray(np.random.default_rng(1).random(shape))
    raw = device.copy_in(array)
    assert raw.shape == shape
    np.testing.assert_array_equal(device.copy_out(raw), array)
    np.testing.assert_array_equal(device.copy_out(device.copied(raw)), array)
    assert (device.traffic.bytes_in, device.traffic.bytes_out) == (array.nbytes, 2 * array.nbytes)


@pytest.mark.parametrize("grows", [False, True])
def test_large_copies_wait_for_kernels_that_had_their_memory(
    monkeypatch: pytest.MonkeyPatch, grows: bool
):
    monkeypatch.setattr(cupy_device, "_SMALL", 64)
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(grows=grows))
    device = CuPyDevice()
    copies: Any = device._copies.stream  # pyright: ignore[reportPrivateUsage]
    kernels: Any = device._stream  # pyright: ignore[reportPrivateUsage]
    device.copy_in(np.arange(100.0))
    # Kernels wait for the copy, and it for them where its memory is not fresh.
    assert (len(kernels.waited), len(copies.waited)) == (1, 0 if grows else 1)
    device.copy_in(np.arange(3.0))
    assert len(kernels.waited) == 1, "small copies are on the stream of the kernels"


def test_arrays_that_are_not_contiguous_are_copied_whole(device: CuPyDevice):
    array = np.arange(35.0).reshape(5, 7)
    np.testing.assert_array_equal(device.copy_out(device.copy_in(array.T)), array.T)
    raw = device.copy_in(array)
    np.testing.assert_array_equal(
        device.copy_out(device.copied(raw, (slice(3), slice(1, 4)))), array[:3, 1:4]
    )
    np.testing.assert_array_equal(device.copy_out(raw[:2]), array[:2])
    np.testing.assert_array_equal(device.copy_out(raw[1:4]), array[1:4])
    assert raw[3:3].shape == (0, 7)
    np.testing.assert_array_equal(device.copy_out(raw.reshape((7, 5))), array.reshape(7, 5))
    np.testing.assert_array_equal(device.handed_out(raw), array)


def test_kernels_are_passed_addresses_sizes_and_numbers_of_their_types(device: CuPyDevice):
    kernels = (LaunchedKernel("k_0", ("i64", "f32", (2, 0), (0,))),)
    code = DeviceCode("k", Signature((), (), ()), "…", kernels, ptx_of, list)
    matrix, number = device.zeros((3, 5), np.dtype("f8")), device.zeros((), np.dtype("f8"))
    device.loaded(code)(0, (4, 1, 1), (32, 8, 1), (7, 0.5, matrix, number))
    ((name, grid, block, pointers),) = LAUNCHED
    assert (name, grid, block) == ("k_0", (4, 1, 1), (32, 8, 1))
    i64, f32, address = ctypes.c_int64, ctypes.c_float, ctypes.c_uint64
    passed = words(pointers, [i64, f32, address, i64, i64, i64, address])
    assert passed == [7, 0.5, matrix.memory.ptr, 3, 5, 5, number.memory.ptr]


def test_buffers_of_many_elements_have_kernels_of_their_own(device: CuPyDevice):
    code = DeviceCode(
        "w", Signature((), (), ()), "…", (LaunchedKernel("w", ((1,),)),), ptx_of, list
    )
    small = device.zeros((3,), np.dtype("i1"))
    large = DeviceBuffer(small.memory, (1 << 31,), np.dtype("i1"))
    LAUNCHED.clear()
    for buffer in (small, large, small, large):
        device.loaded(code)(0, (1, 1, 1), (32, 8, 1), (buffer,))
    assert [name for name, *_ in LAUNCHED] == ["w", "w 64", "w", "w 64"]
    LAUNCHED.clear()


def test_a_launch_asks_for_memory_that_threads_share(device: CuPyDevice):
    kernels = (LaunchedKernel("shared", ("i64",), 70_000), LaunchedKernel("alone", ("i64",)))
    code = DeviceCode("s", Signature((), (), ()), "…", kernels, ptx_of, list)
    ATTRIBUTES.clear()
    for number in range(2):
        device.loaded(code)(number, (1, 1, 1), (32, 8, 1), (5,))
    assert ATTRIBUTES == [("shared", SHARED_BYTES, 70_000)]
    LAUNCHED.clear()


def test_products_keep_their_rank(device: CuPyDevice):
    x = device.copy_in(np.arange(3.0))
    assert device.call_library(lambda a: a @ a, [x]).shape == ()


class Held:
    """An array of somebody else's in the memory of the device."""

    def __init__(self, array: Any):
        self.array = array
        self.__cuda_array_interface__ = array.__array_interface__

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.array


def test_what_others_have_there_is_waited_for_and_contiguous(device: CuPyDevice):
    array = np.arange(6.0).reshape(2, 3)
    stream: Any = device._stream  # pyright: ignore[reportPrivateUsage]
    found = device.adopted(Held(array.T))
    assert found is not None
    np.testing.assert_array_equal(device.copy_out(found), array.T)
    assert device.adopted(found) is found
    assert len(stream.waited) == 1
    assert device.adopted(array) is None
    assert device.adopted(object()) is None


def test_complex_numbers_that_lie_beside_their_size_are_copied(device: CuPyDevice):
    memory = np.zeros(7)
    first = memory.ctypes.data // 8 % 2
    for begin in (first, first + 1):
        memory[:] = range(7)
        numbers = memory[begin : begin + 4].view(complex)
        found = device.adopted(Held(numbers.view(FakeArray)))
        assert found is not None
        assert found.memory.ptr % 16 == 0
        np.testing.assert_array_equal(device.copy_out(found), numbers)
        assert (found.memory.ptr == numbers.ctypes.data) == (begin == first)


def test_too_little_memory_is_told_from_other_failures(device: CuPyDevice):
    with pytest.raises(OutOfDeviceMemoryError, match="no room"):
        device.empty((10**7,), np.dtype("f8"))


def test_a_machine_without_a_gpu_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(0))
    with pytest.raises(NoDeviceError, match="CuPy finds no GPU"):
        gpu_count()


def test_peers_copy_from_memory_to_memory(monkeypatch: pytest.MonkeyPatch):
    cupy = fake_cupy(2)
    asked: list[Any] = []

    def copy(target: int, to: int, source: int, begin: int, size: int, stream: int) -> None:
        asked.append((begin, to, size, stream))
        ctypes.memmove(target, source, size)

    cupy.cuda.runtime.memcpyPeerAsync = copy
    cupy.cuda.runtime.deviceCanAccessPeer = lambda here, there: here == 1
    cupy.cuda.runtime.deviceEnablePeerAccess = lambda there: asked.append(("access", there))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(cupy_device, "_REACHED", set())
    first, second, again = CuPyDevice(0), CuPyDevice(1), CuPyDevice(0)
    array = np.arange(6.0)
    raw = first.copy_in(array)
    np.testing.assert_array_equal(second.copy_out(second.copy_from(first, raw)), array)
    np.testing.assert_array_equal(again.copy_out(again.copy_from(first, raw)), array)
    second.copy_from(first, raw)
    second.copy_from(first, first.empty((0,), np.dtype("f8")))
    there = (0, 1, 48, STREAM)
    assert asked == [("access", 0), there, (0, 0, 48, STREAM), there]
    assert (second.traffic.peer_copies, second.traffic.peer_bytes) == (3, 96)
    assert (first.traffic.peer_copies, second.traffic.copies_in) == (0, 0)
    # The kernels there wait for the copy, and the copy for what made the array.
    stream: Any = second._stream  # pyright: ignore[reportPrivateUsage]
    assert len(stream.waited) == 2
    with second.current(), first.current():
        assert cupy_device._HERE.device is first  # pyright: ignore[reportPrivateUsage]


def test_parts_are_written_into_boxes(device: CuPyDevice):
    raw = device.zeros((3, 4), np.dtype("f8"))
    device.write(raw, (slice(1, 3), slice(0, 2)), device.copy_in(np.ones((2, 2))))
    expected = np.zeros((3, 4))
    expected[1:, :2] = 1.0
    np.testing.assert_array_equal(device.copy_out(raw), expected)


def test_a_gpu_that_others_have_filled_is_told(monkeypatch: pytest.MonkeyPatch):
    cupy = fake_cupy(2)

    def no_stream(**_: Any) -> Any:
        raise RuntimeError("cudaErrorMemoryAllocation: out of memory")

    cupy.cuda.Stream = no_stream
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(NoDeviceError, match="CuPy cannot use Fake 1: cudaErrorMemoryAllocation"):
        CuPyDevice(1)


def test_the_library_multiplies_arrays_of_its_own(
    device: CuPyDevice, monkeypatch: pytest.MonkeyPatch
):
    matrix: Any = sparse.csr_array(np.diag([1.0, 2.0, 3.0]))
    library = SimpleNamespace(csr_matrix=sparse.csr_array)
    monkeypatch.setitem(sys.modules, "cupyx.scipy.sparse", library)
    starts, indices, values = map(device.copy_in, (matrix.indptr, matrix.indices, matrix.data))
    multiply = device.sparse_product(starts, indices, values, matrix.shape)
    product = device.call_library(multiply, [device.copy_in(np.ones(3))])
    np.testing.assert_array_equal(device.copy_out(product), [1.0, 2.0, 3.0])
    assert device.traffic.library_calls == 1
