"""Where tiles lie, and how groups are made of what lies alike, without Spark."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.local_rdd import slices
from diablo.runtime.program import join_groups, tiles_inside
from diablo.runtime.program.shuffle import _sent_whole, _zip_groups
from diablo.runtime.program.tile_placement import Slices


@pytest.mark.parametrize("counts", [(2, 2), (3, 2), (5,), (2, 3, 4)])
@pytest.mark.parametrize("partitions", [1, 2, 3, 4])
def test_slices_say_where_a_tile_is(counts: tuple[int, ...], partitions: int):
    keys = list(np.ndindex(*counts))
    placed = Slices(counts, partitions)
    for number, part in enumerate(slices(keys, partitions)):
        assert all(placed(key) == number for key in part)


def test_tiles_of_three_arrays_side_by_side():
    def doubled(split: int, records: Any) -> Any:
        return ((key, 2 * tile) for key, tile in records)

    records = [(((k, k), (k, 10 + k)), (k, 20 + k)) for k in range(3)]
    groups = _zip_groups([None, doubled, None])
    expected = [(k, ([k], [20 + 2 * k], [20 + k])) for k in range(3)]
    assert list(groups(0, iter(records))) == expected


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
