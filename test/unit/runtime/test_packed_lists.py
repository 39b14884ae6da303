"""Packed tuples some parts of which are lists or arrays."""

from __future__ import annotations

import numpy as np

from diablo.runtime import rows
from diablo.runtime.rows.lists import Lists

CODE = ("tuple", ("list", "i8"), "f8", ("tile", 1, "f8"))


def test_lists_and_arrays_come_back() -> None:
    lists = Lists.of_lengths((np.arange(4),), np.array([2, 2]))  # As long as each other.
    arrays = np.empty(2, object)
    arrays[:] = [np.zeros(3), np.ones(3)]
    packed = rows.pack((lists, np.array([0.5, 1.5]), arrays), CODE)
    assert packed.shape == (2,)
    again, numbers, tiles = rows.unpack(packed[::-1], CODE)
    assert isinstance(again, Lists)
    assert again.tolist() == [[2, 3], [0, 1]]
    assert numbers.tolist() == [1.5, 0.5]
    assert tiles[0] is arrays[1]
    again, *_ = rows.unpack(packed[:0], CODE)
    assert again.tolist() == []


def test_one_list_and_one_array_for_all_rows() -> None:
    packed = rows.pack(((np.array([7, 8]),), np.array([0.5, 1.5]), np.ones(2)), CODE)
    lists, _, tiles = rows.unpack(packed, CODE)
    assert lists.tolist() == [[7, 8], [7, 8]]
    assert [tile.tolist() for tile in tiles] == [[1.0, 1.0]] * 2
    scalar = rows.pack(((np.array([7, 8]),), 0.5, np.ones(2)), CODE)
    (batch,), number, tile = rows.unpack(scalar, CODE)
    assert (batch.tolist(), number, tile.tolist()) == ([7, 8], 0.5, [1.0, 1.0])
