"""Loops that run in order, and loops without a warning, do what a sequential language does."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse
from sequential_loops import Nests, Piece

import diablo
from diablo.diagnostics import CompileError, Diagnostic, listening
from diablo.frontend.importer import import_program
from diablo.passes.check_parallel import CheckParallelPass
from diablo.passes.interpreter.interpreter import interpret
from diablo.passes.interpreter.values import Array
from diablo.passes.order_loops import OrderLoopsPass
from diablo.tools.registry import new_context

INPUTS = (
    "input n: Int; input V0: vector[Double]; input W0: vector[Double]; input A0: matrix[Double];"
)
VARIABLES = "var V = V0; var W = W0; var A = A0; var s = 0.25; var t = 0.75;"


def given() -> dict[str, Any]:
    """The inputs of the programs."""
    data = np.random.default_rng(7)
    return {"n": 5, "V0": data.random(5), "W0": data.random(5), "A0": data.random((5, 5))}


def sequential(nest: Piece) -> list[npt.NDArray[np.float64]]:
    """What the variables hold after the nest has run one iteration after the other."""
    inputs = given()
    state = {"V": inputs["V0"], "W": inputs["W0"], "A": inputs["A0"], "s": [0.25], "t": [0.75]}
    nest.run(state)
    return [np.asarray(state[name]).squeeze() for name in "VWAst"]


def check(nest: Piece, *, compiled: bool) -> bool:
    """Compare a nest with a sequential run, unless there is a warning; whether there is none."""
    text = f"{INPUTS}\n{VARIABLES}\n{nest.text}\n(V,W,A,s,t)"
    expected = sequential(nest)
    found: list[Diagnostic] = []
    module = import_program(text, "nest.diablo")
    with listening(found.append):
        OrderLoopsPass().apply(new_context(), module)
        CheckParallelPass().apply(new_context(), module)
    right = not any(diagnostic.severity == "warning" for diagnostic in found)
    if right:
        for result, wanted in zip(interpret(module, given()), expected, strict=True):
            array = result.to_numpy() if isinstance(result, Array) else result
            np.testing.assert_allclose(np.asarray(array), wanted, rtol=1e-9, err_msg=text)
    if right and compiled:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results = diablo.compile(text)(**given())
        except CompileError as error:
            assert "not supported" in str(error), text  # noqa: PT017
            return right
        for result, wanted in zip(results, expected, strict=True):
            np.testing.assert_allclose(np.asarray(result), wanted, rtol=1e-9, err_msg=text)
    return right


@pytest.mark.parametrize("seed", range(20))
def test_without_a_warning_a_nest_does_what_a_sequential_run_does(seed: int) -> None:
    right = [check(Nests(20 * seed + k).nest(), compiled=k == 0) for k in range(20)]
    assert sum(right) > 5


STEPS: dict[str, tuple[str, list[float]]] = {
    "whole variables": (
        "var x = 1.0; for k = 1, 4 do { x = x*k; if (k % 2 == 0) x = x - 1.0; }; x",
        [11.0],
    ),
    "the elements of an array": (
        "var x = 0.0; for (i,v) in V do { x = 0.5*x + v; }; x",
        [0.5 * (0.5 * 1.0 + 2.0) + 3.0],
    ),
    "the elements of a matrix": (
        "var x = 0.0; for ((i,j),a) in tensor(2,2)[ ((i,j), 1.0*i+2*j) | i <- 0..1, j <- 0..1 ] do "
        "x = 10.0*x + a; x",
        [213.0],
    ),
    "a while": (
        "var W = V; var c = 0; for i = 0, 2 do while (W[i] > 1.0) { W[i] = W[i] - 1.0; c += 1; }; "
        "(W[0], W[1], W[2], c)",
        [1.0, 1.0, 1.0, 3.0],
    ),
    "reads that are not there": (
        "var x = 0.0; var y = 0.0; for k = 0, 5 do { var v = V[k]; x = x + v; y = k; }; (x, y)",
        [6.0, 5.0],
    ),
    "no iterations": ("var x = 7.0; for k = 3, 2 do x = 1.0*k; x", [7.0]),
    "computed steps": (
        "var x = 0.0; for k = n, 0, 0-n do x = 10.0*x + k; for k = 0, n, n do x = 10.0*x + k; x",
        [3003.0],
    ),
    "a loop of its own for each iteration": (
        "var W = V; for i = 0, 2 do { var u = 1.0; for k = 0, i do u = V[k] - 0.5*u; W[i] = u; }; "
        "(W[0], W[1], W[2])",
        [0.5, 1.75, 2.125],
    ),
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("block_size", [None, 2])
def test_steps_follow_each_other(name: str, block_size: int | None) -> None:
    text, expected = STEPS[name]
    program = diablo.compile(
        f"input n: Int; input V: vector[Double]; {text}", block_size=block_size
    )
    found = program(n=3, V=np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(np.ravel(np.asarray(found, dtype=float)), expected)


def test_what_a_sparse_array_stores_has_no_order() -> None:
    text = "input M: matrix[Double]; var x = 0.0; for ((i,j),m) in M do x = 0.5*x + m; x"
    with pytest.raises(CompileError, match="going in order through what a sparse array stores"):
        diablo.compile(text)(M=sparse.csr_array(np.eye(3)))
