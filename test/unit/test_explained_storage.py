"""What `explain()` says of storage after a call: what the arrays really held."""

import numpy as np
import scipy.sparse as sparse

import diablo
from diablo.runtime.arrays.holdings import Holding, Watched, holding
from diablo.runtime.arrays.sparse_tile import SparseTile

BOTH = """
input A: matrix[Double];
input B: matrix[Double];
var n = A.rows;
var C = tensor(n)(n)[ ((i,j), a+b) | ((i,j),a) <- A, ((k,l),b) <- B, i == k, j == l ];
var s = +/[ c | ((i,j),c) <- C, i < j ];
var D = tensor(n)(n)[ ((i,j), c*2.0) | ((i,j),c) <- C, c > s ];
D;
"""


def storage(program: diablo.Program) -> str:
    text = program.explain()
    return text[text.index("Storage of") : text.index("Steps of")]


def test_forms_and_bytes_are_those_of_the_latest_call():
    program = diablo.compile(BOTH)
    diagonal, whole = sparse.eye_array(100, format="csr"), sparse.csr_array(np.ones((100, 100)))
    program(A=diagonal, B=diagonal)
    first = storage(program)
    assert "100 x 100, 100 entries" in first
    assert "(in this run: " in first or "(here: " in first
    assert "at run time" not in first
    program(A=whole, B=whole)
    second = storage(program)
    assert "100 x 100, 10000 entries" in second
    for name in "A", "B", "C", "D":
        assert second.count(f"  {name} held ") == 1
    assert "C held 120,404 bytes: 10,000 entries, compressed" in second


def test_what_is_made_of_an_input_is_counted():
    text = "input A: matrix[Double];\ninput x: vector[Double];\nvar k = 0;\nvar y = A@x;\n"
    text += "while (k < 9) { k += 1; y = A@y; };\n"
    text += "tensor(A.cols)[ (j,+/a) | ((i,j),a) <- A, group by j ];"
    program = diablo.compile(text)
    program(A=sparse.random_array((300, 300), density=0.1, rng=1, format="csr"), x=np.ones(300))
    assert "A held " in storage(program)


def test_before_a_call_nothing_was_held():
    assert " held " not in diablo.compile(BOTH).explain()


def test_a_watched_kernel_notes_sparse_results_by_their_names():
    tile = SparseTile.from_dense(np.eye(4), 1)
    noted: dict[str, Holding] = {}
    kernel = Watched(lambda: (tile, 1.0, tile), ["A", None, None], noted)
    assert kernel() == (tile, 1.0, tile)
    assert kernel() == (tile, 1.0, tile)
    assert noted == {"A": holding(tile)}
    assert noted["A"].nbytes == tile.nbytes
    assert noted["A"].entries == 4


def test_looking_derives_nothing():
    tile = SparseTile.from_dense(np.tri(40), 1)
    before = holding(tile)
    tile.pattern.turned((1, 0)).vectors()
    assert holding(tile).nbytes == before.nbytes
    assert holding(tile).derived_nbytes > before.derived_nbytes == 0
