"""Which dimensions of an array become one."""

from __future__ import annotations

from xdsl.dialects import tensor
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.utils.hints import isa


def collapsed_axes(op: tensor.CollapseShapeOp) -> list[list[int]]:
    """The axes of the source that make each axis of the result."""
    assert isa(op.reassociation, ArrayAttr[ArrayAttr[IntegerAttr]])
    return [[axis.value.data for axis in group] for group in op.reassociation]
