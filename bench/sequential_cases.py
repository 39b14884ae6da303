"""Cases of loops that run in order: over the rows of lists, over pivots, over cells of a table."""

from __future__ import annotations

import numpy as np
from case_table import Work, by_hand, case, random_of, rows, shown, side
from peers import given, numba_way
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def _sets(n: int, a: np.ndarray, b: np.ndarray) -> int:
    above = np.arange(n)
    count = n
    for k in range(len(a)):
        x, y = a[k], b[k]
        while above[x] != x:
            above[x] = above[above[x]]
            x = above[x]
        while above[y] != y:
            above[y] = above[above[y]]
            y = above[y]
        if x != y:
            above[x] = y
            count -= 1
    return count


@case("loops in order", "union of sets")
def union_of_sets(scale: float) -> Work:
    n = rows(1e6, scale)
    generator = random_of("union of sets")
    a, b = generator.integers(0, n, (2, n))
    source = """
        input E: list[(Int,Int)]; input n: Int;
        var above = tensor(n)[ (i,i) | i <- 0..n-1 ]; var count = n;
        for (a,b) in E do {
          var x = a; var y = b;
          while (above[x] != x) { above[x] = above[above[x]]; x = above[x]; };
          while (above[y] != y) { above[y] = above[above[y]]; y = above[y]; };
          if (x != y) { above[x] = y; count -= 1; };
        };
        count
    """
    graph = coo_array((np.ones(n, bool), (a, b)), shape=(n, n))
    ways = {
        "SciPy": by_hand(lambda: connected_components(graph, directed=False)[0]),
        "Numba": numba_way(_sets, n, a, b),
    }
    return Work(f"{shown(n)} pairs", source, {"E": given({"a": a, "b": b}), "n": n}, ways)


def _relaxed(n: int, u: np.ndarray, v: np.ndarray, w: np.ndarray, rounds: int) -> np.ndarray:
    d = np.full(n, np.inf)
    d[0] = 0.0
    for _ in range(rounds):
        for k in range(len(u)):
            d[v[k]] = min(d[v[k]], d[u[k]] + w[k])
    return d


@case("loops in order", "relaxation along edges")
def relaxation(scale: float) -> Work:
    n, rounds = rows(2e4, scale), 10
    generator = random_of("relaxation")
    u, v = generator.integers(0, n, (2, 10 * n))
    w = generator.random(10 * n)
    source = """
        input E: list[(Int,Int,Double)]; input n: Int; input rounds: Int;
        var D = tensor(n)[ (i, if (i == 0) 0.0 else inf) | i <- 0..n-1 ]; var k = 0;
        while (k < rounds) {
          for (u,v,w) in E do if (D[u] + w < D[v]) D[v] = D[u] + w;
          k += 1;
        };
        D
    """
    inputs = {"E": given({"u": u, "v": v, "w": w}), "n": n, "rounds": rounds}
    ways = {
        "Python": by_hand(lambda: _relaxed(n, u, v, w, rounds)),
        "Numba": numba_way(_relaxed, n, u, v, w, rounds),
    }
    return Work(f"{shown(len(u))} edges", source, inputs, ways)


def _eliminated(a: np.ndarray) -> np.ndarray:
    u = a.copy()
    n = len(u)
    for k in range(n - 1):
        p = k
        for i in range(k + 1, n):
            if abs(u[i, k]) > abs(u[p, k]):
                p = i
        for j in range(n):
            u[k, j], u[p, j] = u[p, j], u[k, j]
        for i in range(k + 1, n):
            u[i, k] /= u[k, k]
            for j in range(k + 1, n):
                u[i, j] -= u[i, k] * u[k, j]
    return u


