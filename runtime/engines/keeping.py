"""What a call of a program keeps on Spark, and lets go when the call and its results are done.

    with keeping() as kept:              # of this call
        result = main(sc, …)             # persisted(rdd), broadcast(sc, value)
        kept.leave_to([result])          # what is lazy needs its RDDs until it is collected

Without care persistent RDDs and broadcasts would stay for as long as the SparkContext.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any


class Kept:
    """The persistent RDDs and the broadcasts of one call."""

    def __init__(
        self, rdds: dict[int, Any] | None = None, broadcasts: dict[int, Any] | None = None
    ) -> None:
        self._rdds = rdds or {}
        self._broadcasts = broadcasts or {}

    def add_rdd(self, rdd: Any) -> None:
        """Note that an RDD was persisted."""
        self._rdds[id(rdd)] = rdd

    def add_broadcast(self, broadcast: Any) -> None:
        """Note that a broadcast was made."""
        self._broadcasts[id(broadcast)] = broadcast

    def forget(self, thing: Any) -> None:
        """Note that an RDD or a broadcast was let go by someone else."""
        self._rdds.pop(id(thing), None)
        self._broadcasts.pop(id(thing), None)

    def leave_to(self, results: Sequence[Any]) -> None:
        """Let go of all that lazy RDDs do not need; with none of these, of everything."""
        if not results:
            self.release()
            return
        if not self._rdds:
            return
        needed = _lineage(results)
        for rdd in list(self._rdds.values()):
            if rdd.id() not in needed:
                self.forget(rdd)
                rdd.unpersist()

    def leave_to_spark(self) -> None:
        """Let Spark find out when nothing needs the RDDs: someone else has them now."""
        self._rdds.clear()
        self._broadcasts.clear()

    def release(self) -> None:
        """Let go of everything."""
        rdds, broadcasts = list(self._rdds.values()), list(self._broadcasts.values())
        self.leave_to_spark()
        # Where Spark has ended, or fails as it ends, nothing is kept any more.
        with suppress(Exception):
            for rdd in rdds:
                rdd.unpersist()
            for broadcast in broadcasts:
                broadcast.destroy()

    def __del__(self) -> None:
        # The garbage collector may come in the middle of a conversation with the JVM.
        if (self._rdds or self._broadcasts) and not sys.is_finalizing():
            _dead.append((self._rdds, self._broadcasts))


_dead: deque[tuple[dict[int, Any], dict[int, Any]]] = deque()
"""What belonged to results that nobody has any more."""

_current: ContextVar[Kept | None] = ContextVar("diablo_kept", default=None)


@contextmanager
def keeping() -> Generator[Kept]:
    """What is kept in this context belongs to one call, which lets go of it if it fails."""
    release_dead()
    kept = Kept()
    token = _current.set(kept)
    try:
        yield kept
    except BaseException:
        kept.release()
        raise
    finally:
        _current.reset(token)


def current() -> Kept | None:
    """What the running call keeps, if there is one: a `main` may be called by itself."""
    return _current.get()


def release_dead() -> None:
    """Let go of what belonged to results that nobody has any more."""
    while _dead:
        Kept(*_dead.popleft()).release()


def _lineage(rdds: Sequence[Any]) -> set[int]:
    """The numbers of the RDDs, and of all that they are made from."""
    found: set[int] = set()
    waiting = [rdd._jrdd.rdd() for rdd in rdds]
    while waiting:
        rdd = waiting.pop()
        number = int(rdd.id())
        if number not in found:
            found.add(number)
            parents = rdd.dependencies()
            waiting += [parents.apply(k).rdd() for k in range(parents.size())]
    return found
