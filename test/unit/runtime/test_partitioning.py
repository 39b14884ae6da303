"""Records are written for a shuffle once they are many bytes, and lie as PySpark lays them."""

import pickle
import struct
from typing import Any

import numpy as np
import pytest

from diablo.runtime.engines import partitioning
from diablo.runtime.engines.partitioning import partitioned


class Pickles:
    def dumps(self, value: Any) -> bytes:
        return pickle.dumps(value)


def written(records: list[tuple[int, Any]], count: int) -> list[tuple[int, list[int]]]:
    """The numbers of partitions, and the keys that are written for each, in the order in which."""
    writer = partitioning._Writer(Pickles(), count, lambda key: key)
    found = list(writer(0, iter(records)))
    numbers = [struct.unpack(">q", number)[0] for number in found[::2]]
    return [
        (number, [key for key, _ in pickle.loads(data)])
        for number, data in zip(numbers, found[1::2], strict=True)
    ]


def test_large_records_do_not_wait_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitioning, "MOST_TOGETHER", 1000)
    tile = np.zeros(75)
    found = written([(key, tile) for key in range(6)], 2)
    assert found == [(0, [0]), (1, [1]), (0, [2]), (1, [3]), (0, [4]), (1, [5])]


def test_small_records_are_written_together() -> None:
    found = written([(key, np.zeros(3)) for key in range(6)], 2)
    assert found == [(0, [0, 2, 4]), (1, [1, 3, 5])]
    assert written([], 2) == []


def test_many_records_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitioning, "_RECORDS", 2)
    assert written([(key, key) for key in range(5)], 1) == [(0, [0, 1]), (0, [2, 3]), (0, [4])]


@pytest.mark.spark
def test_records_lie_as_pyspark_lays_them() -> None:
    from diablo.runtime.engines.spark import spark_context

    def grid(key: int) -> int:
        return key % 3

    sc = spark_context("local[2]")
    rdd = sc.parallelize([(key, np.full(5, key)) for key in range(20)], 4)
    found = partitioned(rdd, 3, grid)
    assert partitioned(found, 3, grid) is found
    assert found.partitionBy(3, grid) is found
    keys = [sorted(key for key, _ in part) for part in found.glom().collect()]
    assert keys == [sorted(range(first, 20, 3)) for first in range(3)]
    assert all((values == key).all() for key, values in found.collect())
