"""Ending a command on a signal as on an error: files that are half written, and Spark, go first.

    with ending_on_signals():
        …                       # SIGTERM and SIGHUP raise SystemExit, as SIGINT KeyboardInterrupt
        with signals_waiting():
            …                   # starts a process: they raise it behind this

By default these signals end Python there and then: temporary files, blocks in memory and what
waits to be done at exit would be left.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

_SIGNALS = ("SIGTERM", "SIGHUP")


def _handlers(names: Sequence[str]) -> dict[int, Any]:
    """What handles each of some signals, by its number, of those that the system has."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    return {number: signal.getsignal(number) for number in numbers}


@contextmanager
def signals_waiting() -> Generator[None]:
    """Let a signal that would end what runs inside wait until that is done.

    What starts another process must not end half-way, where nobody has that process in hand yet.
    Outside of the main thread nothing changes, nor for signals that are ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = _handlers(("SIGINT", *_SIGNALS))
    caught = {n: old for n, old in before.items() if old not in (None, signal.SIG_IGN)}
    for number in caught:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in caught.items():
            if signal.getsignal(number) is note:  # What runs inside may have set one of its own.
                signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


@contextmanager
def ending_on_signals() -> Generator[None]:
    """End what runs inside by a `SystemExit` with 128 and the signal's number, as shells say it.

    A second signal finds the cleaning under way, and does nothing. Outside of the main thread, and
    for signals that are ignored, as by `nohup`, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught = [n for n, handler in _handlers(_SIGNALS).items() if handler is signal.SIG_DFL]

    def end(number: int, frame: FrameType | None) -> NoReturn:
        for each in caught:
            signal.signal(each, signal.SIG_IGN)
        sys.exit(128 + number)

    for number in caught:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in caught:
            if signal.getsignal(number) is end:
                signal.signal(number, signal.SIG_DFL)
