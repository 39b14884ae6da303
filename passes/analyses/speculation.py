"""Analysis: which operations may be moved, duplicated or dropped freely.

An operation is *pure* if it has no effect but its results. It *can trap* if it fails for
some operands (an integer division by zero, a read outside an array): such an operation
may never move above a guard, which could be there to protect it.
"""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.ir import Operation
from xdsl.traits import IsTerminator, is_side_effect_free

from diablo.dialects import comprehension
from diablo.passes.analyses.affine_values import constant_value

Qualifier = (
    comprehension.EachOp | comprehension.RangeOp | comprehension.GuardOp | comprehension.GroupByOp
)
"""The ops of a comprehension that decide how often what follows them runs."""

Root = (
    comprehension.BuildOp
    | comprehension.MergeOp
    | comprehension.CollectOp
    | comprehension.AggregateOp
)
"""The ops whose body is a comprehension."""

_DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)


def can_trap(op: Operation) -> bool:
    """Whether `op`, or an op in one of its regions, fails for some operands."""
    for inner in op.walk():
        if isinstance(inner, _DIVISIONS) and not constant_value(inner.operands[1]):
            return True
        if isinstance(inner, tensor.ExtractOp):
            return True
    return False


def is_pure(op: Operation) -> bool:
    """Whether `op` only computes its results (it may trap)."""
    if isinstance(op, Qualifier) or op.has_trait(IsTerminator):
        return False
    if isinstance(op, Root):
        return True
    if is_side_effect_free(op):
        return True
    return bool(op.regions) and all(
        is_pure(inner) or inner.has_trait(IsTerminator)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )
