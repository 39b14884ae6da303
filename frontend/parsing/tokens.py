"""Tokens, and the program text that they come from.

var x = 1.5;   ->   name `var`, name `x`, op `=`, float `1.5`, op `;`, end
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from diablo.diagnostics import Span, source_lines
from diablo.monoid_table import MONOIDS

TokenKind = Literal["name", "int", "float", "imaginary", "string", "char", "op", "end"]

RESERVED = frozenset(
    {"var", "for", "do", "in", "while", "if", "else", "let", "def", "true", "false"}
    | {"tensor", "list", "map"}
    | {monoid.symbol for monoid in MONOIDS.values() if monoid.is_word}
)
"""Words that never name a variable, those of monoids among them."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or operator; `column` and `end_column` count from 1."""

    kind: TokenKind
    text: str
    line: int
    column: int
    end_column: int

    def is_op(self, *texts: str) -> bool:
        """Return whether the token is one of the operators `texts`."""
        return self.kind == "op" and self.text in texts

    def is_name(self, *texts: str) -> bool:
        """Return whether the token is one of the words `texts`."""
        return self.kind == "name" and self.text in texts


class Source:
    """A program's text, which turns places in it to spans."""

    def __init__(self, text: str, file: str):
        self.file = file
        self.lines = source_lines(text)
        self.text = "\n".join(self.lines)

    def span(self, first: Token, last: Token | None = None) -> Span:
        """The span from `first` to `last`, cut at the end of the first line."""
        last = last or first
        if last.line == first.line:
            end = max(last.end_column, first.column + 1)
        else:
            end = len(self.lines[first.line - 1].rstrip()) + 1
        return Span(self.file, first.line, first.column, end)
