# Loops of the driver over complex numbers whose kernels are jobs that threads share.
from random import Random
from typing import Any

import numpy as np
import pytest

from diablo.api import Program

Array = np.ndarray[Any, Any]
WIDTHS = pytest.mark.parametrize(
    ("type", "dtype"), [("Complex64", np.complex64), ("Complex128", np.complex128)]
)
HEAD = "input x: vector[T]; input n: Int; input steps: Int; var v = x; var k = 0;"
SUMS = f"""{HEAD} input y: vector[T]; var s: T = 0;
while (k < steps) {{
    s = +/[ conj(v[i])*y[i] | i <- 0..n-1 ];
    v = tensor*(n)[ (i, v[i]*0.5 + s*y[(i+1)%n]) | i <- 0..n-1 ]; k += 1; }};
(v, s)"""
PRODUCTS = f"""{HEAD} var s: T = 1; var all = true;
while (k < steps && all) {{
    s = */[ a | (i,a) <- v ]; all = &&/[ abs(a) < 4.0 | (i,a) <- v ];
    v = tensor*(n)[ (i, v[(i+1)%n]*0.9 + s/(1.0f + abs(s))) | i <- 0..n-1 ]; k += 1; }};
(v, s, k)"""
ELEMENTS = f"""{HEAD} var s: T = 1;
while (k < steps) {{
    s = s*0.5 + v[k%n]; v[(k+1)%n] = conj(s);
    v = tensor*(n)[ (i, v[(i+1)%n]*s/(1.0f + abs(s))) | i <- 0..n-1 ]; k += 1; }};
(v, s)"""
GROUPS = f"""{HEAD}
while (k < steps) {{
    var g = tensor*(n)[ (p, +/a) | (i,a) <- v, group by p: (i*i)%n ];
    v = tensor*(n)[ (i, 0.5*v[(i+1)%n] + 0.1j*g[i]) | i <- 0..n-1 ]; k += 1; }};
(v, k)"""
CHOSEN = f"""{HEAD} var z: T = 1;
while (k < steps) {{
    z = z*z + 0.1j;
    if (abs(z) > 1.0) {{ v = tensor*(n)[ (i, v[(i+1)%n]*z) | i <- 0..n-1 ]; z = z/abs(z); }}
    else v = tensor*(n)[ (i, v[i] + conj(z)) | i <- 0..n-1 ];
    k += 1; }};
(v, z)"""
ESCAPING = f"""{HEAD} var c = tensor*(n)[ (i, 0) | i <- 0..n-1 ];
while (k < steps) {{
    c = tensor*(n)[ (i, c[i] + (if (abs(v[i]) <= 2.0) 1 else 0)) | i <- 0..n-1 ];
    v = tensor*(n)[ (i, if (abs(v[i]) <= 2.0) v[i]*v[i] + x[i] else v[i]) | i <- 0..n-1 ];
    k += 1; }};
(v, c)"""

POWER = f"""{HEAD} input A: matrix[T]; var s: T = 0;
while (k < steps) {{
    var w = A @ v; var u = w @ A; var z = conj(A).t @ u;
    s = +/[ conj(a)*a | (i,a) <- z ];
    v = tensor*(n)[ (i, z[i]/(1.0f + abs(s))) | i <- 0..n-1 ]; k += 1; }};
(v, s)"""
MATRICES = f"""{HEAD} input A: matrix[T]; var B = A;
while (k < steps) {{
    var C = A @ B; var D = B @ B.t; B = C - 0.5f*(D.t @ A); k += 1; }};
(B, k)"""


def sums(x: Array, y: Array, n: int, steps: int) -> Any:
    v, s = x, x.dtype.type(0)
    for _ in range(steps):
        s = (v.conj() * y).sum()
        v = v * 0.5 + s * np.roll(y, -1)
    return v, s


