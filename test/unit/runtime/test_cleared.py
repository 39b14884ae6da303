"""Arrays of zeros: fresh ones, and those in memory that was used before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.arrays import cleared, memory
from diablo.runtime.arrays.cleared import zeros
from diablo.runtime.arrays.memory import SMALLEST, Pool

F8 = np.dtype(np.float64)
MANY = SMALLEST // 8


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    """A pool of this test's own."""
    own = Pool(idle=3600.0)
    monkeypatch.setattr(memory, "_pool", own)
    return own


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("count", [MANY, MANY + 1, 1 << 18])
def test_memory_that_was_used_before_is_cleared(
    count: int, threads: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    array = memory.empty((count,), F8)
    array.fill(3.0)
    del array
    again = zeros((1, count), F8)
    assert pool.statistics.reused == 1
    assert again.shape == (1, count)
    assert not again.any()


def test_fresh_memory_is_zero_already(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(array: np.ndarray[Any, Any]) -> None:
        raise AssertionError

    monkeypatch.setattr(cleared, "clear", never)
    few, many = zeros((3,), F8), zeros((MANY, 2), F8)
    assert not few.any()
    assert not many.any()
    assert few.flags.owndata
    assert pool.statistics.fresh == 1
    records = np.dtype([("f0", np.int64), ("f1", np.float64)])
    assert zeros((MANY,), records).dtype == records
    assert pool.statistics.fresh == 2
    assert zeros((MANY,), "U")[0] == ""  # Objects are nobody's memory.
    assert pool.statistics.fresh == 2
