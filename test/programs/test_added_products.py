"""Products of matrices that BLAS adds to arrays as it makes them, against NumPy and in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import diablo
from diablo.diagnostics import Diagnostic, listening
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret
from diablo.runtime.arrays import memory

INPUTS = """
input R: matrix[Double]; input A: matrix[Double]; input B: matrix[Double];
input a: Double; input b: Double;
"""

PROGRAMS = {
    "difference": ("R - A@B", lambda R, A, B, a, b: R - A @ B),
    "sum": ("A@B + R", lambda R, A, B, a, b: R + A @ B),
    "multiples": ("a*R - b*(A@B)", lambda R, A, B, a, b: a * R - b * (A @ B)),
    "transposed": ("R - B.t@A.t", lambda R, A, B, a, b: R - B.T @ A.T),
    "two": ("(R - A@B) - B@A", lambda R, A, B, a, b: R - A @ B - B @ A),
    "a factor": ("A - A@B", lambda R, A, B, a, b: A - A @ B),
    "update": (
        "var C: matrix[Double] = R; C = 2.0*C; C += A@B; C",
        lambda R, A, B, a, b: 2 * R + A @ B,
    ),
    "used afterwards": (
        "var D: matrix[Double] = 2.0*R; var E: matrix[Double] = D - A@B; (D, E)",
        lambda R, A, B, a, b: (2 * R, 2 * R - A @ B),
    ),
    "in a loop": (
        "var C: matrix[Double] = R; var k = 0; "
        "while (k < 3) { C = C - A@B; C = C - C@B; k += 1 }; C",
        lambda R, A, B, a, b: _repeated(R, A, B),
    ),
    "by loops": (
        "var C: matrix[Double] = R; for i = 0, A.rows-1 do for j = 0, B.cols-1 do "
        "for k = 0, A.cols-1 do C[i,j] += A[i,k]*B[k,j]; C",
        lambda R, A, B, a, b: R + A @ B,
    ),
}


def _repeated(C: Any, A: Any, B: Any) -> Any:
    for _ in range(3):
        C = C - A @ B
        C = C - C @ B
    return C


def _matrices(n: int) -> list[Any]:
    generator = np.random.default_rng(n)
    return [generator.random((n, n)) / n for _ in range(3)]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("size", [1, 7, 300])
def test_results_are_numpys(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text, wanted = PROGRAMS[name]
    R, A, B = _matrices(size)
    before = [array.copy() for array in (R, A, B)]
    said: list[Diagnostic] = []
    with listening(said.append):
        program = diablo.compile(INPUTS + text)
        found = program(R=R, A=A, B=B, a=1.5, b=-0.25)
    expected = wanted(*before, 1.5, -0.25)
    pairs = (
        zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    )
    for got, want in pairs:
        np.testing.assert_allclose(got.to_numpy(), want, rtol=1e-12, atol=1e-13)
    for array, copy in zip((R, A, B), before, strict=True):
        np.testing.assert_array_equal(array, copy)
    is_added = "BLAS adds a product to an array as it makes it" in [d.message for d in said]
    assert is_added == (name != "two")  # A sum of three is made at once.


@pytest.mark.parametrize(
    ("text", "size", "wanted"),
    [
        ("R + 1.0e200*(1.0e200*(A@B))", 1e-150, 1e100),
        ("R + a*(a*(A@B))", 1e-150, 1e100),
        ("R - 1.0e-200*(1.0e-200*(A@B))", 1e150, -1e-100),
        ("R - b*(b*(A@B))", 1e150, -1e-100),
        ("R - (1.0e200*1.0e200)*(A@B)", 1e-150, -np.inf),
    ],
)
def test_factors_are_not_multiplied_by_each_other(text: str, size: float, wanted: float) -> None:
    """The product of two may overflow or vanish, and what is no finite number is no coefficient."""
    A, B = np.full((1, 1), size), np.full((1, 1), size)
    found = diablo.compile(INPUTS + text)(R=np.zeros((1, 1)), A=A, B=B, a=1e200, b=1e-200)
    np.testing.assert_allclose(found.to_numpy(), [[wanted]], rtol=1e-12)


PARTS = {
    "of the product": "tensor*(k,k)[ ((i,j), R[i,j] - P[i,j]) | i <- 0..k-1, j <- 0..k-1 ]",
    "of both": "tensor*(k,3)[ ((i,j), P[i,j] + 2.0*R[i,j]) | i <- 0..k-1, j <- 0..2 ]",
    "updated": "var C: matrix[Double] = R; for i = 0, k-1 do for j = 0, k-1 do C[i,j] -= P[i,j]; C",
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("k", [0, 2, 3, 5])
@pytest.mark.parametrize("shape", [(3, 4, 3), (5, 2, 5), (2, 4, 3)])
def test_parts_of_products_are_added_by_themselves(
    name: str, k: int, shape: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    rows, inner, columns = shape
    text = f"{INPUTS}input k: Int; var P: matrix[Double] = A@B; {PARTS[name]}"
    generator = np.random.default_rng(k)
    inputs = {
        "R": generator.integers(1, 9, (5, 5)).astype(float),
        "A": generator.integers(1, 9, (rows, inner)).astype(float),
        "B": generator.integers(1, 9, (inner, columns)).astype(float),
        "a": 0.0,
        "b": 0.0,
        "k": k,
    }
    (wanted,) = interpret(import_program(text, "program.diablo"), inputs)
    found = diablo.compile(text)(**inputs)
    np.testing.assert_array_equal(found.to_numpy(), wanted.to_numpy())


@pytest.mark.parametrize("text", ["R + 0.5*(S@A)", "R - A@S", "R - S.t@A"])
def test_products_of_sparse_matrices_are_no_calls_of_blas(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    R, A, _ = _matrices(7)
    S = scipy.sparse.random_array((7, 7), density=0.3, rng=np.random.default_rng(7), format="csr")
    inputs = "input R: matrix[Double]; input A: matrix[Double]; input S: matrix[Double]; "
    found = diablo.compile(inputs + text)(R=R, A=A, S=S)
    wanted = {
        "R + 0.5*(S@A)": R + 0.5 * (S @ A),
        "R - A@S": R - A @ S,
        "R - S.t@A": R - S.T @ A,
    }
    np.testing.assert_allclose(found.to_numpy(), wanted[text], rtol=1e-12, atol=1e-13)


def test_a_sum_takes_no_memory_but_its_own() -> None:
    """The product is never there by itself: at most one array of its size is in use."""
    program = diablo.compile(INPUTS + "R - A@B")
    for n in (256, 512):
        R, A, B = _matrices(n)
        program(R=R, A=A, B=B, a=0.0, b=0.0)
        memory.clear()
        before = memory.statistics().used
        made = program(R=R, A=A, B=B, a=0.0, b=0.0)
        assert made.to_numpy().shape == (n, n)
        assert memory.statistics().peak - before <= 1.1 * R.nbytes
