# Loops of the driver whose kernels are jobs that threads share: one call of machine code does all.
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import diablo
from diablo.diagnostics import RunError
from diablo.runtime.program import planned_loops
from diablo.runtime.program.prepared_loops import Preparations

Array = np.ndarray[Any, Any]

JACOBI = """
    input A: matrix[Double]; input n: Int; input steps: Int;
    var U = A; var k = 0; var far = 1.0;
    while (k < steps) {
        U = tensor*(n,n)[ ((i,j), 0.25*(U[(i+1)%n,j] + U[(i+n-1)%n,j] + U[i,(j+1)%n]
                                        + U[i,(j+n-1)%n])) | i <- 0..n-1, j <- 0..n-1 ];
        far = max/[ u | ((i,j),u) <- U ];
        k += 1; };
    (U, far)"""
SCALED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var s = 0.0;
    while (k < steps && s < 1e6) {
        var w = tensor*(n)[ (i, v[i]*1.5 + v[(i+1)%n]) | i <- 0..n-1 ];
        var z = tensor*(n)[ (i, w[(i+3)%n] - 0.5*w[i]) | i <- 0..n-1 ];
        s = +/[ a*a*a | (i,a) <- z ];
        v = tensor*(n)[ (i, z[i]/(1.0 + s)) | i <- 0..n-1 ];
        k += 1; };
    (v, s, k)"""
NESTED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var t = 0.0;
    while (k < steps) {
        var j = 0;
        var w = tensor*(n)[ (i, v[i] + v[(i+1)%n]) | i <- 0..n-1 ];
        while (j < 3) { t += +/[ a*w[i] + a | (i,a) <- v ]; j += 1; };
        v = tensor*(n)[ (i, w[(i+1)%n]/(2.0 + j)) | i <- 0..n-1 ];
        k += 1; };
    (v, t)"""


def jacobi(A: Array, n: int, steps: int) -> tuple[Any, ...]:
    u, far = A, 1.0
    for _ in range(steps):
        u = 0.25 * (np.roll(u, -1, 0) + np.roll(u, 1, 0) + np.roll(u, -1, 1) + np.roll(u, 1, 1))
        far = u.max()
    return u, far


