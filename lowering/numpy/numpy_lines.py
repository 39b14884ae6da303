"""Long statements of a NumPy kernel over several lines.

    c[i:j] = np.min(a[i:j, None, :l] + b[:l].T, axis=2)    =>    c[i:j] = np.min(
                                                                     a[i:j, None, :l] + b[:l].T,
                                                                     axis=2,
                                                                 )

A call is broken between its arguments, anything else in front of its loosest operators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

WIDTH = 100
OPERATORS = (
    ("if", "else"),
    ("or",),
    ("and",),
    ("==", "!=", "<", "<=", ">", ">="),
    ("|",),
    ("^",),
    ("&",),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "@"),
)
"""The binary operators that expressions use, the loosest first."""
_TRAILED = re.compile(
    r"(.*\))(\.\w+(?:\((?:[^()'\"]|\([^()'\"]*\))*\))?|\[\(\)\]|\[(?:[^\[\]()'\"]|\([^()'\"]*\))+\])"
)
"""A call with an attribute, a method's call, `[()]` or a subscript after it, which stays on the
last line."""


def broken(prefix: str, text: str, indent: int, tail: str = "") -> list[str]:
    """`prefix` + `text` + `tail` as lines that are `indent` deep."""
    pad = " " * indent
    if indent + len(prefix) + len(text) + len(tail) <= WIDTH:
        return [f"{pad}{prefix}{text}{tail}"]
    trailed = _TRAILED.fullmatch(text)
    if trailed is not None and _call(trailed[1]) is not None:
        return broken(prefix, trailed[1], indent, trailed[2] + tail)
    parts = [part.strip(", ") for part in _split(text, (",",))]
    if len(parts) > 1:  # The values of a tuple without brackets.
        return broken(prefix, f"({', '.join(parts)})", indent, tail)
    call = _call(text)
    if call is not None:
        arguments = [part.strip(", ") for part in _split(text[call.end() : -1], (",",))]
        is_tuple = not arguments[-1] or len(arguments) > 1
        arguments = [argument for argument in arguments if argument]
        if arguments:
            # A comma behind the only value within a bracket or a subscript makes a tuple.
            comma = "," if is_tuple or (call[0][:-1] and call[0][-1] == "(") else ""
            return [
                f"{pad}{prefix}{call[0]}",
                *_arguments(arguments, indent + 4, comma),
                f"{pad}{text[-1]}{tail}",
            ]
    for operators in OPERATORS:
        parts = _split(text, operators)
        if len(parts) > 1:
            within = prefix != "" or tail == ""
            if not within:
                return _operands(parts, indent, tail)
            return [f"{pad}{prefix}(", *_operands(parts, indent + 4, ""), f"{pad}){tail}"]
    return [f"{pad}{prefix}{text}{tail}"]


def _call(text: str) -> re.Match[str] | None:
    """Return what comes before the arguments of one call, subscript or pair of brackets."""
    call = re.match(r"[\w.]*\(|[\w.]+\[", text)
    if call is None or _end_of_bracket(text, call.end() - 1) != len(text) - 1:
        return None
    return call


def _arguments(arguments: Sequence[str], indent: int, comma: str) -> list[str]:
    """The arguments of a call on one line if they fit, else one per line."""
    together = ", ".join(arguments)
    if len(arguments) > 1 and indent + len(together) <= WIDTH:
        return [" " * indent + together]
    return [line for argument in arguments for line in broken("", argument, indent, comma)]


def _operands(parts: Sequence[str], indent: int, tail: str) -> list[str]:
    """The operands of one level, each on a line with its operator before it."""
    lines: list[str] = []
    for k, part in enumerate(parts):
        last = tail if k == len(parts) - 1 else ""
        operator, _, operand = part.partition(" ") if k else ("", "", part)
        lines += broken(f"{operator} " if operator else "", operand, indent, last)
    return lines


def outside_strings(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """The characters from position `start` that lie in no string literal, with their places."""
    quote, escaped = "", False
    for position in range(start, len(text)):
        character = text[position]
        if quote:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == quote:
                quote = ""
        elif character in "\"'":
            quote = character
        else:
            yield position, character


def _depths(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """The positions from `start` that lie in no string, each with how many brackets are open."""
    depth = 0
    for position, character in outside_strings(text, start):
        depth += (character in "([{") - (character in ")]}")
        yield position, depth


def _outside(text: str) -> Iterator[int]:
    """The positions of `text` that lie in no bracket and no string."""
    return (p for p, depth in _depths(text) if depth == 0 and text[p] not in ")]}")


def _split(text: str, separators: Sequence[str]) -> list[str]:
    """The parts of `text` between separators; each part but the first starts with its own."""
    cuts: list[int] = [0]
    outside = set(_outside(text))
    for position in sorted(outside):
        for separator in separators:
            spaced = separator if separator == "," else f" {separator} "
            if text.startswith(spaced, position) and position + len(spaced) - 1 in outside:
                cuts.append(position + (0 if separator == "," else 1))
    return [text[a:b].strip() for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True)]


def _end_of_bracket(text: str, start: int) -> int:
    """Return where the bracket that opens at `start` is closed."""
    return next((p for p, depth in _depths(text, start) if depth == 0), -1)
