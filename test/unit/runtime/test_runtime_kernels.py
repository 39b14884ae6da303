"""The kernels that the runtime brings along: machine code where it pays, the same bits always."""

import gc
from typing import Any

import numpy as np
import pytest

from diablo.runtime.arrays.patterns import layout
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import row_products, sparse_products
from diablo.runtime.kernels.bucket_sums import sums
from diablo.runtime.kernels.row_products import WINDOW
from diablo.runtime.kernels.sparse_products import USES_BEFORE_SORTING, product
from diablo.runtime.native import thread_team


@pytest.fixture(params=[False, True], ids=["library", "machine code"])
def native(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether everything is compiled at once, or nothing is."""
    monkeypatch.setenv("DIABLO_COMPILE", "always" if request.param else "never")
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
    assert sums(indices[:0], values[:0], 2).dtype == values.dtype


@pytest.mark.parametrize("compile", ["always", "never"])
@pytest.mark.parametrize("dtype", ["f8", "i8", "f4"])
def test_values_outside_are_passed_over(compile: str, dtype: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", compile)
    indices = np.array([0, 3, -1, 2, 0, 2**62, -(2**63)])
    values = np.array([1, 20, 3, 4, 5, 60, 7], dtype)
    assert sums(indices, values, 3).tolist() == [6, 0, 4]
    assert sums(indices[:0], values[:0], 3).tolist() == [0, 0, 0]
    assert sums(indices, values, 0).tolist() == []


def graph(rows: int, columns: int) -> SparseTile:
    """Rows of very different lengths, some of them empty."""
    generator = np.random.default_rng(2)
    dense = generator.random((rows, columns)) - 0.5
    dense[generator.random((rows, columns)) > generator.random((rows, 1)) ** 3] = 0
    return SparseTile.from_dense(dense, 1)


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_products_have_the_same_bits(
    native: bool, turned: bool, long: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 1)
    tile = graph(40, 60 if long else 20)
    assert row_products.are_long(tile.indptr) == long
    vector = np.random.default_rng(3).random(tile.shape[0 if turned else 1])
    axes = ((1,), (0,)) if turned else ((0,), (1,))
    expected = (tile.csr().T if turned else tile.csr()) @ vector
    # Sums along several lists are made in parts, those along long ones are too.
    exact = not native or not (turned or long)
    found: list[np.ndarray] = []
    for threads in ("1", "2", "3", "8"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        for _ in range(USES_BEFORE_SORTING + 3):
            found.append(product(tile, *axes, tile.shape, vector))
            close = 0 if exact else 1e-13
            np.testing.assert_allclose(found[-1], expected, rtol=close, atol=close)
    if not turned:
        for result in found:
            np.testing.assert_array_equal(result, found[0])
    corner = tile.toarray()[:20, :10]
    vector = vector[: 20 if turned else 10]
    expected = (corner.T if turned else corner) @ vector
    np.testing.assert_allclose(product(tile, *axes, (20, 10), vector), expected)


@pytest.mark.parametrize("native", [True], indirect=True)
def test_rows_of_every_length(native: bool):
    lengths = [*range(14), 0, 31, 32, 33]
    generator = np.random.default_rng(4)
    dense = np.zeros((len(lengths), 40))
    for row, length in zip(dense, lengths, strict=True):
        row[generator.permutation(40)[:length]] = generator.random(length)
    vector = generator.random(40)
    for rows in (dense, dense[::-1], dense[:9], dense[:1], dense[:0]):
        tile = SparseTile.from_dense(np.ascontiguousarray(rows), 1)
        for _ in range(USES_BEFORE_SORTING + 2):
            found = product(tile, (0,), (1,), rows.shape, vector)
            np.testing.assert_allclose(found, rows @ vector, rtol=1e-14)


def test_other_types_and_shapes_go_to_scipy(native: bool):
    tile = graph(5, 4).astype(np.int64)
    for _ in range(USES_BEFORE_SORTING + 2):
        found = product(tile, (0,), (1,), (5, 4), np.arange(4))
        assert found.dtype == np.int64
        with pytest.raises(ValueError, match="dimension mismatch"):
            product(graph(5, 4), (0,), (1,), (5, 4), np.ones(3))


def by_columns(tile: SparseTile) -> SparseTile:
    return tile.with_layout(layout.parse("form = compressed, orders = [[1, 0]]"))


def prepared(tile: SparseTile) -> list[Any]:
    return list(sparse_products._uses[tile].lists.values())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("stored", ["rows", "columns", "bitmap", "hypersparse", "wide"])
def test_products_of_every_layout(
    native: bool, threads: str, stored: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 1)
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    texts = {
        "columns": "form = compressed, orders = [[1, 0]]",
        "wide": "form = compressed, width = 64",
    }
    rows = graph(600, 300)
    text = texts.get(stored, f"form = {stored}")
    tile = rows if stored == "rows" else rows.with_layout(layout.parse(text))
    dense = rows.toarray()
    generator = np.random.default_rng(4)
    right, left = generator.random(300), generator.random(600)
    for _ in range(USES_BEFORE_SORTING + 2):
        np.testing.assert_allclose(product(tile, (0,), (1,), (600, 300), right), dense @ right)
        np.testing.assert_allclose(product(tile, (1,), (0,), (600, 300), left), dense.T @ left)


def test_no_copies_are_kept(native: bool):
    """Whatever products there are, there is one set of indices and one of values."""
    both = layout.parse("form = compressed, orders = [[0, 1], [1, 0]]")
    tiles = graph(600, 300), by_columns(graph(600, 300)), graph(600, 300).with_layout(both)
    for tile in tiles:
        first = tile.pattern.form.vectors().values()
        before, bytes_before = {id(array) for array in (*first, tile.elements)}, tile.nbytes
        for _ in range(USES_BEFORE_SORTING + 2):
            product(tile, (0,), (1,), (600, 300), np.ones(300))
            product(tile, (1,), (0,), (600, 300), np.ones(600))
        kept = [array for lists in prepared(tile) for array in lists.arrays]
        assert {id(array) for array in kept} == before
        assert tile.nbytes == bytes_before
        assert tile.pattern.derived_nbytes == 0
    rows, _, two_orders = tiles
    assert two_orders.pattern.nbytes < 1.6 * rows.pattern.nbytes
    assert two_orders.nbytes - two_orders.pattern.nbytes == rows.elements.nbytes


def test_short_rows_are_ordered_for_a_tile_that_is_used_again():
    """By their lengths, within windows; in one byte each."""
    tile = SparseTile.from_dense(np.tri(600, 15, -1) * (np.arange(600) % 7 < 2)[:, None], 1)
    product(tile, (0,), (1,), (600, 15), np.ones(15))
    (lists,) = prepared(tile)
    assert lists.order is None
    product(tile, (1,), (0,), (600, 15), np.ones(600))  # of another kind
    assert lists.order is None
    product(tile, (0,), (1,), (600, 15), np.ones(15))
    assert lists.order.nbytes == 600
    lengths = np.diff(tile.indptr)
    for begin in range(0, 600, WINDOW):
        window = lists.order[begin : begin + WINDOW].astype(int)
        assert sorted(window) == list(range(len(window)))
        assert np.all(np.diff(lengths[begin + window]) >= 0)


def test_long_rows_are_taken_as_they_are():
    tile = SparseTile.from_dense(np.ones((3, 50)), 1)
    for _ in range(USES_BEFORE_SORTING + 1):
        product(tile, (0,), (1,), (3, 50), np.ones(50))
    assert [lists.order for lists in prepared(tile)] == [None]


def test_what_was_made_for_a_tile_goes_with_it():
    gc.collect()
    before = len(sparse_products._uses)
    tile = graph(4, 4)
    product(tile, (0,), (1,), (4, 4), np.ones(4))
    assert len(sparse_products._uses) == before + 1
    del tile
    gc.collect()
    assert len(sparse_products._uses) == before
