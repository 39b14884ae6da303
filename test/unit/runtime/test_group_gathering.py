"""Groups that the driver alone reads are the same wherever they are brought together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.program import group_gathering
from diablo.runtime.program.group_gathering import gather_groups
from diablo.runtime.rows.grouping import group_reduce

ROOT = Path(__file__).parents[3]


class Counted:
    """A kernel that says how many rows it was given."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def __call__(self, rows: Any) -> Any:
        self.rows.append(len(rows[0]))
        return group_reduce(rows, 1, ["add"])


def _rows(*batches: tuple[list[int], list[float]]) -> Any:
    columns = [(np.array(keys), np.array(values)) for keys, values in batches]
    return LocalContext(1).parallelize(columns, len(columns))


def test_few_groups_come_to_the_driver_at_once():
    kernel = Counted()
    rows = _rows(([1, 2], [1.0, 2.0]), ([2, 3], [4.0, 8.0]))
    found = gather_groups(rows, kernel, (0,), 2, ("i8", "f8"), ("i8", "f8"))
    assert kernel.rows == [4]
    assert dict(zip(*found, strict=True)) == {1: 1.0, 2: 6.0, 3: 8.0}


def test_many_groups_are_shuffled(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(group_gathering, "MOST_COMBINED_BYTES", 40)
    kernel = Counted()
    rows = _rows(([1, 2], [1.0, 2.0]), ([2, 3], [4.0, 8.0]))
    for _ in range(2):
        kernel.rows.clear()
        found = gather_groups(rows, kernel, (0,), 4, ("i8", "f8"), ("i8", "f8"))
        assert len(kernel.rows) > 1
        assert dict(zip(*found, strict=True)) == {1: 1.0, 2: 6.0, 3: 8.0}
    assert id(kernel) in group_gathering._shuffled


def test_no_rows_are_no_groups():
    none = LocalContext(1).parallelize([], 1)
    keys, values = gather_groups(none, Counted(), (0,), 2, ("i8", "f8"), ("i8", "f8"))
    assert len(keys) == len(values) == 0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("most", [0, 1 << 25])
@pytest.mark.parametrize("block_size", [3, 100])
def test_programs_find_the_same(block_size: int, most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(group_gathering, "MOST_COMBINED_BYTES", most)
    source = ROOT / "examples/kmeans.diablo"
    program = diablo.compile(source, block_size=block_size)
    points = np.random.default_rng(0).random((40, 2))
    centres = [(k, x, y) for k, (x, y) in enumerate(points[:10])]
    inputs = {"P": points, "C": centres, "K": 10, "steps": 3}
    expected = diablo.compile(source)(**inputs)
    for found, wanted in zip(program(**inputs), expected, strict=True):
        np.testing.assert_allclose(found, wanted)
    assert "gather_groups(" in program.ir("pyspark")
