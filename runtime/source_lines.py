"""The line of the source that a failure in an emitted program is about.

Emitted programs name the source above their statements, and so does the text of a kernel:

    # pagerank.diablo:7: var C = …           line_of(error in `cogroup`)  ->  7
    C = cogroup(…)
"""

from __future__ import annotations

import linecache
import os
import re
import sys
import traceback
from textwrap import shorten
from typing import Any

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_COMMENT = re.compile(r"\s*# .*?:(\d+)(?::|$)")
_EMITTED = "<compiled from "
_PLACE = re.compile(r"(?P<file><compiled from .*?, \d+>):(?P<line>\d+): ")
_FUNCTION = re.compile(r"def \w+\(")


def line_of(error: BaseException) -> int | None:
    """The line for the innermost statement of an emitted program that was running, if any."""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = frame.f_code.co_filename
        if name.startswith(_EMITTED):
            return _comment_above(name, number)
    return None


def with_place(message: str, function: Any) -> str:
    """A message that says which function of an emitted program it is about, for `without_place`.

    It is understood where the program is, though it comes from a worker that has no text of it.
    """
    inner = function
    while inner is not None and not hasattr(inner, "__code__"):
        # What counts its rows, or machine code for it.
        inner = getattr(inner, "kernel", None) or getattr(inner, "numpy_function", None)
    code = getattr(inner, "__code__", None)
    if code is None or not code.co_filename.startswith(_EMITTED):
        return message
    return f"{code.co_filename}:{code.co_firstlineno}: {message}"


def without_place(message: str) -> tuple[str, int | None]:
    """The message that `with_place` was given, and the line of the source for the function."""
    found = _PLACE.match(message)
    if found is None:
        return message, None
    for line in linecache.getlines(found["file"])[int(found["line"]) :]:
        if comment := _COMMENT.match(line):
            return message[found.end() :], int(comment[1])
        if _FUNCTION.match(line):
            break
    return message[found.end() :], None


def last_line(main: Any) -> int | None:
    """The line for the last statement of an emitted program, which makes what it returns."""
    code = getattr(main, "__code__", None)
    if code is None or not code.co_filename.startswith(_EMITTED):
        return None
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return _comment_above(code.co_filename, max(lines))


def running_line(thread: int) -> int | None:
    """The line for the innermost statement of an emitted program that a thread is running."""
    frame = sys._current_frames().get(thread)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(_EMITTED):
            return _comment_above(name, frame.f_lineno)
        frame = frame.f_back
    return None


def running_place() -> str | None:
    """The innermost statement of an emitted program that this thread runs: its file and line."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(_EMITTED):
            found = _match_above(name, frame.f_lineno)
            return None if found is None else found.string.strip().removeprefix("# ")
        frame = frame.f_back
    return None


def calling_place() -> str | None:
    """The statement outside of this package that this thread runs: its file and line.

    It is what somebody writes in Python or in a notebook; `diablo-run` has none.
    """
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        file = frame.f_code.co_filename
        if file == "<stdin>" or not file.startswith((_PACKAGE, _LIBRARY, "<")):
            text = shorten(linecache.getline(file, frame.f_lineno), 80, placeholder=" …")
            return f"{os.path.basename(file)}:{frame.f_lineno}" + (f": {text}" if text else "")
        frame = frame.f_back
    return None


def _comment_above(file: str, number: int) -> int | None:
    found = _match_above(file, number)
    return None if found is None else int(found[1])


def _match_above(file: str, number: int) -> re.Match[str] | None:
    for line in range(number, 0, -1):
        text = linecache.getline(file, line)
        if found := _COMMENT.match(text):
            return found
        if _FUNCTION.match(text):
            break
    return None
