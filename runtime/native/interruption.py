"""How loops of machine code that may be long are interrupted.

    declare i64 @diablo_interrupted()         asked every so many iterations: -1 ends the loop

Python's signal handlers run within the question, so that Ctrl-C ends the loop: what a handler
raises is kept, and raised where the loop was called.

A handler runs where Python next enters a function, before anything there could catch what it
raises. A generator goes on within its `try`. So the question goes on with a generator of the thread
that asks, which functions written in C alone find.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Generator
from functools import cache, partial
from typing import Any

INTERRUPTED = "diablo_interrupted"
"""The name that machine code calls it by."""
_STOP = -1
_thread = threading.local()
"""Of each thread `answers`, its generator, and `raised`, what ended its loop."""


def _answers() -> Generator[int]:
    """The answers to the questions of a thread."""
    answer = 0
    while True:
        try:
            while True:
                yield answer
                answer = 0
        except GeneratorExit:
            return
        except BaseException as error:
            _thread.raised = error
            answer = _STOP


def expect_questions() -> None:
    """Get ready for the questions of this thread; before each call of what may ask."""
    answers = getattr(_thread, "answers", None)
    if answers is None or answers.gi_frame is None:
        answers = _answers()
        next(answers)
        _thread.answers = answers


@cache
def _callback() -> Any:
    of_thread = iter(partial(getattr, _thread, "answers"), None)
    return ctypes.CFUNCTYPE(ctypes.c_int64)(map(next, of_thread).__next__)


def interrupted_address() -> int:
    """Return where the function is."""
    address = ctypes.cast(_callback(), ctypes.c_void_p).value
    assert address is not None
    return address


def raise_interruption() -> None:
    """Raise what ended a loop of this thread."""
    error, _thread.raised = _thread.raised, None
    raise error
