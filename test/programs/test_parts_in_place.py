"""Loops that compute a part of a matrix in its memory, and read it where they keep it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fuzzing.trial import Trial, Way

STEPS = {
    "elimination": (
        "for i = k+1, n-1 do U[i,k] := U[i,k]/(2.0 + U[k,k]*U[k,k]);"
        " for i = k+1, n-1 do for j = k+1, n-1 do U[i,j] := U[i,j] - U[i,k]*U[k,j];"
    ),
    "a column before": "for i = 0, n-1 do for j = k+1, n-1 do U[i,j] := U[i,j] + 0.5*U[i,k];",
    "a row of the part": "for i = k, n-1 do for j = 0, n-1 do U[i,j] := U[i,j] + 0.5*U[k,j];",
    "a triangle": "for i = k+1, n-1 do for j = k+1, i do U[i,j] := U[i,j] - U[i,k]*U[j,k];",
    "a row into others": "for i = 0, n-1 do if (i != k) { for j = 0, n-1 do U[i,j] -= U[k,j]; };",
    "rows change places": (
        "for j = 0, n-1 do { var t = U[k,j]; U[k,j] = U[P[k],j]; U[P[k],j] = t; };"
    ),
    "columns change places": (
        "for i = 1, n-1 do { var t = U[i,k]; U[i,k] = U[i,n-1-k]; U[i,n-1-k] = t; };"
    ),
    "a row and a column of what both were": (
        "for j = 0, n-1 do { var t = U[k,j]; U[k,j] = 0.5*U[j,k]; U[j,k] = t + U[P[k],j]; };"
    ),
}
IN_PLACE = {
    "elimination": 2,
    "a column before": 1,
    "a triangle": 1,
    "rows change places": 2,
    "columns change places": 2,
}


def program(step: str, end: str = "U") -> str:
    """Return a program that does a step for each row and column of a matrix."""
    text = "input A: matrix[Double]; input P: vector[Int]; input n: Int; var U = A; var k = 0;\n"
    return f"{text}while (k < n) {{ {STEPS[step]} k += 1; }};\n{end}"


@pytest.mark.sampled(32)
@pytest.mark.parametrize("step", STEPS)
def test_all_find_the_same(step: str) -> None:
    for n, threads in ((1, 1), (19, 2)):
        matrix = np.random.default_rng(n).uniform(-1, 1, (n, n))
        way = Way(None, (None,), threads=(threads,), whole=True)
        ways = [replace(way, compile="always"), replace(way, compile="never")]
        places = np.arange(n) * 5 % (n + 1)  # One of them is no row.
        inputs = {"A": matrix, "P": places, "n": n}
        outcome = Trial(program(step, "(U, A)"), inputs).run(ways)
        assert outcome.verdict == "same", outcome


@pytest.mark.sampled(2)
@pytest.mark.parametrize("step", STEPS)
def test_what_is_computed_in_place(step: str) -> None:
    inputs = {"A": np.zeros((3, 3)), "P": np.zeros(3, int), "n": 3}
    text = Trial(program(step), inputs).variant(Way(whole=True)).ir("spark")
    assert text.count("{in_place") == IN_PLACE.get(step, 0), text
    assert ("alloc_tensor" in text) == (step in IN_PLACE), text
