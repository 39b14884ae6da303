"""A limit on how long something may take, for programs that need not end."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


class TooSlow(BaseException):
    """The time is over. Nothing that handles errors stops it."""


@contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Raise `TooSlow` if what is inside takes longer; works in the main thread only."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
