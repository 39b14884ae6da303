"""A new built-in reduction is one row of the table, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import CompileError
from diablo.frontend.parsing.builtin_reductions import REDUCTIONS, BuiltinReduction
from fuzzing.comparison import difference, plain
from fuzzing.trial import DEFAULT, Trial, Way

ROWS = {
    "extent": BuiltinReduction((("max", "x"), ("min", "x")), "a - b"),
    "norm": BuiltinReduction((("+", "1.0*x*x"),), "sqrt(a)"),
    # What `argmax` would be if the table did not have it.
    "argmax": BuiltinReduction(((">", "(x._2, x._1)"),), "a._2", keyed=True),
}
V = np.array([3.0, -9.0, 0.5, 4.0, 4.0])
S = np.array([[0, 9.0, 0], [0, 0, -2.0]])
INPUTS = "input V: vector[Double]; input S: matrix[Double]; input L: list[(String,Int)];"
PROGRAM = """
(extent(V), norm(S), argmax(V), argmax(S), argmax/L, norm/[ v + i | (i,v) <- V, v > 0.0 ],
 [ (k, extent/v, norm/v, argmax/r) | (i,v) <- V, let r = (i,v), group by k: i % 2 ])
"""


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, row in ROWS.items():
        monkeypatch.setitem(REDUCTIONS, name, row)


def values() -> dict[str, Any]:
    return {"V": V, "S": sparse.csr_array(S), "L": [("b", 4), ("a", 4), ("c", 1)]}


@pytest.mark.parametrize("name", ROWS)
def test_without_its_row_there_is_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(REDUCTIONS, name)
    with pytest.raises(CompileError, match=f"there is no function `{name}`"):
        diablo.compile(f"input V: vector[Double]; {name}(V)")


def test_it_is_checked() -> None:
    for text, message in {
        "norm(V, V)": "`norm` takes 1 argument, not 2",
        "norm/L": "`norm` combines numbers, not (String,Int)",
        "argmax/[ v | (i,v) <- V ]": "compares pairs of a key and a number or string, not Double",
    }.items():
        with pytest.raises(CompileError) as caught:
            diablo.compile(INPUTS + text)
        assert message in str(caught.value)


def test_it_is_what_numpy_computes() -> None:
    found = diablo.compile(INPUTS + PROGRAM)(**values())
    positive = (V + np.arange(5))[V > 0]
    assert found[:5] == (13.0, np.linalg.norm(S), 3, (0, 1), "a")
    assert found[5] == pytest.approx(np.linalg.norm(positive))
    assert [row[3] for row in sorted(found[6])] == [4, 3]


def test_it_runs_as_the_interpreter_says() -> None:
    outcome = Trial(INPUTS + PROGRAM, values()).run(
        [DEFAULT, Way(compile="always"), Way(compile="never")]
    )
    assert outcome.verdict == "same", outcome


@pytest.mark.spark
def test_it_runs_on_spark() -> None:
    expected = Trial(INPUTS + PROGRAM, values()).expected()
    run = diablo.compile(INPUTS + PROGRAM, engine="spark", master="local[2]", block_size=2)
    assert difference(plain((run(**values()),)), expected) is None
