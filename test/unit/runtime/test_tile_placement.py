"""Where tiles lie, and how groups are made of what lies alike, without Spark."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.local_rdd import slices
from diablo.runtime.program import join_groups, tiles_inside
from diablo.runtime.program.shuffle import (
    _collect_groups,
    _once_to_each_partition,
    _sent_whole,
    _zip_groups,
)
from diablo.runtime.program.tile_placement import (
    Grid,
    by_bucket,
    by_grid,
    factored,
    in_slices,
    placement,
)


@pytest.mark.parametrize("counts", [(2, 2), (3, 2), (5,), (2, 3, 4)])
@pytest.mark.parametrize("partitions", [1, 2, 3, 4])
def test_a_grid_says_where_a_tile_is(counts: tuple[int, ...], partitions: int):
    placed = Grid(counts, partitions)
    tiles = [(key, None) for key in np.ndindex(*counts)]
    dealt = in_slices(LocalContext(1), tiles, counts, partitions).collect()
    assert sorted(dealt) == tiles
    for number, part in enumerate(slices(dealt, min(partitions, len(dealt)))):
        assert part == sorted(part)
        assert all(placed(key) == number for key, _ in part)


@pytest.mark.parametrize("counts", [(8, 8), (63,), (5, 3, 4), (127, 127)])
@pytest.mark.parametrize("partitions", [7, 64])
def test_no_partition_has_two_tiles_more_than_another(counts: tuple[int, ...], partitions: int):
    count, placed = by_grid(counts, 1, partitions)
    has = np.bincount([placed(key) for key in np.ndindex(*counts)], minlength=count)
    assert count == min(partitions, np.prod(counts)) == len(has)
    assert has.max() - has.min() <= 1


@pytest.mark.parametrize(
    ("counts", "partitions", "most"),
    [
        ((16, 16), 16, (4, 4)),
        ((8, 8), 2, (4, 8)),
        ((8, 8, 8), 8, (4, 4, 4)),
        ((30, 1), 6, (5, 1)),
        ((1, 30), 6, (1, 5)),
        ((5, 7), 1, (5, 7)),
    ],
)
def test_the_tiles_of_a_partition_are_about_a_box(
    counts: tuple[int, ...], partitions: int, most: tuple[int, ...]
):
    placed = Grid(counts, partitions)
    for number in range(partitions):
        keys = [key for key in np.ndindex(*counts) if placed(key) == number]
        spans = [len(set(coordinates)) for coordinates in zip(*keys, strict=True)]
        assert all(span <= limit for span, limit in zip(spans, most, strict=True))


def test_a_number_is_factored_by_the_tiles_that_are_left():
    assert factored(64, (25, 25)) == (8, 8)
    assert factored(12, (9, 3)) == (6, 2)
    assert factored(7, (4, 4)) == (7, 1)
    assert factored(6, ()) == ()


def test_a_tile_goes_to_a_partition_once():
    place, grid = placement((2, 4), 2)
    tile, other = np.zeros(3), np.ones(3)
    keys = [(i, j) for i in range(2) for j in range(4)]
    sent = list(_once_to_each_partition(1, grid)([*((key, tile) for key in keys), ((1, 3), other)]))
    assert place == 2
    assert [key for key, _ in sent] == [(0, 0), (0, 2), (1, 3)]
    assert [found is tile for _, (_, found, *_) in sent] == [True, True, False]
    assert [others for _, (_, _, *others) in sent][2] == []
    groups = dict(_collect_groups(2)(sent))
    assert list(groups) == keys
    assert all(found[0] == [] and found[1][0] is tile for found in groups.values())
    assert len(groups[1, 3][1]) == 2


def test_arrays_of_one_grid_have_one_partitioner():
    assert by_grid((10, 7), 5, 4)[1] is by_grid((6, 9), 5, 4)[1]
    assert by_grid((10, 7), 5, 4)[1] is not by_grid((10, 7), 5, 2)[1]
    assert [by_bucket(3)[1]((bucket,)) for bucket in range(3)] == [0, 1, 2]


def test_tiles_of_three_arrays_side_by_side():
    def doubled(split: int, records: Any) -> Any:
        return ((key, 2 * tile) for key, tile in records)

    records = [(((k, k), (k, 10 + k)), (k, 20 + k)) for k in range(3)]
    groups = _zip_groups([None, doubled, None])
    expected = [(k, ([k], [20 + 2 * k], [20 + k])) for k in range(3)]
    assert list(groups(0, iter(records))) == expected


def test_tiles_that_a_shuffle_has_brought_in_another_order():
    keys, others = (0, 1, 2, 3), (0, 3, 1, 2)
    records = [((a, 10 + a), (b, 20 + b)) for a, b in zip(keys, others, strict=True)]
    groups = list(_zip_groups([None, None])(0, iter(records)))
    assert sorted(groups) == [(k, ([10 + k], [20 + k])) for k in keys]


def test_tiles_that_do_not_lie_alike_are_no_groups():
    with pytest.raises(AssertionError, match="lie alike"):
        list(_zip_groups([None, None])(0, iter([((0, "a"), (1, "b"))])))


def test_tiles_inside():
    tiles = LocalContext(1).parallelize([((i, j), None) for i in range(2) for j in range(2)])
    assert [key for key, _ in tiles_inside(tiles, (3, 5), 5).collect()] == [(0, 0)]
    assert len(tiles_inside(tiles, (6, 6), 5).collect()) == 4


def side(count: int | None) -> Any:
    rows = None if count is None else (np.arange(count),)
    return None, (0,), rows


@pytest.mark.parametrize(
    ("left", "right", "sent", "expected"),
    [
        (1000, 10, (0, 1), 1),
        (10, 1000, (0, 1), 0),
        (10, 1000, (1,), None),  # The short side may not be sent.
        (1000, 900, (0, 1), None),
        (None, 1000, (0, 1), 1),
        (None, 1_000_000, (0, 1), None),
        (None, None, (0, 1), None),
    ],
)
def test_which_side_of_a_join_is_sent(
    left: int | None, right: int | None, sent: tuple[int, ...], expected: int | None
):
    assert _sent_whole(4, (side(left), side(right)), sent) == expected


def test_joined_rows_of_one_process_are_hashed():
    context = LocalContext(1)
    rows = (np.array([1, 2]),)
    side = context.parallelize([rows]), (0,), rows
    groups = join_groups(2, side, side).collect()
    assert sum(len(found) for _, (_, right) in groups for found in right) == 2
