# Calls of kernels of a device by a function written for the code, and what it leaves to others.
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from device_programs import device, on_cpu, on_gpu

from diablo.diagnostics import Diagnostic
from diablo.kernel_signature import Signature
from diablo.runtime.device import cost_model, device_kernels, stand_in
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber
from diablo.runtime.device.device_code import DeviceCode, LaunchedKernel
from diablo.runtime.device.device_run import DeviceRun, running
from diablo.runtime.device.direct_launches import direct_launches
from diablo.runtime.device.stand_in import StandIn
from diablo.runtime.native import machine_code
from diablo.sparse_kernel_signature import SparseSignature

__all__ = ["device"]

STEPS = """input x: vector[Double]; input A: matrix[Double]; input steps: Int;
var n = x.length; var v = x; var s = 1.0; var k = 0;
while (k < steps) {
  var w = A @ v;
  s = w@w;
  v = tensor*(n)[ (i,a/s+b*0.5) | (i,a) <- w, (j,b) <- v, i == j ];
  k += 1;
};
(v, s);"""


_OF_DEVICE = {stand_in.__name__, machine_code.__name__}


def inputs(n: int = 60) -> dict[str, Any]:
    matrix = sparse.random_array((n, n), density=0.1, format="csr", rng=1)
    return {"A": matrix, "x": np.random.default_rng(2).random(n)}


@contextmanager
def entered() -> Generator[Counter[str]]:
    """Count the functions that are entered, by their names, without those of the device."""
    counts: Counter[str] = Counter()

    def enter(frame: Any, event: str, argument: Any) -> None:
        # What is written for a code has no module.
        module = frame.f_globals.get("__name__", "diablo")
        if event == "call" and module.startswith("diablo") and module not in _OF_DEVICE:
            counts[frame.f_code.co_name] += 1

    sys.setprofile(enter)
    try:
        yield counts
    finally:
        sys.setprofile(None)


def test_only_the_first_call_of_a_kernel_goes_through_its_signature(device: StandIn):
    program = on_gpu(STEPS)
    for steps in (3, 4, 5):  # The numbers are found to be open.
        program(**inputs(), steps=steps)
    with entered() as few:
        program(**inputs(), steps=2)
    before = device.traffic.launches
    with entered() as many:
        v, s = program(**inputs(), steps=12)
    assert device.traffic.launches - before == 12 * 4
    assert many["accepted"] == few["accepted"] == 1, "the inputs, which are copied"
    # Three kernels a step, of four launches, and what the program does beside them.
    assert sum((many - few).values()) <= 10 * 60, many - few
    expected = on_cpu(STEPS)(**inputs(), steps=12)
    np.testing.assert_allclose(v, expected[0], rtol=1e-9)
    np.testing.assert_allclose(s, expected[1], rtol=1e-9)


def test_arguments_of_another_kind_are_looked_at_anew(device: StandIn):
    program = on_gpu(
        "input x: vector[Double]; input y: vector[Double]; input a: Double; var n = x.length;"
        "tensor*(n)[ (i,a*u+v) | (i,u) <- x, (j,v) <- y, i == j ];"
    )
    x = np.arange(9.0)
    held = program(x=x, y=x, a=1)
    np.testing.assert_array_equal(program(x=held, y=held, a=2), 6 * x)
    with entered() as counts:
        np.testing.assert_array_equal(program(x=held, y=held, a=np.float64(3)), 8 * x)
    assert counts["accepted"] == 0, "all is on the device"
    with entered() as counts:
        np.testing.assert_array_equal(program(x=held, y=x.astype(np.float32), a=2), 5 * x)
    assert counts["accepted"] == 1, "one is this process's"
    np.testing.assert_array_equal(program(x=held, y=np.arange(12.0), a=1), 3 * x)


def test_a_matrix_that_was_not_passed_before_is_looked_at(device: StandIn):
    text = "input A: matrix[Double]; input x: vector[Double]; A @ x;"
    program, x = on_gpu(text), np.arange(8.0)
    for density in (0.2, 0.9):
        for layout in ("csr", "csc"):
            matrix = sparse.random_array((8, 8), density=density, format=layout, rng=3)
            np.testing.assert_allclose(program(A=matrix, x=x), matrix @ x, rtol=1e-12)
    assert device.live_bytes == 0


def test_auto_decides_first_and_goes_directly_then(
    device: StandIn, monkeypatch: pytest.MonkeyPatch
):
    said: list[Diagnostic] = []
    program = on_gpu(STEPS, said, device="auto")
    with entered() as counts:
        program(**inputs(), steps=4)
    assert device.traffic.launches == 0
    assert counts["accepted"] == 4 * 3
    monkeypatch.setattr(cost_model, "PROCESSOR", 1.0)
    monkeypatch.setattr(cost_model, "PROCESSOR_POINTS", 1.0)
    with entered() as counts:
        v, _ = program(**inputs(), steps=20)
    assert device.traffic.launches > 0
    assert counts["accepted"] <= 12
    assert sum("on the GPU from here on" in each.message for each in said) == 3
    np.testing.assert_allclose(v, on_cpu(STEPS)(**inputs(), steps=20)[0], rtol=1e-9)


