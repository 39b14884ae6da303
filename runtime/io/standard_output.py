"""Printing to a standard output that may be a closed pipe, a full disk, or not there at all.

    print_whole("…")

A reader that has gone, as after `| head -1`, is a `BrokenPipeError`, which callers end
quietly on; anything else that keeps the text from being written is an `OutputError`.
"""

from __future__ import annotations

import logging
import os
import sys

from diablo.diagnostics import RunError


class OutputError(RunError):
    """Standard output takes no text."""


def print_whole(text: str) -> None:
    """Write `text` to standard output, all of it now."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise OutputError("standard output is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon()
        raise
    except OSError as error:
        _abandon()
        raise OutputError(f"standard output: cannot be written: {error.strerror}") from None


def keep_logs_quiet() -> None:
    """Keep what Py4J logs on Ctrl-C from stderr: for a command, which handles the exception."""
    logging.getLogger().addHandler(logging.NullHandler())


def _abandon() -> None:
    """Let what is still buffered go nowhere: Python would try again, and complain, at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
