"""Cases of dense arrays: element by element, sums, windows, products, and methods made of these."""

from __future__ import annotations

import numpy as np
from case_table import ROOT, Work, by_hand, case, random_of, rows, shown, side
from peers import numba_way, parallel


@case("arrays", "add")
def add(scale: float) -> Work:
    n = side(4000, scale)
    a, b = random_of("add").random((2, n, n))
    source = "input A: matrix[Double]; input B: matrix[Double]; A + B"
    return Work(f"{n} x {n}", source, {"A": a, "B": b}, {"NumPy": by_hand(lambda: a + b)})


def _fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    r = np.empty_like(a)
    for i in parallel(a.shape[0]):
        for j in range(a.shape[1]):
            r[i, j] = (a[i, j] * b[i, j] + c[i, j]) / (1.0 + a[i, j] * a[i, j]) - b[i, j]
    return r


@case("arrays", "fused expression")
def fused_expression(scale: float) -> Work:
    n = side(3000, scale)
    a, b, c = random_of("fused").random((3, n, n))
    source = """
        input A: matrix[Double]; input B: matrix[Double]; input C: matrix[Double];
        (A*B + C)/(1.0 + A*A) - B
    """
    ways = {
        "NumPy": by_hand(lambda: (a * b + c) / (1.0 + a * a) - b),
        "Numba": numba_way(_fused, a, b, c),
    }
    return Work(f"{n} x {n}", source, {"A": a, "B": b, "C": c}, ways)


def _sum_above(v: np.ndarray, limit: float) -> float:
    total = 0.0
    for i in parallel(len(v)):
        if v[i] > limit:
            total += v[i] * v[i]
    return total


@case("arrays", "conditional sum, vector")
def conditional_sum(scale: float) -> Work:
    v = random_of("conditional sum").standard_normal(rows(1e7, scale))
    source = "input V: vector[Double]; +/[ v*v | (i,v) <- V, v > 0.5 ]"
    ways = {
        "NumPy": by_hand(lambda: np.square(v[v > 0.5]).sum()),
        "Numba": numba_way(_sum_above, v, 0.5),
    }
    return Work(shown(len(v)), source, {"V": v}, ways)


@case("arrays", "row sums")
def row_sums(scale: float) -> Work:
    n = side(4000, scale)
    a = random_of("row sums").random((n, n))
    source = "input A: matrix[Double]; tensor*(A.rows)[ (i,+/a) | ((i,j),a) <- A, group by i ]"
    return Work(f"{n} x {n}", source, {"A": a}, {"NumPy": by_hand(lambda: a.sum(axis=1))})


@case("arrays", "argmin of v*v - v")
def least(scale: float) -> Work:
    v = random_of("least").random(rows(1e7, scale))
    source = "input V: vector[Double]; argmin([ (i, v*v - v) | (i,v) <- V ])"
    ways = {"NumPy": by_hand(lambda: (v * v - v).argmin())}
    return Work(shown(len(v)), source, {"V": v}, ways)


@case("arrays", "matrix product")
def matrix_product(scale: float) -> Work:
    n = side(1000, scale, power=3)
    a, b = random_of("product").random((2, n, n))
    source = """
        input A: matrix[Double]; input B: matrix[Double];
        tensor*(A.rows,B.cols)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k,
                                let v = a*b, group by (i,j) ]
    """
    return Work(f"{n} x {n}", source, {"A": a, "B": b}, {"NumPy": by_hand(lambda: a @ b)})


@case("arrays", "min-plus product")
def min_plus_product(scale: float) -> Work:
    n = side(400, scale, power=3)
    a = random_of("min-plus").random((n, n))
    source = """
        input A: matrix[Double];
        tensor*(A.rows,A.cols)[ ((i,j),min/v) | ((i,k),a) <- A, ((kk,j),b) <- A, kk == k,
                                let v = a+b, group by (i,j) ]
    """

    def numpy() -> np.ndarray:
        r = np.full((n, n), np.inf)
        for k in range(n):
            np.minimum(r, a[:, k : k + 1] + a[k], out=r)
        return r

    return Work(f"{n} x {n}", source, {"A": a}, {"NumPy": by_hand(numpy)})


