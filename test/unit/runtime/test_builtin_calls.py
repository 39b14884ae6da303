"""Calls of machine code by builtin functions: what they pass and return, and leave to Python."""

import ctypes
import gc
import os
import subprocess
import sys
import weakref
from typing import Any, cast

import numpy as np
import pytest

import diablo
from diablo.kernel_signature import Signature
from diablo.runtime.arrays import memory
from diablo.runtime.kernels import compiled
from diablo.runtime.kernels.builtin_calls import builtin_call
from diablo.runtime.kernels.compiled import CompiledKernel
from diablo.runtime.native import object_calls
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.object_calls import are_possible

pytestmark = pytest.mark.skipif(not are_possible(), reason="objects are kept otherwise here")

_AS_WORD = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Recorder:
    """Takes the place of machine code: keeps the words of calls, and writes to addresses."""

    def __init__(self, words: int):
        self.calls: list[list[int]] = []
        self.writes: dict[int, bytes] = {}
        """What to write where a word says."""
        self._words = words
        self._function = _AS_WORD(self._call)
        self.address = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def _call(self, address: int) -> None:
        words = list((ctypes.c_int64 * self._words).from_address(address))
        self.calls.append(words)
        for number, data in self.writes.items():
            ctypes.memmove(words[number], data, len(data))


def caller(text: str, words: int) -> tuple[Any, Recorder]:
    recorder = Recorder(words)
    made = builtin_call(Signature.parse(text), cast("Entry", recorder))
    assert made is not None
    return made, recorder


def number(word: int) -> float:
    return np.int64(word).view(np.float64)


def test_addresses_sizes_and_strides_are_passed():
    call, recorder = caller("i64 f64[0,?] f64 i1 -> f64[0,=3,0] ~f32[0] whole 0", 17)
    array = np.ones((5, 4))
    table = call(None, 5, array, 2.5, True)
    assert table.shape == (5, 3, 5)
    assert table.dtype == np.float64
    assert table.flags.carray
    (words,) = recorder.calls
    assert words[:5] == [5, array.ctypes.data, 5, 4, 4]
    assert number(words[5]) == 2.5
    assert words[6] & 0xFF == 1
    assert words[7:13] == [table.ctypes.data, 5, 3, 5, 15, 5]
    assert words[14] == 5


def test_the_range_of_shared_work_is_all_of_it():
    call, recorder = caller("f32[?,?] -> i64[0.0] rows 0.0*0.1", 8)
    array = np.ones((6, 7), np.float32)
    assert call(None, array).shape == (6,)
    (words,) = recorder.calls
    assert words[:4] == [array.ctypes.data, 6, 7, 7]
    assert words[5:] == [6, 0, 6]


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("f64", np.float64(-0.0)),
        ("f32", np.float32(1.5)),
        ("i64", np.int64(-3)),
        ("int8", np.int8(-3)),
        ("uint8", np.uint8(200)),
        ("i1", np.bool_(True)),
        ("complex128", np.complex128(1 - 2j)),
    ],
)
def test_numbers_are_numpy_s(element: str, value: Any):
    call, recorder = caller(f"i64 -> {element}() whole 0", 2)
    recorder.writes[1] = value.tobytes()
    found = call(None, 3)
    assert type(found) is type(value)
    assert found.tobytes() == value.tobytes()


def test_several_results_are_a_tuple():
    call, recorder = caller("i64 -> f64(add) ~f64[=512]() f32[0] i64() whole 0", 7)
    recorder.writes = {1: np.float64(2.5).tobytes(), 6: np.int64(7).tobytes()}
    total, array, count = call(None, 3)
    assert (total, count) == (2.5, 7)
    assert array.shape == (3,)
    assert array.dtype == np.float32
    assert recorder.calls[0][3] == 512


@pytest.mark.parametrize(
    "arguments",
    [
        (0, np.ones(3), 1.0),  # no work
        (-1, np.ones(3), 1.0),
        (4, np.ones(3), 1.0),  # an array that is too short
        (3, np.ones(6)[::2], 1.0),  # not contiguous
        (3, np.ones(3, ">f8"), 1.0),
        (3, np.ones(3, np.float32), 1.0),
        (3, np.ones((3, 1)), 1.0),
        (3, np.ma.ones(3), 1.0),
        (3, [1.0, 1.0, 1.0], 1.0),
        (3, None, 1.0),
        (3, np.ones(3), 1),
        (3, np.ones(3), "1"),
        (3, np.ones(3), np.float32(1)),
        (np.int64(3), np.ones(3), 1.0),
        (True, np.ones(3), 1.0),
        (1 << 64, np.ones(3), 1.0),
        (1 << 16, np.ones(1 << 16), 1.0),  # work that threads share
        (3, np.ones(3)),
        (3, np.ones(3), 1.0, 1.0),
        (),
    ],
)
def test_other_calls_are_left_to_python(arguments: tuple[Any, ...]):
    call, recorder = caller("i64 f64[0] f64 -> f64[0] rows 0", 8)
    before = sys.getrefcount(NotImplemented)
    for _ in range(10):
        assert call(None, *arguments) is NotImplemented
    assert sys.getrefcount(NotImplemented) < before + 5
    assert not recorder.calls


def test_arrays_that_are_not_aligned_are_left_to_python():
    call, _ = caller("f64[?] -> f64[0.0] rows 0.0", 6)
    unaligned = np.zeros(25, np.uint8)[1:].view(np.float64)
    assert call(None, unaligned) is NotImplemented
    read_only = np.ones(3)
    read_only.flags.writeable = False
    assert call(None, read_only).shape == (3,)


