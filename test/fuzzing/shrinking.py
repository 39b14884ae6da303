"""Makes a failing program small: pieces go away as long as it still fails in the same way.

A piece is a run of words whose brackets match; it is dropped, or replaced by a constant. Runs
of many words are tried first. Lists of inputs lose rows and sizes get smaller likewise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import Any, cast

Fails = Callable[[str, Mapping[str, Any]], bool]
"""Whether a program with these inputs still fails as the first one did."""

_WORD = re.compile(
    r'[ \t]*(?:"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\d+\.\d+|\w+'
    r"|<-|<=|>=|==|!=|=>|\.\.|&&|\|\||\+=|\n|[^\w\s])"
)
"""A word with the space before it."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_REPLACEMENTS = ("", "0", "1", "0.5", "true")


class Shrinker:
    """Makes one program small, within a time limit."""

    def __init__(self, text: str, inputs: Mapping[str, Any], fails: Fails, seconds: float = 60.0):
        self.text = text
        self.inputs = dict(inputs)
        self._fails = fails
        self._end = monotonic() + seconds
        self._tried: set[str] = set()

    def shrink(self) -> tuple[str, dict[str, Any]]:
        """The smallest program and inputs that were found."""
        size = None
        while size != self._size() and not self._is_late():
            size = self._size()
            self._drop_lines()
            self._shrink_inputs()
            self._drop_words()
        return self.text, self.inputs

    def _size(self) -> int:
        return len(self.text) + len(repr(self.inputs))

    def _is_late(self) -> bool:
        return monotonic() > self._end

    def _accept(self, text: str, inputs: Mapping[str, Any] | None = None) -> bool:
        """Keep a candidate if it fails."""
        given = self.inputs if inputs is None else inputs
        given = {name: value for name, value in given.items() if f"input {name}:" in text}
        key = f"{text}{given!r}"
        if key in self._tried or self._is_late():
            return False
        self._tried.add(key)
        if not self._fails(text, given):
            return False
        self.text, self.inputs = text, given
        return True

    # ---- text ------------------------------------------------------------------------------

    def _drop_lines(self) -> None:
        """Drop lines, the last first, with what they declare in the list of results."""
        for position in reversed(range(len(self.text.splitlines()))):
            lines = self.text.splitlines()
            if position >= len(lines):
                continue
            (line,) = lines[position : position + 1]
            rest = [*lines[:position], *lines[position + 1 :]]
            declared = re.match(r"\s*var (\w+)", line)
            if declared is not None and rest:
                name = declared[1]
                # Its parts may be results as well.
                rest[-1] = re.sub(rf"(, ?\b{name}\b[.#\w]*|\b{name}\b[.#\w]*, ?)", "", rest[-1])
                rest[-1] = re.sub(r"^\((\w+)\);$", r"\1;", rest[-1])
            self._accept("\n".join(rest) + "\n")

    def _drop_words(self) -> None:
        """Drop runs of words, or put constants in their place."""
        length = max(1, len(_WORD.findall(self.text)) // 2)
        while length >= 1 and not self._is_late():
            start = 0
            while not self._is_late():
                words = _WORD.findall(self.text)
                if start >= len(words):
                    break
                if not self._replace(words, start, length):
                    start += max(1, length // 4)
            length //= 2
        for start, end in self._brackets():
            words = _WORD.findall(self.text)
            if end < len(words):
                self._replace(words, start, end - start + 1)

    def _brackets(self) -> Iterator[tuple[int, int]]:
        """Return where brackets open and close, the widest first."""
        pairs: list[tuple[int, int]] = []
        open_at: list[int] = []
        for position, word in enumerate(map(str.strip, _WORD.findall(self.text))):
            if word in _CLOSING:
                open_at.append(position)
            elif word in _CLOSING.values() and open_at:
                pairs.append((open_at.pop(), position))
        return iter(sorted(pairs, key=lambda pair: pair[0] - pair[1]))

    def _replace(self, words: list[str], start: int, length: int) -> bool:
        piece = words[start : start + length]
        if "\n" in piece or piece == [";"] or not _is_balanced(piece):
            return False  # Lines go away as a whole.
        for word in _REPLACEMENTS[: 1 if length > 40 else None]:
            if len(piece) == 1 and piece[0].strip() == word:
                continue
            new = [f" {word}"] if word else []
            if self._accept("".join([*words[:start], *new, *words[start + length :]])):
                return True
        return False

    # ---- inputs ----------------------------------------------------------------------------

    def _shrink_inputs(self) -> None:
        for name in list(self.inputs):
            value = self.inputs.get(name)
            if isinstance(value, int):
                for smaller in range(value):
                    if self._accept(self.text, {**self.inputs, name: smaller}):
                        break
            elif isinstance(value, list):
                for position in reversed(range(len(cast("list[Any]", value)))):
                    rows = list(cast("list[Any]", self.inputs[name]))
                    del rows[position]
                    self._accept(self.text, {**self.inputs, name: rows})


def _is_balanced(words: list[str]) -> bool:
    expected: list[str] = []
    for word in map(str.strip, words):
        if word in _CLOSING:
            expected.append(_CLOSING[word])
        elif word in _CLOSING.values() and (not expected or expected.pop() != word):
            return False
    return not expected
