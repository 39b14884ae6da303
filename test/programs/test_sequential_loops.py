"""Loops that run in order, and loops without a warning, do what a sequential language does."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse
from sequential_loops import M, N, Nests, Piece

import diablo
from diablo.diagnostics import CompileError, Diagnostic, RunError, listening
from diablo.frontend.importer import import_program
from diablo.passes.check_parallel import CheckParallelPass
from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.interpreter import interpret
from diablo.passes.order_loops import OrderLoopsPass
from diablo.registry import new_context

INPUTS = (
    "input n: Int; input m: Int; input V0: vector[Double]; input W0: vector[Double];"
    " input A0: matrix[Double];"
)
VARIABLES = "var V = V0; var W = W0; var A = A0; var s = 0.25; var t = 0.75;"


def given() -> dict[str, Any]:
    """The inputs of the programs."""
    data = np.random.default_rng(7)
    return {"n": N, "m": M, "V0": data.random(5), "W0": data.random(5), "A0": data.random((5, 5))}


def sequential(nest: Piece) -> list[npt.NDArray[np.float64]]:
    """Return what the variables hold after the nest has run one iteration after the other."""
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


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(20))
def test_without_a_warning_a_nest_does_what_a_sequential_run_does(seed: int) -> None:
    right = [check(Nests(10 * seed + k).nest(), compiled=k == 0) for k in range(10)]
    assert sum(right) > 1


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
    "a loop of its own that reads what is written": (
        "var W = V; for i = 1, 2 do { var u = 1.0; for k = 0, i-1 do u = W[k] - 0.5*u; W[i] = u; };"
        " (W[0], W[1], W[2])",
        [1.0, 0.5, 0.25],
    ),
    "a while that reads elements": (
        "var W = V; for i = 0, 2 do { var j = i; while (j < 2 && W[j] > 0.5) j += 1; W[i] = j; };"
        " (W[0], W[1], W[2])",
        [2.0, 2.0, 2.0],
    ),
    "insertion": (
        "var W = tensor(4)[ (i,1.0*((5*i+3)%4)) | i <- 0..3 ]; for i = 1, 3 do { var j = i;"
        " while (j > 0 && W[j-1] > W[j]) { var q = W[j]; W[j] = W[j-1]; W[j-1] = q; j -= 1; }; };"
        " (W[0], W[1], W[2], W[3])",
        [0.0, 1.0, 2.0, 3.0],
    ),
    "a way of its own for each iteration": (
        "var W = V; for i = 0, 2 do for k = 0, 2, i+1 do W[i] = 0.5*W[i] + k; (W[0], W[1], W[2])",
        [2.625, 2.5, 1.5],
    ),
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("block_size", [None, 2])
def test_steps_follow_each_other(name: str, block_size: int | None) -> None:
    text, expected = STEPS[name]
    program = diablo.compile(
        f"input n: Int; input V: vector[Double]; {text}", block_size=block_size
    )
    found = program(n=3, V=np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(np.ravel(np.asarray(found, dtype=float)), expected)


ROWS: dict[str, tuple[str, Any]] = {
    "a list": (
        'var x = 0.0; var last = ""; for p in L do { x = 0.5*x + p.age; last = p.name; }; (x,last)',
        (4.0, "a"),
    ),
    "a map": (
        'var x = 0.0; var last = ""; for (k,v) in m do { x = 0.5*x + v; last = k; }; (x,last)',
        (3.0, "z"),
    ),
    "a sparse matrix": (
        "var x = 0.0; var at = (0,0); for ((i,j),a) in S do { x = 0.5*x + a; at = (i,j); }; (x,at)",
        (5.75, (2, 0)),
    ),
    "the indices of a sparse matrix": (
        "var x = 0; for ((i,j),a) in S do x = 10*x + 3*i + j; x",
        256,
    ),
    "a sparse region": (
        "region R = (0..2, 0..2) where (i,j) => i + j == 2; var x = 0;"
        " for (i,j) in R do x = 10*x + 3*i + j; x",
        246,
    ),
    "an array over a sparse region": (
        "region R = (0..2, 0..2) where (i,j) => i + j == 2; var B: matrix[Int] over R fill 1 = 7;"
        " var x = 0; for ((i,j),b) in B do x = 10*x + 3*i + j; x",
        246,
    ),
    "rows that index nothing": (
        "var V = tensor(3)[ (i,1.0) | i <- 0..2 ];"
        " for p in L do for i = 0, 2 do V[i] = 0.5*V[i] + p.age*i; (V[0], V[1], V[2])",
        (0.125, 4.125, 8.125),
    ),
    "a group, by its values": (
        "var x = 0; for (k,n) in [ (p.name, p.age) | p <- L ] do x = 10*x + n;"
        " for (k,n) in [ (k, +/a) | p <- L, let k = p.name, let a = p.age, group by k ] do"
        " x = 10*x + n; x",
        422242,
    ),
    "lists in a list": (
        "var x = 0; for (k,ns) in [ (k,a) | p <- L, let k = p.name, let a = p.age, group by k ] do"
        " for n in ns do x = 10*x + n; x",
        242,
    ),
    "a list that grows as it is gone through": (
        "var M = [ p.age | p <- L ]; var x = 0;"
        " for a in M do { M = [ b + 1 | b <- M ]; x = 10*x + a + +/M; }; x",
        (4 + 11) * 100 + (2 + 14) * 10 + (2 + 17),
    ),
    "in every iteration": (
        "var V = tensor(2)[ (i,0.0) | i <- 0..1 ];"
        " for i = 0, 1 do { var u = 1.0*i; for p in L do u = 0.5*u + p.age; V[i] = u; };"
        " (V[0], V[1])",
        (4.0, 4.125),
    ),
    "no rows": ("var x = 7; for a in [ p.age | p <- L, p.age > 100 ] do x = a; x", 7),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("block_size", [None, 2])
def test_rows_follow_each_other(name: str, block_size: int | None) -> None:
    text, expected = ROWS[name]
    text = (
        "input L: list[<name: String, age: Int>]; input m: map[String,Double];"
        f" input S: matrix[Double]; {text}"
    )
    given = {
        "L": [("b", 4), ("c", 2), ("a", 2)],
        "m": {"z": 1.0, "b": 2.0, "aa": 4.0},
        "S": sparse.coo_array(([4.0, 3.0, 2.0], ([2, 0, 1], [0, 2, 2])), shape=(3, 3)).tocsr(),
    }
    assert diablo.compile(text, block_size=block_size)(**given) == expected
    if "S " not in text:
        value = interpret(import_program(text, "rows.diablo"), given)
        assert (tuple(value) if len(value) > 1 else value[0]) == expected


@pytest.mark.parametrize("block_size", [None, 2])
def test_rows_that_are_a_result_as_well(block_size: int | None) -> None:
    text = (
        "input L: list[Int]; var M = [ 2*a | a <- L ]; var x = 0; for a in M do x = 9*x + a; (M,x)"
    )
    assert diablo.compile(text, block_size=block_size)(L=[3, 1]) == ([6, 2], 56)


def test_rows_that_differ_in_nothing_that_has_an_order() -> None:
    text = (
        "input L: list[(Int,Int)]; var x = 0;"
        " for (k,vs) in [ (k%2,v) | (k,v) <- L, group by k ] do for v in vs do x = 2*x - v; x"
    )
    with pytest.raises(RunError, match="two rows of the list differ in nothing"):
        diablo.compile(text)(L=[(1, 2), (3, 4)])
    text = text.replace("(k,vs)", "vs").replace("(k%2,v) |", "v |")
    with pytest.raises(CompileError, match="the rows of this list have no order"):
        diablo.compile(text)(L=[(1, 2), (3, 4)])
