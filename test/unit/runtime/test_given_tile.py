"""Tiles over a caller's rows, with zeros stored between their values."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.runtime.arrays.given_tile import rows_as_given, stored, tile_as_given
from diablo.runtime.arrays.scipy_sparse import tile_of_scipy
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import sparse_products


def _matrix(seed: int, dtype: Any = np.float64, zeros: float = 0.25) -> sparse.csr_array:
    random = np.random.default_rng(seed)
    rows, columns = int(random.integers(1, 40)), int(random.integers(1, 40))
    made = sparse.random_array((rows, columns), density=0.3, format="csr", rng=random)
    made.data[random.random(made.nnz) < zeros] = 0.0
    return made.astype(dtype)


def _settled(matrix: sparse.csr_array) -> SparseTile:
    return SparseTile.from_csr(matrix)


def _product(tile: SparseTile, x: Any) -> Any:
    return sparse_products.product(tile, (0,), (1,), tile.shape, x)


READS = {
    "pattern": lambda t: t.pattern.positions().tolist(),
    "elements": lambda t: t.elements.tolist(),
    "nnz": lambda t: t.nnz,
    "csr": lambda t: t.csr().toarray().tolist(),
    "toarray": lambda t: t.toarray().tolist(),
    "pickled": lambda t: pickle.loads(pickle.dumps(t)).values.tolist(),
    "with_dense_rank": lambda t: t.with_dense_rank(0).positions().tolist(),
    "repr": repr,
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("zeros", [0.0, 0.3, 1.0])
def test_readers_find_no_zeros(read: str, seed: int, zeros: float) -> None:
    matrix = _matrix(seed, zeros=zeros)
    tile = tile_of_scipy(matrix)
    assert rows_as_given(tile) is not None
    assert READS[read](tile) == READS[read](_settled(matrix))
    assert type(tile) is SparseTile
    assert rows_as_given(tile) is None
    assert not (tile.elements == 0).any()


def test_what_is_known_without_a_look_at_the_values() -> None:
    matrix = _matrix(1)
    tile = tile_of_scipy(matrix)
    assert (tile.shape, tile.dtype, tile.dense_rank) == (matrix.shape, np.float64, 1)
    assert stored(tile).pattern.count == matrix.nnz
    vectors = (matrix.data, matrix.indices, matrix.indptr)
    assert tile.nbytes == sum(vector.nbytes for vector in vectors)
    assert rows_as_given(tile) is not None
    assert tile.nnz < matrix.nnz
    assert stored(tile).pattern is tile.pattern


@pytest.mark.parametrize("dtype", [np.int64, np.bool_, np.complex128])
def test_what_is_looked_at_at_once(dtype: Any) -> None:
    assert type(tile_as_given(_matrix(2, dtype))) is SparseTile


def _in_disorder(seed: int) -> sparse.csr_array:
    """Rows that are not in order, and some of whose entries have the same index."""
    random = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(random.integers(0, 6, 12))]).astype(np.int32)
    indices = random.integers(0, 7, starts[-1]).astype(np.int32)
    values = random.integers(-1, 2, starts[-1]).astype(np.float64)
    return sparse.csr_array((values, indices, starts), shape=(12, 7))


@pytest.mark.parametrize("mode", ["always", "never"])
def test_rows_in_disorder(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    for seed in range(20):
        matrix = _in_disorder(seed)
        dense, x = matrix.toarray(), np.random.default_rng(seed).standard_normal(7)
        np.testing.assert_allclose(_product(tile_of_scipy(matrix), x), dense @ x, atol=1e-13)
        tile = tile_of_scipy(matrix)
        np.testing.assert_array_equal(tile.toarray(), dense)
        assert tile.nnz == np.count_nonzero(dense)


def test_a_product_takes_the_rows_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    for seed in range(8):
        matrix = _matrix(seed)
        x = np.random.default_rng(seed).standard_normal(matrix.shape[1])
        tile = tile_of_scipy(matrix)
        np.testing.assert_allclose(_product(tile, x), matrix @ x, atol=1e-13)
        if matrix.nnz:
            assert rows_as_given(tile) is not None
        # One that is used again is worth a look, for what is kept of its rows.
        np.testing.assert_allclose(_product(tile, x), matrix @ x, atol=1e-13)
        assert rows_as_given(tile) is None


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_a_product_looks_for_zeros_where_they_would_matter(
    value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    for seed in range(8):
        matrix = _matrix(seed, zeros=0.5)
        x = np.random.default_rng(seed).standard_normal(matrix.shape[1])
        x[:: 1 + seed % 3] = value
        clean = matrix.copy()
        clean.eliminate_zeros()
        found = _product(tile_of_scipy(matrix), x)
        np.testing.assert_allclose(found, clean @ x, atol=1e-13)


def test_several_threads_settle_a_tile() -> None:
    with ThreadPoolExecutor(4) as threads:
        for seed in range(40):
            matrix = _matrix(seed)
            tile = tile_of_scipy(matrix)
            found = list(threads.map(lambda _, t=tile: t.toarray().tolist(), range(8)))
            assert all(dense == matrix.toarray().tolist() for dense in found)


def test_programs_see_no_stored_zero() -> None:
    matrix = _matrix(3, zeros=0.5)
    x = np.full(matrix.shape[1], np.inf)
    clean = matrix.copy()
    clean.eliminate_zeros()
    program = diablo.compile(
        "input A: matrix[Double]; input x: vector[Double]; (A @ x, +/[ 1 | ((i,j),v) <- A ])",
        engine="local",
    )
    product, count = program(A=matrix, x=x)
    np.testing.assert_array_equal(product.to_numpy(), clean @ x)
    assert count == clean.nnz


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart", ["data", "indices", "indptr"])
def test_vectors_whose_elements_lie_apart(
    seed: int, apart: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    matrix = _matrix(seed)
    wanted = matrix.toarray()
    vector = getattr(matrix, apart)
    wide = np.full((len(vector), 2), 7, vector.dtype)
    wide[:, 0] = vector
    setattr(matrix, apart, wide[:, 0])
    x = np.arange(wanted.shape[1], dtype=np.float64)
    text = "input S: matrix[Double]; input x: vector[Double]; "
    for program in ("S @ x", "(+/[ v | ((i,j),v) <- S ], S @ x)._2"):
        found = diablo.compile(text + program, engine="local")(S=matrix, x=x)
        np.testing.assert_allclose(np.asarray(found), wanted @ x)


def test_products_of_values_whose_elements_lie_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    matrix = _matrix(3)
    tile = SparseTile.from_csr(matrix)
    parts = tile.elements.astype(complex).real  # Every other number in memory.
    x = np.arange(tile.shape[1], dtype=np.float64)
    found = _product(tile.with_elements(parts), x)
    np.testing.assert_allclose(found, tile.toarray() @ x)


@pytest.mark.parametrize("mode", ["never", "always"])
def test_what_is_written_to_indices_counts(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    data, starts = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 3, 3, 4])
    matrix = sparse.csr_array((data, np.array([0, 1, 2, 0]), starts), shape=(3, 3))
    assert matrix.has_canonical_format  # SciPy keeps the answer.
    for indices in ([2, 1, 0], [1, 1, 0], [0, 1, 2]):
        matrix.indices[:3] = indices
        wanted = np.zeros((3, 3))
        np.add.at(wanted, (np.array([0, 0, 0, 2]), matrix.indices), data)
        np.testing.assert_array_equal(tile_of_scipy(matrix).toarray(), wanted)
        assert matrix.has_canonical_format == (indices == [0, 1, 2])
