"""Loops of the driver that scan arrays: one call of machine code does all of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.program.prepared_loops import Preparations

Array = np.ndarray[Any, Any]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each call of a loop's machine code with jobs whether it was made ready."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    made: list[bool] = []
    prepare = Preparations.prepare

    def noted(self: Preparations, arguments: Any) -> Any:
        prepared = prepare(self, arguments)
        made.append(prepared is not None)
        return prepared

    monkeypatch.setattr(Preparations, "prepare", noted)
    return made


PICARD = """
    input n: Int; input steps: Int;
    var y = tensor*(n)[ (i, 1.0) | i <- 0..n-1 ]; var k = 0; var far = 1.0;
    while (k < steps && far > 1e-12) {
        var f = tensor*(n)[ (i, cos(0.02*i)*y[i]) | i <- 0..n-1 ];
        var z = tensor*(n)[ (i, 1.0 + +/[ 0.01*(f[j] + f[j+1]) | j <- 0..i-1 ]) | i <- 0..n-1 ];
        far = max/[ abs(z[i] - y[i]) | i <- 0..n-1 ];
        y = z; k += 1; };
    (y, far)"""
EQUALISED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var y = x; var k = 0;
    while (k < steps) {
        var h = tensor*(16)[ (i, 0) | i <- 0..15 ];
        for i = 0, n-1 do h[toInt(y[i]*15.0)] += 1;
        var c = tensor*(16)[ (i, +/[ h[j] | j <- 0..i ]) | i <- 0..15 ];
        y = tensor*(n)[ (i, 1.0*c[toInt(y[i]*15.0)]/n) | i <- 0..n-1 ]; k += 1; };
    (y, k)"""
SAMPLED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var w = x; var k = 0; var s = 0.0;
    while (k < steps) {
        var c = tensor*(n)[ (i, +/[ w[j] | j <- 0..i ]) | i <- 0..n-1 ];
        s = c[n-1];
        w = tensor*(n)[ (i, w[i] + 0.1*(+/[ if (c[j] < 0.3*s) 1.0 else 0.0 | j <- 0..n-1 ]))
                      | i <- 0..n-1 ];
        k += 1; };
    (w, s)"""
BOTH_WAYS = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var w = x; var k = 0;
    while (k < steps) {
        v = tensor*(n)[ (i, max/[ w[j] | j <- i..n-1 ]) | i <- 0..n-1 ];
        w = tensor*(n)[ (i, w[i] + +/[ v[j]*w[j] | j <- 0..i-1 ]) | i <- 0..n-1 ];
        w = w/w[n-1]; k += 1; };
    (v, w)"""
RECURRENCE = """
    monoid linear((Double,Double)) = ((1.0,0.0), (p,q) => (p._1*q._1, p._2*q._1 + q._2));
    input x: vector[Double]; input n: Int; input steps: Int;
    var y = x; var k = 0;
    while (k < steps) {
        var s = tensor*(n)[ (i, linear/[ (0.5*x[j], y[j]) | j <- 0..i ]) | i <- 0..n-1 ];
        y = tensor*(n)[ (i, 0.5*s[i]._2) | i <- 0..n-1 ]; k += 1; };
    (y, k)"""
LINES = """
    input A: matrix[Double]; input n: Int; input steps: Int;
    var B = A; var C = A; var k = 0;
    while (k < steps) {
        B = tensor*(n,n)[ ((i,j), +/[ C[i,l] | l <- 0..j ]) | i <- 0..n-1, j <- 0..n-1 ];
        C = tensor*(n,n)[ ((i,j), 0.1*(min/[ B[l,j] | l <- i..n-1 ])) | i <- 0..n-1, j <- 0..n-1 ];
        k += 1; };
    (B, C)"""


def picard(n: int, steps: int) -> tuple[Any, ...]:
    y, k, far = np.ones(n), 0, 1.0
    while k < steps and far > 1e-12:
        f = np.cos(0.02 * np.arange(n)) * y
        z = 1.0 + np.concatenate([[0.0], np.cumsum(0.01 * (f[:-1] + f[1:]))])
        y, k, far = z, k + 1, abs(z - y).max()
    return y, far


