"""Records of an RDD of Spark where their keys belong, written as soon as they are many bytes.

    partitioned(tiles, 4, grid)      # as tiles.partitionBy(4, grid), records of which are large

PySpark's own `partitionBy` cuts what a task writes by the number of records: some ten for each
partition wait in the worker, and are one value for the JVM, which has it several times while it is
written, read and kept. Ten tiles are much for the heap of an executor.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from diablo.costs import MOST_TOGETHER
from diablo.runtime.engines.data_sizes import data_size

_RECORDS = 10_000
"""So many records are written together at most, however small they are."""


def partitioned(rdd: Any, count: int, number: Callable[[Any], int]) -> Any:
    """Return the records of an RDD in `count` partitions: `number` of their key says in which.

    An RDD that is partitioned so already is returned as it is.
    """
    records: Any = import_module("pyspark.core.rdd")
    partitioner = records.Partitioner(count, number)
    if rdd.partitioner == partitioner:
        return rdd
    context: Any = rdd.ctx
    serializer = context._unbatched_serializer
    keyed = rdd.mapPartitionsWithIndex(_Writer(serializer, count, number), True)
    keyed._bypass_serializer = True  # What is written is bytes already.
    jvm = context._jvm
    with import_module("pyspark.traceback_utils").SCCallSiteSync(context):
        pairs = jvm.PairwiseRDD(keyed._jrdd.rdd()).asJavaPairRDD()
        moved = pairs.partitionBy(jvm.PythonPartitioner(count, id(number)))
    written = import_module("pyspark.serializers").BatchedSerializer(serializer)
    found = records.RDD(jvm.PythonRDD.valueOfPair(moved), context, written)
    found.partitioner = partitioner
    return found


class _Writer:
    """For `mapPartitionsWithIndex`: the number of a partition, and some of its records, in turn."""

    def __init__(self, serializer: Any, count: int, number: Callable[[Any], int]):
        self.serializer = serializer
        self.count = count
        self.number = number

    def __call__(self, split: int, records: Iterable[tuple[Any, Any]]) -> Iterator[bytes]:
        waiting: dict[int, list[Any]] = {}
        held = size = 0
        for record in records:
            waiting.setdefault(self.number(record[0]) % self.count, []).append(record)
            held, size = held + 1, size + data_size(record)
            if size >= MOST_TOGETHER or held == _RECORDS:
                yield from self.write_for_shuffle(waiting)
                held = size = 0
        yield from self.write_for_shuffle(waiting)

    def write_for_shuffle(self, waiting: dict[int, list[Any]]) -> Iterator[bytes]:
        """The bytes of what waits, which waits no longer."""
        for number in list(waiting):
            yield struct.pack(">q", number)
            yield self.serializer.dumps(waiting.pop(number))
