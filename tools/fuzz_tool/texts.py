"""What the compiler does with one text that need not be a program."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from diablo.diagnostics import CompileError, listening
from diablo.tools.fuzz_tool.trial import FILE, Outcome, is_internal
from diablo.variant import Variant

_SECONDS = 20


class _TooSlow(Exception):
    """A text has taken too long."""


@contextmanager
def _time_limit() -> Generator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def compile_text(text: str) -> Outcome:
    """Compile a text as a program; anything but a program or located errors is a crash."""
    try:
        with _time_limit(), listening(lambda _: None):
            _ = Variant(text, FILE, {}).python
    except CompileError as error:
        if is_internal(error):
            return Outcome("crash", error.diagnostics[0].message.splitlines()[0])
        if not error.diagnostics:
            return Outcome("crash", "an error without a message")
        str(error)  # can be shown
        return Outcome("refused", error.diagnostics[0].message)
    except _TooSlow:
        return Outcome("crash", f"no end after {_SECONDS} seconds")
    except Exception as error:
        return Outcome("crash", f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}")
    return Outcome("same")
