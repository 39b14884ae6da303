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
}
IN_PLACE = {"elimination": 2, "a column before": 1, "a triangle": 1}


def program(step: str, end: str = "U") -> str:
    """Return a program that does a step for each row and column of a matrix."""
    text = "input A: matrix[Double]; input n: Int; var U = A; var k = 0;\n"
    return f"{text}while (k < n) {{ {STEPS[step]} k += 1; }};\n{end}"


@pytest.mark.parametrize("step", STEPS)
def test_all_find_the_same(step: str) -> None:
    for n, threads in ((1, 1), (4, 2), (19, 2)):
        matrix = np.random.default_rng(n).uniform(-1, 1, (n, n))
        way = Way(None, (None,), threads=(threads,), whole=True)
        ways = [replace(way, compile="always"), replace(way, compile="never")]
        outcome = Trial(program(step, "(U, A)"), {"A": matrix, "n": n}).run(ways)
        assert outcome.verdict == "same", outcome


@pytest.mark.parametrize("step", STEPS)
def test_what_is_computed_in_place(step: str) -> None:
    text = (
        Trial(program(step), {"A": np.zeros((3, 3)), "n": 3}).variant(Way(whole=True)).ir("spark")
    )
    assert text.count("{in_place") == IN_PLACE.get(step, 0), text
    assert ("alloc_tensor" in text) == (step in IN_PLACE), text
