# Loops of the driver whose arrays have extents that are carried: they may be those of other arrays.
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo

Array = np.ndarray[Any, Any]
HEAD = """input A: matrix[Double]; input B: matrix[Double]; input x: vector[Double];
    input steps: Int; var k = 0;"""
Reference = Callable[[Array, Array, Array, int], tuple[Any, ...]]


def before_the_loop(A: Array, B: Array, x: Array, steps: int) -> tuple[Any, ...]:
    one, other = A, B
    for _ in range(steps):
        one, other = A @ B, 0.5 * one
    return one, other


def turned(A: Array, B: Array, x: Array, steps: int) -> tuple[Any, ...]:
    y = A
    for _ in range(steps):
        y = y.T @ B
    return (y,)


def summed(A: Array, B: Array, x: Array, steps: int) -> tuple[Any, ...]:
    y, t = A, 0.0
    for _ in range(steps):
        t += y.sum()
        y = A @ B
    return y, t


def power(A: Array, B: Array, x: Array, steps: int) -> tuple[Any, ...]:
    v = x
    for _ in range(steps):
        v = 0.1 * (A @ v)
    return (v,)


def chosen(A: Array, B: Array, x: Array, steps: int) -> tuple[Any, ...]:
    v = x
    for k in range(steps):
        v = A @ v if k % 2 == 1 else 2.0 * x
    return (v,)


def within(A: Array, B: Array, x: Array, steps: int) -> tuple[Any, ...]:
    v = x
    for k in range(steps):
        w = v
        for _ in range(k):
            w = 0.5 * (A @ w)
        v = w + v
    return (v,)


def both_ways(A: Array, B: Array, x: Array, steps: int) -> tuple[Any, ...]:
    u = v = x
    for _ in range(steps):
        u, v = A.T @ v, A @ u
    return u, v


PROGRAMS = [
    (
        """var X = A; var Y = B;
        while (k < steps) { Y = 0.5*X; X = A @ B; k += 1; }; (X, Y)""",
        before_the_loop,
    ),
    ("var Y = A; while (k < steps) { Y = Y.t @ B; k += 1; }; Y", turned),
    (
        """var Y = A; var t = 0.0;
        while (k < steps) { t += +/[ a | ((i,j),a) <- Y ]; Y = A @ B; k += 1; }; (Y, t)""",
        summed,
    ),
    ("var v = x; while (k < steps) { v = 0.1*(A @ v); k += 1; }; v", power),
    (
        """var v = x;
        while (k < steps) { if (k % 2 == 1) v = A @ v; else v = 2.0*x; k += 1; }; v""",
        chosen,
    ),
    (
        """var v = x;
        while (k < steps) {
            var w = v; var j = 0; while (j < k) { w = 0.5*(A @ w); j += 1; };
            v = w + v; k += 1; };
        v""",
        within,
    ),
    (
        """var u = x; var v = x;
        while (k < steps) { var w = A.t @ v; v = A @ u; u = w; k += 1; }; (u, v)""",
        both_ways,
    ),
]


@pytest.mark.parametrize("mode", ["always", "auto", "never"])
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("text", "wanted"), PROGRAMS)
def test_machine_code_takes_those_that_stay_as_they_are(
    text: str,
    wanted: Reference,
    threads: int,
    mode: str,
    calls: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the extents change from step to step the loop is Python's, and so is what it raises."""
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    program = diablo.compile(HEAD + text, engine="local")
    rng = np.random.default_rng(0)
    for rows, columns in ((1, 1), (30, 30), (20, 30), (30, 20), (30, 30)):
        given = {
            "A": rng.normal(size=(rows, columns)) / rows,
            "B": rng.normal(size=(columns, rows)) / rows,
            "x": rng.normal(size=columns),
        }
        for steps in (0, 1, 2, 5):
            calls.clear()
            try:
                expected = wanted(given["A"], given["B"], given["x"], steps)
            except ValueError:
                with pytest.raises(diablo.RunError):
                    program(**given, steps=steps)
                continue
            found = program(**given, steps=steps)
            results: list[Any] = [*found] if isinstance(found, tuple) else [found]
            for one, other in zip(results, expected, strict=True):
                np.testing.assert_allclose(np.asarray(one), other, rtol=1e-9, atol=1e-12)
            if mode == "always" and threads > 1:
                assert calls[-1] == (rows == columns)
