"""Records that the driver gives to Spark, and how they are sent once to where they are kept.

    tiles = given(sc, records, 4, size)       # as sc.parallelize(records, 4)
    tiles = sent_once(tiles).persist()        # behind a shuffle, if they are many bytes

Spark sends a task all of its partition of what the driver has given, and does so again for each
job, also where the partition is kept on the heap of the executor and nothing of what is sent is
read: a loop that keeps a matrix would send it in each iteration. What is behind a shuffle is sent
once, and is found in the files of that where an executor with a kept partition is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from diablo.costs import LEAST_SENT_ONCE
from diablo.runtime.engines.job_names import name_stage


def given(
    sc: Any,
    records: Sequence[Any],
    count: int,
    size: int,
    then: Callable[[Any], Any] | None = None,
) -> Any:
    """Return an RDD of records in so many slices, of so many bytes, or what is made of it `then`.

    It knows how `sent_once` makes the same of records that tasks have not to be sent. Each is one
    of the JVM's: there are as many as slices, or the context makes no batches of several.
    """
    first = sc.parallelize(records, count)
    made = first if then is None else then(first)
    if size >= count * LEAST_SENT_ONCE:

        def behind_shuffle() -> Any:
            moved = _shuffled(first, len(records), count)
            return moved if then is None else then(moved)

        made.behind_shuffle = behind_shuffle
    return made


def sent_once(rdd: Any) -> Any:
    """Return the records of an RDD, of which tasks are sent nothing but with its first job."""
    behind_shuffle = getattr(rdd, "behind_shuffle", None)
    if behind_shuffle is None:
        return rdd
    made = behind_shuffle()
    made.partitioner = rdd.partitioner
    return made


def _shuffled(rdd: Any, length: int, count: int) -> Any:
    """Return given records behind a shuffle of the JVM's, in which none leaves its partition."""
    name_stage()
    jvm = rdd.ctx._jvm
    numbers = jvm.java.util.ArrayList()
    for number in range(count):  # As Spark cuts a list into slices.
        records = (number + 1) * length // count - number * length // count
        numbers.addAll(jvm.java.util.Collections.nCopies(records, number))
    pairs = rdd.ctx._jsc.parallelize(numbers, count).zip(rdd._jrdd)
    moved = pairs.partitionBy(jvm.org.apache.spark.HashPartitioner(count)).values()
    return type(rdd)(moved, rdd.ctx, rdd._jrdd_deserializer)
