"""Programs of `examples/` on what stands in for a GPU, against NumPy."""

from __future__ import annotations

import pytest
from test_example_programs import CASES, EXAMPLES, assert_same, plain

import diablo
from diablo.runtime.device.device import DEVICE, STAND_IN
from diablo.runtime.device.found_device import find_device


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "launches"),
    # Kernels and a library; a loop until it converges; neighbours; rows alone.
    [("covariance", True), ("jacobi", True), ("rotation", True), ("group_by", False)],
)
def test_example_on_a_device(name: str, launches: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEVICE, STAND_IN)
    inputs, expected = CASES[name]
    program = diablo.compile(EXAMPLES / f"{name}.diablo", device="gpu")
    before = find_device().traffic.launches
    result = plain(program(**inputs))
    assert_same(result, expected(inputs, result))
    assert (find_device().traffic.launches > before) >= launches


def test_random_arrays_are_those_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEVICE, STAND_IN)
    path = EXAMPLES / "matmul.diablo"
    there, here = diablo.compile(path, device="gpu"), diablo.compile(path)
    assert_same(plain(there(n=9)), plain(here(n=9)))


@pytest.mark.sampled(16)
@pytest.mark.parametrize(
    ("name", "block_size"),
    # Products; halos; a matrix of rows; sparse matrices; rows.
    [("covariance", None), ("jacobi", 4), ("kmeans", None), ("pagerank", None), ("group_by", None)],
)
def test_example_on_two_devices(
    name: str, block_size: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DEVICE, f"{STAND_IN}:2")
    inputs, expected = CASES[name]
    program = diablo.compile(EXAMPLES / f"{name}.diablo", device="gpu:0,1", block_size=block_size)
    result = plain(program(**inputs))
    assert_same(result, expected(inputs, result))
