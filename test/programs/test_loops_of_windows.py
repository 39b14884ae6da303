"""Products over windows in loops of the driver, as jobs in which BLAS multiplies."""

from typing import Any

import numpy as np
import pytest

from diablo.api import Program
from diablo.diagnostics import Diagnostic

Array = np.ndarray[Any, Any]
HEAD = """input x: array4[T]; input w: array4[T]; input b: Int; input c: Int; input n: Int;
    input steps: Int; var v = x; var W = w; var k = 0; var t: T = 0;"""
AT = "s <- 0..b-1, o <- 0..c-1"
OVER = "q <- 0..c-1, p <- 0..2, r <- 0..1"
SAME = f"""{HEAD}
    while (k < steps) {{
        var y = tensor*(b,c,n,n)[ ((s,o,i,j), +/[ v[s,q,i+p-1,j+r]*w[o,q,p,r] | {OVER} ])
                                | {AT}, i <- 0..n-1, j <- 0..n-1 ];
        t = +/[ a*a | ((s,o,i,j),a) <- y ];
        v = tensor*(b,c,n,n)[ ((s,o,i,j), max(0.0f, 0.5f*y[s,o,i,j]))
                            | {AT}, i <- 0..n-1, j <- 0..n-1 ];
        k += 1; }};
    (v, t)"""
TRAINED = f"""{HEAD}
    while (k < steps) {{
        t = +/[ a*a | s <- 0..b-1, o <- 0..c-1, i <- 0..n-3, j <- 0..n-2,
                let a = +/[ x[s,q,i+p,j+r]*W[o,q,p,r] | {OVER} ] ];
        var y = tensor*(b,c,n-2,n-1)[ ((s,o,i,j), +/[ x[s,q,i+p,j+r]*W[o,q,p,r] | {OVER} ])
                                    | {AT}, i <- 0..n-3, j <- 0..n-2 ];
        W = tensor*(c,c,3,2)[ ((o,q,p,r), 0.9f*W[o,q,p,r] + 0.01f*y[0,o,p,r])
                            | o <- 0..c-1, q <- 0..c-1, p <- 0..2, r <- 0..1 ];
        k += 1; }};
    (W, t)"""
STRIDED = f"""{HEAD}
    while (k < steps) {{
        var y = tensor*(b,2,2,c)[ ((s,i,j,o), +/[ v[s,q,2*i+p,j+r]*w[o,q,p,r] | {OVER} ])
                                | s <- 0..b-1, i <- 0..1, j <- 0..1, o <- 0..c-1 ];
        t += +/[ a | ((s,i,j,o),a) <- y ];
        v = tensor*(b,c,n,n)[ ((s,o,i,j), 0.5f*v[s,o,i,j] + 0.1f*y[s,i%2,j%2,o])
                            | {AT}, i <- 0..n-1, j <- 0..n-1 ];
        k += 1; }};
    (v, t)"""


def convolved(x: Array, w: Array) -> Array:
    _, _, rows, columns = x.shape
    _, _, high, wide = w.shape
    parts = [
        np.einsum("bchw,oc->bohw", x[..., p : rows - high + 1 + p, r : columns - wide + 1 + r], f)
        for p in range(high)
        for r in range(wide)
        for f in [w[:, :, p, r]]
    ]
    return np.sum(parts, axis=0)


def same(x: Array, w: Array, n: int, steps: int) -> Any:
    v, t = x, 0
    for _ in range(steps):
        y = convolved(np.pad(v, ((0, 0), (0, 0), (1, 1), (0, 1))), w)
        v, t = np.maximum(0, 0.5 * y), (y * y).sum()
    return v, t


def trained(x: Array, w: Array, n: int, steps: int) -> Any:
    t = 0
    for _ in range(steps):
        y = convolved(x, w)
        t = (y * y).sum()
        w = 0.9 * w + 0.01 * y[0, :, None, :3, :2]
    return w, t


def strided(x: Array, w: Array, n: int, steps: int) -> Any:
    v, t, i = x, 0, np.arange(n) % 2
    for _ in range(steps):
        y = convolved(v, w)[:, :, 0:4:2, :2].transpose(0, 2, 3, 1)
        t += y.sum()
        v = 0.5 * v + 0.1 * y[:, i][:, :, i].transpose(0, 3, 1, 2)
    return v, t


def given(n: int, dtype: Any) -> dict[str, Any]:
    random = np.random.default_rng(n)
    x, w = random.random((2, 3, n, n)) - 0.3, random.random((3, 3, 3, 2)) - 0.4
    return {"x": x.astype(dtype), "w": w.astype(dtype), "b": 2, "c": 3, "n": n}


def program(text: str, type: str, **more: Any) -> Program:
    return Program(text.replace("[T]", f"[{type}]").replace(": T", f": {type}"), **more)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("type", "dtype"), [("Double", np.float64), ("Float", np.float32)])
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("text", "wanted"), [(SAME, same), (TRAINED, trained), (STRIDED, strided)])
def test_one_call_does_all(
    text: str,
    wanted: Any,
    threads: int,
    type: str,
    dtype: Any,
    calls: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    done = program(text, type)
    tolerance = 1e-3 if dtype is np.float32 else 1e-10
    for n, steps in ((6, 4), (20, 3), (6, 0)):
        inputs = given(n, dtype)
        x, w = (inputs[name].astype(float) for name in "xw")
        for one, other in zip(done(**inputs, steps=steps), wanted(x, w, n, steps), strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=tolerance, atol=tolerance)
    assert calls == [True] * 3


def test_weights_that_are_no_finite_numbers_are_left_to_python(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond an edge they have no products, and with zeros there these would be no numbers."""
    monkeypatch.setenv("DIABLO_THREADS", "2")
    done, inputs = program(SAME, "Double"), given(6, float)
    done(**inputs, steps=1)
    inputs["w"][1, 0, 0, 1] = np.inf
    found, _ = done(**inputs, steps=1)
    assert calls == [True, False]
    parts = np.pad(inputs["x"], ((0, 0), (0, 0), (1, 1), (0, 1)), constant_values=np.nan)
    y = np.zeros((2, 3, 6, 6))
    for p in range(3):
        for r in range(2):
            term = parts[:, None, :, p : p + 6, r : r + 6] * inputs["w"][:, :, p, r, None, None]
            y += np.where(np.isnan(parts[:, None, :, p : p + 6, r : r + 6]), 0, term).sum(axis=2)
    np.testing.assert_allclose(np.asarray(found), np.maximum(0, 0.5 * y))


def test_weights_at_an_edge_that_change_keep_the_loop_with_python(calls: list[bool]) -> None:
    said: list[str] = []
    half = """W = tensor*(c,c,3,2)[ ((o,q,p,r), 0.5*W[o,q,p,r]) | o <- 0..c-1, q <- 0..c-1,
        p <- 0..2, r <- 0..1 ];"""
    changed = SAME.replace("*w[", "*W[").replace("k += 1;", f"{half} k += 1;")

    def note(diagnostic: Diagnostic) -> None:
        said.append(diagnostic.message)

    done = program(changed, "Double", listener=note)
    inputs = given(6, float)
    found, _ = done(**inputs, steps=3)
    v, w = inputs["x"], inputs["w"]
    for _ in range(3):
        v, _ = same(v, w, 6, 1)
        w = 0.5 * w
    np.testing.assert_allclose(np.asarray(found), v)
    reason = "weights of windows that end at an edge are others in each iteration"
    assert f"the loop stays with Python: {reason}" in said
    assert not calls
