"""Assignments of what is not there, to variables that an iteration has for itself.

They drop the iteration for all that names the variable, and for nothing else, whatever is read: an
input, which no variable holds, or a variable of the program; a map or a vector; in loops that run
in bulk and in those that run in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fuzzing.trial import DEFAULT, Trial, Way

PROGRAM = """
input c: vector[Double]; input M: map[Int,Double]; input n: Int;
var w = tensor(3)[ (i,1.0+i) | i <- 0..2 ];
var N = map[ (i,x) | (i,x) <- M ];
var o = tensor*(n)[ (i,7.0) | i <- 0..n-1 ];
var q = tensor(n)[ (i,7.0) | i <- 0..n-1 ];
var z = 0.0;
for i = 0, n-1 do { var d = 1.0; STATEMENTS; o[i] = d; q[i] = 8.0; LAST };
(o, q, z)
"""
INPUTS: dict[str, Any] = {"c": np.array([1.0, 2.0, 3.0]), "M": {0: 1.5, 3: 2.5}, "n": 5}
OTHERS = [
    Way(compile="always"),
    Way(block_sizes=(1, 2), compile="always"),
    Way(block_sizes=(None,), compile="never", whole=True),
]
CASES = {
    # 7 where o is not written.
    "d = M[i]": [1.5, 7, 7, 2.5, 7],
    "d = 2.0*M[i] + d": [4, 7, 7, 6, 7],
    "d += M[i]": [2.5, 1, 1, 3.5, 1],
    "d = M[i]; d = 4.0": [4, 4, 4, 4, 4],
    "if (i > 2) d = M[i]": [1, 1, 1, 2.5, 7],
    "if (i > 5) d = M[i]": [1, 1, 1, 1, 1],
    "if (M[i] > 2.0) d = 3.0": [1, 7, 7, 3, 7],
    "if (M[i] > 2.0) d += 3.0": [1, 1, 1, 4, 1],
    "d = if (i > 2) M[i] else 4.0": [4, 4, 4, 2.5, 7],
    "d += if (i > 2) M[i] else 4.0": [5, 5, 5, 3.5, 1],
    "d = if (i > 2 && M[i] > 0.0) 5.0 else 4.0": [4, 4, 4, 5, 7],
    "d = if (i > 2) (if (i > 3) M[i] else M[i-1]) else 4.0": [4, 4, 4, 7, 7],
    "d = M[i] + (if (i > 2) M[i-1] else 0.0)": [1.5, 7, 7, 7, 7],
    "if (i > 2) d = if (i > 3) M[i] else 9.0": [1, 1, 1, 9, 7],
    "var t = M[i]; d += t": [2.5, 1, 1, 3.5, 1],
    "var t = M[i]; if (i > 2) d = t": [1, 1, 1, 2.5, 7],
    "var t = if (i > 2) M[i] else 4.0; d = t": [4, 4, 4, 2.5, 7],
    "var t = 2.0; t = M[i]; d = if (i > 5) t else 3.0": [3, 7, 7, 3, 7],
    "var t = 2.0; t = M[i]; d += if (i > 5) t else 3.0": [4, 1, 1, 4, 1],
    "for j = 0, toInt(M[i]) do d += 1.0": [3, 1, 1, 4, 1],
    # A row of a comprehension is dropped there.
    "d = +/[ M[j] | j <- i..n-1 ]": [4, 2.5, 2.5, 2.5, 0],
    "d = if (i > 2) c[i] else 4.0": [4, 4, 4, 7, 7],
    "d = c[i] + (if (i > 2) c[i-1] else 0.0)": [1, 2, 3, 7, 7],
    "d = if (i > 2) (if (i > 3) c[i] else c[i-1]) else 4.0": [4, 4, 4, 3, 7],
}


def _check(statements: str, last: str, ways: list[Way]) -> None:
    program = PROGRAM.replace("STATEMENTS", statements).replace("LAST", last)
    trial = Trial(program, INPUTS)
    o, q, _ = trial.expected()
    assert list(o) == CASES[_of_inputs(statements)]
    assert list(q) == [8.0] * 5
    outcome = trial.run(ways)
    assert outcome.verdict == "same", outcome


def _of_inputs(statements: str) -> str:
    return statements.replace("N[", "M[").replace("w[", "c[")


def _of_variables(statements: str) -> str:
    return statements.replace("M[", "N[").replace("c[", "w[")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("last", ["", "z = 0.5*z + 1.0;"], ids=["bulk", "ordered"])
@pytest.mark.parametrize("statements", [*CASES, *map(_of_variables, CASES)])
def test_they_drop_what_names_the_variable(statements: str, last: str) -> None:
    _check(statements, last, [DEFAULT, *OTHERS])


PARTS = """
input c: vector[Double]; input M: map[Int,Double]; input n: Int;
var N = map[ (i,x) | (i,x) <- M ];
var p = tensor(n)[ (i,7.0) | i <- 0..n-1 ]; var q = p; var r = p; var z = 0.0;
for i = 0, n-1 do {
  var t = (1.0, 5.0); STATEMENTS; p[i] = t#1; q[i] = t#2; r[i] = t#1 + t#2; LAST };
(p, q, r, z)
"""
TUPLES = {
    "t#1 = M[i]": ([1.5, 7, 7, 2.5, 7], [5, 5, 5, 5, 5], [6.5, 7, 7, 7.5, 7]),
    "t = (N[i], 2.0)": ([1.5, 7, 7, 2.5, 7], [2, 2, 2, 2, 2], [3.5, 7, 7, 4.5, 7]),
    "t = (t#2, M[i])": ([5, 5, 5, 5, 5], [1.5, 7, 7, 2.5, 7], [6.5, 7, 7, 7.5, 7]),
    "var u = t; u#1 = N[i]; t = u": ([1.5, 7, 7, 2.5, 7], [5, 5, 5, 5, 5], [6.5, 7, 7, 7.5, 7]),
    "t#1 = N[i]; t = (3.0, 4.0)": ([3, 3, 3, 3, 3], [4, 4, 4, 4, 4], [7, 7, 7, 7, 7]),
    "t#1 += M[i]": ([2.5, 1, 1, 3.5, 1], [5, 5, 5, 5, 5], [7.5, 6, 6, 8.5, 6]),
    "if (i > 2) t#1 = M[i]": ([1, 1, 1, 2.5, 7], [5, 5, 5, 5, 5], [6, 6, 6, 7.5, 7]),
    "t = if (i > 2) (M[i], 4.0) else (0.0, 3.0)": (
        [0, 0, 0, 2.5, 7],
        [3, 3, 3, 4, 7],
        [3, 3, 3, 6.5, 7],
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("last", ["", "z = 0.5*z + 1.0;"], ids=["bulk", "ordered"])
@pytest.mark.parametrize("statements", TUPLES)
def test_parts_of_tuples_count_each_for_itself(statements: str, last: str) -> None:
    trial = Trial(PARTS.replace("STATEMENTS", statements).replace("LAST", last), INPUTS)
    assert tuple(map(list, trial.expected()[:3])) == TUPLES[statements]
    outcome = trial.run([DEFAULT, *OTHERS])
    assert outcome.verdict == "same", outcome


def test_a_key_of_an_input_leaves_out_the_iteration() -> None:
    _check("d = M[i]", "", [DEFAULT])


def test_so_does_an_element_in_a_branch() -> None:
    _check("d = if (i > 2) c[i] else 4.0", "", [DEFAULT])


def test_a_key_in_a_branch_of_an_ordered_loop_is_tested() -> None:
    _check("d = if (i > 2) M[i] else 4.0", "z = 0.5*z + 1.0;", [DEFAULT])


def test_a_missing_key_of_a_variable_adds_nothing() -> None:
    _check("d += N[i]", "", [DEFAULT])
