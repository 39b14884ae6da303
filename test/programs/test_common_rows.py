"""Folds for each row, over rows and by place that share their rows: in strips, and in NumPy."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.api import Program

RANDOM = np.random.default_rng(5)
POINTS = 1700
X, Y = RANDOM.integers(-40, 40, (2, POINTS)) * 0.25
P = np.stack([X, Y, X - Y], axis=1)
C = RANDOM.integers(-40, 40, (7, 3)) * 0.25


@pytest.fixture(autouse=True, params=[("always", 1), ("always", 2), ("always", 3), ("never", 1)])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    mode, threads = request.param
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", str(threads))


CLUSTERS = """
    input x: vector[Double]; input y: vector[Double]; input K: Int;
    input X: vector[Double]; input Y: vector[Double];
    var sx = tensor(K)[ (k,0.0) | k <- 0..K-1 ]; var sy = sx; var c = sx;
    for i = 0, x.length-1 do {
      var best = inf; var at = 0;
      for k = 0, K-1 do {
        var d = (x[i]-X[k])*(x[i]-X[k]) + (y[i]-Y[k])*(y[i]-Y[k]);
        if (d < best) { best = d; at = k; };
      };
      sx[at] += x[i]; sy[at] += y[i]; c[at] += 1.0;
    };
    (sx, sy, c)
"""
MATRIX = """
    input P: matrix[Double]; input C: matrix[Double];
    var c = tensor(C.rows)[ (k,0) | k <- 0..C.rows-1 ];
    var s = tensor(C.rows,C.cols)[ ((k,j),0.0) | k <- 0..C.rows-1, j <- 0..C.cols-1 ];
    for i = 0, P.rows-1 do {
      var best = inf; var at = 0;
      for k = 0, C.rows-1 do {
        var d = 0.0;
        for j = 0, C.cols-1 do d += (P[i,j]-C[k,j])*(P[i,j]-C[k,j]);
        if (d < best) { best = d; at = k; };
      };
      c[at] += 1;
      for j = 0, P.cols-1 do s[at,j] += P[i,j];
    };
    (c, s)
