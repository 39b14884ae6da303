"""Vectors one behind the other, by NumPy and by machine code on threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.arrays import joined_vectors
from diablo.runtime.arrays.joined_vectors import close_gaps, concatenated
from diablo.runtime.native.thread_team import WORTH_SHARING


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pieces each copy on threads has; all is compiled."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", "3")
    found: list[int] = []
    share = joined_vectors.share

    def counted(entry: Any, calls: Any, points: int) -> None:
        found.append(len(calls))
        share(entry, calls, points)

    monkeypatch.setattr(joined_vectors, "share", counted)
    return found


@pytest.mark.parametrize("dtype", ["f8", "i4", "i1", "c16", "?"])
def test_vectors_are_copied_on_threads(dtype: str, shared: list[int]) -> None:
    vectors = [np.arange(n).astype(dtype) for n in (WORTH_SHARING, 0, 1, 3 * WORTH_SHARING)]
    found = concatenated(vectors)
    np.testing.assert_array_equal(found, np.concatenate(vectors))
    assert found.dtype == dtype
    assert len(shared) == 1
    assert shared[0] > len(vectors)


@pytest.mark.parametrize(
    "vectors",
    [
        [np.arange(8.0)[::2], np.arange(4.0)],  # not one behind the other
        [np.arange(3), np.arange(2.0)],  # of two types
        [np.array(["a", None], object), np.array([1], object)],
    ],
)
def test_other_vectors_are_left_to_numpy(vectors: list[Any], shared: list[int]) -> None:
    np.testing.assert_array_equal(concatenated(vectors), np.concatenate(vectors))
    assert not shared


def test_few_elements_are_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_THREADS", "2")
    monkeypatch.setattr(joined_vectors, "share", None)
    assert concatenated([np.arange(3), np.arange(2)]).tolist() == [0, 1, 2, 0, 1]


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32])
def test_gaps_between_parts_are_closed(dtype: Any) -> None:
    def closed(begins: list[int], counts: list[int]) -> list[int]:
        columns = [np.arange(12).astype(dtype), np.arange(12.0)]
        close_gaps(columns, begins, counts)
        one, other = [column[: sum(counts)].tolist() for column in columns]
        assert one == other
        return one

    assert closed([0, 4, 8], [2, 4, 1]) == [0, 1, 4, 5, 6, 7, 8]
    assert closed([0, 4, 8], [0, 0, 4]) == [8, 9, 10, 11]
    assert closed([0, 4, 8], [0, 0, 0]) == []
    assert closed([0, 4, 8], [4, 4, 4]) == list(range(12))


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.7])
def test_wide_gaps_are_closed_on_threads(kept: float, shared: list[int]) -> None:
    # At 0.7 what moves lies partly where it goes to: by the width of the gap at a time.
    part = 1 << 20
    count = int(kept * part)
    columns = [np.arange(3 * part), np.arange(3.0 * part), np.arange(3 * part, dtype=np.int16)]
    begins = [0, part, 2 * part]
    wanted = [np.concatenate([c[b : b + count] for b in begins]) for c in columns]
    close_gaps(columns, begins, [count] * 3)
    for column, rows in zip(columns, wanted, strict=True):
        np.testing.assert_array_equal(column[: 3 * count], rows)
    assert shared
    assert max(shared) > 2


def test_narrow_gaps_are_closed_by_moving_memory(shared: list[int]) -> None:
    column = np.arange(1 << 20)
    close_gaps([column], [0, 1 << 19], [(1 << 19) - 5, 1 << 19])
    wanted = [*range((1 << 19) - 5), *range(1 << 19, 1 << 20)]
    np.testing.assert_array_equal(column[:-5], wanted)
    assert not shared
