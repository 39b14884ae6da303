# Random loops of the driver over products: one call of machine code gives what Python gives.
import random
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import diablo

Array = np.ndarray[Any, Any]
SPARSE: Any = scipy.sparse

INPUTS = """
    input A: matrix[Double]; input B: matrix[Double]; input S: matrix[Double];
    input n: Int; input steps: Int;
    var X = A; var Y = B; var a = 0.5; var b = 0.25; var k = 0; var t = 0.0;
    """


class Body:
    """The statements of an iteration, which change `X`, `Y`, `a` and `b`."""

    def __init__(self, seed: int, *, sparse: bool = True):
        self._has_sparse = sparse
        self._random = random.Random(seed)
        self._arrays = ["X", "Y", "A", "B"]
        self.text = " ".join(self._statement(k) for k in range(self._random.randint(2, 5)))

    def _pick(self, *texts: str) -> str:
        return self._random.choice(texts)

    def _array(self) -> str:
        return self._pick(*self._arrays)

    def _factor(self) -> str:
        name, other = self._array(), self._array()
        if self._random.random() < 0.4:
            other = name
        left = self._pick("", ".t")
        right = self._pick("", ".t") if left else self._pick("", "", ".t")
        return f"({name}{left} @ {other}{right})"

    def _sparse(self) -> str:
        name, made = self._array(), "tensor*(n,n)[ ((i,j), +/[ "
        if self._random.random() < 0.5:
            return f"(S @ {name})"
        return f"({made}S[l,i]*{name}[l,j] | l <- 0..n-1 ]) | i <- 0..n-1, j <- 0..n-1 ])"

    def _value(self) -> str:
        one = self._pick("", "0.5*", "a*", "b*", "-a*")
        other = self._pick("", "0.25*", "a*", "b*")
        match self._random.randint(0, 5):
            case 0 if self._has_sparse:
                return f"{one}{self._sparse()}"
            case 0 | 1:
                return f"0.5*{self._factor()}"
            case 2 | 3:
                return f"{other}{self._array()} {self._pick('+', '-')} {one}{self._factor()}"
            case 4:
                return f"{one}{self._factor()} {self._pick('+', '-')} {other}{self._array()}"
            case _:
                return f"0.5*{self._array()} {self._pick('+', '-', '*')} {self._array()}"

    def _statement(self, number: int) -> str:
        target = self._pick("X", "Y", f"Z{number}")
        text = f"{target} = {self._value()};"
        if target not in self._arrays:
            self._arrays.append(target)
            return f"var {text}"
        return text


def source(seed: int) -> str:
    return f"""{INPUTS}
    while (k < steps) {{
        {Body(seed).text}
        t += X[k % n, 0] - Y[0, k % n];
        a = 0.5 - 0.25*k; b = 0.25*a - 0.0625; k += 1; }};
    (X, Y, t)"""


def inputs(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 90))
    a, b = rng.random((2, n, n)) / n
    if rng.random() < 0.3:
        a[0, n // 2] = rng.choice([np.inf, np.nan])
    s = SPARSE.random_array((n, n), density=0.2, rng=rng, format="csr")
    return {"A": a, "B": b, "S": s, "n": n, "steps": int(rng.integers(1, 7))}


@pytest.mark.parametrize("seed", range(12))
def test_they_give_what_python_gives(
    seed: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, given = source(seed), inputs(seed)
    monkeypatch.setenv("DIABLO_THREADS", str(1 + seed % 3))
    with np.errstate(all="ignore"):
        found = diablo.compile(text, engine="local")(**given)
        assert all(calls)
        monkeypatch.setenv("DIABLO_COMPILE", "never")
        wanted = diablo.compile(text, engine="local")(**given)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-9, atol=1e-12)


def complex_source(seed: int) -> str:
    """A loop over complex matrices, whose factors may be conjugates."""
    body = Body(seed, sparse=False).text
    if seed % 2:
        body = body.replace("(X", "(conj(X)").replace("@ Y", "@ conj(Y)")
    head = INPUTS.replace("A: matrix[Double]", "A: matrix[Complex]")
    head = head.replace("B: matrix[Double]", "B: matrix[Complex]")
    head = head.replace("t = 0.0", "t = toComplex128(0.0)")
    return f"""{head}
    while (k < steps) {{
        {body}
        t += X[k % n, 0] - Y[0, k % n];
        a = 0.5 - 0.25*k; b = 0.25*a - 0.0625; k += 1; }};
    (X, Y, t)"""


@pytest.mark.parametrize("seed", range(20, 30))
def test_they_do_with_complex_numbers(
    seed: int, calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, given = complex_source(seed), inputs(seed)
    rng = np.random.default_rng(seed)
    n = given["n"]
    for name in "AB":
        given[name] = (rng.random((n, n)) - 1j * rng.random((n, n))) / n
    monkeypatch.setenv("DIABLO_THREADS", str(1 + seed % 3))
    with np.errstate(all="ignore"):
        found = diablo.compile(text, engine="local")(**given)
        assert all(calls)
        monkeypatch.setenv("DIABLO_COMPILE", "never")
        wanted = diablo.compile(text, engine="local")(**given)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-9, atol=1e-12)
