"""What travels to the tiles of a space that reads an array beside its points."""

from __future__ import annotations

import numpy as np
import pytest

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import assemble, split
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.kernels.scatter import reduce_by_index
from diablo.runtime.kernels.windows import around, cut, limits, view
from diablo.runtime.program import distribute, parts, window
from diablo.runtime.program.tile_windows import Reach, strips


def test_only_borders_travel_to_neighbours() -> None:
    reach = Reach(((1, 0), (0, 1)), (-1, -1), (1, 1), (9, 9), (9, 9), 3)
    tile = np.arange(9.0).reshape(3, 3)
    sent = {key: strip[1].shape for key, strip in strips(reach)(((1, 1), tile))}
    assert sent[1, 1] == (3, 3)
    assert sent[0, 1] == sent[2, 1] == (1, 3)
    assert sent[1, 0] == sent[1, 2] == (3, 1)
    assert sent[0, 0] == sent[2, 2] == (1, 1)
    assert len(sent) == 9


@pytest.mark.parametrize("block_size", [None, 1, 2, 4])
@pytest.mark.parametrize("sparse", [False, True])
def test_windows_are_what_the_tiles_read(block_size: int | None, sparse: bool) -> None:
    array = np.arange(1.0, 43.0).reshape(6, 7)
    with LocalContext() as sc:
        rdd = distribute(sc, array, block_size, 1 if sparse else None)
        found = dict(
            window(
                rdd, ((1, 0), (0, -1)), (-1, 6), (2, 6), (6, 7), (6, 7), block_size, 2, float
            ).collect()
        )
    reach = Reach(((1, 0), (0, -1)), (-1, 6), (2, 6), (6, 7), (6, 7), block_size)
    for key, part in found.items():
        (top, left), (bottom, right) = reach.box(key)
        np.testing.assert_array_equal(part, array[top:bottom, left:right])
    assert len(found) == len(split(array, block_size))


def test_a_tile_that_reads_nothing_gets_an_empty_window() -> None:
    with LocalContext() as sc:
        rdd = distribute(sc, np.arange(4), 2)
        found = dict(window(rdd, ((1,),), (9,), (9,), (4,), (4,), 2, 2, np.int64).collect())
    assert {key: (part.shape, part.dtype) for key, part in found.items()} == {
        (0,): ((0,), np.dtype(np.int64)),
        (1,): ((0,), np.dtype(np.int64)),
    }


def test_tables_are_cut_into_tiles() -> None:
    table = np.arange(10).reshape(2, 5)
    tiles = parts(2)(table)
    np.testing.assert_array_equal(assemble(tiles, (2, 5), 2, 2, np.int64), table)


def test_what_lies_outside_is_zero() -> None:
    v = np.array([1.0, 2.0, 3.0])
    assert cut(v, (-1,), (5,)).tolist() == [0, 1, 2, 3, 0]
    assert cut(v, (7,), (2,)).tolist() == [0, 0]
    assert np.shares_memory(cut(v, (1,), (2,)), v)
    assert view(v, (2,), ((-1,),), (4,)).tolist() == [3, 2, 1, 0]
    assert view(v, (0,), ((1, 1),), (2, 2)).tolist() == [[1, 2], [2, 3]]
    assert view(v, (0,), ((2,),), (0,)).tolist() == []


@pytest.mark.parametrize("seed", range(60))
def test_indices_that_wrap_around_are_remainders(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rank = int(draw.integers(1, 4))
    shape = draw.integers(1, 6, rank)
    tile = draw.random(shape)
    extents = draw.integers(0 if seed % 7 == 0 else 1, 30 if seed % 5 == 0 else 8, rank)
    starts = draw.integers(-9, 9, rank)
    periods = [None if draw.random() < 0.3 else int(size + draw.integers(-1, 2)) for size in shape]
    periods = [None if period == 0 else period for period in periods]
    factors = np.eye(rank, dtype=int)
    if seed % 3 == 0:
        factors[draw.integers(rank), draw.integers(rank)] = draw.integers(-2, 3)

    def place(axis: int, point: tuple[int, ...]) -> int:
        along = int(starts[axis] + factors[axis] @ point)
        period = periods[axis]
        return along if period is None else along % period

    wanted = np.zeros(extents)
    for point in np.ndindex(*extents):
        at = tuple(place(axis, point) for axis in range(rank))
        if all(0 <= k < size for k, size in zip(at, shape, strict=True)):
            wanted[point] = tile[at]
    found = around(tile, [*map(int, starts)], factors.tolist(), [*map(int, extents)], periods)
    np.testing.assert_array_equal(found, wanted)
    assert not np.shares_memory(found, tile)


def test_limits_are_cut_to_the_extent() -> None:
    assert limits(5, -3, 9) == (0, 5)
    assert limits(5, 4, 2) == (4, 4)
    assert limits(5, 7, 9) == (5, 5)


@pytest.mark.parametrize("monoid", ["add", "max"])
def test_indices_outside_of_a_table_are_passed_over(monoid: str) -> None:
    rows, columns = np.array([0, 1, -1, 1, 5]), np.array([1, 0, 0, 0, 1])
    values = np.array([1.0, 2.0, 8.0, 4.0, 16.0])
    neutral = {"add": 0.0, "max": -np.inf}[monoid]
    table = reduce_by_index(monoid, (rows, columns), values, (5,), (2, 2), float, neutral)
    total = {"add": 6.0, "max": 4.0}[monoid]
    assert table.tolist() == [[neutral, 1.0], [total, neutral]]


def test_a_constant_is_counted() -> None:
    counts = reduce_by_index("add", (np.array([[0], [1]]),), 3, (2, 4), (3,), np.int64, 0)
    assert counts.tolist() == [12, 12, 0]
    assert counts.dtype == np.int64


def test_infinities_reach_no_place_but_their_own():
    for value in (np.inf, -np.inf, np.nan):
        table = reduce_by_index("add", (np.array([1, 1]),), value, (2,), (3,), float, 0.0)
        np.testing.assert_array_equal(table, [0.0, value, 0.0])


def test_sparse_strips_are_joined_as_arrays() -> None:
    tile = SparseTile.from_dense(np.eye(2), 1)
    reach = Reach(((1, 0), (0, 1)), (0, 0), (0, 0), (2, 2), (2, 2), 2)
    ((_, (_, part)),) = strips(reach)(((0, 0), tile))
    assert part.toarray().tolist() == [[1, 0], [0, 1]]
