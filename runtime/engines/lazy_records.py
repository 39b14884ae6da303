"""The records of a result, which stay where they are until someone wants them.

source = LazyRecords(rdd)
records = source.collect()          # once; then Spark need keep nothing for them
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from diablo.runtime.engines.keeping import Kept, belonging_to, release_dead
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.running import running
from diablo.runtime.engines.spark_errors import as_run_errors
from diablo.runtime.memory_limit import limited, result_limit
from diablo.runtime.progress import doing, is_shown, showing


class LazyRecords:
    """An RDD, and what its call has kept on Spark for it."""

    def __init__(self, rdd: Any):
        self._rdd: Any = rdd
        self._kept: Kept | None = None
        self._records: Callable[[], Iterable[Any]] | None = None
        self._context: Any = None
        self._shown = is_shown()
        self._memory = result_limit()
        self._when_collected: Callable[[], None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process the records travel, which are in that process then."""
        records = self.collect() if self._records is None else list(self._records())
        return local_records, (records,)

    @property
    def on_spark(self) -> Any:
        """The RDD, if it is one of Spark's."""
        return self._rdd if hasattr(self._rdd, "_jrdd") else None

    def needs(self, kept: Kept, when_collected: Callable[[], None] | None = None) -> None:
        """Keep what the RDD is computed from until its records are collected."""
        self._kept = kept
        self._when_collected = when_collected

    @contextmanager
    def as_in_the_run(self) -> Generator[None]:
        """What is done inside may take as much memory as the run, and fails as it does."""
        with limited(self._memory), as_run_errors(), belonging_to(self._kept):
            yield

    def collect(self) -> list[Any]:
        """All records."""
        with self.as_in_the_run():
            rdd = self._rdd if self._rdd is not None else self.rdd()
            context = None if self.on_spark is None else rdd.ctx
            with showing(self._shown), doing(running(context)):
                records = rdd.collect()
            if self._when_collected is not None:
                self._when_collected()
            return records

    def collected(self, records: Callable[[], Iterable[Any]]) -> None:
        """Note that the caller has all, and `records` gives them if there must be an RDD again."""
        if self._kept is not None:
            self._context, self._records = self._rdd.ctx, records
            self._rdd, self._kept = None, None
            release_dead()

    def rdd(self) -> Any:
        """The RDD, for someone who may keep it for as long as they like."""
        if self._kept is not None:
            self._kept.leave_to_spark()
        if self._rdd is None and self._records is not None:
            self._rdd = self._context.parallelize(list(self._records()))
        return self._rdd


def local_records(records: list[Any]) -> LazyRecords:
    """Records that are in this process."""
    return LazyRecords(LocalContext().parallelize(records))
