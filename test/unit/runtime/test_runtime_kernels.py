"""The kernels that the runtime brings along: machine code where it pays, the same bits always."""

import gc

import numpy as np
import pytest

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import bucket_sums, compiled, sparse_products
from diablo.runtime.kernels.bucket_sums import sums
from diablo.runtime.kernels.sparse_products import USES_BEFORE_SORTING, product


@pytest.fixture(params=[False, True], ids=["library", "machine code"])
def native(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether everything is compiled at once, or nothing is."""
    monkeypatch.setattr(compiled, "_points_seen", {})
    monkeypatch.setattr(compiled, "WORTH_COMPILING", 0 if request.param else 1 << 62)
    return request.param


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32])
def test_sums_by_index(native: bool, dtype: type):
    generator = np.random.default_rng(1)
    indices = generator.integers(0, 7, 1000)
    values = (generator.random(1000) * 100).astype(dtype)
    expected = np.zeros(9, dtype)
    np.add.at(expected, indices, values)
    found = sums(indices, values, 9)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, expected)
    expected[:] = 0
    np.add.at(expected, indices[::-2], values[::-2])
    np.testing.assert_array_equal(sums(indices[::-2], values[::-2], 9), expected)
    assert sums(indices[:0], values[:0], 0).shape == (0,)


def test_a_sum_is_compiled_when_it_is_worth_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compiled, "_points_seen", {})
    monkeypatch.setattr(compiled, "WORTH_COMPILING", 5)
    asked: list[np.dtype[np.float64]] = []
    monkeypatch.setattr(bucket_sums, "_machine_code", asked.append)
    column = np.arange(3)
    sums(column, column * 0.5, 3)
    assert not asked
    sums(column, column * 0.5, 3)
    assert asked == [np.float64]


def graph(rows: int, columns: int) -> SparseTile:
    """Rows of very different lengths, some of them empty."""
    generator = np.random.default_rng(2)
    dense = generator.random((rows, columns)) - 0.5
    dense[generator.random((rows, columns)) > generator.random((rows, 1)) ** 3] = 0
    return SparseTile.from_dense(dense, 1)


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("turned", [False, True])
def test_products_have_the_same_bits(
    native: bool, threads: str, turned: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sparse_products, "WORTH_SHARING", 0)
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    tile = graph(40, 30)
    vector = np.random.default_rng(3).random(40 if turned else 30)
    axes = ((1,), (0,)) if turned else ((0,), (1,))
    expected = (tile.csr().T if turned else tile.csr()) @ vector
    for _ in range(USES_BEFORE_SORTING + 3):
        np.testing.assert_array_equal(product(tile, *axes, (40, 30), vector), expected)
    corner = tile.toarray()[:20, :10]
    vector = vector[: 20 if turned else 10]
    expected = (corner.T if turned else corner) @ vector
    np.testing.assert_allclose(product(tile, *axes, (20, 10), vector), expected)


def test_other_types_and_shapes_go_to_scipy(native: bool):
    tile = graph(5, 4).astype(np.int64)
    for _ in range(USES_BEFORE_SORTING + 2):
        found = product(tile, (0,), (1,), (5, 4), np.arange(4))
        assert found.dtype == np.int64
        with pytest.raises(ValueError, match="dimension mismatch"):
            product(graph(5, 4), (0,), (1,), (5, 4), np.ones(3))


def kept(tile: SparseTile) -> list[bool]:
    return [rows.order is not None for rows in sparse_products._uses[tile].rows.values()]


def test_rows_are_sorted_for_a_tile_that_is_used_again():
    tile = graph(40, 10)
    for _ in range(USES_BEFORE_SORTING):
        product(tile, (1,), (0,), (40, 10), np.ones(40))
    assert kept(tile) == []
    product(tile, (0,), (1,), (40, 10), np.ones(10))  # of another kind
    assert kept(tile) == []
    product(tile, (1,), (0,), (40, 10), np.ones(40))
    assert kept(tile) == [True]


def test_long_rows_are_not_sorted():
    tile = SparseTile.from_dense(np.ones((3, 50)), 1)
    for _ in range(USES_BEFORE_SORTING + 1):
        product(tile, (0,), (1,), (3, 50), np.ones(50))
    assert kept(tile) == [False]


def test_what_was_made_for_a_tile_goes_with_it():
    gc.collect()
    before = len(sparse_products._uses)
    tile = graph(4, 4)
    product(tile, (0,), (1,), (4, 4), np.ones(4))
    assert len(sparse_products._uses) == before + 1
    del tile
    gc.collect()
    assert len(sparse_products._uses) == before
