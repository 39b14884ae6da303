"""When machine code is used, and by how many threads: two variables of the environment.

    DIABLO_COMPILE=auto     a kernel is compiled once it has seen enough points to repay that
    DIABLO_COMPILE=always   from the first call on, and small work too is cut for all threads
    DIABLO_COMPILE=never    not at all, as where llvmlite is missing
    DIABLO_THREADS=3        so many threads, instead of one for each core

With `always` short runs take the ways that long ones take, which is how these are tested.
"""

from __future__ import annotations

import os
from typing import Literal, cast, get_args

from diablo.diagnostics import InputError

CompileMode = Literal["auto", "always", "never"]
COMPILE, THREADS = "DIABLO_COMPILE", "DIABLO_THREADS"
_MODES = frozenset(get_args(CompileMode))


def compile_mode() -> CompileMode:
    """The value of `DIABLO_COMPILE`; an `InputError` if it is none of the three."""
    mode = os.environ.get(COMPILE) or "auto"
    if mode not in _MODES:
        raise InputError(f"{COMPILE} is {mode!r}, and must be auto, always or never")
    return cast(CompileMode, mode)


def pays(work: int, enough: int) -> bool:
    """Whether machine code does so much work, if that is worth it from `enough` on."""
    mode = compile_mode()
    return mode == "always" or (mode == "auto" and work >= enough)


def check_environment() -> None:
    """An `InputError` for a variable that has no such value."""
    compile_mode()
    given_threads()


def given_threads() -> int | None:
    """The value of `DIABLO_THREADS`, if there is one; an `InputError` if it is no number."""
    text = os.environ.get(THREADS)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 1024):
        raise InputError(f"{THREADS} is {text!r}, and must be a number of threads")
    return int(text)
