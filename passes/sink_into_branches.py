"""Compute in an arm of a branch what that arm alone reads.

Works at the spark level.

```mlir
%P = func.call @fill(%n, %x)                    %Q = scf.if %c {
%Q = scf.if %c {                                  …
  …                                       ==>   } else {
} else {                                          %P = func.call @fill(%n, %x)
  %b = func.call @add(%P, %rows) … }              %b = func.call @add(%P, %rows) … }
```

That is what kernels make and what is made of RDDs: where the other arm is taken, nobody asks for
it. Scalars stay, since the sizes of arrays are to be known before the first of them is made, and
so does what may fail.

This is LLVM's sinking, and MLIR's `control-flow-sink`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from diablo.dialects import spark
from diablo.passes.analyses.plans.record_kernels import kernel_of
from diablo.passes.analyses.values.speculation import can_trap

_MAKES_ARRAYS = (
    spark.TilesOp,
    spark.RangeOp,
    spark.CropOp,
    spark.RekeyOp,
    spark.RouteOp,
    spark.HashRowsOp,
    spark.CogroupOp,
    spark.ReduceByKeyOp,
    spark.UnionOp,
    spark.WindowOp,
    spark.BroadcastOp,
)
"""The ops beside kernels that make RDDs of RDDs, and arrays that workers have of these."""


@dataclass(frozen=True)
class SinkIntoBranchesPass(ModulePass):
    """Compute in an arm of a branch what that arm alone reads."""

    name = "sink-into-branches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the outer branches first: what they get may sink further."""
        for branch in op.walk():
            if isinstance(branch, scf.IfOp) and branch.parent is not None:
                _sink_into(branch)


def _sink_into(branch: scf.IfOp) -> None:
    """Move what is made before a branch into its arms, what reads it first."""
    made = branch.prev_op
    while made is not None:
        before = made.prev_op
        arm = _only_arm(made, branch)
        if arm is not None and _may_sink(made):
            made.detach()
            assert arm.block.first_op is not None
            Rewriter.insert_op(made, InsertPoint.before(arm.block.first_op))
        made = before


def _only_arm(op: Operation, branch: scf.IfOp) -> Region | None:
    """Return the arm in which all that reads an op stands, outside of loops."""
    arms: set[Region] = set()
    for result in op.results:
        for use in result.uses:
            region = use.operation.parent_region()
            while region is not None and region.parent is not branch:
                parent = region.parent
                if not isinstance(parent, scf.IfOp):
                    return None
                region = parent.parent_region()
            if region is None:
                return None
            arms.add(region)
    return arms.pop() if len(arms) == 1 else None


def _may_sink(op: Operation) -> bool:
    """Return whether an op makes arrays or rows, cannot fail, and does nothing else."""
    if isinstance(op, func.CallOp):
        callee = SymbolTable.lookup_symbol(op, op.callee)
        return (
            isinstance(callee, func.FuncOp) and not callee.is_declaration and not can_trap(callee)
        )
    if isinstance(op, spark.MapOp | spark.MapGroupsOp):
        return not can_trap(kernel_of(op))
    return isinstance(op, _MAKES_ARRAYS) and not can_trap(op)
