"""The state of a program's loops on the disk, from which a run that was killed is gone on with.

    state = SavedState("folder", None, identity)
    state.begin(2)                     # an InputError if the folder has the state of another run
    with state.used():
        main(sc, …)                    # Checkpoint(0).restore(P, k), …save(P, k)
    state.discard()                    # the results are where they belong

Of each loop the folder has the last state that was saved, whole: a file takes the place of the one
before when it is complete and on the disk. What is distributed is written by the workers, a file
for each partition, and so comes back in the partitions it had; the folder has to be one that all
machines see. Where there is no room, or the disk fails, the run goes on without, and a warning says
so. What is read is unpickled, so the folder has to be the user's, and nobody else may write there.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import pickle
import shutil
import stat
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from diablo.diagnostics import Diagnostic, InputError, report
from diablo.runtime.device.device_arrays import on_host
from diablo.runtime.engines.job_names import name_job
from diablo.runtime.engines.keeping import persist_to_end
from diablo.runtime.engines.local_rdd import LocalRDD
from diablo.runtime.program.run_identity import RunIdentity

LEAST_SECONDS = 10.0
"""State is saved no more often, unless the caller says how often."""
MOST_SHARE = 0.05
"""Of the time of a run, what saving may take."""

_RUN = "run.json"
_LOCK = "lock"
_NEW = "new-"


class SavedState:
    """A folder with the state of the loops of one run.

    Parameters
    ----------
    folder : where it is, which is made if it is not there
    every : after how many iterations of a loop its state is saved; None: now and then, so that it
        takes no more than `MOST_SHARE` of the time
    identity : what tells the run from others
    """

    def __init__(
        self, folder: str | os.PathLike[str], every: int | None, identity: RunIdentity
    ) -> None:
        self.folder = Path(folder)
        self.every = every
        self._identity = identity
        self._lock: int | None = None
        self._read: set[str] = set()
        """What RDDs of this run read, for as long as they are there."""
        self._has_failed = False

    # -- The folder -----------------------------------------------------------------------

    def begin(self, parallelism: int) -> None:
        """Begin a run, or go on with it, where so many tasks run at a time.

        Raises
        ------
        InputError
            If the folder cannot be used, or has the state of another run.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check_own()
            self._take_lock()
            # The sizes of blocks and partitions are chosen by that.
            options = {**self._identity.options, "number of tasks at a time": str(parallelism)}
            self._check_run(replace(self._identity, options=options))
        except OSError as error:
            self.end()
            is_file = isinstance(error, FileExistsError | NotADirectoryError)
            why = "is no folder" if is_file else f"cannot be used: {error.strerror}"
            raise InputError(f"{self.folder}: {why}") from None
        except InputError:
            self.end()
            raise
        self._remove_strays()

    def _check_own(self) -> None:
        found = self.folder.stat()
        if hasattr(os, "geteuid") and (
            found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        ):
            raise InputError(f"{self.folder}: others may write there, and what it holds is run")

    def _take_lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Where there are no such locks, two runs are the user's mistake.
            return
        self._lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{self.folder}: another run has its state there") from None

    def _check_run(self, identity: RunIdentity) -> None:
        path = self.folder / _RUN
        if not path.exists():
            others = [path for path in self.folder.iterdir() if path.resolve() not in _kept]
            if any(path.name != _LOCK and not path.name.startswith(_NEW) for path in others):
                raise InputError(f"{self.folder}: has other files than the state of a run")
            _write_whole(path, json.dumps(identity.as_json(), indent=1).encode())
            return
        try:
            known = RunIdentity.from_json(json.loads(path.read_bytes()))
        except (ValueError, TypeError, KeyError):
            raise InputError(f"{path}: is no description of a run") from None
        difference = known.difference(identity)
        if difference is not None:
            raise InputError(
                f"{self.folder}: has the state of another run: {difference}; "
                "remove the folder to begin anew"
            )

    def _remove_strays(self) -> None:
        """Remove what a run has left that was killed while it wrote."""
        named = {_RUN, _LOCK}
        for path in self.folder.glob("loop-*.state"):
            named |= {path.name, *_read_state(path)["parts"]}
        for path in self.folder.iterdir():
            if path.name not in named and path.resolve() not in _kept:
                _remove(path)

    def discard(self) -> None:
        """Remove the state of a run that is done; what its results read when the process ends."""
        with suppress(OSError):
            os.unlink(self.folder / _RUN)
        for path in [*self.folder.glob("loop-*"), *self.folder.glob(f"{_NEW}*")]:
            if path.resolve() in _kept:
                continue
            if path.name not in self._read:
                _remove(path)
            else:
                _kept.add(path.resolve())
                atexit.register(_remove_with_folder, path)
        self.end()
        with suppress(OSError):
            os.unlink(self.folder / _LOCK)
            self.folder.rmdir()

    def end(self) -> None:
        """Let others use the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @contextmanager
    def held(self) -> Generator[None]:
        """Let others use the folder if what runs inside fails."""
        try:
            yield
        except BaseException:
            self.end()
            raise

    @contextmanager
    def used(self) -> Generator[None]:
        """Save and restore the loops of the program that runs inside."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    # -- The state of a loop --------------------------------------------------------------

    def stored(self, loop: int, values: Sequence[Any]) -> tuple[int, Sequence[Any]]:
        """Return how many iterations a loop has done, and what it carries then.

        `values` is what it begins with, which it carries if it has no state.
        """
        path = self.folder / f"loop-{loop}.state"
        if not path.exists():
            return 0, values
        found = _read_state(path)
        self._read |= set(found["parts"])
        restored = [
            _rdd_like(first, value, self.folder) if isinstance(value, _Parts) else value
            for first, value in zip(values, found["values"], strict=True)
        ]
        return found["iterations"], restored

    def store(self, loop: int, iterations: int, values: Sequence[Any]) -> None:
        """Save the state of a loop; a warning says why that cannot be done."""
        path = self.folder / f"loop-{loop}.state"
        before = set(_read_state(path)["parts"]) if path.exists() else set[str]()
        made: list[str] = []
        try:
            stored: list[Any] = []
            for number, value in enumerate(values):
                name = self._free_name(f"loop-{loop}-{iterations}-{number}")
                if hasattr(value, "_jrdd"):
                    made.append(name)
                    value = _write_rdd(value, self.folder, name)
                elif isinstance(value, LocalRDD):
                    value = _Parts(None, len(value.partitions), on_host(value.partitions))
                else:
                    value = on_host(value)
                stored.append(value)
            _write_state(path, {"iterations": iterations, "parts": made, "values": stored})
        except OSError as error:
            for name in made:
                _remove(self.folder / name)
            if not self._has_failed:
                self._has_failed = True
                message = f"the state of a loop is not saved: {error.strerror or error}"
                hint = f"the run goes on; {self.folder} has what was saved before"
                report(Diagnostic("warning", message, None, hint))
            return
        for name in before - self._read - set(made):
            _remove(self.folder / name)

    def _free_name(self, name: str) -> str:
        """Return a name that nothing has which results of earlier runs read."""
        taken = (self.folder / name).resolve() in _kept
        return self._free_name(f"{name}-next") if taken else name


