"""Values that all tasks read: of those in files only the names travel, with what reads them.

    shared = share(sc, value, folder)     # what a kernel captures
    shared.value                          # the value, in this process
    shared.destroy()

A broadcast of Spark goes to its store first, from there to a file for each worker, and is to be
asked to go again, which takes longer than many a kernel. Where workers see the files of this
process (`block_store`) that is no help: they open the file. What is short is a part of the
function that reads it. All else is a broadcast.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from diablo.runtime.engines.block_store import Folder, InFile, loads, stored

MOST_BYTES = 1 << 16
"""So many bytes may be sent with each task, as Spark sends the function itself."""

_held: dict[bytes, tuple[Any, tuple[str, ...]]] = {}
"""What this process has read of files, with their names."""


class SharedValue:
    """A value in a file, or a short one, for the tasks that capture it."""

    def __init__(self, data: bytes, files: tuple[str, ...]):
        self._data = data
        self._files = files

    def __reduce__(self) -> tuple[Any, ...]:
        """A task has the value itself."""
        return _read, (self._data, self._files)

    @property
    def value(self) -> Any:
        """The value as tasks read it."""
        return loads(self._data)

    def unpersist(self, blocking: bool = False) -> None:
        """Let go of what only tasks that ran already have needed: the file may be read again."""

    def destroy(self, blocking: bool = False) -> None:
        """Remove the file; whoever reads it keeps it."""
        for path in self._files:
            with suppress(OSError):
                os.unlink(path)


def share(sc: Any, value: Any, folder: Folder | None) -> Any:
    """The value as tasks get it, in `.value`; `folder` is where files are that all of them see."""
    if folder is None:
        return sc.broadcast(value)
    data, files = stored(value, folder)
    if len(data) <= MOST_BYTES:
        return SharedValue(data, files)
    return sc.broadcast(InFile(data) if files else value)


def _read(data: bytes, files: tuple[str, ...]) -> Any:
    """The value of a task: what is derived of it stays for the next ones that read the file."""
    if not files:
        return loads(data)
    if data not in _held:
        value = loads(data)
        for other, (_, needed) in list(_held.items()):
            if not all(map(os.path.exists, needed)):
                del _held[other]
        _held[data] = value, files
    return _held[data][0]
