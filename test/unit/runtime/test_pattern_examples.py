"""What A-ZPL does with sparse arrays, on patterns: the paper's array, CG's matrices, MG's points.

Chamberlain and Snyder, Array language support for parallel sparse computation, ICS 2001.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pattern_sizes import (
    csr_bytes,
    full_lattice_bytes,
    lattice,
    row_major_bytes,
    total_bytes,
)
from pattern_traversal import iterate, step
from scipy import sparse

from diablo.runtime.arrays.patterns.form_choice import bytes_of, choose
from diablo.runtime.arrays.patterns.layout import parse
from diablo.runtime.arrays.patterns.making import diagonals, empty, full, of_coordinates
from diablo.runtime.arrays.patterns.pattern_slices import TURN, slice_at
from diablo.runtime.arrays.patterns.selection import translate, where
from diablo.runtime.arrays.patterns.set_operations import union
from diablo.runtime.arrays.patterns.statistics import Statistics
from diablo.runtime.arrays.patterns.variants import transposed
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.program.layouts import with_layout

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"

FIGURE = np.zeros((6, 6))
FIGURE[[1, 1, 1, 3, 3, 4, 5], [1, 3, 5, 2, 4, 1, 3]] = [3, 4, 9, 5, 2, 1, 7]


def data(name: str) -> dict[str, np.ndarray]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not there")
    with np.load(path) as file:
        return dict(file)


@pytest.fixture
def figure() -> SparseTile:
    return SparseTile.from_dense(FIGURE, 1)


def test_a_predicate_of_a_box_gives_its_indices_in_order():
    tri = where(full((6, 6)), lambda i, j: abs(i - j) < 2).pattern
    expected = [(i, j) for i in range(6) for j in range(6) if abs(i - j) < 2]
    assert list(zip(*[c.tolist() for c in tri.coordinates()], strict=True)) == expected
    assert tri.count == 16
    band = diagonals((6, 6), [-1, 0, 1])
    assert band.same_set(tri)
    assert band.nbytes == 24


def test_a_predicate_of_a_sparse_base_is_tried_where_that_stores():
    tried = 0

    def on_diagonal(i: np.ndarray, j: np.ndarray) -> np.ndarray:
        nonlocal tried
        tried += len(i)
        return i == j

    diagonal = where(diagonals((6, 6), [-1, 0, 1]), on_diagonal).pattern
    assert (diagonal.count, tried) == (6, 16)


def test_the_figure_is_one_set_however_it_is_given(figure: SparseTile):
    boolean = SparseTile.from_dense(FIGURE != 0, 0).pattern
    predicate = where(full((6, 6)), lambda i, j: FIGURE[i, j] != 0).pattern
    file = SparseTile.from_csr(sparse.csr_array(FIGURE)).pattern
    program = empty((6, 6))
    for i, j in zip(*np.nonzero(FIGURE), strict=True):
        program = union(program, of_coordinates(([i], [j]), (6, 6))).pattern
    for other in (boolean, predicate, file, program):
        assert figure.pattern.same_set(other)
        assert figure.pattern.identity is other.identity


def test_elements_that_are_not_stored_have_any_implicit_value(figure: SparseTile):
    stored = SparseTile(figure.shape, 1, figure.pattern, np.ones(7, bool)).toarray()
    filled = np.where(stored, figure.toarray(), 7.0)
    assert (filled[FIGURE == 0] == 7).sum() == 29
    assert len(figure.elements) == 7


def test_arrays_share_their_pattern(figure: SparseTile):
    other = figure.with_elements(figure.elements * 2)
    assert other.pattern is figure.pattern
    assert total_bytes([figure, other]) == total_bytes([figure]) + 8 * 7
    flags = figure.with_elements(figure.elements > 0)
    assert flags.pattern is figure.pattern
    assert total_bytes([figure, flags]) == total_bytes([figure]) + 1


def test_transposed_indices(figure: SparseTile):
    turned = SparseTile((6, 6), 1, transposed(figure.pattern, (1, 0)), figure.elements)
    np.testing.assert_array_equal(turned.toarray(), FIGURE.T)
    assert total_bytes([figure, turned]) == figure.nbytes


def test_slices_cost_their_length(figure: SparseTile):
    row = slice_at(figure.pattern, {0: 1})
    assert isinstance(row.entries, slice)
    assert figure.elements[row.entries].tolist() == [3, 4, 9]
    assert row.pattern.coordinates()[0].tolist() == [1, 3, 5]
    assert slice_at(figure.pattern, {0: 0}).pattern.count == 0
    column = slice_at(figure.pattern, {1: 1})
    assert figure.elements[column.entries].tolist() == [3, 1]
    by_columns = with_layout(figure, "form = compressed, orders = [[1, 0]]")
    assert isinstance(by_columns, SparseTile)
    assert isinstance(slice_at(by_columns.pattern, {1: 1}).entries, slice)


def test_an_order_is_derived_for_slices_that_recur(figure: SparseTile):
    slice_at(figure.pattern, {1: 1})
    assert not figure.pattern.has_order((1, 0))
    for _ in range(TURN):
        slice_at(figure.pattern, {1: 1})
    assert figure.pattern.has_order((1, 0))
    assert figure.elements[slice_at(figure.pattern, {1: 1}).entries].tolist() == [3, 1]


def test_any_direction(figure: SparseTile):
    _, by_columns = iterate(figure.pattern, (1, 0))
    assert figure.elements[by_columns].tolist() == [3, 1, 5, 4, 7, 2, 9]
    _, backwards = iterate(figure.pattern, (1, 0), backwards=True)
    assert figure.elements[backwards].tolist() == [9, 2, 7, 4, 5, 1, 3]
    moved = translate(figure.pattern, (1, -1), (6, 6))
    shifted = SparseTile((6, 6), 1, moved.pattern, figure.elements[moved.entries])
    expected = np.zeros((6, 6))
    expected[1:, :-1] = FIGURE[:-1, 1:]
    np.testing.assert_array_equal(shifted.toarray(), expected)


def test_the_lattice_of_the_figure(figure: SparseTile):
    pattern = figure.pattern
    assert pattern.lookup(np.nonzero(FIGURE)).tolist() == list(range(7))
    entry = pattern.lookup([[1, 1], [1, 3]])
    down = step(pattern, entry, 0)
    rows, columns = pattern.coordinates()
    assert list(zip(rows[down].tolist(), columns[down].tolist(), strict=True)) == [(4, 1), (5, 3)]
    assert step(pattern, down, 0, backwards=True).tolist() == entry.tolist()
    assert lattice(pattern).dummies == 2 * 4 + 2 * 5 + 4
    # Most rows and columns have entries: arrays of them all are the directory.
    assert lattice(pattern).directory == 2 * 6 + 2 * 6


@pytest.mark.parametrize("grid", ["S", "W", "A", "C"])
def test_the_points_of_mg(grid: str):
    file = data("mg_points.npz")
    n = int(file[f"{grid}_n"])
    points = np.concatenate([file[f"{grid}_pos"], file[f"{grid}_neg"]])
    values = np.repeat([1.0, -1.0], 10)
    tile = SparseTile.from_coordinates(list(points.T), values, (n, n, n), 2)
    for text in ("form = auto", "form = auto, directory = hash"):
        chosen = with_layout(tile, text)
        assert isinstance(chosen, SparseTile)
        assert chosen.pattern.form.name == "coordinates"
        assert chosen.nbytes <= 20 * (8 + 4) + 4 * 64
        found = chosen.elements[chosen.pattern.lookup(list(points.T))]
        assert found.tolist() == values.tolist()
        pattern = chosen.pattern
        for order in ((0, 1, 2), (2, 1, 0)):
            columns, _ = iterate(pattern, order)
            expected = sorted(map(tuple, points.tolist()), key=lambda p: [p[d] for d in order])
            assert list(zip(*[c.tolist() for c in columns], strict=True)) == expected
        plane = slice_at(pattern, {1: int(points[0, 1])})
        assert plane.pattern.count == (points[:, 1] == points[0, 1]).sum()
    if n >= 64:
        assert lattice(tile.pattern).directory <= 2 * 3 * 20
    # Sparse iteration over a dense array.
    if n <= 64:
        dense = np.zeros((n, n, n))
        columns, entries = iterate(tile.pattern)
        assert len(entries) == 20
        np.add.at(dense, columns, tile.elements[entries])
        np.testing.assert_array_equal(dense, tile.toarray())


@pytest.mark.parametrize("grid", ["S", "W"])
def test_the_matrices_of_cg_take_what_csr_takes(grid: str):
    file = data(f"cg_{grid}.npz")
    n = int(file["n"])
    matrix = sparse.csr_array((file["data"], file["indices"], file["indptr"]), shape=(n, n))
    tile = SparseTile.from_csr(matrix)
    csr = csr_bytes(n, matrix.nnz)
    for text in ("form = auto", "form = compressed", "form = auto, orders = [[1, 0]]"):
        chosen = with_layout(tile, text)
        assert isinstance(chosen, SparseTile)
        assert chosen.pattern.form.name == "compressed"
        assert chosen.nbytes <= 1.01 * csr.total
        # One vector per field, and no links in the order of the values.
        assert list(chosen.pattern.form.vectors()) == ["starts", "indices"]
    both = with_layout(tile, "form = auto, orders = [[0, 1], [1, 0]]")
    assert isinstance(both, SparseTile)
    assert both.pattern.nbytes < 1.6 * csr.index
    assert both.elements is tile.elements
    _, by_columns = iterate(both.pattern, (1, 0))
    np.testing.assert_array_equal(both.elements[by_columns], matrix.tocsc().data)


@pytest.mark.parametrize(
    ("n", "count", "csr", "index", "whole", "rows"),
    [
        (14_000, 1_853_104, 22_293_252, 7_468_420, 68_503_880, 22_349_260),
        (75_000, 13_708_072, 164_796_868, 55_132_292, 503_090_728, 165_096_876),
        (150_000, 36_121_058, 434_052_700, 145_084_236, 1_319_558_224, 434_652_708),
    ],
)
def test_bytes_of_the_large_matrices(
    n: int, count: int, csr: int, index: int, whole: int, rows: int
):
    assert (csr_bytes(n, count).total, csr_bytes(n, count).index) == (csr, index)
    assert full_lattice_bytes(n, n, count).total == whole
    assert row_major_bytes(n, count).total == rows
    statistics = Statistics((n, n), 1, count, n, 2 * count // n, None)
    form = choose(statistics, parse("form = auto"))
    assert form == "compressed"
    assert bytes_of(statistics)[form] + 8 * count <= 1.01 * csr


def test_directories_are_arrays_or_hash_tables():
    rng = np.random.default_rng(1)
    n = 512
    points = of_coordinates(list(rng.integers(0, n, (3, 20))), (n, n, n), 2)
    found = lattice(points)
    assert found.directory <= 2 * 3 * 20
    hashed = points.with_layout(parse("form = compressed, directory = hash"))
    sparse_rows = points.with_layout(parse("form = hypersparse, directory = array"))
    assert hashed.nbytes - hashed.form.nbytes == 4 * 64
    assert sparse_rows.nbytes - sparse_rows.form.nbytes == 4 * (n * n + 1)
    automatic = points.with_layout(parse("form = auto, directory = array"))
    assert automatic.nbytes < 400
