"""Move what is the same in each iteration of a driver loop out of it.

Works at the spark level.

```mlir
scf.while (%P0 = %P) … {                          %w = spark.window %A …
  %w = spark.window %A …                          scf.while (%P0 = %P) … {
  %c = arith.divf %b, %n : f64           =>         …
  …                                               }
```

That is scalar arithmetic that cannot fail, and RDDs of RDDs from outside, which the loop then
shuffles once and not in each iteration (`persist-reused` keeps them), and arrays that are sent to
workers. An RDD is computed when somebody asks for it, so one that a loop without iterations would
not have needed costs nothing, and an array of the driver's own that no worker fetches costs little:
these move out of the arms of branches as well. Tiles that workers have are collected to be sent,
which an arm that is never taken would not do. Kernels stay where they are: what they make may be
large, and an arm that needs it is one for arrays whose sizes do not fit, which a loop takes in
each iteration or never.

This is loop-invariant code motion (Aho, Lam, Sethi, Ullman: Compilers, section 9.5).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import spark
from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import remark
from diablo.passes.analyses.values.speculation import can_trap

_LAZY = (
    spark.ParallelizeOp,
    spark.RangeOp,
    spark.TilesOp,
    spark.CropOp,
    spark.ReplicateOp,
    spark.NumberOp,
    spark.WindowOp,
    spark.StripsOp,
    spark.BroadcastOp,
)
"""The ops that say what an RDD is by themselves, and run nothing of the program's own.

Keys and groups belong to the op that reads them.
"""


def _may_move(op: Operation, *, certain: bool) -> bool:
    """Return whether an op may move out of a loop, in each iteration of which it is `certain`."""
    if isinstance(op, spark.BroadcastOp) and isinstance(op.input.type, spark.RDDType):
        return certain
    if isinstance(op, _LAZY):
        return True
    is_scalar = certain and bool(op.results) and not op.regions and not op.name.startswith("spark.")
    return is_scalar and has_no_effect(op) and not can_trap(op)


def _hoist(loop: scf.WhileOp, region: Region, arm: Region | None = None) -> None:
    """Move what may out of a region of a loop, or out of an arm of a branch there."""
    for block in (arm or region).blocks:
        for op in list(block.ops):
            if isinstance(op, scf.IfOp):
                for inner in op.regions:
                    _hoist(loop, region, inner)
            invariant = all(not region.is_ancestor(value.owner) for value in op.operands)
            if invariant and _may_move(op, certain=arm is None):
                op.detach()
                Rewriter.insert_op(op, InsertPoint.before(loop))
                if isinstance(op, spark.NumberOp | spark.WindowOp):
                    remark(op, "this is the same in each iteration: made once, before the loop")


@dataclass(frozen=True)
class HoistLoopInvariantsPass(ModulePass):
    """Move what is the same in each iteration of a driver loop out of it."""

    name = "hoist-loop-invariants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist from inner loops first, so that outer ones can pass on what they get."""
        for loop in op.walk(region_first=True):
            if isinstance(loop, scf.WhileOp):
                _hoist(loop, loop.before_region)
                _hoist(loop, loop.after_region)
