"""Analysis: what a distributed computation leaves of an array of the driver that it looks up.

    %b = spark.broadcast %D                                  %D, shared
    %r = spark.map @kernel(%rows) captures(%b)               elements of %D, copied
    %bag = spark.collect %r                                  done: %D is not looked at any more

Up to the `collect`, the rows may be computed at any time.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import SSAValue, Use
from xdsl.traits import SymbolTable

from diablo.dialects import spark, tensor_block
from diablo.dialects.bags import BagType


def uses_until_collected(use: Use) -> Sequence[Use] | None:
    """The uses of what the user of an array makes, which may look at the array once more.

    `None` if the array, or a part of it, may live on there.
    """
    match use.operation:
        case spark.BroadcastOp(result=result):
            return list(result.uses)
        case spark.MapOp() as op if use.index == 0 or _is_looked_up(op, use):
            return list(op.result.uses)
        case spark.CollectGroupsOp():
            return ()
        case spark.CollectOp(result=result) if isinstance(result.type, BagType):
            return ()
        case _:
            return None


def _is_looked_up(op: spark.MapOp, use: Use) -> bool:
    """Return whether a kernel reads single elements alone of what it captures."""
    kernel = SymbolTable.lookup_symbol(op, op.kernel)
    if not isinstance(kernel, func.FuncOp) or len(kernel.body.blocks) != 1:
        return False
    captured: SSAValue = kernel.body.block.args[use.index - len(op.operands)]
    return all(
        isinstance(inner.operation, tensor_block.LookupOp) and inner.operation.bag is not captured
        for inner in captured.uses
    )
