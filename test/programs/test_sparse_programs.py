"""Programs whose sparse results cost as much as is stored, on both engines against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo

ENGINES = [
    pytest.param("local", None, id="local"),
    pytest.param("local", 1, id="local-1"),
    pytest.param("local", 3, id="local-3"),
    pytest.param("spark", 3, id="spark-3", marks=pytest.mark.spark),
]

N = 5


def some_matrix(seed: int, rows: int = N, columns: int = N) -> Any:
    """About a third of the elements, some of them negative; a row and a column are empty."""
    rng = np.random.default_rng(seed)
    dense = rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.4)
    dense[seed % rows] = 0
    dense[:, (seed + 2) % columns] = 0
    return sparse.csr_array(dense)


def check(source: str, engine: str, block: int | None, expected: list[Any], **inputs: Any) -> None:
    """Run a program; all of its results are stored sparsely, and equal what is expected."""
    master = "local[2]" if engine == "spark" else None
    program = diablo.compile(source, engine=engine, master=master, block_size=block)
    results = program(**inputs)
    results = results if isinstance(results, tuple) else (results,)
    assert len(results) == len(expected)
    for number, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        found = (result.to_scipy() if hasattr(result, "to_scipy") else result).toarray()
        dense = wanted.toarray() if sparse.issparse(wanted) else wanted
        np.testing.assert_allclose(found, dense, rtol=1e-12, atol=1e-15, err_msg=f"result {number}")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_fewer_rows_than_indices(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input V: vector[Double]; input D: matrix[Double];
        var A = tensor*()(n,n)[ ((i,i),1.0) | i <- 0..n-1 ];
        var B = tensor*(n)(n)[ ((i,i+1),2.0*i) | i <- 0..n-1 ];
        var C = tensor*(n)(n)[ ((i,n-1-i),V[i]) | i <- 0..n-1 ];
        var E = tensor*()(n,n)[ ((i,2),v) | (i,v) <- V ];
        var F = tensor*(n)(n)[ ((i,j),1.0*i+j) | i <- 1..2, j <- 0..n-2 ];
        var G = tensor*(n)(n)[ ((i,j),V[j]) | i <- 3..n+5, j <- 0..n-1 ];
        var H = tensor*()(n,n)[ ((i,i),+/d) | ((i,j),d) <- D, group by i ];
        var K = tensor*(n)(n)[ ((i,j),D[i,j]) | i <- 0..n-1, j <- 0..n-1, i == j ];
        var L = tensor()(n,n)[ ((i,j),V[j]) | i <- 0..n-1, j <- i..n-1 ];
        (A, B, C, E, F, G, H, K, L)
    """
    v = np.arange(1.0, N + 1)
    d = np.arange(1.0, N * N + 1).reshape(N, N)
    i, j = np.indices((N, N))
    expected = [
        np.eye(N),
        np.diag(2.0 * np.arange(N - 1), 1),
        np.diag(v)[:, ::-1],
        np.where(j == 2, v[i], 0),
        np.where((i >= 1) & (i <= 2) & (j <= N - 2), i + j, 0),
        np.where(i >= 3, v[j], 0),
        np.diag(d.sum(axis=1)),
        np.diag(np.diag(d)),
        np.triu(v[j]),
    ]
    check(source, engine, block, expected, n=N, V=v, D=d)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_updates_that_leave_zeros_alone(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input S: matrix[Double]; input D: matrix[Double];
        var A = S; for i = 0, n-1 do for j = 0, n-1 do A[i,j] *= 2.0;
        var B = S; for i = 1, n-2 do for j = 0, n-1 do B[i,j] *= D[i,j];
        var C = S; for i = 0, n-1 do for j = 0, n-1 do C[i,j] min= 0.25;
        var E = S; for i = 0, n-1 do for j = 0, n-1 do E[i,j] max= 0.25;
        var F = S; for i = 0, n-1 do F[i,i] *= 3.0;
        var G = S; for i = 0, n-1 do for j = 0, n-1 do if (G[i,j] > 0.1) G[i,j] *= 2.0;
        var H = S; for i = 0, n-1 do for j = 0, n-1 do if (i <= j) H[i,j] = 0.0;
        var K = S; for i = 0, n-1 do for j = 0, n-1 do if (i <= j) K[i,j] = 1.0;
        (A, B, C, E, F, G, H, K)
    """
    matrix = some_matrix(1)
    s, d = matrix.toarray(), np.random.default_rng(3).normal(size=(N, N))
    inner = (np.arange(N)[:, None] >= 1) & (np.arange(N)[:, None] <= N - 2)
    upper = np.triu(np.ones((N, N), bool))
    expected = [
        2 * s,
        np.where(inner, s * d, s),
        np.minimum(s, 0.25),
        np.maximum(s, 0.25),
        s + 2 * np.diag(np.diag(s)),
        np.where(s > 0.1, 2 * s, s),
        np.where(upper, 0, s),
        np.where(upper, 1, s),
    ]
    check(source, engine, block, expected, n=N, S=matrix, D=d)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_assignments_of_sparse_elements(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input S: matrix[Double]; input T: matrix[Double];
        var A = T; for i = 0, n-1 do for j = 0, n-1 do A[i,j] = 3.0*S[i,j];
        var B = T; for i = 1, n-2 do for j = 0, n-1 do B[i,j] = S[i,j] - T[i,j];
        var C = T; for i = 0, n-1 do for j = 0, n-1 do C[i,j] = S[j,i];
        var D = T; for i = 0, n-1 do for j = 0, n-1 do if (S[i,j] > 0.0) D[i,j] = -S[i,j];
        var E = T; for i = 0, n-1 do for j = 0, n-1 do E[i,j] += S[i,j];
        var F = T; for i = 0, n-1 do for j = 0, n-1 do F[i,j] = S[i,j] + 1.0;
        (A, B, C, D, E, F)
    """
    first, second = some_matrix(1), some_matrix(2)
    s, t = first.toarray(), second.toarray()
    inner = (np.arange(N)[:, None] >= 1) & (np.arange(N)[:, None] <= N - 2)
    expected = [3 * s, np.where(inner, s - t, t), s.T, np.where(s > 0, -s, t), t + s, s + 1]
    check(source, engine, block, expected, n=N, S=first, T=second)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_unions_of_sparse_matrices(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input S: matrix[Double]; input T: matrix[Double]; input D: matrix[Double];
        var Z = tensor*()(n,n) T;
        (S - S.t, S + S.t*2.0, S + S, S - T, abs(S - T)*2.0, max(S, T), (S - Z)*D, Z - S.t, Z - Z,
         tensor*()(n,n)[ ((i,j),a-b+i*a) | ((i,j),a) <= S, ((ii,jj),b) <= T, ii == i, jj == j,
                                           a > b ],
         S / (+/[ x | ((i,j),x) <- T ]), S / (+/[ x | ((i,j),x) <- T, x > 1000.0 ]))
    """
    first, second = some_matrix(1), some_matrix(2)
    s, t, d = first.toarray(), second.toarray(), np.random.default_rng(3).normal(size=(N, N))
    expected = [
        s - s.T,
        s + 2 * s.T,
        2 * s,
        s - t,
        2 * abs(s - t),
        np.maximum(s, t),
        (s - t) * d,
        t - s.T,
        np.zeros((N, N)),
        np.where(s > t, s - t + np.arange(N)[:, None] * s, 0),
        s / t.sum(),
        np.where(s > 0, np.inf, np.where(s < 0, -np.inf, 0)),
    ]
    check(source, engine, block, expected, n=N, S=first, T=second, D=d)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_products_of_sparse_matrices(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input m: Int; input S: matrix[Double]; input T: matrix[Double];
        var Y = tensor*()(n,m) S; var Z = tensor*()(m,n) T;
        (S @ S.t, S @ T, T @ S, S @ T @ S, Y @ Z, Y @ T, S @ Z, (S @ T) - (T @ S).t @ (S @ T))
    """
    first, second = some_matrix(1, N, N), some_matrix(2, N, N)
    s, t = first.toarray(), second.toarray()
    expected = [s @ s.T, s @ t, t @ s, s @ t @ s, s @ t, s @ t, s @ t, s @ t - (t @ s).T @ (s @ t)]
    check(source, engine, block, expected, n=N, m=N, S=first, T=second)
    source = "input S: matrix[Double]; input T: matrix[Double]; (S @ S.t, S @ T, T.t @ S.t)"
    first, second = some_matrix(1, N, 4), some_matrix(2, 4, 7)
    s, t = first.toarray(), second.toarray()
    check(source, engine, block, [s @ s.T, s @ t, (s @ t).T], S=first, T=second)


def test_large_sparse_matrices() -> None:
    n = 1_000_000
    source = """
        input n: Int; input S: matrix[Double];
        var A = S; for i = 0, n-1 do for j = 0, n-1 do A[i,j] *= 2.0;
        var B = S; for i = 0, n-1 do for j = 0, n-1 do B[i,j] = 3.0*A[i,j];
        (tensor*()(n,n)[ ((i,i),1.0) | i <- 0..n-1 ], A, B, S - S.t, S @ S.t)
    """
    rng = np.random.default_rng(4)
    at = rng.integers(0, n, (2, 1000))
    s = sparse.coo_array((np.ones(1000), tuple(at)), shape=(n, n)).tocsr()
    results = diablo.compile(source)(n=n, S=s)
    expected = [sparse.eye_array(n), 2 * s, 6 * s, s - s.T, s @ s.T]
    for result, wanted in zip(results, expected, strict=True):
        assert np.all(abs(result.to_scipy() - wanted).data == 0)
