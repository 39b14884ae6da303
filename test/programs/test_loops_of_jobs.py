# Loops of the driver whose kernels are jobs that threads share: one call of machine code does all.
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.program.native_loop import LoopCode

Array = np.ndarray[Any, Any]

JACOBI = """
    input A: matrix[Double]; input n: Int; input steps: Int;
    var U = A; var k = 0; var far = 1.0;
    while (k < steps) {
        U = tensor*(n,n)[ ((i,j), 0.25*(U[(i+1)%n,j] + U[(i+n-1)%n,j] + U[i,(j+1)%n]
                                        + U[i,(j+n-1)%n])) | i <- 0..n-1, j <- 0..n-1 ];
        far = max/[ u | ((i,j),u) <- U ];
        k += 1; };
    (U, far)"""
SCALED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var s = 0.0;
    while (k < steps && s < 1e6) {
        var w = tensor*(n)[ (i, v[i]*1.5 + v[(i+1)%n]) | i <- 0..n-1 ];
        var z = tensor*(n)[ (i, w[(i+3)%n] - 0.5*w[i]) | i <- 0..n-1 ];
        s = +/[ a*a*a | (i,a) <- z ];
        v = tensor*(n)[ (i, z[i]/(1.0 + s)) | i <- 0..n-1 ];
        k += 1; };
    (v, s, k)"""
NESTED = """
    input x: vector[Double]; input n: Int; input steps: Int;
    var v = x; var k = 0; var t = 0.0;
    while (k < steps) {
        var j = 0;
        var w = tensor*(n)[ (i, v[i] + v[(i+1)%n]) | i <- 0..n-1 ];
        while (j < 3) { t += +/[ a*w[i] + a | (i,a) <- v ]; j += 1; };
        v = tensor*(n)[ (i, w[(i+1)%n]/(2.0 + j)) | i <- 0..n-1 ];
        k += 1; };
    (v, t)"""


def jacobi(A: Array, n: int, steps: int) -> tuple[Any, ...]:
    u, far = A, 1.0
    for _ in range(steps):
        u = 0.25 * (np.roll(u, -1, 0) + np.roll(u, 1, 0) + np.roll(u, -1, 1) + np.roll(u, 1, 1))
        far = u.max()
    return u, far


def scaled(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, s, k = x, 0.0, 0
    while k < steps and s < 1e6:
        w = v * 1.5 + np.roll(v, -1)
        z = np.roll(w, -3) - 0.5 * w
        s = (z * z * z).sum()
        v = z / (1.0 + s)
        k += 1
    return v, s, k


def nested(x: Array, n: int, steps: int) -> tuple[Any, ...]:
    v, t = x, 0.0
    for _ in range(steps):
        w = v + np.roll(v, -1)
        for _ in range(3):
            t += (v * w + v).sum()
        v = np.roll(w, -1) / 5.0
    return v, t


def square(n: int) -> dict[str, Any]:
    return {"A": np.random.default_rng(n).random((n, n)), "n": n}


def vector(n: int) -> dict[str, Any]:
    return {"x": np.random.default_rng(n).random(n), "n": n}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each call of a loop's machine code that has jobs was made."""
    made: list[bool] = []
    run = LoopCode.run

    def noted(code: LoopCode, arguments: Any) -> Any:
        found = run(code, arguments)
        if code._jobs is not None:  # pyright: ignore[reportPrivateUsage]
            made.append(found is not NotImplemented)
        return found

    monkeypatch.setattr(LoopCode, "run", noted)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    return made


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("steps", [0, 1, 2, 5])
@pytest.mark.parametrize(
    ("text", "given", "wanted"),
    [(JACOBI, square, jacobi), (SCALED, vector, scaled), (NESTED, vector, nested)],
)
def test_one_call_does_all(
    text: str,
    given: Callable[[int], dict[str, Any]],
    wanted: Callable[..., tuple[Any, ...]],
    steps: int,
    threads: int,
    calls: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    program = diablo.compile(text, engine="local")
    for n in (1, 7, 64, 64, 7):
        inputs = given(n)
        before = {name: np.copy(value) for name, value in inputs.items()}
        found = program(**inputs, steps=steps)
        for one, other in zip(found, wanted(**inputs, steps=steps), strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=1e-12)
        for name, value in before.items():
            np.testing.assert_array_equal(inputs[name], value)
    assert calls == [True] * 5


def test_results_of_one_call_are_not_written_by_the_next(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    program = diablo.compile(JACOBI, engine="local")
    inputs = square(64)
    first, _ = program(**inputs, steps=3)
    kept = np.array(np.asarray(first))
    program(**square(64) | {"A": np.ones((64, 64))}, steps=4)
    np.testing.assert_array_equal(np.asarray(first), kept)


def test_other_extents_than_what_it_becomes_stay_with_python(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input x: vector[Double]; input n: Int; input steps: Int;
        var v = x; var k = 0;
        while (k < steps) { v = tensor*(n)[ (i, v[i]*2.0) | i <- 0..n-1 ]; k += 1; };
        v"""
    program = diablo.compile(text, engine="local")
    found = program(x=np.arange(9.0), n=6, steps=2)
    np.testing.assert_array_equal(np.asarray(found), np.arange(6.0) * 4)


def test_an_array_that_kernels_and_the_loop_change_is_part_of_its_own_code(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input n: Int;
        var V = tensor*(n)[ (i, 3) | i <- 0..n-1 ]; var k = 0;
        while (k*k <= V[2]) {
            k += 1; var j = 0;
            while (j < 4) { if (k % 2 == 1) { V[j%n] += 1; } else { V[(2*k)%n] = 7; }; j += 1; }; };
        (k, V)"""
    k, found = diablo.compile(text, engine="local")(n=5)
    wanted, count = np.full(5, 3), 0
    while count * count <= wanted[2]:
        count += 1
        for j in range(4):
            if count % 2 == 1:
                wanted[j % 5] += 1
            else:
                wanted[(2 * count) % 5] = 7
    assert k == count
    np.testing.assert_array_equal(np.asarray(found), wanted)
    assert not calls


TWO = """
    input x: vector[Double]; input y: vector[Double]; input n: Int; input steps: Int;
    var v = tensor*(n)[ (i, 0.0) | i <- 0..n-1 ]; var k = 0;
    while (k < steps) {
        v = tensor*(n)[ (i, v[(i+1)%n] + x[i] - 2.0*y[i]) | i <- 0..n-1 ]; k += 1; };
    v"""


def test_arrays_that_are_one_in_a_call_may_be_two_in_the_next(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    program = diablo.compile(TWO, engine="local")
    a = np.arange(8.0)
    b = a * a + 1
    for x, y in ((a, a), (a, b), (b, a)):
        wanted = np.zeros(8)
        for _ in range(3):
            wanted = np.roll(wanted, -1) + x - 2 * y
        np.testing.assert_array_equal(np.asarray(program(x=x, y=y, n=8, steps=3)), wanted)
    assert calls == [True] * 3


def test_two_arrays_that_become_one_are_no_jobs(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    text = """
        input x: vector[Double]; input y: vector[Double]; input n: Int; input steps: Int;
        var v = x; var w = y; var k = 0;
        while (k < steps) {
            v = tensor*(n)[ (i, v[(i+1)%n] + w[i]) | i <- 0..n-1 ]; w = v; k += 1; };
        (v, w)"""
    x, y = np.arange(8.0), np.arange(8.0) ** 2
    found = diablo.compile(text, engine="local")(x=x, y=y, n=8, steps=3)
    for _ in range(3):
        x = y = np.roll(x, -1) + y
    for one in found:
        np.testing.assert_array_equal(np.asarray(one), x)
    assert not calls
