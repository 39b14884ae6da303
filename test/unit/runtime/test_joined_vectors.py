"""Vectors one behind the other, by NumPy and by machine code on threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.arrays import joined_vectors
from diablo.runtime.arrays.joined_vectors import concatenated
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