def equalised(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    y = x
    for _ in range(steps):
        b = (y * 15.0).astype(int)
        y = np.cumsum(np.bincount(b, minlength=16))[b] / n
    return y, steps


def sampled(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    w, s = x, 0.0
    for _ in range(steps):
        c = np.cumsum(w)
        s = c[-1]
        w = w + 0.1 * (c < 0.3 * s).sum()
    return w, s


def both_ways(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, w = x, x
    for _ in range(steps):
        v = np.maximum.accumulate(w[::-1])[::-1]
        w = w + np.concatenate([[0.0], np.cumsum(v * w)[:-1]])
        w = w / w[-1]
    return v, w


def recurrence(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    y = x
    for _ in range(steps):
        s, z = 0.0, np.empty(n)
        for i in range(n):
            s = s * 0.5 * x[i] + y[i]
            z[i] = 0.5 * s
        y = z
    return y, steps


def lines(A: Array, n: int, steps: int) -> tuple[Any, ...]:
    b = c = A
    for _ in range(steps):
        b = np.cumsum(c, axis=1)
        c = 0.1 * np.minimum.accumulate(b[::-1])[::-1]
    return b, c


def vector(n: int) -> dict[str, Any]:
    return {"x": np.random.default_rng(n).random(n), "n": n}


def square(n: int) -> dict[str, Any]:
    return {"A": np.random.default_rng(n).random((n, n)), "n": n}


def number(n: int) -> dict[str, Any]:
    return {"n": n}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    ("text", "given", "wanted"),
    [
        (PICARD, number, picard),
        (EQUALISED, vector, equalised),
        (SAMPLED, vector, sampled),
        (BOTH_WAYS, vector, both_ways),
        (RECURRENCE, vector, recurrence),
        (LINES, square, lines),
    ],
)
def test_one_call_does_all(
    text: str,
    given: Any,
    wanted: Any,
    threads: int,
    calls: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    program = diablo.compile(text, engine="local")
    for steps in (0, 1, 4):
        for n in (1, 7, 64, 64):
            inputs = given(n)
            before = {name: np.copy(value) for name, value in inputs.items()}
            found = program(**inputs, steps=steps)
            for one, other in zip(found, wanted(**inputs, steps=steps), strict=True):
                np.testing.assert_allclose(np.asarray(one), other, rtol=1e-11)
            for name, value in before.items():
                np.testing.assert_array_equal(inputs[name], value)
    assert calls == [True] * 12


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            """
            input x: vector[Double]; input n: Int; input steps: Int;
            var y = x; var k = 0;
            while (k < steps) {
                var p = tensor*(n)[ (i, argmin/[ (j, y[j]) | j <- 0..i ]) | i <- 0..n-1 ];
                y = tensor*(n)[ (i, y[p[i]] + 0.1*y[i]) | i <- 0..n-1 ]; k += 1; };
            (y, k)""",
            "a kernel takes or makes an array of tuples",
        ),
        (
            """
            monoid farther(Double) = (0.0, (a,b) => if (abs(a) < abs(b)) b else a);
            input A: matrix[Double]; input n: Int; input steps: Int;
            var B = A; var k = 0;
            while (k < steps) {
                B = tensor*(n,n)[ ((i,j), farther/[ B[i,l] - 0.5 | l <- 0..j ])
                                | i <- 0..n-1, j <- 0..n-1 ]; k += 1; };
            (B, k)""",
            "lines of an array are scanned by a monoid of the program's own",
        ),
    ],
)
def test_what_stays_with_python(text: str, why: str, calls: list[bool]) -> None:
    program = diablo.compile(text, engine="local")
    inputs = square(5) if "matrix" in text else vector(5)
    program(**inputs, steps=2)
    assert f"the loop stays with Python: {why}" in program.explain()
    assert calls == []
