"""What A-ZPL's sparse regions cost and mean, through programs: operations counted, bytes measured.

Chamberlain and Snyder, Array language support for parallel sparse computation, ICS 2001. `F` is
the array of its Figure 1, `Rs` the region of its seven elements. What regions may be declared and
written is in test_region_programs.py; what patterns are, without programs, in
test_pattern_examples.py.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from counted_operations import operations
from pattern_sizes import csr_bytes, total_bytes

import diablo

NAS = Path(__file__).parents[2] / "examples" / "nas"
SPARK = "spark"
BLOCKS = [None, 3, pytest.param(SPARK, marks=pytest.mark.spark)]
"""Block sizes of the local engine; or the other engine, at 3."""
Block = int | str | None
N = 6
F = np.zeros((N, N))
F[[1, 1, 1, 3, 3, 4, 5], [1, 3, 5, 2, 4, 1, 3]] = [3, 4, 9, 5, 2, 1, 7]
STORED = F != 0

BEGIN = """
    input n: Int; input F: matrix[Double];
    region R = (0..n-1, 0..n-1);
    region Rs = R where (i,j) => F[i,j] != 0.0;
"""
FIGURE = {"n": N, "F": F}
TO_SPARSITY = [
    "convert-diablo-to-comprehension",
    "expand-reads",
    "canonicalize",
    "cse",
    "comprehension-normalize",
    "infer-sparsity",
]


def nas(name: str) -> Any:
    """A generator of inputs, which is a script in a folder of examples."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, NAS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


def run(
    text: str, inputs: Mapping[str, Any] = FIGURE, block: Block = None
) -> tuple[list[Any], diablo.Program]:
    """The results, arrays as NumPy's, and the program."""
    if isinstance(block, str):
        program = diablo.compile(text, engine="spark", master="local[2]", block_size=3)
    else:
        program = diablo.compile(text, block_size=block)
    found = program(**inputs)
    results = found if isinstance(found, tuple) else (found,)
    return [r.to_numpy() if hasattr(r, "to_numpy") else r for r in results], program


# --- Declarations ----------------------------------------------------------------------------


@pytest.mark.parametrize("passes", [[], TO_SPARSITY], ids=["source", "sparsity"])
def test_the_predicate_of_a_sparse_base_is_evaluated_at_its_indices(passes: list[str]) -> None:
    program = """
        input n: Int;
        region R = (0..n-1, 0..n-1);
        region Tri = R where (i,j) => abs(i-j) < 2;
        region Diag = Tri where (i,j) => (i+n-j) % n == 0;
        Diag
    """
    assert operations(program, {"n": N}, passes)["arith.remsi"] == 16
    (found,), _ = run(program, {"n": N})
    np.testing.assert_array_equal(found, np.eye(N))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_an_implicit_value_takes_no_slots(block: Block) -> None:
    program = (
        BEGIN
        + """
        var A: matrix[Double] over Rs fill 7.0 = F;
        (A, +/[ 1 | ((i,j),a) <- A ], +/[ 1 | ((i,j),a) <= A, !Rs[i,j], a == 7.0 ])
    """
    )
    (dense, stored, sevens), _ = run(program, block=block)
    np.testing.assert_array_equal(dense, np.where(STORED, F, 7.0))
    assert (stored, sevens) == (7, 29)


# --- Loops -----------------------------------------------------------------------------------

ROWS = """
    var A: matrix[Double] over Rs = F;
    var B: matrix[Double] over R = 1.0;
    var W = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
    for (i,j) in {} do W[i] += A[i,j]*B[i,j];
    W
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(("region", "written"), [("Rs", 7), ("R", 36)])
def test_rows_are_summed_over_stored_elements(region: str, written: int, block: Block) -> None:
    """As many multiplications as are written down, before the compiler makes them seven."""
    program = BEGIN + ROWS.format(region)
    assert operations(program, FIGURE)["arith.mulf"] == written
    assert operations(program, FIGURE, TO_SPARSITY)["arith.mulf"] == 7
    (found,), _ = run(program, block=block)
    np.testing.assert_array_equal(found, [0, 16, 0, 7, 1, 7])


PRODUCT = """
    input F: matrix[Double]; input x: vector[Double];
    var n = F.rows;
    region R = (0..n-1, 0..n-1);
    region Rs = R where (i,j) => F[i,j] != 0.0;
    var A: matrix[Double] over {0} = F;
    var q = tensor(n)[ (i,0.0) | i <- 0..n-1 ];
    for (i,j) in {0} do q[i] += A[i,j]*x[j];
    (q, {0}.length)
