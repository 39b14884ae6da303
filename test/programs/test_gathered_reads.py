"""Reads at computed indices against the interpreter, in machine code and in NumPy.

Each was a join of rows with the array.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

import diablo
from diablo import openings
from diablo.diagnostics import Diagnostic, listening
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret

SPARK: dict[str, Any] = {"engine": "spark", "master": "local[2]", "block_size": 2}

INPUTS = """
input K: vector[Int];
input Q: vector[Int32];
input X: vector[Double];
input B: vector[Boolean];
input E: matrix[Double];
input D: matrix[Int];
input n: Int;
var s = K.length;
var Y = tensor(n)[ (i,0.5) | i <- 0..n-1 ];
var Z = tensor(n)[ (i,0.0) | i <- 0..n-1 ];
var H = tensor(n)[ (i,0.0) | i <- 0..n-1 ];
"""
LOOPS = """
for i = 0, n-1 do Y[i] = X[K[i]];
for i = 0, n-1 do if (K[i] > 0) Z[i] += X[K[i]] * X[i];
for i = 0, s-1 do H[K[i]] += X[Q[i]];
"""
"""What is not written keeps its value."""

PROGRAMS = {
    "vector": "tensor(s)[ (i, X[K[i]]) | i <- 0..s-1 ]",
    "longer": "tensor(n)[ (i, X[K[i]]) | i <- 0..n-1 ]",
    "of elements": "tensor(s)[ (i, X[k] + 1.0) | (i,k) <- K ]",
    "rows": "tensor(s,n)[ ((i,j), E[K[i],j]) | i <- 0..s-1, j <- 0..n-1 ]",
    "all columns": "tensor(s,E.cols)[ ((i,j), e) | (i,k) <- K, ((r,j),e) <- E, r == k ]",
    "columns": "tensor(n,s)[ ((i,j), E[i,K[j]]) | i <- 0..n-1, j <- 0..s-1 ]",
    "rows and columns": "tensor(s,s)[ ((i,j), E[K[i],Q[j]]) | i <- 0..s-1, j <- 0..s-1 ]",
    "turned": "tensor(n,s)[ ((j,i), E[K[i],j]) | i <- 0..s-1, j <- 0..n-1 ]",
    "point by point": "tensor(s)[ (i, E[K[i],Q[i]]) | i <- 0..s-1 ]",
    "twice": "tensor(s)[ (i, X[K[K[i]]]) | i <- 0..s-1 ]",
    "shifted": "tensor(s)[ (i, X[K[i]-1] + X[K[i]+1]) | i <- 0..s-1 ]",
    "of a matrix": "tensor(D.rows,D.cols)[ ((i,j), X[d]) | ((i,j),d) <- D ]",
    "squares": "tensor(n)[ (i, X[i*i]) | i <- 0..n-1 ]",
    "remainders": "tensor(n)[ (i, X[(i*3) % 4]) | i <- 0..n-1 ]",
    "halves": "tensor(n)[ (i, X[i/2]) | i <- 0..n-1 ]",
    "Booleans": "tensor(s)[ (i, B[K[i]]) | i <- 0..s-1 ]",
    "guarded": "tensor(s)[ (i, X[K[i]]) | i <- 0..s-1, K[i] != 1, X[K[i]] > 0.5 ]",
    "on a condition": "tensor(s)[ (i, if (K[i] > 1) X[K[i]] else 7.0) | i <- 0..s-1 ]",
    "sum": "+/[ X[K[i]] | i <- 0..s-1 ]",
    "count": "count/[ X[K[i]] | i <- 0..s-1 ]",
    "least": "min/[ X[K[i]] | i <- 0..s-1 ]",
    "all true": "&&/[ B[K[i]] | i <- 0..s-1 ]",
    "sums of rows": "tensor(s)[ (i, +/e) | (i,k) <- K, ((r,j),e) <- E, r == k, group by i ]",
    "products": "tensor(s)[ (i, +/p) | (i,k) <- K, ((r,j),e) <- E, r == k, "
    "let p = e * X[j], group by i ]",
    "largest": "tensor(s)[ (i, max/e) | (i,k) <- K, ((r,j),e) <- E, r == k, group by i ]",
    "into groups": "tensor(n)[ (k, +/x) | (i,k) <- K, (j,x) <- X, j == Q[i], group by k ]",
    "divided": "tensor(s)[ (i, n / D[K[i],0]) | i <- 0..s-1, D[K[i],0] != 0 ]",
}

ON_SPARK = (
    *("longer", "of elements", "rows", "rows and columns", "point by point", "twice"),
    *("on a condition", "sum", "sums of rows", "into groups"),
)
"""One program of each kind: each is jobs of its own there."""


def text_of(names: Iterable[str]) -> str:
    return f"{INPUTS}{LOOPS}(Y, Z, H, {', '.join(PROGRAMS[name] for name in names)})"


_X = np.array([0.25, -1.5, 3.0, 0.75, 2.5])
_E = np.arange(15, dtype=float).reshape(5, 3) - 7
_B = np.array([True, True, False, True, True])
_D = np.array([[0, 4, -1], [5, 2, 2], [1, 0, 3]])

CASES: dict[str, dict[str, Any]] = {
    "some outside": {"K": [4, 0, -1, 5, 1, 1], "Q": [0, 2, 1, -2, 3, 2], "n": 4},
    "all inside": {"K": [3, 0, 2, 1], "Q": [2, 1, 0, 1], "n": 4},
    "far outside": {"K": [2**62, -(2**63), 1], "Q": [2**31 - 1, -(2**31), 0], "n": 3},
    "nothing": {"K": [], "Q": [], "n": 0},
    "one": {"K": [2], "Q": [0], "n": 1},
    "no values": {"K": [0, 1], "Q": [0, 0], "n": 2, "X": _X[:0], "E": _E[:0], "B": _B[:0]},
    "not numbers": {
        "K": [0, 1, 2, 3, -1],
        "Q": [0, 0, 1, 1, 0],
        "n": 5,
        "X": np.array([np.nan, np.inf, -0.0, -np.inf]),
        "E": np.array([[np.nan, -0.0], [np.inf, 1.0]]),
    },
}

OPEN = ("some outside", "all inside")
"""The cases that one program runs, which is compiled for all extents behind the first of them."""


def given(case: str) -> dict[str, Any]:
    inputs: dict[str, Any] = {"X": _X, "E": _E, "B": _B, "D": _D} | CASES[case]
    inputs["K"] = np.array(inputs["K"], np.int64)
    inputs["Q"] = np.array(inputs["Q"], np.int32)
    return inputs


@pytest.fixture(autouse=True)
def no_warning_of_many_rows() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def plain(value: Any) -> Any:
    return value.to_numpy() if hasattr(value, "to_numpy") else value


@pytest.mark.sampled(12)
@pytest.mark.parametrize(("block_size", "mode"), [(None, "always"), (2, "never")])
@pytest.mark.parametrize("case", CASES)
def test_as_the_interpreter_says(
    case: str, block_size: int | None, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(PROGRAMS, case, {"block_size": block_size}, mode, monkeypatch)


@pytest.mark.spark
def test_on_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its workers take the ways of one process: they compile, each by itself and with one thread.
    compare(ON_SPARK, "some outside", SPARK, "always", monkeypatch, ("1",))


def compare(
    names: Iterable[str],
    case: str,
    options: dict[str, Any],
    mode: str,
    monkeypatch: pytest.MonkeyPatch,
    threads: Sequence[str] = ("1", "3"),
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    if case not in OPEN:
        openings.forget()
    inputs = given(case)
    expected = interpret(import_program(text_of(names), "program.diablo"), inputs)
    program = compiled(text_of(names), tuple(options.items()))
    for count in threads:
        monkeypatch.setenv("DIABLO_THREADS", count)
        for name, want, got in zip(
            ["Y", "Z", "H", *names], expected, program(**inputs), strict=True
        ):
            np.testing.assert_allclose(plain(got), plain(want), err_msg=name)


@cache
def compiled(text: str, options: tuple[tuple[str, Any], ...]) -> diablo.Program:
    """One program of all expressions, and for all inputs: to compile it is what takes long."""
    return diablo.compile(text, **dict(options))


ROWS = "evaluated over rows, not as array algebra"


# What is read for a group of which an element is the key is still joined behind the group-by.
@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "into groups"])
def test_no_rows_are_made(name: str) -> None:
    found: list[Diagnostic] = []
    with listening(found.append):
        diablo.compile(f"{INPUTS}{PROGRAMS[name]}")(**given("all inside"))
    assert not [d.message for d in found if d.message.startswith(ROWS)]


def test_what_is_read_is_not_written_over() -> None:
    """The result of a gather may not take the memory of the array that it reads."""
    text = """
        input X: vector[Double]; input K: vector[Int]; input m: Int;
        var A = tensor(X.length)[ (i, x + 0.0) | (i,x) <- X ]; var k = 0;
        while (k < m) { k += 1; A = tensor(A.length)[ (i, A[K[i]]) | i <- 0..A.length-1 ]; };
        A;
    """
    values, places = np.arange(1000.0), np.roll(np.arange(1000), 1)
    found = diablo.compile(text)(X=values, K=places, m=5)
    np.testing.assert_array_equal(found.to_numpy(), np.roll(values, 5))
