"""Arrays over one region share its index vectors, however they came about.

What patterns of computed arrays are, without regions, is in test_pattern_programs.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from pattern_sizes import total_bytes
from scipy import sparse

import diablo
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile

BLOCKS = [None, 1, 3, 7]
N = 8
F = np.zeros((N, N))
F[[1, 1, 1, 3, 3, 4, 5, 7], [1, 3, 5, 2, 4, 1, 3, 7]] = [3, 4, 9, 5, 2, 1, 7, 6]
STORED = F != 0
D = np.random.default_rng(3).uniform(1, 2, (N, N))
BEGIN = """
    input n: Int; input F: matrix[Double]; input D: matrix[Double];
    region R = (0..n-1, 0..n-1);
    region Rs = R where (i,j) => F[i,j] != 0.0;
"""
INPUTS = {"n": N, "F": sparse.csr_array(F), "D": D}


def run(
    text: str, block: int | None, inputs: Mapping[str, Any] = INPUTS, layout: str | None = None
) -> tuple[list[diablo.BlockArray], diablo.Program]:
    """The arrays that a program gives, and the program."""
    program = diablo.compile(text, block_size=block, layout=layout)
    results = program(**inputs)
    return list(results) if isinstance(results, tuple) else [results], program


def patterns(array: diablo.BlockArray) -> list[Pattern]:
    """Those of the tiles of an array, in the order of their coordinates."""
    tiles = dict(array.to_rdd().collect())
    return [tiles[place].pattern for place in sorted(tiles)]


def tiles(arrays: Sequence[diablo.BlockArray]) -> list[SparseTile]:
    """All tiles of the arrays."""
    return [tile for array in arrays for _, tile in array.to_rdd().collect()]


def assert_shared(arrays: Sequence[diablo.BlockArray]) -> None:
    """Each tile of all arrays has the pattern of the first array's; values are all they add."""
    first = patterns(arrays[0])
    for array in arrays[1:]:
        assert all(a is b for a, b in zip(patterns(array), first, strict=True) if len(b))
    for several in range(2, len(arrays) + 1):
        added = total_bytes(tiles(arrays[:several])) - total_bytes(tiles(arrays[: several - 1]))
        assert added <= 8 * (STORED.sum() + 1)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_arrays_over_a_region_share_its_indices(block: int | None, dense: bool) -> None:
    """Declared with an array, computed at the points, filled with a scalar, updated."""
    program = """
        var A: matrix[Double] over Rs = F;
        var B: matrix[Double] over Rs;
        for (i,j) in Rs do B[i,j] = 2.0*A[i,j];
        var C: matrix[Double] over Rs = 5.0;
        var E: matrix[Double] over Rs;
        for (i,j) in Rs do E[i,j] = A[i,j] + D[j,i];
        for (i,j) in Rs do E[i,j] += C[i,j];
        (Rs, A, B, C, E)
    """
    inputs = {**INPUTS, "F": F if dense else INPUTS["F"]}
    results, compiled = run(BEGIN + program, block, inputs)
    expected = [STORED, F, 2 * F, 5.0 * STORED, np.where(STORED, F + D.T + 5, 0)]
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result.to_numpy(), wanted)
    assert_shared(results)
    assert compiled.ir().count("tensor_block.from_bag") == dense  # The dense F makes rows.


@pytest.mark.parametrize("block", BLOCKS)
def test_an_array_that_a_loop_updates_keeps_the_indices(block: int | None) -> None:
    program = """
        var A: matrix[Double] over Rs = F;
        var step = 0;
        while (step < 3) {
          for (i,j) in Rs do A[i,j] = A[i,j]*D[i,j];
          step += 1;
        };
        (Rs, A)
    """
    (region, array), _ = run(BEGIN + program, block)
    np.testing.assert_allclose(array.to_numpy(), F * D**3, rtol=1e-12)
    assert_shared([region, array])


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("layout", [None, "form = compressed, orders = [[1, 0]]", "form = bitmap"])
def test_every_layout_is_shared(block: int | None, layout: str | None) -> None:
    program = """
        var A: matrix[Double] over Rs = F;
        var E: matrix[Double] over Rs;
        for (i,j) in Rs do E[i,j] = A[i,j] + D[j,i];
        (Rs, A, E)
    """
    results, _ = run(BEGIN + program, block, layout=layout)
    np.testing.assert_array_equal(results[1].to_numpy(), F)
    np.testing.assert_array_equal(results[2].to_numpy(), np.where(STORED, F + D.T, 0))
    assert_shared(results)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_zeros_are_not_stored_in_a_region(block: int | None) -> None:
    """An array with computed zeros has indices of its own, until they are written over."""
    program = """
        var A: matrix[Double] over Rs;
        for (i,j) in Rs do A[i,j] = max(F[i,j] - 4.0, 0.0);
        var B = A;
        for (i,j) in Rs do B[i,j] = 1.0;
        (Rs, A, B)
    """
    (region, array, written), _ = run(BEGIN + program, block)
    positive = np.where(STORED, np.maximum(F - 4, 0), 0)
    np.testing.assert_array_equal(array.to_numpy(), positive)
    np.testing.assert_array_equal(written.to_numpy(), 1.0 * STORED)
    assert sum(pattern.count for pattern in patterns(array)) == np.count_nonzero(positive)
    assert_shared([region, written])


