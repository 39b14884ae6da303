"""Runs that end in the middle of a loop, and are gone on with from the state that was saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from diablo.lowering.native_loops import outline_native_loops
from diablo.runtime.program.run_identity import RunIdentity
from diablo.runtime.program.saved_state import SavedState

_IDENTITY = RunIdentity("", "", {}, {})
_SHORT = 2
"""How many iterations a strip of machine code has, so that short loops have several."""


class _Killed(BaseException):
    """A run ends. Nothing that handles errors stops it."""


def run_twice(run: Callable[..., Any], after: int) -> Any:
    """Return what `run` gives, which is given a state to use; it ends after so many saves at first.

    A run that saves less often is run once.
    """
    saves = 0
    store = SavedState.store

    def store_and_end(self: SavedState, *arguments: Any) -> None:
        nonlocal saves
        store(self, *arguments)
        saves += 1
        if saves == after:
            raise _Killed

    with (
        TemporaryDirectory(prefix="fuzz-") as folder,
        patch.object(SavedState, "store", store_and_end),
        patch.object(os, "fsync", _no_wait),
    ):
        state = SavedState(Path(folder) / "state", 1, _IDENTITY)
        try:
            return run(state=state)
        except _Killed:
            state.end()
            return run(state=SavedState(state.folder, 1, _IDENTITY))


@contextmanager
def short_strips() -> Generator[None]:
    """Compile loops whose state is saved into strips of few iterations."""
    with (
        patch.object(outline_native_loops, "STEPS", _SHORT),
        patch.object(outline_native_loops, "STEPS_WITH_KERNELS", _SHORT),
    ):
        yield


def _no_wait(descriptor: int) -> None:
    pass
