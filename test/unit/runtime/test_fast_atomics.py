# Floats that are added as threads come, where a program allows it.
from typing import Any

import numpy as np
import pytest
from device_programs import counted, device, on_cpu, on_gpu, since

from diablo.api import Program
from diablo.diagnostics import Diagnostic, InputError
from diablo.runtime.device.stand_in import StandIn

__all__ = ["device"]

BINS = (
    "input k: vector[Long]; input x: vector[Double]; input n: Int;"
    "tensor*(n)[ (j,+/w) | (i,j) <- k, (l,w) <- x, l == i, group by j ];"
)
GROUPS = "input V: list[(Int,Double)]; [ (k,+/v,count/v) | (k,v) <- V, group by k ];"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("n", [1, 7, 3000])
def test_bins_of_floats(device: StandIn, n: int) -> None:
    generator = np.random.default_rng(n)
    given = {"k": generator.integers(-1, n + 1, 1000), "x": generator.normal(size=1000), "n": n}
    launches: list[int] = []
    results: list[Any] = []
    for fast_atomics in (False, True):
        before = counted(device)
        program = on_gpu(BINS, fast_atomics=fast_atomics)
        results.append(program(**given).to_numpy())
        launches.append(since(device, before)["launches"])
    np.testing.assert_allclose(results[1], on_cpu(BINS)(**given).to_numpy(), rtol=1e-12, atol=1e-13)
    assert launches[1] < launches[0], "nothing is made an integer"


def test_groups_of_rows(device: StandIn) -> None:
    generator = np.random.default_rng(2)
    table = generator.integers(0, 50, 1000), generator.normal(size=1000)
    found = sorted(on_gpu(GROUPS, fast_atomics=True)(V=table))
    expected = sorted(on_cpu(GROUPS)(V=table))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_special_values_come_through(device: StandIn) -> None:
    given = {"k": np.array([0, 1, 1, 2, 2]), "x": np.array([np.nan, np.inf, 1, np.inf, -np.inf])}
    found = on_gpu(BINS, fast_atomics=True)(**given, n=3).to_numpy()
    np.testing.assert_array_equal(found, [np.nan, np.inf, np.nan])


def test_without_a_gpu_they_are_said_to_do_nothing() -> None:
    said: list[Diagnostic] = []
    Program(BINS, fast_atomics=True, listener=said.append)
    (warning,) = said
    assert warning.severity == "warning"
    assert (
        warning.message == "fast atomics have no effect: they are a GPU's, and the device is 'cpu'"
    )
    with pytest.raises(InputError, match="fast atomics have no effect"):
        Program(BINS, fast_atomics=True, strict=True)


@pytest.mark.parametrize("mode", ["gpu", "auto"])
def test_with_a_gpu_nothing_is_said(device: StandIn, mode: Any) -> None:
    said: list[Diagnostic] = []
    Program(BINS, fast_atomics=True, device=mode, listener=said.append)
    assert not said
