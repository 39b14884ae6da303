"""From text to tokens: `i <- 0..n-1` becomes `i`, `<-`, `0`, `..`, `n`, `-`, `1`."""

from __future__ import annotations

import re

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.parsing.tokens import Source, Token, TokenKind

# A number's point needs a digit after it, so that `0..n` and `v.length` are no numbers.
_TOKEN = re.compile(
    r"(?P<space>[ \t\n]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r"|(?P<float>(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+"
    r"(?:[eE][+-]?[0-9]+)?)[fFdD]?|[0-9]+[fFdD]\b)"
    r"|(?P<int>[0-9]+[lL]?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<char>'(?:[^'\\\n]|\\.)')"
    r"|(?P<op>(?!/\*)(?:&&=|\|\|=|<-|<=|>=|==|!=|=>|->|&&|\|\||[-+*/%]=|\.\.|[-+*/%<>=!()\[\]{},;:.|#@?]))"
)

_KINDS: dict[str, TokenKind] = {
    "float": "float",
    "int": "int",
    "name": "name",
    "string": "string",
    "char": "char",
    "op": "op",
}


def tokenize(source: Source) -> tuple[list[Token], list[Diagnostic]]:
    """Split the program into tokens, the last of kind `end`, and the errors met."""
    text = source.text
    tokens: list[Token] = []
    diagnostics: list[Diagnostic] = []
    position, line, line_start = 0, 1, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        column = position - line_start + 1
        if match is None:
            length, diagnostic = _bad_text(source, position, line, column)
            diagnostics.append(diagnostic)
            end = position + length
        else:
            end = match.end()
            kind = _KINDS.get(match.lastgroup or "")
            if kind is not None:
                tokens.append(Token(kind, match.group(), line, column, end - line_start + 1))
        newlines = text.count("\n", position, end)
        if newlines:
            line += newlines
            line_start = text.rfind("\n", position, end) + 1
        position = end
    if tokens:
        # What is missing at the end of the program is missing after its last token.
        last = tokens[-1]
        tokens.append(Token("end", "", last.line, last.end_column, last.end_column + 1))
    else:
        tokens.append(Token("end", "", 1, 1, 2))
    return tokens, diagnostics


def _bad_text(source: Source, position: int, line: int, column: int) -> tuple[int, Diagnostic]:
    """How much to skip at text that is no token, and what to say about it."""
    text = source.text
    rest_of_line = source.lines[line - 1][column - 1 :]
    if text.startswith("/*", position):
        length, message = len(text) - position, "this comment is never closed"
    elif text[position] == '"':
        length, message = len(rest_of_line), "this string is never closed"
    else:
        length, message = 1, f"unexpected character {text[position]!r}"
    span = Span(source.file, line, column, column + min(length, max(1, len(rest_of_line))))
    return length, Diagnostic("error", message, span)
