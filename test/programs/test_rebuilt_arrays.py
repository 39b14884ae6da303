"""`M = [ ((i,j),e) | … ]` gives an array of M's dimensions, stored as M is."""

from __future__ import annotations

import numpy as np
import pytest

import diablo

STORED = ("tensor*(n,m)", "tensor*(n)(m)", "tensor*()(n,m)", "tensor(n,m)", "tensor(n)(m)")
TEXT = """
input A: matrix[Double]; input n: Int; input m: Int;
var M = STORED[ ((i,j),a) | ((i,j),a) <- A, a > 3.0 ];
// An index outside of M is dropped, and Int becomes Double.
M = [ ((i+1,j),i) | ((i,j),a) <- M, a > 6.0 ];
var s = 0.0;
while (s < 2.0) {
    M = [ ((i,j),2.0*a) | ((i,j),a) <- M ];
    s += 1.0;
};
M
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", [None, 1, 3, 7])
@pytest.mark.parametrize("stored", STORED)
def test_a_list_of_elements_is_assigned(stored: str, block: int | None) -> None:
    n, m = 4, 5
    A = np.arange(float(n * m)).reshape(n, m)
    result = diablo.compile(TEXT.replace("STORED", stored), block_size=block)(A=A, n=n, m=m)
    wanted = np.zeros((n, m))
    wanted[1:] = np.where(A > 6.0, np.arange(float(n))[:, None], 0.0)[:-1] * 4.0
    np.testing.assert_array_equal(result.to_numpy(), wanted)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", [None, 1, 3, 7])
@pytest.mark.parametrize("stored", STORED)
def test_lists_are_assigned(stored: str, block: int | None) -> None:
    text = """
        input L: list[((Int,Int),Int)]; var n = 3; var m = 2;
        var M = STORED[ ((i,j),1.0) | i <- 0..n-1, j <- 0..m-1 ]; var first = M;
        first = L; M = []; var second = M; second = [((1,1),2),((9,9),3.5)];
        (first, M, second)
    """
    program = diablo.compile(text.replace("STORED", stored), block_size=block)
    first, empty, second = program(L=[((0, 1), 5), ((2, 0), 7), ((3, 0), 8)])
    np.testing.assert_array_equal(first.to_numpy(), [[0, 5], [0, 0], [7, 0]])
    np.testing.assert_array_equal(empty.to_numpy(), np.zeros((3, 2)))
    np.testing.assert_array_equal(second.to_numpy(), [[0, 0], [0, 2], [0, 0]])


def test_a_vector_of_pairs() -> None:
    text = "var v = tensor(3)[ (i,(i,0.5)) | i <- 0..2 ]; v = [ (2-i,(i,x+1)) | (i,(k,x)) <- v ]; v"
    assert diablo.compile(text)().to_numpy().tolist() == [(2, 1.5), (1, 1.5), (0, 1.5)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("(i,1.0)", "this tensor has 2 dimensions, and its elements have 1 index"),
        ('((i,i),"a")', "the elements of `M` are Double, and this is String"),
        ("i", "a tensor is built from pairs of an index and a value, not from Int"),
    ],
)
def test_what_is_no_element_of_the_array(rows: str, message: str) -> None:
    text = f"var M = tensor*(3,3)[ ((i,i),1.0) | i <- 0..2 ]; M = [ {rows} | i <- 0..2 ]; M"
    with pytest.raises(diablo.CompileError, match=message):
        diablo.compile(text)
