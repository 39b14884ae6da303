"""Errors and located diagnostics, shared by every part of diablo.

A `Diagnostic` is one message about one place of a program. `CompileError` carries all
the diagnostics of a run. This module imports nothing of the compiler, so that every
folder may use it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from diablo.context_values import Holding

Severity = Literal["error", "warning", "remark", "note"]


@dataclass(frozen=True)
class Span:
    """A range of source text: `line` and `column` count from 1, `end_column` is exclusive.

    Spans stay on one line; a construct over several lines is marked up to the end of its
    first line.
    """

    file: str
    line: int
    column: int
    end_column: int


@dataclass(frozen=True)
class Diagnostic:
    """One message: what is wrong, where, and how to mend it."""

    severity: Severity
    message: str
    span: Span | None = None
    hint: str | None = None
    notes: tuple[Diagnostic, ...] = ()

    def render(self, sources: dict[str, str]) -> str:
        """Return the message with `file:line:col`, its source line and a caret range.

        `sources` maps file names to their whole text; a file that is not there gets no
        source line.
        """
        lines: list[str] = []
        if self.span is None:
            lines.append(f"{self.severity}: {self.message}")
        else:
            span = self.span
            file = "".join(c if c.isprintable() else _escaped(c) for c in span.file)
            lines.append(f"{file}:{span.line}:{span.column}: {self.severity}: {self.message}")
            text = source_lines(sources.get(span.file, ""))
            if 0 < span.line <= len(text):
                lines += _excerpt(text[span.line - 1], span.column - 1, span.end_column - 1)
        if self.hint is not None:
            lines.append(f"  hint: {self.hint}")
        lines += [note.render(sources) for note in self.notes]
        return "\n".join(lines)


_WIDEST = 160
_LARGEST_SOURCE = 1 << 26


def source_text(file: str) -> str:
    """The text of a file that a location names; nothing if there is none to be read.

    Locations come with the IR and may name anything: only regular files are opened, up to 64 MiB.
    """
    path = Path(file)
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_SOURCE:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return ""


def emitted_name(file: str) -> str:
    """Return what emitted programs call a source file: its name alone, wherever it was compiled."""
    return Path(file).name or file


def source_lines(text: str) -> list[str]:
    r"""The lines of a program, which end with `\n`, `\r\n` or `\r` and nothing else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _excerpt(line: str, start: int, end: int) -> list[str]:
    """A source line, or its part around `start`, and the carets below it."""
    if len(line) > _WIDEST:
        first = max(0, start - _WIDEST // 2)
        shown = line[first : first + _WIDEST]
        before, after = "…" * (first > 0), "…" * (first + _WIDEST < len(line))
        shift = len(before) - first
        line, start, end = before + shown + after, start + shift, end + shift
        end = min(end, len(line) - len(after))
    line = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line)
    # Tabs are kept in the padding so that the caret stays below its character.
    padding = "".join("\t" if c == "\t" else " " for c in line[:start])
    width = max(1, min(end, len(line)) - start)
    return [f"  {line}", f"  {padding}{'^' * width}"]


class Error(Exception):
    """The base of every error that diablo raises on purpose."""


