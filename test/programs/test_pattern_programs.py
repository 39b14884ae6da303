"""Programs that cost what their patterns cost, on the local engine against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo

BLOCKS = [None, 1, 3, 7]
N = 6


def run(source: str, block: int | None, **inputs: Any) -> list[Any]:
    """The results of a program as dense arrays and numbers."""
    results = diablo.compile(source, engine="local", block_size=block)(**inputs)
    found: list[Any] = []
    for result in results if isinstance(results, tuple) else (results,):
        if hasattr(result, "to_scipy"):
            result = result.to_scipy().toarray()
        elif hasattr(result, "to_numpy"):
            result = result.to_numpy()
        found.append(result)
    return found


def check(source: str, block: int | None, expected: list[Any], **inputs: Any) -> None:
    found = run(source, block, **inputs)
    for number, (result, wanted) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_allclose(result, wanted, rtol=1e-12, err_msg=f"result {number}")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_bands_and_triangles(block: int | None) -> None:
    source = """
        input n: Int;
        var T = tensor*()(n,n)[ ((i,j),1.0+i+n*j) | i <- 0..n-1, j <- 0..n-1, abs(i-j) < 2 ];
        var L = tensor*()(n,n)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..n-1, j <= i, 2*i+j < 2*n ];
        var D = tensor*(n,n)[ ((i,j),2.0) | i <- 0..n-1, j <- 0..n-1, i-1 <= j, j <= i+2 ];
        var s = +/[ 1 | i <- 0..n-1, j <- 0..n-1, k <- 0..n-1, abs(i-j) < 2, abs(j-k) <= 1 ];
        var m = max/[ i*j | i <- 0..n-1, j <- 0..n-1, 3*j - 2*i > 1, i >= 1 ];
        (T, L, D, s, m)
    """
    i, j = np.indices((N, N))
    a, b, c = np.indices((N, N, N))
    expected = [
        np.where(abs(i - j) < 2, 1.0 + i + N * j, 0),
        np.where((j <= i) & (2 * i + j < 2 * N), 1.0, 0),
        np.where((i - 1 <= j) & (j <= i + 2), 2.0, 0),
        np.count_nonzero((abs(a - b) < 2) & (abs(b - c) <= 1)),
        (i * j)[(3 * j - 2 * i > 1) & (i >= 1)].max(),
    ]
    check(source, block, expected, n=N)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_arrays_within_regions(block: int | None) -> None:
    source = """
        input n: Int; input P: vector[Double];
        var R = tensor*()(n,n)[ ((i,j),true) | i <- 0..n-1, j <- 0..n-1, abs(i-j) < 2 ];
        var D = tensor*()(n,n)[ ((i,j),r) | ((i,j),r) <- R, i == j ];
        var A = tensor*()(n,n)[ ((i,j),1.0/(1+i+j)) | ((i,j),r) <- R ];
        var W = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
        for ((i,j),r) in R do W[i] += A[i,j]*P[j];
        var trace = 0.0;
        for ((i,j),r) in D do trace += A[i,j];
        var steps = 0;
        while (steps < 3) {
            for ((i,j),r) in D do A[i,j] = A[i,j] + 1.0;
            steps += 1;
        };
        var all = 0.0;
        for ((i,j),r) in R do all += A[i,j];
        (W, trace, all)
    """
    i, j = np.indices((N, N))
    a = np.where(abs(i - j) < 2, 1.0 / (1 + i + j), 0)
    p = np.arange(1.0, N + 1)
    check(source, block, [a @ p, np.trace(a), a.sum() + 3 * N], n=N, P=p)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_windows(block: int | None) -> None:
    source = """
        input n: Int; input U: matrix[Double]; input c: vector[Double];
        var k = tensor(3)[ (i,0.25*i) | i <- 0..2 ];
        var R = tensor*(n,n)[ ((i,j), +/[ k[abs(di)+abs(dj)]*U[i+di,j+dj]
                                        | di <- (0-1)..1, dj <- (0-1)..1 ])
                            | i <- 1..n-2, j <- 1..n-2 ];
        var Q = tensor*(n,n)[ ((i,j), +/[ c[abs(di)+abs(dj)]*U[(i+di+n)%n,(j+dj+n)%n]
                                        | di <- (0-1)..1, dj <- (0-1)..1 ])
                            | i <- 0..n-1, j <- 0..n-1 ];
        var M = tensor*(n,n)[ ((i,j), max/[ U[i+di,j] | di <- 0..2, di != 1 ])
                            | i <- 0..n-3, j <- 0..n-1 ];
        var S = tensor*(n,n)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..n-1 ];
        for i = 1, n-2 do for j = 1, n-2 do
            for di = 0-1, 1 do for dj = 0-1, 1 do
                S[i,j] += k[abs(di)+abs(dj)]*U[i+di,j+dj];
        (R, Q, M, S)
    """
    rng = np.random.default_rng(0)
    u, c = rng.normal(size=(N, N)), np.array([2.0, 0.5, -1.0])
    r, q, m = np.zeros((N, N)), np.zeros((N, N)), np.zeros((N, N))
    for di in (-1, 0, 1):
        for dj in (-1, 0, 1):
            shifted = np.roll(u, (-di, -dj), (0, 1))
            q += c[abs(di) + abs(dj)] * shifted
            r += 0.25 * (abs(di) + abs(dj)) * shifted
    r[[0, -1]] = 0
    r[:, [0, -1]] = 0
    m[: N - 2] = np.maximum(u[: N - 2], u[2:])
    check(source, block, [r, q, m, 1 + r], n=N, U=u, c=c)


def some_sparse(seed: int) -> Any:
    """A matrix of a few elements."""
    rng = np.random.default_rng(seed)
    return sparse.csr_array(rng.normal(size=(N, N)) * (rng.random((N, N)) < 0.2))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_sparse_terms(block: int | None) -> None:
    source = """
        input n: Int; input V: matrix[Double]; input U: matrix[Double]; input Z: matrix[Double];
        var R = tensor*(n,n)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..n-1 ];
        for i = 1, n-2 do for j = 1, n-2 do
            R[i,j] = V[i,j] - (U[i-1,j] + U[i+1,j] - 2*U[i,j]);
        var S = tensor*(n,n)[ ((i,j),0.5*(U[j,i] - V[i,j]*U[i,j]) + Z[i,j])
                            | i <- 0..n-1, j <- 0..n-1 ];
        for i = 0, n-1 do for j = 0, n-1 do
            if (i != j) R[i,j] += V[j,i] + U[i,j];
        (R, S)
    """
    v, z = some_sparse(1), some_sparse(2)
    u = np.random.default_rng(3).normal(size=(N, N))
    a, b = v.toarray(), z.toarray()
    r = np.ones((N, N))
    inner = slice(1, N - 1)
    r[inner, inner] = (a[1:-1, 1:-1]) - (u[:-2, 1:-1] + u[2:, 1:-1] - 2 * u[inner, inner])
    r += np.where(np.eye(N) == 0, a.T + u, 0)
    check(source, block, [r, 0.5 * (u.T - a * u) + b], n=N, V=v, U=u, Z=z)
