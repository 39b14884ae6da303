"""Tiles: cutting, assembling, and sparse storage, against plain NumPy arrays."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from diablo.runtime.arrays.tiles import SparseTile, assemble, split, tile_box, tile_count


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray:
    shape = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    size = int(np.prod(shape))
    values = draw(st.lists(st.sampled_from([0, 0, 0, 1, -2, 7]), min_size=size, max_size=size))
    dtype = draw(st.sampled_from([np.float64, np.int64, np.float32, np.bool_]))
    return np.array(values, dtype).reshape(shape)


block_sizes = st.one_of(st.none(), st.integers(1, 6))


def test_tile_count():
    assert [tile_count(extent, 4) for extent in (0, 1, 4, 5, 8, 9)] == [1, 1, 1, 2, 2, 3]
    assert tile_count(10**9, None) == 1


def test_tile_box():
    assert tile_box((1, 0), (5, 3), 4) == ((4, 0), (1, 3))
    assert tile_box((0, 0), (5, 3), None) == ((0, 0), (5, 3))
    assert tile_box((0,), (0,), 4) == ((0,), (0,))


@given(arrays(), block_sizes)
def test_split_and_assemble_dense(array: np.ndarray, block_size: int | None):
    tiles = split(array, block_size)
    for coords, tile in tiles:
        origins, extents = tile_box(coords, array.shape, block_size)
        box = tuple(slice(o, o + e) for o, e in zip(origins, extents, strict=True))
        assert tile.shape == extents
        assert tile.flags.c_contiguous
        np.testing.assert_array_equal(tile, array[box])
    whole = assemble(tiles, array.shape, block_size, array.ndim, array.dtype)
    np.testing.assert_array_equal(whole, array)
    assert whole.dtype == array.dtype


@given(arrays(), block_sizes, st.data())
def test_split_and_assemble_sparse(array: np.ndarray, block_size: int | None, data: st.DataObject):
    dense_rank = data.draw(st.integers(0, array.ndim))
    tiles = split(SparseTile.from_dense(array, dense_rank), block_size)
    for coords, tile in tiles:
        assert tile.shape == tile_box(coords, array.shape, block_size)[1]
        assert tile.dense_rank == dense_rank
        assert_invariants(tile)
    data.draw(st.randoms(use_true_random=False)).shuffle(tiles)
    # A sparse tile that stores nothing may be missing.
    tiles = [(c, t) for c, t in tiles if t.nnz]
    whole = assemble(tiles, array.shape, block_size, dense_rank, array.dtype)
    assert isinstance(whole, SparseTile) == (dense_rank < array.ndim)
    np.testing.assert_array_equal(np.asarray(whole), array)
    assert whole.dtype == array.dtype


@given(arrays(), st.data())
def test_sparse_tile_of_dense_array(array: np.ndarray, data: st.DataObject):
    dense_rank = data.draw(st.integers(0, array.ndim))
    tile = SparseTile.from_dense(array, dense_rank)
    assert_invariants(tile)
    assert tile.nnz == np.count_nonzero(array)
    np.testing.assert_array_equal(tile.toarray(), array)
    for index, expected in zip(tile.coordinates(), np.nonzero(array), strict=True):
        assert index.dtype == np.int64
        np.testing.assert_array_equal(index, expected)
    np.testing.assert_array_equal(tile.csr().toarray().reshape(array.shape), array)
    other = data.draw(st.integers(0, array.ndim))
    assert_same(tile.with_dense_rank(other), SparseTile.from_dense(array, other))
    assert_same(pickle.loads(pickle.dumps(tile, protocol=5)), tile)


@given(arrays(), st.data(), st.sampled_from([None, np.add, np.maximum, np.multiply]))
def test_sparse_tile_of_coordinates(array: np.ndarray, data: st.DataObject, ufunc: np.ufunc | None):
    array = array.astype(np.int64)
    cells = list(np.ndindex(*array.shape))
    entries = data.draw(st.lists(st.sampled_from(cells), max_size=12)) if cells else []
    values = np.arange(1, len(entries) + 1)
    dense_rank = data.draw(st.integers(0, array.ndim))
    coordinates = [np.array([e[d] for e in entries], np.int64) for d in range(array.ndim)]
    tile = SparseTile.from_coordinates(coordinates, values, array.shape, dense_rank, ufunc)
    model: dict[tuple[int, ...], int] = {}
    for entry, value in zip(entries, values.tolist(), strict=True):
        model[entry] = (
            value if ufunc is None or entry not in model else int(ufunc(model[entry], value))
        )
    assert_invariants(tile)
    found = zip(*[c.tolist() for c in tile.coordinates()], strict=True)
    assert dict(zip(found, tile.values.tolist(), strict=True)) == model


def assert_invariants(tile: SparseTile) -> None:
    rows = int(np.prod(tile.shape[: tile.dense_rank], dtype=np.int64))
    assert len(tile.indptr) == rows + 1
    assert tile.indptr[0] == 0
    assert tile.indptr[-1] == tile.nnz == len(tile.values)
    assert tile.indptr.dtype == tile.indices.dtype == np.int32
    assert (np.diff(tile.positions()) > 0).all()


def assert_same(one: SparseTile, two: SparseTile) -> None:
    assert (one.shape, one.dense_rank, one.dtype) == (two.shape, two.dense_rank, two.dtype)
    for name in ("indptr", "indices", "values"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_one_tile_is_the_array_itself():
    array = np.ones((3, 4))
    ((coords, tile),) = split(array, 4)
    assert coords == (0, 0)
    assert np.shares_memory(tile, array)
    assert assemble([(coords, tile)], (3, 4), 4, 2, np.float64) is tile
    sparse_tile = SparseTile.from_dense(array, 1)
    assert split(sparse_tile, None)[0][1] is sparse_tile


def test_whole_rows_of_a_sparse_array_are_slices():
    tile = SparseTile.from_dense(np.eye(6, 3), 1)
    for _, part in split(tile, 3):
        assert np.shares_memory(part.values, tile.values) or part.nnz == 0


def test_zeros_are_not_stored():
    tile = SparseTile.from_coordinates(
        [np.array([1, 0]), np.array([1, 2])], np.array([0.0, 5.0]), (2, 3), 1
    )
    assert tile.nnz == 1
    assert sum(part.nnz for _, part in split(tile, 1)) == 1
    assert assemble(split(tile, 1), (2, 3), 1, 1, np.float64).nnz == 1


def test_csr_shares_memory_and_unsorted_duplicates_are_added():
    tile = SparseTile.from_dense(np.eye(3), 1)
    assert np.shares_memory(tile.csr().data, tile.values)
    assert np.shares_memory(SparseTile.from_csr(tile.csr()).indices, tile.indices)
    untidy = sparse.csr_array(
        (np.array([1.0, 2.0, 3.0]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3)
    )
    np.testing.assert_array_equal(SparseTile.from_csr(untidy).toarray(), [[2, 0, 4]])
    assert untidy.nnz == 3
    with pytest.raises(ValueError, match="cannot hold"):
        SparseTile.from_csr(untidy, (3, 3), 1)


def test_wide_tiles_have_wide_indices():
    tile = SparseTile.from_coordinates(
        [np.array([3, 0]), np.array([2**31, 7])], np.array([1, 2]), (4, 2**32), 0
    )
    assert tile.indices.dtype == np.int64
    assert [c.tolist() for c in tile.coordinates()] == [[0, 3], [7, 2**31]]
