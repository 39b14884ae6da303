"""What a call of a program keeps on Spark, and lets go when the call and its results are done.

    with keeping(context) as kept:       # of this call
        result = main(sc, …)             # persisted(rdd), broadcast(sc, value)
        kept.leave_to([result])          # what is lazy needs its RDDs until it is collected

Without care persistent RDDs and broadcasts would stay for as long as the SparkContext, and so
would the files of blocks (`block_store`). These are in folders: one for a call, and others for
the iterations of a loop, each until the lineage of what a loop carries is cut.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from diablo.context_values import Holding
from diablo.runtime.engines.block_store import Folder, file_bytes, new_folder, remove
from diablo.runtime.engines.given_records import sent_once
from diablo.runtime.engines.job_names import name_records
from diablo.runtime.engines.spark_statistics import note_stored


class Kept:
    """The persistent RDDs, the broadcasts and the files of one call."""

    def __init__(
        self,
        rdds: dict[int, Any] | None = None,
        broadcasts: dict[int, Any] | None = None,
        folders: list[Folder] | None = None,
    ) -> None:
        self._rdds = rdds or {}
        self._broadcasts = broadcasts or {}
        self._folders = folders or []
        self.in_files = False
        """Whether workers read and write files."""
        self.others: list[Any] = []
        """What others keep, and have to keep for as long as this is kept."""
        self._homes: dict[int, frozenset[Folder]] = {}
        """The folders in which the blocks of a persistent RDD may be."""
        self.loose: list[Any] = []
        """The broadcasts that no loop has made itself, in turn; None where one was let go of."""
        self._own: dict[int, Folder] = {}
        """The folder that has the blocks of one and nothing else, if there is one."""

    @property
    def folder(self) -> Folder:
        """Where workers write files now."""
        return self._folders[-1] if self._folders else self.new_folder()

    def new_folder(self) -> Folder:
        """Have files written to another folder from now on."""
        self._folders.append(new_folder())
        return self._folders[-1]

    @property
    def folder_count(self) -> int:
        """How many folders there are, which says when something began."""
        return len(self._folders)

    def bytes_since(self, since: int) -> int:
        """Return how many bytes are in files of the folders that came after others."""
        return sum(map(file_bytes, self._folders[since:]))

    def note_stored(self) -> None:
        """Let who counts it know what is stored, before some of it is let go."""
        note_stored(lambda: self.bytes_since(0))

    def remove_folders(self, since: int, values: Sequence[Any]) -> None:
        """Remove the folders that came after others, but for those of persistent RDDs."""
        self.note_stored()
        needed: set[Folder] = set()
        for value in values:
            needed |= self._homes.get(id(value), frozenset(self._folders))
        for folder in self._folders[since:]:
            if folder not in needed:
                self._folders.remove(folder)
                remove(folder)

    def add_rdd(self, rdd: Any) -> None:
        """Note that an RDD was persisted."""
        self._rdds[id(rdd)] = rdd
        # Workers write what a function of Python gives; bytes that the JVM moves name older files.
        here = self._folders[-1:] if hasattr(rdd, "func") else self._folders
        self._homes[id(rdd)] = frozenset(here)

    def note_own_folder(self, rdd: Any) -> None:
        """Note that the last folder has the blocks of a persistent RDD, and nothing else."""
        if hasattr(rdd, "func"):
            self._own[id(rdd)] = self._folders[-1]

    def add_broadcast(self, broadcast: Any, *, loose: bool = True) -> None:
        """Note that a broadcast was made, by a loop or `loose`, as functions of the runtime do."""
        self._broadcasts[id(broadcast)] = broadcast
        if loose:
            self.loose.append(broadcast)

    def take_loose(self, since: int) -> list[Any]:
        """Return the loose broadcasts behind the first ones: a loop sees to them from now on."""
        taken = [broadcast for broadcast in self.loose[since:] if broadcast is not None]
        del self.loose[since:]
        return taken

    def forget(self, thing: Any) -> None:
        """Note that an RDD or a broadcast was let go by someone else."""
        self._rdds.pop(id(thing), None)
        self._homes.pop(id(thing), None)
        self._own.pop(id(thing), None)
        if self._broadcasts.pop(id(thing), None) is not None:
            self.loose = [None if one is thing else one for one in self.loose]

    def let_go(self, rdd: Any) -> None:
        """Let go of an RDD, and of the folder that has its blocks alone.

        Who has read these has other names for the files.
        """
        if id(rdd) not in self._rdds:
            return  # It belongs to someone else.
        self.note_stored()
        rdd.unpersist()
        home = self._own.get(id(rdd))
        self.forget(rdd)
        if home in self._folders and not any(home in homes for homes in self._homes.values()):
            self._folders.remove(home)
            remove(home)

    def leave_to(self, results: Sequence[Any]) -> None:
        """Let go of all that lazy RDDs do not need; with none of these, of everything."""
        self.note_stored()
        if not results:
            self.release()
            return
        if not self._rdds:
            return
        needed = lineage(results)
        for rdd in list(self._rdds.values()):
            if rdd.id() not in needed:
                self.forget(rdd)
                rdd.unpersist()

    def leave_broadcasts_to(self, other: Kept) -> None:
        """Leave the names of all broadcasts to another, and let go of what they hold.

        Spark sends them with an RDD even if nothing is computed of it any more.
        """
        for broadcast in self._broadcasts.values():
            broadcast.unpersist()
            other.add_broadcast(broadcast)
        self._broadcasts.clear()
        self.loose.clear()

    def leave_to_spark(self) -> None:
        """Let Spark find out when nothing needs the RDDs: someone else has them now.

        Files stay until this process ends.
        """
        self._rdds.clear()
        self._homes.clear()
        self._own.clear()
        self._broadcasts.clear()
        self.loose.clear()
        self._folders.clear()

    def release(self) -> None:
        """Let go of everything."""
        rdds, broadcasts = list(self._rdds.values()), list(self._broadcasts.values())
        folders = list(self._folders)
        self.leave_to_spark()
        # Where Spark has ended, or fails as it ends, nothing is kept any more.
        with suppress(Exception):
            for rdd in rdds:
                rdd.unpersist()
            for broadcast in broadcasts:
                broadcast.destroy()
        for folder in folders:
            remove(folder)
        self.others.clear()

    def __del__(self) -> None:
        # The garbage collector may come in the middle of a conversation with the JVM.
        if (self._rdds or self._broadcasts or self._folders) and not sys.is_finalizing():
            _dead.append((self._rdds, self._broadcasts, self._folders))


_dead: deque[tuple[dict[int, Any], dict[int, Any], list[Folder]]] = deque()
"""What belonged to results that nobody has any more."""

_current: ContextVar[Kept | None] = ContextVar("diablo_kept", default=None)


@contextmanager
def keeping(context: Any = None, *, in_files: bool = True) -> Generator[Kept]:
    """Let what is kept in this context belong to one call, which lets go of it if it fails.

    Workers write files where they can, if that is to be `in_files`.
    """
    release_dead()
    kept = Kept()
    serializer = getattr(context, "_unbatched_serializer", None)
    kept.in_files = in_files and bool(getattr(serializer, "in_files", False))
    with Holding(_current, kept):
        try:
            yield kept
        except BaseException:
            kept.release()
            raise


def belonging_to(kept: Kept | None) -> Holding[Kept | None]:
    """Let what is computed in this context belong to a call that has returned its results."""
    return Holding(_current, kept)


def current_folder() -> Folder | None:
    """Return where the running call has its files; outside of calls nowhere."""
    kept = _current.get()
    return kept.folder if kept is not None and kept.in_files else None


def current() -> Kept | None:
    """Return what the running call keeps, if there is one: a `main` may be called by itself."""
    return _current.get()


def persist_to_end(rdd: Any) -> Any:
    """Keep an RDD until the call ends, on disk if memory runs short; returns what is kept."""
    if not hasattr(rdd, "_jrdd"):
        return rdd.persist()
    from pyspark import StorageLevel

    rdd = sent_once(rdd)
    if (kept := current()) is not None:
        kept.add_rdd(rdd)
    name_records(rdd)
    return rdd.persist(StorageLevel.MEMORY_AND_DISK)


def persisted(rdd: Any) -> Any:
    """Keep an RDD until `release` or the call's end: its blocks have a folder of their own."""
    kept = current()
    # Spark is told but once where the function of an RDD writes.
    if kept is None or not kept.in_files or getattr(rdd, "_jrdd_val", None) is not None:
        return persist_to_end(rdd)
    kept.new_folder()
    rdd = persist_to_end(rdd)
    kept.note_own_folder(rdd)
    kept.new_folder()
    return rdd


def release(thing: Any) -> None:
    """Let go of an RDD that was persisted, with the files that only it has, or of a broadcast."""
    kept = current()
    if hasattr(thing, "destroy"):
        thing.destroy()
        if kept is not None:
            kept.forget(thing)
    elif kept is None or not hasattr(thing, "_jrdd"):
        thing.unpersist()
    else:
        kept.let_go(thing)


def release_dead() -> None:
    """Let go of what belonged to results that nobody has any more."""
    while _dead:
        Kept(*_dead.popleft()).release()


def lineage(rdds: Sequence[Any]) -> set[int]:
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
