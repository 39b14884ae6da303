"""The threads that share the work of kernels, and wait for the next one without the interpreter.

    share(add, [(address, 1.0, 0, 500000), (address, 1.0, 500000, 1000000)], 1000000)

Kernels follow one another within microseconds, and to hand work to a thread of a
`ThreadPoolExecutor` takes tens of them. The threads of the team run machine code (`team_code`)
which looks for work, and parks when none has come for a while. A thread that has not begun when
the caller runs out of pieces is not waited for, so that a busy machine does not make this slower
than one thread is.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import struct
import threading
from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise
from time import perf_counter_ns
from typing import Any

from diablo.runtime.forking import COMPILER
from diablo.runtime.native.compile_mode import compile_mode, given_threads, pays
from diablo.runtime.native.machine_code import (
    PROVIDED,
    Entry,
    Machine,
    kept,
    optimised,
    text_key,
)
from diablo.runtime.native.team_code import (
    LOOKS,
    MOST_PIECES,
    NARROW,
    PARKED,
    SIZE,
    team_code,
)

WORTH_SHARING = 1 << 16
"""From how many points on the work of a call is shared by threads."""
PIECES_EACH = 4
"""Into how many pieces the work of each thread is cut at most."""
WORTH_WAKING = 1 << 18
"""From how many points on parked threads are woken for it, which takes as long as some 100000."""
LOOKED_FOR = 100_000
"""For how many nanoseconds a thread looks for work before it parks.

