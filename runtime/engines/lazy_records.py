"""The records of a result, which stay where they are until someone wants them.

source = LazyRecords(rdd)
records = source.collect()          # once; then Spark need keep nothing for them

source.compute()                    # or they are computed, and stay where they are
source.close()

Files of blocks that are lost meanwhile are made anew by doing the call once more, where it is known
that its inputs are still what they were; else they are a failure, with the line of the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from os.path import basename
from typing import Any, TypeVar

from diablo.diagnostics import LostBlock, RunError
from diablo.runtime.engines.job_names import line_of_records, name_job, naming
from diablo.runtime.engines.keeping import Kept, belonging_to, persist_to_end, release_dead
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.local_rdd import LocalRDD
from diablo.runtime.engines.running import running
from diablo.runtime.engines.spark import spark_context
from diablo.runtime.engines.spark_errors import as_run_errors, java_has_ended
from diablo.runtime.engines.spark_statistics import counted_by, current_watch
from diablo.runtime.memory_limit import limited, result_limit
from diablo.runtime.progress import doing, is_shown, showing

_Result = TypeVar("_Result")

IS_CLOSED = "this was closed, and its elements are gone"
SPARK_ENDED = "this was with Spark, which has ended, and its elements are gone"
"""The error where records are looked at that have been let go."""


class LazyRecords:
    """An RDD, and what its call has kept on Spark for it."""

    def __init__(self, rdd: Any):
        self._rdd: Any = rdd
        self._kept: Kept | None = None
        self._records: Callable[[], Iterable[Any]] | None = None
        self._context: Any = None
        self._shown = is_shown()
        self._memory = result_limit()
        self._watch = current_watch()
        self._when_collected: Callable[[], None] | None = None
        self.again: Callable[[], LazyRecords] | None = None
        """What does the call once more, without files; None, if its inputs may have changed."""
        self.line: int | None = None
        """The line of the statement that has made the result, if it is not known better."""
        self.sources: dict[str, str] | None = None
        """The text of the program by the name of its file, for what fails later."""
        self.stays = False
        """Whether the records are computed, and are with Spark until they are let go."""
        self.is_closed = False

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process the records travel, which are in that process then."""
        records = self.collect() if self._records is None else list(self._records())
        return local_records, (records,)

    @property
    def on_spark(self) -> Any:
        """The RDD, if it is one of Spark's."""
        return self._rdd if hasattr(self._rdd, "_jrdd") else None

    @property
    def only(self) -> Any:
        """The record, if there is one and it is in this process, as what this process computes is.

        Nothing fails or takes memory where it is looked at, so no run need be set up for that.
        """
        self._check_open()
        return self.only_here

    @property
    def only_here(self) -> Any:
        """The record, if there is one and it is in this process, and was not let go."""
        rdd = self._rdd
        if not isinstance(rdd, LocalRDD) or len(rdd.partitions) != 1:
            return None
        (partition,) = rdd.partitions
        return partition[0] if len(partition) == 1 else None

    def needs(self, kept: Kept, when_collected: Callable[[], None] | None = None) -> None:
        """Keep what the RDD is computed from until its records are collected."""
        self._kept = kept
        self._when_collected = when_collected

    @contextmanager
    def as_in_the_run(self) -> Generator[None]:
        """Let what is done inside take as much memory as the run, and fail as it does."""
        try:
            with (
                limited(self._memory),
                as_run_errors(),
                belonging_to(self._kept),
                counted_by(self._watch),
            ):
                yield
        except RunError as error:
            raise self._located(error) from error.__cause__

    @contextmanager
    def _named(self, context: Any) -> Generator[None]:
        """Name jobs and stages of Spark after the statement that the records are of."""
        if not hasattr(context, "setJobDescription"):
            yield
            return
        known = self.line is not None and self.sources
        place = f"{basename(next(iter(self.sources or ())))}:{self.line}" if known else None
        with naming(context):
            name_job(context, place)
            yield

    def _located(self, error: RunError) -> RunError:
        """Return the error with the line of the source, as far as that is known."""
        if isinstance(error, LostBlock) and error.line is None and self.on_spark is not None:
            error.line = line_of_records(self._rdd) or self.line
        return error if self.sources is None else error.with_source(self.sources)

    def _unless_lost(self, function: Callable[[], _Result]) -> _Result:
        """Return a function's result, called once more if the file of a block is gone."""
        try:
            return function()
        except RunError as error:
            is_lost = isinstance(error, LostBlock) or isinstance(error.__context__, LostBlock)
            if not is_lost or self.again is None:
                raise
        other, self.again = self.again(), None
        self._rdd, self._kept, self._when_collected = other._rdd, other._kept, None
        return function()

    def compute(self) -> None:
        """Compute records of Spark, which keeps them there, and not what they are made of."""
        self._unless_lost(self._compute)

    def _compute(self) -> None:
        rdd, before = self.on_spark, self._kept
        if rdd is None or self.stays:
            return
        made = Kept()
        made.in_files = before is not None and before.in_files
        computed = rdd.mapPartitions(_same, preservesPartitioning=True)
        with (
            self.as_in_the_run(),
            belonging_to(made),
            showing(self._shown),
            doing(running(rdd.ctx)),
            self._named(rdd.ctx),
        ):
            persist_to_end(computed)._jrdd.count()
        if self._when_collected is not None:
            self._when_collected()
            self._when_collected = None
        if before is not None:
            if _loses_nothing(rdd.ctx):
                before.leave_broadcasts_to(made)
            else:
                made.others.append(before)  # What is lost is computed again.
        self._rdd, self._kept, self.stays, self.again = computed, made, True, None
        release_dead()

    def stay(self, kept: Kept) -> None:
        """Note that the records are with Spark already, which keeps them."""
        self._kept, self.stays = kept, True

    def lend_to(self, kept: Kept) -> None:
        """Have what Spark keeps for the records stay for what is made of them, also when closed."""
        if self._kept is not None:
            kept.others.append(self._kept)

    def close(self) -> None:
        """Let go of the records, wherever they are, but for what others are made of, and keep."""
        self._rdd, self._kept, self._records, self.again = None, None, None, None
        self.is_closed, self.stays = True, False
        release_dead()

    @property
    def why_gone(self) -> str | None:
        """Why the records are not there any more, if they are not."""
        if self.is_closed:
            return IS_CLOSED
        rdd = self.on_spark
        return SPARK_ENDED if rdd is not None and _has_ended(rdd.ctx) else None

    def _check_open(self) -> None:
        if (why := self.why_gone) is not None:
            raise RunError(why)

    def collect(self) -> list[Any]:
        """All records."""
        self._check_open()
        return self._unless_lost(self._collect)

    def _collect(self) -> list[Any]:
        with self.as_in_the_run():
            rdd = self._rdd if self._rdd is not None else self.rdd()
            context = None if self.on_spark is None else rdd.ctx
            with showing(self._shown), doing(running(context)), self._named(context):
                records = rdd.collect()
            if self._when_collected is not None:
                self._when_collected()
            return records

    def collected(self, records: Callable[[], Iterable[Any]]) -> None:
        """Note that the caller has all, and `records` gives them if there must be an RDD again."""
        if self._kept is not None and not self.stays:
            self._context, self._records = self._rdd.ctx, records
            self._rdd, self._kept, self.again = None, None, None
            release_dead()

    def rdd(self) -> Any:
        """The RDD, for someone who may keep it for as long as they like."""
        self._check_open()
        if self._kept is not None and not self.stays:
            self._kept.leave_to_spark()
        if self._rdd is None and self._records is not None:
            if _has_ended(self._context):
                self._context = spark_context(self._context.master)
            self._rdd = self._context.parallelize(list(self._records()))
        return self._rdd


def _has_ended(context: Any) -> bool:
    """Return whether a SparkContext was stopped, or its Java process has ended."""
    return getattr(context, "_jsc", context) is None or java_has_ended()


def _same(records: Iterable[Any]) -> Iterable[Any]:
    return records


def _loses_nothing(context: Any) -> bool:
    """Whether what Spark keeps is there for as long as Spark is: with the driver's own process."""
    return str(context.master).startswith("local") and not context.master.startswith("local-")


def local_records(records: list[Any]) -> LazyRecords:
    """Records that are in this process."""
    return LazyRecords(LocalContext().parallelize(records))
