"""Analysis: are rows that Spark is given, and what is made of them, only what the driver reads?

    %r = spark.parallelize %L                 true: no other rows meet these, and all that comes of
    %n = spark.number %r                      them the driver gets
    %x = spark.collect (spark.map @k(%n))

Where there are few of them the driver has them sooner than a job of Spark.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from diablo.dialects import spark
from diablo.dialects.bags import BagType


def are_only_for_driver(given: spark.ParallelizeOp) -> bool:
    """Return whether all that is made of the rows of an op is numbers and rows of the driver."""
    if not isinstance(given.input.type, BagType):
        return False
    return all(_ends_with_driver(use.operation) for use in given.result.uses)


def _ends_with_driver(op: Operation) -> bool:
    match op:
        case spark.MapOp():
            is_alone = not op.dims and not any(_is_with_workers(value) for value in op.captures)
            return is_alone and _all_end_with_driver(op.result)
        case spark.NumberOp() | spark.PersistOp():
            return _all_end_with_driver(op.result)
        case spark.CollectOp():
            # A result of the program stays with Spark.
            uses = op.result.uses
            return not any(isinstance(use.operation, func.ReturnOp) for use in uses)
        case _:
            return isinstance(op, spark.FoldOp | spark.FoldAllOp | spark.ReleaseOp)


def _all_end_with_driver(value: SSAValue) -> bool:
    return all(_ends_with_driver(use.operation) for use in value.uses)


def _is_with_workers(value: SSAValue) -> bool:
    return isinstance(value.type, spark.BroadcastType | spark.RDDType)