To wake it takes 50,000 or so, and longer on a virtual machine whose processor then sleeps.
"""
SOON = 100_000
"""Calls that follow one another within so many nanoseconds wake threads whatever they do."""
_OF_ELEMENTS = (
    *("word_at", "put_word"),
    *(name for bits in NARROW for name in (f"int{bits}_at", f"put_int{bits}")),
)
"""The functions that read and write an element of an array."""
_TRIED_LOOKS = 256
"""After how many looks it is known how long one takes: 10 to 50 nanoseconds, by the processor."""


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system tells.
        return os.cpu_count() or 1


_CORES = _cores()


def thread_count() -> int:
    """Return how many threads a kernel may use.

    `DIABLO_THREADS`, or `OMP_NUM_THREADS`, which Spark sets, or one for each core.
    """
    return given_threads() or _CORES


def threads_for(points: int) -> int:
    """Return how many threads compute so many points."""
    return thread_count() if pays(points, WORTH_SHARING) else 1


def cut(extent: int, points: int, most: int | None = None) -> list[tuple[int, int]]:
    """The ranges of an extent that threads compute, one each, of `points` in all; at most `most`.

    >>> cut(10, 10)
    [(0, 10)]
    """
    count = max(1, min(threads_for(points), extent, extent if most is None else most))
    return list(pairwise([extent * k // count for k in range(count + 1)]))


def cut_finely(extent: int, points: int) -> list[tuple[int, int]]:
    """The ranges of an extent of `points` in all that threads compute, several each.

    That is for work of which a piece makes nothing of its own. A thread that has to wake begins
    late: what it has not begun the others do meanwhile.
    """
    threads = threads_for(points)
    if threads > 1:
        threads = max(threads, min(PIECES_EACH * threads, points // WORTH_SHARING))
    count = max(1, min(threads, extent))
    return list(pairwise([extent * k // count for k in range(count + 1)]))


def share(entry: Entry, calls: Sequence[Sequence[Any]], points: int) -> None:
    """Call machine code with each of `calls`, of so many points, here and on other threads."""
    if len(calls) == 1:
        entry(*calls[0])
        return
    threads = min(thread_count(), len(calls))
    if threads > 1 and (team := own_team(threads - 1)) is not None:
        for begin in range(0, len(calls), MOST_PIECES):
            part = calls[begin : begin + MOST_PIECES]
            team.run(entry, entry.packed_calls(part), len(part), points)
    else:
        for call in calls:
            entry(*call)


class Job:
    """Calls of machine code that other machine code makes, any number of times, on all threads.

    Each time it has a table of words: addresses of what is read and written, and numbers. That is
    `share_call` of the team's code, for one thread at a time. What the arguments point at has to
    live as long.

    Parameters
    ----------
    entry : what is called
    calls : the arguments, for each piece of the work
    varying : the numbers of the arguments that are others each time, and of their words in the
        table
    points : how much work it is
    """

    def __init__(
        self,
        entry: Entry,
        calls: Sequence[Sequence[Any]],
        varying: Sequence[tuple[int, int]],
        points: int,
    ):
        assert len(calls) <= MOST_PIECES
        threads = min(thread_count(), len(calls))
        team = own_team(threads - 1) if threads > 1 else None
        words = entry.packed_calls(calls)
        # Such jobs follow one another closely.
        rouse = team is not None and (team.most_looks > 0 or points >= WORTH_WAKING)
        self._entry = entry
        self._words = ctypes.create_string_buffer(words, len(words))
        parts = (
            0 if team is None else team.address,
            entry.address,
            ctypes.addressof(self._words),
            entry.size,
            len(calls),
            rouse,
            len(varying),
            *(part for argument, word in varying for part in (8 * argument, word)),
        )
        packed = struct.pack(f"{len(parts)}q", *parts)
        self._memory = ctypes.create_string_buffer(packed, len(packed))
        self.address = ctypes.addressof(self._memory)
        """Where the machine code finds it."""


class _Functions:
    """The machine code of teams."""

    def __init__(self) -> None:
        import llvmlite.binding as binding

        llvm: Any = binding
        text = team_code()
        code = kept(text_key(text), lambda: optimised(llvm.parse_assembly(text)))
        self._machine = machine = Machine(code)
        address, number, flag = ctypes.c_void_p, ctypes.c_int64, ctypes.c_bool

        def function(name: str, *types: Any) -> Any:
            return ctypes.CFUNCTYPE(None, *types)(machine.address(name))

        self.open = function("open", address)
        self.close = function("close", address)
        self.serve = function("serve", address)
        self.look = function("look", address, number)
        self.share_again = machine.address("share_again")
        self.share_call = machine.address("share_call")
        self.of_elements = {name: machine.address(name) for name in _OF_ELEMENTS}
        self.run = function("run", address, address, ctypes.c_char_p, number, number, flag)


class Team:
    """Threads besides the caller's; `grow` starts them."""

    def __init__(self) -> None:
        self._functions = _functions()
        self._memory = ctypes.create_string_buffer(SIZE + 128)
        self._address = (ctypes.addressof(self._memory) + 127) & ~127
        self._functions.open(self._address)
        self._parked = ctypes.c_int64.from_address(self._address + PARKED)
        self._looks = ctypes.c_int64.from_address(self._address + LOOKS)
        self.most_looks = self._looks_in(LOOKED_FOR)
        """How often a thread looks for work before it parks."""
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._ended = 0

    @property
    def address(self) -> int:
        """Where machine code finds the team."""
        return self._address

    @property
    def size(self) -> int:
        """How many threads there are."""
        return len(self._threads)

    @property
    def parked(self) -> int:
        """How many of them wait without looking for work."""
        return self._parked.value

    def grow(self, size: int) -> None:
        """Have at least `size` threads."""
        with self._lock:
            # Where there are not enough cores, who looks for work keeps others from theirs.
            self._looks.value = self.most_looks if size < _CORES else 0
            while len(self._threads) < size and not self._closed:
                thread = threading.Thread(
                    target=self._functions.serve,
                    args=(self._address,),
                    name=f"kernel-{len(self._threads)}",
                    daemon=True,
                )
                thread.start()
                self._threads.append(thread)

    def _looks_in(self, nanoseconds: int) -> int:
        """Return how often a thread looks for work in so long, by the shortest of a few trials."""
        trials: list[int] = []
        for _ in range(3):
            begin = perf_counter_ns()
            self._functions.look(self._address, _TRIED_LOOKS)
            trials.append(perf_counter_ns() - begin)
        return nanoseconds * _TRIED_LOOKS // max(1, min(trials))

    def run(self, entry: Entry, words: bytes, count: int, points: int) -> None:
        """Do all of a job of `count` pieces, whose arguments lie one after the other."""
        soon = self._looks.value > 0 and perf_counter_ns() - self._ended < SOON
        rouse = soon or points >= WORTH_WAKING or compile_mode() == "always"
        self._functions.run(self._address, entry.address, words, entry.size, count, rouse)
        self._ended = perf_counter_ns()

    def close(self) -> None:
        """End the threads; work is done by its callers from now on."""
        with self._lock:
            self._closed = True
            self._functions.close(self._address)
            for thread in self._threads:
                thread.join()


@cache
def _functions() -> _Functions:
    return _Functions()


def _of_elements(name: str) -> int:
    """The address of a function that reads or writes an element of an array."""
    return _functions().of_elements[name]


SHARE_AGAIN, SHARE_CALL = "diablo_share_again", "diablo_share_call"
"""The names that machine code calls the functions for a `Job` by."""
PROVIDED[SHARE_AGAIN] = lambda: _functions().share_again
PROVIDED[SHARE_CALL] = lambda: _functions().share_call
PROVIDED.update({f"diablo_{name}": partial(_of_elements, name) for name in _OF_ELEMENTS})

_one: Team | None = None


def own_team(size: int) -> Team | None:
    """The team of this process, with at least so many threads; `None` where it cannot be had."""
    global _one
    team = _one
    if team is None:
        if os.name != "posix":
            return None
        with COMPILER:
            team = _one = _one or Team()
    if team.size < size:
        team.grow(size)
    return team


def _close() -> None:
    """Before the interpreter ends, its machine code is left."""
    if _one is not None:
        _one.close()


def _after_fork() -> None:
    """A child process has none of its parent's threads."""
    global _one
    _one = None


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
