"""The steps of a run: timed, and said or shown while they last."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from diablo.runtime.progress import doing


@dataclass
class Steps:
    """Times steps; says each in a line of its own with `verbose`."""

    command: str
    verbose: bool
    seconds: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """What has been done so far, and how long it took."""

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """Do one step."""
        if self.verbose:
            print(f"{self.command}: {name}", file=sys.stderr)
        started = perf_counter()
        try:
            with doing(name):
                yield
        finally:
            self.seconds.append((name, perf_counter() - started))
