"""Kernels on the devices of Spark's workers: what travels, and where it runs."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import pytest

import diablo
from diablo.api import Program
from diablo.lowering.pyspark.emit_pyspark import emit_pyspark
from diablo.runtime.device import worker_kernels
from diablo.runtime.device.device import DEVICE, STAND_IN, NoDeviceError
from diablo.runtime.device.found_device import find_device
from diablo.runtime.device.worker_kernels import WorkerKernel

ROWS = "input A: matrix[Double]; var n = A.rows;tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];"
SPARK: dict[str, Any] = {"engine": "spark", "master": "local[2]", "block_size": 8}


@pytest.fixture(autouse=True)
def forgotten():
    """Each test looks for a device anew, and leaves nothing for others."""
    yield
    worker_kernels.worker_device.cache_clear()
    worker_kernels.say_once.cache_clear()


def _kernel(device: Literal["gpu", "auto"] = "gpu") -> WorkerKernel:
    """The kernel of a program as a worker gets it."""
    program = Program(ROWS, device=device, **SPARK)
    variant = program.variant(program.check({"A": np.ones((20, 20))}))
    cloudpickle: Any = import_module("pyspark.cloudpickle")
    sent = cloudpickle.dumps(variant.main.__globals__["kernel_0"])
    received = cloudpickle.loads(sent)
    assert isinstance(received, WorkerKernel)
    return received


def _place(monkeypatch: pytest.MonkeyPatch, number: int | None) -> None:
    monkeypatch.setattr(worker_kernels, "place_of_task", lambda: number)


def test_a_kernel_that_has_travelled_runs_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(DEVICE, STAND_IN)
    kernel, tile = _kernel(), np.random.default_rng(1).random((8, 5))
    traffic = find_device().traffic
    for number, runs_there in ((None, False), (0, True), (7, True)):
        _place(monkeypatch, number)
        before = traffic.launches
        found = kernel(0, 0, 8, 5, tile)
        assert type(found) is np.ndarray
        np.testing.assert_allclose(found, tile.sum(axis=1))
        assert (traffic.launches > before) == runs_there


def test_little_work_stays_with_the_processor(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(DEVICE, STAND_IN)
    kernel, before = _kernel("auto"), find_device().traffic.launches
    _place(monkeypatch, 0)
    assert kernel(0, 0, 2, 2, np.ones((2, 2))).tolist() == [2.0, 2.0]
    assert find_device().traffic.launches == before


def test_a_worker_without_a_device_says_so_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv(DEVICE, STAND_IN)
    kernel = _kernel()

    def nothing(_: int) -> Any:
        raise NoDeviceError("device 'gpu': CuPy finds no GPU")

    monkeypatch.setattr(worker_kernels, "find_device", nothing)
    for number in (0, 1, 0):
        _place(monkeypatch, number)
        assert kernel(0, 0, 2, 2, np.ones((2, 2))).tolist() == [2.0, 2.0]
    message = "diablo: this worker runs kernels on the processor: device 'gpu': CuPy finds no GPU\n"
    assert capsys.readouterr().err == message


@pytest.mark.parametrize(
    ("resources", "number"),
    [
        ({}, 3),
        ({"gpu": SimpleNamespace(addresses=["5"])}, 5),
        ({"gpu": SimpleNamespace(addresses=["GPU-8a56a4bc"])}, 3),
        ({"fpga": None}, 3),
    ],
)
def test_which_device_a_task_takes(
    resources: dict[str, Any], number: int, monkeypatch: pytest.MonkeyPatch
):
    """That which Spark gives it, or else they go round by the numbers of partitions."""
    task = SimpleNamespace(resources=lambda: resources, partitionId=lambda: 3)
    for found, place in ((task, number), (None, None)):
        context = SimpleNamespace(TaskContext=SimpleNamespace(get=lambda found=found: found))
        monkeypatch.setitem(sys.modules, "pyspark", context)
        assert worker_kernels.place_of_task() == place


def test_tasks_run_them(monkeypatch: pytest.MonkeyPatch):
    a = np.random.default_rng(2).random((20, 20))
    monkeypatch.setenv(DEVICE, STAND_IN)
    program = diablo.compile(ROWS, device="gpu", **SPARK)
    np.testing.assert_allclose(program(A=a).to_numpy(), a.sum(axis=1))
    monkeypatch.setenv(DEVICE, "tpu")  # So that it shows where it is looked for.
    with pytest.raises(diablo.InputError, match="DIABLO_DEVICE is 'tpu', and must be cuda or"):
        program(A=a).to_numpy()


def test_a_text_with_ptx_gives_kernels_what_the_compiler_does():
    program = Program(ROWS, device="gpu", **SPARK)
    variant = program.variant(program.check({"A": np.ones((20, 20))}))
    expected = variant.device_sources["kernel_0"].code()
    assert expected is not None
    names: dict[str, Any] = {"__name__": "printed"}
    exec(emit_pyspark(variant.spark_module, "rows.diablo", gpu=True), names)
    kernel = names["kernel_0"]
    assert isinstance(kernel, WorkerKernel)
    found = kernel.source.code()
    assert found is not None
    assert found.write_ptx(32).strip() == expected.write_ptx(64).expandtabs(4).strip()
    assert found.launches.strip() == expected.launches.strip()
    assert (found.kernels, found.signature) == (expected.kernels, expected.signature)
    assert kernel(0, 0, 2, 3, np.ones((2, 3))).tolist() == [3.0, 3.0]


def test_a_product_is_a_librarys_there_as_well():
    product = Program("input A: matrix[Double]; A @ A;", **SPARK)
    module = product.variant(product.check({"A": np.ones((9, 9))})).spark_module
    text = emit_pyspark(module, "product.diablo", gpu=True)
    names: dict[str, Any] = {"__name__": "printed"}
    exec(text, names)
    code = names["kernel_0"].source.code()
    assert code is not None
    assert code.is_library


def test_rows_whose_arrays_are_read_stay_with_the_processor():
    text = (Path(__file__).parent / "found" / "arrays_in_collections.diablo").read_text("utf-8")
    program = Program(text, device="gpu", **SPARK)
    variant = program.variant(program.check({"n": 3}))
    refusals = [source.refusal for source in variant.device_sources.values()]
    assert "comprehension.probe needs the values of a column" in refusals
    assert "" in refusals  # Where arrays are only moved, the GPU moves numbers of rows.
