"""Groups by a key that is the same for all rows: one fold, and no group where there is no row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from counted_operations import operations
from result_numbers import numbers, plain

import diablo
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret

INPUTS = """
input x: vector[Double]; input A: matrix[Double]; input L: list[(Int,Double)];
input M: map[Int,Double]; input n: Int;
"""

PROGRAMS = {
    "list": "[ (k, +/v) | (i,v) <- x, group by k: 0 ]",
    "another head": "[ (1, +/v) | (i,v) <- x, group by k: 0 ]",
    "several folds": "[ (k, +/v, count/v, max/i) | (i,v) <- x, v > 0.5, group by k: 3 ]",
    "two keys": "[ (k, min/v) | ((i,j),v) <- A, group by k: (n,n+1) ]",
    "division": "[ (k, 6/(+/i)) | (i,v) <- x, i > 0, group by k: n ]",
    "array": "tensor*(3)[ (k, max/v) | (i,v) <- x, group by k: 1 ]",
    "last kept": "tensor*(3)[ (1, +/v) | (i,v) <- x, group by k: 1 ]",
    "outside": "tensor*(3)[ (k, +/v) | (i,v) <- x, group by k: n ]",
    "of a list": "[ (k, +/v, min/j) | (j,v) <- L, j > 1, group by k: 0 ]",
    "joined": "[ (k, +/v, max/w) | (j,v) <- L, (l,w) <- L, j == l, group by k: 0 ]",
    "of a map": "[ (k, +/v) | (j,v) <- M, group by k: 0 ]",
    "grouped again": "[ (k, +/s) | (j,v) <- L, group by j, let s = +/v, group by k: 2 ]",
    "followed": "[ (k, s, i) | (j,v) <- L, group by k: 0, let s = +/v, i <- 0..1 ]",
    "rows": "[ (k, v) | (j,v) <- L, group by k: 0 ]",
    "no fold": "[ k | (j,v) <- L, v > 0.5, group by k: 4 ]",
    "in rows": "[ (j, [ (k, +/w, j) | (i,w) <- x, w < v, group by k: 0 ]) | (j,v) <- L ]",
    "map": "map[ (k, +/v) | (i,v) <- x, group by k: 0 ]",
}

CASES: dict[str, dict[str, Any]] = {
    "some": {
        "x": np.array([0.25, 1.5, 0.75, -2.0]),
        "A": np.arange(6.0).reshape(2, 3),
        "L": [(1, 0.5), (2, 1.5), (2, -1.0), (3, 0.25)],
        "M": {1: 2.0, 5: 0.5},
        "n": 2,
    },
    "none": {"x": np.zeros(0), "A": np.zeros((0, 3)), "L": [], "M": {}, "n": 7},
    "none passes": {
        "x": np.zeros(1),
        "A": np.ones((1, 1)),
        "L": [(0, 0.0)],
        "M": {0: 0.0},
        "n": 0,
    },
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"block_size": 2},
        pytest.param(
            {"engine": "spark", "master": "local[2]", "block_size": 2}, marks=pytest.mark.spark
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::diablo.CompileWarning")
def test_results_are_those_of_the_interpreter(case: str, options: dict[str, Any]) -> None:
    text = f"{INPUTS}({', '.join(PROGRAMS.values())})"
    inputs = CASES[case]
    wanted = interpret(import_program(text, "program.diablo"), inputs)
    found = diablo.compile(text, **options)(**inputs)
    for name, want, got in zip(PROGRAMS, wanted, found, strict=True):
        assert list(numbers(plain(got))) == pytest.approx(list(numbers(plain(want)))), name


@pytest.mark.parametrize("name", ["list", "another head", "several folds", "array", "last kept"])
def test_an_array_is_folded_where_it_is(name: str) -> None:
    """Its elements become no rows of a bag: the only rows are those of the result."""
    for n in (64, 256):
        inputs = {**CASES["some"], "x": np.ones(n)}
        counts = operations(INPUTS + PROGRAMS[name], inputs, pipeline="diablo-to-tensor-block")
        assert counts["tensor_block.to_bag"] == 0
        assert counts["tensor_block.group_reduce"] == 0
