"""The local engine: what takes the place of Spark in this process, and its threads.

`LocalContext` and `LocalRDD` (local_rdd.py) stand where an emitted program has `SparkContext`
and `RDD`. Threads work on the partitions of an RDD (NumPy, SciPy and compiled kernels release
the interpreter lock); one of a single partition is worked on by the caller.

All tiles of an array are neighbours here, in one memory, and what a kernel does with neighbours is
one loop, which it cuts for the threads itself. So an array is one tile, whatever edge tiles are to
have: nothing is copied into tiles, sent to where its key is, or put together again. Only who asks
a result for its tiles gets those of that edge.

    sc = LocalContext()
    sc.parallelize([((0,), 1.0), ((1,), 2.0)]).mapValues(lambda v: v + 1).collect()
    # [((0,), 2.0), ((1,), 3.0)]
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import chain
from typing import Any, Generic, TypeVar

import numpy as np

from diablo.runtime.engines.local_rdd import LocalRDD, Partition, slices
from diablo.runtime.engines.tile_mode import tile_mode
from diablo.runtime.forking import fork_safe_lock
from diablo.runtime.native.thread_team import thread_count
from diablo.runtime.rows.row_counts import counted_together

T = TypeVar("T")
_WORKER = threading.local()
_starting = fork_safe_lock()


class LocalBroadcast(Generic[T]):
    """A value that every task may read; in one process it is the value itself."""

    def __init__(self, value: T):
        self.value = value

    def unpersist(self, blocking: bool = False) -> None:
        """Nothing to release."""

    destroy = unpersist


class LocalContext:
    """Runs the operations of its RDDs on `threads` threads (default: as many as kernels use)."""

    cuts_arrays = False
    """Whether arrays are cut into tiles where the caller wants no block size."""

    def __init__(self, threads: int | None = None):
        self.defaultParallelism = threads or thread_count()
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process has threads of its own."""
        return LocalContext, ()

    def tile_edge(self, wanted: int | None) -> int | None:
        """The block size that a program has here whose caller wants another; None: no cuts.

        Smaller tiles would be of no use: kernels cut their work for the threads, by rows of dense
        arrays and by stored entries of sparse ones, and an edge that suits a dense matrix is a
        poor one for a vector or a sparse matrix.
        """
        return wanted if wanted is not None and tile_mode() == "apart" else None

    def parallelize(self, c: Iterable[Any], numSlices: int | None = None) -> LocalRDD:
        """An RDD of the given records, in `numSlices` partitions of neighbours."""
        records = list(c)
        return LocalRDD(self, slices(records, numSlices or self.defaultParallelism))

    def emptyRDD(self) -> LocalRDD:
        """An RDD without records."""
        return LocalRDD(self, [])

    def broadcast(self, value: T) -> LocalBroadcast[T]:
        """The value as every task sees it, in `.value`."""
        return LocalBroadcast(value)

    def union(self, rdds: Sequence[LocalRDD]) -> LocalRDD:
        """The records of all `rdds`, one after the other."""
        return LocalRDD(self, list(chain.from_iterable(rdd.partitions for rdd in rdds)))

    def stop(self) -> None:
        """Ends the threads; the next operation that needs them starts new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __enter__(self) -> LocalContext:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def run(
        self, function: Callable[[Any], Partition], partitions: Sequence[Any]
    ) -> list[Partition]:
        """`function` of each partition, in order; the first failure is raised when all is quiet."""
        if len(partitions) < 2:
            return [function(partition) for partition in partitions]
        function = counted_together(function)
        if (
            self.defaultParallelism == 1
            # A task that starts operations runs them itself: waiting for a free thread of
            # the pool from within the pool could wait for ever.
            or getattr(_WORKER, "busy", False)
        ):
            return [function(partition) for partition in partitions]
        threads = self._threads()
        # A task that failed holds its error, whose frames are not to hold the task.
        tasks = deque(threads.submit(function, partition) for partition in partitions)
        results: list[Partition] = []
        try:
            while tasks:
                results.append(tasks.popleft().result())
        except BaseException as failure:
            for task in tasks:
                task.cancel()
            # What has begun would otherwise go on beside what the caller does next, outside of
            # the memory limit of this run. Whoever interrupts does not want to wait.
            if isinstance(failure, Exception):
                wait(tasks)
            tasks.clear()
            raise
        return results

    def _threads(self) -> ThreadPoolExecutor:
        with _starting:
            if self._pool is None or self._process != os.getpid():  # A child has no threads yet.
                self._process = os.getpid()
                self._pool = ThreadPoolExecutor(
                    self.defaultParallelism, "diablo-local", initializer=_mark_worker
                )
            return self._pool


def _mark_worker() -> None:
    _WORKER.busy = True
    np.seterr(all="ignore")  # As where programs start; threads do not inherit that.