@case("arrays", "rotation of rows")
def rotation(scale: float) -> Work:
    n = side(3000, scale)
    a = random_of("rotation").random((n, n))
    source = """
        input A: matrix[Double]; input n: Int;
        tensor*(n,n)[ (((i+1) % n,j),a) | ((i,j),a) <- A ]
    """
    ways = {"NumPy": by_hand(lambda: np.roll(a, 1, axis=0))}
    return Work(f"{n} x {n}", source, {"A": a, "n": n}, ways)


@case("arrays", "five-point stencil")
def five_points(scale: float) -> Work:
    n = side(3000, scale)
    a = random_of("five points").random((n, n))
    source = """
        input A: matrix[Double]; input n: Int;
        tensor*(n,n)[ ((i,j),(A[i-1,j]+A[i+1,j]+A[i,j-1]+A[i,j+1])/4.0)
                    | i <- 1..n-2, j <- 1..n-2 ]
    """

    def numpy() -> np.ndarray:
        r = np.zeros((n, n))
        r[1:-1, 1:-1] = (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]) / 4
        return r

    return Work(f"{n} x {n}", source, {"A": a, "n": n}, {"NumPy": by_hand(numpy)})


def _smoothed(a: np.ndarray) -> np.ndarray:
    n, m = a.shape
    r = np.empty_like(a)
    for i in parallel(n):
        for j in range(m):
            total, count = 0.0, 0
            for k in range(max(i - 1, 0), min(i + 2, n)):
                for l in range(max(j - 1, 0), min(j + 2, m)):  # noqa: E741
                    total += a[k, l]
                    count += 1
            r[i, j] = total / count
    return r


def _smoothing(scale: float, source: str) -> Work:
    n = side(2000, scale)
    a = random_of("smoothing").random((n, n))

    def sums(values: np.ndarray) -> np.ndarray:
        padded = np.pad(values, 1)
        along = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
        return along[:-2] + along[1:-1] + along[2:]

    ways = {
        "NumPy": by_hand(lambda: sums(a) / sums(np.ones((n, n)))),
        "Numba": numba_way(_smoothed, a),
    }
    return Work(f"{n} x {n}", source, {"M": a, "n": n}, ways)


@case("arrays", "smoothing, comprehension")
def smoothing_by_comprehension(scale: float) -> Work:
    return _smoothing(
        scale,
        """
        input M: matrix[Double]; input n: Int;
        tensor*(n,n)[ ((i,j), mean/[ M[i+a,j+b] | a <- -1..1, b <- -1..1 ])
                    | i <- 0..n-1, j <- 0..n-1 ]
        """,
    )


@case("arrays", "smoothing, group-by")
def smoothing_by_groups(scale: float) -> Work:
    return _smoothing(
        scale,
        """
        input M: matrix[Double]; input n: Int;
        tensor*(n,n)[ ((ii,jj),(+/a)/a.length) | ((i,j),a) <- M, ii <- i-1..i+1, jj <- j-1..j+1,
                                                 group by (ii,jj) ]
        """,
    )


@case("arrays", "smoothing, guarded loop")
def smoothing_by_loop(scale: float) -> Work:
    return _smoothing(
        scale,
        """
        input M: matrix[Double]; input n: Int;
        var S = tensor*(n,n)[ ((i,j),0.0) | i <- 0..n-1, j <- 0..n-1 ];
        for i = 0, n-1 do for j = 0, n-1 do {
          var s = 0.0; var c = 0;
          for a = -1, 1 do for b = -1, 1 do
            if (i+a >= 0 && i+a < n && j+b >= 0 && j+b < n) { s += M[i+a,j+b]; c += 1; };
          S[i,j] = s/c;
        };
        S
        """,
    )


def _windows(x: np.ndarray, width: int) -> np.ndarray:
    r = np.zeros_like(x)
    for i in parallel(width, len(x) - width):
        total = 0.0
        for d in range(-width, width + 1):
            total += x[i + d]
        r[i] = total
    return r


@case("arrays", "window sums")
def window_sums(scale: float) -> Work:
    x = random_of("windows").random(rows(4e6, scale))
    source = """
        input x: vector[Double];
        tensor*(x.length)[ (i, +/[ x[i+d] | d <- -5..5 ]) | i <- 5..x.length-6 ]
    """
    ways = {
        "NumPy": by_hand(lambda: np.pad(np.convolve(x, np.ones(11), "valid"), 5)),
        "Numba": numba_way(_windows, x, 5),
    }
    return Work(shown(len(x)), source, {"x": x}, ways)


