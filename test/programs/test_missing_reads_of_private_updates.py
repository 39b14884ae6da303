"""Updates of variables that an iteration has for itself, of elements that are not there.

A statement that reads outside of an array, or a key that a map does not have, contributes nothing:
an update leaves its variable as it is, in loops that run in bulk as in those that run in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fuzzing.trial import DEFAULT, Trial, Way

PROGRAM = """
input c: vector[Double]; input k: vector[Int]; input M: map[Int,Double]; input n: Int;
var o = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
for i = 0, n-1 do { var d = 1.0; STATEMENTS; o[i] = d; };
o
"""
INPUTS: dict[str, Any] = {
    "c": np.array([1.0, 2.0, 3.0]),
    "k": np.array([0, 7, 2, 1, -1]),
    "M": {0: 1.5, 3: 2.5},
    "n": 5,
}
WAYS = [
    DEFAULT,
    Way(compile="always"),
    Way(block_sizes=(1, 2), compile="always"),
    Way(block_sizes=(None,), compile="never", whole=True),
]
CASES = {
    "d += c[i]": [2, 3, 4, 1, 1],
    "d += c[k[i]]": [2, 1, 4, 3, 1],
    "d += c[i+1] + c[i-1]": [1, 5, 1, 1, 1],
    "d *= c[i]*2.0; d max= 2.5": [2.5, 4, 6, 2.5, 2.5],
    "d += M[i]": [2.5, 1, 1, 3.5, 1],
    "d += M[i]*c[i]": [2.5, 1, 1, 1, 1],
    "d += c[i]; d += M[i]": [3.5, 3, 4, 3.5, 1],
    "var e = 2; e += toInt(c[i]); d += toDouble(e)": [4, 5, 6, 3, 3],
    "if (i > 1) d += c[i]": [1, 1, 4, 1, 1],
    "if (c[i] > 1.5) d += 1.0": [1, 2, 2, 1, 1],
    "if (c[i] > 1.5) d += 1.0 else d += 2.0": [3, 2, 2, 1, 1],
    "for j = 0, toInt(c[i]) do d += 1.0": [3, 4, 5, 1, 1],
    "for j = 0, n-1 do if (c[i] > 1.5) d += c[j]": [1, 7, 7, 1, 1],
    "d += c[i]; if (d > 2.5) d += 1.0": [2, 4, 5, 1, 1],
    "d += if (i > 1) c[i] else 4.0": [5, 5, 4, 1, 1],
    # An assignment of what is missing leaves nothing to write.
    "d = d + c[i]": [2, 3, 4, 0, 0],
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("statements", CASES)
def test_they_leave_the_variable_as_it_is(statements: str) -> None:
    trial = Trial(PROGRAM.replace("STATEMENTS", statements), INPUTS)
    assert list(trial.expected()[0]) == CASES[statements]
    outcome = trial.run(WAYS)
    assert outcome.verdict == "same", outcome


def test_what_is_there_for_all_is_read_without_a_test() -> None:
    program = PROGRAM.replace("n-1", "c.length-1").replace("STATEMENTS", "d += c[i]")
    python = Trial(program, INPUTS | {"n": 3}).variant().python
    assert "select" not in python
    assert "np.where" not in python
