"""Garbage collection that waits until something is made whose objects all stay.

with without_collection():
    module = import_program(text, file)

The collector looks at every object each time that there are a quarter more of them. While an IR is
built none are garbage, and that takes as long as a third of the building.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Generator[None]:
    """Collect no garbage inside; the process does so afterwards, if it did before."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
