"""Folds up to an index, and from one on, against the interpreter: what is scanned, what not."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from result_numbers import numbers, plain

import diablo
from diablo.diagnostics import Diagnostic, listening
from diablo.frontend.importer import import_program
from diablo.lowering.pipelines import PIPELINES
from diablo.pass_manager import PassManager
from diablo.pass_pipeline import load_steps, parse_pass_pipeline
from diablo.passes.interpreter import interpret
from diablo.registry import available_passes, new_context

INPUTS = """
input x: vector[Double]; input K: vector[Int]; input B: vector[Boolean];
input A: matrix[Double]; input S: matrix[Double]; input L: list[(Int,Double)];
input n: Int; input m: Int;
monoid last((Double,Int)) = ((-inf,-1), (a,b) => if (a._1 > b._1) a else b);
monoid both((Double,Int)) = ((0.0,0), (a,b) => (a._1+b._1, a._2+b._2));
def square(v: Double): Double = v*v;
"""

SCANNED = {
    "list": "[ (i, +/[ x[j] | j <- 0..i ]) | i <- 0..n-1 ]",
    "vector": "tensor*(n)[ (i, +/[ x[j] | j <- 0..i ]) | i <- 0..n-1 ]",
    "of its length": "tensor*(x.length)[ (i, +/[ x[j] | j <- 0..i ]) | i <- 0..x.length-1 ]",
    "before": "tensor*(n)[ (i, +/[ x[j] | j <- 0..i-1 ]) | i <- 0..n-1 ]",
    "beyond": "tensor*(n)[ (i, +/[ K[j] | j <- 0..i+2 ]) | i <- 0..n-1 ]",
    "far beyond": "tensor*(n)[ (i, max/[ x[j+1] | j <- 0..i+9 ]) | i <- 0..n-1 ]",
    "from far before": "[ (i, +/[ x[j]*x[j+1] | j <- i-9..n-1 ]) | i <- 0..n-1 ]",
    "from": "tensor*(n)[ (i, +/[ x[j] | j <- i..n-1 ]) | i <- 0..n-1 ]",
    "behind": "tensor*(n)[ (i, max/[ x[j] | j <- i+1..n-1 ]) | i <- 0..n-1 ]",
    "below zero": "tensor*(n)[ (i, +/[ x[j+3] | j <- -3..i-3 ]) | i <- 0..n-1 ]",
    "from one": "tensor*(n)[ (i, min/[ x[j] | j <- 1..i ]) | i <- 1..n-1 ]",
    "product": "[ (i, */[ 1.0 + x[j] | j <- 0..i ]) | i <- 0..m ]",
    "least": "tensor*(n)[ (i, min/[ K[j] | j <- 0..i ]) | i <- 0..n-1 ]",
    "all": "tensor*(n)[ (i, &&/[ B[j] | j <- 0..i ]) | i <- 0..n-1 ]",
    "any": "tensor*(n)[ (i, ||/[ B[j] | j <- i..n-1 ]) | i <- 0..n-1 ]",
    "argmin": "tensor*(n)[ (i, argmin/[ (j, x[j]) | j <- 0..i ]) | i <- 0..n-1 ]",
    "mean": "[ (i, mean/[ x[j] | j <- 0..i ]) | i <- 0..n-1 ]",
    "count": "[ (i, count/[ x[j] | j <- 0..i, x[j] > 0.0 ]) | i <- 0..n-1 ]",
    "own": "tensor*(n)[ (i, last/[ (x[j], j) | j <- 0..i ]) | i <- 0..n-1 ]",
    "own with a test": "[ (i, both/[ (x[j], j) | j <- 0..i-1, K[j] != 2 ]) | i <- 0..n-1 ]",
    "tests": "tensor*(n)[ (i, +/[ x[j]*x[j] | j <- 0..i, x[j] > 0.0, j % 2 == 0 ]) | i <- 0..n-1 ]",
    "several arrays": "[ (i, max/[ x[j]*K[j+1] | j <- 0..i ]) | i <- 0..n-1 ]",
    "factor": "tensor*(n)[ (i, +/[ K[i]*K[j] | j <- 0..i ]) | i <- 0..n-1 ]",
    "factors": "[ (i, +/[ 3*K[j]*n*K[i]*K[i+2] | j <- i..n-1 ]) | i <- 0..n-1 ]",
    "of the index": "tensor*(n)[ (i, +/[ j*j | j <- 0..i ]) | i <- 0..n-1 ]",
    "function": "tensor*(n)[ (i, +/[ square(x[j]) | j <- 0..i ]) | i <- 0..n-1 ]",
    "by entries": "tensor*(n)[ (i, +/[ v | (j,v) <- x, j <= i, v > 0.5 ]) | (i,a) <- x ]",
    "range that ends": "tensor*(n)[ (i, +/[ x[j] | j <- 0..n-3, j <= i ]) | i <- 0..n-1 ]",
    "range that begins late": "tensor*(n)[ (i, +/[ x[j] | j <- 2..n-1, j > i ]) | i <- 0..n-1 ]",
    "range without indices": "tensor*(3)[ (i, min/[ j | j <- 1..m-m, i <= j ]) | i <- 0..2 ]",
    "numbers without indices": "tensor*(3)[ (i, min/[ j | j <- 1..0, i <= j ]) | i <- 0..2 ]",
    "less": "[ (i, a, max/[ v | (j,v) <- x, j < i ]) | (i,a) <- x, a > -1.0 ]",
    "turned": "[ (i, +/[ v | (j,v) <- x, i >= j ]) | i <- 0..n-1 ]",
    "rows": "tensor*(A.rows,A.cols)[ ((r,i), +/[ A[r,j] | j <- 0..i ]) "
    "| r <- 0..A.rows-1, i <- 0..A.cols-1 ]",
    "columns": "tensor*(A.rows,A.cols)[ ((r,i), min/[ A[j,i] | j <- 0..r ]) "
    "| r <- 0..A.rows-1, i <- 0..A.cols-1 ]",
    "turned rows": "tensor*(A.cols,A.rows)[ ((i,r), +/[ A[r,j]*x[j] | j <- i..A.cols-1 ]) "
    "| i <- 0..A.cols-1, r <- 0..A.rows-1 ]",
    "one row": "tensor*(A.cols)[ (i, +/[ A[m,j] | j <- 0..i ]) | i <- 0..A.cols-1 ]",
    "sums of rows": "tensor*(A.rows)[ (i, +/[ A[j,k]*x[k] | j <- 0..i, k <- 0..A.cols-1 ]) "
    "| i <- 0..A.rows-1 ]",
    "greatest of rows": "tensor*(A.rows)[ "
    "(i, max/[ A[j,k] | j <- 0..i, k <- 0..A.cols-1, k != j ]) | i <- 0..A.rows-1 ]",
    "sparse": "tensor*(S.rows)[ (i, +/[ v | ((j,k),v) <- S, j <= i ]) | i <- 0..S.rows-1 ]",
    "sparse row": "[ (i, min/[ S[0,j] | j <- 0..i ]) | i <- 0..n-1 ]",
    "lists": "[ (i, +/[ L[j]._2 | j <- 0..i ]) | i <- 0..L.length-1 ]",
    "two indices": "[ (i, k, +/[ x[j] | j <- 0..i+k ]) | i <- 0..m, k <- 0..1 ]",
    "far apart": "[ (i, +/[ x[j] | j <- 0..2*i ]) | i <- 0..m ]",
    "backwards": "[ (i, +/[ x[j] | j <- 0..n-1-i ]) | i <- 0..n-1 ]",
    "in a total": "+/[ x[i] * max/[ x[j] | j <- 0..i ] | i <- 0..n-1 ]",
    "in a branch": "tensor*(n)[ (i, if (i > 1) +/[ x[j] | j <- 0..i ] else -1.0) | i <- 0..n-1 ]",
    "in a test": "[ i | i <- 0..n-1, +/[ x[j] | j <- 0..i ] > 0.5 ]",
}

UPDATES = {
    "P": "for i = 0, n-1 do for j = 0, i do P[i] += x[j];",
    "Q": "for i = 0, n-1 do for j = i, n-1 do if (x[j] > 0.0) Q[i] min= x[j];",
    "R": "for i = 0, A.rows-1 do for j = 0, A.cols-1 do for k = 0, j-1 do R[i,j] += A[i,k];",
    "T": "for i = 0, n-1 do for j = 0, i do T[i] both= (x[j],j);",
}
FIRST = """
var P = tensor*(n)[ (i, 1.0) | i <- 0..n-1 ];
var Q = tensor*(n)[ (i, inf) | i <- 0..n-1 ];
var R = tensor*(A.rows,A.cols)[ ((i,j), 0.5) | i <- 0..A.rows-1, j <- 0..A.cols-1 ];
var T = tensor*(n)[ (i, (0.0,0)) | i <- 0..n-1 ];
"""
LOOPS = {
    "(P,s)": "var s = 0.5; for i = 0, n-1 do { s += x[i]; P[i] = s; };",
    "(P,s,t)": "var s = 1.0; var t = 0; for i = 0, n-1 do { P[i] = 2.0*s + t; s *= 1.0+x[i]; "
    "t max= K[i]*i; };",
    "(Q,h)": "var h = -inf; for i = 1, n-1 do { h max= x[i]; if (h > 0.0) Q[i] = h; };",
}
"""Loops that run in order, one iteration after the other, in what they mean."""
PROGRAMS = {
    **{name: f"{INPUTS}{FIRST}{loop} {name}" for name, loop in LOOPS.items()},
    **{name: f"{INPUTS}{text}" for name, text in SCANNED.items()},
    **{name: f"{INPUTS}{FIRST}{loop} {name}" for name, loop in UPDATES.items()},
}
"""What is scanned."""

KEPT = {
    "ranges that end apart": "[ (i, +/[ x[j] | k <- 0..2, j <- 0..k, j <= i ]) | i <- 0..n-1 ]",
    "both ends": "[ (i, +/[ x[j] | j <- i-1..i+1 ]) | i <- 0..n-1 ]",
    "other terms": "tensor*(A.rows)[ (i, +/[ A[i,j]*x[j] | j <- 0..i ]) | i <- 0..A.rows-1 ]",
    "own end": "tensor*(n)[ (i, max/[ x[j] | j <- 0..K[i] ]) | i <- 0..n-1 ]",
    "steps": "[ (i, +/[ x[j] | j <- 0..i by 2 ]) | i <- 0..n-1 ]",
    "may fail": "[ (i, +/[ m/(3-K[j]) | j <- 0..i ]) | i <- 0..n-1, k <- 0..1, k < i ]",
    "recurrence": "var s = 1.0; var P = x; for i = 0, n-1 do { s += P[i]; P[0] = s; }; P",
    "in order": "var s = 1.0; var t = 1.0; var P = x; "
    "for i = 0, n-1 do { s += x[i]; t = 0.5*t + s; P[i] = t; }; P",
    "few rows": "[ (r, +/[ A[r,j] | j <- 0..i ]) | r <- 0..A.rows-1, i <- 0..1, r < i ]",
}
"""What is folded anew for each row."""

_X = np.array([0.5, -1.25, 2.0, 3.0, -0.5])
_A = np.arange(12.0).reshape(3, 4) % 5 - 2
_S = sparse.csr_array(np.array([[0, 2.0, 0, 0], [0, 0, 0, -1.0], [3.0, 0, 0, 0]]))
_L = [(1, 0.5), (0, 2.0), (5, -1.0)]


def case(length: int, **more: Any) -> dict[str, Any]:
    """The inputs, of which vectors have `length` elements."""
    n = length
    x = np.resize(_X, n)
    rest = {"K": np.arange(n) % 4 - 1, "B": x > -1, "A": _A, "S": _S, "L": _L, "n": n, "m": 1}
    return {"x": x, **rest, **more}


CASES: dict[str, dict[str, Any]] = {
    "some": case(5),
    "beyond the array": case(5, n=7),
    "less than the array": case(5, n=3),
    "nothing": case(0, L=[], A=_A[:0], S=_S[:0], m=0),
    "one": case(1, A=_A[:1, :1], S=_S[:1, :1], L=_L[:1], m=0),
    "not numbers": case(4, x=np.array([1.0, math.nan, -math.inf, 2.0]), A=_A * math.nan),
}


def check(name: str, text: str, options: dict[str, Any], cases: Iterable[str] = CASES) -> None:
    """Cases of a program, of which the interpreter says what is right."""
    module = import_program(text, "program.diablo")
    compiled = diablo.compile(text, **options)
    for case in cases:
        inputs = CASES[case]
        found, wanted = compiled(**inputs), interpret(module, inputs)
        values = list(numbers(plain(found)))
        expected = list(numbers(plain(tuple(wanted) if isinstance(found, tuple) else wanted)))
        assert values == pytest.approx(expected, rel=1e-12, nan_ok=True), (name, case)


@pytest.mark.sampled(40)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("cases", [list(CASES)[::2], list(CASES)[1::2]], ids=["even", "odd"])
def test_scans_are_those_of_the_interpreter(name: str, cases: list[str]) -> None:
    check(name, PROGRAMS[name], {}, cases)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("k", [0, 1, -3, -9, 3_000_000_000])
@pytest.mark.parametrize("block", [None, 2])
def test_no_scan_is_longer_than_its_terms(k: int, block: int | None) -> None:
    program = """
        input x: vector[Double]; input k: Int;
        ([ +/[ x[j] | j <- 0..i+k ] | i <- 0..6 ],
         [ +/[ x[j] | j <- i-k..6 ] | i <- 0..6 ],
         [ +/[ v | (j,v) <- x, j <= i+k ] | i <- 0..6 ],
         [ +/[ v | (j,v) <- x, j >= i-k ] | i <- 0..6 ])
    """
    x = np.arange(1.0, 8.0)
    up = [x[: max(0, i + k + 1)].sum() for i in range(7)]
    down = [x[max(0, i - k) :].sum() for i in range(7)]
    found = diablo.compile(program, block_size=block)(x=x, k=k)
    assert [sorted(part.to_list()) for part in found] == [sorted(up), sorted(down)] * 2


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", ["before", "behind", "own with a test", "columns", "sparse", "R"])
@pytest.mark.parametrize("mode", ["always", "never"])
def test_scans_go_over_the_edges_of_tiles(
    name: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_TILES", "apart")
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", "3")
    check(name, PROGRAMS[name], {"block_size": 2})


@pytest.mark.spark
def test_scans_on_spark() -> None:
    check("before", PROGRAMS["before"], {"engine": "spark", "master": "local[2]", "block_size": 2})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", KEPT)
def test_other_folds_are_not_scanned(name: str) -> None:
    said = remarks(f"{INPUTS}{KEPT[name]}")
    assert not any(SCANS in message or "reads is a scan" in message for message in said)
    check(name, f"{INPUTS}{KEPT[name]}", {})


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_folded_up_to_an_index_is_scanned(name: str) -> None:
    assert any(SCANS in message for message in remarks(PROGRAMS[name]))


SCANS = "is one scan, which each row reads"


def remarks(text: str) -> list[str]:
    """Return what the passes say of a program, up to the comprehensions."""
    module = import_program(text, "program.diablo")
    found: list[Diagnostic] = []
    passes = "diablo-to-comprehension,resolve-dimensions,comprehension-normalize,unroll-windows"
    passes += ",scan-prefixes"
    steps = load_steps(parse_pass_pipeline(passes, anchored=False), available_passes(), PIPELINES)
    with listening(found.append):
        PassManager(steps).run(new_context(), module)
    return [d.message for d in found]