"""


def test_a_product_by_another_declaration() -> None:
    """The matrix of CG, class S: 78,148 multiplications instead of 1,960,000."""
    matrix = nas("make_cg").make_matrix(nas("make_cg").CLASSES["S"])
    x = np.random.default_rng(0).random(1400)
    for region, length in (("Rs", 78_148), ("R", 1_960_000)):
        inputs = {"F": matrix if region == "Rs" else matrix.toarray(), "x": x}
        (found, count), program = run(PRODUCT.format(region), inputs)
        np.testing.assert_allclose(found, matrix @ x, rtol=1e-12)
        assert count == length
        stored = "dense = 1" if region == "Rs" else "dense = 2"
        sums = [line for line in program.ir().splitlines() if "tensor_block.reduce" in line]
        products = [line for line in sums if "%x[" in line]
        assert len(products) == 1
        assert f"tensor<?x?xf64, #tensor_block.tiles<{stored}>>" in products[0]
    small = {"F": F, "x": np.ones(N)}
    for region, count in (("Rs", 7), ("R", 36)):
        assert operations(PRODUCT.format(region), small)["arith.mulf"] == count


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_flood_dimension_is_stored_once(block: Block) -> None:
    declare = "var P: matrix[Double] over ({}, 0..n-1);"
    program = """
        for j = 0, n-1 do P[*,j] = 1.0*j;
        def at(P: matrix[Double], i: Int, j: Int): Double = P[i,j];
        var A: matrix[Double] over R;
        for (i,j) in R do A[i,j] = F[i,j]*P[i,j];
        (A, at(P,1000,4))
    """
    (found, far), compiled = run(BEGIN + declare.format("*") + program, block=block)
    np.testing.assert_array_equal(found, F * np.arange(N))
    assert far == 4
    variable = next(line for line in compiled.ir("diablo").splitlines() if 'var "P"' in line)
    assert "tensor<?xf64," in variable
    read = BEGIN + declare.format("0..0") + "var A: matrix[Double] over R;"
    with pytest.raises(diablo.CompileError, match="has one index in dimension 1"):
        diablo.compile(read + "for (i,j) in R do A[i,j] = P[i,j]; A")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_transposed_indices(block: Block) -> None:
    program = (
        BEGIN
        + """
        var A: matrix[Double] over Rs fill 7.0 = F;
        var T: matrix[Double] over R;
        for (i,j) in R do T[i,j] = A[j,i];
        var U: matrix[Double] over R = 7.0;
        for (i,j) in Rs do U[j,i] = A[i,j];
        (T, U)
    """
    )
    (pulled, pushed), _ = run(program, block=block)
    for found in (pulled, pushed):
        np.testing.assert_array_equal(found, np.where(STORED, F, 7.0).T)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_slices_are_those_of_the_list(block: Block) -> None:
    program = (
        BEGIN
        + """
        var A: matrix[Double] over Rs fill 7.0 = F;
        ([ A[1,j] | j <- Rs[1,*] ], [ A[0,j] | j <- Rs[0,*] ], [ A[i,1] | i <- Rs[*,1] ],
         A[0,:])
    """
    )
    (row, nothing, column, implicit), _ = run(program, block=block)
    assert [sorted(part[0].tolist()) for part in (row, nothing, column)] == [[3, 4, 9], [], [1, 3]]
    np.testing.assert_array_equal(implicit, np.full(N, 7.0))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("step", [(1, 0), (-1, 1), (2, -3)])
def test_shifts_under_a_sparse_region(step: tuple[int, int], block: Block) -> None:
    down, right = step
    program = (
        BEGIN
        + f"""
        var A: matrix[Double] over Rs = F;
        var D: matrix[Double] over R;
        for (i,j) in R do D[i,j] = A[i-({down}),j-({right})];
        region Moved = R where (i,j) => Rs[i-({down}),j-({right})];
        var S: matrix[Double] over Moved;
        for (i,j) in Moved do S[i,j] = A[i-({down}),j-({right})];
        var T: matrix[Double] over R;
        region Down = Rs at ({down},{right});
        for (i,j) in Down && R do T[i,j] = A[i-({down}),j-({right})];
        (D, S, T)
    """
    )
    expected = np.zeros((N, N))
    for i, j in zip(*np.nonzero(F), strict=True):
        if 0 <= i + down < N and 0 <= j + right < N:
            expected[i + down, j + right] = F[i, j]
    for found in run(program, block=block)[0]:
        np.testing.assert_array_equal(found, expected)


# --- Three dimensions --------------------------------------------------------------------------

CUBE = """
    input V: array3[Double]; input U: array3[Double]; input n: Int;
    region C = (0..n-1, 0..n-1, 0..n-1);
    region P = C where (i,j,k) => V[i,j,k] != 0.0;
    var Vs: array3[Double] over P = V;
