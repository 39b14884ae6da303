"""Functions have a version for each storage of their arguments: kernels are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo

N = 6
BLOCKS = [None, 1, 3, 7]
RESID = """
    input n: Int; input U: array3[Double]; input V: array3[Double];
    region R = (0..n-1, 0..n-1, 0..n-1);
    region Charges = R where [ (1,2,3), (2,2,5), (4,0,0) ];
    var Vs: array3[Double] over Charges = 2.0;
    def resid(V: array3[Double], U: array3[Double]): array3[Double] =
      tensor*(n,n,n)[ ((i,j,k), V[i,j,k] - 0.5*U[i,j,k]
                                - 0.25*(U[(i+n-1)%n,j,k] + U[(i+1)%n,j,k]))
                    | i <- 0..n-1, j <- 0..n-1, k <- 0..n-1 ];
"""
DENSE, SPARSE = "resid(V,{})", "resid(Vs,{})"


def charges() -> np.ndarray:
    v = np.zeros((N, N, N))
    v[[1, 2, 4], [2, 2, 0], [3, 5, 0]] = 2.0
    return v


def resid(v: np.ndarray, u: np.ndarray) -> np.ndarray:
    return v - 0.5 * u - 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0))


def kernels(program: diablo.Program) -> int:
    return program.ir("spark").count("func.func private")


def residuals(calls: list[str], block: int | None) -> tuple[diablo.Program, Any, np.ndarray]:
    """A chain of calls, each of the result of the one before: what it gives, and should give."""
    rng = np.random.default_rng(0)
    inputs = {"U": rng.random((N, N, N)), "V": rng.random((N, N, N))}
    text, expected = RESID + "var r0 = U;\n", inputs["U"]
    for number, call in enumerate(calls):
        text += f"var r{number + 1} = {call.format(f'r{number}')};\n"
        expected = resid(inputs["V"] if call is DENSE else charges(), expected)
    # The sparse array is needed in any case.
    program = diablo.compile(
        text + f"(r{len(calls)}, +/[ x | ((i,j,k),x) <- Vs ])", block_size=block
    )
    found, _ = program(n=N, **inputs)
    return program, found.to_numpy(), expected


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", BLOCKS)
def test_further_calls_add_no_kernel(block: int | None) -> None:
    """The paper's `resid`: one version for dense charges, one for sparse ones, and no more."""
    counts: list[int] = []
    for calls in ([DENSE], [DENSE, SPARSE], [DENSE, SPARSE] * 2):
        program, found, expected = residuals(calls, block)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        counts.append(kernels(program))
    one, two, twice_two = counts
    assert two > one
    assert twice_two == two


def test_the_versions_are_told() -> None:
    program, _, _ = residuals([DENSE, SPARSE, DENSE, SPARSE], None)
    plan = program.explain()
    assert "resid has 2 versions for 4 calls: V dense, U dense (2); V sparse, U dense (2)" in plan
    assert "does this as well: no kernel is added" in plan
    program, _, _ = residuals([DENSE], None)
    assert "version" not in program.explain()


SMOOTH = """
    input n: Int; input u: matrix[Double]; input h: matrix[Double];
    def smooth(u: matrix[Double], a: Double, b: Double, m: Int): matrix[Double] =
      tensor*(m,m)[ ((i,j), a*u[i,j] - b*(u[(i+m-1)%m,j] + u[i,(j+1)%m]))
                  | i <- 0..m-1, j <- 0..m-1 ];
    var first = smooth(u,0.5,0.1,n);
"""


def smooth(u: np.ndarray, a: float, b: float) -> np.ndarray:
    return a * u - b * (np.roll(u, 1, 0) + np.roll(u, -1, 1))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", BLOCKS)
def test_sizes_and_coefficients_are_arguments(block: int | None) -> None:
    rng = np.random.default_rng(1)
    inputs = {"u": rng.random((8, 8)), "h": rng.random((4, 4))}
    few = diablo.compile(SMOOTH + "first", block_size=block)
    many = diablo.compile(
        SMOOTH + "(first, smooth(h,0.25,0.3,n/2), smooth(first,0.5,0.7,n))", block_size=block
    )
    few(n=8, **inputs)
    first, half, second = many(n=8, **inputs)
    expected = smooth(inputs["u"], 0.5, 0.1)
    np.testing.assert_allclose(first.to_numpy(), expected, rtol=1e-12)
    np.testing.assert_allclose(half.to_numpy(), smooth(inputs["h"], 0.25, 0.3), rtol=1e-12)
    np.testing.assert_allclose(second.to_numpy(), smooth(expected, 0.5, 0.7), rtol=1e-12)
    assert kernels(many) == kernels(few)


def test_factors_that_vanish_stay_constants() -> None:
    text = SMOOTH + "(first, smooth(h,0.25,0.0,n/2))"
    program = diablo.compile(text)
    program(n=8, u=np.ones((8, 8)), h=np.ones((4, 4)))
    assert kernels(program) == 2
    assert "no kernel is added" not in program.explain()
