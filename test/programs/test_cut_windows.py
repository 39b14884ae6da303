"""Sums over windows that the ends of an array, or tests, cut off: folds of each point.

tensor(n)[ (i, +/[ w[j-i+1] | j <- max(0,i-1)..min(n-1,i+1) ]) | i <- 0..n-1 ]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from result_numbers import numbers, plain

import diablo
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret

INPUTS = """
input A: matrix[Double];
input x: vector[Int];
input w: vector[Double];
input n: Int;
input m: Int;
input r: Int;
"""
_POINTS = "i <- 0..n-1, j <- 0..m-1"
_ENDS = "p <- max(0,i-1)..min(n-1,i+1), q <- max(0,j-2)..min(m-1,j+1)"
_BESIDE = "di <- -3..3, dj <- -3..3, i+di >= 0, i+di < n, j+dj >= 0, j+dj < m"
_LOOP = """
var B = tensor(n,m)[ ((i,j), 0.5) | i <- 0..n-1, j <- 0..m-1 ];
for i = 0, n-1 do for j = 0, m-1 do {{
  var s = 0.0; var c = 0;
  {}
  B[i,j] = s/(1+c);
}};
B
"""

PROGRAMS = {
    "loop": _LOOP.format(
        "for p = max(0,i-1), min(n-1,i+1) do for q = max(0,j-1), min(m-1,j+1) do "
        "{ s += A[p,q]; c += 1; };"
    ),
    "guarded loop": _LOOP.format(
        "for di = -3, 3 do for dj = -3, 3 do if (i+di >= 0 && i+di < n && j+dj >= 0 && j+dj < m) "
        "{ s += A[i+di,j+dj]; c += di*dj+1; };"
    ),
    "count": f"tensor*(n,m)[ ((i,j), +/[ 1 | {_BESIDE} ]) | {_POINTS} ]",
    "count to ends": f"tensor*(n,m)[ ((i,j), +/[ 1 | {_ENDS} ]) | {_POINTS} ]",
    "tenths": f"tensor*(n,m)[ ((i,j), +/[ 0.1 | {_ENDS} ]) | {_POINTS} ]",
    "weights": f"tensor*(n,m)[ ((i,j), +/[ 1.0/(1+di*di+dj*dj) | {_BESIDE} ]) | {_POINTS} ]",
    "distances": f"tensor*(n,m)[ ((i,j), +/[ (p-i)*(q-j)*q | {_ENDS} ]) | {_POINTS} ]",
    "greatest": f"tensor*(n,m)[ ((i,j), max/[ p*i-q | {_ENDS}, p != q ]) | {_POINTS} ]",
    "least element": f"tensor*(n,m)[ ((i,j), min/[ A[p,q] | {_ENDS} ]) | {_POINTS} ]",
    "weighted": "tensor(n)[ (i, +/[ w[p-i+2]*x[p] | p <- max(0,i-2)..min(n-1,i+2) ]) "
    "| i <- 0..n-1 ]",
    "one end": "tensor(n)[ (i, +/[ x[i+d]*d | d <- 0..min(4,n-1-i) ]) | i <- 0..n-1 ]",
    "weights from 0": "tensor(n)[ (i, +/[ w[d]*x[i+d] | d <- 0..min(4,n-1-i) ]) | i <- 0..n-1 ]",
    "more weights than there are": "tensor(n)[ (i, +/[ w[d]+d | d <- 0..min(40,n+i) ]) "
    "| i <- 0..n-1 ]",
    "radius": "tensor(n)[ (i, +/[ 1 | d <- -r..r, i+d >= 0, i+d < n ]) | i <- 0..n-1 ]",
    "radius to ends": "tensor(n)[ (i, +/[ x[p]-p | p <- max(0,i-r)..min(n-1,i+r) ]) "
    "| i <- 0..n-1 ]",
    "backwards": "tensor(n)[ (i, +/[ x[i-d]*d | d <- max(-1,i-n+1)..min(3,i) ]) | i <- 0..n-1 ]",
    "stride": "tensor(n)[ (i, +/[ p | p <- max(0,2*i-1)..min(n-1,2*i+1) ]) | i <- 0..n-1 ]",
    "part of an array": "tensor(n)[ (i, +/[ p*p | p <- max(1,i-1)..min(n-2,i+1) ]) | i <- 2..n-3 ]",
    "of a list": "[ (i, +/[ p*d | p <- max(0,i-1)..min(n-1,i+1), d <- -1..1, d != p ]) "
    "| i <- 0..n-1, i % 3 != 1 ]",
    "divisions": "tensor(n)[ (i, +/[ 12/d | d <- max(-2,0-i)..2, d != 0 ]) | i <- 0..n-1 ]",
    "up to the row": "tensor(n)[ (i, +/[ k*i | k <- 0..i ]) | i <- 0..n-1 ]",
    "of elements": "tensor(n)[ (i, +/[ k*i | k <- max(0,x[i])..min(x[i]+2,n) ]) | i <- 0..n-1 ]",
    "never": "tensor(n)[ (i, +/[ k | k <- max(5,i)..min(3,i+1) ]) | i <- 0..n-1 ]",
}
ROWS = {"of a list", "divisions", "up to the row", "of elements"}
"""What is no array, may fail, or is no window."""
SIZES = [(1, 1), (2, 5), (7, 6), (11, 9)]


def _inputs(n: int, m: int) -> dict[str, Any]:
    random = np.random.default_rng(n)
    return {
        "A": random.random((n, m)),
        "x": random.integers(-5, 9, n),
        "w": random.random(5),
        "n": n,
        "m": m,
        "r": 2,
    }


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ({}, "always"),
        ({}, "never"),
        ({"block_size": 1}, "never"),
        ({"block_size": 4}, "always"),
        pytest.param(
            {"engine": "spark", "master": "local[2]", "block_size": 4},
            "auto",
            marks=pytest.mark.spark,
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", PROGRAMS)
def test_cut_windows_are_what_the_interpreter_computes(
    name: str, options: dict[str, Any], mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = INPUTS + PROGRAMS[name]
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    if "block_size" in options:
        monkeypatch.setenv("DIABLO_TILES", "apart")
    program = diablo.compile(text, **options)
    for n, m in SIZES:
        given = _inputs(n, m)
        expected = interpret(import_program(text, "windows.diablo"), given)
        assert list(numbers(plain(program(**given)))) == pytest.approx(
            list(numbers(plain(expected)))
        ), (n, m)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ROWS])
def test_cut_windows_are_no_rows(name: str) -> None:
    program = diablo.compile(INPUTS + PROGRAMS[name])
    program(**_inputs(7, 6))
    ir = program.ir("tensor_block")
    assert "tensor_block.extend" not in ir
    assert "tensor_block.expand" not in ir
