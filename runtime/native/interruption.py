"""How loops of machine code that may be long are interrupted.

    declare i64 @diablo_interrupted()         asked every so many iterations: -1 ends the loop

Python's signal handlers run within the question, so that Ctrl-C ends the loop: what a handler
raises is kept, and raised where the loop was called.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any

INTERRUPTED = "diablo_interrupted"
"""The name that machine code calls it by."""
_STOP = -1
_raised = threading.local()


def _interrupted() -> int:
    """Let Python handle what has come; whether the loop is to end."""
    try:
        return _handle()
    except BaseException as error:
        _raised.error = error
        return _STOP


def _handle() -> int:
    """Return 0; handlers of signals run where a function of Python begins."""
    return 0


@cache
def _callback() -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int64)(_interrupted)


def interrupted_address() -> int:
    """Where the function is."""
    address = ctypes.cast(_callback(), ctypes.c_void_p).value
    assert address is not None
    return address


def raise_interruption() -> None:
    """Raise what ended a loop of this thread."""
    error, _raised.error = _raised.error, None
    raise error