@dataclass
class CompileError(Error):
    """The program is wrong: one or more located diagnostics, rendered by `str()`."""

    diagnostics: Sequence[Diagnostic]
    sources: dict[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        return "\n".join(d.render(self.sources) for d in self.diagnostics)


class InputError(Error):
    """The data given to a program are wrong: a missing file, a bad type, a bad shape."""


class RunError(Error):
    """A program failed while it was running.

    What emitted programs say begins with the place in the source, by the name that they have for
    it (`emitted_name`): `sum.diablo:3:5: …`. Of other failures `line` is known at best.
    """

    line: int | None = None

    def with_source(self, sources: dict[str, str]) -> RunError:
        """The same error with the source line and a caret, if its file is among `sources`.

        Points to the statements of the line where no column is known.
        """
        place = _PLACE.fullmatch(str(self))
        if place is None and self.line is not None and len(sources) == 1:
            return self._with_line(sources, self.line)
        if place is None:
            return self
        file = next((file for file in sources if emitted_name(file) == place["file"]), None)
        if file is None:
            return self
        line, column = int(place["line"]), int(place["column"])
        span = Span(file, line, column, column + 1)
        return LocatedRunError(Diagnostic("error", place["message"], span).render(sources))

    def _with_line(self, sources: dict[str, str], line: int) -> RunError:
        ((file, source),) = sources.items()
        lines = source.splitlines()
        text = lines[line - 1] if line <= len(lines) else ""
        column = len(text) - len(text.lstrip()) + 1
        span = Span(file, line, column, max(column + 1, len(text.rstrip()) + 1))
        return LocatedRunError(Diagnostic("error", str(self), span).render(sources))


class OutOfMemory(RunError):
    """A program would take more memory than it may.

    Parameters
    ----------
    needed, left : bytes, where it is known how many
    """

    def __init__(self, message: str = "", needed: int | None = None, left: int | None = None):
        super().__init__(message)
        self.needed = needed
        self.left = left


class LostBlock(RunError):
    """The file of a block is gone in which a part of an array was, or who had it."""


class LocatedRunError(RunError):
    """A failure with the line of the source where it happened, rendered."""

    def with_source(self, sources: dict[str, str]) -> RunError:
        """The error itself."""
        return self


_PLACE = re.compile(r"(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)", re.DOTALL)


def span_at(place: str) -> Span | None:
    """The span of one character at `file:line:column`, if that is what `place` says."""
    file, _, rest = place.rpartition(":")
    file, _, line = file.rpartition(":")
    if not (file and line.isdecimal() and rest.isdecimal()):
        return None
    return Span(file, int(line), int(rest), int(rest) + 1)


Listener = Callable[[Diagnostic], None]

_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("diagnostic_listeners", default=())


def listening(listener: Listener) -> Holding[tuple[Listener, ...]]:
    """Call `listener` with every diagnostic that is reported inside the `with` block."""
    return Holding(_listeners, (*_listeners.get(), listener))


def unheard() -> Holding[tuple[Listener, ...]]:
    """Drop what is reported inside the `with` block: it was reported before."""
    return Holding(_listeners, ())


def report(diagnostic: Diagnostic) -> None:
    """Hand a warning or remark to whoever listens; nobody listening, it is dropped.

    Errors are raised as `CompileError` instead.
    """
    for listener in _listeners.get():
        listener(diagnostic)


def reporter() -> Listener:
    """`report` for other threads: to whoever listens here, where this is called."""
    listeners = _listeners.get()

    def report_here(diagnostic: Diagnostic) -> None:
        for listener in listeners:
            listener(diagnostic)

    return report_here


_SHOWN = 100
"""How many errors of a run are shown."""


def first_of(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics in the order of the source; of very many the first."""
    by_place = sorted(diagnostics, key=lambda d: (d.span.line, d.span.column) if d.span else (0, 0))
    if len(by_place) <= _SHOWN:
        return by_place
    last = by_place[_SHOWN].span
    message = f"there are {len(by_place) - _SHOWN} more errors from here on"
    return [*by_place[:_SHOWN], Diagnostic("error", message, last)]


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """`1 index`, `2 indices`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def with_article(noun: object) -> str:
    """`a vector[Int]`, `an array3[Int]`."""
    return f"{'an' if str(noun).startswith(tuple('aeioAEIO')) else 'a'} {noun}"


def size_text(size: float) -> str:
    """Bytes as a reader takes them in: 1.5 GiB."""
    units = ["PiB", "TiB", "GiB", "MiB", "KiB", "bytes"]
    while size >= 1024 and len(units) > 1:
        size /= 1024
        units.pop()
    unit = units[-1]
    return f"{size:.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.3g} {unit}"
