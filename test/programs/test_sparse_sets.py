"""Sums, products and other sets of sparse arrays that store elements at different indices.

Random ones, by SciPy, by the interpreter and by all engines' ways: NumPy, machine code, threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import diablo
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import merged_rows
from fuzzing.comparison import difference, plain
from fuzzing.trial import Trial

SHAPES = [(1, 1), (1, 9), (9, 1), (7, 5), (60, 40)]
PROGRAMS = {
    "A + B": lambda a, b, c: a + b,
    "A - B": lambda a, b, c: a - b,
    "A * B": lambda a, b, c: a * b,
    "max(A,B)": lambda a, b, c: np.maximum(a, b),
    "abs(A - 2.0*B)": lambda a, b, c: abs(a - 2 * b),
    "A + B + C": lambda a, b, c: a + b + c,
    "A*B + C": lambda a, b, c: a * b + c,
    "(A - B)*C": lambda a, b, c: (a - b) * c,
    "A.t + B.t": lambda a, b, c: a.T + b.T,
    "A + A": lambda a, b, c: a + a,
    "A - A": lambda a, b, c: a - a,
    "A.t @ B": lambda a, b, c: a.T @ b,
}


def matrix(shape: tuple[int, int], density: float, seed: int, dtype: Any = np.float64) -> Any:
    """Numbers that add up exactly; some rows are empty, and some elements cancel."""
    rng = np.random.default_rng(seed)
    stored = rng.random(shape) < density * rng.choice([0, 1, 3], (shape[0], 1))
    return (stored * rng.integers(1, 4, shape)).astype(dtype)


def inputs(shape: tuple[int, int], densities: tuple[float, float, float]) -> dict[str, Any]:
    arrays = [matrix(shape, density, seed) for seed, density in enumerate(densities)]
    return {name: sp.csr_array(array) for name, array in zip("ABC", arrays, strict=True)}


def source(text: str, element: str = "Double") -> str:
    return "".join(f"input {name}: matrix[{element}]; " for name in "ABC") + text


@pytest.fixture(params=[("never", "1"), ("always", "1"), ("always", "3")])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """When machine code is used, and by how many threads."""
    compile, threads = request.param
    monkeypatch.setenv("DIABLO_COMPILE", compile)
    monkeypatch.setenv("DIABLO_THREADS", threads)
    return request.param


@pytest.mark.sampled(28)
@pytest.mark.parametrize("text", PROGRAMS)
def test_as_scipy(text: str, mode: tuple[str, str]):
    program = diablo.compile(source(text))
    for shape in SHAPES:
        for densities in ((0.3, 0.3, 0.3), (0.0, 0.3, 0.1), (0.3, 0.0, 0.0), (0.05, 0.9, 0.3)):
            given = inputs(shape, densities)
            found = program(**given).to_scipy()
            dense = [given[name].toarray() for name in "ABC"]
            np.testing.assert_array_equal(found.toarray(), PROGRAMS[text](*dense), str(mode))
            assert found.data.all()
            assert found.has_canonical_format


@pytest.mark.sampled(8)
@pytest.mark.parametrize("text", PROGRAMS)
def test_as_the_interpreter(text: str, mode: tuple[str, str]):
    given = inputs((6, 6), (0.3, 0.4, 0.2))
    expected = Trial(source(text), given).expected()
    for block_size in (None, 4):
        found = diablo.compile(source(text), block_size=block_size)(**given)
        assert difference(plain((found,)), expected) is None, mode


@pytest.mark.sampled(24)
@pytest.mark.parametrize(
    ("element", "dtype"),
    [("Float", "f4"), ("Int", "i8"), ("Int8", "i1"), ("UInt16", "u2"), ("Complex64", "c8")],
)
@pytest.mark.parametrize("text", ["A + B", "A * B", "A - B"])
def test_other_elements(text: str, element: str, dtype: str, mode: tuple[str, str]):
    a, b, c = (matrix((30, 20), 0.3, seed, dtype) for seed in range(3))
    given = {name: sp.csr_array(array) for name, array in zip("ABC", (a, b, c), strict=True)}
    found = diablo.compile(source(text, element))(**given).to_scipy()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.toarray(), PROGRAMS[text](a, b, c), str(mode))


def test_zeros_and_nan_of_sums(mode: tuple[str, str]):
    a = sp.csr_array([[1.0, 2.0, 0.0, np.inf], [0.0, 0.0, np.nan, 0.0]])
    b = sp.csr_array([[-1.0, 0.0, 3.0, -np.inf], [0.0, 0.0, 1.0, 0.0]])
    found = diablo.compile(source("A + B"))(A=a, B=b, C=a).to_scipy()
    assert found.indices.tolist() == [1, 2, 3, 2], mode
    np.testing.assert_array_equal(found.data, [2.0, 3.0, np.nan, np.nan])


def merges(monkeypatch: pytest.MonkeyPatch) -> list[SparseTile | None]:
    """Return what kernels that merge rows return from now on, None where they do not run."""
    results: list[SparseTile | None] = []
    call = merged_rows.MergingKernel.call

    def noted(kernel: merged_rows.MergingKernel, arguments: Any) -> SparseTile | None:
        results.append(call(kernel, arguments))
        return results[-1]

    monkeypatch.setattr(merged_rows.MergingKernel, "call", noted)
    return results


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["A + B", "A * B", "max(A,B)", "abs(A - 2.0*B)"])
def test_rows_are_merged_by_machine_code(text: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    results = merges(monkeypatch)
    diablo.compile(source(text))(**inputs((30, 20), (0.3, 0.3, 0.3))).to_numpy()
    assert results
    assert all(result is not None for result in results)


def test_arrays_of_one_pattern_are_not_merged(monkeypatch: pytest.MonkeyPatch):
    """Their values are added as they are, and the sum has their pattern."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    results = merges(monkeypatch)
    text = "var B2 = tensor*(A.rows)(A.cols)[ ((i,j),2.0*a) | ((i,j),a) <- A ]; A + B2"
    given = inputs((30, 20), (0.3, 0.3, 0.3))
    found = diablo.compile(source(text))(**given)
    np.testing.assert_array_equal(found.to_numpy(), 3 * given["A"].toarray())
    assert not any(results)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("storage", ["()(n,m)", "(n)(m)"])
def test_arrays_of_rows(shape: tuple[int, int], storage: str, mode: tuple[str, str]):
    """Rows in any order, some of one index, some outside."""
    n, m = shape
    text = f"""input n: Int; input m: Int; input L: list[(Int,Int,Double)];
        tensor{storage}[ ((i,j),+/v) | (i,j,v) <- L, group by (i,j) ]"""
    rng = np.random.default_rng(n)
    i, j = rng.integers(-1, n + 1, 200), rng.integers(-1, m + 1, 200)
    v = rng.integers(-2, 3, 200) * 0.5
    found = diablo.compile(text)(n=n, m=m, L=(i, j, v)).to_scipy()
    inside = (i >= 0) & (i < n) & (j >= 0) & (j < m)
    expected = sp.coo_array((v[inside], (i[inside], j[inside])), shape=shape).toarray()
    np.testing.assert_array_equal(found.toarray(), expected, str(mode))
    assert found.data.all()
    assert found.has_canonical_format
