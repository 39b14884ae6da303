"""Convolutions with channels, which are products of windows: as the interpreter computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret
from diablo.runtime.kernels import window_products

INPUTS = """
input X: array4[Double]; input W: array4[Double]; input n: Int; input m: Int;
input S: matrix[Double]; input F: array3[Double];
"""

PROGRAMS = {
    "valid": "tensor*(2,3,n-2,m-1)[ ((b,o,i,j), +/[ X[b,c,i+p,j+q]*W[o,c,p,q] "
    "| c <- 0..3, p <- 0..2, q <- 0..1 ]) | b <- 0..1, o <- 0..2, i <- 0..n-3, j <- 0..m-2 ]",
    "same": "tensor*(2,3,n,m)[ ((b,o,i,j), +/[ X[b,c,i+p-1,j+q-1]*W[o,c,p,q] "
    "| c <- 0..3, p <- 0..2, q <- 0..1, i+p-1 >= 0, i+p-1 < n, j+q-1 >= 0, j+q-1 < m ]) "
    "| b <- 0..1, o <- 0..2, i <- 0..n-1, j <- 0..m-1 ]",
    "stride": "tensor*(2,3,2,m-1)[ ((b,o,i,j), +/[ W[o,c,p,q]*X[b,c,2*i+p,j+q] "
    "| c <- 0..3, p <- 0..2, q <- 0..1 ]) | b <- 0..1, o <- 0..2, i <- 0..1, j <- 0..m-2 ]",
    "channels last": "tensor*(2,n-2,m-1,3)[ ((b,i,j,o), +/[ X[b,c,i+p,j+q]*W[o,c,p,q] "
    "| p <- 0..2, q <- 0..1, c <- 0..3 ]) | b <- 0..1, i <- 0..n-3, j <- 0..m-2, o <- 0..2 ]",
    "filters of a line": "tensor*(3,n-1)[ ((o,i), +/[ S[i+p,c]*F[o,c,p] | p <- 0..1, c <- 0..1 ]) "
    "| o <- 0..2, i <- 0..n-2 ]",
    "by loops": "var R = tensor*(2,3,n-2,m-1)[ ((b,o,i,j), 0.0) | b <- 0..1, o <- 0..2, "
    "i <- 0..n-3, j <- 0..m-2 ]; for b = 0, 1 do for o = 0, 2 do for i = 0, n-3 do "
    "for j = 0, m-2 do for c = 0, 3 do for p = 0, 2 do for q = 0, 1 do "
    "R[b,o,i,j] += X[b,c,i+p,j+q]*W[o,c,p,q]; R",
    "then more": "tensor*(2,3,n-2,m-1)[ ((b,o,i,j), max(0.0, 0.5 + +/[ X[b,c,i+p,j+q]*W[o,c,p,q] "
    "| c <- 0..3, p <- 0..2, q <- 0..1 ])) | b <- 0..1, o <- 0..2, i <- 0..n-3, j <- 0..m-2 ]",
}


def _inputs(n: int, m: int) -> dict[str, Any]:
    generator = np.random.default_rng(n)
    return {
        "X": generator.integers(-9, 9, (2, 4, n, m)).astype(float),
        "W": generator.integers(-9, 9, (3, 4, 3, 2)).astype(float),
        "S": generator.integers(-9, 9, (n, 2)).astype(float),
        "F": generator.integers(-9, 9, (3, 2, 2)).astype(float),
        "n": n,
        "m": m,
    }


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"block_size": 2},
        pytest.param(
            {"engine": "spark", "master": "local[2]", "block_size": 3}, marks=pytest.mark.spark
        ),
    ],
)
def test_results_are_those_of_the_interpreter(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text, inputs = INPUTS + PROGRAMS[name], _inputs(5, 6)
    (wanted,) = interpret(import_program(text, "program.diablo"), inputs)
    found = diablo.compile(text, **options)(**inputs)
    np.testing.assert_array_equal(found.to_numpy(), wanted.to_numpy())


BEYOND = {
    "channels": "tensor*(2,3,n,m)[ ((b,o,i,j), +/[ X[b,c,i+p,j-q]*W[o,c,p,q] "
    "| c <- 0..3, p <- 0..2, q <- 0..1 ]) | b <- 0..1, o <- 0..2, i <- 0..n-1, j <- 0..m-1 ]",
    "long windows": "tensor*(n)[ (i, +/[ S[i+p,0]*X[0,0,p,0] | p <- 0..n-1 ]) | i <- 0..n-1 ]",
    "both": "tensor*(n,2)[ ((i,o), +/[ S[i+p,c]*S[i-p,c]*F[o,c,p] | p <- 0..1, c <- 0..1 ]) "
    "| i <- 0..n-1, o <- 0..1 ]",
    "diagonal": "tensor*(2,n-1)[ ((o,i), +/[ S[i+p,i+p]*F[o,c,p] | p <- 0..1, c <- 0..1 ]) "
    "| o <- 0..1, i <- 0..n-2 ]",
}
"""Sums that go on beyond the data, where there are no terms."""


@pytest.mark.parametrize("name", BEYOND)
@pytest.mark.parametrize("options", [{}, {"block_size": 2}])
def test_weights_beyond_the_data_may_be_infinite(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text, inputs = INPUTS + BEYOND[name], _inputs(5, 6)
    inputs["W"][0, 1, 2, 1], inputs["W"][2, 0, 0, 1] = np.inf, np.nan
    inputs["X"][0, 0, 4, 0], inputs["F"][1, 0, 1] = np.nan, -np.inf
    (wanted,) = interpret(import_program(text, "program.diablo"), inputs)
    found = diablo.compile(text, **options)(**inputs)
    np.testing.assert_array_equal(found.to_numpy(), wanted.to_numpy())
    assert np.isfinite(found.to_numpy()).any()


@pytest.mark.parametrize("name", PROGRAMS)
def test_windows_are_multiplied_as_matrices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, ...]] = []
    product = window_products.product

    def noted(*arguments: Any) -> Any:
        calls.append(arguments[2])
        return product(*arguments)

    monkeypatch.setattr(window_products, "product", noted)
    for n in (6, 24):
        calls.clear()
        diablo.compile(INPUTS + PROGRAMS[name])(**_inputs(n, 2 * n))
        (extents,) = calls
        # It grows with the places of the result: of a window there are few.
        assert np.prod(extents) <= 2 * 3 * (2 * n * n) * 4 * 3 * 2
