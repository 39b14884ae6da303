"""Loops that write dense arrays at computed indices, as machine code and in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo

RANDOM = np.random.default_rng(1)
POINTS, CENTRES = RANDOM.random((40, 2)), RANDOM.random((3, 2))
VALUES = RANDOM.integers(0, 6, 50)
WEIGHTS = RANDOM.random(50)


def nearest() -> Any:
    return ((POINTS[:, None] - CENTRES) ** 2).sum(2).argmin(1)


PROGRAMS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "histogram": (
        """input V: vector[Int]; input n: Int;
        var H = tensor(6)[ (i,0) | i <- 0..5 ];
        for i = 0, n-1 do H[V[i]] += 1;
        H;""",
        {"V": VALUES, "n": 50},
        np.bincount(VALUES, minlength=6),
    ),
    "sums by key": (
        """input V: vector[Int]; input W: vector[Double]; input n: Int;
        tensor*(6)[ (k,+/w) | (i,k) <- V, (j,w) <- W, i == j, group by k ];""",
        {"V": VALUES, "W": WEIGHTS, "n": 50},
        np.bincount(VALUES, WEIGHTS, 6),
    ),
    "at an offset": (
        """input W: vector[Double]; input n: Int; input k: Int;
        var S = tensor(n+k)[ (i,1.0) | i <- 0..n+k-1 ];
        for i = 0, n-1 do S[i+k] += W[i];
        S;""",
        {"W": WEIGHTS, "n": 50, "k": 7},
        1.0 + np.concatenate([np.zeros(7), WEIGHTS]),
    ),
    "modulo": (
        """input W: vector[Double]; input n: Int; input k: Int;
        var S = tensor(k)[ (i,0.0) | i <- 0..k-1 ];
        for i = 0, n-1 do S[i%k] += W[i];
        S;""",
        {"W": WEIGHTS, "n": 50, "k": 7},
        np.bincount(np.arange(50) % 7, WEIGHTS),
    ),
    "pairs of keys": (
        """input V: vector[Int]; input n: Int;
        var C = tensor(6,6)[ ((i,j),0) | i <- 0..5, j <- 0..5 ];
        for i = 0, n-2 do C[V[i],V[i+1]] += 1;
        C;""",
        {"V": VALUES, "n": 50},
        np.bincount(VALUES[:-1] * 6 + VALUES[1:], minlength=36).reshape(6, 6),
    ),
    "means of clusters": (
        """input P: matrix[Double]; input C: matrix[Double]; input n: Int; input k: Int;
        monoid argmin((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);
        var near = tensor(n)[ (i, (argmin/[ ((P[i,0]-C[j,0])*(P[i,0]-C[j,0])
            + (P[i,1]-C[j,1])*(P[i,1]-C[j,1]), j) | j <- 0..k-1 ])._2) | i <- 0..n-1 ];
        var sums = tensor(k,2)[ ((j,d),0.0) | j <- 0..k-1, d <- 0..1 ];
        for i = 0, n-1 do
            for d = 0, 1 do
                sums[near[i],d] += P[i,d];
        (near, sums);""",
        {"P": POINTS, "C": CENTRES, "n": 40, "k": 3},
        (nearest(), np.stack([POINTS[nearest() == j].sum(0) for j in range(3)])),
    ),
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("mode", ["never", "always"])
def test_dense_updates(name: str, mode: str, monkeypatch: pytest.MonkeyPatch):
    text, inputs, expected = PROGRAMS[name]
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    for block_size in (None, 7):
        program = diablo.compile(text, block_size=block_size)
        for threads in ("1", "2", "3"):
            monkeypatch.setenv("DIABLO_THREADS", threads)
            found = program(**inputs)
            wanted = expected if isinstance(expected, tuple) else (expected,)
            for one, other in zip(
                found if isinstance(found, tuple) else (found,), wanted, strict=True
            ):
                np.testing.assert_allclose(one, other, rtol=1e-12)
