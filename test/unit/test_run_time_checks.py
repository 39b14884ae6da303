"""What can only be checked while a program runs: places, sentences, and what is let through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo

SQUARE = np.arange(9.0).reshape(3, 3)


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
            "an array cannot have -4 elements in a dimension",
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
