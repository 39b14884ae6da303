"""Programs on sparse arrays under every layout, on both engines, against the chosen ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from test_example_programs import CASES

import diablo

EXAMPLES = Path(__file__).parents[2] / "examples"

LAYOUTS = [
    "form = auto, orders = [[0, 1], [1, 0]], directory = array",
    "form = compressed, orders = [[1, 0]]",
    "form = compressed, orders = [[1, 0], [0, 1]], directory = hash, width = 64",
    "form = hypersparse, orders = [[1, 0], [0, 1]], directory = hash",
    "form = coordinates, directory = array",
    "form = band",
    "form = bitmap, orders = [[0, 1], [1, 0]]",
    "form = full, width = 32",
]
BLOCK_SIZES = [None, 3]


def matrix(rows: int, columns: int, seed: int = 0) -> sparse.csr_array:
    found = sparse.random(rows, columns, 0.25, random_state=np.random.RandomState(seed))
    return sparse.csr_array(found)


SPARSE_EXAMPLES = ["pagerank", "sparse_tensor"]

PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "both orders": (
        """
        input A: matrix[Double];
        var n = A.rows;
        var x = tensor*(n)[ (i,1.0+i) | i <- 0..n-1 ];
        var y = tensor*(n)[ (i,+/v) | ((i,j),a) <- A, (jj,b) <- x, jj == j, let v = a*b,
                                      group by i ];
        tensor*(n)[ (j,+/v) | ((i,j),a) <- A, (ii,b) <- y, ii == i, let v = a*b, group by j ]
        """,
        {"A": matrix(10, 10)},
    ),
    "a column and an element": (
        """
        input A: matrix[Double];
        var n = A.rows;
        var s = +/[ a | ((i,j),a) <- A, j == 3 ];
        s + A[2,4] + A[n-1,0]
        """,
        {"A": matrix(10, 10)},
    ),
    "a sum and a product": (
        """
        input A: matrix[Double];
        input B: matrix[Double];
        var n = A.rows;
        var S = tensor*(n)(n)[ ((i,j),a+b) | ((i,j),a) <= A, ((ii,jj),b) <= B, ii == i, jj == j ];
        var P = tensor*(n)(n)[ ((i,j),a*b) | ((i,j),a) <- A, ((ii,jj),b) <- B, ii == i, jj == j ];
        (S,P)
        """,
        {"A": matrix(10, 10), "B": matrix(10, 10, 1)},
    ),
    "a product of matrices": (
        """
        input A: matrix[Double];
        input B: matrix[Double];
        A@B
        """,
        {"A": matrix(10, 8), "B": matrix(8, 10, 1)},
    ),
    "a transposed copy": (
        """
        input A: matrix[Double];
        var n = A.rows;
        var T = tensor*(n)(n)[ ((j,i),2.0*a) | ((i,j),a) <- A ];
        T
        """,
        {"A": matrix(10, 10)},
    ),
    "an update in a loop": (
        """
        input A0: matrix[Double];
        var A = A0;
        var n = A.rows;
        var k = 0;
        while (k < 3) {
            k += 1;
            for i = 0, n-1 do
                for j = 0, n-1 do
                    if (j > i) A[i,j] += A0[j,i];
        };
        A
        """,
        {"A0": matrix(10, 10)},
    ),
    "a band": (
        """
        input n: Int;
        var T = tensor*(n)(n)[ ((i,j),1.0+i) | i <- 0..n-1, j <- 0..n-1, abs(i - j) < 2 ];
        var x = tensor*(n)[ (i,1.0) | i <- 0..n-1 ];
        tensor*(n)[ (j,+/v) | ((i,j),t) <- T, (ii,b) <- x, ii == i, let v = t*b, group by j ]
        """,
        {"n": 10},
    ),
    "a sparse vector": (
        """
        input A: matrix[Double];
        var n = A.rows;
        var v = tensor*()(n)[ (i,2.0) | i <- 0..n-1, i % 3 == 0 ];
        tensor*(n)[ (i,+/p) | ((i,j),a) <- A, (jj,b) <- v, jj == j, let p = a*b, group by i ]
        """,
        {"A": matrix(10, 10)},
    ),
    "a Boolean matrix": (
        """
        input A: matrix[Double];
        var n = A.rows;
        var R = tensor*(n)(n)[ ((i,j),true) | ((i,j),a) <- A, a > 0.5 ];
        tensor*(n)[ (j,i.length) | ((i,j),r) <- R, group by j ]
        """,
        {"A": matrix(10, 10)},
    ),
}


def parts(value: Any) -> list[np.ndarray]:
    values = value if isinstance(value, tuple) else (value,)
    return [v.to_numpy() if hasattr(v, "to_numpy") else np.asarray(v) for v in values]


@cache
def program(name: str) -> tuple[str, dict[str, Any]]:
    """The source and the inputs of a program above, or of an example."""
    return PROGRAMS.get(name) or (str(EXAMPLES / f"{name}.diablo"), CASES[name][0])


@cache
def expected(name: str) -> list[np.ndarray]:
    """The result with the layouts that are chosen."""
    source, inputs = program(name)
    return parts(diablo.compile(source)(**inputs))


@pytest.mark.sampled(36)
@pytest.mark.parametrize("block_size", BLOCK_SIZES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*PROGRAMS, *SPARSE_EXAMPLES])
def test_layouts_change_no_result(name: str, layout: str, block_size: int | None):
    source, inputs = program(name)
    found = parts(diablo.compile(source, block_size=block_size, layout=layout)(**inputs))
    for one, other in zip(found, expected(name), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.sampled(4)
@pytest.mark.spark
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_change_no_result_on_spark(layout: str):
    """Tiles of each form are sent to workers, and between them."""
    for name in ("both orders", "a sum and a product"):
        source, inputs = program(name)
        on_spark = diablo.compile(
            source, engine="spark", master="local[2]", block_size=4, layout=layout
        )
        for one, other in zip(parts(on_spark(**inputs)), expected(name), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)


def test_layouts_reach_the_tiles():
    """The test would show nothing if the layouts got lost on the way."""
    source, inputs = program("both orders")
    for block_size in BLOCK_SIZES:
        compiled = diablo.compile(source, block_size=block_size, layout="form = coordinates")
        compiled(**inputs)
        assert '"form = coordinates"' in compiled.ir("pyspark")
