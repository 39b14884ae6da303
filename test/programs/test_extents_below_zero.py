"""Arrays with an extent below zero: a fold over one that is never stored finds no elements."""

from __future__ import annotations

import numpy as np
import pytest

import diablo
from diablo.diagnostics import RunError
from fuzzing.trial import Trial, Way

INPUTS = "input x: vector[Double]; input n: Int;"
W = "var w = tensor(n)[ (i, x[i]) | i <- 0..n-1 ]; "
ROWS = "var w = tensor(n,4)[ ((i,j), x[i]*x[j]) | i <- 0..n-1, j <- 0..3 ]; "
COLUMNS = "var w = tensor(4,n)[ ((i,j), x[i]*x[j]) | i <- 0..3, j <- 0..n-1 ]; "

FOLDED = [
    W + "+/[ v | (_,v) <- w ]",
    W + "max/[ v*2.0 | (_,v) <- w ]",
    W + "for i = 0, n-1 do w[i] += 1.0; +/[ v | (_,v) <- w ]",
    W + "(w.length, count/[ v | (_,v) <- w, v > 1.0 ])",
    ROWS + "+/[ v | (_,v) <- w ]",
    ROWS + "tensor(4)[ (j, +/v) | ((i,j),v) <- w, group by j ]",
    COLUMNS + "tensor(4)[ (i, +/v) | ((i,j),v) <- w, group by i ]",
    COLUMNS + "tensor(3)[ (k, +/v) | ((i,j),v) <- w, group by k: (i+j) % 3 ]",
]
WAYS = [Way(block_sizes=(None,), compile=mode, whole=True) for mode in ("never", "always")]


@pytest.mark.parametrize("n", [-3, 0, 3])
@pytest.mark.parametrize("program", FOLDED)
def test_folds_find_no_elements(program: str, n: int) -> None:
    outcome = Trial(INPUTS + program, {"x": np.arange(1.0, 5.0), "n": n}).run(WAYS)
    assert outcome.verdict == "same", outcome


@pytest.mark.parametrize("program", FOLDED[:4])
def test_folds_find_none_in_tiles(program: str) -> None:
    trial = Trial(INPUTS + program, {"x": np.arange(1.0, 5.0), "n": -3})
    outcome = trial.run([Way(block_sizes=(None, 3), compile=mode) for mode in ("never", "always")])
    assert outcome.verdict == "same", outcome


@pytest.mark.parametrize("mode", ["never", "always"])
@pytest.mark.parametrize("program", [W + "w", W + "[ v | (_,v) <- w ]"])
def test_such_an_array_cannot_be_stored(
    program: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    compiled = diablo.compile(INPUTS + program, engine="local")
    with pytest.raises(RunError, match="elements in a dimension"):
        compiled(x=np.arange(1.0, 5.0), n=-3)


def test_the_driver_gives_no_extent_below_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    program = diablo.compile(INPUTS + FOLDED[0], engine="local")
    sums = [program(x=np.arange(1.0, 5.0), n=n) for n in (-3, 2, -1, 4)]
    assert sums == [0.0, 3.0, 0.0, 10.0]
