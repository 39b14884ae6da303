"""What an emitted program keeps: RDDs that are used again, and what a loop leaves to its next
iteration.

    A = persisted(distribute(sc, A, block_size))
    loop = Iterations()
    while k < 10:
        A_whole = loop.broadcast(sc, …)
        ...
        P, k = loop.carry(P_1), k + 1

Spark evaluates lazily: without care the last iteration would compute all others again, from
an ever longer lineage.
"""

from __future__ import annotations

from typing import Any

from diablo.costs import MOST_UNCUT_BYTES
from diablo.runtime.engines.job_names import name_job
from diablo.runtime.engines.keeping import current, current_folder, persist_to_end
from diablo.runtime.engines.shared_values import share
from diablo.runtime.engines.spark_statistics import note_broadcast, stored_bytes
from diablo.runtime.results.result_types import DistributedArray, Rows

CHECKPOINT_INTERVAL = 10
"""After how many iterations, those of inner loops included, the lineage is cut and what is older
is let go."""
FIRST_INTERVAL = 2
"""After how many it is cut at first, when nobody knows how much an iteration keeps."""


class Iterations:
    """The RDDs and broadcasts that the iterations of one loop keep.

    A loop within another one is given that: what it leaves is let go when the outer one cuts.
    """

    def __init__(self, outer: Iterations | None = None) -> None:
        self._uncut = 0
        self._written = 0
        """The bytes that were in files when the lineage was cut."""
        self._kept: list[Any] = []
        self._broadcasts: list[Any] = []
        self._read: list[tuple[list[Any], list[Any]]] = []
        """The broadcasts that RDDs which were carried over a cut name, with these RDDs."""
        self._inner: list[Iterations] = []
        kept = current()
        self._first_loose = 0 if kept is None else len(kept.loose)
        is_known = outer is not None or kept is None
        self._interval = CHECKPOINT_INTERVAL if is_known else FIRST_INTERVAL
        self._first_folder = 0 if kept is None else kept.folder_count
        if self._first_folder and kept is not None:
            kept.new_folder()
        if outer is not None:
            outer._inner.append(self)

    def carry(self, *values: Any) -> Any:
        """Keep the RDDs among the values for the next iteration; returns the values.

        Without values nothing of this iteration is needed any more.
        """
        self._uncut += 1
        for inner in self._inner:
            # What an inner loop has not cut makes the lineage of this one longer.
            self._uncut += inner._uncut
            inner._uncut = 0
        for value in values:
            self.keep(value)
        if not values or self._uncut >= self._interval or self._file_bytes() > MOST_UNCUT_BYTES:
            self._cut(values)
        return values[0] if len(values) == 1 else values

    def keep(self, rdd: Any) -> Any:
        """Keep an RDD until the lineage is cut; returns it.

        What is kept already belongs to someone else, who may need it for longer.
        """
        if not getattr(rdd, "is_cached", False):
            self._kept.append(persist_to_end(rdd))
        return rdd

    def broadcast(self, sc: Any, value: Any) -> Any:
        """The value as every task sees it, until the lineage is cut."""
        shared = _shared(sc, value, loose=False)
        self._broadcasts.append(shared)
        return shared

    def _cut(self, values: tuple[Any, ...]) -> None:
        """Compute the values, forget how, and drop what only their computation needed."""
        for value in values:
            value.localCheckpoint()
        for value in values:
            _compute(value)
        if values:
            taken = max(1, self._file_bytes() + stored_bytes(self._kept))
            affordable = MOST_UNCUT_BYTES * self._uncut // taken
            self._interval = min(CHECKPOINT_INTERVAL, max(1, affordable))
        self._uncut = 0
        self._kept, read = self._let_go(values)
        if read:
            self._read.append((list(values), read))
        if (kept := current()) is not None and kept.folder_count:
            kept.remove_folders(self._first_folder, values)
            self._written = kept.bytes_since(self._first_folder)
            kept.new_folder()

    def _file_bytes(self) -> int:
        """Return how many bytes are in files that were written since the lineage was cut."""
        kept = current()
        if kept is None or not kept.folder_count:
            return 0
        return kept.bytes_since(self._first_folder) - self._written

    def _let_go(self, values: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        """Let go of all but the values; return those of them that were kept here, and broadcasts.

        Spark sends an RDD with the names of the broadcasts that made it, whether they are read
        again or not. So those of the values stay, without their contents, for as long as these.
        """
        lasting: list[Any] = []
        named: list[Any] = []
        if (call := current()) is not None:
            self._broadcasts += call.take_loose(self._first_loose)
        for inner in self._inner:
            kept, read = inner._let_go(values)
            lasting += kept
            named += [*read, *[shared for _, older in inner._read for shared in older]]
        self._inner.clear()
        for kept in self._kept:
            if any(kept is value for value in values):
                lasting.append(kept)
            else:
                kept.unpersist()
                _forget(kept)
        older, self._read = self._read, []
        for carried, read in older:
            if any(one is value for one in carried for value in values):
                self._read.append((carried, read))
            else:
                _destroy(read)
        if values:
            for shared in self._broadcasts:
                shared.unpersist()
            named += self._broadcasts
        else:
            _destroy([*named, *self._broadcasts])
            named = []
        self._kept, self._broadcasts = [], []
        return lasting, named


def broadcast(sc: Any, value: Any) -> Any:
    """The value as every task sees it, in `.value`.

    It is there until the program lets go of it, or the call ends; where functions of the runtime
    send it within a loop, until that cuts the lineage.
    """
    return _shared(sc, value, loose=True)


def _shared(sc: Any, value: Any, *, loose: bool) -> Any:
    if isinstance(value, DistributedArray):
        value = value.collect()
    elif isinstance(value, Rows):
        value = value.batch
    note_broadcast(value)
    shared = share(sc, value, current_folder())
    if (kept := current()) is not None:
        kept.add_broadcast(shared, loose=loose)
    return shared


def _destroy(broadcasts: list[Any]) -> None:
    for shared in broadcasts:
        shared.destroy()
        _forget(shared)


def _forget(thing: Any) -> None:
    if (kept := current()) is not None:
        kept.forget(thing)


def _compute(rdd: Any) -> None:
    """Make an RDD's partitions exist, without bringing its records to Python again."""
    if hasattr(rdd, "_jrdd"):
        name_job(rdd.ctx)
        rdd._jrdd.count()
