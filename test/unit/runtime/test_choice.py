"""Choosing between columns, and putting the parts of a column together."""

from __future__ import annotations

import numpy as np
import pytest

from diablo.runtime import rows
from diablo.runtime.rows.lists import Lists

MASK = np.array([True, False, True])


def strings(*texts: str) -> np.ndarray:
    return np.array(texts, object)


def test_where_chooses_row_by_row() -> None:
    assert rows.where(MASK, strings("a", "b", "c"), "-", "U").tolist() == ["a", "-", "c"]
    assert rows.where(MASK, 1, np.arange(3), "i8").tolist() == [1, 1, 1]
    assert rows.where(True, "x", strings("a", "b"), "U").tolist() == ["x", "x"]
    code = ("tuple", "f8", "U")
    pairs = rows.pack((np.arange(3.0), strings("a", "b", "c")), code)
    nothing = rows.pack((0.0, ""), code)
    assert rows.where(MASK, pairs, nothing, code).tolist() == [(0.0, "a"), (0.0, ""), (2.0, "c")]


def test_where_chooses_lists_and_arrays() -> None:
    lists = Lists.of_lengths((np.arange(4),), np.array([1, 2, 1]))
    code = ("list", "i8")
    assert rows.where(MASK, lists, (np.array([7, 8]),), code).tolist() == [[0], [7, 8], [3]]
    arrays = np.empty(3, object)
    arrays[:] = [np.zeros(1), np.zeros(2), np.zeros(3)]
    chosen = rows.where(MASK, arrays, np.ones(5), ("tile", 1, "f8"))
    assert [len(array) for array in chosen] == [1, 5, 3]


@pytest.mark.parametrize(("then", "otherwise"), [(np.array([1, 2]), 0), (np.array([1, 2]), [0])])
def test_scatter_puts_parts_where_they_belong(then: np.ndarray, otherwise: object) -> None:
    otherwise = np.array(otherwise)
    assert rows.scatter(MASK, then, otherwise, "i8").tolist() == [1, 0, 2]


def test_scatter_of_many_dimensions_and_of_lists() -> None:
    mask = np.array([[True, False], [False, True]])
    assert rows.scatter(mask, strings("a", "b"), "-", "U").tolist() == [["a", "-"], ["-", "b"]]
    lists = Lists.of_lengths((np.arange(3),), np.array([2, 1]))
    other = (np.array([9]),)
    assert rows.scatter(MASK, lists, other, ("list", "i8")).tolist() == [[0, 1], [9], [2]]
