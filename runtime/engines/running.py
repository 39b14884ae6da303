"""What a program that runs is doing, seen from another thread.

with doing(running(context)):        # in the thread that runs the program
    …                                # running line 7; on Spark: stage 3, and its tasks
"""

from __future__ import annotations

from threading import get_ident
from typing import Any

from diablo.runtime.progress import Activity, Step
from diablo.runtime.source_lines import running_line


def running(context: Any) -> Activity:
    """Say at which line the calling thread is; on a SparkContext also which stages run."""
    thread = get_ident()

    def activity() -> Step:
        line = running_line(thread)
        text = "running" if line is None else f"running line {line}"
        return _stages(text, context) if hasattr(context, "statusTracker") else Step(text)

    return activity


def _stages(text: str, context: Any) -> Step:
    """The active stages, and how many of their tasks are done."""
    tracker = context.statusTracker()
    found = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    stages = [stage for stage in found if stage is not None]
    if not stages:
        return Step(text)
    names = ", ".join(str(stage.stageId) for stage in stages)
    return Step(
        text,
        done=sum(stage.numCompletedTasks for stage in stages),
        total=sum(stage.numTasks for stage in stages),
        part=f"{'stage' if len(stages) == 1 else 'stages'} {names}",
    )
