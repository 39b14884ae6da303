"""Loops that run in order, and loops without a warning, do what a sequential language does."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
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
