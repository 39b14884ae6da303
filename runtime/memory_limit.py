"""How much memory a run may take, and the error that says what would take more.

    with limited("2g"):
        reserve(8 * n * m, "an array of {} x {}", n, m)      # before it is made

Operations ask before they allocate, as soon as they know how much. Of what is small only the sum
counts: whether there is memory left is looked at once that is large.
Without a limit of its own a run may take 80 % of what is free when it first asks for much. A worker
of Spark shares that with the other tasks of its machine, and has no more than Spark lets it have.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from diablo.context_values import Holding
from diablo.diagnostics import InputError, OutOfMemory, size_text

SMALLEST = 1 << 24
"""Bytes below which a request is only added up with others, so that checks cost nothing."""
PART_OF_FREE = 0.8
"""The part of the free memory that a run may take by default."""
TASKS_BESIDE = "DIABLO_TASKS"
"""The variable that tells a worker of Spark how many tasks its machine runs at a time."""
_LEAST_UNTOUCHED = 1 << 28
"""What was asked for and not written to yet counts from so many bytes on: stacks do not."""
_LEAST_HELD = 1 << 30
"""Bytes that the system does not refuse, however little is free: it may still find them."""

_UNITS = {"": 0, "b": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d*)?)\s*([bkmgt]?)(?:i?b)?\s*", re.IGNORECASE)
_CGROUPS = (
    (
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory.current",
        "/sys/fs/cgroup/memory.stat",
        b"inactive_file",
    ),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        "/sys/fs/cgroup/memory/memory.stat",
        b"total_inactive_file",
    ),
)
_LONGEST_TABLE = 1 << 14
"""Bytes that each of the system's tables fits in."""


def parse_size(size: Any) -> int:
    """Bytes: `2g`, `500m`, `1.5 GiB`, or a plain number.

    Raises
    ------
    InputError
        If that is no size, or not positive.
    """
    found = _SIZE.fullmatch(str(size)) if isinstance(size, str | int) else None
    bytes = int(float(found[1]) * 2 ** _UNITS[found[2].lower()]) if found else 0
    if found is None or isinstance(size, bool) or bytes < 1:
        raise InputError(f"the memory is {size!r}, and must be a size such as 2g, 500m or 1000000")
    return bytes


_MOMENT = 0.05
"""Seconds for which it is not looked again how much memory the machine has."""


class _Limit:
    """What a run may take besides what the process had, found out when it is first needed."""

    def __init__(self, size: int | None):
        self.size = size
        self.held = memory_in_use() if size is not None else (0, 0)
        self.unchecked = 0
        """What small requests add up to since it was looked at what is left."""
        self._lock = threading.Lock()

    def counts(self, size: int) -> bool:
        """Return whether it is to be checked that there is memory for a request."""
        if size < SMALLEST:
            self.unchecked += size
            if self.unchecked < SMALLEST:
                return False
            self.unchecked = 0
        return True

    def left(self) -> int:
        """Bytes that the run may still take."""
        with self._lock:
            if self.size is None:
                self.size, self.held = _default_limit()
        resident, taken = (now - then for now, then in zip(memory_in_use(), self.held, strict=True))
        untouched = taken - resident
        # What the process had and gave back is not the run's to take.
        return self.size - max(0, resident) - (untouched if untouched > _LEAST_UNTOUCHED else 0)


_measured: tuple[float, int, tuple[int, int]] | None = None


def _default_limit() -> tuple[int, tuple[int, int]]:
    """Return what a run may take if no number is given, and what the process has.

    Short runs follow one another in less time than it takes others to use up the memory: what was
    found a moment ago still holds, together with what the process had then.
    """
    global _measured
    now, last = time.monotonic(), _measured
    if last is None or now - last[0] > _MOMENT:
        held = memory_in_use()
        _measured = last = now, int(free_memory() * PART_OF_FREE / _tasks_beside()), held
    return last[1], last[2]


def _tasks_beside() -> int:
    """Return how many tasks run on this machine at a time: one, if this is no worker of Spark."""
    told = os.environ.get(TASKS_BESIDE)
    if told is None:
        return 1
    return max(1, int(told) if told.isdigit() else os.cpu_count() or 1)


_limit = _Limit(None)
_keepers: list[Callable[[], None]] = []


class limited:
    """A context manager: what runs inside, on any thread, may take `size` bytes, or the default."""

    __slots__ = ("_before", "_size")

    def __init__(self, size: int | None):
        self._size = size

    def __enter__(self) -> None:
        global _limit
        if self._size is not None:
            _give_back()  # What waits to be used again would be taken without being counted.
        self._before, _limit = _limit, _Limit(self._size)

    def __exit__(self, *_: object) -> None:
        global _limit
        _limit = self._before