def products(x: Array, y: Array, n: int, steps: int) -> Any:
    v, s, k, go_on = x, x.dtype.type(1), 0, True
    while k < steps and go_on:
        s, go_on = v.prod(), bool((abs(v) < 4).all())
        v, k = np.roll(v, -1) * x.dtype.type(0.9) + s / (1 + abs(s)), k + 1
    return v, s, k


def elements(x: Array, y: Array, n: int, steps: int) -> Any:
    v, s = x.copy(), x.dtype.type(1)
    for k in range(steps):
        s = s * 0.5 + v[k % n]
        v[(k + 1) % n] = s.conj()
        v = np.roll(v, -1) * s / (1 + abs(s))
    return v, s


def groups(x: Array, y: Array, n: int, steps: int) -> Any:
    v = x
    for _ in range(steps):
        g = np.zeros_like(v)
        np.add.at(g, np.arange(n) ** 2 % n, v)
        v = 0.5 * np.roll(v, -1) + 0.1j * g
    return v, steps


def chosen(x: Array, y: Array, n: int, steps: int) -> Any:
    v, z = x, x.dtype.type(1)
    for _ in range(steps):
        z = z * z + x.dtype.type(0.1j)
        if abs(z) > 1:
            v, z = np.roll(v, -1) * z, z / abs(z)
        else:
            v = v + z.conj()
    return v, z


def escaping(x: Array, y: Array, n: int, steps: int) -> Any:
    v, c = x, np.zeros(n, np.int64)
    for _ in range(steps):
        stays = abs(v) <= 2
        v, c = np.where(stays, v * v + x, v), c + stays
    return v, c


def power(x: Array, A: Array, n: int, steps: int) -> Any:
    v, s = x, x.dtype.type(0)
    for _ in range(steps):
        z = A.conj().T @ ((A @ v) @ A)
        s = (z.conj() * z).sum()
        v = z / (1 + abs(s))
    return v, s


def matrices(x: Array, A: Array, n: int, steps: int) -> Any:
    b = A
    for _ in range(steps):
        b = A @ b - A.dtype.type(0.5) * ((b @ b.T).T @ A)
    return b, steps


def numbers(n: int, dtype: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=n) + 1j * rng.normal(size=n)).astype(dtype) * dtype(0.6)


@pytest.mark.sampled(6)
@WIDTHS
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (SUMS, sums),
        (PRODUCTS, products),
        (ELEMENTS, elements),
        (GROUPS, groups),
        (CHOSEN, chosen),
        (ESCAPING, escaping),
    ],
)
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
    program = Program(text.replace("[T]", f"[{type}]").replace(": T", f": {type}"), engine="local")
    tolerance = 2e-3 if dtype is np.complex64 else 1e-10
    for n, steps in ((1, 3), (7, 5), (300, 4), (7, 0)):
        given = {"x": numbers(n, dtype, n), "n": n, "steps": steps}
        y = numbers(n, dtype, n + 1)
        found = program(**given, **({"y": y} if "y:" in text else {}))
        for one, other in zip(found, wanted(y=y, **given), strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=tolerance, atol=tolerance)
    # One thread may have the kernels as a part of the loop.
    assert calls == [True] * 4 or (threads == 1 and False not in calls)