def test_divisors_are_positive():
    call, _ = caller("i64>0 -> f64[=2] whole =2", 3)
    assert call(None, 0) is NotImplemented
    assert call(None, -1) is NotImplemented
    assert call(None, 1).shape == (2,)


def test_large_outputs_are_left_to_the_pool():
    call, _ = caller("i64 i64 -> f64[0,1] rows 1", 9)
    assert call(None, 1 << 20, 3) is NotImplemented
    assert call(None, 1 << 63 - 1, 3) is NotImplemented
    assert call(None, memory.SMALLEST // 8, 1) is NotImplemented
    assert call(None, -5, 3) is NotImplemented
    assert call(None, memory.SMALLEST // 8 - 1, 1).size == memory.SMALLEST // 8 - 1
    assert call(None, 0, 3).shape == (0, 3)


def test_what_is_offered_is_taken_if_it_fits():
    call, _ = caller("i64 f64[0] -> f64[0] i64() rows 0", 8)
    array = np.ones(3)
    before = sys.getrefcount(array)
    result, _ = call(array, 3, array)
    assert result is array
    assert sys.getrefcount(array) == before + 1
    read_only = np.ones(3)
    read_only.flags.writeable = False
    for other in (np.ones(4), np.ones((3, 1)), np.ones(3, np.int64), [1.0], 0, read_only):
        assert call(other, 3, array) is NotImplemented
    folds, _ = caller("i64 f64[0] -> f64() rows 0", 6)
    assert folds(array, 3, array) is NotImplemented


def test_references_are_given_back():
    call, _ = caller("i64 f64[0] f64 -> f64[0] ~f64[0] i64() rows 0", 11)
    array, factor = np.ones(3), 123.5
    kinds = [array, factor, array.dtype, np.dtype(np.int64)]
    before = [sys.getrefcount(kind) for kind in kinds]
    for _ in range(1000):
        call(None, 3, array, factor)
        call(array, 3, array, factor)
        call(None, 4, array, factor)
    after = [sys.getrefcount(kind) for kind in kinds]
    assert all(b <= a + 5 for a, b in zip(before, after, strict=True))


def test_a_function_holds_what_it_needs():
    call, recorder = caller("i64 -> f64() whole 0", 2)
    recorder.writes[1] = np.float64(2.5).tobytes()
    definition, machine = call.__module__[:2]
    held = [weakref.ref(recorder), weakref.ref(machine)]
    assert isinstance(definition, ctypes.Structure)
    del recorder, machine, definition
    object_calls._machine.cache_clear()  # pyright: ignore[reportPrivateUsage]
    gc.collect()
    assert all(what() is not None for what in held)
    assert call(None, 3) == 2.5
    del call
    gc.collect()
    assert all(what() is None for what in held)


@pytest.mark.parametrize(
    "text",
    [
        "(f64,i64)[?] -> f64[0.0] rows 0.0",
        "complex128 -> f64[=3] whole =3",
        "f32 -> f64[=3] whole =3",
        "i64 -> (f64,i64)() whole 0",
        "i64 -> f64[=3](add) whole 0",
    ],
)
def test_other_signatures_have_none(text: str):
    assert builtin_call(Signature.parse(text), cast("Entry", Recorder(1))) is None


PROGRAM = """
input A: matrix[Double];
input n: Int;
input s: Double;
var B = tensor*(n,n)[ ((i,j),A[i,j]*s + i) | i <- 0..n-1, j <- 0..n-1 ];
(B, +/[ b | (_,b) <- B ])
"""


def kernels_of(program: Any) -> list[CompiledKernel]:
    (variant,) = program._variants.values()
    found = variant.main.__globals__.values()
    return [kernel for kernel in found if isinstance(kernel, CompiledKernel)]


def test_kernels_get_one_once_they_are_called_often(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", "1")
    monkeypatch.setattr(compiled, "WORTH_BUILDING", 4)
    program = diablo.compile(PROGRAM, engine="local")
    array = np.arange(12.0).reshape(3, 4)[:, :3].copy()
    expected = array * 0.5 + np.arange(3)[:, None]
    for _ in range(6):
        table, total = program(A=array, n=3, s=0.5)
        np.testing.assert_array_equal(table.to_numpy(), expected)
        assert total == expected.sum()
    found = kernels_of(program)
    assert found
    for kernel in found:
        assert kernel.builtin is not None
        assert kernel.__getstate__()["builtin"] is None


def test_they_are_possible_where_memory_is_checked():
    command = "from diablo.runtime.native.object_calls import are_possible; print(are_possible())"
    done = subprocess.run(
        [sys.executable, "-c", command],
        env={**os.environ, "PYTHONMALLOC": "debug"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == "True", done.stderr


def test_what_takes_the_place_of_another_is_counted(monkeypatch: pytest.MonkeyPatch):
    call, _ = caller("i64 f64[0] -> f64[0] rows 0", 7)

    class Kernel:
        builtin = staticmethod(call)

        def __call__(self, *arguments: Any) -> Any:
            return memory.empty((3,), np.dtype(np.float64))

    array = np.ones(3)
    before = memory.statistics().in_place
    assert memory.into(array, Kernel(), 3, array) is array
    assert memory.statistics().in_place == before + 1
    # What the builtin function leaves is the kernel's, which is offered the array as well.
    assert memory.into(array, Kernel(), 3, array[::-1]) is array
    assert memory.statistics().in_place == before + 2
