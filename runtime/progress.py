"""What a long run is doing, shown on a terminal while it lasts.

    with showing():                          # nothing for a second, then a line that is redrawn:
        with doing("reading G"):             #   reading G [00:01]
            …
        passes = Step("compiling", total=40)
        with doing(passes):
            passes.begin("canonicalize")     #   compiling: canonicalize |███     | 7/40 [00:02]

A thread looks now and then at what is being done, so that the work itself has nothing to report.
Only what can be counted has a bar. The line is taken away at the end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Event, RLock, Thread
from time import perf_counter
from typing import Any, TextIO

DELAY = 1.0
"""After how many seconds something is shown."""

_INTERVAL = 0.25
_COUNT = " |{bar:20}| {n_fmt}/{total_fmt}"
_WIDTH_OF_COUNT = 36


@dataclass
class Step:
    """What is being done; if it consists of a known number of parts, how many are done."""

    text: str
    done: int = 0
    total: int | None = None
    part: str | None = None

    def begin(self, part: str) -> None:
        """Go on to the next part."""
        self.done += self.part is not None
        self.part = part


Activity = Callable[[], Step]
"""Says what is being done; it is asked in another thread."""
_SILENT = nullcontext()


def showing(wanted: bool = True, delay: float | None = None) -> AbstractContextManager[None]:
    """Show on stderr what is done inside once it has taken `delay` seconds (default: `DELAY`).

    Nothing happens where stderr is not a terminal, and where an outer one shows it.
    """
    stream = sys.stderr
    if not wanted or is_shown() or not _is_terminal(stream):
        return _SILENT
    return _shown(stream, delay)


@contextmanager
def _shown(stream: TextIO, delay: float | None) -> Generator[None]:
    """Show on a terminal what is done inside."""
    display = _Display(stream, DELAY if delay is None else delay)
    token = _display.set(display)
    with suppress(RuntimeError):  # Where no thread can be started, nothing is shown.
        display.start()
    try:
        yield
    finally:
        _display.reset(token)
        display.stop()


def doing(what: str | Step | Activity) -> AbstractContextManager[None]:
    """Say what is done inside: a text, a step whose parts the caller counts, or who knows."""
    display = _display.get()
    return _SILENT if display is None else _told(display, what)


@contextmanager
def _told(display: _Display, what: str | Step | Activity) -> Generator[None]:
    """Let the line say what is done inside."""
    step = Step(what) if isinstance(what, str) else what
    outer = display.activity
    display.activity = (lambda: step) if isinstance(step, Step) else step
    try:
        yield
    finally:
        display.activity = outer


def is_shown() -> bool:
    """Return whether what is done here is shown once it takes long."""
    return _display.get() is not None


@contextmanager
def hidden() -> Generator[None]:
    """Keep the line away while something else is printed."""
    display = _display.get()
    if display is None:
        yield
        return
    with display.drawing:
        display.clear()
        yield


class _Display(Thread):
    """The line on the terminal, and the thread that draws it."""

    def __init__(self, stream: TextIO, delay: float):
        super().__init__(name="diablo-progress", daemon=True)
        self.activity: Activity = lambda: Step("starting")
        self.drawing = RLock()
        """Held by who writes to the terminal."""
        self._stream = stream
        self._delay = delay
        self._started_at = perf_counter()
        self._end = Event()
        self._bar: Any = None

    def run(self) -> None:
        """Draw the line until `stop`."""
        seconds = self._delay
        # A terminal that is gone, or a session that ends, is no matter of the program's.
        with suppress(Exception):
            while not self._end.wait(seconds):
                self._draw(self.activity())
                seconds = _INTERVAL
        with suppress(Exception):
            if self._bar is not None:
                self._bar.close()

    def stop(self) -> None:
        """Take the line away."""
        self._end.set()
        if self.is_alive():
            self.join()

    def clear(self) -> None:
        """Take the line away until it is drawn again."""
        if self._bar is not None:
            self._bar.clear()

    def _draw(self, step: Step) -> None:
        with self.drawing:
            if self._bar is None:
                self._bar = _new_bar(self._stream)
            bar = self._bar
            elapsed = bar.format_interval(perf_counter() - self._started_at)
            count = _COUNT if step.total else ""
            bar.bar_format = f"{{desc}}{count} [{elapsed}]"
            bar.n, bar.total = step.done, step.total
            bar.ncols = _columns(self._stream)
            room = bar.ncols - len(elapsed) - 4 - _WIDTH_OF_COUNT * bool(count)
            text = step.text if step.part is None else f"{step.text}: {step.part}"
            bar.set_description_str(_cut(text, room), refresh=False)
            bar.refresh()


_display: ContextVar[_Display | None] = ContextVar("progress_display", default=None)


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # It is closed.
        return False


def _new_bar(stream: TextIO) -> Any:
    from tqdm import tqdm  # Only here, for most runs show nothing.

    # Without the thread in which tqdm looks after its bars, and which would stay.
    own: Any = type("Bar", (tqdm,), {"monitor_interval": 0})
    # tqdm draws nothing on a terminal that says it has no lines, as one without a window does.
    return own(file=stream, leave=False, bar_format="{desc}", ncols=80, nrows=20)


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _cut(text: str, width: int) -> str:
    """The text on one line, without what would control the terminal."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text)
    width = max(width, 8)
    return shown if len(shown) <= width else shown[: width - 1] + "…"
