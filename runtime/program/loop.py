"""What a loop of an emitted program leaves to its next iteration.

    loop = Iterations()
    while k < 10:
        ...
        P, k = loop.carry(P_1), k + 1

Spark evaluates lazily: without care the last iteration would compute all others again, from
an ever longer lineage.
"""

from __future__ import annotations

from typing import Any

CHECKPOINT_INTERVAL = 10
"""After how many iterations the lineage is cut and what is older is let go."""


class Iterations:
    """The RDDs that the iterations of one loop keep."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[Any] = []

    def carry(self, *values: Any) -> Any:
        """Keep the RDDs among the values for the next iteration; returns the values."""
        self.count += 1
        for value in values:
            self.keep(value)
        if self.count % CHECKPOINT_INTERVAL == 0:
            self._cut(values)
        return values[0] if len(values) == 1 else values

    def keep(self, rdd: Any) -> Any:
        """Keep an RDD until the lineage is cut; returns it.

        What is kept already belongs to someone else, who may need it for longer.
        """
        if not getattr(rdd, "is_cached", False):
            self._kept.append(persisted(rdd))
        return rdd

    def _cut(self, values: tuple[Any, ...]) -> None:
        """Compute the values, forget how, and drop what only their computation needed."""
        for value in values:
            value.localCheckpoint()
        for value in values:
            _compute(value)
        lasting: list[Any] = []
        for kept in self._kept:
            if any(kept is value for value in values):
                lasting.append(kept)
            else:
                kept.unpersist()
        self._kept = lasting


def persisted(rdd: Any) -> Any:
    """Keep an RDD, on disk if memory runs short; returns it."""
    if not hasattr(rdd, "_jrdd"):
        return rdd.persist()
    from pyspark import StorageLevel

    return rdd.persist(StorageLevel.MEMORY_AND_DISK)


def _compute(rdd: Any) -> None:
    """Make an RDD's partitions exist, without bringing its records to Python again."""
    if hasattr(rdd, "_jrdd"):
        rdd._jrdd.count()
