"""Lists of what the rows of dense arrays fold to: in one pass, without buckets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.rows import compiled_rows
from fuzzing.trial import Trial, Way

WAYS = [
    Way(whole=True, block_sizes=(None, None, None), threads=(1, 2, 3), compile="always"),
    Way(whole=True, block_sizes=(None,), compile="never"),
    Way(block_sizes=(2,), compile="always"),
]
RANDOM = np.random.default_rng(40)
MATRICES = [
    RANDOM.random((5, 4)),
    np.zeros((0, 3)),
    np.zeros((3, 0)),
    np.array([[math.nan, -0.0], [1.0, math.inf]]),
]
BEST = "monoid best((Double,Int)) = ((-inf,-1), (x,y) => if (x._1 >= y._1) x else y);"

IN_ONE_PASS = [
    "[ (i, +/a) | ((i,j),a) <- A, group by i ]",
    "[ (i, +/a, a.length, max/a) | ((i,j),a) <- A, a > 0.5, group by i ]",
    "[ (i, +/a) | ((i,j),a) <- A, j != i, group by i, +/a > 0.6 ]",
    "[ (i, best/w) | ((i,j),a) <- A, let w = (a,j), group by i ]",
    "[ (i, argmin/w) | ((i,j),a) <- A, let w = (j,a), group by i ]",
]
OTHERS = [
    "map[ (i, min/a) | ((i,j),a) <- A, group by i ]",
    "[ (r, +/a) | ((i,j),a) <- A, group by r: i+2 ]",
    "[ (r, +/a) | ((i,j),a) <- A, group by r: i/2 ]",
    "[ (j, +/a) | ((i,j),a) <- A, group by j ]",
    "[ (i, b, +/a) | ((i,j),a) <- A, group by (i,b): (i,a > 0.5) ]",
    "[ (i, a) | ((i,j),a) <- A, group by i ]",
    "[ (n, s.length) | (n,s) <- [ (a.length, +/a) | ((i,j),a) <- A, group by i ], group by n ]",
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", IN_ONE_PASS + OTHERS)
def test_groups_of_matrices(program: str) -> None:
    for matrix in MATRICES:
        outcome = Trial(f"{BEST} input A: matrix[Double]; {program}", {"A": matrix}).run(WAYS)
        assert outcome.verdict == "same", str(outcome)


@pytest.mark.parametrize("program", ["group by i", "k != j, group by i", "group by (i,j)"])
def test_groups_of_arrays_of_three_dimensions(program: str) -> None:
    text = f"input A: array3[Double]; [ (i, +/a, a.length) | ((i,j,k),a) <- A, {program} ]"
    for shape in [(3, 4, 2), (3, 0, 2), (0, 4, 2)]:
        outcome = Trial(text, {"A": RANDOM.random(shape)}).run(WAYS)
        assert outcome.verdict == "same", str(outcome)


@pytest.mark.parametrize("program", IN_ONE_PASS)
def test_nothing_is_looked_up(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    kinds: list[str] = []
    run = compiled_rows._run  # pyright: ignore[reportPrivateUsage]

    def noted(signature: Any, *arguments: Any) -> Any:
        kinds.extend(output.kind for output in signature.outputs)
        return run(signature, *arguments)

    monkeypatch.setattr(compiled_rows, "_run", noted)
    diablo.compile(f"{BEST} input A: matrix[Double]; {program}")(A=MATRICES[0])
    assert kinds == ["some"]
