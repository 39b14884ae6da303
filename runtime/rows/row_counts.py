"""Rows that a run is about to make far more of than come of them, which a warning says.

    with counting(given=500):
        note_rows(10**9, (10**5, 10**4), at="a.diablo:3:9", at_most="one")   # warns once

The compiler says how many rows can come of those that are made (`at_most`), and it says nothing
where all of them are asked for. What is counted is known before the rows are made, and costs
nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, Protocol, TypeVar

from diablo.diagnostics import Diagnostic, Listener, reporter, span_at

T = TypeVar("T")
FEWEST = 100_000
"""Fewer rows than that are never too many."""
MANY = 8
"""How many times as many rows as inputs and outputs have are many."""

AtMost = int | Literal["one", "left", "right", "both"]
"""How many rows can come of those of a join: so many, one, or as many as one side has, or both."""


Counts = tuple[int, int, int]
"""Rows that are made, and those of the two sides."""
Place = tuple[int, int, str, AtMost]
"""The number of an operation and of a partition, and what `note_rows` is told."""
_NONE: Counts = (0, 0, 0)


def _sum(a: Counts, b: Counts) -> Counts:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


class _Part(threading.local):
    """The counts of the operation of which this thread works on a part, if it does."""

    counts: dict[str, Counts] | None = None


_part = _Part()


class RowCounts:
    """The places of a run where more rows are made than `given` ones account for."""

    def __init__(self, given: int, tell: Listener):
        self._given = given
        self._tell = tell
        self._told: set[str] = set()
        self._lock = threading.Lock()

    def note(self, rows: int, left: int, right: int, at: str, at_most: AtMost) -> None:
        """Warn, unless that was done, if so many rows of so many are too many."""
        parts = _part.counts
        if parts is None:
            self._judge((rows, left, right), at, at_most, exactly=True)
            return
        with self._lock:
            together = parts[at] = _sum(parts.get(at, _NONE), (rows, left, right))
        self._judge(together, at, at_most, exactly=False)

    def note_elsewhere(self, counts: Mapping[Place, Counts]) -> None:
        """Warn of what workers have counted, each a part of the rows of an operation."""
        sums: dict[tuple[int, str, AtMost], Counts] = {}
        for (operation, _, at, at_most), part in counts.items():
            key = operation, at, at_most
            sums[key] = _sum(sums.get(key, _NONE), part)
        for (_, at, at_most), together in sums.items():
            self._judge(together, at, at_most, exactly=False)

    def _judge(self, counts: Counts, at: str, at_most: AtMost, *, exactly: bool) -> None:
        made, left, right = counts
        with self._lock:
            sides = {"one": 1, "left": left, "right": right, "both": left + right}
            remain = at_most if isinstance(at_most, int) else sides[at_most]
            few = made <= MANY * max(self._given + remain, left + right)
            if made < FEWEST or few or at in self._told:
                return
            self._told.add(at)
        of = " and ".join(str(side) for side in (left, right) if side)
        some = f"{made} rows of {of}" if exactly else f"{made} rows or more"
        self._tell(
            Diagnostic(
                "warning",
                f"this is about to make {some}, more than {MANY} times what the inputs have "
                f"({self._given}) and what can come of these rows ({remain})",
                span_at(at),
                "an equality between the generators, or a group before them, makes fewer",
            )
        )


class Counter(Protocol):
    """Who is told of rows that are made."""

    def note(self, rows: int, left: int, right: int, at: str, at_most: AtMost) -> None:
        """Note that so many rows of so many are about to be made."""
        ...


C = TypeVar("C", bound=Counter)

_counts: Counter | None = None


def counting(given: int) -> telling[RowCounts]:
    """Count what is made inside, on any thread, for `given` rows of inputs."""
    return telling(RowCounts(given, reporter()))


class telling(Generic[C]):
    """A context manager: `counter` is told of the rows that are made inside, on any thread."""

    __slots__ = ("_before", "_counter")

    def __init__(self, counter: C):
        self._counter = counter

    def __enter__(self) -> C:
        global _counts
        self._before, _counts = _counts, self._counter
        return self._counter

    def __exit__(self, *_: object) -> None:
        global _counts
        _counts = self._before


def note_rows(rows: int, of: tuple[int, int], at: str, at_most: AtMost | None) -> None:
    """Note that so many rows are about to be made of so many, if not all are asked for."""
    if at_most is not None and at and _counts is not None:
        _counts.note(rows, *of, at, at_most)


def counted_together(task: Callable[[Any], T]) -> Callable[[Any], T]:
    """The function, of which all calls are parts of one operation: their rows add up."""
    counts: dict[str, Counts] = {}

    def part(argument: Any) -> T:
        before, _part.counts = _part.counts, counts
        try:
            return task(argument)
        finally:
            _part.counts = before

    return part
