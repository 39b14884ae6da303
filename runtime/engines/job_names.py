"""Jobs and stages of Spark, named after the statements of the source that they are of.

    with naming(sc):
        name_stage()             # pagerank.diablo:7, of what is made from here on
        A.partitionBy(…)
        name_job(rdd.ctx)        # pagerank.diablo:9
        rdd.collect()

Spark's pages show the description of the job for it and its stages, the name of what is kept, and
for each stage the call that has made what it computes; that would be a line of the runtime, and is
the statement. What runs when the program has returned, as a lazy result, is named after the
statement that the result is of, or, where that is not known, after the line that looks at it.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from diablo.context_values import Holding
from diablo.runtime.source_lines import calling_place, running_place

_PLACE = re.compile(r"\S+:(\d+)$")
LATER = "diablo: a result is looked at"

_named: WeakKeyDictionary[Any, str | None] = WeakKeyDictionary()
"""The last description of each context, which is told to the JVM no more than once."""


class _Sites:
    """What the stages of one run are called, as Spark was told last."""

    def __init__(self, context: Any):
        self.context = context
        self.told: str | None = None
        self.otherwise: str | None = None
        """What a stage is called while no statement of a program runs."""

    def tell(self, place: str | None) -> None:
        if place != self.told:
            with suppress(Exception):
                self.context._jsc.setCallSite(place)
            self.told = place


_sites: ContextVar[_Sites | None] = ContextVar("diablo_call_sites", default=None)


class naming:
    """A context in which stages are named after statements, and not after calls of PySpark.

    PySpark says where each of its calls stands that are in no other one; here they are in one.
    """

    def __init__(self, context: Any):
        self._sites = _Sites(context)
        self._held = Holding(_sites, self._sites)

    def __enter__(self) -> None:
        self._calls = import_module("pyspark.traceback_utils").SCCallSiteSync
        self._calls._spark_stack_depth += 1
        self._held.__enter__()

    def __exit__(self, *error: object) -> None:
        self._held.__exit__(None, None, None)
        self._calls._spark_stack_depth -= 1
        self._sites.tell(None)
        name_nothing(self._sites.context)


def name_stage() -> None:
    """Name the stage after the statement that is running of which the next shuffle is the end."""
    sites = _sites.get()
    if sites is not None:
        sites.tell(running_place() or sites.otherwise or calling_place())


def name_job(context: Any, otherwise: str | None = None) -> None:
    """Describe the next jobs by the statement that is running; in this process there are none.

    Where none of a program is, it is the caller's, unless something else is known.
    """
    if hasattr(context, "setJobDescription"):
        running = running_place()
        place = running or otherwise or calling_place() or LATER
        _describe(context, place)
        sites = _sites.get()
        if sites is not None:
            sites.otherwise = None if running else place
            sites.tell(place)


@contextmanager
def naming_for_caller(context: Any) -> Generator[None]:
    """A context in which jobs and stages are named after the statement that calls this package."""
    with naming(context):
        name_job(context)
        yield


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