_kept: set[Path] = set()
"""What results of this process read of runs that are done, until it ends."""
_current: ContextVar[SavedState | None] = ContextVar("diablo_saved_state", default=None)


class Checkpoint:
    """The state of one of a program's loops, which is saved as it runs.

        checkpoint = Checkpoint(0)
        P, k = checkpoint.restore(P, k)
        while k < 10:
            …
            checkpoint.save(P, k)

    Where nobody asks for that it does nothing. One of its iterations may be several of the source,
    which are counted from `first` to `steps`: fewer where the state is to be saved more often.
    """

    def __init__(self, loop: int, steps: int = 1):
        self._loop = loop
        self._state = _current.get()
        every = None if self._state is None else self._state.every
        self._steps = steps if every is None else min(steps, every)
        self.first = steps - self._steps
        self._iterations = 0
        self._next = 0.0

    def restore(self, *values: Any) -> Any:
        """Return what the loop begins with, or carried when it was saved."""
        found: Sequence[Any] = values
        if self._state is not None:
            self._iterations, found = self._state.stored(self._loop, values)
            self._next = monotonic() + LEAST_SECONDS
        return found[0] if len(found) == 1 else tuple(found)

    def save(self, *values: Any) -> None:
        """Note that an iteration is done, and save what is carried to the next if it is time."""
        if self._state is None:
            return
        before, every = self._iterations, self._state.every
        self._iterations += self._steps
        now = monotonic()
        if now < self._next if every is None else before // every == self._iterations // every:
            return
        self._state.store(self._loop, self._iterations, values)
        taken = monotonic() - now
        self._next = monotonic() + max(LEAST_SECONDS, taken / MOST_SHARE)


