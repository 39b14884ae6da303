"""The steps of a long run: timed, and shown on a terminal while they last."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any


@dataclass
class Progress:
    """Times steps; shows a bar on a terminal, or a line per step with `verbose`."""

    command: str
    verbose: bool
    total: int
    """How many steps there will be."""
    seconds: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """What has been done so far, and how long it took."""
    _bar: Any = None

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """Do one step."""
        if self.verbose:
            print(f"{self.command}: {name}", file=sys.stderr)
        elif sys.stderr.isatty():
            self._show(name)
        started = perf_counter()
        try:
            yield
        finally:
            self.seconds.append((name, perf_counter() - started))
            if self._bar is not None:
                self._bar.update()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def say(self, text: str) -> None:
        """Print a message to stderr without disturbing the bar."""
        if self._bar is not None:
            self._bar.clear()
        print(text, file=sys.stderr)

    def _show(self, name: str) -> None:
        if self._bar is None:
            from tqdm import tqdm

            bar_format = "{desc} |{bar:20}| {n_fmt}/{total_fmt} [{elapsed}]"
            self._bar = tqdm(total=self.total, file=sys.stderr, leave=False, bar_format=bar_format)
        self._bar.set_description_str(name)
