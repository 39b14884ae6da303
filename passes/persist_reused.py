"""Keep the RDDs that would otherwise be computed again.

Works at the spark level.

    %A = spark.map ...                %0 = spark.map ...
    scf.while ... {              =>   %A = spark.persist %0
      spark.cogroup %A, ...           scf.while ... { spark.cogroup %A, ...

An RDD is kept if several operations read it, if a loop reads it that does not make it, or
if a loop carries it to its next iteration. What the driver has given is kept for loops alone:
Spark holds it, but sends it to the workers with every task. Numbered rows are always kept: if they
were made again, they might get other numbers. Never kept is what is made faster than it is read
back: tiles that exist but for their contents, ranges, and tiles that are cut out or copied.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import spark
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.locations import located

_PASSING = (spark.CropOp, spark.ReplicateOp)
"""Ops whose records are tiles of their input."""

_CHEAP = (spark.PersistOp, spark.TilesOp, spark.RangeOp, *_PASSING)
"""Ops whose records are kept, or made faster than they could be read back."""


def _enclosing_loops(block: Block | None) -> list[Operation]:
    """The loops around a block, innermost first."""
    loops: list[Operation] = []
    while block is not None:
        parent = block.parent_op()
        if isinstance(parent, scf.WhileOp):
            loops.append(parent)
        block = None if parent is None else parent.parent
    return loops


def _readings(value: SSAValue) -> Generator[Use]:
    """The uses of `value`, and of the tiles that are taken of it in passing."""
    for use in value.uses:
        if isinstance(use.operation, _PASSING):
            yield from _readings(use.operation.results[0])
        else:
            yield use


def _is_reused(value: SSAValue) -> bool:
    """Return whether the records of `value` are asked for more than once."""
    uses = list(_readings(value))
    outside = _enclosing_loops(block_of(value))
    if any(len(_enclosing_loops(use.operation.parent)) > len(outside) for use in uses):
        return True
    if isinstance(value.owner, spark.ParallelizeOp):
        return False
    return len(uses) > 1 or any(
        isinstance(use.operation, scf.WhileOp)
        or (
            isinstance(use.operation, scf.YieldOp)
            and isinstance(use.operation.parent_op(), scf.WhileOp)
        )
        for use in uses
    )


@dataclass(frozen=True)
class PersistReusedPass(ModulePass):
    """Keep the RDDs that would otherwise be computed again."""

    name = "persist-reused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Insert `spark.persist` after every RDD that is worth keeping."""
        for inner in list(op.walk()):
            makes = inner.name.startswith("spark.") or isinstance(inner, scf.IfOp)
            if makes and not isinstance(inner, _CHEAP):
                _keep_results(inner)


def _keep_results(op: Operation) -> None:
    for result in op.results:
        if isinstance(result.type, spark.RDDType) and (
            isinstance(op, spark.NumberOp) or _is_reused(result)
        ):
            kept = located(spark.PersistOp(result), op)
            Rewriter.insert_op(kept, InsertPoint.after(op))
            kept.result.name_hint = result.name_hint
            result.replace_uses_with_if(
                kept.result, lambda use, kept=kept: use.operation is not kept
            )
