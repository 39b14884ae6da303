# Loops of the driver that multiply a sparse matrix with dense ones: jobs that threads share.
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import diablo
from diablo.runtime.kernels import sparse_products
from diablo.runtime.program.native_loop import LoopCode

Array = np.ndarray[Any, Any]
SPARSE: Any = scipy.sparse

SPREAD = """
    input S: matrix[Double]; input A: matrix[Double]; input steps: Int;
    var X = A; var k = 0; var t = 0.0;
    while (k < steps) { X = 0.5*(S @ X) + 0.1*A; t += X[0,0]; k += 1; };
    (X, t)"""
TURNED = """
    input S: matrix[Double]; input A: matrix[Double]; input steps: Int;
    input n: Int; input m: Int;
    var X = A; var k = 0; var t = 0.0;
    while (k < steps) {
        var Y = tensor*(n,m)[ ((i,j), +/[ S[l,i]*X[l,j] | l <- 0..n-1 ])
                              | i <- 0..n-1, j <- 0..m-1 ];
        X = 0.5*Y + 0.1*A; t += X[0,0]; k += 1; };
    (X, t)"""


def sparse(n: int, density: float = 0.3) -> Any:
    rng = np.random.default_rng(n)
    return SPARSE.random_array((n, n), density=density, rng=rng, format="csr")


def spread(S: Any, A: Array, steps: int) -> tuple[Array, float]:
    x, t = A, 0.0
    for _ in range(steps):
        x = 0.5 * (S @ x) + 0.1 * A
        t += x[0, 0]
    return x, t


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (40, 1), (64, 65), (33, 200)])
@pytest.mark.parametrize("turned", [False, True])
def test_one_call_does_all(
    *,
    turned: bool,
    shape: tuple[int, int],
    threads: int,
    calls: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    n, m = shape
    program = diablo.compile(TURNED if turned else SPREAD, engine="local")
    extents = {"n": n, "m": m} if turned else {}
    rng = np.random.default_rng(m)
    # Another matrix, one with nothing in it, and other dense ones.
    for matrix in (sparse(n), sparse(n, 0.8), sparse(n, 0.0), sparse(n)):
        a = rng.random((n, m))
        dense = matrix.toarray().T if turned else matrix.toarray()
        for steps in (1, 5):
            wanted, total = spread(dense, a, steps)
            x, t = program(S=matrix, A=a, steps=steps, **extents)
            np.testing.assert_allclose(np.asarray(x), wanted, rtol=1e-12)
            np.testing.assert_allclose(t, total, rtol=1e-12)
    assert calls == [True] * 8


def test_it_has_the_bits_that_python_gives_it(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    inputs = {"S": sparse(50), "A": np.random.default_rng(3).random((50, 9)), "steps": 4}
    found, total = diablo.compile(SPREAD, engine="local")(**inputs)
    assert calls == [True]
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    wanted, other = diablo.compile(SPREAD, engine="local")(**inputs)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))
    assert total == other


@pytest.mark.parametrize("element", ["S[i,l]", "S[l,i]"])
def test_some_columns_are_multiplied(
    element: str, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = f"""
        input S: matrix[Double]; input A: matrix[Double]; input steps: Int;
        input n: Int; input m: Int;
        var X = A; var k = 0;
        while (k < steps) {{
            var Y = tensor*(n,m)[ ((i,j), +/[ {element}*X[l,j] | l <- 0..n-1 ])
                                  | i <- 0..n-1, j <- 0..m-1 ];
            X = tensor*(20,20)[ ((i,j), 0.5*X[i,j] + Y[i%n,j%m]) | i <- 0..19, j <- 0..19 ];
            k += 1; }};
        (X, k)"""
    s, a = sparse(20), np.random.default_rng(1).random((20, 20))
    dense, at = s.toarray() if element == "S[i,l]" else s.toarray().T, np.arange(20)
    program = diablo.compile(text, engine="local")
    for n, m in ((20, 6), (20, 20)):
        x = a
        for _ in range(3):
            y = dense @ x[:, :m]
            x = 0.5 * x + y[np.ix_(at % n, at % m)]
        found, _ = program(S=s, A=a, n=n, m=m, steps=3)
        np.testing.assert_allclose(np.asarray(found), x, rtol=1e-12)
    assert calls == [True] * 2


@pytest.mark.parametrize(
    "text",
    [
        SPREAD.replace("S @ X", "X @ S"),
        SPREAD.replace("Double", "Float")
        .replace("0.5", "toFloat(0.5)")
        .replace("0.1", "toFloat(0.1)"),
    ],
)
def test_what_no_machine_code_multiplies_stays_with_python(
    text: str, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    s, a = sparse(20), np.random.default_rng(1).random((20, 20))
    if "Float" in text:
        s, a = s.astype(np.float32), a.astype(np.float32)
    dense = s.toarray()
    x = a
    for _ in range(3):
        x = 0.5 * (dense @ x if "S @ X" in text else x @ dense) + 0.1 * a
    found, _ = diablo.compile(text, engine="local")(S=s, A=a, steps=3)
    np.testing.assert_allclose(np.asarray(found), x, rtol=1e-5)
    assert not any(calls)


HUBS = """
    input S: matrix[Double]; input x: vector[Double]; input n: Int; input steps: Int;
    var h = x; var a = x; var k = 0;
    while (k < steps) {
        a = tensor*(n)[ (j, +/[ S[i,j]*h[i] | i <- 0..n-1 ]) | j <- 0..n-1 ];
        var b = S @ a; var s = +/[ v | (i,v) <- b ];
        h = tensor*(n)[ (i, b[i]/(1.0 + s)) | i <- 0..n-1 ]; k += 1; };
    (h, a)"""


@pytest.mark.parametrize("most", [1 << 16, 10])
def test_a_small_matrix_is_turned_for_a_loop_that_multiplies_its_columns_with_a_vector(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[bool] = []
    run = LoopCode.run

    def noted(code: LoopCode, arguments: Any) -> Any:
        found = run(code, arguments)
        ran.append(found is not NotImplemented)
        return found

    monkeypatch.setattr(LoopCode, "run", noted)
    monkeypatch.setattr(sparse_products, "_MOST_TURNED", most)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    program = diablo.compile(HUBS, engine="local")
    s, x = sparse(20), np.random.default_rng(6).random(20)
    dense, h, a = s.toarray(), x, x
    for _ in range(4):
        a = dense.T @ h
        b = dense @ a
        h = b / (1.0 + b.sum())
    found = program(S=s, x=x, n=20, steps=4)
    for one, other in zip(found, (h, a), strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-12)
    assert any(ran) == (most > 10)


FOLDED = """
    input S: matrix[Double]; input x: vector[Double]; input steps: Int;
    var v = x; var k = 0; var t = 0.0;
    while (k < steps) {
        var T = S.t; v = 0.5*(T @ v); t += +/[ a*v[i] | ((i,j),a) <- T ]; k += 1; };
    (v, t)"""


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("density", [0.0, 0.01, 0.3])
def test_a_number_is_folded_of_a_matrix_whatever_its_layout(
    density: float, threads: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of few entries is stored by coordinates, which a single thread goes through."""
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    s, x = sparse(50, density), np.random.default_rng(2).random(50)
    v, t = x, 0.0
    for _ in range(4):
        v = 0.5 * (s.T @ v)
        t += (s.T @ np.ones(50)) @ v
    found, total = diablo.compile(FOLDED, engine="local")(S=s, x=x, steps=4)
    np.testing.assert_allclose(np.asarray(found), v)
    np.testing.assert_allclose(total, t)
    assert calls
    assert all(calls)
