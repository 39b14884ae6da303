"""Garbage collection that does not look at what stays.

with without_collection():
    module = import_program(text, file)

The collector looks at every object each time that there are a quarter more of them. While an IR is
built none are garbage, and that takes as long as a third of the building.

Python workers of Spark collect after each task, which takes longer than a small task itself, as
modules are looked at each time. `freeze_survivors` takes these out.
"""

from __future__ import annotations

import gc
import sys
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


_FEW = 5000
"""So many objects are looked at in half a millisecond."""
_MOST_FREEZES = 32


def freeze_survivors() -> None:
    """Let later collections leave out what survives the first full ones, where it is many objects.

    That is modules and kernels. What is frozen is freed as other objects are, unless it is part of
    a cycle; so that happens a limited number of times.
    """
    freezes = 0

    def freeze(phase: str, collection: dict[str, int]) -> None:
        nonlocal freezes
        if phase != "stop" or collection["generation"] < 2 or len(gc.get_objects()) < _FEW:
            return
        gc.freeze()
        freezes += 1
        if freezes == _MOST_FREEZES:
            gc.callbacks.remove(freeze)

    gc.callbacks.append(freeze)


SPARK_DAEMONS = ("pyspark.daemon", "diablo.runtime.engines.spark_daemon")
"""The modules of which a process runs one that forks the workers of Spark, and so do they."""


def is_spark_worker() -> bool:
    """Return whether this process runs tasks of Spark."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return getattr(spec, "name", None) in SPARK_DAEMONS
