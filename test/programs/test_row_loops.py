"""Aggregates in a row's value against the interpreter: loops for each row, on both engines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from result_numbers import numbers, plain

import diablo
from diablo.diagnostics import Diagnostic, listening
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret

WAYS: list[dict[str, Any]] = [{}, {"block_size": 2}]
SPARK: dict[str, Any] = {"engine": "spark", "master": "local[2]", "block_size": 2}

INPUTS = """
input P: list[(Int,Double)];
input L: list[(Double,Int8)];
input M: map[Int,Double];
input S: list[(String,Double)];
input V: vector[Float];
input W: vector[Double];
input n: Int;
monoid nearest((Double,Int)) = ((inf,9223372036854775807), (x,y) =>
    if (x._1 < y._1 || (x._1 == y._1 && x._2 <= y._2)
        || (x._1 != x._1 && (y._1 == y._1 || x._2 <= y._2))) x else y);
monoid both((Double,Int)) = ((0.0,0), (x,y) => (x._1+y._1, x._2+y._2));
"""

PROGRAMS = {
    "rows": "[ (k, +/[ x*y | (y,z) <- L ]) | (k,x) <- P ]",
    "the same list": "[ (k, min/[ abs(x-y) | (i,y) <- P, i != k ]) | (k,x) <- P ]",
    "guards": "[ (k, min/[ abs(x-y) | (y,z) <- L, y > x, z != 2 ]) | (k,x) <- P ]",
    "narrow": "[ (k, +/[ z | (y,z) <- L, y > x ], max/[ z | (y,z) <- L, y < x ]) | (k,x) <- P ]",
    "float": "[ (k, +/[ v | (i,v) <- V, i > k ]) | (k,x) <- P ]",
    "lets": "[ (k, +/[ d*d | (y,z) <- L, let d = x-y, d > 0, let e = d*2 ]) | (k,x) <- P ]",
    "several": "[ (k, +/[ y | (y,z) <- L, y > x ], min/[ y | (y,z) <- L, y > x ], "
    "count/[ z | (y,z) <- L, y > x ]) | (k,x) <- P ]",
    "nearest": "[ (k, nearest/[ (abs(x-toDouble(v)), i) | (i,v) <- V ]) | (k,x) <- P ]",
    "of the program": "[ (k, both/[ (x*y, k) | (y,z) <- L, y > x ]) | (k,x) <- P ]",
    "two vectors": "[ (k, +/[ x*toDouble(v)*w | (i,v) <- V, (j,w) <- W, j == i ]) | (k,x) <- P ]",
    "shifted": "[ (k, +/[ x*toDouble(v)*w | (i,v) <- V, (j,w) <- W, j == i+k ]) | (k,x) <- P ]",
    "pairs": "[ (k, +/[ w | (y,z) <- L, (j,w) <- W, y*w > x ]) | (k,x) <- P ]",
    "ranges": "[ (k, +/[ i*j | i <- 0..k, j <- i..n, (i+j) % 2 == 0 ]) | (k,x) <- P ]",
    "steps": "[ (k, +/[ i | i <- k..n by 2 ], +/[ i*k | i <- 0..n by 3, i != k ]) | (k,x) <- P ]",
    "deep": "[ (k, +/[ y * min/[ abs(x-y-w) | (i,w) <- W, w < y ] | (y,z) <- L ]) | (k,x) <- P ]",
    "three": "[ (k, max/[ +/[ y*min/[ x+w | (j,w) <- W, w > y ] | (y,z) <- L, y > toDouble(v) ] "
    "| (i,v) <- V ]) | (k,x) <- P ]",
    "reads": "[ (k, +/[ W[z] | (y,z) <- L, y > x ], +/[ W[i+k] | i <- 0..n ]) | (k,x) <- P ]",
    "branch": "[ (k, if (k > 0) +/[ y*x | (y,z) <- L ] else max/[ y-x | (y,z) <- L ]) "
    "| (k,x) <- P ]",
    "division": "[ (k, +/[ n / (k-i) | i <- 0..n, i != k ]) | (k,x) <- P ]",
    "map": "[ (k, +/[ m*x | (j,m) <- M, j != k ]) | (k,x) <- P ]",
    "strings": "[ (k, +/[ x*s | (w,s) <- S, s > x ]) | (k,x) <- P ]",
    "joined": "[ (k, +/[ x*m | (j,m) <- M, j == k ], +/[ x | (y,z) <- L, z == 2 ]) | (k,x) <- P ]",
    "in a guard": "[ (k,x) | (k,x) <- P, +/[ y | (y,z) <- L, y > x ] > 0.5 ]",
    "in a total": "+/[ max/[ x*y | (y,z) <- L, y < x ] | (k,x) <- P, k > 0 ]",
    "of an array": "[ (i, +/[ x*w | (k,x) <- P, x < w ]) | (i,w) <- W ]",
    "all": "[ (k, if (&&/[ y > x | (y,z) <- L ]) 1 else 0) | (k,x) <- P ]",
    "grouped": "[ (g, +/x, +/[ y | (y,z) <- L, toInt(y) > g ]) | (k,x) <- P, group by g: k % 2 ]",
}

_P = [(3, 1.5), (1, -0.25), (0, 0.0), (-1, 2.25), (4, -1.0)]
_L = [(0.5, 1), (-0.75, 2), (2.5, 100), (1.25, 100), (0.0, -3)]
_V, _W = np.arange(5, dtype=np.float32) * 0.5 - 1, np.array([0.5, -1.25, 2.0])
_S = [("a", 1.5), ("", -0.5)]

CASES: dict[str, dict[str, Any]] = {
    "some": {"P": _P, "L": _L, "M": {1: 2.0, 3: 0.5}, "S": _S, "V": _V, "W": _W, "n": 4},
    "no inner rows": {"P": _P, "L": [], "M": {}, "S": [], "V": _V[:0], "W": _W[:0], "n": -2},
    "no outer rows": {"P": [], "L": _L, "M": {1: 2.0}, "S": _S, "V": _V, "W": _W, "n": 4},
    "not numbers": {
        "P": [(1, math.nan), (2, 1.0), (0, -math.inf)],
        "L": [(math.nan, 1), (1.0, 2), (math.inf, 3), (-0.0, 4)],
        "M": {1: math.nan},
        "S": [("x", math.nan)],
        "V": np.array([1, np.nan, -0.0], np.float32),
        "W": np.array([np.inf, 1.0]),
        "n": 3,
    },
}


# What differs on Spark is that rows are sent to workers, or that there are none to be sent.
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("options", "case"),
    [
        *[(options, case) for options in WAYS for case in CASES],
        *[pytest.param(SPARK, case, marks=pytest.mark.spark) for case in ("some", "no outer rows")],
    ],
)
def test_aggregates_are_those_of_the_interpreter(options: dict[str, Any], case: str) -> None:
    # One program of all expressions: what it is compiled and started for is paid once.
    text = f"{INPUTS}({', '.join(PROGRAMS.values())})"
    inputs = CASES[case]
    wanted = interpret(import_program(text, "program.diablo"), inputs)
    found = diablo.compile(text, **options)(**inputs)
    for name, want, got in zip(PROGRAMS, wanted, found, strict=True):
        expected, values = list(numbers(plain(want))), list(numbers(plain(got)))
        assert values == pytest.approx(expected, rel=1e-5, nan_ok=True), name


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_table_of_pairs_is_made(name: str) -> None:
    found: list[Diagnostic] = []
    with listening(found.append):
        diablo.compile(f"{INPUTS}{PROGRAMS[name]}")(**CASES["no inner rows"])
    said = [d.message for d in found if d.message.startswith("nested: ")]
    loops = "nested: computed in loops for each row, without pairs of rows"
    assert loops in said
    # What an equality ties is found by hashing, for its own aggregate alone.
    hashed = (
        "nested: unnested, starting from the outer rows: an equality ties rows to others, which "
    )
    hashed += "are found by hashing"
    assert [m for m in said if m != loops] == ([hashed] if name == "joined" else [])
