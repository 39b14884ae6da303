"""Lines of Python: indentation, comments that name the source, and chains of methods."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.ir import Operation

from diablo.diagnostics import emitted_name, source_lines, source_text
from diablo.dialects.locations import span_of
from diablo.lowering.pyspark.long_statements import WIDTH
from diablo.lowering.pyspark.long_statements import statement as layout
from diablo.lowering.python_text import comment


@dataclass(frozen=True)
class Chain:
    """An RDD as an expression: `head.link.link`. Links may be chains with arguments in them."""

    head: str
    links: tuple[str, ...] = ()
    is_variable: bool = False
    """Whether it is the variable that holds the RDD, with no links behind."""

    def then(self, link: str) -> Chain:
        """The chain with one more method call."""
        return Chain(self.head, (*self.links, link))

    @property
    def text(self) -> str:
        """All on one line."""
        return "".join([self.head, *self.links])


class Lines:
    """The lines of a function's body."""

    def __init__(self, indent: int = 1):
        self.lines: list[str] = []
        self.depth = indent
        self._sources: dict[str, list[str]] = {}
        self._last_place: tuple[str, int] | None = None

    def add(self, text: str) -> None:
        """Append a line at the current indentation."""
        self.lines.append("    " * self.depth + text if text else "")

    def statement(self, prefix: str, chain: Chain) -> None:
        """Append a statement whose right side is a chain."""
        self.lines += layout(prefix, chain.text, 4 * self.depth)

    @contextmanager
    def indented(self, header: str) -> Generator[None]:
        """A compound statement."""
        self.add(header)
        self.depth += 1
        count = len(self.lines)
        try:
            yield
            if len(self.lines) == count:
                self.add("pass")
        finally:
            self.depth -= 1

    def comment(self, op: Operation) -> None:
        """Name the source line of `op`, unless the last comment did."""
        span = span_of(op)
        if span is None or (span.file, span.line) == self._last_place:
            return
        self._last_place = (span.file, span.line)
        lines = self._source(span.file)
        text = lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""
        place = f"{emitted_name(span.file)}:{span.line}"
        whole = f"{place}: {text.expandtabs(4)}" if text else place
        self.add(comment(whole, WIDTH - 4 * self.depth))

    def _source(self, file: str) -> Sequence[str]:
        if file not in self._sources:
            self._sources[file] = source_lines(source_text(file))
        return self._sources[file]