@pytest.mark.parametrize("block", BLOCKS)
def test_what_lies_outside_of_a_region_keeps_its_indices(block: int | None) -> None:
    """Under a smaller region the elements elsewhere stay, and so do the indices."""
    program = """
        region Upper = Rs where (i,j) => i < j;
        var A: matrix[Double] over Rs = F;
        for (i,j) in Upper do A[i,j] = 1.0;
        (Rs, A, Upper)
    """
    (region, array, upper), _ = run(BEGIN + program, block)
    np.testing.assert_array_equal(array.to_numpy(), np.where(STORED & np.triu(F != 0, 1), 1.0, F))
    assert_shared([region, array])
    assert sum(map(len, patterns(upper))) < STORED.sum()


ENTRIES = [
    ((int(i), int(j)), float(F[i, j])) for i, j in np.argwhere(STORED)[::-1]
]  # From the last to the first.
LISTED = """
    input n: Int; input F: matrix[Double]; input L: list[((Int,Int),Double)];
    region R = (0..n-1, 0..n-1);
    region Rs = R where (i,j) => F[i,j] != 0.0;
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("layout", [None, "form = compressed, orders = [[1, 0]]"])
def test_arrays_from_rows_share_the_indices_of_a_region(
    block: int | None, layout: str | None
) -> None:
    """Of a list, of a list that is tested and summed, of a join of two matrices."""
    program = """
        var A: matrix[Double] over Rs = L;
        var B: matrix[Double] over Rs;
        for ((i,j),v) in L do if (Rs[i,j]) B[i,j] += 2.0*v;
        var C: matrix[Double] over Rs = 1.0;
        for (i,j) in Rs do for k = 0,n-1 do C[i,j] += A[i,k]*B[k,j];
        (Rs, A, B, C)
    """
    inputs = {"n": N, "F": INPUTS["F"], "L": ENTRIES}
    results, compiled = run(LISTED + program, block, inputs, layout)
    expected = [STORED, F, 2 * F, STORED * (1 + F @ (2 * F))]
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result.to_numpy(), wanted, rtol=1e-12)
    assert compiled.ir().count("within(%Rs") == 3
    if layout is None:
        assert_shared(results)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_rows_that_are_not_all_of_a_region_have_indices_of_their_own(block: int | None) -> None:
    """Some indices are missing, or some values are zero."""
    program = """
        var A: matrix[Double] over Rs = L;
        var B: matrix[Double] over Rs;
        for ((i,j),v) in L do if (Rs[i,j]) B[i,j] += v - 9.0;
        (Rs, A, B)
    """
    entries = [*ENTRIES[1:], ((0, 0), 8.0)]  # (0, 0) is not in the region.
    (region, some, zeros), _ = run(
        LISTED + program, block, {"n": N, "F": INPUTS["F"], "L": entries}
    )
    expected = F.copy()
    expected[tuple(ENTRIES[0][0])] = 0
    np.testing.assert_array_equal(some.to_numpy(), expected)
    np.testing.assert_array_equal(zeros.to_numpy(), np.where(expected, F - 9, 0))
    assert sum(map(len, patterns(some))) == STORED.sum() - 1
    assert sum(map(len, patterns(zeros))) == STORED.sum() - 2
    assert sum(map(len, patterns(region))) == STORED.sum()


def test_rows_that_may_lie_elsewhere_share_nothing() -> None:
    """A list without a test, and indices that were moved."""
    program = """
        var A = tensor*(n)(n)[ ((i,j),v) | ((i,j),v) <- L ];
        region Down = R where ?;
        for (i,j) in Rs do if (R[i+1,j]) Down[i+1,j] = true;
        (A, Down)
    """
    (array, down), compiled = run(LISTED + program, None, {"n": N, "F": INPUTS["F"], "L": ENTRIES})
    np.testing.assert_array_equal(array.to_numpy(), F)
    np.testing.assert_array_equal(down.to_numpy()[1:], STORED[:-1])
    assert "within(" not in compiled.ir()


def test_copies_at_the_points_are_no_rows() -> None:
    """What examples/nas/cg_regions.diablo begins with: no index of the input is written out."""
    program = """
        input A: matrix[Double];
        var n = A.rows;
        region R = (0..n-1, 0..n-1);
        region Rs = R where (i,j) => A[i,j] != 0.0;
        var M: matrix[Double] over Rs;
        for (i,j) in Rs do M[i,j] = A[i,j];
        (Rs, M)
    """
    matrix = sparse.random_array((200, 200), density=0.05, rng=np.random.default_rng(5)).tocsr()
    (region, array), compiled = run(program, None, {"A": matrix})
    assert not any(op in compiled.ir() for op in ("to_bag", "from_bag", "lookup"))
    assert "region Rs: A, Rs, M" in compiled.explain()
    assert region.collect().pattern is array.collect().pattern
    np.testing.assert_array_equal(array.to_numpy(), matrix.toarray())
    array.collect().elements[:] = 0.0
    assert matrix.nnz == np.count_nonzero(matrix.data)  # The result is no view of the input.
