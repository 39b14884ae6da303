"""Programs whose small arrays are the driver's find what they find with all arrays in tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from diablo.passes import small_arrays

GENERATOR = np.random.default_rng(0)
A, V = GENERATOR.random((9, 8)), GENERATOR.random(9)
PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "factors": (
        """
        input R: matrix[Double]; input P: matrix[Double]; input Q: matrix[Double];
        input steps: Int;
        var k = 0;
        while (k < steps) {
          k += 1;
          var E = R - P @ Q;
          P = P + 0.1*(E @ Q.t);
          Q = Q + 0.1*(P.t @ E);
        };
        (P, Q)
        """,
        {"R": A, "P": A[:, :2], "Q": A[:2], "steps": 3},
    ),
    "no step": (
        "input R: matrix[Double]; input P: vector[Double]; input n: Int;"
        " var k = 0; while (k < n) { k += 1; P = R @ P + P; }; (P, R)",
        {"R": A[:8], "P": V[:8], "n": 0},
    ),
    "conjugate gradients": (
        """
        input R: matrix[Double]; input v: vector[Double];
        var x = tensor*(v.length)[ (i,0.0) | i <- 0..v.length-1 ];
        var r = v; var p = v; var rho = +/[ a*a | (i,a) <- r ];
        for s = 1, 3 do {
          var q = R @ p;
          var alpha = rho / +/[ a*q[i] | (i,a) <- p ];
          x = x + alpha*p;
          r = r - alpha*q;
          var next = +/[ a*a | (i,a) <- r ];
          p = r + (next/rho)*p;
          rho = next;
        };
        x
        """,
        {"R": A[:8].T @ A[:8] + 9 * np.eye(8), "v": V[:8]},
    ),
    "as many more each time": (
        """
        input R: matrix[Double]; input v: vector[Double];
        var w = v;
        for s = 1, 3 do {
          var n = w.length;
          var u = tensor*(n+2)[ (i,0.5*a) | (i,a) <- w ];
          w = u;
        };
        (w, +/[ a*w[i] | ((i,j),a) <- R ])
        """,
        {"R": A[:8], "v": V[:8]},
    ),
    "one loop in another": (
        """
        input R: matrix[Double]; input v: vector[Double];
        var w = v; var k = 0;
        while (k < 2) {
          k += 1;
          for s = 1, 2 do { w = 0.1*(R @ w) + w; };
          if (k > 1) w = w + v;
        };
        w
        """,
        {"R": A[:8], "v": V[:8]},
    ),
    "a branch": (
        "input R: matrix[Double]; input v: vector[Double]; input c: Int;"
        " if (c > 0) v = R @ v + v; (v, v[2], +/[ a*v[i] | ((i,j),a) <- R ])",
        {"R": A[:8], "v": V[:8], "c": 1},
    ),
    "beside the point": (
        "input R: matrix[Double]; input v: vector[Double]; input n: Int;"
        " (tensor*(n,n)[ ((i,j),R[i-1,j]*v[j] + v[i+1]) | i <- 1..n-2, j <- 0..n-1 ], v)",
        {"R": A[:8], "v": V[:8], "n": 8},
    ),
    "least sums": (
        "input R: matrix[Double]; input v: vector[Double];"
        " tensor*(v.length)[ (i,min/m) | ((i,j),a) <- R, (jj,b) <- v, jj == j,"
        " let m = a+b, group by i ]",
        {"R": A[:8], "v": V[:8]},
    ),
    "columns of one element": (
        "input R: matrix[Double]; input P: matrix[Double]; R @ P + P",
        {"R": A[:8], "P": A[:8, :1]},
    ),
}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("ratio", [1, 2, 100])
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.usefixtures("nothing_kept")
def test_the_same_is_found(name: str, ratio: int, monkeypatch: pytest.MonkeyPatch):
    text, inputs = PROGRAMS[name]
    expected = _found(diablo.compile(text)(**inputs))
    monkeypatch.setattr(small_arrays, "LEAST_DISTRIBUTED", 1)
    monkeypatch.setattr(small_arrays, "SMALL_RATIO", ratio)
    monkeypatch.setattr(small_arrays, "FEW_ELEMENTS", 0)
    programs = [diablo.compile(text, block_size=block_size) for block_size in (1, 3, 20)]
    for program in programs:
        for result, wanted in zip(_found(program(**inputs)), expected, strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-12)
    program = programs[-1]
    distributed = program.ir("pyspark").count("distribute(sc, ")
    arrays = sum(isinstance(value, np.ndarray) for value in inputs.values())
    stays = ratio < 100 and (name, ratio) != ("as many more each time", 2)
    assert (distributed < arrays) == stays


def _found(result: Any) -> list[Any]:
    parts = result if isinstance(result, tuple) else (result,)
    return [np.asarray(part) for part in parts]
