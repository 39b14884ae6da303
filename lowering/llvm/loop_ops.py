"""How ops are put at the end of a block."""

from __future__ import annotations

from typing import Protocol

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, LocationAttr
from xdsl.ir import Block, Operation, SSAValue


class HasLocation(Protocol):
    """What stands for a place in the source, as an op does."""

    @property
    def location(self) -> LocationAttr:
        """The place."""
        ...


def append(block: Block, op: Operation, source: HasLocation, hint: str | None = None) -> Operation:
    """Append `op`, which comes from `source`, to `block`."""
    op.location = source.location
    block.add_op(op)
    if hint is not None:
        op.results[0].name_hint = hint
    return op


def append_constant(block: Block, value: int) -> SSAValue:
    """Append the index `value`."""
    op = arith.ConstantOp(IntegerAttr(value, IndexType()))
    block.add_op(op)
    op.result.name_hint = {0: "zero", 1: "one"}.get(value, "edge")
    return op.result