def test_tables_of_products_stay_with_the_loop(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of tables of sums alone a job combines those that threads have."""
    monkeypatch.setenv("DIABLO_THREADS", "3")
    text = GROUPS.replace("[T]", "[Complex]").replace("+/a", "*/a")
    x = numbers(60, complex, 3)
    found, _ = Program(text, engine="local")(x=x, n=60, steps=2)
    v = x
    for _ in range(2):
        g = np.ones_like(v)
        np.multiply.at(g, np.arange(60) ** 2 % 60, v)
        g[np.bincount(np.arange(60) ** 2 % 60, minlength=60) == 0] = 0
        v = 0.5 * np.roll(v, -1) + 0.1j * g
    np.testing.assert_allclose(np.asarray(found), v, rtol=1e-10)
    assert not calls


@WIDTHS
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("text", "wanted"), [(POWER, power), (MATRICES, matrices)])
def test_products_are_those_of_blas(
    text: str,
    wanted: Any,
    threads: int,
    type: str,
    dtype: Any,
    calls: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    program = Program(text.replace("[T]", f"[{type}]").replace(": T", f": {type}"), engine="local")
    tolerance = 2e-3 if dtype is np.complex64 else 1e-10
    for n, steps in ((1, 3), (7, 5), (120, 4), (7, 0)):
        A = numbers(n * n, dtype, n + 2).reshape(n, n) / dtype(n)
        given = {"x": numbers(n, dtype, n), "A": A, "n": n, "steps": steps}
        for one, other in zip(program(**given), wanted(**given), strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=tolerance, atol=tolerance)
    assert calls == [True] * 4


def random_loop(seed: int) -> str:
    """A loop over arrays of complex numbers and sums of these."""
    draw = Random(seed)

    def value(depth: int) -> str:
        kind = draw.random()
        if depth == 0 or kind < 0.3:
            shift = draw.choice(("i", "(i+1)%n", "(2*i)%n"))
            return draw.choice((f"{draw.choice('uvw')}[{shift}]", "s", "0.5j", "complex(t, 0.25)"))
        if kind < 0.5:
            return f"conj({value(depth - 1)})"
        if kind < 0.6:
            return f"({value(depth - 1)})/(1.5 + abs({value(depth - 1)}))"
        if kind < 0.7:
            test = f"real({value(depth - 1)}) < {draw.choice(('0.1', 't'))}"
            return f"(if ({test}) {value(depth - 1)} else {value(depth - 1)})"
        return f"0.4*({value(depth - 1)} {draw.choice('+-*')} {value(depth - 1)})"

    def statement() -> str:
        kind, name = draw.random(), draw.choice("uvw")
        if kind < 0.4:
            return f"{name} = tensor*(n)[ (i, {value(3)}) | i <- 0..n-1 ];"
        if kind < 0.5:
            return f"s = 0.1*(+/[ {value(2)} | i <- 0..n-1 ]);"
        if kind < 0.6:
            return f"t = 0.1*(max/[ abs({value(2)}) | i <- 0..n-1 ]);"
        if kind < 0.7:
            return f"s = 0.5*({draw.choice('uvw')}[k%n] + {draw.choice('uvw')}[(3*k)%n]);"
        if kind < 0.8:
            return f"{name}[(k+1)%n] = s*0.5;"
        if kind < 0.9:
            into = f"+/a) | (i,a) <- {draw.choice('uvw')}, group by p: (3*i+k)%n"
            return f"{name} = tensor*(n)[ (p, {into} ];"
        return f"if (t > 0.1) {{ {statement()} }} else {{ {statement()} }};"

    begun = " ".join(
        f"var {name} = tensor*(n)[ (i, 0.{number}*x[i]) | i <- 0..n-1 ];"
        for number, name in enumerate("uvw", start=3)
    )
    body = " ".join(statement() for _ in range(draw.randint(2, 5)))
    return f"""input x: vector[Complex]; input n: Int; input steps: Int;
    {begun} var s = toComplex128(0.5); var t = 0.5; var k = 0;
    while (k < steps) {{ {body} k += 1; }};
    (u, v, w, s, t)"""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("first", range(0, 60, 5))
def test_random_loops(first: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(first, first + 5):
        text = random_loop(seed)
        for n, steps in ((4, 5), (33, 4)):
            given = {"x": numbers(n, complex, seed), "n": n, "steps": steps}
            monkeypatch.setenv("DIABLO_COMPILE", "never")
            wanted = Program(text, engine="local")(**given)
            monkeypatch.setenv("DIABLO_COMPILE", "always")
            monkeypatch.setenv("DIABLO_THREADS", str(1 + seed % 3))
            program = Program(text, engine="local")
            for _ in range(2):
                for one, other in zip(program(**given), wanted, strict=True):
                    np.testing.assert_allclose(
                        np.asarray(one), np.asarray(other), rtol=1e-9, atol=1e-12, err_msg=text
                    )
    assert True in calls
