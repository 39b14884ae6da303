"""How much memory a call takes at most, beyond what its process held before it.

    first, later = peaks_in_child(way)

Each way is measured in a child of its own, forked when the inputs are made and nothing has been
computed, and thrown away after a few calls. What counts is resident memory (all allocators, code
and libraries that a call loads included, inputs that were there not). The kernel's high-water mark
is set back before each call (Linux, /proc/self/clear_refs), so that preparing inputs does not
count. Without that there is `ru_maxrss` alone, which never falls: then the first call is its
growth since before the inputs were prepared, and nothing is known of the later call. Between the
calls the C library gives free memory back; what an allocator of a peer's own keeps is there
already when the later call begins, so that the later figure is a lower bound.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import select
import signal
import sys
import traceback
from pathlib import Path
from time import perf_counter

from case_table import Way

_UNIT = 1 if sys.platform == "darwin" else 1024
_LATER, _SECONDS = 3, 0.3
"""Programs and databases may compile or plan anew in one of the first few calls, so the least of
three later ones counts, or of as many as fit into so many seconds."""
Peaks = tuple[int | None, int | None]


def resident() -> int:
    """The bytes of this process that are in memory now."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return highest()
    return int(statm.read_text().split()[1]) * resource.getpagesize()


def highest() -> int:
    """The most bytes of this process that have been in memory since the mark was set back."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


def set_back() -> bool:
    """Set the high-water mark back to what is in memory now, if the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def give_back() -> None:
    """Give what is not used any more back to the system, as far as the C library can."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def peaks(way: Way) -> Peaks:
    """The bytes that the first call takes at most, and the next one, in this process."""
    before = highest()
    call = way()
    give_back()
    exact = set_back()
    held = resident() if exact else before
    result = call()
    first = highest() - held
    del result
    if not exact:
        return first, None
    later: list[int] = []
    started = perf_counter()
    for _ in range(_LATER):
        give_back()
        set_back()
        held = resident()
        call()
        later.append(highest() - held)
        if perf_counter() - started > _SECONDS:
            break
    return first, min(later)


def peaks_in_child(way: Way, seconds: float) -> Peaks:
    """The same in a fork of this process, which must not have started threads yet.

    Nothing is known of a child that fails, or takes longer than so many seconds.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.write(writing, json.dumps(peaks(way)).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], seconds)
        if not ready:
            os.kill(child, signal.SIGKILL)
        text = os.read(reading, 4096) if ready else b""
    finally:
        os.close(reading)
        os.waitpid(child, 0)
    return tuple(json.loads(text)) if text else (None, None)
