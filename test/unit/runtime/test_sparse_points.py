"""Points at which sparse tiles store elements, against dense NumPy arrays."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import sparse_points


def some_array(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) * (rng.random(shape) < 0.3)


@pytest.mark.parametrize(("left", "right"), list(product(permutations(range(3)), repeat=2)))
def test_sums_of_turned_tiles(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    extents = (3, 4, 2)
    a, b = (
        some_array(seed, tuple(extents[d] for d in axes)) for seed, axes in enumerate([left, right])
    )
    tiles = SparseTile.from_dense(a, 1), SparseTile.from_dense(b, 2)
    points = sparse_points.union(extents, (tiles[0], left), (tiles[1], right))
    result = points.tile(points.read(tiles[0], left) + points.read(tiles[1], right), 1)
    expected = a.transpose(np.argsort(left)) + b.transpose(np.argsort(right))
    np.testing.assert_array_equal(result.toarray(), expected)
    assert result.nnz == np.count_nonzero(expected)


@pytest.mark.parametrize("extents", [(4, 5), (3, 5), (4, 3), (2, 2), (0, 5), (4, 0), (0, 0)])
def test_what_lies_beyond_the_extents_is_left_out(extents: tuple[int, int]) -> None:
    a, dense, row = some_array(1, (4, 5)), some_array(2, (4, 5)), some_array(3, (5,))
    tile, vector = SparseTile.from_dense(a, 1), SparseTile.from_dense(row, 0)
    points = sparse_points.union(extents, (tile, (0, 1)))
    values = points.read(tile, (0, 1)) * (points.index(0) + points.read(vector, (1,)))
    result = points.tile(values * points.read(dense, (0, 1)), 1)
    n, m = extents
    expected = a[:n, :m] * (np.arange(n)[:, None] + row[:m]) * dense[:n, :m]
    np.testing.assert_array_equal(result.toarray(), expected)


def test_space_too_large_for_a_dense_array() -> None:
    n = 10**9
    at = np.array([5, n - 1])
    one = SparseTile.from_coordinates((at, at), np.ones(2), (n, n), 0)
    other = SparseTile.from_coordinates((at[:1], at[1:]), np.ones(1), (n, n), 0)
    points = sparse_points.union((n, n), (one, (0, 1)), (other, (1, 0)))
    result = points.tile(points.read(one, (0, 1)) - points.read(other, (1, 0)), 0)
    assert [index.tolist() for index in result.coordinates()] == [[5, n - 1, n - 1], [5, 5, n - 1]]
    assert result.values.tolist() == [1, -1, 1]
