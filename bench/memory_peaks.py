"""How much memory a call takes at most, beyond what its process held before it.

    first, later = peaks_in_child(way)

Each way is measured in a child of its own, forked when the inputs are made and nothing has been
computed, and thrown away after two calls. What counts is resident memory (all allocators, code
and libraries that a call loads included, inputs that were there not). The kernel's high-water mark
is set back before each call (Linux, /proc/self/clear_refs), so that preparing inputs does not
count. Without that there is `ru_maxrss` alone, which never falls: then the first call is its
growth since before the inputs were prepared, and nothing is known of the later call. What an
allocator has kept of the first call is there already when the later one begins, so that the later
figure is a lower bound.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import traceback
from pathlib import Path

from case_table import Way

_UNIT = 1 if sys.platform == "darwin" else 1024
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


def peaks(way: Way) -> Peaks:
    """The bytes that the first call takes at most, and the next one, in this process."""
    before = highest()
    call = way()
    exact = set_back()
    held = resident() if exact else before
    result = call()
    first = highest() - held
    del result
    if not exact:
        return first, None
    set_back()
    held = resident()
    call()
    return first, highest() - held


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