"""


def nearest(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """The first of the nearest centres; where no distance is a number, the first centre."""
    with np.errstate(invalid="ignore"):
        distances = ((points[:, None] - centres) ** 2).sum(2)
    return np.where(np.isnan(distances), np.inf, distances).argmin(1)


def added(near: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    table = np.zeros((size, *values.shape[1:]))
    np.add.at(table, near, values)
    return table


def with_holes(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values[::7] = np.nan
    values[3::11] = np.inf
    return values


CENTRES = {
    "several": C,
    "one": C[:1],
    "equal ones": np.concatenate([C, C]),
    "some without place": np.concatenate([with_holes(C), C[2:]]),
}
ROWS = {"many": POINTS, "a strip": 512, "one more": 513, "one": 1, "none": 0}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
@pytest.mark.parametrize("centres", CENTRES.values(), ids=list(CENTRES))
def test_points_are_added_to_the_nearest_centre(rows: int, centres: np.ndarray):
    x, y, size = X[:rows], Y[:rows], len(centres)
    near = nearest(P[:rows, :2], centres[:, :2])
    given = {"x": x, "y": y, "K": size, "X": centres[:, 0].copy(), "Y": centres[:, 1].copy()}
    found = diablo.compile(CLUSTERS)(**given)
    for one, values in zip(found, (x, y, np.ones(rows)), strict=True):
        assert np.array_equal(one, added(near, values, size))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("rows", [POINTS, 1])
def test_points_that_are_the_rows_of_a_matrix(rows: int):
    near = nearest(P[:rows], C)
    count, total = diablo.compile(MATRIX)(P=P[:rows], C=C)
    assert np.array_equal(count, np.bincount(near, minlength=len(C)))
    assert np.array_equal(total, added(near, P[:rows], len(C)))


def test_points_without_a_number_have_the_first_centre():
    x = with_holes(X)
    x[x == np.inf] = np.nan
    near = np.where(np.isnan(x), 0, nearest(P[:, :2], C[:, :2]))
    given = {"x": x, "y": Y, "K": len(C), "X": C[:, 0].copy(), "Y": C[:, 1].copy()}
    _, sy, count = diablo.compile(CLUSTERS)(**given)
    assert np.array_equal(sy, added(near, Y, len(C)))
    assert np.array_equal(count, np.bincount(near, minlength=len(C)))


PROGRAMS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "arg-min alone": (
        """tensor(x.length)[ (i, argmin/[ (k, abs(x[i]-c[k])) | k <- 0 .. c.length-1 ])
                           | i <- 0 .. x.length-1 ]""",
        {"x": X, "c": C[:, 0].copy()},
        np.abs(X[:, None] - C[:, 0]).argmin(1),
    ),
    "several results": (
        """var d = tensor(x.length)[ (i, min/[ abs(x[i]-c[k]) | k <- 0 .. c.length-1 ])
                                    | i <- 0 .. x.length-1 ];
           (d, tensor(x.length)[ (i, v*v) | (i,v) <- d ], +/[ v | (i,v) <- d ], max(d))""",
        {"x": X, "c": C[:, 0].copy()},
        (
            near := np.abs(X[:, None] - C[:, 0]).min(1),
            near**2,
            near.sum(),
            near.max(),
        ),
    ),
    "rows of a matrix": (
        """var B = tensor(A.rows,A.cols)[ ((i,j), a - v[j]) | ((i,j),a) <- A ];
           var s = tensor(A.rows)[ (i, max/b) | ((i,j),b) <- B, group by i ];
           (s, +/[ e | (i,e) <- s ], B)""",
        {"A": P, "v": C[0]},
        ((P - C[0]).max(1), (P - C[0]).max(1).sum(), P - C[0]),
    ),
    "a matrix and its transpose": (
        """var e = A @ v;
           (A.t @ tensor(A.rows)[ (i, exp(-abs(e[i])) - x[i]) | i <- 0 .. A.rows-1 ], e)""",
        {"A": P, "v": C[0], "x": X},
        (P.T @ (np.exp(-np.abs(P @ C[0])) - X), P @ C[0]),
    ),
    "few rows that are long": (
        "A.t @ (A @ v - x)",
        {"A": P.T.copy(), "v": X, "x": C[0]},
        P @ (P.T @ X - C[0]),
    ),
    "products with one matrix": (
        "(A @ v, A.t @ x, A @ tensor(v.length)[ (j, e*e) | (j,e) <- v ])",
        {"A": P, "v": C[0], "x": X},
        (P @ C[0], P.T @ X, P @ C[0] ** 2),
    ),
    "a product over the rows before one of them": (
        "(A.t @ tensor(A.rows)[ (i, abs(e)) | (i,e) <- x ], A @ v)",
        {"A": P, "v": C[0], "x": X},
        (P.T @ np.abs(X), P @ C[0]),
    ),
    "a matrix of sums over rows": (
        """var B = tensor(A.rows,A.cols)[ ((i,j), exp(-abs(a))) | ((i,j),a) <- A ];
           tensor*(A.cols,C.cols)[ ((i,j), +/[ B[k,i]*C[k,j] + A[k,i] | k <- 0 .. A.rows-1 ])
                                 | i <- 0 .. A.cols-1, j <- 0 .. C.cols-1 ]""",
        {"A": P, "C": P[:, :2].copy()},
        np.exp(-np.abs(P)).T @ P[:, :2] + P.sum(0)[:, None],
    ),
    "rows and columns": (
        """var B = tensor(A.rows,A.cols)[ ((i,j), abs(a - v[j])) | ((i,j),a) <- A ];
           (tensor(A.cols)[ (j, max/[ B[i,j] | i <- 0 .. A.rows-1 ]) | j <- 0 .. A.cols-1 ],
            tensor(A.rows)[ (i, min/[ B[i,j] | j <- 0 .. A.cols-1 ]) | i <- 0 .. A.rows-1 ],
            tensor(A.cols)[ (j, +/[ A[i,j] | i <- 0 .. A.rows-1, B[i,j] > 2.0 ])
                          | j <- 0 .. A.cols-1 ])""",
        {"A": P, "v": C[0]},
        (
            (apart := np.abs(P - C[0])).max(0),
            apart.min(1),
            np.where(apart > 2, P, 0).sum(0),
        ),
    ),
    "a product of which all is needed": (
        "A @ (A.t @ (A @ v))",
        {"A": P, "v": C[0]},
        P @ (P.T @ (P @ C[0])),
    ),
    "extremes by place": (
        """(tensor(9)[ (k, min/v) | (i,v) <- x, group by k: (i*i) % 9 ],
            tensor(9)[ (k, +/v) | (i,v) <- x, group by k: (i*i) % 9 ])""",
        {"x": X},
        tuple(
            np.array(
                [
                    f(X[np.arange(POINTS) ** 2 % 9 == k]) if k in (0, 1, 4, 7) else 0.0
                    for k in range(9)
                ]
            )
            for f in (np.min, np.sum)
        ),
    ),
    "the place of the greatest beside an array and a product": (
        """var z = tensor(x.length)[ (i, x[i]-y[i]) | i <- 0 .. x.length-1 ];
           (z, +/[ x[i]*y[i] | i <- 0 .. x.length-1 ],
            argmax/[ (i, z[i]*x[i]) | i <- 0 .. x.length-1 ])""",
        {"x": X, "y": Y},
        (X - Y, X @ Y, ((X - Y) * X).argmax()),
    ),
    "a table larger than the points": (
        "tensor(5000)[ (k, +/v) | (i,v) <- x, group by k: (i*i) % 5000 ]",
        {"x": X},
        np.bincount(np.arange(POINTS) ** 2 % 5000, X, 5000),
    ),
}


@pytest.mark.sampled(32)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_over_common_rows(name: str):
    text, inputs, expected = PROGRAMS[name]
    declared = "".join(
        f"input {key}: {'matrix' if value.ndim == 2 else 'vector'}[Double];"
        for key, value in inputs.items()
    )
    found = diablo.compile(f"{declared} {text}")(**inputs)
    several = isinstance(expected, tuple)
    for one, wanted in zip(
        found if several else [found], expected if several else [expected], strict=True
    ):
        assert np.allclose(np.asarray(one), wanted, equal_nan=True)


LISTS: dict[str, tuple[str, Any]] = {
    "the nearest": (
        "[ argmin/[ (k, abs(x-c)) | (k,c) <- Q ] | x <- P ]",
        lambda x, c: np.abs(x[:, None] - c).argmin(1),
    ),
    "a fold that needs another one": (
        """[ +/[ abs(c-low) | (k,c) <- Q ]
           | x <- P, let low = min/[ abs(x-c) | (k,c) <- Q ] ]""",
        lambda x, c: np.abs(c - np.abs(x[:, None] - c).min(1, keepdims=True)).sum(1),
    ),
    "of what is far enough": (
        "[ max/[ c | (k,c) <- Q, c > 3*abs(x) ] | x <- P ]",
        lambda x, c: np.where(c > 3 * np.abs(x[:, None]), c, -np.inf).max(1),
    ),
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("rows", [POINTS, 256, 257, 1])
@pytest.mark.parametrize("name", LISTS)
def test_folds_for_each_row_of_a_list(name: str, rows: int):
    text, wanted = LISTS[name]
    program = f"input P: list[Double]; input Q: list[(Int,Double)]; {text}"
    found = diablo.compile(program)(P=X[:rows], Q=(np.arange(len(C)), C[:, 0].copy()))
    assert np.allclose(found.to_numpy()[0], wanted(X[:rows], C[:, 0]))


PLANE = """
    input P: matrix[Double]; input C: matrix[Double]; input n: Int; input k: Int;
    var near = tensor*(n)[ (i, argmin/[ (c, (P[i,0]-C[c,0])*(P[i,0]-C[c,0])
                                            + (P[i,1]-C[c,1])*(P[i,1]-C[c,1])) | c <- 0..k-1 ])
                         | i <- 0..n-1 ];
    var c = tensor*(k)[ (g, +/o) | (i,g) <- near, let o = 1.0, group by g ];
    var S = tensor*(k,3)[ ((g,j), +/p) | ((i,j),p) <- P, group by (g,j): (near[i],j) ];
    (c, S)