def scaled(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, s, k = x, 0.0, 0
    while k < steps and s < 1e6:
        w = v * 1.5 + np.roll(v, -1)
        z = np.roll(w, -3) - 0.5 * w
        s = (z * z * z).sum()
        v = z / (1.0 + s)
        k += 1
    return v, s, k


def nested(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, t = x, 0.0
    for _ in range(steps):
        w = v + np.roll(v, -1)
        for _ in range(3):
            t += (v * w + v).sum()
        v = np.roll(w, -1) / 5.0
    return v, t


def square(n: int) -> dict[str, Any]:
    return {"A": np.random.default_rng(n).random((n, n)), "n": n}


def vector(n: int) -> dict[str, Any]:
    return {"x": np.random.default_rng(n).random(n), "n": n}


POWER = """
    input A: matrix[Double]; input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var s = 0.0;
    while (k < steps) {
        var w = A @ v; s = +/[ w[i]*v[i] | i <- 0..n-1 ];
        v = tensor*(n)[ (i, w[i]/(1.0 + abs(s))) | i <- 0..n-1 ]; k += 1; };
    (v, s)"""
MATRICES = """
    input A: matrix[Double]; input steps: Int;
    var B = A; var k = 0; var s = 0.0;
    while (k < steps) {
        var C = B @ A; s = max/[ abs(c) | ((i,j),c) <- C ]; B = C*(1.0/s); k += 1; };
    (B, s)"""
FACTORS = """
    input A: matrix[Double]; input L: matrix[Double]; input M: matrix[Double]; input steps: Int;
    var P = L; var Q = M; var k = 0;
    while (k < steps) {
        var E = A - P @ Q; P = P + 0.01*(E @ Q.t); Q = Q + 0.01*(P.t @ E); k += 1; };
    (P, Q)"""
NEWTON = """
    input A: matrix[Double]; input steps: Int;
    var X = A; var k = 0;
    while (k < steps) { X = 1.5*X - 0.5*X@(X.t@X); k += 1; };
    (X, k)"""
SYMMETRIC = """
    input A: matrix[Double]; input steps: Int;
    var X = A; var Y = A; var k = 0;
    while (k < steps) {
        var G = X @ X.t; var H = G @ G; var s = max/[ h | ((i,j),h) <- H ];
        X = (0.5/s)*(G @ X); Y = 0.3*X + 0.1*(Y @ (Y.t @ X)); k += 1; };
    (X, Y)"""
DESCENDING = """
    input A: matrix[Double]; input L: matrix[Double]; input M: matrix[Double]; input steps: Int;
    var P = L; var Q = M; var V = A; var k = 0; var a = 0.5; var b = 0.9;
    while (k < steps) {
        V = b*V - a*(P @ Q); P = P + a*(V @ Q.t); Q = b*Q - b*(P.t @ V);
        a = 0.5 - 0.25*k; b = 0.8 - 0.2*k; k += 1; };
    (P, Q, V)"""
ELEMENTS = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var s = 0.0; var k = 0; var y = tensor*(n)[ (i, 0.0) | i <- 0..n-1 ];
    while (k < steps && v[0] < 100.0) {
        y[k % n] += 1.5*v[(k+1) % n];
        var w = tensor*(n)[ (i, 2.0*v[i] + y[(i+1)%n]) | i <- 0..n-1 ];
        s += w[k % n] + y[n-1]; w[(k+2) % n] = s;
        v = tensor*(n)[ (i, 0.3*w[i] + s) | i <- 0..n-1 ]; k += 1; };
    (v, y, s)"""
LAST_TWO = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var a = x; var b = tensor*(n)[ (i, 2.0*x[i]) | i <- 0..n-1 ]; var k = 0; var t = 0.0;
    while (k < steps) {
        var c = tensor*(n)[ (i, 0.3*a[i] + b[(i+1)%n]) | i <- 0..n-1 ];
        a = b; b = c; t += b[n/2] - a[0]; k += 1; };
    (a, b, t)"""
EXCHANGED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var a = x; var b = tensor*(n)[ (i, 2.0*x[i]) | i <- 0..n-1 ]; var k = 0; var t = 0.0;
    while (k < steps) {
        var c = a; a = b; b = c; t += +/[ a[i]*b[i]*a[i] | i <- 0..n-1 ]; k += 1; };
    (a, b, t)"""

GRADIENTS = """
    input A: matrix[Double]; input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var t = 0.0;
    while (k < steps) {
        var z = tensor*(n)[ (i, 0.0) | i <- 0..n-1 ];
        var r = v; var p = r; var rho = r@r; var j = 0;
        while (j < k+2) {
            var q = A @ p; var before = rho; var alpha = 0.1*rho/(1.0 + abs(p@q));
            z = z + alpha*p; r = r - alpha*q; rho = r@r;
            p = r + (0.5*rho/(1.0 + before))*p; j += 1; };
        t += z[k % n] + r@v;
        v = (1.0/(1.0 + z@z))*z + 0.01*v; k += 1; };
    (v, t)"""
LATER = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var a = x; var b = tensor*(n)[ (i, 2.0*x[i]) | i <- 0..n-1 ]; var k = 0;
    while (k < steps) {
        var c = a; var d = b; var j = 0;
        while (j < 3) {
            var e = tensor*(n)[ (i, 0.3*c[i] + d[(i+1)%n]) | i <- 0..n-1 ]; c = d; d = e;
            if (j == k) { d[0] = 1.0; }; j += 1; };
        var f = d; var l = 0;
        while (l < k) { f = tensor*(n)[ (i, 0.5*f[(i+1)%n] + a[i]) | i <- 0..n-1 ]; l += 1; };
        a = c; b = f; k += 1; };
    (a, b)"""


def power(A: Array, x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, s = x, 0.0
    for _ in range(steps):
        w = A @ v
        s = w @ v
        v = w / (1.0 + abs(s))
    return v, s


def power_of_transposed(A: Array, x: Array, n: int, steps: int) -> tuple[Any, ...]:
    return power(A.T, x, n, steps)


def matrices(A: Array, steps: int) -> tuple[Any, ...]:
    b, s = A, 0.0
    for _ in range(steps):
        c = b @ A
        s = abs(c).max()
        b = c / s
    return b, s


def factors(A: Array, L: Array, M: Array, steps: int) -> tuple[Any, ...]:
    p, q = L, M
    for _ in range(steps):
        e = A - p @ q
        p = p + 0.01 * (e @ q.T)
        q = q + 0.01 * (p.T @ e)
    return p, q


def newton(A: Array, steps: int) -> tuple[Any, ...]:
    x = A
    for _ in range(steps):
        x = 1.5 * x - 0.5 * x @ (x.T @ x)
    return x, steps


def symmetric(A: Array, steps: int) -> tuple[Any, ...]:
    x = y = A
    for _ in range(steps):
        g = x @ x.T
        x = 0.5 / (g @ g).max() * (g @ x)
        y = 0.3 * x + 0.1 * (y @ (y.T @ x))
    return x, y


def descending(A: Array, L: Array, M: Array, steps: int) -> tuple[Any, ...]:
    p, q, v, a, b = L, M, A, 0.5, 0.9
    for k in range(steps):
        v = b * v - a * (p @ q)
        p = p + a * (v @ q.T)
        q = b * q - b * (p.T @ v)
        a, b = 0.5 - 0.25 * k, 0.8 - 0.2 * k
    return p, q, v


def elements(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, s, k, y = x, 0.0, 0, np.zeros(n)
    while k < steps and v[0] < 100.0:
        y[k % n] += 1.5 * v[(k + 1) % n]
        w = 2.0 * v + np.roll(y, -1)
        s += w[k % n] + y[n - 1]
        w[(k + 2) % n] = s
        v = 0.3 * w + s
        k += 1
    return v, y, s


def last_two(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    a, b, t = x, 2.0 * x, 0.0
    for _ in range(steps):
        a, b = b, 0.3 * a + np.roll(b, -1)
        t += b[n // 2] - a[0]
    return a, b, t


def exchanged(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    a, b, t = x, 2.0 * x, 0.0
    for _ in range(steps):
        a, b = b, a
        t += (a * b * a).sum()
    return a, b, t


def both(n: int) -> dict[str, Any]:
    rng = np.random.default_rng(n)
    return {"A": rng.random((n, n)) / n, "x": rng.random(n), "n": n}


def tall(n: int) -> dict[str, Any]:
    return {"A": np.random.default_rng(n).random((n + 3, n)) / n}


def matrix(n: int) -> dict[str, Any]:
    return {"A": np.random.default_rng(n).random((n, n))}


def ratings(n: int) -> dict[str, Any]:
    rng = np.random.default_rng(n)
    return {"A": rng.random((n, n + 2)), "L": rng.random((n, 3)), "M": rng.random((3, n + 2))}


DESCENT = """
    input A: matrix[Double]; input x: vector[Double]; input n: Int; input steps: Int;
    var w = x; var k = 0; var loss = 0.0;
    while (k < steps) {
        var r = tensor*(n)[ (i, +/[ A[i,j]*w[j] | j <- 0..n-1 ] - 1.0) | i <- 0..n-1 ];
        var g = tensor*(n)[ (j, +/[ A[i,j]*r[i] | i <- 0..n-1 ]) | j <- 0..n-1 ];
        loss = +/[ abs(v) | (i,v) <- r ]/n;
        w = tensor*(n)[ (i, w[i] - 0.1*g[i]) | i <- 0..n-1 ]; k += 1; };
    (w, loss)"""
SCATTERED = """
    input A: matrix[Double]; input n: Int; input steps: Int;
    var B = A; var k = 0;
    while (k < steps) {
        var s = tensor*(n)[ (p, +/b) | ((i,j),b) <- B, group by p: (3*i+j)%n ];
        var r = tensor*(n)[ (i, +/[ B[i,j] | j <- 0..n-1 ]) | i <- 0..n-1 ];
        B = tensor*(n,n)[ ((i,j), (B[i,j] + 2.0*r[i] + s[j])/n) | i <- 0..n-1, j <- 0..n-1 ];
        k += 1; };
    (B, k)"""
BUCKETS = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0;
    while (k < steps) {
        var u = tensor*(n)[ (i, v[i]*v[(i+1)%n]) | i <- 0..n-1 ]; var c = v; var j = 0;
        while (j < 3) {
            c = tensor*(n)[ (g, +/a) | (i,a) <- c, group by g: (3*i*(j+1))%n ]; j += 1; };
        var l = 0;
        while (l < 2) {
            var e = tensor*(n)[ (g, +/b) | (i,b) <- u, group by g: (5*i+l)%n ];
            c = tensor*(n)[ (i, 0.1*c[i] + e[(i+1)%n]) | i <- 0..n-1 ]; l += 1; };
        v = tensor*(n)[ (i, (c[i] + u[i])/(3.0 + n)) | i <- 0..n-1 ]; k += 1; };
    (v, k)"""
GREATEST = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var t = 0; var k = 0;
    while (k < steps) {
        var g = tensor*(n)[ (g, max/a) | (i,a) <- v, group by g: (i*i)%n ];
        var c = tensor*(n)[ (g, min/b) | (i,a) <- v, let b = toInt(a*8.0), group by g: (3*i+k)%n ];
        t += +/[ b | (i,b) <- c ];
        v = tensor*(n)[ (i, 0.5*g[i] + v[(i+1)%n] - 0.01*c[i]) | i <- 0..n-1 ]; k += 1; };
    (v, t)"""

SWAPPED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var t = 0.0;
    while (k < steps) {
        var w = tensor*(n)[ (i, 0.5*v[i] + v[(i+1)%n]) | i <- 0..n-1 ];
        var c = v; var d = w; var j = 0;
        while (j < n-3) { t += x[j]; var h = c; c = d; d = h; j += 1; };
        v = tensor*(n)[ (i, 0.5*c[i] + 0.1*d[(i+1)%n]) | i <- 0..n-1 ]; k += 1; };
    (v, t)"""
COUNTED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var t = 0.0;
    while (k < steps) {
        var w = tensor*(n)[ (i, 0.5*v[i] + v[(i+1)%n]) | i <- 0..n-1 ]; var j = 0;
        while (j < n-3) { t += w[j+1]*v[j]; w[j] = t; j += 1; };
        v = tensor*(n)[ (i, 0.5*w[i] + 0.1*w[(i+1)%n]) | i <- 0..n-1 ]; k += 1; };
    (v, t)"""
SINGLE = """
    input f: vector[Float]; input n: Int; input steps: Int;
    var v = f; var k = 0; var s = 0.0; var all = true;
    while (k < steps && all) {
        v = tensor*(n)[ (i, v[(i+1)%n]*v[i]) | i <- 0..n-1 ];
        s += +/[ a | (i,a) <- v ]; all = &&/[ a < 2.0 | (i,a) <- v ]; k += 1; };
    (v, s, k)"""

OWN = """
    monoid far(Double) = (0.0, (x,y) => if (abs(x) >= abs(y)) x else y);
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var p = 0; var s = 0.0;
    while (k < steps) {
        v = tensor*(n)[ (i, 0.5*v[i] - v[(i+1)%n]*v[i]) | i <- 0..n-1 ];
        p += argmax/[ (i,a) | (i,a) <- v ]; s += far/[ a | (i,a) <- v ]; k += 1; };
    (v, p, s)"""

CENTRES = """
    input P: matrix[Double]; input C: matrix[Double]; input n: Int; input k: Int; input steps: Int;
    var D = C; var s = 0;
    while (s < steps) {
        var a = tensor*(n)[ (i, argmin/[ (c, (P[i,0]-D[c,0])*(P[i,0]-D[c,0])
                                             + (P[i,1]-D[c,1])*(P[i,1]-D[c,1])) | c <- 0..k-1 ])
                          | i <- 0..n-1 ];
        var m = tensor*(k)[ (c, +/o) | (i,c) <- a, let o = 1.0, group by c ];
        var S = tensor*(k,2)[ ((c,j), +/p) | ((i,j),p) <- P, group by (c,j): (a[i],j) ];
        D = tensor*(k,2)[ ((c,j), if (m[c] > 0.0) S[c,j]/m[c] else D[c,j])
                        | c <- 0..k-1, j <- 0..1 ];
        s += 1; };
    (D, s)"""


def points(n: int) -> dict[str, Any]:
    random = np.random.default_rng(n)
    return {"P": random.random((n, 2)), "C": random.random((3, 2)), "n": n, "k": 3}


def centres(P: Array, C: Array, n: int, k: int, steps: int) -> tuple[Any, ...]:
    found = C.copy()
    for _ in range(steps):
        near = ((P[:, None] - found) ** 2).sum(axis=2).argmin(axis=1)
        for c in set(near):
            found[c] = P[near == c].mean(axis=0)
    return found, steps


def own(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, p, s = x, 0, 0.0
    for _ in range(steps):
        v = 0.5 * v - np.roll(v, -1) * v
        p += int(v.argmax())
        s += v[abs(v).argmax()]
    return v, p, s


def gradients(A: Array, x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, t = x, 0.0
    for k in range(steps):
        z, r, p, rho = np.zeros(n), v, v, v @ v
        for _ in range(k + 2):
            q, before = A @ p, rho
            alpha = 0.1 * rho / (1.0 + abs(p @ q))
            z = z + alpha * p
            r = r - alpha * q
            rho = r @ r
            p = r + (0.5 * rho / (1.0 + before)) * p
        t += z[k % n] + r @ v
        v = (1.0 / (1.0 + z @ z)) * z + 0.01 * v
    return v, t


def later(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    a, b = x, 2.0 * x
    for k in range(steps):
        c, d = a, b
        for j in range(3):
            c, d = d, 0.3 * c + np.roll(d, -1)
            if j == k:
                d[0] = 1.0
        f = d
        for _ in range(k):
            f = 0.5 * np.roll(f, -1) + a
        a, b = c, f
    return a, b


def descent(A: Array, x: Array, n: int, steps: int) -> tuple[Any, ...]:
    w, loss = x, 0.0
    for _ in range(steps):
        r = A @ w - 1.0
        w, loss = w - 0.1 * (A.T @ r), abs(r).sum() / n
    return w, loss


def scattered(A: Array, n: int, steps: int) -> tuple[Any, ...]:
    b, into = A, (3 * np.arange(n)[:, None] + np.arange(n)) % n
    for _ in range(steps):
        s = np.zeros(n)
        np.add.at(s, into, b)
        b = (b + 2.0 * b.sum(axis=1)[:, None] + s) / n
    return b, steps


def buckets(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, i = x, np.arange(n)
    for _ in range(steps):
        u, c = v * np.roll(v, -1), v
        for j in range(3):
            c = np.bincount((3 * i * (j + 1)) % n, weights=c, minlength=n)
        for k in range(2):
            e = np.bincount((5 * i + k) % n, weights=u, minlength=n)
            c = 0.1 * c + np.roll(e, -1)
        v = (c + u) / (3.0 + n)
    return v, steps


def greatest(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, t, i = x, 0, np.arange(n)
    for k in range(steps):
        g, c = np.full(n, -np.inf), np.full(n, 1 << 62)
        np.maximum.at(g, (i * i) % n, v)
        np.minimum.at(c, (3 * i + k) % n, (v * 8.0).astype(int))
        g, c = np.where(np.isinf(g), 0.0, g), np.where(c == 1 << 62, 0, c)
        t += c.sum()
        v = 0.5 * g + np.roll(v, -1) - 0.01 * c
    return v, t


def swapped(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, t = x, 0.0
    for _ in range(steps):
        c, d = v, 0.5 * v + np.roll(v, -1)
        for j in range(n - 3):
            t += x[j]
            c, d = d, c
        v = 0.5 * c + 0.1 * np.roll(d, -1)
    return v, t


def counted(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, t = x, 0.0
    for _ in range(steps):
        w = 0.5 * v + np.roll(v, -1)
        for j in range(n - 3):
            t += w[j + 1] * v[j]
            w[j] = t
        v = 0.5 * w + 0.1 * np.roll(w, -1)
    return v, t


def single(f: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, s, k = f, 0.0, 0
    while k < steps and (k == 0 or (v < 2.0).all()):
        v = np.roll(v, -1) * v
        s += float(v.sum(dtype=np.float64).astype(np.float32))
        k += 1
    return v, s, k


def floats(n: int) -> dict[str, Any]:
    return {"f": (np.random.default_rng(n).random(n) * 1.5).astype(np.float32), "n": n}


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("steps", [0, 1, 2, 5])
@pytest.mark.parametrize(
    ("text", "given", "wanted"),
    [
        (JACOBI, square, jacobi),
        (SCALED, vector, scaled),
        (NESTED, vector, nested),
        (POWER, both, power),
        (POWER.replace("A @ v", "A.t @ v"), both, power_of_transposed),
        (POWER.replace("A @ v", "v @ A"), both, power_of_transposed),
        (MATRICES, matrix, matrices),
        (FACTORS, ratings, factors),
        (NEWTON, tall, newton),
        (SYMMETRIC, tall, symmetric),
        (DESCENDING, ratings, descending),
        (ELEMENTS, vector, elements),
        (LAST_TWO, vector, last_two),
        (EXCHANGED, vector, exchanged),
        (GRADIENTS, both, gradients),
        (LATER, vector, later),
        (DESCENT, both, descent),
        (SCATTERED, square, scattered),
        (BUCKETS, vector, buckets),
        (GREATEST, vector, greatest),
        (SWAPPED, vector, swapped),
        (COUNTED, vector, counted),
        (SINGLE, floats, single),
        (OWN, vector, own),
        (CENTRES, points, centres),
    ],
)
def test_one_call_does_all(
    text: str,
    given: Callable[[int], dict[str, Any]],
    wanted: Callable[..., tuple[Any, ...]],
    steps: int,
    threads: int,
    calls: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    program = diablo.compile(text, engine="local")
    for n in (1, 7, 64, 64, 7):
        inputs = given(n)
        before = {name: np.copy(value) for name, value in inputs.items()}
        found = program(**inputs, steps=steps)
        rtol = 1e-5 if "f" in inputs else 1e-11
        for one, other in zip(found, wanted(**inputs, steps=steps), strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=rtol)
        for name, value in before.items():
            np.testing.assert_array_equal(inputs[name], value)
    assert calls == [True] * 5


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize(
    ("type", "dtype"),
    [
        ("Float", np.float32),
        *((f"Int{bits}", np.dtype(f"i{bits // 8}")) for bits in (8, 16, 32)),
        *((f"UInt{bits}", np.dtype(f"u{bits // 8}")) for bits in (8, 16, 32)),
    ],
)
def test_elements_of_less_than_a_word(
    type: str, dtype: Any, threads: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    text = f"""
        input x: vector[{type}]; input n: Int; input steps: Int;
        var v = x; var k = 0; var s: {type} = 1; var t: {type} = 0;
        while (k < steps) {{
            s = s + v[k%n]; v[(k+1)%n] = s;
            v = tensor*(n)[ (i, v[(i+1)%n] + s*v[i]) | i <- 0..n-1 ];
            t = +/[ a*s | (i,a) <- v ]; k += 1; }};
        (v, s, t)"""
    x = np.random.default_rng(3).integers(0, 3, 40).astype(dtype)
    v, s, t = x.copy(), np.ones(1, dtype), np.zeros(1, dtype)
    for k in range(3):
        s = s + v[k]
        v[k + 1] = s[0]
        v = np.roll(v, -1) + s * v
        t = (v * s).sum(dtype=dtype)
    found = diablo.compile(text, engine="local")(x=x, n=40, steps=3)
    for one, other in zip(found, (v, s[0], t), strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-5)
    assert calls == [True]


@pytest.mark.parametrize("threads", [2, 3])
def test_elements_that_are_truths(
    threads: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    text = """
        input x: vector[Boolean]; input n: Int; input steps: Int;
        var v = x; var k = 0; var s = 0;
        while (k < steps) {
            if (v[k%n]) s += 1; v[(3*k+1)%n] = s % 2 == 0;
            v = tensor*(n)[ (i, v[(i+1)%n] != v[i]) | i <- 0..n-1 ]; k += 1; };
        (v, s)"""
    x = np.random.default_rng(3).random(40) < 0.4
    v, s = x.copy(), 0
    for k in range(30):
        s += int(v[k])
        v[(3 * k + 1) % 40] = s % 2 == 0
        v = np.roll(v, -1) != v
    found, total = diablo.compile(text, engine="local")(x=x, n=40, steps=30)
    np.testing.assert_array_equal(np.asarray(found), v)
    assert total == s
    assert calls == [True]


def test_results_of_one_call_are_not_written_by_the_next(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    program = diablo.compile(JACOBI, engine="local")
    inputs = square(64)
    first, _ = program(**inputs, steps=3)
    kept = np.array(np.asarray(first))
    program(**square(64) | {"A": np.ones((64, 64))}, steps=4)
    np.testing.assert_array_equal(np.asarray(first), kept)


@pytest.mark.parametrize("threads", [2, 3])
def test_arrays_that_begin_as_one_are_written_apart(
    threads: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    zeros = "tensor*(n)[ (i, 0.0) | i <- 0..n-1 ]"
    text = f"""
        input n: Int; input steps: Int;
        var a = {zeros}; var b = {zeros}; var c = {zeros}; var k = 0; var s = 1.0;
        while (k < steps) {{
            a[k%n] += s; b[(2*k)%n] = a[k%n] + c[0];
            s = 0.5*s + (+/[ v | (i,v) <- b ]); k += 1; }};
        (a, b, c, s)"""
    a, b, c, s = np.zeros(20), np.zeros(20), np.zeros(20), 1.0
    for k in range(7):
        a[k] += s
        b[2 * k % 20] = a[k]
        s = 0.5 * s + b.sum()
    found = diablo.compile(text, engine="local")(n=20, steps=7)
    for one, other in zip(found, (a, b, c, s), strict=True):
        np.testing.assert_allclose(np.asarray(one), other)
    assert calls == [True]


WALSH = """
    input x: vector[Double]; input n: Int;
    var a = x; var h = 1;
    while (h < n) {
        a = tensor*(n)[ (i, if (i/h%2 == 0) a[i] + a[i+h] else a[i-h] - a[i]) | i <- 0..n-1 ];
        h = 2*h; };
    (a, h)"""


@pytest.mark.parametrize("threads", [1, 3])
def test_what_kernels_divide_by_may_be_another_each_time(
    threads: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    program = diablo.compile(WALSH, engine="local")
    for n in (1, 8, 256):
        x = np.random.default_rng(n).random(n)
        found, h = program(x=x, n=n)
        signs = np.ones((1, 1))
        while len(signs) < n:
            signs = np.block([[signs, signs], [signs, -signs]])
        np.testing.assert_allclose(np.asarray(found), signs @ x)
        assert h == n
    assert calls == [True] * 3


FALLING = """
    input x: vector[Double]; input n: Int; input first: Int; input steps: Int;
    var v = x; var w = x; var h = first; var k = 0;
    while (k < steps) {
        w[k%n] = 1.0*k;
        v = tensor*(n)[ (i, if (GUARD i/h%2 == 0) v[i] + w[(i+1)%n] else w[i]) | i <- 0..n-1 ];
        h = h - 1; k += 1; };
    (v, w)"""


def test_a_call_begins_anew_in_python_where_a_divisor_is_not_above_zero(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    program = diablo.compile(FALLING.replace("GUARD", "h != 0 &&"), engine="local")
    x = np.random.default_rng(2).random(20)
    before = x.copy()
    i = np.arange(20)
    for _ in range(2):
        v, w = x.copy(), x.copy()
        for k in range(5):
            w[k] = k
            h = 3 - k
            even = np.trunc(i / h).astype(int) % 2 == 0 if h else np.zeros(20, bool)
            v = np.where(even, v + np.roll(w, -1), w)
        for one, other in zip(program(x=x, n=20, first=3, steps=5), (v, w), strict=True):
            np.testing.assert_array_equal(np.asarray(one), other)
        np.testing.assert_array_equal(x, before)
    assert calls == [False] * 2


@pytest.mark.usefixtures("calls")
def test_a_division_by_zero_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    program = diablo.compile(FALLING.replace("GUARD", ""), engine="local")
    said: list[str] = []
    for mode in ("always", "never"):
        monkeypatch.setenv("DIABLO_COMPILE", mode)
        with pytest.raises(RunError, match="integer division by zero") as caught:
            program(x=np.ones(20), n=20, first=3, steps=5)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_other_extents_than_what_it_becomes_stay_with_python(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input x: vector[Double]; input n: Int; input steps: Int;
        var v = x; var k = 0;
        while (k < steps) { v = tensor*(n)[ (i, v[i]*2.0) | i <- 0..n-1 ]; k += 1; };
        v"""
    program = diablo.compile(text, engine="local")
    found = program(x=np.arange(9.0), n=6, steps=2)
    np.testing.assert_array_equal(np.asarray(found), np.arange(6.0) * 4)


def test_an_array_that_kernels_and_the_loop_change_is_part_of_its_own_code(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input n: Int;
        var V = tensor*(n)[ (i, 3) | i <- 0..n-1 ]; var k = 0;
        while (k*k <= V[2]) {
            k += 1; var j = 0;
            while (j < 4) { if (k % 2 == 1) { V[j%n] += 1; } else { V[(2*k)%n] = 7; }; j += 1; }; };
        (k, V)"""
    k, found = diablo.compile(text, engine="local")(n=5)
    wanted, count = np.full(5, 3), 0
    while count * count <= wanted[2]:
        count += 1
        for j in range(4):
            if count % 2 == 1:
                wanted[j % 5] += 1
            else:
                wanted[(2 * count) % 5] = 7
    assert k == count
    np.testing.assert_array_equal(np.asarray(found), wanted)
    assert not calls


TWO = """
    input x: vector[Double]; input y: vector[Double]; input n: Int; input steps: Int;
    var v = tensor*(n)[ (i, 0.0) | i <- 0..n-1 ]; var k = 0;
    while (k < steps) {
        v = tensor*(n)[ (i, v[(i+1)%n] + x[i] - 2.0*y[i]) | i <- 0..n-1 ]; k += 1; };
    v"""


def test_arrays_that_are_one_in_a_call_may_be_two_in_the_next(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    program = diablo.compile(TWO, engine="local")
    a = np.arange(8.0)
    b = a * a + 1
    for x, y in ((a, a), (a, b), (b, a)):
        wanted = np.zeros(8)
        for _ in range(3):
            wanted = np.roll(wanted, -1) + x - 2 * y
        np.testing.assert_array_equal(np.asarray(program(x=x, y=y, n=8, steps=3)), wanted)
    assert calls == [True] * 3


def test_two_arrays_that_become_one_are_no_jobs(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input x: vector[Double]; input y: vector[Double]; input n: Int; input steps: Int;
        var v = x; var w = y; var k = 0;
        while (k < steps) {
            v = tensor*(n)[ (i, v[(i+1)%n] + w[i]) | i <- 0..n-1 ]; w = v; k += 1; };
        (v, w)"""
    x, y = np.arange(8.0), np.arange(8.0) ** 2
    found = diablo.compile(text, engine="local")(x=x, y=y, n=8, steps=3)
    for _ in range(3):
        x = y = np.roll(x, -1) + y
    for one in found:
        np.testing.assert_array_equal(np.asarray(one), x)
    assert not calls


def _nothing(*_: Any) -> None:
    pass


def test_what_cannot_be_jobs_is_not_tried_again(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    refused: list[None] = []
    prepare = Preparations.prepare

    def noted(preparations: Preparations, arguments: Any) -> Any:
        made = prepare(preparations, arguments)
        if made is None:
            refused.append(None)
        return made

    monkeypatch.setattr(Preparations, "prepare", noted)
    monkeypatch.setattr(planned_loops, "planned_copy", _nothing)
    program = diablo.compile(LATER, engine="local")
    for _ in range(3):
        found = program(**vector(9), steps=4)
        for one, other in zip(found, later(**vector(9), steps=4), strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=1e-11)
    assert len(refused) == 1


@pytest.mark.usefixtures("calls")
def test_elements_of_a_sparse_array_are_read_beside_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input S: matrix[Double]; input x: vector[Double]; input n: Int; input steps: Int;
        var v = x; var k = 0; var t = 0.0;
        while (k < steps) {
            t += S[k % n, 0]; v = tensor*(n)[ (i, 0.5*v[(i+1)%n] + t) | i <- 0..n-1 ]; k += 1; };
        (v, t)"""
    dense = np.diag(np.arange(1.0, 10.0)) + np.eye(9, k=-1)
    v, t = np.arange(9.0), 0.0
    found = diablo.compile(text, engine="local")(S=csr_array(dense), x=v, n=9, steps=5)
    for k in range(5):
        t += dense[k, 0]
        v = 0.5 * np.roll(v, -1) + t
    np.testing.assert_allclose(np.asarray(found[0]), v)
    assert found[1] == t


def test_a_loop_within_that_goes_on_with_an_array_from_around_it_stays_with_python(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input x: vector[Double]; input n: Int; input steps: Int;
        var v = x; var k = 0; var t = 0.0;
        while (k < steps) {
            var w = tensor*(n)[ (i, 0.5*v[i] + v[(i+1)%n]) | i <- 0..n-1 ];
            var c = v; var j = 0;
            while (j < 4) { t += +/[ c[i]*c[i]*w[i] | i <- 0..n-1 ]; c = w; j += 1; };
            v = tensor*(n)[ (i, 0.5*c[i] + w[(i+1)%n]) | i <- 0..n-1 ]; k += 1; };
        (v, t)"""
    x = np.random.default_rng(9).random(9)
    v, t = x, 0.0
    for _ in range(3):
        w = 0.5 * v + np.roll(v, -1)
        t += (v * v * w).sum() + 3 * (w * w * w).sum()
        v = 0.5 * w + np.roll(w, -1)
    found, total = diablo.compile(text, engine="local")(x=x, n=9, steps=3)
    np.testing.assert_allclose(np.asarray(found), v, rtol=1e-11)
    np.testing.assert_allclose(total, t, rtol=1e-11)
    assert not calls


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_zero_multiplies_in_some_iteration_may_be_no_number(
    threads: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    program = diablo.compile(DESCENDING, engine="local")
    inputs = ratings(70)
    inputs["A"][3, 4] = np.inf
    inputs["L"][5, 1] = np.nan
    for steps in (3, 4, 6):  # One factor is zero in the fourth iteration, the other in the sixth.
        with np.errstate(invalid="ignore"):
            wanted = descending(**inputs, steps=steps)
        for one, other in zip(program(**inputs, steps=steps), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=1e-11)
    assert calls == [True] * 3


def test_factors_of_single_precision_are_numbers_of_that(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input A: matrix[Float]; input B: matrix[Float]; input steps: Int;
        var X = A; var k = 0; var a = toFloat(0.3);
        while (k < steps) { X = a*X - a*(B @ X); a = a*toFloat(0.1); k += 1; };
        (X, a)"""
    a, b = np.random.default_rng(5).random((2, 40, 40)).astype(np.float32)
    x, factor = a, np.float32(0.3)
    for _ in range(4):
        x = factor * x - factor * (b @ x)
        factor *= np.float32(0.1)
    found, last = diablo.compile(text, engine="local")(A=a, B=b, steps=4)
    np.testing.assert_allclose(np.asarray(found), x, rtol=1e-4)
    assert last == factor
    assert calls == [True]


def test_factors_that_are_one_matrix_at_first_may_be_two_later(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input A: matrix[Double]; input B: matrix[Double]; input steps: Int;
        var X = A; var Y = B; var k = 0;
        while (k < steps) { var G = X.t @ Y; X = 0.5*X + 0.1*G; Y = 0.5*Y - 0.1*G; k += 1; };
        (X, Y)"""
    program = diablo.compile(text, engine="local")
    a, b = np.random.default_rng(4).random((2, 9, 9)) / 9
    for one, other in ((a, a), (a, b), (b, a)):
        x, y = one, other
        for _ in range(3):
            g = x.T @ y
            x, y = 0.5 * x + 0.1 * g, 0.5 * y - 0.1 * g
        for found, wanted in zip(program(A=one, B=other, steps=3), (x, y), strict=True):
            np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-11)
    assert calls == [True] * 3


@pytest.mark.parametrize("threads", ["1", "2"])
def test_no_array_is_made_that_the_loop_does_not_come_to(
    threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A negative extent is an error where the array is made, and not before the loop."""
    monkeypatch.setenv("DIABLO_THREADS", threads)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text = """
        input x: vector[Double]; input n: Int; input m: Int; input steps: Int;
        var v = x; var k = 0; var t = 0.0;
        while (k < steps) {
            var w = tensor*(m)[ (i, v[i%n]) | i <- 0..m-1 ];
            t += w[0] + +/[ a*a | (i,a) <- w ];
            v = tensor*(n)[ (i, 0.5*v[i]) | i <- 0..n-1 ]; k += 1; };
        (v, t)"""
    program = diablo.compile(text, engine="local")
    for m in (2, -1, 3):
        found, total = program(x=np.ones(3), n=3, m=m, steps=0)
        np.testing.assert_array_equal(np.asarray(found), np.ones(3))
        assert total == 0.0
        if m < 0:
            with pytest.raises(RunError, match="elements in a dimension"):
                program(x=np.ones(3), n=3, m=m, steps=2)
        else:
            _, total = program(x=np.ones(3), n=3, m=m, steps=2)
            assert total == 1.5 + m * 1.25