@case("loops in order", "elimination with pivots")
def elimination(scale: float) -> Work:
    n = side(500, scale, power=3)
    a = random_of("elimination").random((n, n))
    source = """
        input A: matrix[Double]; input n: Int; var U = A; var k = 0;
        while (k < n-1) {
          var p = k; var most = -1.0;
          for i = k, n-1 do if (abs(U[i,k]) > most) { most = abs(U[i,k]); p = i; };
          for j = 0, n-1 do { var t = U[k,j]; U[k,j] = U[p,j]; U[p,j] = t; };
          for i = k+1, n-1 do U[i,k] /= U[k,k];
          for i = k+1, n-1 do for j = k+1, n-1 do U[i,j] -= U[i,k]*U[k,j];
          k += 1;
        };
        U
    """

    def numpy() -> np.ndarray:
        u = a.copy()
        for k in range(n - 1):
            p = k + int(np.abs(u[k:, k]).argmax())
            u[[k, p]] = u[[p, k]]
            u[k + 1 :, k] /= u[k, k]
            u[k + 1 :, k + 1 :] -= np.outer(u[k + 1 :, k], u[k, k + 1 :])
        return u

    ways = {"NumPy": by_hand(numpy), "Numba": numba_way(_eliminated, a)}
    return Work(f"{n} x {n}", source, {"A": a, "n": n}, ways)


def _common(a: np.ndarray, b: np.ndarray) -> int:
    table = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    return table[len(a), len(b)]


@case("loops in order", "common subsequence")
def common_subsequence(scale: float) -> Work:
    n = side(2000, scale)
    generator = random_of("common subsequence")
    a, b = generator.integers(0, 4, (2, n))
    source = """
        input A: vector[Int]; input B: vector[Int]; input n: Int;
        var T = tensor(n+1,n+1)[ ((i,j),0) | i <- 0..n, j <- 0..n ]; var i = 0;
        while (i < n) {
          var j = 0;
          while (j < n) {
            if (A[i] == B[j]) T[i+1,j+1] = T[i,j] + 1; else T[i+1,j+1] = max(T[i,j+1], T[i+1,j]);
            j += 1;
          };
          i += 1;
        };
        T[n,n]
    """

    def numpy() -> int:
        row = np.zeros(n + 1, np.int64)
        for each in a:
            found = np.where(b == each, row[:-1] + 1, 0)
            row[1:] = np.maximum.accumulate(np.maximum(found, row[1:]))
        return int(row[-1])

    ways = {"NumPy": by_hand(numpy), "Numba": numba_way(_common, a, b)}
    return Work(f"{n} x {n}", source, {"A": a, "B": b, "n": n}, ways)


def _factored(
    p: np.ndarray, q: np.ndarray, u: np.ndarray, v: np.ndarray, r: np.ndarray, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    one, other = p.copy(), q.copy()
    for n in range(len(u)):
        i, j = u[n], v[n]
        error = r[n]
        for k in range(one.shape[1]):
            error -= one[i, k] * other[j, k]
        for k in range(one.shape[1]):
            old = one[i, k]
            one[i, k] += rate * error * other[j, k]
            other[j, k] += rate * error * old
    return one, other


@case("loops in order", "factors by gradients of ratings")
def gradients(scale: float) -> Work:
    count, rank, rate = rows(2e5, scale), 10, 0.01
    generator = random_of("gradients")
    p, q = generator.random((2, max(count // 100, 1), rank))
    u, v = generator.integers(0, len(p), (2, count))
    r = generator.random(count)
    source = """
        input P0: matrix[Double]; input Q0: matrix[Double]; input R: list[(Int,Int,Double)];
        input l: Int; input rate: Double;
        var P = P0; var Q = Q0;
        for (i,j,r) in R do {
          var e = r;
          for k = 0, l-1 do e -= P[i,k]*Q[j,k];
          for k = 0, l-1 do {
            var p = P[i,k];
            P[i,k] = p + rate*e*Q[j,k];
            Q[j,k] = Q[j,k] + rate*e*p;
          };
        };
        (P, Q)
    """
    table = {"i": u, "j": v, "r": r}
    inputs = {"P0": p, "Q0": q, "R": given(table), "l": rank, "rate": rate}

    def numpy() -> tuple[np.ndarray, np.ndarray]:
        one, other = p.copy(), q.copy()
        for i, j, rating in zip(u, v, r, strict=True):
            error = rating - one[i] @ other[j]
            one[i], other[j] = one[i] + rate * error * other[j], other[j] + rate * error * one[i]
        return one, other

    ways = {"NumPy": by_hand(numpy), "Numba": numba_way(_factored, p, q, u, v, r, rate)}
    return Work(f"{shown(count)} ratings", source, inputs, ways)
