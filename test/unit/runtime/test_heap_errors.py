"""A heap of Spark's JVM that is full is an error with its statement and a block size that fits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import OutOfMemory, RunError
from diablo.runtime.engines.heap_errors import (
    explaining_heap,
    heap_message,
    note_tiles,
    worker_message,
)
from diablo.runtime.engines.spark import spark_context
from diablo.runtime.memory_limit import TASKS_BESIDE, free_memory

pytestmark = pytest.mark.spark
MORE_THAN_A_HEAP = 2_147_483_600
"""So many references take more than 8 GB."""


def fill_the_heap(sc: Any) -> None:
    sc._jvm.java.util.ArrayList(MORE_THAN_A_HEAP)


class Cluster:
    """What an error asks a context about."""

    master = "spark://there:7077"
    defaultParallelism = 8

    def getConf(self) -> dict[str, str]:
        return {"spark.executor.memory": "512m", "spark.executor.cores": "2"}


def test_the_message_has_a_block_size_that_fits():
    found = heap_message(Cluster(), [(10_000, (10_000, 10_000)), (10_000, (10_000,))])
    assert found.startswith(
        "Spark's JVM has 512 MiB, and tiles take up to 763 MiB; a block size of "
    )
    size = re.search(r"a block size of (\d+) needs less \(it is 10000\)", found)
    assert size is not None
    together = 2 * 40 * 8  # Cores, four times ten tiles, and bytes.
    assert together * int(size[1]) ** 2 <= 212 << 20 < together * (int(size[1]) + 1) ** 2
    small = heap_message(Cluster(), [(100, (100, 100))])
    assert "block size" not in small
    assert "more of spark.executor.memory helps" in small


def test_a_message_that_is_full_and_the_heap_of_the_driver():
    tiles = [(10_000, (10_000, 10_000))]
    sent = heap_message(Cluster(), tiles, is_sent=True)
    assert sent.startswith(
        "a message of Spark's has 128 MiB, and tiles take up to 763 MiB; a block"
    )
    assert sent.endswith("and more of spark.rpc.message.maxSize helps")
    driver = heap_message(Cluster(), tiles, is_drivers=True)
    assert "block size" not in driver
    assert driver.endswith("more of spark.driver.memory helps")


def test_a_worker_that_is_full():
    class Bounded(Cluster):
        def getConf(self) -> dict[str, str]:
            return {**super().getConf(), "spark.executor.pyspark.memory": "2g"}

    tiles = [(10_000, (10_000, 10_000))]
    assert worker_message(Cluster(), tiles) is None
    found = worker_message(Bounded(), tiles)
    assert found is not None
    assert found.startswith("a worker has 1 GiB, and tiles take up to 763 MiB; a block size of ")
    assert found.endswith("more of spark.executor.pyspark.memory helps")


def test_a_task_that_is_too_large_is_explained():
    sc = spark_context("local[2]")

    class Py4JError(Exception):
        """As Spark's scheduler has it, whose module is py4j's."""

        __module__ = "py4j.protocol"

    text = (
        "Job aborted due to stage failure: Serialized task 0:0 was 288000000 bytes, which "
        "exceeds max allowed: spark.rpc.message.maxSize (268435456 bytes)."
    )
    with pytest.raises(OutOfMemory, match="a message of Spark's has 256 MiB"), explaining_heap(sc):
        raise Py4JError(text)
    with pytest.raises(OutOfMemory, match="Spark's JVM has "), explaining_heap(sc):
        raise Py4JError("Job aborted due to stage failure: Reason: Command exited with code 52")
    with pytest.raises(Py4JError), explaining_heap(sc):
        raise Py4JError("Job aborted due to stage failure: a task failed")


def test_only_what_the_jvm_says_is_explained():
    sc = spark_context("local[2]")

    def cut_and_fill() -> None:
        note_tiles(40_000, [(40_000, 40_000)])
        fill_the_heap(sc)

    with pytest.raises(OutOfMemory) as error, explaining_heap(sc):
        cut_and_fill()
    assert re.search(r"a block size of \d+ needs less \(it is 40000\)", str(error.value))
    with pytest.raises(ZeroDivisionError), explaining_heap(sc):
        _ = 1 / 0


def test_a_program_says_the_statement(monkeypatch: pytest.MonkeyPatch):
    text = "input A: matrix[Double];\nvar B = A @ A;\n+/[ b | ((i,j),b) <- B ];"
    program = diablo.compile(text, engine="spark", master="local[2]", block_size=30)
    A = np.eye(90)
    assert program(A=A) == 90
    sc = spark_context("local[2]")

    def full(self: Any, *_: Any) -> None:
        fill_the_heap(sc)

    monkeypatch.setattr("pyspark.core.rdd.RDD.fold", full)
    with pytest.raises(RunError) as error:
        program(A=A)
    first, line, _ = str(error.value).splitlines()
    assert re.match(r"<program>:3:1: error: out of memory: Spark's JVM has ", first)
    assert line.strip().startswith("+/[ b")


def test_workers_share_what_is_free(tmp_path: Path):
    sc = spark_context("local[2]")

    def limit(_: int) -> tuple[int, int]:
        from diablo.runtime import memory_limit

        return memory_limit._default_limit()[0], memory_limit.free_memory()  # pyright: ignore[reportPrivateUsage]

    assert sc.environment[TASKS_BESIDE] == "2"
    for limited, free in sc.parallelize(range(2), 2).map(limit).collect():
        assert limited < 0.6 * free


def test_a_limit_on_addresses_counts(monkeypatch: pytest.MonkeyPatch):
    import resource

    before = free_memory()
    soft = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (size + (64 << 20), soft[1]))
    assert free_memory() <= 64 << 20 < before
