"""Rows that a loop goes through in order."""

from __future__ import annotations

import numpy as np
import pytest

from diablo.diagnostics import RunError
from diablo.runtime.program.sequences import sequence
from diablo.runtime.rows.lists import Lists


def test_rows_keep_their_order() -> None:
    rows = sequence((np.array([3, 1, 2]), np.array([0.5, 1.5, 2.5])), 0, "")
    assert rows.count == 3
    assert [rows.row(k) for k in (0, 1, 2, 0, 2)] == [
        (3, 0.5),
        (1, 1.5),
        (2, 2.5),
        (3, 0.5),
        (2, 2.5),
    ]
    assert type(rows.row(1)[0]) is int


def test_rows_far_apart() -> None:
    count = 10_000
    rows = sequence((np.arange(count),), 0, "")
    assert [rows.row(k)[0] for k in range(count)] == list(range(count))
    assert [rows.row(k)[0] for k in (9_999, 0, 5_000, 4_999)] == [9_999, 0, 5_000, 4_999]


def test_rows_ascend() -> None:
    numbers = np.array([2.0, np.nan, -1.0, 2.0])
    names = np.array(["b", "a", "B", "a"], object)
    rows = sequence((numbers, names), 2, "")
    assert [rows.row(k)[1] for k in range(4)] == ["B", "a", "b", "a"]


def test_rows_without_an_order() -> None:
    lists = Lists([np.array([1, 2, 3])], np.array([0, 1, 3]))
    rows = sequence((np.array([2, 1]), lists), 1, "")
    key, values = rows.row(0)
    assert key == 1
    assert values[0].tolist() == [2, 3]
    with pytest.raises(RunError, match="p:1:2: two rows of the list differ in nothing"):
        sequence((np.array([1, 1]), lists), 1, "p:1:2")


def test_no_rows() -> None:
    assert sequence((np.zeros(0), np.zeros(0, object)), 2, "").count == 0
