"""How much memory there is, and whether data of a size can be held.

machine_memory()    ->  25769803776

check_memory(2**50, "what it expands to")
    ->  ValueError: what it expands to would take 1048576.0 GiB, and there are 22.5
"""

from __future__ import annotations

import os
from pathlib import Path

_GIB = 2**30
_CGROUP_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)


def machine_memory() -> int:
    """Bytes of memory of the machine, or of the container if it has less."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        total = 8 * 2**30
    for path in _CGROUP_LIMITS:
        try:
            with open(path) as file:
                total = min(total, int(file.read()))
        except (OSError, ValueError):
            continue
    return total


def available_memory() -> int:
    """Bytes of memory that this process may still take, as far as the system says."""
    least = machine_memory()
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(line for line in lines if line.startswith("MemAvailable"))
        least = min(least, int(free.split()[1]) * 1024)
    except (OSError, StopIteration, ValueError, IndexError):
        pass
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            least = min(least, max(0, limit - used * resource.getpagesize()))
    except (ImportError, OSError, ValueError, IndexError):
        pass
    return least


def check_memory(needed: int, what: str) -> None:
    """Raise `ValueError` with both sizes if `needed` bytes are more than there are."""
    there = available_memory()
    if needed > there:
        sizes = f"{needed / _GIB:.1f} GiB, and there are {there / _GIB:.1f}"
        raise ValueError(f"{what} would take {sizes}")
