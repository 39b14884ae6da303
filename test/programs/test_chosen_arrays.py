"""Loops in which conditions choose between arrays, as one call of machine code."""

from random import Random
from typing import Any

import numpy as np
import pytest

import diablo

HEAD = "input x: vector[Double]; input n: Int; input steps: Int;"
LINE_SEARCH = f"""
    {HEAD}
    var v = x; var t = 0.0; var k = 0; var r = 1.0;
    while (k < steps) {{
        var u = tensor*(n)[ (i, v[i] - r*v[(i+1)%n]) | i <- 0..n-1 ];
        t = +/[ a*a | (i,a) <- u ];
        if (t < 0.9*(+/[ a*a | (i,a) <- v ])) v = u; else r = 0.5*r;
        k += 1; }};
    (v, t)"""
GIVEN = f"""
    {HEAD}
    var v = x; var t = 0.0; var k = 0;
    while (k < steps) {{
        var u = tensor*(n)[ (i, v[i]*1.5 + v[(i+1)%n]) | i <- 0..n-1 ];
        var w = u;
        if (k % 3 == 1) w = x;
        t += +/[ a | (i,a) <- w ];
        v = tensor*(n)[ (i, 0.5*w[(i+1)%n] + 0.1*u[i]) | i <- 0..n-1 ];
        k += 1; }};
    (v, t)"""

REFERRED = f"""
    {HEAD}
    var v = x; var t = 0.0; var s = 0.0; var k = 0;
    while (k < steps) {{
        var u = tensor*(n)[ (i, v[i]*1.5 + v[(i+1)%n]) | i <- 0..n-1 ];
        var w = u;
        if (k % 3 == 1) w = x;
        t += +/[ a | (i,a) <- w ];
        var p = tensor*(n)[ (i, 0.5*u[(i+2)%n] + t) | i <- 0..n-1 ];
        s = +/[ a*a | (i,a) <- p ];
        v = tensor*(n)[ (i, p[(i+1)%n]/(1.0+s) + 0.1*u[(i+1)%n] + x[(i+3)%n]) | i <- 0..n-1 ];
        k += 1; }};
    (v, t)"""
SCATTERED = f"""
    {HEAD}
    var v = x; var u = x; var t = 0.0; var k = 0;
    while (k < steps) {{
        u = tensor*(n)[ (i, 0.5*v[(i+1)%n] + x[i]) | i <- 0..n-1 ];
        if (k % 2 == 0) {{
            v = tensor*(n)[ (h, +/c) | i <- 0..n-1, let h = (i*3+1)%n, let c = 0.4*u[i],
                group by h ];
            t += 1.0; }}
        else v = tensor*(n)[ (i, 0.5*u[(i+1)%n] + x[i]) | i <- 0..n-1 ];
        t += +/[ a | (i,a) <- v ];
        k += 1; }};
    (v, t)"""

EITHER = f"""
    {HEAD}
    var v = x; var t = 0.25; var k = 0;
    while (k < steps) {{
        t = t*t + 0.1*k;
        if (t < 0.3) v = tensor*(n)[ (i, v[(i+1)%n]*t) | i <- 0..n-1 ];
        else {{ v = tensor*(n)[ (i, v[i] + t) | i <- 0..n-1 ]; t = t/(1.0 + t); }};
        k += 1; }};
    (v, t)"""

WHOLE = f"""
    {HEAD}
    var v = x; var w = x; var t = 0.0; var k = 0;
    while (k < steps) {{
        v = tensor*(n)[ (i, v[(i+1)%n]*w[i]) | i <- 0..n-1 ];
        if (k % 2 == 0) w = 0.5*w; else {{ w = w + v; t += 1.0; }};
        k += 1; }};
    (w, t)"""


def whole(x: Any, steps: int) -> tuple[Any, float]:
    v, w = x, x
    for k in range(steps):
        v = np.roll(v, -1) * w
        w = w + v if k % 2 else 0.5 * w
    return w, steps // 2


