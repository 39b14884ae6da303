"""Looking into maps: one for all points, or one in every row."""

from __future__ import annotations

import numpy as np

from diablo.runtime import rows
from diablo.runtime.rows.lists import Lists


def strings(*texts: str) -> np.ndarray:
    return np.array(texts, object)


def test_one_map_at_many_points() -> None:
    batch = (strings("b", "a"), np.array([1, 1]), np.array([2.0, 3.0]), strings("x", "y"))
    keys = (strings("a", "c", "b"), 1)
    values, words, found = rows.probe_map(batch, keys, "f8", "U")
    assert values.tolist() == [3.0, 0.0, 2.0]
    assert words.tolist() == ["y", "", "x"]
    assert found.tolist() == [True, False, True]
    assert rows.probe_map(batch, ("a", 1), "f8", "U") == (3.0, "y", True)
    assert rows.probe_map(batch, ("a", 2), "f8", "U") == (0.0, "", False)
    grid = (np.array([[1], [2]]), np.array([[5, 6]]))
    pairs = (np.array([1, 2]), np.array([6, 5]), np.array([7, 8]))
    values, found = rows.probe_map(pairs, grid, "i8")
    assert values.tolist() == [[0, 7], [8, 0]]
    assert found.tolist() == [[False, True], [True, False]]


def test_a_map_of_lists_and_an_empty_map() -> None:
    lists = Lists.of_lengths((np.arange(3),), np.array([2, 1]))
    values, found = rows.probe_map((np.array([4, 5]), lists), (np.array([5, 6]),), ("list", "i8"))
    assert values.tolist() == [[2], []]
    assert found.tolist() == [True, False]
    nothing = rows.empty(["i8", "f8"])
    values, found = rows.probe_map(nothing, (np.array([1]),), "f8")
    assert (values.tolist(), found.tolist()) == ([0.0], [False])


def test_a_map_in_every_row() -> None:
    maps = Lists.of_lengths((strings("a", "b", "a"), np.array([1, 2, 3])), np.array([2, 0, 1]))
    values, found = rows.probe_maps(maps, ("a",), "i8")
    assert (values.tolist(), found.tolist()) == ([1, 0, 3], [True, False, True])
