"""`vector()` and `matrix()` take the extents of what is first assigned or written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo

V, M = np.arange(1.0, 6.0), np.arange(6.0).reshape(2, 3)
VECTOR = "input V: vector[Double]; var W: vector[Double] = vector();"
MATRIX = "input M: matrix[Double]; var A: matrix[Double] = matrix();"
PROGRAMS: dict[str, tuple[str, Any]] = {
    "all of it": (f"{VECTOR} W = V; W", V),
    "in a loop": (f"{VECTOR} for i = 0, V.length-1 do W[i] = 2*V[i]; W", 2 * V),
    "sums": (f"{VECTOR} for (i,v) in V do W[i/2] += v; W", [3.0, 7.0, 5.0]),
    "backwards": (f"{VECTOR} for i = 4, 1, -2 do W[i] = V[i]; W", [0, 0, 3.0, 0, 5.0]),
    "a variable of the iteration": (
        f"{VECTOR} for i = 0, 1 do {{ var j = 2*i+1; W[j] = V[i]; }}; W",
        [0, 1.0, 0, 2.0],
    ),
    "in a while": (
        f"{VECTOR} var k = 0; while (k < 3) {{ for (i,v) in V do W[i] += v; k += 1; }}; W",
        3 * V,
    ),
    "an element": (f"{VECTOR} W[2] = 1.5; W[0] = V[0]; W", [1.0, 0, 1.5]),
    "nothing": (f"{VECTOR} W.length", 0),
    "a matrix": (
        f"{MATRIX} for i = 0, M.rows-1 do for j = 0, M.cols-1 do A[j,i] = M[i,j]; A",
        M.T,
    ),
    "a matrix under a test": (
        f"{MATRIX} for ((i,j),m) in M do if (m < 4.0) A[j,i+1] = m; A",
        [[0, 0, 3.0], [0, 1.0, 0], [0, 2.0, 0]],
    ),
    "of two statements": (
        f"{MATRIX} for i = 0, 1 do {{ A[i,0] = 1.0; A[0,2*i] = 2.0; }}; A",
        [[2.0, 0, 2.0], [1.0, 0, 0]],
    ),
    "what comes later lies inside": (
        f"{MATRIX} for i = 0, 1 do A[i,i] = 1.0; for i = 0, 2 do A[i,0] += 2.0; A",
        [[3.0, 0], [2.0, 1.0]],
    ),
    "a product": (f"{MATRIX} A = M @ M.t; A", M @ M.T),
    "given sizes": ("var A: matrix[Int] = matrix(2,3); A[1,2] = 5; A", [[0, 0, 0], [0, 0, 5]]),
    "three dimensions": ("var A: array3[Int] = array3(); A[0,1,0] = 5; A", [[[0], [5]]]),
    "tuples": (
        "var A: vector[(Int,Double)] = vector(); for i = 0, 1 do A[i]#1 = i; A[1]#2 = 0.5; A",
        np.array([(0, 0.0), (1, 0.5)], object),
    ),
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block_size", [None, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_sizes(name: str, block_size: int | None) -> None:
    text, expected = PROGRAMS[name]
    given = {key: value for key, value in (("V", V), ("M", M)) if f"input {key}" in text}
    found = diablo.compile(text, block_size=block_size)(**given)
    if name == "tuples":
        assert found.to_numpy().tolist() == [(0, 0.0), (1, 0.5)]
    else:
        np.testing.assert_array_equal(np.asarray(found), expected)


def test_sizes_that_a_while_changes() -> None:
    text = "var W: vector[Int] = vector(); var k = 0; while (k < 3) { W[k] = k; k += 1; }; W"
    with pytest.raises(diablo.CompileError, match="extents of this array are not known"):
        diablo.compile(text)
    sized = text.replace("vector()", "vector(3)")
    np.testing.assert_array_equal(np.asarray(diablo.compile(sized)()), [0, 1, 2])


def test_a_function_of_the_program_has_its_own_name() -> None:
    text = "def vector(x: Int): Int = x+1; var W: Int = vector(2); W"
    assert diablo.compile(text)() == 3


def test_a_negative_extent_has_its_place() -> None:
    text = "input n: Int;\nvar x = 1;\nvar A = tensor*(n)[ (i,1.0) | i <- 0..4 ]; A"
    for block_size in (None, 7):
        with pytest.raises(diablo.RunError, match=r"(?s)<program>:3:1: .*cannot have .*tensor\*"):
            diablo.compile(text, block_size=block_size)(n=-3)