def either(x: Any, steps: int) -> tuple[Any, float]:
    v, t = x, 0.25
    for k in range(steps):
        t = t * t + 0.1 * k
        if t < 0.3:
            v = np.roll(v, -1) * t
        else:
            v, t = v + t, t / (1 + t)
    return v, t


def searched(x: Any, steps: int) -> tuple[Any, float]:
    v, t, r = x, 0.0, 1.0
    for _ in range(steps):
        u = v - r * np.roll(v, -1)
        t = float(u @ u)
        if t < 0.9 * (v @ v):
            v = u
        else:
            r *= 0.5
    return v, t


def mixed(x: Any, steps: int) -> tuple[Any, float]:
    v, t = x, 0.0
    for k in range(steps):
        u = 1.5 * v + np.roll(v, -1)
        w = x if k % 3 == 1 else u
        t += w.sum()
        v = 0.5 * np.roll(w, -1) + 0.1 * u
    return v, t


def referred(x: Any, steps: int) -> tuple[Any, float]:
    v, t = x, 0.0
    for k in range(steps):
        u = 1.5 * v + np.roll(v, -1)
        t += (x if k % 3 == 1 else u).sum()
        p = 0.5 * np.roll(u, -2) + t
        v = np.roll(p, -1) / (1 + p @ p) + 0.1 * np.roll(u, -1) + np.roll(x, -3)
    return v, t


