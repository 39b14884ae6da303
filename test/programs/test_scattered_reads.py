# Sums by computed places of what is read beyond arrays, and loops whose variables are their own.
from typing import Any

import numpy as np
import pytest

import diablo
from fuzzing.trial import Trial, Way

_ROWS = "input n: Int; var A = tensor*(n)[ (i,i*1.0+1.0) | i <- 0..n-1 ];"
_TAKEN = """
input n: Int; input y: vector[Double]; input c: vector[Double];
var g = tensor(5)[ (i,0.0) | i <- 0..4 ];
for i = 0, n-1 do g[i%5] += if (y[i] > 0.0) 1.0 else c[i];
g"""

PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "a remainder that is negative": (
        f"{_ROWS} for b = 1, 1 do for d = -2, 0 do A[2*b] += A[(d+1)%n]; A",
        {"n": 5},
    ),
    "a remainder by more than there are": (
        f"{_ROWS} input m: Int; for b = 1, 2 do for d = 0, 6 do A[b/2] += A[d%m]; A",
        {"n": 4, "m": 6},
    ),
    "a variable of each iteration that is added to": (
        "input n: Int; var o = 0; for i = 0, n-1 do { var d = 0; d += i; o += d; }; o",
        {"n": 5},
    ),
    "a loop of which nothing is read": (
        "input n: Int; var k = 0; var s = 0; while (k < n) { k += 1; s += k; }; n",
        {"n": 5},
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compile", ["always", "never"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_interpreted(name: str, compile: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", compile)
    text, inputs = PROGRAMS[name]
    outcome = Trial(text, inputs).run([Way(block_sizes=(None, 2))])
    assert str(outcome).startswith("same"), outcome


def test_later_calls_may_have_shorter_arrays():
    program = diablo.compile(_TAKEN)
    y = np.array([1.0, -1, 2, -2, 3, -3])
    assert list(program(n=6, y=y, c=np.arange(6.0))) == [6, 1, 1, 3, 1]
    assert list(program(n=6, y=y, c=np.arange(4.0))) == [1, 1, 1, 3, 1]
    assert list(program(n=6, y=y, c=np.arange(0.0))) == [1, 0, 1, 0, 1]
