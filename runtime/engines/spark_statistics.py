"""What calls of a program ask of Spark: jobs, tasks, bytes, and the time of its tasks.

    with watching() as watch:             # a call, which may leave results lazy
        …
    watch.statistics()                    # of all jobs since; none if nothing ran on Spark

The numbers are those of Spark's own pages, read from where these get them. While tasks run
nothing is counted but the bytes of broadcasts; if it is asked for, also what Spark does not see:
the seconds of kernels, and the bytes of blocks in files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any

from diablo.context_values import Holding
from diablo.runtime.engines.data_sizes import data_size


@dataclass(frozen=True)
class SparkStatistics:
    """What was asked of Spark."""

    jobs: int = 0
    stages: int = 0
    tasks: int = 0
    bytes_shuffled: int = 0
    """What tasks have written for others. Of blocks in files Spark has their names alone: if it was
    asked for before the call (`watching(closely=True)`), what these name is in it."""
    bytes_collected: int = 0
    """What tasks have returned to the driver."""
    bytes_broadcast: int = 0
    bytes_stored: int = 0
    """What Spark keeps at this moment, in memory, on disk and in files of blocks; the most that it
    was at a time, if that was asked for before the call."""
    seconds_in_tasks: float = 0.0
    """The time of all tasks together, workers included."""
    seconds_of_jvm: float = 0.0
    """What of that processors have worked in the JVM: the rest is Python's, and waiting."""
    seconds_in_kernels: float | None = None
    """What of that kernels have taken, machine code that is compiled first included, if it was
    asked for before the call."""
    seconds_crossing: float | None = None
    """What processors have worked in workers to read records that the JVM sends, and to write those
    that it is sent, if it was asked for before the call: to wait for the JVM is not in it."""
    seconds_crossing_here: float | None = None
    """The same of the driver, which writes what it distributes and reads what it collects."""
    seconds_in_jobs: float = 0.0
    """The time from the beginning of each job to its end, added up."""
    seconds_beside_jobs: float = 0.0
    """What else the call took until it returned: the driver's own work, and PySpark's, which makes
    each job and speaks with the JVM."""
    seconds_compiling: float = 0.0
    """What it took to compile the program for the inputs of the call."""

    @property
    def seconds_of_rest(self) -> float | None:
        """What is left of the time of tasks: Python's own work beside kernels, and waiting."""
        if self.seconds_in_kernels is None:
            return None
        known = self.seconds_of_jvm + self.seconds_in_kernels + (self.seconds_crossing or 0.0)
        return max(0.0, self.seconds_in_tasks - known)

    def table(self) -> str:
        """A line for each number."""
        lines: list[str] = []
        for name in (*[field.name for field in fields(self)], "seconds_of_rest"):
            value = getattr(self, name)
            if value is None:
                continue
            text = f"{value:,.3f}" if isinstance(value, float) else f"{value:,}"
            lines.append(f"{name.replace('_', ' '):<24}{text:>18}\n")
        return "".join(lines)


@dataclass
class Adds:
    """A sum of numbers, as an accumulator of Spark's is one for tasks."""

    value: float = 0.0

    def add(self, term: float) -> None:
        """Add a number."""
        self.value += term


class Watch:
    """Where a call began, among what its context has done."""

    def __init__(self, closely: bool = False) -> None:
        self._context: Any = None
        self._first = 0
        self._began = 0.0
        self._took = 0.0
        self._last = 0
        """How many jobs there had been when the call returned."""
        self._broadcast = 0
        self._most_stored = 0
        self.is_close = closely
        self.kernels: Any = None
        """The accumulator of the seconds that kernels take in workers, if they are counted."""
        self.shuffled: Any = None
        """The accumulator of the bytes that are shuffled by the name of a file, if they are."""
        self.crossing: Any = None
        """The accumulator of the seconds that workers read and write records, if they are."""
        self.crossing_here: Adds | None = None
        self.seconds_compiling = 0.0

    def begin(self, context: Any) -> None:
        """Count what a context does from now on; in this process there is nothing to count."""
        if hasattr(context, "_jsc"):
            self._context = context
            self._first = self._last = int(_scheduler(context).numTotalJobs())
            self._began, self._took = perf_counter(), 0.0
            if self.is_close:
                self.kernels, self.shuffled = context.accumulator(0.0), context.accumulator(0)
                # Who has made the context may let records cross in another way.
                if hasattr(context._unbatched_serializer, "crossing"):
                    self.crossing, self.crossing_here = context.accumulator(0.0), Adds()

    def end(self) -> None:
        """Note that the call returns now; what is lazy may run later."""
        if self._context is not None and self._context._jsc is not None:
            self._took = perf_counter() - self._began
            self._last = int(_scheduler(self._context).numTotalJobs())

    def add_broadcast(self, value: Any) -> None:
        """Count what is sent to all workers."""
        self._broadcast += data_size(value)

    def note_stored(self, in_files: int) -> None:
        """Note what is stored now, in files and by Spark itself, before some of it is let go."""
        if self._context is not None and self._context._jsc is not None:
            now = in_files + _stored_by_spark(self._context)
            self._most_stored = max(self._most_stored, now)

    def statistics(self) -> SparkStatistics | None:
        """Return what has been asked of Spark since the beginning, if it was Spark that ran."""
        context = self._context
        if context is None or context._jsc is None:
            return None
        spark = context._jsc.sc()
        with suppress(Exception):  # What is still on its way there is not counted.
            spark.listenerBus().waitUntilEmpty(5_000)
        store = spark.statusStore()
        jobs, stages, in_jobs, in_call = 0, dict[int, Any](), 0.0, 0.0
        for number in range(self._first, int(_scheduler(context).numTotalJobs())):
            with suppress(Exception):  # Spark forgets the oldest ones.
                job = store.job(number)
                jobs += 1
                begun, ended = job.submissionTime(), job.completionTime()
                if begun.isDefined() and ended.isDefined():
                    took = (ended.get().getTime() - begun.get().getTime()) / 1e3
                    in_jobs += took
                    in_call += took if number < self._last else 0.0
                ids = job.stageIds()
                for k in range(ids.size()):
                    stages[int(ids.apply(k))] = store.lastStageAttempt(ids.apply(k))
        ran = [stage for stage in stages.values() if stage.numCompleteTasks()]
        in_files = 0 if self.shuffled is None else int(self.shuffled.value)
        return SparkStatistics(
            jobs,
            len(ran),
            sum(int(stage.numCompleteTasks()) for stage in ran),
            in_files + sum(int(stage.shuffleWriteBytes()) for stage in ran),
            sum(int(stage.resultSize()) for stage in ran),
            self._broadcast,
            max(self._most_stored, _stored_by_spark(context)),
            sum(int(stage.executorRunTime()) for stage in ran) / 1e3,
            sum(int(stage.executorCpuTime()) for stage in ran) / 1e9,
            None if self.kernels is None else float(self.kernels.value),
            None if self.crossing is None else float(self.crossing.value),
            None if self.crossing_here is None else self.crossing_here.value,
            in_jobs,
            max(0.0, self._took - in_call),
            self.seconds_compiling,
        )


