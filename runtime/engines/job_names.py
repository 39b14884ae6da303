"""Jobs of Spark, described by the statement of the source that runs them.

    name_job(rdd.ctx)        # pagerank.diablo:7
    rdd.collect()

Spark's pages show the description for the job and its stages, and the name of what is kept. What
runs when the program has returned, as a lazy result, has the description that it is given.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from diablo.runtime.source_lines import running_place

_PLACE = re.compile(r"\S+:(\d+)$")
LATER = "diablo: a result is looked at"

_named: WeakKeyDictionary[Any, str | None] = WeakKeyDictionary()
"""The last description of each context, which is told to the JVM no more than once."""


def name_job(context: Any, otherwise: str = LATER) -> None:
    """Describe the next jobs by the statement that is running; in this process there are none."""
    if hasattr(context, "setJobDescription"):
        _describe(context, running_place() or otherwise)


def name_nothing(context: Any) -> None:
    """Describe jobs no more: the next ones are someone else's."""
    if _named.get(context) is not None:
        _describe(context, None)


def _describe(context: Any, text: str | None) -> None:
    if _named.get(context) != text:
        with suppress(Exception):  # A description is never worth a failure.
            context.setJobDescription(text)
        _named[context] = text


def name_records(rdd: Any) -> None:
    """Name what Spark keeps after the statement that has it kept."""
    place = running_place()
    if place is not None and hasattr(rdd, "_jrdd"):
        with suppress(Exception):
            rdd.setName(place)


def line_of_records(rdd: Any) -> int | None:
    """The line of the statement that has made what an RDD is computed from, the nearest one known.

    RDDs that Spark keeps are named after it.
    """
    with suppress(Exception):  # Where Spark has ended nobody knows.
        waiting = [rdd._jrdd.rdd()]
        seen: set[int] = set()
        while waiting:
            found = waiting.pop(0)
            place = _PLACE.match(str(found.name() or ""))
            if place is not None:
                return int(place[1])
            if int(found.id()) not in seen:
                seen.add(int(found.id()))
                parents = found.dependencies()
                waiting += [parents.apply(k).rdd() for k in range(parents.size())]
    return None
