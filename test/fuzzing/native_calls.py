"""Counts the calls of the machine code of loops, and those that this leaves to Python.

with native_calls() as calls:
    ...
calls.jobs    ->   12 calls of loops whose kernels threads share
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from diablo.runtime.program.native_loop import LoopCode


@dataclass
class NativeCalls:
    """The calls of the machine code of loops."""

    alone: int = 0
    """Those in which the kernels are a part of it."""
    jobs: int = 0
    """Those in which threads share the kernels."""
    refused: int = 0
    """Those that machine code leaves to Python."""

    @property
    def kinds(self) -> list[str]:
        """What there was any of; `none` if no loop has come so far."""
        found = [word for word, count in vars(self).items() if count]
        return found or ["none"]


@contextmanager
def native_calls() -> Generator[NativeCalls]:
    """The calls that are made inside."""
    calls, run = NativeCalls(), LoopCode.run

    def counted(self: LoopCode, arguments: Sequence[Any]) -> Any:
        found = run(self, arguments)
        if found is NotImplemented:
            calls.refused += 1
        elif self.has_jobs:
            calls.jobs += 1
        else:
            calls.alone += 1
        return found

    LoopCode.run = counted
    try:
        yield calls
    finally:
        LoopCode.run = run