def _strided(x: np.ndarray, k: np.ndarray) -> np.ndarray:
    n = (x.shape[0] - 3) // 2 + 1
    y = np.empty((n, n))
    for i in parallel(n):
        for j in range(n):
            total = 0.0
            for a in range(3):
                for b in range(3):
                    total += x[2 * i + a, 2 * j + b] * k[a, b]
            y[i, j] = total
    return y


def _convolution(scale: float, source: str) -> Work:
    size = side(3001, scale)
    n = (size - 3) // 2 + 1
    generator = random_of("convolution")
    x, k = generator.random((size, size)), generator.random((3, 3))

    def numpy() -> np.ndarray:
        last = 2 * (n - 1) + 1
        shifted = [
            (a, b, x[a : a + last : 2, b : b + last : 2]) for a in range(3) for b in range(3)
        ]
        return sum((k[a, b] * part for a, b, part in shifted), np.zeros((n, n)))

    ways = {"NumPy": by_hand(numpy), "Numba": numba_way(_strided, x, k)}
    return Work(f"{size} x {size}", source, {"X": x, "K": k, "n": n}, ways)


@case("arrays", "convolution, stride 2")
def convolution(scale: float) -> Work:
    return _convolution(
        scale,
        """
        input X: matrix[Double]; input K: matrix[Double]; input n: Int;
        tensor*(n,n)[ ((i,j), +/[ X[2*i+a,2*j+b]*K[a,b] | a <- 0..2, b <- 0..2 ])
                    | i <- 0..n-1, j <- 0..n-1 ]
        """,
    )


@case("arrays", "convolution, stride 2, loops")
def convolution_by_loops(scale: float) -> Work:
    return _convolution(
        scale,
        """
        input X: matrix[Double]; input K: matrix[Double]; input n: Int;
        var Y = tensor*(n,n)[ ((i,j),0.0) | i <- 0..n-1, j <- 0..n-1 ];
        for i = 0, n-1 do for j = 0, n-1 do for a = 0, 2 do for b = 0, 2 do
          Y[i,j] += X[2*i+a,2*j+b]*K[a,b];
        Y
        """,
    )


