"""What can only be checked while a program runs: places, sentences, and what is let through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo

SQUARE = np.arange(9.0).reshape(3, 3)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block_size", [None, 2])
@pytest.mark.parametrize(
    ("source", "inputs", "message"),
    [
        (
            "input A: matrix[Double]; input B: matrix[Double]; A + B;",
            {"A": np.ones((2, 3)), "B": np.ones((2, 4))},
            "<program>:1:51: the arrays have different shapes",
        ),
        (
            "input A: matrix[Double]; input B: matrix[Double]; A @ B;",
            {"A": np.ones((2, 3)), "B": np.ones((2, 4))},
            "<program>:1:51: the columns on the left of `@` are not as many as the rows on its"
            " right",
        ),
        (
            "input A: matrix[Double]; A[1,7];",
            {"A": SQUARE},
            "<program>:1:26: the index [1, 7] lies outside the dimensions 3 x 3",
        ),
        (
            "var V = tensor(3)[ (i,i) | i <- 0..2 ]; V[0-1];",
            {},
            "<program>:1:41: the index [-1] lies outside the dimensions 3",
        ),
        (
            "input n: Int; tensor*(n)[ (i,i) | i <- 0..2 ];",
            {"n": -4},
            "<program>:1:1: an array cannot have -4 elements in a dimension",
        ),
        (
            "input m: Int; input A: matrix[Double];"
            " tensor(m)[ (k,+/a) | ((i,j),a) <- A, group by k: i % m ];",
            {"m": 0, "A": SQUARE},
            "<program>:1:89: integer division by zero",
        ),
        (  # A condition behind the division leaves out the row, by which time it has failed.
            "input m: Int; input L: list[Int]; [ x | x <- L, (m / x) != 1, x != 0 ];",
            {"m": 3, "L": [1, 0]},
            "<program>:1:50: integer division by zero",
        ),
        (
            "input m: Int; input L: list[Int]; input V: vector[Int];"
            " [ x | x <- L, (m / x) != 1, V[x+1] == 7 ];",
            {"m": 3, "L": [1, 0], "V": [0, 0, 7]},
            "<program>:1:72: integer division by zero",
        ),
        (
            "input m: Int; input L: list[Int]; input K: list[(Int,Int)];"
            " [ y | x <- L, (m / x) != 1, (k,y) <- K, k == x ];",
            {"m": 3, "L": [1, 0], "K": [(1, 5)]},
            "<program>:1:76: integer division by zero",
        ),
        (
            "input m: Int; input L: list[Int];"
            " [ (x, +/[ k | k <- 0..5, (m / k) != 1, k == x+1 ]) | x <- L ];",
            {"m": 3, "L": [1]},
            "<program>:1:61: integer division by zero",
        ),
        (
            "input m: Int; input L: list[Int]; [ x+j | x <- L, j <- 0..m/x, x != 0 ];",
            {"m": 3, "L": [1, 0]},
            "<program>:1:59: integer division by zero",
        ),
    ],
)
def test_failure(source: str, inputs: dict[str, Any], message: str, block_size: int | None) -> None:
    with pytest.raises(diablo.RunError) as failure:
        diablo.compile(source, block_size=block_size)(**inputs)
    assert str(failure.value).splitlines()[0].replace("error: ", "", 1) == message


def test_a_failure_shows_its_line() -> None:
    with pytest.raises(diablo.RunError) as failure:
        diablo.compile("input n: Int;\nvar m = 2*(7/n);\nm;")(n=0)
    assert str(failure.value) == (
        "<program>:2:12: error: integer division by zero\n  var m = 2*(7/n);\n             ^"
    )


@pytest.mark.filterwarnings("error")
def test_floats_warn_of_nothing() -> None:
    source = "input x: Double; input V: vector[Double]; (sqrt(x), (+/[ v | (i,v) <- V ])/V.length);"
    assert np.isnan(diablo.compile(source)(x=-1.0, V=[])).all()


@pytest.mark.parametrize("block_size", [None, 1, 2])
def test_elements(block_size: int | None) -> None:
    source = """
        input A: matrix[Double]; input S: matrix[Double];
        var V = tensor(3)[ (i,2*i) | i <- 0..2 ];
        (A[2,1], S[2,1], S[0,1], V[2]);
    """
    pattern = sparse.csr_array(np.where(SQUARE % 2 == 1, SQUARE, 0.0))
    program = diablo.compile(source, block_size=block_size)
    assert program(A=SQUARE, S=pattern) == (7.0, 7.0, 1.0, 4)


ARRAYS = """input n: Int;
var w = tensor(n)[ (i,1.0) | i <- 0..n-1 ];
var M = tensor*(n,n)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..n-1 ];
var P = tensor(n)[ (i,(1.0,i)) | i <- 0..n-1 ];
var S = tensor()(n)[ (i,1.0) | i <- 0..n-1, i > 1 ];
"""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block_size", [None, 2])
@pytest.mark.parametrize(
    "statement",
    [
        "w[10] = 1.0;",
        "w[10] += 1.0;",
        "w[n-4] = 1.0;",
        "M[5,0] = 1.0;",
        "M[0,n] max= 1.0;",
        "P[9]._1 = 2.0;",
        "P[-1] = (1.0,2);",
        "S[3] = 2.0;",
        "if (n > 1) w[n] = 1.0;",
    ],
)
def test_a_store_by_itself_outside_of_its_array_fails(statement, block_size):
    program = diablo.compile(f"{ARRAYS}{statement}\n(w,M,P,S);", block_size=block_size)
    with pytest.raises(diablo.RunError, match=r"<program>:6:\d+: error: this element is outside"):
        program(n=3)


@pytest.mark.parametrize(
    "statement",
    [
        "w[n-1] = 5.0;",
        "for i = 0, 5 do w[i] += 0.0; w[2] = 5.0;",
        "var k = 0; while (k < 9) { w[k] = 5.0; k += 1; } w[0] = 1.0; w[1] = 1.0;",
        "if (n > 9) w[n] = 1.0; w[2] = 5.0;",
    ],
)
def test_a_store_in_a_loop_or_where_nothing_runs_is_dropped(statement):
    assert list(diablo.compile(f"{ARRAYS}{statement}\nw;")(n=3)) == [1, 1, 5]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block_size", [None, 2])
def test_groups_of_less_than_no_elements(block_size: int | None):
    source = """input m: Int; input V: vector[Double];
