"""A limit on how long something may take, for programs that need not end."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic, process_time
from types import FrameType

WAITING = 30
"""How many times longer than it may compute something may take.

A busy machine makes a program late, and only one that waits for ever makes it so late.
"""


class TooSlow(BaseException):
    """The time is over. Nothing that handles errors stops it."""


@contextmanager
def time_limit(seconds: float, waiting: float = WAITING) -> Generator[None]:
    """Raise `TooSlow` if what is inside computes for longer; works in the main thread only.

    Counted is the processor time of all threads, and the time on the clock `waiting` times less.
    """

    is_over = False
    started, computed = monotonic(), process_time()

    def look(_signal: int, _frame: FrameType | None) -> None:
        nonlocal is_over
        late = monotonic() - started >= seconds * waiting
        if late or process_time() - computed >= seconds:
            is_over = True
            raise TooSlow

    before = signal.signal(signal.SIGALRM, look)
    try:
        # A clock is looked at now and then: the alarm of the processor time goes to the thread that
        # computes, and this one is not told while it waits. It goes on looking, should the
        # exception fall into what ignores it.
        interval = min(1.0, seconds / 2)
        signal.setitimer(signal.ITIMER_REAL, interval, interval)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if is_over:  # Whatever became of the exception inside.
            raise TooSlow
