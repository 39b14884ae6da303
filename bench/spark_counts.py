"""What a run on Spark has taken: seconds and memory of all its processes, jobs, and stages."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from diablo.runtime.engines import block_store

_ticks: dict[int, int] = {}
"""Of each process of this family so far, also of workers that have ended: Spark ends idle ones."""


def processor_seconds() -> float:
    """Return what this process, the JVM and Spark's workers have taken of all processors so far."""
    _ticks.update({k: sum(map(int, fields[11:13])) for k, fields in _family().items()})
    return sum(_ticks.values()) / os.sysconf("SC_CLK_TCK")


def memory_bytes() -> int:
    """Return what this process, the JVM and Spark's workers have in memory, blocks in files too."""
    total = 0
    for process in _family():
        with suppress(OSError):
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
            sizes = {k: int(v.split()[0]) for k, _, v in (line.partition(":") for line in lines)}
            # Files in memory count below, whether anyone has them mapped or not.
            total += (sizes["Pss"] - sizes.get("Pss_Shmem", 0)) << 10
    for root in block_store._own_roots():  # pyright: ignore[reportPrivateUsage]
        for path in root.rglob("*"):
            with suppress(OSError):
                found = path.stat()
                # A block that is handed on has several names.
                total += found.st_blocks * 512 // found.st_nlink
    return total


@contextmanager
def most_memory(every: float = 0.02) -> Generator[list[int]]:
    """Give a list of one number, behind the `with` block the most that there was in memory."""
    most, ended = [memory_bytes()], Event()

    def look() -> None:
        while not ended.wait(every):
            most[0] = max(most[0], memory_bytes())

    watcher = Thread(target=look)
    watcher.start()
    try:
        yield most
    finally:
        ended.set()
        watcher.join()


def _family() -> dict[int, list[str]]:
    """Return this process and all that come from it, with what /proc says of each."""
    found: dict[int, list[str]] = {}
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            found[int(folder.name)] = fields
    family = [os.getpid()]
    for process in family:
        family += children.get(process, [])
    return {process: found[process] for process in family if process in found}


def next_job(sc: Any) -> int:
    """The number of the next job."""
    return max(sc.statusTracker().getJobIdsForGroup(None), default=-1) + 1


def jobs_since(sc: Any, first: int) -> tuple[int, int]:
    """Return how many jobs there were from number `first` on, and stages in them that ran.

    A job names those as well that it skips, since what they shuffle is there from an earlier one.
    """
    sc._jsc.sc().listenerBus().waitUntilEmpty(5_000)
    tracker = sc.statusTracker()
    jobs = [job for job in tracker.getJobIdsForGroup(None) if job >= first]
    found = [tracker.getJobInfo(job) for job in jobs]
    named = {stage for info in found if info is not None for stage in info.stageIds}
    stages = [tracker.getStageInfo(stage) for stage in named]
    return len(jobs), sum(info is not None and info.numCompletedTasks > 0 for info in stages)
