"""What a run on Spark has taken: seconds of all its processes, jobs, and stages."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def processor_seconds() -> float:
    """Return what this process, the JVM and Spark's workers have taken of all processors so far."""
    taken: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
        taken[int(folder.name)] = sum(map(int, fields[11:15]))
    family = [os.getpid()]
    for process in family:
        family += children.get(process, [])
    return sum(taken.get(process, 0) for process in family) / os.sysconf("SC_CLK_TCK")


def next_job(sc: Any) -> int:
    """The number of the next job."""
    return max(sc.statusTracker().getJobIdsForGroup(None), default=-1) + 1


def jobs_since(sc: Any, first: int) -> tuple[int, int]:
    """Return how many jobs there were from number `first` on, and stages in them."""
    tracker = sc.statusTracker()
    jobs = [job for job in tracker.getJobIdsForGroup(None) if job >= first]
    found = [tracker.getJobInfo(job) for job in jobs]
    return len(jobs), sum(len(info.stageIds) for info in found if info is not None)
