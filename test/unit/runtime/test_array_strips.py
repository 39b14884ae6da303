"""Strips of arrays, of the driver's and of those in tiles, and what the driver gets of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.spark import spark_context
from diablo.runtime.program import array_strips, by_grid, distribute, gather_strips, zip_tiles
from diablo.runtime.program.array_strips import strips, tiles_to_strips
from diablo.runtime.program.tile_placement import grid_of
from diablo.runtime.results import DistributedArray

ARRAY = np.arange(35.0).reshape(7, 5)


@pytest.fixture(params=["local", pytest.param("spark", marks=pytest.mark.spark)])
def context(request: pytest.FixtureRequest) -> Any:
    return LocalContext() if request.param == "local" else spark_context("local[2]")


def expect_strips(rdd: Any, axis: int, block_size: int) -> None:
    found = dict(rdd.collect())
    ends = range(0, ARRAY.shape[axis], block_size)
    assert sorted(found) == [(k,) for k in range(len(ends))]
    for k, start in enumerate(ends):
        part = ARRAY.take(range(start, min(start + block_size, ARRAY.shape[axis])), axis)
        np.testing.assert_array_equal(found[k,], part)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("block_size", [1, 3, 7])
def test_an_array_is_cut_along_one_axis(context: Any, axis: int, block_size: int) -> None:
    expect_strips(strips(context, ARRAY, axis, block_size), axis, block_size)
    tiles = distribute(context, ARRAY, block_size)
    cut = tiles_to_strips(tiles, axis, ARRAY.shape, block_size, np.float64)
    expect_strips(cut, axis, block_size)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("block_size", [1, 3, 7])
def test_an_array_that_spark_has_in_other_tiles(axis: int, block_size: int) -> None:
    context = LocalContext()
    tiles = distribute(context, ARRAY, 2)
    array = DistributedArray(tiles, ARRAY.shape, 2, np.float64, 2)
    expect_strips(strips(context, array, axis, block_size), axis, block_size)


@pytest.mark.spark
def test_tiles_that_are_strips_stay_where_they_are() -> None:
    context = spark_context("local[2]")
    tiles = distribute(context, ARRAY[:, :3], 3)
    cut = tiles_to_strips(tiles, 0, (7, 3), 3, np.float64)
    other = distribute(context, ARRAY[:, 0], 3)
    assert grid_of(cut) is not None
    assert grid_of(cut) is grid_of(other)
    for (k,), (matrix, vector) in zip_tiles(by_grid((7,), 3, 2), cut, other).collect():
        np.testing.assert_array_equal(matrix[0][:, 0], vector[0])
        assert len(vector[0]) == (3 if k < 2 else 1)


@pytest.mark.parametrize("most", [0, 1 << 25])
def test_what_is_made_of_strips(context: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_strips, "MOST_COMBINED_BYTES", most)
    rows = strips(context, ARRAY, 0, 3)

    def results_of(part: Any) -> tuple[Any, ...]:
        # A function of the module would be looked for by its name, which workers do not know.
        return 2 * part, part.sum(axis=0), part.max(), part.T

    made = rows.mapValues(results_of)
    ways = (0, ("add", (5,)), ("max", ()), 1)
    twice, sums, most_of_all, turned = gather_strips(made, *ways)
    np.testing.assert_array_equal(twice, 2 * ARRAY)
    np.testing.assert_array_equal(sums, ARRAY.sum(axis=0))
    assert most_of_all == ARRAY.max()
    np.testing.assert_array_equal(turned, ARRAY.T)
    total = gather_strips(rows.mapValues(np.sum), ("add", ()))
    assert total == ARRAY.sum()
    np.testing.assert_array_equal(gather_strips(rows, 0), ARRAY)