def stored_bytes(rdds: Sequence[Any]) -> int:
    """Return how many bytes Spark itself stores of some RDDs, in memory and on disk."""
    ids = {int(rdd.id()) for rdd in rdds if hasattr(rdd, "_jrdd")}
    if not ids:
        return 0
    infos = rdds[0].ctx._jsc.sc().getRDDStorageInfo()
    return sum(int(info.memSize()) + int(info.diskSize()) for info in infos if info.id() in ids)


def _stored_by_spark(context: Any) -> int:
    """Return how many bytes Spark itself stores, in memory and on disk."""
    kept = context._jsc.sc().statusStore().rddList(True)
    stored = [kept.apply(k) for k in range(kept.size())]
    return sum(int(rdd.memoryUsed()) + int(rdd.diskUsed()) for rdd in stored)


def _scheduler(context: Any) -> Any:
    return context._jsc.sc().dagScheduler()


_watch: ContextVar[Watch | None] = ContextVar("diablo_watch", default=None)


def watching(closely: bool = False) -> Holding[Watch]:
    """Count what runs in this context; `closely`, if one likes, also what Spark does not see.

    Each task tells that to the driver, which takes it a moment.
    """
    return Holding(_watch, Watch(closely))


def current_watch() -> Watch | None:
    """Return what counts what runs in this context, if somebody does."""
    return _watch.get()


def counted_by(watch: Watch | None) -> Holding[Watch | None]:
    """Let what runs in this context be counted as a part of what ran before."""
    return Holding(_watch, watch)


def begin_watching(context: Any) -> None:
    """Note the context that a program is about to run in, if somebody counts."""
    if (watch := _watch.get()) is not None:
        watch.begin(context)


def end_watching() -> None:
    """Note that the program has run, if somebody counts."""
    if (watch := _watch.get()) is not None:
        watch.end()


def note_broadcast(value: Any) -> None:
    """Note what is sent to all workers, if somebody counts."""
    if (watch := _watch.get()) is not None:
        watch.add_broadcast(value)


def shuffled_by_name() -> Any:
    """Return the accumulator of the bytes that are shuffled by name, if somebody counts them."""
    watch = _watch.get()
    return None if watch is None else watch.shuffled


def crossing_in_tasks() -> Any:
    """Return the accumulator of the seconds that records cross in workers, if they are counted."""
    watch = _watch.get()
    return None if watch is None else watch.crossing


def crossing_here() -> Adds | None:
    """Return the sum of the seconds that records cross in this process, if they are counted."""
    watch = _watch.get()
    return None if watch is None else watch.crossing_here


def note_stored(in_files: Callable[[], int]) -> None:
    """Note what is stored at a moment before some of it is let go, if somebody counts it.

    `in_files` returns how much is in files of blocks.
    """
    if (watch := _watch.get()) is not None and watch.is_close:
        watch.note_stored(in_files())


def timed(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel, whose time is counted where workers of Spark run it, if that is asked for."""
    watch = _watch.get()
    seconds = None if watch is None else watch.kernels
    return kernel if seconds is None else _Timed(kernel, seconds)


class _Timed:
    """A kernel that adds what it takes to an accumulator."""

    def __init__(self, kernel: Callable[..., Any], seconds: Any):
        self.kernel = kernel
        self.seconds = seconds

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        started = perf_counter()
        result = self.kernel(*arguments)
        self.seconds.add(perf_counter() - started)
        return result
