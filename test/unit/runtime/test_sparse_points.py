"""Points at which sparse tiles store elements, against dense NumPy arrays."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from diablo.runtime.arrays.patterns.layout import parse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import sparse_points
from diablo.runtime.rows.tile_rows import from_rows, lookup


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


def test_tiles_of_one_pattern_are_read_as_they_are() -> None:
    one = SparseTile.from_dense(some_array(1, (5, 6)), 1)
    other = one.with_elements(one.elements + 7)
    points = sparse_points.union((5, 6), (one, (0, 1)), (other, (0, 1)))
    assert points.pattern is one.pattern
    assert points.read(one, (0, 1)) is one.elements
    assert points.read(other, (0, 1)) is other.elements
    result = points.tile(points.read(one, (0, 1)) * points.read(other, (0, 1)), 1)
    assert result.pattern is one.pattern
    np.testing.assert_array_equal(result.toarray(), one.toarray() * other.toarray())


def test_equal_patterns_are_compared_once() -> None:
    array = some_array(1, (5, 6))
    one, other = (SparseTile.from_dense(k * array, 1) for k in (1, 2))
    assert one.pattern is not other.pattern
    points = sparse_points.union((5, 6), (one, (0, 1)), (other, (0, 1)))
    assert one.pattern.identity is other.pattern.identity
    assert points.pattern is one.pattern
    assert points.read(other, (0, 1)) is other.elements


def test_a_result_with_zeros_has_a_pattern_of_its_own() -> None:
    tile = SparseTile.from_dense(np.array([[1.0, 0], [2, 3]]), 1)
    points = sparse_points.union((2, 2), (tile, (0, 1)))
    result = points.tile(points.read(tile, (0, 1)) - 2, 1)
    assert result.pattern is not tile.pattern
    assert result.nnz == 2
    np.testing.assert_array_equal(result.toarray(), [[-1, 0], [0, 1]])


LAYOUTS = [
    f"form = {form}, orders = [{order}]"
    for form in ("auto", "compressed", "hypersparse", "coordinates", "bitmap")
    for order in ("[0, 1]", "[1, 0]")
]


@pytest.mark.parametrize(("first", "second"), list(product(LAYOUTS, LAYOUTS)))
def test_sums_of_tiles_in_any_layouts(first: str, second: str) -> None:
    a, b = some_array(1, (5, 6)), some_array(2, (5, 6))
    one = SparseTile.from_dense(a, 1).with_layout(parse(first))
    other = SparseTile.from_dense(b, 1).with_layout(parse(second))
    flags = SparseTile.from_dense(b != 0, 0).with_layout(parse(first))
    axes = (0, 1)
    points = sparse_points.union((5, 6), (one, axes), (other, axes), (flags, axes))
    values = points.read(one, axes) + points.read(other, axes) * points.read(flags, axes)
    np.testing.assert_array_equal(points.tile(values, 1).toarray(), a + b)
    ranks = points.index(0) * 6 + points.index(1) + 1
    filled = points.tile(ranks, 1).toarray()
    expected = np.where((a != 0) | (b != 0), np.arange(1, 31).reshape(5, 6), 0)
    np.testing.assert_array_equal(filled, expected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_of_tiles_in_any_layout(layout: str) -> None:
    array = some_array(1, (5, 6))
    tile = SparseTile.from_dense(array, 1).with_layout(parse(layout))
    i, j = (index.ravel() for index in np.indices((5, 6)))
    *_, found = lookup((i, j), tile, (0, 1))
    np.testing.assert_array_equal(found, array.ravel())
    *_, rows, values = lookup((i, j, np.arange(30)), tile, (0, 1), stored=True)
    np.testing.assert_array_equal(rows, np.flatnonzero(array))
    np.testing.assert_array_equal(values, array[array != 0])
    # Written where it is stored, the pattern stays; written elsewhere too, it grows.
    stored = np.nonzero(array)
    rows = (*stored, np.ones(len(stored[0])))
    added = from_rows(rows, (5, 6), 1, "f8", monoid="add", dest=tile)
    assert isinstance(added, SparseTile)
    assert added.pattern is tile.pattern
    np.testing.assert_array_equal(added.toarray(), np.where(array != 0, array + 1, 0))
    everywhere = from_rows((i, j, np.ones(30)), (5, 6), 1, "f8", monoid="add", dest=tile)
    np.testing.assert_array_equal(np.asarray(everywhere), array + 1)
    smaller = from_rows((i, j, np.ones(30)), (4, 3), 1, "f8", monoid="add", dest=tile)
    np.testing.assert_array_equal(np.asarray(smaller), array[:4, :3] + 1)
