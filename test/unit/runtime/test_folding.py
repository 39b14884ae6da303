"""Arrays that the driver combines of partial ones: on both engines, small and large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.spark import spark_context
from diablo.runtime.program import folding, gather_folded
from diablo.runtime.program.folding import folded_tiles


@pytest.fixture(params=["local", pytest.param("spark", marks=pytest.mark.spark)])
def context(request: pytest.FixtureRequest) -> Any:
    return LocalContext() if request.param == "local" else spark_context("local[2]")


@pytest.mark.parametrize("most", [0, 1 << 25])
def test_parts_are_added(context: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "MOST_COMBINED_BYTES", most)
    parts = [((k % 3,), np.full(2 if k % 3 < 2 else 1, float(k))) for k in range(12)]
    found = gather_folded(context.parallelize(parts, 3), "add", 2, (5,), 2, np.float64)
    np.testing.assert_array_equal(found, [18, 18, 22, 22, 26])
    # What was given is as it was.
    assert [part[1][0] for part in parts] == list(range(12))


@pytest.mark.parametrize("most", [0, 1 << 25])
def test_a_tile_that_is_missing_is_zero(
    context: Any, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "MOST_COMBINED_BYTES", most)
    half = sparse.csr_array(np.diag([1.0, 2.0]))
    parts = [((1, 0), SparseTile.from_csr(half, (2, 2), 1)) for _ in range(3)]
    found = gather_folded(context.parallelize(parts, 2), "add", 2, (4, 2), 2, np.float64, 1)
    np.testing.assert_array_equal(found.toarray(), [[0, 0], [0, 0], [3, 0], [0, 6]])


def test_a_partition_gives_one_tile_of_a_key() -> None:
    fold = folded_tiles("max")
    found = list(fold([((0,), np.array([1.0])), ((1,), np.array([2.0])), ((0,), np.array([3.0]))]))
    assert [key for key, _ in found] == [(0,), (1,)]
    assert [float(tile[0]) for _, tile in found] == [3.0, 2.0]
