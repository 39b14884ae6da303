"""Counts of rows that Spark's workers make, which reach the driver when their tasks end.

    counts = WorkerCounts(sc, row_counts)               # of one call
    A.map(on_rows(counted(kernel_0)))                   # the emitted program, within that call
    counts.tell()                                       # once a job is done: warns

Each task says how much each of its operations has made, in an accumulator; what is computed
again counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from itertools import count
from typing import Any

from diablo.context_values import Holding
from diablo.runtime.rows.row_counts import AtMost, Counts, Place, RowCounts, telling


class _Largest:
    """How two parts of the accumulator become one: of each place the larger counts."""

    def zero(self, value: Any) -> dict[Place, Counts]:
        """Return what a task begins with."""
        return {}

    def addInPlace(
        self, value1: dict[Place, Counts], value2: Mapping[Place, Counts]
    ) -> dict[Place, Counts]:
        """The first, with what the second has more."""
        for place, counts in value2.items():
            value1[place] = max(value1.get(place, counts), counts)
        return value1


class WorkerCounts:
    """What the workers of one call count."""

    def __init__(self, sc: Any, counts: RowCounts):
        self._accumulator = sc.accumulator({}, _Largest())
        self._counts = counts
        self._operations = count()

    def counted(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel whose rows are counted, as one operation."""
        return _Counted(kernel, self._accumulator, next(self._operations))

    def tell(self) -> None:
        """Warn of what has been counted so far, where that was not done."""
        self._counts.note_elsewhere(self._accumulator.value)


class _Counted:
    """A kernel that tells the accumulator what it makes."""

    def __init__(self, kernel: Callable[..., Any], accumulator: Any, operation: int):
        self.kernel = kernel
        self.accumulator = accumulator
        self.operation = operation
        self.counts: dict[Place, Counts] = {}
        """What this task has made."""

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        with telling(self):
            return self.kernel(*arguments)

    def note(self, rows: int, left: int, right: int, at: str, at_most: AtMost) -> None:
        """Add to what this task has made."""
        from pyspark import TaskContext

        task = TaskContext.get()
        place = self.operation, -1 if task is None else task.partitionId(), at, at_most
        before = self.counts.get(place, (0, 0, 0))
        self.counts[place] = before[0] + rows, before[1] + left, before[2] + right
        self.accumulator.add({place: self.counts[place]})


_current: ContextVar[WorkerCounts | None] = ContextVar("diablo_worker_counts", default=None)


def counting_workers(sc: Any, counts: RowCounts) -> AbstractContextManager[WorkerCounts | None]:
    """Count what workers make for what runs inside, if `sc` is a SparkContext."""
    if not hasattr(sc, "accumulator"):
        return nullcontext()
    return Holding(_current, WorkerCounts(sc, counts))


def counted(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel, whose rows are counted where workers of Spark make them."""
    workers = _current.get()
    return kernel if workers is None else workers.counted(kernel)
