"""When machine code is used, and by how many threads: two variables of the environment.

    DIABLO_COMPILE=auto     a kernel is compiled once it has seen enough points to repay that
    DIABLO_COMPILE=always   from the first call on, and small work too is cut for all threads
    DIABLO_COMPILE=never    not at all, as where llvmlite is missing
    DIABLO_THREADS=3        so many threads, instead of one for each core

With `always` short runs take the ways that long ones take, which is how these are tested.
"""

from __future__ import annotations

import threading
from typing import Literal, NamedTuple, cast, get_args

from diablo.diagnostics import InputError
from diablo.runtime.variables import variable

CompileMode = Literal["auto", "always", "never"]
COMPILE, THREADS, SHARED_THREADS = "DIABLO_COMPILE", "DIABLO_THREADS", "OMP_NUM_THREADS"
_MODES = frozenset(get_args(CompileMode))


class _Environment(NamedTuple):
    mode: CompileMode
    threads: int | None
    at_once: bool


_held: _Environment | None = None
_runs = 0
_lock = threading.Lock()


class held_environment:
    """A context manager: the environment is looked at once for all that runs inside.

    A look takes as long as a small kernel. Raises `InputError` for a variable that has no such
    value. With `at_once` what is compiled at all is compiled before it runs: machine code may add
    up in another order than NumPy, and a run that another one goes on with has to have the same
    order from its beginning.
    """

    __slots__ = ("_at_once",)

    def __init__(self, at_once: bool = False):
        self._at_once = at_once

    def __enter__(self) -> None:
        global _held, _runs
        with _lock:
            if _held is None:
                _held = _Environment(_compile_mode(), _given_threads(), self._at_once)
            _runs += 1

    def __exit__(self, *_: object) -> None:
        global _held, _runs
        with _lock:
            _runs -= 1
            _held = None if _runs == 0 else _held


def compile_mode() -> CompileMode:
    """The value of `DIABLO_COMPILE`; an `InputError` if it is none of the three."""
    held = _held
    return _compile_mode() if held is None else held.mode


def has_seen_enough(seen: int, enough: int) -> bool:
    """Return whether what has done so much work is worth compiling."""
    return compiles_at_once() or pays(seen, enough)


def compiles_at_once() -> bool:
    """Return whether what is compiled at all is compiled before it runs for the first time."""
    held, mode = _held, compile_mode()
    return mode == "always" or (mode == "auto" and held is not None and held.at_once)


def given_threads() -> int | None:
    """The value of `DIABLO_THREADS` or else of `OMP_NUM_THREADS`, which Spark sets, if any.

    An `InputError` if the first is no number.
    """
    held = _held
    return _given_threads() if held is None else held.threads


def pays(work: int, enough: int) -> bool:
    """Return whether machine code does so much work, if that is worth it from `enough` on."""
    mode = compile_mode()
    return mode == "always" or (mode == "auto" and work >= enough)


def _compile_mode() -> CompileMode:
    mode = variable(COMPILE) or "auto"
    if mode not in _MODES:
        raise InputError(f"{COMPILE} is {mode!r}, and must be auto, always or never")
    return cast(CompileMode, mode)


def _given_threads() -> int | None:
    text = variable(THREADS)
    if not text:
        shared = variable(SHARED_THREADS) or ""
        return int(shared) or None if shared.isdigit() else None
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 1024):
        raise InputError(f"{THREADS} is {text!r}, and must be a number of threads")
    return int(text)
