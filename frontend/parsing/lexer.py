"""From text to tokens: `i <- 0..n-1` becomes `i`, `<-`, `0`, `..`, `n`, `-`, `1`."""

from __future__ import annotations

import re
from itertools import pairwise

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.parsing.tokens import RESERVED, Source, Token, TokenKind

# A number's point needs a digit after it, so that `0..n` and `v.length` are no numbers.
_TOKEN = re.compile(
    r"(?P<space>[ \t\n\f\v]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r"|(?P<imaginary>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j\b)"
    r"|(?P<float>(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+"
    r"(?:[eE][+-]?[0-9]+)?)[fFdD]?|[0-9]+[fFdD]\b)"
    r"|(?P<int>[0-9]+[lL]?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<char>'(?:[^'\\\n]|\\u[0-9A-Fa-f]{4}|\\.)')"
    r"|(?P<op>(?!/\*)(?:&&=|\|\|=|<-|<=|:=|>=|==|!=|=>|->|&&|\|\||[-+*/%]=|\.\.|[-+*/%<>=!()\[\]{},;:.|#@?]))"
)

_KINDS: dict[str, TokenKind] = {
    "float": "float",
    "imaginary": "imaginary",
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
    bad_names: set[str] = set()
    position, line, line_start = 0, 1, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is not None and match.lastgroup == "name" and _goes_on(text, match.end()):
            match = None
        column = position - line_start + 1
        if match is None:
            length, diagnostic = _bad_text(source, position, line, column)
            end = position + length
            # A name that is no name is reported where it is met first.
            bad_name = text[position:end]
            if bad_name not in bad_names:
                diagnostics.append(diagnostic)
            if bad_name[0].isalnum():
                bad_names.add(bad_name)
        else:
            end = match.end()
            kind = _KINDS.get(match.lastgroup or "")
            if kind is not None:
                # `:=` is `=`.
                word = "=" if match.group() == ":=" else match.group()
                tokens.append(Token(kind, word, line, column, end - line_start + 1))
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


_DIVIDED = re.compile(r"[\w)\]\"']//[\w(]")
"""A comment that follows an operand at once, and begins as one does: `n//2`."""


def divided_comments(source: Source) -> list[Diagnostic]:
    """Warn of comments that a reader of Python takes for divisions: `7//2`, `(a+b)//c`."""
    if _DIVIDED.search(source.text) is None:
        return []
    tokens, _ = tokenize(source)
    warnings: list[Diagnostic] = []
    for token, after in pairwise(tokens):
        line, end = source.lines[token.line - 1], token.end_column - 1
        is_last = after.kind == "end" or after.line > token.line
        if not is_last or _DIVIDED.match(line, end - 1) is None:
            continue
        if token.kind == "name" and token.text in RESERVED - {"true", "false"}:
            continue
        message = "this begins a comment, and divides nothing"
        hint = "`/` of two Ints divides and drops the fraction; put a space before a comment"
        span = Span(source.file, token.line, token.end_column, token.end_column + 2)
        warnings.append(Diagnostic("warning", message, span, hint))
    return warnings


def _goes_on(text: str, end: int) -> bool:
    """Return whether a letter that no name may have follows a name."""
    return end < len(text) and text[end].isalnum()


# What is no token, and what to say about it; the first that matches is taken.
_BAD_TEXTS: list[tuple[re.Pattern[str], str, str | None]] = [
    (re.compile(r"/\*(?s:.*)"), "this comment is never closed", None),
    (re.compile(r'"[^\n]*'), "this string is never closed", None),
    (
        re.compile(r"'(?:[^'\\\n]|\\.)*'"),
        "a character literal holds one character",
        "strings are written with double quotes",
    ),
    (re.compile(r"'[^\n]*"), "this character is never closed", None),
    (re.compile(r"\w+"), "a name is made of the letters A to Z, digits and `_`", None),
]


def _bad_text(source: Source, position: int, line: int, column: int) -> tuple[int, Diagnostic]:
    """Return how much to skip at text that is no token, and what to say about it."""
    rest_of_line = len(source.lines[line - 1]) - column + 1
    found = ((p.match(source.text, position), m, h) for p, m, h in _BAD_TEXTS)
    match, message, hint = next((f for f in found if f[0]), (None, "", None))
    if match is None:
        match = _bad_characters(source.text, position)
        many = "s" if len(match[0]) > 1 else ""
        message = f"unexpected character{many} {match[0]!r}"
        hint = "powers are written pow(x,y)" if match[0] == "^" else None
    length = match.end() - position
    span = Span(source.file, line, column, column + min(length, max(1, rest_of_line)))
    return length, Diagnostic("error", message, span, hint)


def _bad_characters(text: str, position: int) -> re.Match[str]:
    """The characters from `position` on up to the next token."""
    end = position + 1
    while end < len(text) and not text[end].isspace() and _TOKEN.match(text, end) is None:
        end += 1
    match = re.compile(r".*", re.DOTALL).match(text, position, end)
    assert match is not None
    return match
