"""Programs with regions against NumPy, the interpreter, and every block size.

`F` is the sparse array of the A-ZPL paper's Figure 1, `Rs` the region of its seven elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.io import mmwrite

import diablo
from diablo.diagnostics import InputError, RunError
from fuzzing.trial import Trial, Way

N = 6
PLACES = [(1, 1), (1, 3), (1, 5), (3, 2), (3, 4), (4, 1), (5, 3)]
F = np.zeros((N, N))
for place, value in zip(PLACES, (3.0, 4.0, 9.0, 5.0, 2.0, 1.0, 7.0), strict=True):
    F[place] = value
STORED = F != 0
ROW, COLUMN = np.indices((N, N))
INNER = np.pad(np.ones((4, 4), bool), 1)

BEGIN = """
    input n: Int; input F: matrix[Double];
    region R = (0..n-1, 0..n-1);
    region Rs = R where (i,j) => F[i,j] != 0.0;
    var B: matrix[Double] over Rs fill 7.0 = F;
"""


def check(
    body: str, *expected: Any, begin: str = BEGIN, inputs: Mapping[str, Any] | None = None
) -> None:
    """Check the results of a program: lists are compared as sets of rows."""
    text = begin + body
    given = {"n": N, "F": F} if inputs is None else dict(inputs)
    result = diablo.compile(text)(**given)
    results = result if isinstance(result, tuple) else (result,)
    assert len(results) == len(expected)
    for number, (found, wanted) in enumerate(zip(results, expected, strict=True)):
        if hasattr(found, "to_numpy"):
            found = found.to_numpy()
        if isinstance(found, tuple):  # the column of a list
            found = sorted(found[0].tolist())
        np.testing.assert_allclose(
            np.asarray(found, dtype=float), np.asarray(wanted, dtype=float), err_msg=f"{number}"
        )
    outcome = Trial(text, given).run([Way(None, (None, 1, 3, 7))])
    assert outcome.verdict == "same", outcome


# --- Declarations --------------------------------------------------------------------------


def test_a_band_and_a_region_within_it() -> None:
    body = """
        region Tri = R where (i,j) => abs(i-j) < 2;
        region Diag = Tri where (i,j) => i == j;
        (Tri, Tri.length, [ i*10+j | (i,j) <- Tri ], Diag, Diag.length)
    """
    band = abs(ROW - COLUMN) < 2
    indices = [10 * i + j for i in range(N) for j in range(N) if abs(i - j) < 2]
    check(body, band, 16, indices, np.eye(N), 6)


def test_the_predicate_of_a_sparse_base_is_tested_at_its_indices_only() -> None:
    # The division would fail at the indices of R that are not in Upper.
    body = """
        region Upper = R where (i,j) => i < j;
        region Some = Upper where (i,j) => 12 / (j-i) > 3;
        (Some, Some.length)
    """
    some = (ROW < COLUMN) & (COLUMN - ROW <= 3)
    check(body, some, some.sum())


def test_every_way_of_declaring_a_region_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mmwrite("pattern.mtx", sparse.coo_array(F))
    sparse.save_npz("pattern.npz", sparse.csr_array(F))
    body = """
        region Dense = R where P;
        region Sparse = R where Q;
        region Listed = R where L;
        region Read = R where read("pattern.mtx");
        region Saved = R where read("pattern.npz");
        region Open = R where ?;
        for (i,j) in Listed do Open[i,j] = true;
        region Again = R where ?;
        Again = Dense;
        (Rs, Dense, Sparse, Listed, Read, Saved, Open, Again, Again.length, Read.length)
    """
    begin = BEGIN + "input P: matrix[Boolean]; input Q: matrix[Boolean]; input L: list[(Int,Int)];"
    inputs = {"n": N, "F": F, "P": STORED, "Q": sparse.csr_array(STORED), "L": PLACES}
    files = dict.fromkeys(("pattern.mtx", "pattern.npz"), STORED)
    results = diablo.compile(begin + body)(**inputs)
    for result in results[:-2]:
        np.testing.assert_array_equal(result.to_numpy(), STORED)
    check(body, *[STORED] * 8, 7, 7, begin=begin, inputs={**inputs, **files})


def test_a_pattern_counts_from_the_first_index_of_the_region() -> None:
    body = """
        region S = (1..n, 1..n) where P;
        (S, [ i*10+j | (i,j) <- S ])
    """
    begin = "input n: Int; input P: matrix[Boolean];"
    indices = [10 * i + j + 11 for i, j in PLACES]
    check(body, STORED, indices, begin=begin, inputs={"n": N, "P": STORED})


def test_files_that_are_no_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.mtx").write_text("hello\n")
    mmwrite("small.mtx", sparse.coo_array(F[:4]))
    program = 'region R = (0..5, 0..5) where read("{}"); R.length'
    with pytest.raises(InputError, match=r"^none\.mtx: there is no such file$"):
        diablo.compile(program.format("none.mtx"))()
    with pytest.raises(InputError, match=r"^wrong\.mtx: cannot be read as \.mtx: "):
        diablo.compile(program.format("wrong.mtx"))()
    with pytest.raises(RunError, match="the pattern is not as large as the region `R`"):
        diablo.compile(program.format("small.mtx"))()


def test_translation_and_set_operations() -> None:
    body = """
        region Down = Rs at (1,0);
        var A: matrix[Double] over R;
        for (i,j) in Down do A[i,j] = 5.0;
        region In = (1..n-2, 1..n-2);
        region Both = In && Rs;
        region Either = Rs || In;
        region Rest = R - Rs;
        (A, Down, Down.length, Both, Either, Rest, Both.length, Either.length, Rest.length)
    """
    moved = np.vstack([np.zeros((1, N)), 5.0 * STORED[:-1]])
    both, either = STORED & INNER, STORED | INNER
    check(body, moved, STORED, 7, both, either, ~STORED, both.sum(), either.sum(), 29)


def test_slices_of_regions() -> None:
    body = """
        region Row = Rs[1,*];
        region Rows = Rs[1:4,*];
        (Row, [ i*10+j | (i,j) <- Rows ], [ j | j <- Rs[0,*] ], [ i | i <- Rs[*,1] ],
         tensor*(n)[ (i,+/[ B[i,j] | j <- Rs[i,*] ]) | i <- 0..n-1 ], B[1,:], B[0,:], B[:,1])
    """
    full = np.where(STORED, F, 7.0)
    rows = [10 * i + j for i, j in PLACES if 1 <= i < 4]
    check(body, STORED[1], rows, [], [1, 4], F.sum(axis=1), full[1], full[0], full[:, 1])


def test_strided_regions_are_stored_compactly() -> None:
    body = """
        region Even = R by (2,2);
        var A: matrix[Double] over Even;
        var G: matrix[Double] over R;
        for (i,j) in Even do A[i,j] = 10.0*i + j;
        for (i,j) in Even do G[i,j] = A[i,j];
        for (i,j) in R do G[i,j] += 100.0*A[i,j];
        region Odd = (1..n) by 2;
        var V: vector[Double] over Odd;
        for i in Odd do V[i] = 1.0*i;
        (A, G, Even.length, Even.rows, V, [ i | i <- Odd ])
    """
    compact = [[0, 2, 4], [20, 22, 24], [40, 42, 44]]
    full = np.zeros((N, N))
    full[::2, ::2] = 101.0 * np.array(compact)
    check(body, compact, full, 9, 3, [1, 3, 5], [1, 3, 5])


def test_arrays_over_flood_dimensions_are_assigned_and_passed() -> None:
    body = """
        region Row = (*, 0..n-1);
        region Inner = (*, 1..n-1);
        var p: matrix[Double] over Row;
        var q: matrix[Double] over Row = p;
        var s: matrix[Double] over Inner;
        for j = 0, n-1 do p[*,j] = 1.0*j;
        s = p;
        q = p;
        p[*,2] = 0.0;
        def times(M: matrix[Double], A: matrix[Double]): matrix[Double] =
          tensor*(n,n)[ ((i,j), M[i,j]*A[i,j]) | (i,j) <- R ];
        (times(p,F), times(q,F), times(s,F))
    """
    column = np.arange(N)
    check(body, F * column * (column != 2), F * column, F * column)


def test_a_flood_dimension_repeats_its_values() -> None:
    body = """
        var P: matrix[Double] over (*, 0..n-1) = tensor*(n)[ (i,1.0*i) | i <- 0..n-1 ];
        def at(P: matrix[Double], i: Int, j: Int): Double = P[i,j];
        var A: matrix[Double] over R;
        for (i,j) in R do A[i,j] = P[i,j];
        var first = at(P, 100, 4);
        for j = 0, n-1 do P[*,j] = 2.0;
        (A, first, +/[ P[i,j]*v | ((i,j),v) <- A ])
    """
    check(body, np.tile(np.arange(float(N)), (N, 1)), 4, 180)


# --- Figure 4 ------------------------------------------------------------------------------


def test_the_four_assignments() -> None:
    ones = "var A: matrix[Double] over R = 1.0;"
    full = np.where(STORED, F, 7.0)
    check(f"{ones} for (i,j) in Rs do A[i,j] = B[i,j]; A", np.where(STORED, F, 1.0))
    check(f"{ones} for (i,j) in Rs do B[i,j] = A[i,j]; B", np.where(STORED, 1.0, 7.0))
    check(f"{ones} for (i,j) in R do A[i,j] = B[i,j]; A", full)
    with pytest.raises(diablo.CompileError, match=r"(?s)sparse region `Rs`.*dense region `R`"):
        diablo.compile(f"{BEGIN} {ones} for (i,j) in R do B[i,j] = A[i,j]; B")


def test_mixed_patterns() -> None:
    body = """
        region Tri = R where (i,j) => abs(i-j) < 2;
        region Diag = Tri where (i,j) => i == j;
        var T: matrix[Double] over Tri fill 2.0 = 1.0;
        var D: matrix[Double] over Diag fill 0.5 = 3.0;
        for (i,j) in Diag do T[i,j] = T[i,j] + 10.0;
        var W: matrix[Double] over R;
        for (i,j) in Tri do W[i,j] = D[i,j];
        for (i,j) in R do if (Diag[i,j]) D[i,j] = 4.0;
        (T, W, D)
    """
    band, diagonal = abs(ROW - COLUMN) < 2, ROW == COLUMN
    expected = [
        np.where(diagonal, 11.0, np.where(band, 1.0, 2.0)),
        np.where(diagonal, 3.0, np.where(band, 0.5, 0.0)),
        np.where(diagonal, 4.0, 0.5),
    ]
    check(body, *expected)


# --- Statements ----------------------------------------------------------------------------


def test_rows_summed_under_a_sparse_region_and_under_all() -> None:
    body = """
        var W = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
        for (i,j) in Rs do W[i] += B[i,j];
        var Z: matrix[Double] over Rs = F;
        var V = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
        for (i,j) in R do V[i] += Z[i,j]*1.0;
        (W, V, tensor*(n)[ (i,+/b) | ((i,j),b) <- B, group by i ])
    """
    check(body, *[F.sum(axis=1)] * 3)


def test_dense_transpose_and_a_shift_under_a_sparse_region() -> None:
    body = """
        var C: matrix[Double] over Rs = F;
        region Rt = R where (i,j) => Rs[j,i];
        var T: matrix[Double] over Rt;
        for (i,j) in Rt do T[i,j] = C[j,i];
        var S: matrix[Double] over R;
        for (i,j) in Rs do S[i,j] = F[i,j-1];
        (T, S)
    """
    shifted = np.hstack([np.zeros((N, 1)), F[:, :-1]]) * STORED
    check(body, F.T, shifted)


def test_regions_without_a_name() -> None:
    body = """
        region Tri = R where (i,j) => abs(i-j) < 2;
        var A: matrix[Double] over Tri by (2,1) fill 0.5 = 1.0;
        var C: matrix[Double] over R by (2,3);
        var W = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
        for (i,j) in Tri by (2,1) do A[i,j] += 1.0*j;
        for (i,j) in R by (2,3) do C[i,j] = 1.0*i;
        for (i,j) in R where (i,j) => i > j do W[i] += 1.0;
        for (i,j) in Tri at (1,0) do W[i] += 10.0;
        for i in (0..n-1) by 2 do W[i] += 100.0;
        (A, C, W, [ 10*i+j | (i,j) <- R at (1,1) by (3,3) where (i,j) => i < j, i > 0 ])
    """
    band = abs(ROW - COLUMN) < 2
    rows = np.arange(N) + np.array([0, 20, 30, 30, 30, 30]) + 100 * (np.arange(N) % 2 == 0)
    check(
        body,
        np.where(band & (ROW % 2 == 0), 1.0 + COLUMN, 0.5),
        [[0, 0], [2, 2], [4, 4]],
        rows,
        [14],
    )


def test_slices_with_steps() -> None:
    body = """
        region S = (1..4, 1..4);
        region Tri = R where (i,j) => abs(i-j) < 2;
        region Odd = S[0:n:2, 2:4];
        region Few = Tri[1:n:2, *];
        region Row = Tri[2, 1:n:2];
        region Not = R[4:2:3, 1:n];
        var W = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
        for (i,j) in Tri[0:n:3, *] do W[i] += 1.0*j;
        (Odd, Odd[3,2], Odd[2,2], Few, Row, [ j | j <- Row ], Not.length, W,
         [ 10*i+j | (i,j) <- R[0:n:5,1:n:4] ])
    """
    band = abs(ROW - COLUMN) < 2
    few = (band & (ROW % 2 == 1))[1:]
    sums = np.where(ROW % 3 == 0, band * COLUMN, 0).sum(axis=1)
    check(
        body,
        np.ones((2, 2)),
        True,
        False,
        few,
        [1, 0, 1, 0, 0],
        [1, 3],
        0,
        sums,
        [1, 5, 51, 55],
    )


def test_three_dimensions() -> None:
    body = """
        region Cube = (0..n-1, 0..n-1, 0..n-1);
        region Line = Cube where (i,j,k) => i == j && j == k;
        var A: array3[Double] over Line fill 1.0;
        for (i,j,k) in Line do A[i,j,k] = 2.0;
        var W: matrix[Double] over R;
        for (i,j,k) in Line do W[i,j] += A[i,j,k];
        (Line.length, A[1,1,1], A[1,2,1], W)
    """
    check(body, 6, 2.0, 1.0, 2 * np.eye(N))


def test_an_array_over_a_region_passed_to_a_function() -> None:
    body = """
        def resid(V: matrix[Double], U: matrix[Double]): matrix[Double] =
          tensor*(n,n)[ ((i,j), V[i,j] + U[i,j]) | i <- 0..n-1, j <- 0..n-1 ];
        def total(V: matrix[Double]): Double = +/[ v | ((i,j),v) <- V ];
        (resid(B,F), resid(F,F), resid(F,B), total(B), total(F))
    """
    full = np.where(STORED, F, 7.0)
    check(body, full + F, 2 * F, full + F, F.sum(), F.sum())


def test_a_region_as_a_boolean_array() -> None:
    body = """
        def count(Q: matrix[Boolean]): Int = +/[ 1 | ((i,j),q) <- Q ];
        region S = (1..4, 1..4) where (i,j) => i <= j;
        region D = (1..4, 1..4);
        region Down = S at (3,0);
        def first(Q: matrix[Boolean], i: Int): Boolean = Q[i,1];
        (count(Rs), count(S), count(D), D, Rs[1,1], Rs[0,0], Rs[9,9], D[4,4], D[0,0],
         first(S,1), first(Down,4), Down)
    """
    whole = np.ones((4, 4))
    check(body, 7, 10, 16, whole, True, False, False, True, False, True, True, np.triu(whole))


def test_lower_bounds_fills_and_lists_of_elements() -> None:
    body = """
        region S = (1..4, 1..4) where (i,j) => i <= j;
        var A: matrix[Double] over S fill 1.5 = [ ((i,j),1.0*i) | (i,j) <- (0..9, 0..9) ];
        def at(A: matrix[Double], i: Int, j: Int): Double = A[i,j];
        (A, at(A,1,1), at(A,4,1), A.rows, +/[ a | ((i,j),a) <= A ], +/[ a | ((i,j),a) <- A ])
    """
    whole = np.where(ROW <= COLUMN, ROW + 1.0, 1.5)[:4, :4]
    check(body, whole, 1.0, 1.5, 4, whole.sum(), 20)


def test_the_dimensions_of_empty_regions() -> None:
    body = """
        region None = R where (i,j) => i > 100;
        var A: matrix[Double] over None fill 3.0;
        for (i,j) in None do A[i,j] = 1.0;
        (A, None.length, [ i | (i,j) <- None ])
    """
    check(body, np.full((N, N), 3.0), 0, [])


def test_variables_as_results_have_their_fill_value() -> None:
    check("var k = 3;", np.where(STORED, F, 7.0), 3)


def test_tuples_as_fill_values() -> None:
    body = """
        var A: matrix[(Int,Double)] over Rs fill (7,0.5);
        for (i,j) in Rs do A[i,j] = (i,2.0*j);
        var s = 0.0;
        for (i,j) in R do s += A[i,j]._1 + A[i,j]._2;
        var C: matrix[<row: Int, value: Double>] over Rs fill <row = 2, value = 1.5>;
        (s, +/[ a | (i,j) <- R, let (a,b) = A[i,j], b > 0.4 ], +/[ C[i,j].value | (i,j) <- R ])
    """
    first, second = np.where(STORED, ROW, 7), np.where(STORED, 2.0 * COLUMN, 0.5)
    check(body, (first + second).sum(), first[second > 0.4].sum(), 1.5 * N * N)


def test_whole_assignments() -> None:
    check("B = 2.0*B; B", np.where(STORED, 2 * F, 7.0))
    check("B = 3.0; B", np.where(STORED, 3.0, 7.0))


def test_open_regions() -> None:
    body = """
        region Large = Rs where ?;
        for (i,j) in Rs do if (B[i,j] > 3.5) Large[i,j] = true;
        region Diag = R where ?;
        Diag = [ (i,i) | i <- 0..n-1 ];
        Diag[0,0] = false;
        var A: matrix[Double] over Diag fill 1.0 = 5.0;
        (Large, Large.length, Diag, A)
    """
    diagonal = (ROW == COLUMN) & (ROW > 0)
    check(body, F > 3.5, 4, diagonal, np.where(diagonal, 5.0, 1.0))


def test_regions_in_branches_and_loops() -> None:
    body = """
        var A: matrix[Double] over R;
        for (i,j) in R do if (Rs[i,j]) A[i,j] = B[i,j]; else A[i,j] = -1.0;
        var U: matrix[Double] over R;
        for (i,j) in R do U[i,j] = if (Rs[i-1,j]) B[i-1,j] else 0.5;
        var W = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
        for i = 0, n-1 do for j in Rs[i,*] do W[i] += B[i,j];
        var steps = 0;
        while (steps < 3) {
          steps += 1;
          region Few = R where (i,j) => i + j < steps;
          var Z: matrix[Double] over Few = 1.0;
          for (i,j) in Few do A[i,j] += Z[i,j];
        };
        (A, U, W)
    """
    above = np.vstack([np.full((1, N), 0.5), np.where(STORED, F, 0.5)[:-1]])
    added = np.maximum(0, 3 - ROW - COLUMN)
    check(body, np.where(STORED, F, -1.0) + added, above, F.sum(axis=1))


def test_one_side_of_a_union_and_the_places_of_an_array() -> None:
    """The regions need not be looked at: what is read stores elements only there."""
    body = """
        region Band = R where (i,j) => abs(i-j) < 2;
        region Either = Rs || Band;
        region Twice = Band || Rs;
        var C: matrix[Double] over Twice = 1.0;
        var W = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
        for (i,j) in Either do W[i] += 2.0*B[i,j] - 14.0*C[i,j];
        for (i,j) in Rs do W[i] += F[i,j];
        region Moved = R where ?;
        for (i,j) in Rs do if (i < 3) Moved[i,j] = true;
        for (i,j) in Rs do if (j == 3) Moved[i,j] = false;
        (W, +/[ C[i,j] | (i,j) <- Either ], Moved, +/[ F[i,j] | (i,j) <- Moved, Rs[i,j] ])
    """
    either = STORED | (abs(ROW - COLUMN) < 2)
    rows = 2 * np.where(STORED, F, 7.0) * either - 14.0 * either + F
    moved = STORED & (ROW < 3) & (COLUMN != 3)
    check(body, rows.sum(axis=1), either.sum(), moved, F[moved].sum())


def test_elements_of_other_types() -> None:
    body = """
        var M: matrix[Boolean] over Rs;
        var K: matrix[Int] over Rs fill -1;
        var T: matrix[(Int,Double)] over Rs;
        for (i,j) in Rs do { M[i,j] = B[i,j] > 3.5; K[i,j] += i; T[i,j] = (i,B[i,j]) };
        for (i,j) in Rs do T[i,j]#2 += 1.0;
        (M, K, +/[ t._2 | ((i,j),t) <- T ], T[0,0]._1)
    """
    check(body, F > 3.5, np.where(STORED, ROW - 1, -1), F.sum() + 7, 0)


def test_slices_at_variables_of_an_expression_that_is_checked_twice() -> None:
    """What is added to an array is checked once for its type and once with the one it should have.

    The `i` of the slice is another one each time.
    """
    body = """
        var A = tensor*(2)[ (i,0.5) | i <- 0..1 ];
        A += +/[ i*(count/t) | i <- Rs[*,1], let t = [ j | j <- Rs[i,*] ] ];
        A
    """
    wanted = 0.5 + sum(i * STORED[i].sum() for i in range(N) if STORED[i, 1])
    check(body, np.full(2, wanted))
