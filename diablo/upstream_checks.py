"""What the verifiers of xDSL's own ops leave out, and lowerings rely on.

`scf` ops are given what their results are, and a constant axis is one of the array's.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref, scf, tensor
from xdsl.dialects.builtin import IntegerAttr, ShapedType
from xdsl.ir import Attribute, Operation, Region


def left_out(op: Operation) -> str | None:
    """Return what is wrong with an op of xDSL's that its own verifier accepts."""
    match op:
        case scf.IfOp():
            if not op.true_region.blocks:
                return "has no branch"
            if op.results and not op.false_region.blocks:
                return "has results and only one branch"
            for region in filter(lambda region: region.blocks, op.regions):
                if (message := _passes_on(region, scf.YieldOp, op.result_types)) is not None:
                    return message
        case scf.WhileOp():
            condition = op.before_region.block.last_op
            if not isinstance(condition, scf.ConditionOp):
                return "has no scf.condition at the end of its first region"
            if tuple(arg.type for arg in condition.args) != tuple(op.result_types):
                return "passes on other types than those of its results"
            if tuple(op.after_region.block.arg_types) != tuple(op.result_types):
                return "has a body whose arguments are not of the types of its results"
            return _passes_on(
                op.after_region, scf.YieldOp, tuple(value.type for value in op.arguments)
            )
        case tensor.DimOp() | memref.DimOp():
            axis, type = op.index.owner, op.source.type
            if (
                isinstance(axis, arith.ConstantOp)
                and isinstance(axis.value, IntegerAttr)
                and isinstance(type, ShapedType)
                and not 0 <= axis.value.value.data < type.get_num_dims()
            ):
                return f"asks for dimension {axis.value.value.data} of {type}"
        case _:
            pass
    return None


def _passes_on(region: Region, kind: type[Operation], types: Sequence[Attribute]) -> str | None:
    """Whether a region of one block ends with an op of `kind` on values of the given types."""
    if len(region.blocks) != 1:
        return "has a region of several blocks"
    last = region.block.last_op
    if not isinstance(last, kind):
        return f"has a region that does not end with {kind.name}"
    if tuple(last.operand_types) != tuple(types):
        return "has a region that yields other types than are wanted"
    return None