# -- Files --------------------------------------------------------------------------------


class _Parts:
    """An RDD that is written: the folder of its partitions, or these."""

    def __init__(self, name: str | None, count: int, partitions: Any = None):
        self.name = name
        self.count = count
        self.partitions = partitions


def _write_rdd(rdd: Any, folder: Path, name: str) -> _Parts:
    """Write an RDD of Spark; an `OSError` if a worker cannot."""
    target = folder / name
    _remove(target)
    target.mkdir(mode=0o700)
    name_job(rdd.ctx)
    for failure in rdd.mapPartitionsWithIndex(_PartWriter(str(target))).collect():
        if failure:
            raise OSError(failure)
    return _Parts(name, rdd.getNumPartitions())


class _PartWriter:
    """For `mapPartitionsWithIndex`: write the records; give why they could not be, or nothing."""

    def __init__(self, folder: str):
        self.folder = folder

    def __call__(self, index: int, records: Any) -> list[str]:
        """Write one partition."""
        data = pickle.dumps(list(records), pickle.HIGHEST_PROTOCOL)
        try:
            _write_whole(Path(self.folder) / f"part-{index}", _sealed(data))
        except OSError as error:
            return [error.strerror or str(error)]
        return [""]


class _PartReader:
    """For `mapPartitions`: the records of the partitions with given numbers."""

    def __init__(self, folder: str):
        self.folder = folder

    def __call__(self, numbers: Any) -> Any:
        """Read them."""
        for number in numbers:
            yield from pickle.loads(_unsealed(Path(self.folder) / f"part-{number}"))


def _rdd_like(first: Any, parts: _Parts, folder: Path) -> Any:
    """The RDD that was written, where `first` is with which its loop begins.

    Nothing is said of where its tiles lie, so that those it meets are brought to it.
    """
    if parts.name is None:
        return LocalRDD(first.ctx, parts.partitions)
    numbers = first.ctx.parallelize(range(parts.count), max(1, parts.count))
    rdd = numbers.mapPartitions(_PartReader(str(folder / parts.name)))
    return persist_to_end(rdd)


def _write_state(path: Path, state: dict[str, Any]) -> None:
    _write_whole(path, _sealed(pickle.dumps(state, pickle.HIGHEST_PROTOCOL)))


def _read_state(path: Path) -> dict[str, Any]:
    return pickle.loads(_unsealed(path))


def _sealed(data: bytes) -> bytes:
    return data + hashlib.sha256(data).digest()


def _unsealed(path: Path) -> bytes:
    """The data of a file.

    Raises
    ------
    InputError
        If they are not what was written.
    """
    try:
        sealed = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    data = sealed[: -hashlib.sha256().digest_size]
    if _sealed(data) != sealed:
        raise InputError(f"{path}: is damaged; remove the folder to begin anew")
    return data


def _write_whole(path: Path, data: bytes) -> None:
    """Put a file in the place of another, once it is on the disk."""
    temporary = path.with_name(f"{_NEW}{os.getpid()}-{os.urandom(6).hex()}")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _remove_with_folder(path: Path) -> None:
    """Remove what results read, and the folder once nothing else is there."""
    _remove(path)
    with suppress(OSError):
        path.parent.rmdir()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            os.unlink(path)