def _jacobi(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    y = np.empty_like(x)
    for i in parallel(len(x)):
        total = 0.0
        for j in range(len(x)):
            if j != i:
                total += a[i, j] * x[j]
        y[i] = total / a[i, i]
    return y


@case("arrays", "Jacobi step")
def jacobi_step(scale: float) -> Work:
    n = side(3000, scale)
    generator = random_of("jacobi")
    a, x = generator.random((n, n)) + 1.0, generator.random(n)
    source = """
        input A: matrix[Double]; input x: vector[Double]; input n: Int;
        tensor*(n)[ (i, +/[ A[i,j]*x[j] | j <- 0..n-1, j != i ]/A[i,i]) | i <- 0..n-1 ]
    """

    def numpy() -> np.ndarray:
        diagonal = np.diagonal(a)
        return (a @ x - diagonal * x) / diagonal

    ways = {"NumPy": by_hand(numpy), "Numba": numba_way(_jacobi, a, x)}
    return Work(f"{n} x {n}", source, {"A": a, "x": x, "n": n}, ways)


@case("arrays", "factorization")
def factorization(scale: float) -> Work:
    n, rank, steps, rate, penalty = side(1000, scale), 20, 5, 1e-4, 0.02
    generator = random_of("factorization")
    r, p, q = generator.random((n, n)), generator.random((n, rank)), generator.random((rank, n))
    source = """
        input R: matrix[Double]; input P: matrix[Double]; input Q: matrix[Double];
        input n: Int; input l: Int; input steps: Int; input a: Double; input b: Double;
        var E = R; var pq = R; var step = 0;
        while (step < steps) {
          step += 1;
          for i = 0, n-1 do for j = 0, n-1 do {
            pq[i,j] = 0.0;
            for k = 0, l-1 do pq[i,j] += P[i,k]*Q[k,j];
            E[i,j] = R[i,j] - pq[i,j];
            for k = 0, l-1 do {
              P[i,k] += a*(2*E[i,j]*Q[k,j] - b*P[i,k]);
              Q[k,j] += a*(2*E[i,j]*P[i,k] - b*Q[k,j]);
            };
          };
        };
        (P, Q)
    """

    def numpy() -> tuple[np.ndarray, np.ndarray]:
        one, other = p, q
        for _ in range(steps):
            error = r - one @ other
            one = one + rate * (2 * error @ other.T - n * penalty * one)
            other = other + rate * (2 * one.T @ error - n * penalty * other)
        return one, other

    inputs = {"R": r, "P": p, "Q": q, "n": n, "l": rank, "steps": steps, "a": rate, "b": penalty}
    size = f"{n} x {n}, rank {rank}, {steps} steps"
    return Work(size, source, inputs, {"NumPy": by_hand(numpy)})


def _clusters(
    x: np.ndarray, y: np.ndarray, cx: np.ndarray, cy: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    for _ in range(steps):
        sums = np.zeros((len(cx), 3))
        for i in range(len(x)):
            best, at = np.inf, 0
            for k in range(len(cx)):
                distance = (x[i] - cx[k]) ** 2 + (y[i] - cy[k]) ** 2
                if distance < best:
                    best, at = distance, k
            sums[at, 0] += x[i]
            sums[at, 1] += y[i]
            sums[at, 2] += 1
        cx, cy = sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]
    return cx, cy


def _kmeans(scale: float, by_loops: bool) -> Work:
    points, centres, steps = rows(3e5, scale, least=400), 10, 3
    generator = random_of("k-means")
    x, y = generator.random((2, points))
    start = generator.random((2, centres))

    def numpy() -> tuple[np.ndarray, np.ndarray]:
        cx, cy = start
        for _ in range(steps):
            near = ((x[:, None] - cx) ** 2 + (y[:, None] - cy) ** 2).argmin(1)
            count = np.bincount(near, minlength=centres)
            cx = np.bincount(near, x, centres) / count
            cy = np.bincount(near, y, centres) / count
        return cx, cy

    ways = {"NumPy": by_hand(numpy), "Numba": numba_way(_clusters, x, y, *start, steps)}
    size = f"{shown(points)} points, {centres} centres, {steps} steps"
    if not by_loops:
        given = {"P": (x, y), "C": (np.arange(centres), *start), "K": centres, "steps": steps}
        return Work(size, ROOT / "examples" / "kmeans.diablo", given, ways)
    source = """
        input x: vector[Double]; input y: vector[Double]; input K: Int; input steps: Int;
        input X: vector[Double]; input Y: vector[Double];
        var step = 0;
        while (step < steps) {
          step += 1;
          var sx = tensor*(K)[ (k,0.0) | k <- 0..K-1 ];
          var sy = sx; var c = sx;
          for i = 0, x.length-1 do {
            var best = inf; var at = 0;
            for k = 0, K-1 do {
              var d = (x[i]-X[k])*(x[i]-X[k]) + (y[i]-Y[k])*(y[i]-Y[k]);
              if (d < best) { best = d; at = k; };
            };
            sx[at] += x[i]; sy[at] += y[i]; c[at] += 1.0;
          };
          X = sx/c; Y = sy/c;
        };
        (X, Y)
    """
    inputs = {"x": x, "y": y, "X": start[0], "Y": start[1], "K": centres, "steps": steps}
    return Work(size, source, inputs, ways)


@case("arrays", "k-means, monoid")
def kmeans_by_monoid(scale: float) -> Work:
    return _kmeans(scale, by_loops=False)


@case("arrays", "k-means, loops")
def kmeans_by_loops(scale: float) -> Work:
    return _kmeans(scale, by_loops=True)


def _regression(scale: float, source: str) -> Work:
    points, columns, steps = rows(4e5, scale), 50, 5
    generator = random_of("regression")
    x, y = generator.random((points, columns)), generator.random(points)

    def numpy() -> np.ndarray:
        w = np.zeros(columns)
        for _ in range(steps):
            w = w - 0.1 / points * (x.T @ (x @ w - y))
        return w

    size = f"{shown(points)} x {columns}, {steps} steps"
    return Work(size, source, {"X": x, "y": y, "steps": steps}, {"NumPy": by_hand(numpy)})


@case("arrays", "regression, operators")
def regression_by_operators(scale: float) -> Work:
    return _regression(
        scale,
        """
        input X: matrix[Double]; input y: vector[Double]; input steps: Int;
        var w = tensor(X.cols)[ (j,0.0) | j <- 0..X.cols-1 ];
        for s = 1, steps do w = w - (0.1/X.rows) * (X.t @ (X @ w - y));
        w
        """,
    )


@case("arrays", "regression, loops")
def regression_by_loops(scale: float) -> Work:
    return _regression(
        scale,
        """
        input X: matrix[Double]; input y: vector[Double]; input steps: Int;
        var w = tensor(X.cols)[ (j,0.0) | j <- 0..X.cols-1 ];
        for s = 1, steps do {
          var d = tensor(X.cols)[ (j,0.0) | j <- 0..X.cols-1 ];
          for i = 0, X.rows-1 do {
            var e = 0.0;
            for j = 0, X.cols-1 do e += X[i,j]*w[j];
            for j = 0, X.cols-1 do d[j] += (e-y[i])*X[i,j];
          };
          for j = 0, X.cols-1 do w[j] -= 0.1/X.rows*d[j];
        };
        w
        """,
    )


@case("arrays", "histogram")
def histogram(scale: float) -> Work:
    bins = 1000
    values = random_of("histogram").integers(0, bins, rows(1e7, scale))
    source = """
        input V: vector[Int]; input n: Int;
        var C: vector[Int] = tensor*(n)[ (i,0) | i <- 0..n-1 ];
        for i = 0, V.length-1 do C[V[i]] += 1;
        C
    """
    ways = {"NumPy": by_hand(lambda: np.bincount(values, minlength=bins))}
    return Work(f"{shown(len(values))}, {bins} bins", source, {"V": values, "n": bins}, ways)


def _nearest(x: np.ndarray, y: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    near = np.empty(len(x), np.int64)
    for i in parallel(len(x)):
        best, at = np.inf, 0
        for k in range(len(a)):
            distance = (x[i] - a[k]) ** 2 + (y[i] - b[k]) ** 2
            if distance < best:
                best, at = distance, k
        near[i] = at
    return near


@case("arrays", "nearest point")
def nearest_point(scale: float) -> Work:
    points, others = side(30_000, scale), side(1000, scale)
    generator = random_of("nearest")
    x, y = generator.random((2, points))
    a, b = generator.random((2, others))
    source = """
        input P: list[(Double,Double)]; input Q: list[(Int,Double,Double)];
        [ argmin/[ (k, (x-a)*(x-a) + (y-b)*(y-b)) | (k,a,b) <- Q ] | (x,y) <- P ]
    """

    def numpy() -> np.ndarray:
        found = np.empty(points, np.int64)
        for start in range(0, points, 1000):
            part = slice(start, start + 1000)
            found[part] = ((x[part, None] - a) ** 2 + (y[part, None] - b) ** 2).argmin(1)
        return found

    ways = {"NumPy": by_hand(numpy), "Numba": numba_way(_nearest, x, y, a, b)}
    inputs = {"P": (x, y), "Q": (np.arange(others), a, b)}
    return Work(
        f"{shown(points)} with {others} points",
        source,
        inputs,
        ways,
        read=lambda result: result.to_numpy()[0],
    )


@case("arrays", "3 nearest points")
def three_nearest_points(scale: float) -> Work:
    points, others = side(30_000, scale), side(1000, scale)
    generator = random_of("3 nearest")
    x, y = generator.random((2, points))
    a, b = generator.random((2, others))
    # The least three of two times three, which are in order: the distances alone.
    source = """
        input P: list[(Double,Double)]; input Q: list[(Double,Double)];
        monoid least3((Double,Double,Double)) = ((inf,inf,inf), (s,t) =>
          (min(s._1,t._1),
           min(max(s._1,t._1), min(s._2,t._2)),
           min(min(s._3,t._3), min(max(s._1,t._2), max(s._2,t._1)))));
        [ least3/[ ((x-a)*(x-a) + (y-b)*(y-b), inf, inf) | (a,b) <- Q ] | (x,y) <- P ]
    """

    def numpy() -> np.ndarray:
        found = np.empty((points, 3))
        for start in range(0, points, 1000):
            part = slice(start, start + 1000)
            distances = (x[part, None] - a) ** 2 + (y[part, None] - b) ** 2
            found[part] = np.sort(np.partition(distances, 3, axis=1)[:, :3])
        return found

    return Work(
        f"{shown(points)} with {others} points",
        source,
        {"P": (x, y), "Q": (a, b)},
        {"NumPy": by_hand(numpy)},
        read=lambda result: np.stack(result.to_numpy(), axis=1),
    )
