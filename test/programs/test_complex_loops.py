# Loops of the driver over complex numbers, as machine code and in Python.
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

from diablo.api import Program
from diablo.diagnostics import Diagnostic
from diablo.runtime.program import native_loop

WIDTHS = pytest.mark.parametrize(
    ("type", "dtype"), [("Complex64", np.complex64), ("Complex128", np.complex128)]
)
MODES = pytest.mark.parametrize("mode", ["always", "never"])


def numbers(shape: Any, dtype: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each loop that was run was machine code."""
    found: list[bool] = []
    run = native_loop.LoopCode.run

    def noted(loop: Any, arguments: Any) -> Any:
        result = run(loop, arguments)
        found.append(result is not NotImplemented)
        return result

    monkeypatch.setattr(native_loop.LoopCode, "run", noted)
    return found


def ran(text: str, type: str, mode: str, monkeypatch: pytest.MonkeyPatch, **given: Any) -> Any:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    text = text.replace("[T]", f"[{type}]").replace(": T;", f": {type};")
    return Program(text)(**given)


@MODES
@WIDTHS
def test_numbers_are_carried(
    type: str, dtype: Any, mode: str, done: list[bool], monkeypatch: pytest.MonkeyPatch
):
    text = """input c: T; input n: Int; var z = c; var k = 0;
    while (k < n && abs(z) < 2.0) { z = z*z/conj(c) + exp(c); k += 1; };
    (z,k);"""
    for c in (dtype(0.2 + 0.1j), dtype(-0.3j), dtype(1.5)):
        found, steps = ran(text, type, mode, monkeypatch, c=c, n=50)
        z, k = c, 0
        while k < 50 and abs(z) < 2:
            z, k = z * z / np.conj(c) + np.exp(c), k + 1
        assert steps == k
        np.testing.assert_allclose(found, z, rtol=1e-3 if dtype is np.complex64 else 1e-12)
    assert done == ([True] * 3 if mode == "always" else [])


@pytest.mark.sampled(2)
@MODES
@WIDTHS
def test_elements_are_read_and_written(
    type: str, dtype: Any, mode: str, done: list[bool], monkeypatch: pytest.MonkeyPatch
):
    text = """input x: vector[T]; var y = tensor*(x.length)[ (i,a*0) | (i,a) <- x ]; var i = 1;
    y[0] = x[0];
    while (i < x.length) { if (real(x[i]) > 0.0) y[i] = y[i-1]*0.5j + x[i]; i += 1; };
    y;"""
    x = numbers(100, dtype)
    found = np.asarray(ran(text, type, mode, monkeypatch, x=x))
    wanted = np.zeros_like(x)
    wanted[0] = x[0]
    for i in range(1, 100):
        if x[i].real > 0:
            wanted[i] = wanted[i - 1] * dtype(0.5j) + x[i]
    np.testing.assert_array_equal(found, wanted)
    assert done == ([True] if mode == "always" else [])


@MODES
@WIDTHS
def test_kernels_are_a_part_of_it(
    type: str, dtype: Any, mode: str, done: list[bool], monkeypatch: pytest.MonkeyPatch
):
    text = """input v: vector[T]; input n: Int; var w = v; var s = +/[ a | (i,a) <- v ]; var k = 0;
    while (k < n) {
      w = tensor*(w.length)[ (i,b*0.9j + s/100) | (i,b) <- w ];
      s = +/[ a*conj(a) + a | (i,a) <- w ]/500;
      k += 1;
    };
    (w,s);"""
    v = numbers(50, dtype)
    found, total = ran(text, type, mode, monkeypatch, v=v, n=20)
    w = v.astype(complex)
    s = w.sum()
    for _ in range(20):
        w = w * 0.9j + s / 100
        s = (w * w.conj() + w).sum() / 500
    tolerance = 1e-4 if dtype is np.complex64 else 1e-12
    np.testing.assert_allclose(np.asarray(found), w, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(total, s, rtol=tolerance, atol=tolerance)
    assert done == ([True] if mode == "always" else [])


def test_an_index_outside_is_told_of(monkeypatch: pytest.MonkeyPatch):
    text = """input x: vector[T]; var s = x[0]; var i = 0;
    while (i < 10) { s = s + x[i]; i += 1; };
    s;"""
    with pytest.raises(Exception, match="outside") as caught:
        ran(text, "Complex128", "always", monkeypatch, x=numbers(5, complex))
    with pytest.raises(Exception, match="outside") as other:
        ran(text, "Complex128", "never", monkeypatch, x=numbers(5, complex))
    assert str(caught.value) == str(other.value)


@pytest.mark.sampled(2)
@MODES
@WIDTHS
def test_conjugate_gradients(type: str, dtype: Any, mode: str, monkeypatch: pytest.MonkeyPatch):
    """The matrix is sparse, so that Python runs the loop, and machine code what is in it."""
    text = """input A: matrix[T]; input b: vector[T]; input steps: Int; var n = b.length;
    var x = tensor*(n)[ (i,v*0) | (i,v) <- b ]; var r = b; var p = b;
    var rho = +/[ conj(v)*v | (i,v) <- r ]; var k = 0;
    while (k < steps) {
      var q = A @ p;
      var alpha = rho / +/[ conj(v)*w | (i,v) <- p, (j,w) <- q, i == j ];
      x = tensor*(n)[ (i,v+alpha*w) | (i,v) <- x, (j,w) <- p, i == j ];
      r = tensor*(n)[ (i,v-alpha*w) | (i,v) <- r, (j,w) <- q, i == j ];
      var before = rho;
      rho = +/[ conj(v)*v | (i,v) <- r ];
      p = tensor*(n)[ (i,v+(rho/before)*w) | (i,v) <- r, (j,w) <- p, i == j ];
      k += 1;
    };
    x;"""
    n = 60
    base = numbers((n, n), complex) * (np.random.default_rng(1).random((n, n)) < 0.1)
    dense = base @ base.conj().T + 5 * np.eye(n)
    b = numbers(n, dtype)
    A: Any = sparse.csr_array(dense.astype(dtype))
    found = np.asarray(ran(text, type, mode, monkeypatch, A=A, b=b, steps=60))
    tolerance = 1e-3 if dtype is np.complex64 else 1e-9
    np.testing.assert_allclose(dense @ found, b, rtol=tolerance, atol=tolerance)


def test_what_has_no_formula_keeps_a_loop_with_python():
    text = """input c: Complex128; input n: Int; var z = c; var k = 0;
    while (k < n) { z = gamma(z + c); k += 1; };
    z;"""
    said: list[Diagnostic] = []
    Program(text, listener=said.append)(c=1 + 0.5j, n=3)
    (remark,) = [d.message for d in said if "the loop stays" in d.message]
    assert "the function gamma is not done in machine code" in remark
