"""Which errors of a run are shown: in the order of the source, and of very many the first."""

from __future__ import annotations

from diablo.diagnostics import Diagnostic

_SHOWN = 100


def first_of(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics in the order of the source; of very many the first."""
    by_place = sorted(diagnostics, key=lambda d: (d.span.line, d.span.column) if d.span else (0, 0))
    if len(by_place) <= _SHOWN:
        return by_place
    last = by_place[_SHOWN].span
    message = f"there are {len(by_place) - _SHOWN} more errors from here on"
    return [*by_place[:_SHOWN], Diagnostic("error", message, last)]
