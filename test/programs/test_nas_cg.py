"""NAS CG on both engines: NPB's own verification, and a small matrix at small block sizes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo

NAS = Path(__file__).parents[2] / "examples" / "nas"
DATA = Path(__file__).parents[3] / "shared" / "data"
PROGRAMS = ["cg.diablo", "cg_regions.diablo"]
ZETA_AFTER_ONE = 9.998644157914011
"""What the first outer iteration of class S gives."""
EPSILON = 1e-10
"""How far NPB lets zeta be from the right one."""


def make_cg() -> Any:
    """The generator of the matrices, which is a script in a folder of examples."""
    if "make_cg" not in sys.modules:
        spec = importlib.util.spec_from_file_location("make_cg", NAS / "make_cg.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules["make_cg"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["make_cg"]


def run(program: str, matrix: Any, engine: str, block: int | None, **inputs: Any) -> Any:
    master = "local[2]" if engine == "spark" else None
    compiled = diablo.compile(NAS / program, engine=engine, master=master, block_size=block)
    return compiled(A=matrix, **inputs)


def by_hand(matrix: Any, shift: float, niter: int) -> float:
    """The same in SciPy."""
    x, zeta = np.ones(matrix.shape[0]), 0.0
    for _ in range(niter):
        z, r, p, rho = np.zeros_like(x), x.copy(), x.copy(), x @ x
        for _ in range(25):
            q = matrix @ p
            alpha = rho / (p @ q)
            z, r, before = z + alpha * p, r - alpha * q, rho
            rho = r @ r
            p = r + rho / before * p
        zeta = shift + 1.0 / (x @ z)
        x = z / np.sqrt(z @ z)
    return zeta


@pytest.mark.parametrize(("name", "entries"), [("S", 78_148), ("W", 508_402)])
def test_the_matrix_is_that_of_npb(name: str, entries: int) -> None:
    made = make_cg()
    matrix = made.make_matrix(made.CLASSES[name])
    assert matrix.nnz == entries
    assert matrix.has_canonical_format
    assert abs(matrix - matrix.T).max() < 1e-15
    file = DATA / f"cg_{name}.npz"
    if file.exists():
        stored = np.load(file)
        np.testing.assert_array_equal(matrix.indptr, stored["indptr"])
        np.testing.assert_array_equal(matrix.indices, stored["indices"])
        np.testing.assert_allclose(matrix.data, stored["data"], rtol=1e-14)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("name", "block"), [("S", None), ("S", 500), ("S", 2000), ("W", None), ("W", 4000)]
)
def test_zeta_is_right(program: str, name: str, block: int | None) -> None:
    made = make_cg()
    problem = made.CLASSES[name]
    matrix = made.make_matrix(problem)
    zeta, rnorm = run(program, matrix, "local", block, shift=problem.shift, niter=problem.niter)
    assert abs(zeta - problem.zeta) <= EPSILON * problem.zeta
    assert rnorm < 1e-13


@pytest.mark.sampled(4)
@pytest.mark.spark
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_first_zeta_on_spark(program: str) -> None:
    """A product is a job, so one outer iteration has to do."""
    made = make_cg()
    problem = made.CLASSES["S"]
    matrix = made.make_matrix(problem)
    zeta, rnorm = run(program, matrix, "spark", None, shift=problem.shift, niter=1)
    assert abs(zeta - ZETA_AFTER_ONE) <= EPSILON * ZETA_AFTER_ONE
    assert rnorm < 1e-12


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("block", [None, 1, 3, 7])
def test_small_blocks(program: str, block: int | None) -> None:
    generator = np.random.default_rng(5)
    half = sparse.random_array((9, 9), density=0.2, rng=generator)
    matrix = sparse.csr_array(half + half.T + 9.0 * sparse.eye_array(9))
    zeta, _ = run(program, matrix, "local", block, shift=2.0, niter=1)
    np.testing.assert_allclose(zeta, by_hand(matrix, 2.0, 1), rtol=1e-8)
