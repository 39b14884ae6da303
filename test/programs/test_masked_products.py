"""Products of sparse matrices of which a program reads a part: they are computed there alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import diablo
from fuzzing.trial import Trial, Way

TRIANGLES = "+/[ a*b*A[i,k] | ((i,j),a) <- A, ((jj,k),b) <- A, jj == j ]"
MASKED = {
    TRIANGLES: "A",
    "(A @ A)*A": "A",
    "(F @ G)*A": "AFG",
    "(A.t @ A)*A": "A",
    "(A @ A.t)*A.t": "A",
    "(A @ A)*A.t": "A",
    "(I @ I)*I": "I",
    "max/[ p*e | ((i,j),p) <- F @ G, ((ii,jj),e) <- A, ii == i, jj == j ]": "AFG",
    "var X = A; var k = 0; while (k < 3) { X = (X @ A)*A; k += 1; }; X": "A",
}
WHOLE = {
    "var P = F @ G; (P*A, P)": "AFG",
    "var X = A @ A; var k = 0; var Y = A; while (k < 3) { Y = X*Y; k += 1; }; Y": "A",
    "(A @ A) + A": "A",
}
WAYS = [
    Way(whole=True, block_sizes=(None, None, None), threads=(1, 2, 3), compile="always"),
    Way(whole=True, block_sizes=(None,), compile="never"),
    Way(block_sizes=(None, 5), compile="always"),
]


def matrix(rows: int, columns: int, form: str, integers: bool = False) -> Any:
    """Numbers that add up exactly, so that sums cancel; some rows are empty."""
    rng = np.random.default_rng(rows + columns)
    stored = rng.random((rows, columns)) < 0.25 * rng.choice([0, 1, 3], (rows, 1))
    numbers = rng.choice([-2, -1, 1, 2], (rows, columns)) * (1 if integers else 0.5)
    return sp.csr_array(np.where(stored, numbers, 0)).asformat(form)


def inputs(letters: str, n: int, form: str) -> dict[str, Any]:
    made = {
        "A": matrix(n, n, form),
        "F": matrix(n, 7, form),
        "G": matrix(7, n, "csr"),
        "I": matrix(n, n, form, integers=True),
    }
    return {letter: made[letter] for letter in letters}


def declared(program: str, letters: str) -> str:
    types = {letter: "Int" if letter == "I" else "Double" for letter in letters}
    return "".join(f"input {x}: matrix[{types[x]}]; " for x in letters) + program


@pytest.mark.sampled(10)
@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("program", [*MASKED, *WHOLE])
def test_products(program: str, form: str) -> None:
    letters = (MASKED | WHOLE)[program]
    for n, ways in ((1, WAYS[:1]), (12, WAYS)):
        trial = Trial(declared(program, letters), inputs(letters, n, form))
        assert ("masked_product" in trial.variant(WAYS[0]).python) == (program in MASKED)
        outcome = trial.run(ways if form == "csr" else ways[:1])
        assert outcome.verdict == "same", (n, str(outcome))


@pytest.mark.parametrize("mode", ["always", "never"])
def test_triangles_take_the_memory_of_the_edges(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    n = 20_000
    # Each node has edges to the next two, so that there is a triangle for each.
    ones = np.ones(n - 1)
    edges = sp.diags_array([ones, ones[1:]], offsets=[1, 2], shape=(n, n)).tocsr()
    program = diablo.compile(declared(TRIANGLES, "A"), memory="40m")
    assert program(A=edges) == n - 2


def test_an_infinite_edge_that_closes_no_path_adds_nothing() -> None:
    # There is no term for an infinite edge without a path.
    edges = sp.csr_array(np.array([[0, 1, np.inf], [0, 0, 0], [np.inf, 0, 0]], float))
    outcome = Trial(declared(TRIANGLES, "A"), {"A": edges}).run(WAYS[:1])
    assert outcome.verdict == "same", outcome
