"""Where the qualifier ends that begins at a place of a program.

qualifier_span("[ a | (i,a) <- L, a > 0 ];", Span(file, 1, 7, 8))   ->   columns 7 to 17
"""

from __future__ import annotations

from diablo.diagnostics import Span
from diablo.frontend.parsing.lexer import tokenize
from diablo.frontend.parsing.tokens import Source

_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")
_ENDING = (",", ";", "|", "do")


def qualifier_span(text: str, start: Span) -> Span:
    """The span from a place up to the end of its qualifier, or of its line if that comes first."""
    tokens, _ = tokenize(Source(text, start.file))
    depth, end = 0, start.end_column
    for token in tokens:
        if token.line > start.line:
            break
        if token.line < start.line or token.column < start.column:
            continue
        if depth == 0 and token.text in (*_ENDING, *_CLOSING):
            break
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        end = token.end_column
    return Span(start.file, start.line, start.column, end)