def launches(device: StandIn, signature: str, resident: tuple[int, ...], *arguments: Any) -> Any:
    """What a call of a code gives that launches nothing, by a function written for it."""
    signed: Any = SparseSignature if "{" in signature else Signature
    text = "def launches(launch, empty, look, *given):\n    launch(0, (1, 1, 1), (1, 1, 1), given)"
    code = DeviceCode(
        "k", signed.parse(signature), text, (LaunchedKernel("k", ()),), lambda: "", list
    )
    call = direct_launches(code, resident)
    if call is None:
        return None
    run = DeviceRun(device)
    given: list[Any] = []

    def launch(number: int, grid: Any, block: Any, passed: Any) -> None:
        given.extend(passed)

    device._launches["k"] = launch  # pyright: ignore[reportPrivateUsage]
    try:
        with running(run):
            result = call(run, None, *arguments)
    finally:
        del device._launches["k"]  # pyright: ignore[reportPrivateUsage]
    return result if result is NotImplemented else (given, result)


def array(device: StandIn, *shape: int) -> DeviceArray:
    return DeviceArray.there(device, device.empty(shape, np.dtype("f8")))


def test_kernels_are_passed_arrays_numbers_and_results(device: StandIn):
    x, number = array(device, 5, 3), device.zeros((), np.dtype("f8"))
    given, (y, s) = launches(
        device,
        "i64 f64[0,?] f64 -> f64[0,1.1] f64() whole 0",
        (2,),
        5,
        x,
        DeviceNumber(device, number),
    )
    assert given[:3] == [5, x.on_device(), number]
    assert [raw.shape for raw in given[3:]] == [(5, 3), ()]
    assert isinstance(y, DeviceArray)
    assert y.on_device() is given[3]
    assert isinstance(s, DeviceNumber)


@pytest.mark.parametrize(
    "arguments",
    [
        lambda d: (5, array(d, 4), 1.0),
        lambda d: (5, array(d, 5, 1), 1.0),
        lambda d: (5, np.ones(5), 1.0),
        lambda d: (5, DeviceArray.here(d, np.ones(5)), 1.0),
        lambda d: (5, DeviceArray.there(d, d.empty((5,), np.dtype("f4"))), 1.0),
        lambda d: ("five", array(d, 5), 1.0),
        lambda d: (5, array(d, 5), 0.0),
        lambda d: (5, array(d, 5), DeviceNumber(d, d.zeros((), np.dtype("f8")))),
    ],
)
def test_what_does_not_fit_is_left_before_anything_is_launched(device: StandIn, arguments: Any):
    signature = "i64 f64[0] f64>0 -> f64[0] whole 0"
    assert launches(device, signature, (), *arguments(device)) is NotImplemented
    fitting = launches(device, signature, (), np.int64(5), array(device, 6), 2)
    assert fitting[0][2] == 2.0


@pytest.mark.parametrize(
    "signature",
    [
        "(f64,i64)[0] i64 -> f64[1] whole 1",
        "i64 -> (f64,i64)() whole 0",
        "i64 f64{1}[0,0] -> f64{1}@1 rows @1",
        "i64 f64{1}[0,0] -> f64[0]=0 rows @1",
    ],
)
def test_what_is_no_plain_array_or_number_goes_the_general_way(device: StandIn, signature: str):
    assert launches(device, signature, ()) is None


def test_a_kernel_for_numbers_here_and_there_has_a_function_for_each(device: StandIn):
    text = """input x: vector[Double]; input s: Double; input steps: Int;
    var n = x.length; var v = x; var t = s; var k = 0;
    while (k < steps) {
      v = tensor*(n)[ (i,w/t) | (i,w) <- v ];
      t = +/[ w | (i,w) <- v ];
      k += 1;
    };
    v;"""
    x = np.random.default_rng(1).random(40)
    program = on_gpu(text)
    kernels: list[device_kernels.DeviceKernel] = []
    old = device_kernels.DeviceKernel.into

    def into(kernel: device_kernels.DeviceKernel, *given: Any) -> Any:
        kernels.append(kernel)
        return old(kernel, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device_kernels.DeviceKernel, "into", into)
        result = program(x=x, s=3.0, steps=6)
    np.testing.assert_allclose(result, on_cpu(text)(x=x, s=3.0, steps=6), rtol=1e-12)
    found = {len(kernel._direct) for kernel in kernels}  # pyright: ignore[reportPrivateUsage]
    assert found == {2}