"""


def test_columns_with_numbers() -> None:
    """Which centre is nearest is known of a strip, and whole nowhere."""
    said: list[str] = []
    program = Program(PLANE, engine="local", listener=lambda d: said.append(d.message))
    counts, sums = program(P=P, C=C, n=POINTS, k=len(C))
    near = nearest(P[:, :2], C[:, :2])
    np.testing.assert_array_equal(np.asarray(counts), np.bincount(near, minlength=len(C)))
    np.testing.assert_allclose(np.asarray(sums), added(near, P, len(C)))
    assert "4 operations run in one loop" in said


def random_rows(seed: int) -> str:
    """Folds, maps and sums by place over the same rows, some of which are read at numbers."""
    draw = Random(seed)

    def term(depth: int = 2) -> str:
        if depth == 0:
            both = ("X[i,0]", "X[i,1]", "X[i,j]", "Y[i,j]", "Y[i,2]", "x[i]")
            return draw.choice((*both, "C[j,0]", "C[j,1]", "C[0,j]", "c[j]", "c[0]"))
        return f"({term(depth - 1)} {draw.choice('+-*')} {term(depth - 1)})"

    def row() -> str:
        return draw.choice(("X[i,0]", "X[i,2]", "x[i]", "a[i]", "b[i]", "c[1]", "Y[i,1]"))

    rest = [
        f"var S = tensor*(k)[ (q, +/v) | i <- 0..n-1, let v = {row()}*{row()}, group by q: g[i] ];",
        "var T = tensor*(k,3)[ ((q,l), +/v) | ((i,l),v) <- X, group by (q,l): (g[i],l) ];",
        f"var p = +/[ {row()}*{row()} | i <- 0..n-1 ];",
        f"var Z = tensor*(n,3)[ ((i,l), {row()} + X[i,l]*{row()}) | i <- 0..n-1, l <- 0..2 ];",
    ]
    draw.shuffle(rest)
    return f"""
    input X: matrix[Double]; input Y: matrix[Double]; input C: matrix[Double];
    input x: vector[Double]; input c: vector[Double]; var n = X.rows; var k = C.rows;
    var a = tensor*(n)[ (i, {draw.choice(("min", "max", "+"))}/[ {term()} | j <- 0..k-1 ])
                      | i <- 0..n-1 ];
    var g = tensor*(n)[ (i, argmin/[ (j, {term()}) | j <- 0..k-1 ]) | i <- 0..n-1 ];
    var b = tensor*(n)[ (i, {draw.choice(("X[i,0]", "x[i]", "a[i]"))}*0.5 + a[i]) | i <- 0..n-1 ];
    {" ".join(rest)}
    var r = tensor*(3)[ (l, +/[ Z[i,l]*{row()} | i <- 0..n-1 ]) | l <- 0..2 ];
    (a, b, g, S, T, p, Z, r)
    """


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(16))
def test_random_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = random_rows(seed)
    random = np.random.default_rng(seed)
    for n in (5, 700):
        given = {"X": random.random((n, 3)), "Y": random.random((n, 3)), "x": random.random(n)}
        given |= {"C": random.random((3, 3)), "c": random.random(3)}
        found = Program(text, engine="local")(**given)
        with monkeypatch.context() as other:
            other.setenv("DIABLO_COMPILE", "never")
            wanted = Program(text, engine="local")(**given)
        for one, known in zip(found, wanted, strict=True):
            np.testing.assert_allclose(
                np.asarray(one), np.asarray(known), 1e-9, 1e-11, err_msg=text
            )
