"""`--verify-diagnostics`: compare the diagnostics with the comments that announce them.

    // expected-error @+1 {{does not dominate}}
    %y = arith.addi %x, %x : i64
    %z = arith.addi %y, %q : i64  // expected-error {{not defined}}

The kinds are `error`, `warning`, `remark` and `note`; the text is part of the message, or
with `expected-error-re` a regular expression that is found in it. The line is the comment's
own, `@+n`/`@-n` lines away, `@above`/`@below` for the nearest line without such a comment,
or `@unknown` for a message without a place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from diablo.diagnostics import Diagnostic, Span

_EXPECTED = re.compile(
    r"expected-(?P<severity>error|warning|remark|note)(?P<regex>-re)?"
    r"\s*(?:@(?P<line>[+-]\d+|above|below|unknown))?\s*\{\{(?P<text>.*?)\}\}"
)


@dataclass
class Expectation:
    """One announced diagnostic: `line` is 0 for one without a place."""

    severity: str
    line: int
    text: str
    pattern: re.Pattern[str]
    span: Span
    found: bool = False

    def matches(self, diagnostic: Diagnostic) -> bool:
        """Return whether it announces this diagnostic."""
        line = 0 if diagnostic.span is None else diagnostic.span.line
        return (
            self.severity == diagnostic.severity
            and self.line == line
            and self.pattern.search(diagnostic.message) is not None
        )


def find_expectations(text: str, file: str) -> list[Expectation]:
    """Read all announcements; a wrong regular expression raises `re.error`."""
    lines = text.splitlines()
    return [
        _expectation(match, lines, number, file)
        for number, line in enumerate(lines, 1)
        for match in _EXPECTED.finditer(line)
    ]


def unmet_expectations(
    expectations: Sequence[Expectation], diagnostics: Sequence[Diagnostic], *, remarks: bool
) -> list[Diagnostic]:
    """Return an error for each diagnostic nobody announced and each announcement in vain.

    Remarks count only with `remarks`, or where the input announces one. Notes that hang on
    another diagnostic may be announced, but need not.
    """
    remarks = remarks or any(e.severity == "remark" for e in expectations)
    unmet: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if diagnostic.severity == "remark" and not remarks:
            continue
        if not _take(expectations, diagnostic) and diagnostic.severity != "note":
            unmet.append(
                Diagnostic(
                    "error",
                    f"unexpected {diagnostic.severity}: {diagnostic.message}",
                    diagnostic.span,
                )
            )
        for note in diagnostic.notes:
            _take(expectations, note)
    for expectation in expectations:
        if not expectation.found:
            message = f'expected {expectation.severity} "{expectation.text}" was not produced'
            unmet.append(Diagnostic("error", message, expectation.span))
    return unmet


def _take(expectations: Sequence[Expectation], diagnostic: Diagnostic) -> bool:
    for expectation in expectations:
        if not expectation.found and expectation.matches(diagnostic):
            expectation.found = True
            return True
    return False


def _expectation(match: re.Match[str], lines: Sequence[str], number: int, file: str) -> Expectation:
    text = match["text"]
    pattern = re.compile(text if match["regex"] else re.escape(text))
    span = Span(file, number, match.start() + 1, match.end() + 1)
    line = _line(match["line"] or "+0", lines, number)
    return Expectation(match["severity"], line, text, pattern, span)


def _line(designator: str, lines: Sequence[str], number: int) -> int:
    if designator == "unknown":
        return 0
    if designator in ("above", "below"):
        step = -1 if designator == "above" else 1
        number += step
        while 1 <= number <= len(lines) and _EXPECTED.search(lines[number - 1]):
            number += step
        return number
    return number + int(designator)
