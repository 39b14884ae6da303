"""Loops of the driver as machine code multiply sparse matrices as Python does, on any threads."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import diablo
from diablo.runtime.kernels import sparse_products
from diablo.runtime.program import compiled_loops, native_loop

POWER = """input A: matrix[Double]; input x: vector[Double]; input n: Int; input steps: Int;
   var y = x; var s = 0.0; var k = 0;
   while (k < steps) {
     var q = A @ y;
     s = max/[ v | (i,v) <- q ];
     y = tensor(n)[ (i, v/s + 0.5*y[i]) | (i,v) <- q ];
     k += 1; };
   (s, y)"""
SUMS = "tensor(n)[ (j,+/t) | ((i,j),a) <- A, let t = a*y[i], group by j ]"
TURNED = POWER.replace("A @ y", SUMS)
BOTH = POWER.replace("A @ y", f"(A @ y) + {SUMS}")
CONJUGATE = """input A: matrix[Double]; input x: vector[Double]; input steps: Int;
   var z = x - x; var r = x; var p = x; var rho = r@r; var k = 0;
   while (k < steps && rho > 1.0e-20) {
     var q = A @ p;
     var before = rho;
     var alpha = rho/(p@q);
     z = z + alpha*p;
     r = r - alpha*q;
     rho = r@r;
     p = r + (rho/before)*p;
     k += 1; };
   (z, rho, k)"""


def matrix(n: int, density: float, seed: int = 3) -> Any:
    """A sparse matrix of positive numbers, some on its diagonal."""
    made = sp.random_array((n, n), density=density, rng=np.random.default_rng(seed))
    return sp.csr_array(made + sp.eye_array(n))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each call of machine code of a loop whether it was one."""
    found: list[bool] = []
    run = native_loop.LoopCode.run

    def noted(self: Any, arguments: Any) -> Any:
        result = run(self, arguments)
        found.append(result is not NotImplemented)
        return result

    monkeypatch.setattr(native_loop.LoopCode, "run", noted)
    return found


def outcomes(
    monkeypatch: pytest.MonkeyPatch, text: str, layout: str | None = None, **inputs: Any
) -> list[Any]:
    """Return what a program gives as Python, and as machine code on one thread, two and three."""
    found: list[Any] = []
    for mode, threads in (("never", 1), ("always", 1), ("always", 2), ("always", 3)):
        monkeypatch.setenv("DIABLO_COMPILE", mode)
        monkeypatch.setenv("DIABLO_THREADS", str(threads))
        program = diablo.compile(text, layout=layout, engine="local")
        found.append([np.asarray(part) for part in program(**inputs)])
    return found


@pytest.mark.sampled(4)
@pytest.mark.parametrize("density", [0.02, 0.3])
@pytest.mark.parametrize("n", [1, 2, 300])
def test_products_have_the_same_bits(
    n: int, density: float, monkeypatch: pytest.MonkeyPatch, calls: list[bool]
) -> None:
    x = np.random.default_rng(n).random(n)
    inputs = {"A": matrix(n, density), "x": x, "n": n, "steps": 5}
    numpy, *others = outcomes(monkeypatch, POWER, **inputs)
    assert calls == [True] * 3
    monkeypatch.setattr(compiled_loops.CompiledLoop, "_steps", lambda *_: -1)
    _, *texts = outcomes(monkeypatch, POWER, **inputs)
    assert len(calls) == 3
    for s, y in (*others, *texts):
        assert s == others[0][0]
        np.testing.assert_array_equal(y, others[0][1], strict=True)
        # Long rows are summed in parts by machine code, by SciPy one after the other.
        np.testing.assert_allclose(y, numpy[1], rtol=1e-13)
        assert density == 0.3 or np.array_equal(y, numpy[1])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", [TURNED, BOTH])
@pytest.mark.parametrize(
    "layout", [None, "form = compressed, orders = [[0, 1]]", "form = compressed, orders = [[1, 0]]"]
)
def test_a_matrix_in_any_layout(
    text: str, layout: str | None, monkeypatch: pytest.MonkeyPatch, calls: list[bool]
) -> None:
    x = np.random.default_rng(1).random(50)
    python, *others = outcomes(monkeypatch, text, layout, A=matrix(50, 0.05), x=x, n=50, steps=4)
    assert len(calls) == 3
    for other in others:
        for one, two in zip(python, other, strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-13)


def test_many_lists_along_the_other_dimension_are_left_to_python(
    monkeypatch: pytest.MonkeyPatch, calls: list[bool]
) -> None:
    x = np.random.default_rng(1).random(50)
    inputs = {"A": matrix(50, 0.05), "x": x, "n": 50, "steps": 3}
    outcomes(monkeypatch, TURNED, "form = compressed, orders = [[0, 1]]", **inputs)
    assert calls == [True] * 3  # Rows are made of a few.
    calls.clear()
    with monkeypatch.context() as patched:
        patched.setattr(sparse_products, "_MOST_TURNED", 10)
        outcomes(monkeypatch, TURNED, "form = compressed, orders = [[0, 1]]", **inputs)
    assert calls == [False] * 3
    calls.clear()
    outcomes(monkeypatch, TURNED, "form = compressed, orders = [[1, 0]]", **inputs)
    assert calls == [True] * 3


@pytest.mark.sampled(2)
@pytest.mark.parametrize("n", [0, 1, 400])
def test_conjugate_gradients(n: int, monkeypatch: pytest.MonkeyPatch, calls: list[bool]) -> None:
    made = matrix(n, 0.01) if n else sp.csr_array((0, 0))
    symmetric = sp.csr_array(made + made.T + 10 * sp.eye_array(n))
    x = np.random.default_rng(2).random(n)
    for z, _, k in outcomes(monkeypatch, CONJUGATE, A=symmetric, x=x, steps=60):
        np.testing.assert_allclose(symmetric @ z, x, atol=1e-9)
        assert k < 60
    assert calls == [True] * 3
    assert np.array_equal(x, np.random.default_rng(2).random(n))  # Nobody has written to it.


def test_what_is_no_number_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.ones(60)
    x[7] = np.nan
    python, *others = outcomes(monkeypatch, POWER, A=matrix(60, 0.1), x=x, n=60, steps=2)
    for other in others:
        for one, two in zip(python, other, strict=True):
            np.testing.assert_array_equal(np.isnan(one), np.isnan(two))


def test_a_loop_with_products_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    program = diablo.compile(POWER, engine="local")
    inputs = {"A": matrix(200, 0.05), "x": np.ones(200), "n": 200}
    program(**inputs, steps=2)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        program(**inputs, steps=2**40)
    assert time.monotonic() - begin < 20
    assert program(**inputs, steps=1)[0] > 0
