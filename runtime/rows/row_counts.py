"""Rows that a run makes far more of than it was given and gives back: counted, then warned of.

    with counting() as counts:
        rows.join(…)                          # note_rows(10**9, (10**5, 10**4), at="a.diablo:3:9")
        warn_of_many(counts, given, returned)

What is counted is known before the rows are made, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from diablo.diagnostics import Diagnostic, report, span_at

FEWEST = 100_000
"""Fewer rows than that are never too many."""
MANY = 8
"""How many times as many rows as inputs and outputs have are many."""


class RowCounts:
    """The most rows that were made at each place, with what they were made of."""

    def __init__(self) -> None:
        self.most: dict[str, tuple[int, Sequence[int]]] = {}

    def note(self, rows: int, of: Sequence[int], at: str) -> None:
        """Note that rows were made."""
        if rows > self.most.get(at, (0, ()))[0]:
            self.most[at] = rows, of


_counts: RowCounts | None = None


@contextmanager
def counting() -> Generator[RowCounts]:
    """Count what is made inside, on any thread."""
    global _counts
    before, _counts = _counts, RowCounts()
    try:
        yield _counts
    finally:
        _counts = before


def note_rows(rows: int, of: Sequence[int], at: str) -> None:
    """Note that so many rows are made of so many, if that is worth noting."""
    if rows >= FEWEST and at and _counts is not None and rows > MANY * sum(of):
        _counts.note(rows, of, at)


def warn_of_many(counts: RowCounts, given: int, returned: int) -> None:
    """Warn of places where more rows were made than inputs and outputs with so many account for."""
    for at, (rows, of) in counts.most.items():
        if rows > MANY * (given + returned):
            made_of = " and ".join(str(number) for number in of)
            message = (
                f"this makes {rows} rows of {made_of}, more than {MANY} times as many as the inputs"
                f" and results have ({given} and {returned})"
            )
            hint = "an equality between the generators, or a group before them, makes fewer"
            report(Diagnostic("warning", message, span_at(at), hint))
