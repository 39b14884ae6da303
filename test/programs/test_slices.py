"""Rows, columns and planes of arrays through programs, against NumPy, and what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from counted_operations import operations

import diablo
from diablo.runtime.arrays.patterns.pattern_slices import slice_at
from diablo.runtime.arrays.sparse_tile import SparseTile

BLOCKS = [None, 1, 3, 7]
_RANDOM = np.random.default_rng(1)
D = np.where(_RANDOM.random((9, 11)) < 0.3, _RANDOM.integers(1, 9, (9, 11)), 0).astype(float)
T = np.where(_RANDOM.random((4, 5, 6)) < 0.3, _RANDOM.integers(1, 9, (4, 5, 6)), 0).astype(float)
X, Y = np.arange(1.0, 10.0), np.arange(11.0) - 4

BEGIN = """
    input A: matrix[Double];
    input x: vector[Double];
    input y: vector[Double];
    var n = A.rows;
    var m = A.cols;
"""

ALIKE: dict[str, tuple[str, Any]] = {
    "a column": ("A[:,2]", D[:, 2]),
    "a row": ("A[3,:]", D[3]),
    "parts": ("(A[1:5,4],A[2,1:9:2])", (D[1:5, 4], D[2, 1:9:2])),
    "a sum": ("+/[ a | ((i,j),a) <- A, j == 2 ]", D[:, 2].sum()),
    "sums outside": (
        "(+/[ a | ((i,j),a) <- A, j == 99 ],+/[ a | ((i,j),a) <- A, i == 0-1 ])",
        (0.0, 0.0),
    ),
    "all indices": ("tensor(n)[ (i,a+1.0) | ((i,j),a) <= A, j == 4 ]", D[:, 4] + 1),
    "all indices outside": ("tensor(n)[ (i,a+1.0) | ((i,j),a) <= A, j == m ]", np.zeros(9)),
    "a sparse result": ("tensor*(n)[ (i,a*x[i]) | ((i,j),a) <- A, j == 4 ]", D[:, 4] * X),
    "a result in a column": (
        "tensor*(n)(m)[ ((i,j),a) | ((i,j),a) <- A, j == 4 ]",
        np.where(np.arange(11) == 4, D, 0),
    ),
    "an inner product": (
        "+/[ a*b | ((i,j),a) <- A, (jj,b) <- y, jj == j, i == n-2 ]",
        D[7] @ Y,
    ),
    "two slices": (
        "+/[ a*b | ((i,j),a) <- A, ((k,l),b) <- A, k == i, j == 1, l == j+1 ]",
        D[:, 1] @ D[:, 2],
    ),
    "an outer product": (
        "tensor*(n)(m)[ ((i,j),a*b) | ((i,k),a) <- A, ((l,j),b) <- A, k == 2, l == 3 ]",
        np.outer(D[:, 2], D[3]),
    ),
    "an element": ("+/[ a | ((i,j),a) <- A, i == 3, j == 2 ]", D[3, 2]),
    "groups": ("tensor*(m)[ (j,+/a) | ((i,j),a) <- A, i == 2, group by j ]", D[2]),
    "columns in a loop": (
        """var s = 0.0; var k = 0;
        while (k <= m) { s += k*(+/[ a | ((i,j),a) <- A, j == k ]); k += 1; } s""",
        D.sum(0) @ np.arange(11),
    ),
    "rows in a loop": (
        """var s = 0.0; var k = 0;
        while (k < n) { var r = A[k,:]; s += k*(+/[ a | (j,a) <- r ]); k += 1; } s""",
        D.sum(1) @ np.arange(9),
    ),
    "assignments": (
        """var V = tensor(n)[ (i,0.0) | i <- 0..n-1 ]; var k = 0;
        while (k < m) { for i = 0, n-1 do V[i] = V[i]*2.0+A[i,k]; k += 1; } V""",
        D @ 2.0 ** np.arange(10, -1, -1),
    ),
    "a variable of slices": (
        "var W = x; var k = 0; while (k < m) { W = W+A[:,k]; k += 1; } W",
        X + D.sum(1),
    ),
    "rows and columns": ("(A[:,2],A@y,A[1,:])", (D[:, 2], D @ Y, D[1])),
}


def plain(value: Any) -> Any:
    return value.to_numpy() if hasattr(value, "to_numpy") else value


def check(text: str, expected: Any, block: int | None, **inputs: Any) -> None:
    found = diablo.compile(text, block_size=block)(**inputs)
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(plain(one), other)


@pytest.mark.sampled(72)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", ALIKE)
def test_slices_of_sparse_and_of_dense_arrays(name: str, block: int | None):
    text, expected = ALIKE[name]
    for array in (sparse.csr_array(D), D):
        check(BEGIN + text, expected, block, A=array, x=X, y=Y)


@pytest.mark.parametrize("block", BLOCKS)
def test_what_is_not_stored_takes_no_part(block: int | None):
    column = D[:, 4]
    text = "tensor(n)[ (i,a+1.0) | ((i,j),a) <- A, j == 4 ]"
    expected = np.where(column != 0, column + 1, 0)
    check(BEGIN + text, expected, block, A=sparse.csr_array(D), x=X, y=Y)


CUBES = {
    "a plane": ("T[:,2,:]", T[:, 2]),
    "a line": ("T[1,:,5]", T[1, :, 5]),
    "a sum": ("+/[ t | ((i,j,k),t) <- T, k == l, i == l-1 ]", T[2, :, 3].sum()),
    "planes in a loop": (
        "var s = 0.0; while (l < 6) { s += l*(+/[ t | ((i,j,k),t) <- T, k == l ]); l += 1; } s",
        T.sum((0, 1))[3:] @ np.arange(3, 6),
    ),
}


@pytest.mark.sampled(7)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", CUBES)
@pytest.mark.parametrize("dense", [0, 1, 2, 3])
def test_slices_of_three_dimensions(name: str, dense: int, block: int | None):
    text, expected = CUBES[name]
    begin = "input T: array3[Double]; var l = 3;\n"
    array = T if dense == 3 else SparseTile.from_dense(T, dense)
    check(begin + text, expected, block, T=array)


def test_outside_of_the_array_there_is_no_slice():
    for text in ("A[:,11]", "A[n,:]", "var k = 0-1; A[k,:]"):
        with pytest.raises(diablo.RunError, match="an index of this slice is outside the array"):
            diablo.compile(BEGIN + text)(A=sparse.csr_array(D), x=X, y=Y)


SLICING = [
    *("convert-diablo-to-comprehension", "expand-reads", "canonicalize", "cse"),
    *("comprehension-normalize", "merge-generators", "infer-sparsity", "hoist-invariants"),
    *("slice-generators", "canonicalize", "cse"),
]


def test_only_the_entries_of_a_slice_are_visited():
    text = BEGIN + "+/[ a*x[i] | ((i,j),a) <- A, j == m-9 ]"
    inputs = {"A": sparse.csr_array(D), "x": X, "y": Y}
    assert operations(text, inputs, SLICING)["arith.mulf"] == np.count_nonzero(D[:, 2])


def test_a_loop_over_columns_looks_at_each_entry_once(monkeypatch: pytest.MonkeyPatch):
    looked_at: list[int] = []

    def counting(pattern: Any, fixed: Any) -> Any:
        found = slice_at(pattern, fixed)
        assert pattern.has_order((1, 0)), "all entries would be looked through"
        looked_at.append(found.pattern.count)
        return found

    monkeypatch.setattr("diablo.runtime.arrays.slices.slice_at", counting)
    text, expected = ALIKE["columns in a loop"]
    check(BEGIN + text, expected, None, A=sparse.csr_array(D), x=X, y=Y)
    assert looked_at == [*np.count_nonzero(D, axis=0), 0]


@pytest.mark.parametrize("block", BLOCKS)
def test_steps_beyond_the_array(block: int | None) -> None:
    last = 2**63 - 1
    text = (
        f"input v: vector[Int]; input k: Int;(v[0:k:k], v[1:k:k-1], v[k:k:2], v[2:{last}:{last}])"
    )
    found = diablo.compile(text, block_size=block)(v=np.arange(5), k=last)
    assert [np.asarray(part).tolist() for part in found] == [[0], [1], [], [2]]