tensor*(m)[ (k,+/v) | (i,v) <- V, group by k: i % m ]"""
    program = diablo.compile(source, block_size=block_size)
    for m, message in [(7, ""), (8, ""), (-4, "2:1: an array cannot have"), (0, "2:")]:
        if not message:
            assert np.asarray(program(m=m, V=SQUARE[0])).sum() == 3
            continue
        with pytest.raises(diablo.RunError) as failure:
            program(m=m, V=SQUARE[0])
        assert str(failure.value).replace("error: ", "").startswith(f"<program>:{message}")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block_size", [None, 2])
@pytest.mark.parametrize(("m", "k", "line"), [(-3, 2, 2), (2, -3, 3), (-3, -3, 2)])
def test_the_array_that_is_refused_is_named(m: int, k: int, line: int, block_size: int | None):
    source = """input m: Int; input k: Int; input V: vector[Double];
var A = tensor*(m)[ (i,v) | (i,v) <- V ];
var B = tensor*(k)[ (i,v) | (i,v) <- V ];
(A, B)"""
    program = diablo.compile(source, block_size=block_size)
    with pytest.raises(diablo.RunError, match="cannot have -3 elements") as failure:
        program(m=m, k=k, V=SQUARE[0])
    assert str(failure.value).startswith(f"<program>:{line}:1: ")