_given: ContextVar[int | None] = ContextVar("given", default=None)


def results_limited(size: int | None) -> Holding[int | None]:
    """Let results that are made inside take `size` bytes, or the default, when they are wanted."""
    return Holding(_given, size)


def result_limit() -> int | None:
    """The bytes that a result which is made now may take, if a number was given."""
    return _given.get()


def when_short(give_back: Callable[[], None]) -> None:
    """Call `give_back` before a run fails for want of memory."""
    _keepers.append(give_back)


def reserve(size: int, what: str, *sizes: object, at: str = "") -> None:
    """Check that `size` more bytes may be taken, for `what`, in which `{}` stand for `sizes`.

    Raises
    ------
    OutOfMemory
        If not; `at` is the place in the program, as `file:line:column`.
    """
    if not _limit.counts(size) or size <= _limit.left():
        return
    _give_back()
    if size > (left := _limit.left()):
        allowed = _limit.size or 0
        if left > 0:
            why = (
                f"{size_text(left)} of the {size_text(allowed)} that the program may take are left"
            )
        else:
            # What it took to compile, and the libraries that are loaded, are the process's as well.
            why = (
                f"the program, with what compiles and runs it, has taken "
                f"{size_text(allowed - left)} already, where it may take {size_text(allowed)}"
            )
        message = f"{what.format(*sizes)} would take {size_text(size)}, and {why}"
        raise OutOfMemory(f"{at}: {message}" if at else message, size, max(0, left))


def check(size: int, what: str) -> None:
    """Check that memory is left now that `what` has been made, of `size` bytes.

    For what nobody knows beforehand, and for many small results that stay.

    Raises
    ------
    OutOfMemory
        If not.
    """
    if not _limit.counts(size) or _limit.left() >= 0:
        return
    _give_back()
    if (left := _limit.left()) < 0:
        allowed = _limit.size or 0
        message = f"{size_text(allowed - left)} have been taken for {what}"
        raise OutOfMemory(f"{message}, of the {size_text(allowed)} that the program may take")


def _give_back() -> None:
    """Let go of what waits, here and in the heap of the C library, which counts as taken."""
    for give_back in _keepers:
        give_back()
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(ctypes.c_size_t(0))


def hold_to_free_memory() -> None:
    """Let the system refuse this process more than is free, instead of killing it.

    What `reserve` is not asked for then ends in a `MemoryError`. For commands: whoever starts
    processes from here hands the limit down.
    """
    try:
        import resource
    except ImportError:
        return
    _, held = memory_in_use()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = held + max(free_memory(), _LEAST_HELD)
    if held and (soft == resource.RLIM_INFINITY or wanted < soft):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


def memory_in_use() -> tuple[int, int]:
    """Bytes that this process has, and that it has asked for; 0 where the system does not tell."""
    try:
        _, resident, _, _, _, data, _ = _table("/proc/self/statm").split()
    except (OSError, ValueError):
        return 0, 0
    page = os.sysconf("SC_PAGE_SIZE")
    return int(resident) * page, int(data) * page


def free_memory() -> int:
    """Bytes that the machine, or the container if it has less, can still give."""
    free = _available()
    for limit_path, usage_path, statistics_path, reclaimable in _limited_groups():
        try:
            limit, usage = int(_table(limit_path)), int(_table(usage_path))
        except (OSError, ValueError):
            continue  # A limit of "max" is none.
        free = min(free, limit - usage + _entry(statistics_path, reclaimable))
    return max(0, min(free, _addresses_left()))


def _addresses_left() -> int:
    """Bytes that this process may ask for still: Spark may limit its workers."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return 1 << 62
        return limit - int(_table("/proc/self/statm").split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError, IndexError):
        return 1 << 62


@cache
def _limited_groups() -> list[tuple[str, str, str, bytes]]:
    """Those of the groups' files that this machine has."""
    return [files for files in _CGROUPS if os.path.exists(files[0])]


def _available() -> int:
    available = _entry("/proc/meminfo", b"MemAvailable:") * 1024
    if available:
        return available
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 8 * 2**30


def _entry(path: str, name: bytes) -> int:
    """The number after a name in one of the system's tables, 0 if it is not there."""
    try:
        _, _, behind = (b"\n" + _table(path)).partition(b"\n" + name + b" ")
        return int(behind.split(None, 1)[0])
    except (OSError, ValueError, IndexError):
        return 0


def _table(path: str) -> bytes:
    """One of the system's tables. Runs read several: a file of Python's would take thrice as long.

    Raises
    ------
    OSError
        If it is not there.
    """
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, _LONGEST_TABLE)
    finally:
        os.close(file)