"""


def points(n: int = 8) -> dict[str, Any]:
    """Twenty charges in a cube, half of them negative, and a dense array."""
    generator = np.random.default_rng(2)
    v = np.zeros((n, n, n))
    v.flat[generator.choice(n**3, 20, replace=False)] = np.repeat([1.0, -1.0], 10)
    return {"V": v, "U": generator.random((n, n, n)), "n": n}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_twenty_points_in_a_cube(block: Block) -> None:
    program = (
        CUBE
        + """
        region Plane = P[*,3,*];
        region Half = P where (i,j,k) => Vs[i,j,k] > 0.0;
        var T: array3[Double] over C;
        for (i,j,k) in P do T[k,i,j] = Vs[i,j,k];
        var S: array3[Double] over C;
        region Right = P at (0,0,1);
        for (i,j,k) in Right && C do S[i,j,k] = Vs[i,j,k-1];
        var W = tensor*(n)[ (j,0.0) | j <- 0..n-1 ];
        for (i,j,k) in P do W[j] += Vs[i,j,k]*Vs[i,j,k];
        (P.length, Plane, Half, T, S, W)
    """
    )
    inputs = points()
    v = inputs["V"]
    shifted = np.zeros_like(v)
    shifted[:, :, 1:] = v[:, :, :-1]
    expected = [20, v[:, 3] != 0, v > 0, v.transpose(2, 0, 1), shifted, (v * v).sum((0, 2))]
    for found, wanted in zip(run(program, inputs, block)[0], expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_sparse_region_over_dense_arrays(block: Block) -> None:
    program = CUBE + "var R = U; for (i,j,k) in P do R[i,j,k] += 2.0*V[i,j,k]; R"
    inputs = points()
    assert operations(program, inputs)["arith.mulf"] == 20
    (found,), compiled = run(program, inputs, block)
    np.testing.assert_array_equal(found, inputs["U"] + 2 * inputs["V"])
    assert "points.update(" in compiled.ir("pyspark")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_function_has_a_form_for_each_storage(block: Block) -> None:
    """`resid` of the paper: dense charges are read in the loop, sparse ones are added after it."""
    program = (
        CUBE
        + """
        def resid(V: array3[Double], U: array3[Double]): array3[Double] =
          tensor*(n,n,n)[ ((i,j,k), V[i,j,k] - 2.0*U[i,j,k])
                        | i <- 1..n-2, j <- 0..n-1, k <- 0..n-1 ];
        (resid(V,U), resid(Vs,U), resid(U,V))
    """
    )
    inputs = points()
    u, v = inputs["U"], inputs["V"]
    inner = np.zeros_like(u)
    inner[1:-1] = 1.0
    results, compiled = run(program, inputs, block)
    for found, wanted in zip(results, [v - 2 * u, v - 2 * u, u - 2 * v], strict=True):
        np.testing.assert_allclose(found, inner * wanted, rtol=1e-12, atol=1e-15)
    # What is added where Vs stores elements, in the one call that is given it.
    assert compiled.ir("pyspark").count("points.update(") == 1
    assert "Vs is zero where it stores nothing: its terms are added" in compiled.explain()


# --- Storage ---------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block", BLOCKS)
def test_fields_that_nothing_asks_for_are_left_out(block: Block) -> None:
    """Each use turns on what it needs, and changes nothing of the other's result."""
    begin = """
        input F: matrix[Double]; input x: vector[Double];
        var n = F.rows;
        var y = tensor(n)[ (i,+/v) | ((i,j),a) <- F, let v = a*x[j], group by i ];
    """
    columns = """
        var k = 0; var z = 0.0;
        while (k < 5) { z += +/[ a*x[i] | ((i,j),a) <- F, j == k ]; k += 1; };
    """
    inputs = {"F": sparse.csr_array(F), "x": np.arange(6.0)}
    texts: list[str] = []
    for text, expected in [
        (begin + "y", [F @ inputs["x"]]),
        (begin + columns + "(y, z)", [F @ inputs["x"], (inputs["x"] @ F)[:5].sum()]),
        (begin + "(y, F[1,3])", [F @ inputs["x"], 4.0]),
    ]:
        results, program = run(text, inputs, block)
        for found, wanted in zip(results, expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
        lines = program.explain().splitlines()
        texts += [line for line in lines if "the layout of F is " in line]
    alone, both, element = texts
    assert "'form = auto': it is iterated by rows" in alone
    assert "'form = auto, orders = [[0, 1], [1, 0]]'" in both
    assert "'form = auto, directory = array'" in element
    assert not any("next" in text or "previous" in text for text in texts)


def test_a_matrix_over_a_region_takes_what_csr_takes() -> None:
    matrix = nas("make_cg").make_matrix(nas("make_cg").CLASSES["S"])
    program = diablo.compile(PRODUCT.format("Rs").replace("(q, Rs.length)", "(q, A)"))
    _, array = program(F=matrix, x=np.ones(1400))
    tile = array.collect()
    assert tile.nnz == matrix.nnz
    assert total_bytes([tile]) <= 1.01 * csr_bytes(1400, matrix.nnz).total


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_sparse_charges_save_a_cube_by_the_formula(name: str) -> None:
    """u and r have all levels, with the cells around them that NPB has; v has the finest only.

    What the arrays of class W take in memory is measured in test_nas_mg.py.
    """
    levels = nas("make_mg").CLASSES[name].levels
    cubes = [8 * (2**level + 2) ** 3 for level in range(1, levels + 1)]
    dense, points = 2 * sum(cubes) + cubes[-1], 20 * (8 + 3 * 8)
    saved = 1 - (2 * sum(cubes) + points) / dense
    assert saved == pytest.approx(0.30, abs=0.01)
