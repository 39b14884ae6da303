"""Dense arrays that change where sparse regions or arrays have elements, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.native import work_seen

BLOCKS = [None, 1, 3, 7]

PLATE = """
    input n: Int; input steps: Int;
    region Plate = (0..n-1, 0..n-1);
    region Inner = (1..n-2, 1..n-2);
    region Hole = Inner where (i,j) => abs(i-n/2) < 2 && abs(j-n/2) < 2;
    region Free = Inner - Hole;
    var T: matrix[Double] over Plate;
    for (i,j) in Plate do T[i,j] = if (i == 0) 1.0 else 0.0;
    var k = 0;
    while (k < steps) {
      var N = T;
      for (i,j) in Free do N[i,j] = 0.25*(T[i-1,j] + T[i+1,j] + T[i,j-1] + T[i,j+1]);
      T = N;
      k += 1;
    };
    T
"""


def heat(n: int, steps: int) -> np.ndarray[Any, Any]:
    plate = np.zeros((n, n))
    plate[0] = 1
    row, column = np.indices((n, n))
    free = (row > 0) & (row < n - 1) & (column > 0) & (column < n - 1)
    free &= (abs(row - n // 2) >= 2) | (abs(column - n // 2) >= 2)
    for _ in range(steps):
        mean = np.zeros((n, n))
        mean[1:-1, 1:-1] = 0.25 * (
            plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        )
        plate = np.where(free, mean, plate)
    return plate


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_stencil_in_a_region_with_a_hole(
    block: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = diablo.compile(PLATE, block_size=block)
    for worth in (work_seen.WORTH_COMPILING, 0):
        monkeypatch.setattr(work_seen, "WORTH_COMPILING", worth)
        np.testing.assert_array_equal(program(n=8, steps=6).to_numpy(), heat(8, 6))
    if block is None:
        assert "points.update(" in program.ir("pyspark")
        assert "computed where Free stores elements: it is as before" in program.explain()


@pytest.mark.parametrize("block", BLOCKS)
def test_assignments_and_increments_at_stored_elements(block: int | None) -> None:
    program = diablo.compile(
        """
        input U: matrix[Double]; input G: list[(Int,Int,Double)];
        var n = U.rows; var m = U.cols;
        var V = tensor*(4)(9)[ ((i,j),x) | (i,j,x) <- G ];
        var R = U;
        for ((i,j),x) in V do R[i,j] += x*U[i,j];
        var S = U;
        for ((i,j),x) in V do if (x > 0.0) S[i,j] = x;
        var D = tensor*(n,m)[ ((i,j),x+1.0) | ((i,j),x) <- V ];
        (R,S,D)
        """,
        block_size=block,
    )
    rng = np.random.default_rng(5)
    dense = rng.random((6, 5))
    rows = [(0, 1, 2.0), (2, 4, -1.0), (3, 0, 4.0), (3, 8, 5.0), (1, 1, -3.0)]
    moved, assigned, built = dense.copy(), dense.copy(), np.zeros_like(dense)
    for i, j, x in rows:
        if j < 5:
            moved[i, j] += x * dense[i, j]
            assigned[i, j] = x if x > 0 else assigned[i, j]
            built[i, j] = x + 1
    found = program(U=dense, G=rows)
    for result, wanted in zip(found, [moved, assigned, built], strict=True):
        np.testing.assert_allclose(np.asarray(result.to_numpy()), wanted, rtol=1e-14)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_stencil_over_a_sparse_array(block: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    program = diablo.compile(
        """
        input U: matrix[Double]; input A: matrix[Double]; input n: Int;
        region Rs = (0..n-1, 0..n-1) where (i,j) => A[i,j] != 0.0;
        var M: matrix[Double] over Rs;
        for (i,j) in Rs do M[i,j] = U[i-1,j] + U[i+1,j] - 2.0*U[i,j];
        var q = tensor(n)[ (i,0.0) | i <- 0..n-1 ];
        for (i,j) in Rs do q[i] += M[i,j]*U[i,j+1];
        (M,q)
        """,
        block_size=block,
    )
    rng = np.random.default_rng(7)
    dense, stored = rng.random((6, 6)), rng.random((6, 6)) < 0.4
    moved, right = np.zeros((6, 6)), np.pad(dense[:, 1:], ((0, 0), (0, 1)))
    moved[1:-1] = dense[:-2] + dense[2:] - 2 * dense[1:-1]
    for worth in (work_seen.WORTH_COMPILING, 0):
        monkeypatch.setattr(work_seen, "WORTH_COMPILING", worth)
        result, sums = program(U=dense, A=np.where(stored, 2.0, 0.0), n=6)
        np.testing.assert_allclose(result.to_numpy(), moved * stored, rtol=1e-14)
        np.testing.assert_allclose(sums, (moved * stored * right).sum(1), rtol=1e-13, atol=1e-15)
    if block is None:
        text = program.ir("pyspark")
        assert "points.at(U" in text
