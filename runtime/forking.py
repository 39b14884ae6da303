"""Locks that a child process finds free, whatever other threads did when it was forked.

    _lock = fork_safe_lock()

A forked process has a copy of each lock, but of the threads only the one that forked: what another
thread held would be held for ever. So a fork waits until these locks are free.
"""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager


def fork_safe_lock() -> AbstractContextManager[bool]:
    """A lock that may be taken again by who holds it, and that a thread that forks holds.

    One must not be taken inside of another.
    """
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock


COMPILER = fork_safe_lock()
"""The compiler, and LLVM, work for one thread at a time."""