def scattered(x: Any, steps: int) -> tuple[Any, float]:
    v, t = x, 0.0
    for k in range(steps):
        u = 0.5 * np.roll(v, -1) + x
        if k % 2 == 0:
            v = np.bincount((3 * np.arange(len(x)) + 1) % len(x), 0.4 * u, len(x))
            t += 1
        else:
            v = 0.5 * np.roll(u, -1) + x
        t += v.sum()
    return v, t


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (LINE_SEARCH, searched),
        (GIVEN, mixed),
        pytest.param(REFERRED, referred, id="memory of what is referred to is not free"),
        pytest.param(EITHER, either, id="the input and both branches have one extent"),
        pytest.param(WHOLE, whole, id="an array is made as long as it was"),
        pytest.param(SCATTERED, scattered, id="pieces have tables in one branch alone"),
    ],
)
def test_one_call_chooses(
    text: str, wanted: Any, threads: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    program = diablo.compile(text, engine="local")
    for n, steps in ((1, 3), (6, 0), (6, 5), (300, 8), (6, 5)):
        x = np.random.default_rng(n).random(n) - 0.3
        before = x.copy()
        v, t = program(x=x, n=n, steps=steps)
        other, total = wanted(x, steps)
        np.testing.assert_allclose(np.asarray(v), other, rtol=1e-11)
        np.testing.assert_allclose(t, total, rtol=1e-11)
        np.testing.assert_array_equal(x, before)
    assert calls == [True] * 5


def test_arrays_of_other_lengths_stay_with_python(calls: list[bool]) -> None:
    program = diablo.compile(
        f"""{HEAD} input y: vector[Double];
        var t = 0.0; var k = 0;
        while (k < steps) {{
            var u = tensor*(n)[ (i, x[i] + k) | i <- 0..n-1 ];
            var w = y;
            if (k % 2 == 1) w = tensor*(n)[ (i, 2.0*u[(i+1)%n]) | i <- 0..n-1 ];
            t += +/[ a | (i,a) <- w ]; k += 1; }};
        t""",
        engine="local",
    )
    x, y = np.arange(5.0), np.arange(7.0)
    for _ in range(2):
        assert program(x=x, n=5, steps=4, y=y) == 2 * y.sum() + 2 * ((x + 1).sum() + (x + 3).sum())
    assert True not in calls


def test_extents_behind_many_conditions_are_found_once(calls: list[bool]) -> None:
    """Each of the branches comes to the same arrays, which those before have chosen."""
    count = 18
    branches = " ".join(
        f"if (k % {number} == 0) {{ s = u; u = w; w = s; }} else {{ t += +/[ a | (i,a) <- w ]; }};"
        for number in range(2, count)
    )
    u, w = x, y = np.arange(3.0), np.ones(3)
    t = 0.0
    for k in range(4):
        for number in range(2, count):
            if k % number == 0:
                u, w = w, u
            else:
                t += w.sum()
    found = diablo.compile(
        f"""{HEAD} input y: vector[Double];
        var u = x; var w = y; var s = x; var t = 0.0; var k = 0;
        while (k < steps) {{ {branches} k += 1; }};
        (u, w, t)""",
        engine="local",
    )(x=x, y=y, n=3, steps=4)
    for one, other in zip(found, (u, w, t), strict=True):
        np.testing.assert_allclose(np.asarray(one), other)


def random_loop(seed: int) -> str:
    """A loop that carries three arrays, with branches and a loop within it that assign them."""
    draw = Random(seed)
    names = ("u", "v", "w")

    def value() -> str:
        one, other = draw.choice(names), draw.choice((*names, "x"))
        shift = draw.choice(("i", "(i+1)%n", "(i+2)%n"))
        factor = draw.choice(("0.5", "-0.25", "0.125*k"))
        return f"tensor*(n)[ (i, {factor}*{one}[{shift}] + 0.3*{other}[i]) | i <- 0..n-1 ]"

    def assignment() -> str:
        return f"{draw.choice(names)} = {value() if draw.random() < 0.7 else draw.choice(names)};"

    def condition() -> str:
        total = f"+/[ a | (i,a) <- {draw.choice(names)} ]"
        return draw.choice(("k % 2 == 0", "k % 3 == 1", "t > 0.0", f"({total}) > t"))

    def statement(depth: int) -> str:
        kind = draw.random()
        if depth == 0 or kind < 0.4:
            return assignment()
        if kind < 0.5 and depth > 1:
            return f"j = 0; while (j < 3) {{ {body(depth - 1)} j += 1; }};"
        if kind < 0.6:
            return f"t += +/[ a | (i,a) <- {draw.choice(names)} ];"
        text = f"if ({condition()}) {{ {body(depth - 1)} }}"
        return text + (f" else {{ {body(depth - 1)} }};" if draw.random() < 0.6 else ";")

    def body(depth: int) -> str:
        return " ".join(statement(depth) for _ in range(draw.randint(1, 3)))

    begun = " ".join(
        f"var {name} = tensor*(n)[ (i, {k}.5*x[i] - {k}) | i <- 0..n-1 ];"
        for k, name in enumerate(names)
    )
    return f"""{HEAD}
    {begun} var t = 0.0; var k = 0; var j = 0;
    while (k < steps) {{ {statement(2)} {statement(2)} {statement(2)} k += 1; }};
    (u, v, w, t)"""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("first", range(0, 96, 6))
def test_random_loops_that_choose(
    first: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(first, first + 6):
        text = random_loop(seed)
        program = diablo.compile(text, engine="local")
        for n, steps in ((4, 5), (33, 4)):
            given = {"x": np.random.default_rng(seed).random(n), "n": n, "steps": steps}
            monkeypatch.setenv("DIABLO_COMPILE", "never")
            wanted = diablo.compile(text, engine="local")(**given)
            monkeypatch.setenv("DIABLO_COMPILE", "always")
            monkeypatch.setenv("DIABLO_THREADS", str(1 + seed % 3))
            for _ in range(2):
                found = program(**given)
                for one, other in zip(found, wanted, strict=True):
                    np.testing.assert_allclose(
                        np.asarray(one), np.asarray(other), rtol=1e-9, atol=1e-12, err_msg=text
                    )
    assert True in calls
