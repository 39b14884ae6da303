"""A new monoid is one row of the table, and nothing else."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import CompileError
from diablo.monoid_table import MONOIDS, BuiltinMonoid
from fuzzing.trial import DEFAULT, Trial, Way

XOR = BuiltinMonoid("xor", "xor", 0, operator.xor, {"integer": "xori"}, "bitwise_xor")
S = np.array([[0, 9, 0, 0], [0, 0, 12, 0], [7, 5, 0, 0]])
V = np.array([3, 9, 0, 12, 7, 5, 3])
INPUTS = "input S: matrix[Int]; input V: vector[Int]; input n: Int;"


@pytest.fixture(autouse=True)
def row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MONOIDS, "xor", XOR)


def run(text: str, **options: Any) -> Any:
    return diablo.compile(INPUTS + text, **options)(S=sparse.csr_array(S), V=V, n=4)


def test_it_is_checked() -> None:
    for text, message in {
        "xor/[ 1.0 | i <- 1..2 ]": "`xor` combines Ints, not Double",
        "xor/[ true | i <- 1..2 ]": "`xor` combines numbers, not Boolean",
        "monoid xor(Int) = (0, (x,y) => x + y); 1": "the monoid `xor` is declared twice",
    }.items():
        with pytest.raises(CompileError) as caught:
            diablo.compile(text)
        assert message in str(caught.value)


PROGRAM = """
var total = 0;
for (i,v) in V do total xor= v;
var T = tensor*(n)[ (i,0) | i <- 0..n-1 ];
for (i,v) in V do T[v % n] xor= v;
var none = xor/[ v | (i,v) <- V, v > 100 ];
(total, T, none, xor/[ s | ((i,j),s) <- S ],
 tensor*(3)[ (i, xor/s) | ((i,j),s) <- S, group by i ],
 tensor*(4)[ (j, xor/[ s | ((i,jj),s) <- S, jj == j ]) | j <- 0..3 ],
 [ (k, xor/v) | (i,v) <- V, group by k: v % n ])
"""


def test_it_runs_as_the_interpreter_says() -> None:
    inputs = {"S": sparse.csr_array(S), "V": V, "n": 4}
    ways = [DEFAULT, Way(compile="always"), Way(compile="never")]
    outcome = Trial(INPUTS + PROGRAM, inputs).run(ways)
    assert outcome.verdict == "same", outcome


def test_it_scans_without_a_loop_of_its_own() -> None:
    text = "tensor*(n)[ (i, xor/[ v | (j,v) <- V, j <= i ]) | i <- 0..n-1 ]"
    program = diablo.compile(INPUTS + text)
    got = program(S=sparse.csr_array(S), V=V, n=len(V))
    assert "scan" in program.ir("pyspark")
    np.testing.assert_array_equal(got, np.bitwise_xor.accumulate(V))


def test_it_is_what_numpy_computes() -> None:
    total, table, none, entries, rows, columns, groups = run(PROGRAM)
    assert (total, none, entries) == (np.bitwise_xor.reduce(V), 0, np.bitwise_xor.reduce(S, None))
    expected = [np.bitwise_xor.reduce(V[k == V % 4]) for k in range(4)]
    np.testing.assert_array_equal(table, expected)
    np.testing.assert_array_equal(rows, np.bitwise_xor.reduce(S, 1))
    np.testing.assert_array_equal(columns, np.bitwise_xor.reduce(S, 0))
    assert sorted(groups) == [(k, x) for k, x in enumerate(expected) if (k == V % 4).any()]
