"""NAS MG on both engines: NPB's own verification, NumPy at small block sizes, and the memory."""

from __future__ import annotations

import gc
import importlib.util
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo
from diablo import openings
from diablo.runtime.arrays import memory
from diablo.runtime.native import work_seen

NAS = Path(__file__).parents[2] / "examples" / "nas"
PROGRAM = NAS / "mg.diablo"
EPSILON = 1e-8
"""How far NPB lets the norm be from the right one, relative to it."""


def make_mg() -> Any:
    """The generator of the charges, which is a script in a folder of examples."""
    if "make_mg" not in sys.modules:
        spec = importlib.util.spec_from_file_location("make_mg", NAS / "make_mg.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules["make_mg"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["make_mg"]


@pytest.fixture(autouse=True)
def nothing_known_of_inputs() -> None:
    """What tests found out of the inputs of the program is found out by `test_openings`."""
    openings.forget()


def charges(kind: str, problem: Any) -> Any:
    return getattr(make_mg(), f"{kind}_charges")(problem)


def _sums(u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The sums of the neighbours at faces, edges and corners."""
    x, y, z = (np.roll(u, 1, axis) + np.roll(u, -1, axis) for axis in range(3))
    xy = np.roll(x, 1, 1) + np.roll(x, -1, 1)
    xz = np.roll(x, 1, 2) + np.roll(x, -1, 2)
    yz = np.roll(y, 1, 2) + np.roll(y, -1, 2)
    return x + y + z, xy + xz + yz, np.roll(xy, 1, 2) + np.roll(xy, -1, 2)


def _interpolated(z: np.ndarray) -> np.ndarray:
    fine = np.empty([2 * extent for extent in z.shape])
    for place in np.ndindex(2, 2, 2):
        means = z
        for axis, odd in enumerate(place):
            if not odd:
                means = 0.5 * (means + np.roll(means, 1, axis))
        fine[tuple(slice(start, None, 2) for start in place)] = means
    return fine


def in_numpy(v: np.ndarray, iterations: int, a: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The solution u after some V-cycles."""

    def residual(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        _, edges, corners = _sums(u)
        return v - a[0] * u - a[2] * edges - a[3] * corners

    def smoothed(r: np.ndarray, u: np.ndarray) -> np.ndarray:
        faces, edges, _ = _sums(r)
        return u + c[0] * r + c[1] * faces + c[2] * edges

    def cycle(r: np.ndarray) -> np.ndarray:
        if len(r) == 2:
            return smoothed(r, np.zeros_like(r))
        faces, edges, corners = _sums(r)
        means = 0.5 * r + 0.25 * faces + 0.125 * edges + 0.0625 * corners
        z = _interpolated(cycle(means[1::2, 1::2, 1::2]))
        return smoothed(residual(z, r), z)

    u, r = np.zeros_like(v), v
    for _ in range(iterations):
        faces, edges, corners = _sums(r)
        means = 0.5 * r + 0.25 * faces + 0.125 * edges + 0.0625 * corners
        u = u + _interpolated(cycle(means[1::2, 1::2, 1::2]))
        u = smoothed(residual(u, v), u)
        r = residual(u, v)
    return u


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block_size", [None, 3])
def test_small_cubes(block_size: int | None) -> None:
    program = diablo.compile(PROGRAM, engine="local", block_size=block_size)
    v = np.random.default_rng(3).random((8, 8, 8))
    given = {**make_mg().inputs(make_mg().CLASSES["S"]), "n": 8, "levels": 3, "iterations": 2}
    _, u = program(V=v, **given)
    np.testing.assert_allclose(u.to_numpy(), in_numpy(v, 2, given["a"], given["c"]), rtol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_verification_and_memory(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the charges, which are a cube unless they are sparse: u, r and the coarser grids.

    The loop's machine code has a copy of r, and what was planned with is there once as well.
    """
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 1)
    program = diablo.compile(PROGRAM, engine="local")
    problem = make_mg().CLASSES["S"]
    given = {**make_mg().inputs(problem), "V": charges(kind, problem)}
    norm, u = program(**given)
    assert norm == pytest.approx(problem.norm, rel=EPSILON)
    assert u.shape == (problem.n,) * 3
    del u
    gc.collect()
    memory.clear()
    tracemalloc.start()
    program(**given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4.5 * 8 * problem.n**3


@pytest.mark.spark
def test_one_cycle_on_spark() -> None:
    """A small cube in eight tiles; every operation is a job, so one V-cycle has to do."""
    v = np.random.default_rng(3).random((8, 8, 8))
    given = {**make_mg().inputs(make_mg().CLASSES["S"]), "n": 8, "levels": 3, "iterations": 1}
    program = diablo.compile(PROGRAM, engine="spark", master="local[2]", block_size=4)
    _, u = program(V=v, **given)
    wanted = in_numpy(v, 1, given["a"], given["c"])
    np.testing.assert_allclose(u.to_numpy(), wanted, rtol=1e-9, atol=1e-12)


def test_grids_are_arrays_of_their_own():
    problem = make_mg().CLASSES["S"]
    program = diablo.compile(PROGRAM, engine="local")
    program(**make_mg().inputs(problem), V=charges("dense", problem))
    main, *others = program.ir("spark").split("func.func private")
    (loop,) = [text for text in others if "scf.while" in text]
    assert main.count("func.call @loop_0") == 1
    assert loop.count("scf.while") == 1
    assert "tensor<?xtensor" not in main + loop
    # What is coarser and finer has memory that died before, or that of its operands.
    assert loop.count("in_place") >= 8
